//! Finding a discussion by the name that a person types.

use super::Scenario;
use super::template::Template;

const BY_HAND: &str = "\n\n---\n\nName: Rob\n\nText.\n\n---\n";

fn three_discussions() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let scenario = Scenario::new();
        for title in ["Add user authentication", "Add search", "Where do we keep sessions?"] {
            scenario.discussions(&["new", title]).code(0);
        }
        scenario
    });
    TEMPLATE.copy()
}

fn file_of(scenario: &Scenario, name: &str) -> String {
    let status = scenario.discussions(&["status", name, "--json"]).code(0).json();
    status["file"].as_str().unwrap().to_owned()
}

#[test]
fn discussion_is_found_by_part_of_name_or_title() {
    let scenario = three_discussions();
    for name in [
        "add-user-authentication",
        "add-user-authentication.md",
        "add-user",
        "ADD-USER",
        "add user",
        "Add User Authentication",
        "user auth",
        "authentication",
    ] {
        assert_eq!(file_of(&scenario, name), "discussions/add-user-authentication.md", "{name}");
    }
    for name in ["where do we keep sessions", "where do we keep sessions?", "sessions", "keep"] {
        assert_eq!(file_of(&scenario, name), "discussions/where-do-we-keep-sessions.md", "{name}");
    }
}

#[test]
fn ambiguous_name_lists_all_matches() {
    let scenario = three_discussions();
    let error = scenario.discussions(&["comment", "add", "Hello."]).code(3);
    let names = ["add-search", "add-user-authentication"];
    assert!(names.iter().all(|name| error.stderr().contains(name)), "{}", error.stderr());
    assert!(
        error.stderr().starts_with("error: `add` matches several discussions: "),
        "{}",
        error.stderr()
    );
    assert!(!error.stderr().contains("sessions"));
    // A match by the beginning of a name is not announced; a match by words of a title is.
    let begun = scenario.discussions(&["status", "Add-u"]).code(0);
    assert!(!begun.stderr().contains("Found"), "{}", begun.stderr());
    let fuzzy = scenario.discussions(&["status", "user authentication"]).code(0);
    fuzzy.notes("Found: add-user-authentication\n");
    let error = scenario.discussions(&["status", "ad-serch"]).code(3);
    assert!(error.stderr().contains("did you mean") && error.stderr().contains("add-search"));
    scenario
        .discussions(&["status", "xyzzy"])
        .code(3)
        .notes("`discussions list` lists the discussions");
    scenario.discussions(&["status", "./add-user"]).code(3);
}

#[test]
fn exact_name_or_title_wins_over_a_beginning() {
    let scenario = Scenario::new();
    for title in ["Caching", "Caching at the edge", "Login"] {
        scenario.discussions(&["new", title]).code(0);
    }
    assert_eq!(file_of(&scenario, "Caching"), "discussions/caching.md");
    scenario.write("discussions/x.md", format!("# Log{BY_HAND}").as_bytes());
    scenario.write("discussions/login-2.md", format!("# Again{BY_HAND}").as_bytes());
    assert_eq!(file_of(&scenario, "log"), "discussions/x.md", "the title is exactly that");
}

#[test]
fn sub_discussion_does_not_hide_its_parent() {
    let scenario = Scenario::new();
    scenario.discussions(&["new", "Caching"]).code(0);
    for name in ["caching/which-cache", "caching/which-cache/how-large"] {
        let text = format!("# Which cache?{BY_HAND}");
        scenario.write(&format!("discussions/{name}.md"), text.as_bytes());
    }
    assert_eq!(file_of(&scenario, "cach"), "discussions/caching.md");
    assert_eq!(file_of(&scenario, "caching/wh"), "discussions/caching/which-cache.md");
    assert_eq!(file_of(&scenario, "which"), "discussions/caching/which-cache.md");
    assert_eq!(file_of(&scenario, "how"), "discussions/caching/which-cache/how-large.md");
}

#[test]
fn omitted_name_means_the_only_open_discussion() {
    let scenario = Scenario::new();
    scenario.discussions(&["status"]).code(2).notes("None is open here");
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&["status"]).code(0).says("Discussion: Caching").notes("Found: caching\n");
    scenario.discussions(&["comment", "Measure first."]).code(0).says("Added comment");
    scenario.discussions_with(&["comment", "-"], "Then cache.").code(0);
    let text = scenario.read("discussions/caching.md");
    assert!(text.contains("Measure first.") && text.contains("Then cache."), "{text}");
    scenario.discussions(&["turn", "@architect", "--provider", "mock"]).code(0);
    scenario.discussions(&["new", "Login"]).code(0);
    let error = scenario.discussions(&["run"]).code(2);
    assert!(
        error.stderr().contains("login") && error.stderr().contains("caching"),
        "{}",
        error.stderr()
    );
    scenario.discussions(&["close", "login"]).code(0);
    scenario.discussions(&["close"]).code(0).says("Closed: discussions/caching.md");
}

#[test]
fn decided_discussions_are_named_if_none_is_open() {
    let scenario = one_closed_one_decided();
    for args in [&["result"][..], &["export", "--adr"], &["show"], &["status"], &["run"]] {
        let error = scenario.discussions(args).code(2);
        error.notes("None is open here; there are: ").notes("login").notes("caching");
    }
    let error = scenario.discussions(&["close"]).code(2);
    let error = error.notes("None is open here; there are: login\n");
    assert!(!error.stderr().contains("caching"), "it is closed already: {}", error.stderr());
    // If several are open, the user may also mean a decided one.
    scenario.discussions(&["new", "Queues"]).code(0);
    scenario.discussions(&["new", "Topics"]).code(0);
    let error = scenario.discussions(&["result"]).code(2);
    let error = error.notes("These are open: ").notes("; not open: ").notes("queues");
    assert!(
        error.stderr().contains("login") && error.stderr().contains("caching"),
        "{}",
        error.stderr()
    );
    let error = scenario.discussions(&["close"]).code(2);
    assert!(error.stderr().contains("not open: login\n"), "{}", error.stderr());
    let error = scenario.discussions(&["run"]).code(2);
    assert!(!error.stderr().contains("login"), "a run goes on with open ones: {}", error.stderr());
}

