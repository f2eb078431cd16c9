//! Shell completion: the words that the program offers.

use super::Scenario;
use super::template::Template;

/// Returns the completions that bash receives for the last word.
fn completions(scenario: &Scenario, words: &[&str]) -> Vec<String> {
    let output = scenario
        .program_under_test()
        .env("COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", (words.len()).to_string())
        .env("_CLAP_IFS", "\n")
        .args(["--", "discussions"])
        .args(words)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn three_discussions() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let scenario = Scenario::new();
        for title in ["Add user authentication", "Add search", "認証をどこに"] {
            scenario.discussions(&["new", title]).code(0);
        }
        scenario.file("discussions/adr-index.md", "# An index\n")
    });
    TEMPLATE.copy()
}

#[test]
fn names_of_discussions_are_offered_without_pages() {
    let scenario = three_discussions();
    assert_eq!(completions(&scenario, &["show", "ad"]), ["add-search", "add-user-authentication"]);
    assert_eq!(completions(&scenario, &["comment", "認"]), ["認証をどこに"]);
    assert!(
        completions(&scenario, &["status", "discussions/add-s"]).concat().contains("add-search.md")
    );
}

#[test]
fn participants_providers_templates_phases_are_offered() {
    let scenario = three_discussions();
    assert_eq!(completions(&scenario, &["turn", "add-s", "@arch"]), ["@architect"]);
    assert_eq!(completions(&scenario, &["participants", "show", "sec"]), ["security"]);
    assert_eq!(completions(&scenario, &["run", "add-s", "--provider", "moc"]), ["mock"]);
    assert_eq!(completions(&scenario, &["providers", "remove", "moc"]), ["mock"]);
    assert_eq!(completions(&scenario, &["doc"]), ["doctor"]);
    assert_eq!(completions(&scenario, &["new", "X", "--template", "deb"]), ["debate"]);
    assert_eq!(
        completions(&scenario, &["discuss", "X", "-p", "architect,sec"]),
        ["architect,security"]
    );
    assert_eq!(
        completions(&scenario, &["discuss", "X", "-p", "architect=moc"]),
        ["architect=mock"]
    );
    let phases = completions(&scenario, &["advance", "add-s", "--to", ""]);
    assert!(phases.contains(&"detailed_review".to_owned()), "{phases:?}");
    assert!(!phases.contains(&"opening".to_owned()), "only its own: {phases:?}");
}

#[test]
#[cfg(feature = "mcp")]
fn agents_are_offered() {
    let scenario = Scenario::new();
    let agents = ["claude", "codex", "gemini", "vscode", "cursor", "opencode", "zed"];
    assert_eq!(completions(&scenario, &["init", "--agent", ""]), agents);
}

#[test]
fn votes_schemas_and_manual_pages_are_offered() {
    let scenario = three_discussions();
    assert_eq!(completions(&scenario, &["vote", "add-s", ""])[..3], ["READY", "CHANGES", "REJECT"]);
    assert_eq!(completions(&scenario, &["comment", "add-s", "--vote", "re"]), ["READY", "REJECT"]);
    assert_eq!(completions(&scenario, &["schema", "sea"]), ["search"]);
    assert_eq!(completions(&scenario, &["man", "sta"]), ["status", "stats"]);
    assert_eq!(completions(&scenario, &["man", "providers", "ch"]), ["check"]);
    assert_eq!(completions(&scenario, &["check", "--format", ""]), ["github", "gitlab"]);
}

#[test]
fn completion_ignores_case_and_respects_option_c() {
    let scenario = three_discussions();
    assert_eq!(completions(&scenario, &["show", "ADD-S"]), ["add-search"]);
    assert_eq!(completions(&scenario, &["turn", "add-s", "@Arch"]), ["@architect"]);
    let below = scenario.file("elsewhere/discussions.yaml", "");
    below.discussions(&["-C", "elsewhere", "new", "Add nothing"]).code(0);
    assert_eq!(completions(&below, &["-C", "elsewhere", "show", "add"]), ["add-nothing"]);
    assert_eq!(completions(&below, &["show", "-Celsewhere", "add"]), ["add-nothing"]);
    assert_eq!(completions(&below, &["-C", "elsewhere", "vote", "add", "rea"]), ["READY"]);
}

#[test]
fn names_with_escape_codes_are_not_offered() {
    let text = "# T\n\n---\n\nName: Rob\n\nText.\n\n---\n";
    let scenario =
        Scenario::new().file("discussions/a\u{1b}[2J.md", text).file("discussions/ab.md", text);
    assert_eq!(completions(&scenario, &["show", "a"]), ["ab"]);
}

#[test]
#[cfg(unix)]
fn discussions_behind_an_outside_link_are_not_offered() {
    let text = "# Secret plan\n\n---\n\nName: Rob\n\nText.\n\n---\n";
    let scenario =
        Scenario::new().file("../elsewhere/secret.md", text).file("discussions.yaml", "");
    std::os::unix::fs::symlink(scenario.path("../elsewhere"), scenario.path("discussions"))
        .unwrap();
    assert!(!completions(&scenario, &["show", "sec"]).contains(&"secret".to_owned()));
    scenario.discussions(&["status", "secret plan"]).code(3).stdout("");
}

#[test]
fn broken_configuration_completes_silently_to_nothing() {
    let scenario = three_discussions().file("discussions.yaml", "author: [\n");
    assert!(completions(&scenario, &["turn", "x", "@arch"]).is_empty());
}

#[test]
fn every_shell_gets_a_whole_script_that_finds_the_program_in_path() {
    let scenario = three_discussions();
    for (shell, begin) in [
        ("bash", "_clap_complete_discussions() {\n"),
        ("zsh", "#compdef discussions\n"),
        ("fish", "complete "),
        ("elvish", ""),
        ("powershell", ""),
    ] {
        let script = scenario.discussions(&["completions", shell]).code(0).stdout;
        assert!(script.starts_with(begin), "{shell}: {script}");
        assert!(script.contains("COMPLETE") && script.contains(shell), "{shell}: {script}");
        // A package ships the script, so it must not name the place of the program that printed it.
        assert!(!script.contains("target/"), "{shell}: {script}");
        let help = scenario.discussions(&["completions", "--help"]).code(0).stdout;
        assert!(help.contains(&format!("discussions completions {shell}")), "{shell}: {help}");
    }
}

#[test]
fn script_works_as_a_file_in_bash() {
    let scenario = three_discussions().on_path();
    let script = r#"source <(discussions completions bash)
        COMP_WORDS=(discussions show add-u); COMP_CWORD=2; COMP_TYPE=9
        complete=$(complete -p discussions | sed 's/.*-F \([^ ]*\).*/\1/')
        "$complete" discussions add-u show; printf '%s\n' "${COMPREPLY[@]}""#;
    let output = scenario.command("bash").args(["-c", script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "add-user-authentication\n", "{output:?}");
}

#[test]
fn completions_command_prints_a_script() {
    let scenario = Scenario::new();
    scenario.discussions(&["completions", "bash"]).code(0).says("COMPLETE=\"bash\"");
    scenario.discussions(&["completions", "nosuch"]).code(2);
}
