//! What a shell is offered.

use super::Scenario;

/// What bash is offered for the last word.
fn offered(scenario: &Scenario, words: &[&str]) -> Vec<String> {
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

fn stage() -> Scenario {
    let scenario = Scenario::new();
    for title in ["Add user authentication", "Add search", "認証をどこに"] {
        scenario.discussions(&["new", title]).code(0);
    }
    scenario.file("discussions/adr-index.md", "# An index\n")
}

#[test]
fn names_of_discussions_without_pages() {
    let scenario = stage();
    assert_eq!(offered(&scenario, &["show", "ad"]), ["add-search", "add-user-authentication"]);
    assert_eq!(offered(&scenario, &["comment", "認"]), ["認証をどこに"]);
    assert!(
        offered(&scenario, &["status", "discussions/add-s"]).concat().contains("add-search.md")
    );
}

#[test]
fn people_providers_templates_and_phases() {
    let scenario = stage();
    assert_eq!(offered(&scenario, &["turn", "add-s", "@arch"]), ["@architect"]);
    assert_eq!(offered(&scenario, &["participants", "show", "sec"]), ["security"]);
    assert_eq!(offered(&scenario, &["run", "add-s", "--provider", "moc"]), ["mock"]);
    assert_eq!(offered(&scenario, &["new", "X", "--template", "deb"]), ["debate"]);
    assert_eq!(
        offered(&scenario, &["discuss", "X", "-p", "architect,sec"]),
        ["architect,security"]
    );
    assert_eq!(offered(&scenario, &["discuss", "X", "-p", "architect=moc"]), ["architect=mock"]);
    let phases = offered(&scenario, &["advance", "add-s", "--to", ""]);
    assert!(phases.contains(&"detailed_review".to_owned()), "{phases:?}");
    assert!(!phases.contains(&"opening".to_owned()), "only its own: {phases:?}");
}

#[test]
fn votes_documents_and_manual_pages() {
    let scenario = stage();
    assert_eq!(offered(&scenario, &["vote", "add-s", ""])[..3], ["READY", "CHANGES", "REJECT"]);
    assert_eq!(offered(&scenario, &["comment", "add-s", "--vote", "re"]), ["READY", "REJECT"]);
    assert_eq!(offered(&scenario, &["schema", "sea"]), ["search"]);
    assert_eq!(offered(&scenario, &["man", "sta"]), ["status", "stats"]);
    assert_eq!(offered(&scenario, &["man", "providers", "ch"]), ["check"]);
}

#[test]
fn any_case_and_the_folder_that_is_named() {
    let scenario = stage();
    assert_eq!(offered(&scenario, &["show", "ADD-S"]), ["add-search"]);
    assert_eq!(offered(&scenario, &["turn", "add-s", "@Arch"]), ["@architect"]);
    let below = scenario.file("elsewhere/discussions.yaml", "");
    below.discussions(&["-C", "elsewhere", "new", "Add nothing"]).code(0);
    assert_eq!(offered(&below, &["-C", "elsewhere", "show", "add"]), ["add-nothing"]);
    assert_eq!(offered(&below, &["show", "-Celsewhere", "add"]), ["add-nothing"]);
    assert_eq!(offered(&below, &["-C", "elsewhere", "vote", "add", "rea"]), ["READY"]);
}

#[test]
fn what_would_act_on_a_terminal_is_not_offered() {
    let text = "# T\n\n---\n\nName: Rob\n\nText.\n\n---\n";
    let scenario =
        Scenario::new().file("discussions/a\u{1b}[2J.md", text).file("discussions/ab.md", text);
    assert_eq!(offered(&scenario, &["show", "a"]), ["ab"]);
}

#[test]
#[cfg(unix)]
fn nothing_behind_a_link_out_of_the_project_is_offered_or_found() {
    let text = "# Secret plan\n\n---\n\nName: Rob\n\nText.\n\n---\n";
    let scenario =
        Scenario::new().file("../elsewhere/secret.md", text).file("discussions.yaml", "");
    std::os::unix::fs::symlink(scenario.path("../elsewhere"), scenario.path("discussions"))
        .unwrap();
    assert!(!offered(&scenario, &["show", "sec"]).contains(&"secret".to_owned()));
    scenario.discussions(&["status", "secret plan"]).code(3).stdout("");
}

#[test]
fn a_broken_configuration_offers_nothing_and_says_nothing() {
    let scenario = stage().file("discussions.yaml", "author: [\n");
    assert!(offered(&scenario, &["turn", "x", "@arch"]).is_empty());
}

#[test]
fn the_line_that_installs_it_works_in_bash() {
    let scenario = stage().on_path();
    scenario
        .discussions(&["completions", "bash"])
        .code(0)
        .stdout("source <(COMPLETE=bash discussions)\n");
    let help = scenario.discussions(&["completions", "--help"]).code(0);
    for shell in
        ["bashrc", "zshrc", "config.fish", "PROFILE"].iter().filter(|it| **it != "config.fish")
    {
        assert!(help.stdout.contains(shell), "{shell}: {}", help.stdout);
    }
    let script = r#"eval "$(discussions completions bash)"
        COMP_WORDS=(discussions show add-u); COMP_CWORD=2; COMP_TYPE=9
        complete=$(complete -p discussions | sed 's/.*-F \([^ ]*\).*/\1/')
        "$complete" discussions add-u show; printf '%s\n' "${COMPREPLY[@]}""#;
    let output = scenario.command("bash").args(["-c", script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "add-user-authentication\n", "{output:?}");
}
