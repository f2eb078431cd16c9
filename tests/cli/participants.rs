//! `discussions participants`, `templates` and `providers`: listing, adding, editing and checking.

use super::scenario::Scenario;

const REVIEWER: &str = "\
name: AI-Reviewer
alias: reviewer
role: Reads twice
personality: You read everything twice.
";

#[test]
fn persona_is_added_used_and_removed() {
    let scenario = Scenario::new().file("discussions.yaml", "").file("r.yaml", REVIEWER);
    scenario
        .discussions(&["participants", "add", "reviewer", "--from-file", "r.yaml"])
        .code(0)
        .stdout("Added AI-Reviewer (@reviewer): participants/reviewer.yaml\n");
    scenario.discussions(&["participants", "list"]).code(0).says("reviewer");
    scenario
        .discussions(&["participants", "show", "@reviewer"])
        .code(0)
        .says("You read everything twice.");
    scenario.discussions(&["new", "A", "-p", "reviewer,architect"]).code(0);
    scenario
        .discussions(&["participants", "add", "reviewer", "--from-file", "r.yaml"])
        .code(3)
        .notes("is already defined");
    scenario
        .discussions(&["participants", "remove", "reviewer"])
        .code(0)
        .stdout("Removed: participants/reviewer.yaml\n");
}

#[test]
fn bundled_persona_is_copied_when_edited() {
    let scenario = Scenario::new()
        .file("discussions.yaml", "")
        .program("pen", "#!/bin/sh\nexit 0\n")
        .env("EDITOR", "pen");
    let edit = &["participants", "edit", "architect"];
    scenario.at_terminal(edit, "").code(0).stdout("Nothing was changed.\r\n");
    assert!(!scenario.path("participants").exists());
    let scenario =
        scenario.program("pen", "#!/bin/sh\nsed -i 's/^role: .*/role: Edited/' \"$1\"\n");
    scenario.at_terminal(edit, "").code(0).stdout("Edited: participants/architect.yaml\r\n");
    scenario.discussions(&["participants", "list"]).says("Edited");
}