/// A closed discussion and a decided one.
fn one_closed_one_decided() -> Scenario {
    let scenario = Scenario::new();
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&["close", "caching"]).code(0);
    let args = ["discuss", "Login?", "--pattern", "voting", "--provider", "mock"];
    scenario.discussions(&args).code(0);
    scenario
}

#[test]
fn file_name_keeps_the_script_of_the_title() {
    let scenario = Scenario::new();
    for (title, name) in [
        ("認証をどこに保存しますか？", "認証をどこに保存しますか"),
        ("أين نحفظ الجلسات؟", "أين-نحفظ-الجلسات"),
        ("Где хранить сессии", "где-хранить-сессии"),
        ("Für Größe", "für-größe"),
        ("🚀🎉", "discussion"),
        ("🎉", "discussion-2"),
    ] {
        let file = format!("discussions/{name}.md");
        scenario.discussions(&["new", title]).code(0).stdout(&format!("Created: {file}\n"));
        assert_eq!(file_of(&scenario, name), file);
        assert_eq!(file_of(&scenario, title), file);
    }
    // Some keyboards produce letters and accents as separate characters; capitals match too.
    assert_eq!(file_of(&scenario, "fu\u{308}r-gro\u{308}ße"), "discussions/für-größe.md");
    assert_eq!(file_of(&scenario, "ГДЕ-ХРАНИТЬ"), "discussions/где-хранить-сессии.md");
    // Files that an older version named keep their names.
    scenario.write("discussions/ren-zheng.md", format!("# 認証{BY_HAND}").as_bytes());
    assert_eq!(file_of(&scenario, "ren-zheng"), "discussions/ren-zheng.md");
}

#[test]
fn page_among_discussions_is_not_a_discussion() {
    let scenario = Scenario::with_discussion()
        .file("discussions/README.md", "# Our discussions\n\nAn index.\n")
        .file("discussions/broken.md", "<!-- DISCUSSION\ntemplate: [\n\n# Broken\n");
    scenario.discussions(&["list"]).code(0).says("broken").stdout_lacks("README");
    scenario.discussions(&["check"]).code(1).notes("2 discussions checked").stdout_lacks("README");
    scenario.discussions(&[]).code(0).stdout_lacks("README").stdout_lacks("index");
    scenario.discussions(&["search", "index"]).code(1).stdout("");
    // A page that the user names explicitly is used.
    scenario.discussions(&["status", "README"]).code(0).says("Our discussions");
    scenario.discussions(&["check", "discussions/README.md"]).code(0).notes("1 discussion checked");
}

#[test]
fn file_with_equal_name_does_not_hide_a_discussion() {
    let scenario = Scenario::with_discussion();
    for (file, text) in [("caching.md", "# Notes\n"), ("caching", "\x7fELF")] {
        scenario.write(file, text.as_bytes());
        assert_eq!(file_of(&scenario, "caching"), "discussions/caching.md");
        scenario.discussions(&["comment", "caching", "Hello."]).code(0);
        assert_eq!(scenario.read(file), text);
        std::fs::remove_file(scenario.path(file)).unwrap();
    }
    // A discussion in the working folder comes first, and a name with `.md` means the file.
    scenario.write("caching.md", b"# Notes\n");
    scenario.discussions(&["status", "caching.md"]).code(0).says("Discussion: Notes");
    scenario.write("caching.md", format!("# Other{BY_HAND}").as_bytes());
    assert_eq!(file_of(&scenario, "caching"), "caching.md");
}

#[test]
fn subfolder_uses_the_discussions_of_the_repository() {
    let scenario = Scenario::new().file("sub/deep/x.txt", "");
    scenario.init_git();
    let deep = |args: &[&str]| {
        let folder = scenario.path("sub/deep");
        let output = scenario.program_under_test().current_dir(folder).args(args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(deep(&["new", "Caching"]), "Created: ../../discussions/caching.md\n");
    assert!(
        scenario.path("discussions/caching.md").is_file()
            && !scenario.path("sub/discussions").exists()
    );
    assert!(deep(&["list"]).contains("caching ") && deep(&["status"]).contains("Caching"));
    let json: serde_json::Value = serde_json::from_str(&deep(&["list", "--json"])).unwrap();
    assert_eq!(json[0]["file"], "../../discussions/caching.md");
    // A folder below a project uses the discussions of the project, too.
    scenario.write("discussions.yaml", b"output: {directory: talk}\n");
    assert_eq!(deep(&["new", "Login"]), "Created: ../../talk/login.md\n");
}

#[test]
fn commands_refuse_a_file_that_is_not_markdown() {
    let scenario = Scenario::new().file("run.py", "print(1)\n").file("NOTES", "Some.\n");
    for file in ["run.py", "NOTES"] {
        for verb in [&["comment", file, "hi"][..], &["vote", file, "ready"], &["turn", file]] {
            scenario.discussions(verb).code(3).notes("this is not a Markdown file");
        }
    }
    assert_eq!(
        (scenario.read("run.py"), scenario.read("NOTES")),
        ("print(1)\n".into(), "Some.\n".into())
    );
}