#[test]
fn broken_edit_keeps_the_old_persona() {
    let scenario = Scenario::new()
        .file("discussions.yaml", "")
        .file("participants/reviewer.yaml", REVIEWER)
        .program("pen", "#!/bin/sh\necho 'aliass: x' >> \"$1\"\n")
        .env("EDITOR", "pen");
    let edit = &["participants", "edit", "reviewer"];
    insta::assert_snapshot!(scenario.at_terminal(edit, "").code(3).stdout.replace("\r\n", "\n"), @r"
    error: participants/reviewer.yaml.rejected:5:1: unknown key `aliass`
      |
    5 | aliass: x
      | ^
    help: did you mean `alias`?
    help: the old version stays in use; your text is kept in
       participants/reviewer.yaml.rejected for the next edit
    ");
    assert_eq!(scenario.read("participants/reviewer.yaml"), REVIEWER);
    scenario.discussions(&["participants", "list"]).code(0).says("reviewer");
    let mends = scenario.program("pen", "#!/bin/sh\nsed -i '/^aliass/d; s/twice/thrice/' \"$1\"\n");
    mends.at_terminal(edit, "").code(0).stdout("Edited: participants/reviewer.yaml\r\n");
    assert!(!mends.path("participants/reviewer.yaml.rejected").exists());
    mends.discussions(&["participants", "show", "reviewer"]).code(0).says("everything thrice.");
}

#[test]
fn mistakes_are_reported_with_place_and_fix() {
    let scenario = Scenario::new()
        .file("discussions.yaml", "")
        .file("bad.yaml", "name: AI-B\nalias: b\nrol: x\npersonality: y\n")
        .file("r.yaml", REVIEWER);
    let error = |args: &[&str], code: i32| scenario.discussions(args).code(code).into_stderr();
    insta::assert_snapshot!(error(&["participants", "add", "b", "--from-file", "bad.yaml"], 3), @r"
    error: bad.yaml:3:1: unknown key `rol`
      |
    3 | rol: x
      | ^
    help: did you mean `role`?
    ");
    insta::assert_snapshot!(error(&["participants", "add", "other", "--from-file", "r.yaml"], 3), @r"
    error: r.yaml describes `reviewer`, not `other`
    help: change `alias` in the file, or run: participants add reviewer
    ");
    insta::assert_snapshot!(error(&["participants", "remove", "architect"], 3), @"error: `architect` is bundled and cannot be removed; leave it out of `default_participants`, or define your own `architect` to replace it");
    insta::assert_snapshot!(error(&["participants", "show", "archtect"], 3), @r"
    error: no participant is called `archtect`
    help: did you mean `architect`?
    ");
    insta::assert_snapshot!(error(&["participants", "add", "x"], 2), @"error: the participant has no description: --from-file F reads one, --interactive asks you for it");
    insta::assert_snapshot!(error(&["participants", "add", "x", "--interactive"], 2), @r"
    error: --interactive needs a terminal: IO error: not a terminal
    help: to read a file instead: --from-file F
    ");
}

#[test]
fn broken_persona_stops_only_its_own_use() {
    let scenario = Scenario::new()
        .file("discussions.yaml", "")
        .file("participants/bad.yaml", "name: AI-Bad\nalias: bad\ntyp: voting\npersonality: y\n");
    let list = scenario.discussions(&["participants", "list"]).code(0).says("architect");
    insta::assert_snapshot!(list.stderr(), @r"
    warning: `bad` cannot be used
    participants/bad.yaml:3:1: unknown key `typ`
      |
    3 | typ: voting
      | ^
    help: did you mean `type`?
    ");
    scenario.discussions(&["new", "A"]).code(0);
    scenario
        .discussions(&["new", "B", "-p", "bad,architect"])
        .code(3)
        .notes("participants/bad.yaml:3:1");
}

#[test]
fn templates_are_listed_and_shown() {
    let scenario = Scenario::new().file("discussions.yaml", "").file(
        "templates/mine.md",
        "---\nid: mine\nsummary: my own\nphases:\n  - id: talk\n---\n# {{ title }}\n",
    );
    scenario.discussions(&["templates", "list"]).code(0).says("my own").says("feature");
    scenario.discussions(&["templates", "show", "mine"]).code(0).says("id: mine");
    scenario.discussions(&["templates", "show", "mein"]).code(3).notes("help: did you mean `mine`");
    scenario.discussions(&["new", "A", "--template", "mine"]).code(0);
    let broken =
        scenario.file("templates/mine.md", "---\nid: mine\nphasess: []\nphases: []\n---\n");
    broken
        .discussions(&["templates", "list"])
        .code(0)
        .says("feature")
        .notes("templates/mine.md:3:1");
}

#[test]
fn providers_check_shows_which_are_available() {
    let scenario = Scenario::new()
        .alone()
        .program("claude", super::scenario::CLAUDE)
        .file("discussions.yaml", "");
    scenario.discussions(&["providers", "list"]).code(0).says("claude-sonnet").says("mock");
    scenario.discussions(&["providers", "check", "claude-sonnet"]).code(0).says("ok");
    let codex = scenario.discussions(&["doctor", "codex"]).code(4);
    codex.says("missing").says("npm install");
    scenario.discussions(&["doctor", "mock"]).code(0).says("built in");
}

#[test]
fn providers_are_pinged_concurrently() {
    // Each provider answers only after both were called.
    let scenario = Scenario::new().alone().program(
        "waits",
        "#!/bin/sh\n/bin/cat > /dev/null\n: > \"$HOME/$1\"\nwhile [ ! -e \"$HOME/one\" ] || [ ! -e \"$HOME/two\" ]; do :; done\necho OK\n",
    );
    let own = "providers:\n  - {name: one, command: waits one, retries: 0}\n  - {name: two, command: waits two, retries: 0}\n";
    scenario.write("../config/providers.yaml", own.as_bytes());
    let ping = scenario.discussions(&["providers", "check", "--ping"]).code(0);
    for name in ["one", "two"] {
        let line = ping.stdout.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(line.contains("answers"), "{}", ping.stdout);
    }
}

#[test]
fn ping_shows_which_providers_answer() {
    let scenario = Scenario::new().alone().file("discussions.yaml", "").file(
        "providers.yaml",
        "providers:\n  - {name: broken, command: /bin/false, retries: 0}\n",
    );
    let ping = scenario.discussions(&["providers", "check", "--ping"]).code(0);
    let check = &ping.stdout;
    let line = |name: &str| check.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("mock").contains("answers"), "{check}");
    assert!(
        line("broken").contains("fails") && !line("broken").contains("broken ended"),
        "{check}"
    );
    let mut lines: Vec<&str> = ping.stderr().lines().collect();
    assert_eq!(
        lines[..2],
        [
            "note: this project defines broken (providers.yaml:2), and DISCUSSIONS_TRUST=all trusts it",
            "Asking mock, broken..."
        ]
    );
    // Each line is printed when its provider answers, so the order varies.
    lines[2..].sort_unstable();
    assert_eq!(lines[2], "  broken: exited with code 1");
    assert!(lines[3].starts_with("  mock: ") && lines.len() == 5, "{lines:?}");
    assert!(
        lines[4].ends_with(" more are missing and may not be needed; --all shows them"),
        "{lines:?}"
    );
}

#[test]
fn available_providers_come_first_and_missing_are_counted() {
    let yaml = "providers:\n- name: mine\n  command: nowhere --answer\n";
    let scenario =
        Scenario::new().alone().file("discussions.yaml", "").file("providers.yaml", yaml);
    let check = scenario.discussions(&["doctor", "--ping"]).code(0);
    let names: Vec<&str> =
        check.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["NAME", "mock", "mine"], "{}", check.stdout);
    assert!(
        check.stderr().contains(" more are missing and may not be needed; --all shows them\n"),
        "{}",
        check.stderr()
    );
    let all = scenario.discussions(&["doctor", "--ping", "--all"]).code(0);
    assert!(all.stdout.contains("OPENAI_API_KEY") && !all.stderr().contains("--all"));
    scenario.discussions(&["providers", "check", "openai"]).code(4).says("OPENAI_API_KEY");
}

#[test]
fn file_without_template_front_matter_is_reported() {
    let scenario =
        Scenario::new().file("discussions.yaml", "").file("templates/seed.md", "# Seed\n");
    scenario
        .discussions(&["new", "A", "-t", "seed"])
        .code(3)
        .notes("templates/seed.md is not a template: it lacks front matter with `phases:`");
    scenario.discussions(&["new", "A", "-t", "sed"]).code(3).notes("there is no template `sed`");
    let text = "<!-- DISCUSSION\ntemplate: theirs\n-->\n\n# A\n";
    scenario.write("discussions/a.md", text.as_bytes());
    scenario
        .discussions(&["check", "a"])
        .code(1)
        .says("there is no template `theirs`")
        .says("templates are looked for in")
        .says("templates");
}

#[test]
fn unknown_provider_hint_is_noted_when_adding_a_persona() {
    let add = |hint: &str| {
        let scenario = Scenario::new().file("discussions.yaml", "");
        scenario.write("r.yaml", format!("{REVIEWER}provider_hint: {hint}\n").as_bytes());
        let args = ["participants", "add", "reviewer", "--from-file", "r.yaml"];
        scenario.discussions(&args).code(0)
    };
    add("claude-sonet").notes("its provider_hint: ").notes("claude-sonnet");
    assert_eq!(add("mock").stderr(), "");
}
