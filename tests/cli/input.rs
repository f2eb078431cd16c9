//! Input that cannot be used: what, where, how to mend it, and nothing lost.

use std::os::unix::fs::PermissionsExt as _;

use super::scenario::Scenario;

#[test]
fn files_of_the_wrong_kind() {
    let scenario = Scenario::new().file("empty.md", "").file("folder/a.md", "# A\n");
    scenario.write("binary.md", b"\0\x01\x02");
    scenario.write("latin.md", b"# Caf\xe9\n");
    let error = |args: &[&str]| scenario.discussions(args).code(3).stderr;
    insta::assert_snapshot!(error(&["status", "binary.md"]), @"error: binary.md: is not a text file: it holds NUL bytes");
    insta::assert_snapshot!(error(&["status", "folder"]), @"error: folder: is a folder; name a discussion in it");
    insta::assert_snapshot!(error(&["comment", "latin.md", "x"]), @"error: latin.md: is not UTF-8; save the file as UTF-8, then write again");
    insta::assert_snapshot!(error(&["status", "missing"]), @r"
    error: missing: no such discussion
    help: `discussions list` shows what there is
    ");
    scenario.discussions(&["status", "latin.md"]).code(0).says("Discussion: Caf\u{fffd}");
    scenario.discussions(&["status", "empty.md"]).code(0).says("Discussion: Untitled");
    scenario.discussions(&["comment", "empty.md", "First."]).code(0);
    assert_eq!(std::fs::read(scenario.path("latin.md")).unwrap(), b"# Caf\xe9\n");
}

#[test]
fn configuration_with_a_mistake() {
    let scenario = Scenario::new().file("discussions.yaml", "consensus:\n  threshold_raedy: 0.5\n");
    insta::assert_snapshot!(scenario.discussions(&["new", "A"]).code(3).stderr, @r"
    error: discussions.yaml:2:3: unknown key `threshold_raedy`
      |
    2 |   threshold_raedy: 0.5
      |   ^
    help: did you mean `threshold_ready`?
    ");
    let scenario = Scenario::new()
        .file("discussions.yaml", "")
        .file("providers.yaml", "providers:\n  - {name: x, comand: y}\n");
    insta::assert_snapshot!(scenario.discussions(&["new", "A"]).code(3).stderr, @r"
    error: providers.yaml:2:15: unknown key `comand`
      |
    2 |   - {name: x, comand: y}
      |               ^
    help: did you mean `command`?
    ");
}

#[test]
fn configuration_that_is_not_utf8_is_told_with_the_first_wrong_byte() {
    let bad = b"# zo\xC3\xAB\nproviders: {} # caf\xE9\n";
    for name in ["discussions.yaml", "providers.yaml", "../config/config.yaml"] {
        let scenario = Scenario::new().file("discussions.yaml", "");
        scenario.write(name, bad);
        let error = scenario.discussions(&["list"]).code(3).stderr;
        assert!(error.contains(":2:20: this is not UTF-8\n"), "{error}");
        assert!(error.contains("help: save the file as UTF-8"), "{error}");
    }
}

#[test]
fn a_default_template_that_is_none_is_told_where_it_is_set() {
    let scenario = Scenario::new()
        .file("discussions.yaml", "author: Rob\ndefault_template: featur\n")
        .file("bare.md", "# Bare\n");
    for args in [&["new", "A"][..], &["status", "bare"]] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(scenario.discussions(args).code(3).stderr, @r"
            error: discussions.yaml:2:19: there is no template `featur`
              |
            2 | default_template: featur
              |                   ^
            help: did you mean `feature`?
            ");
        }
    }
    scenario
        .discussions(&["new", "A", "--template", "nope"])
        .code(3)
        .notes("error: there is no template `nope`");
}

#[test]
fn a_head_whose_template_is_gone_can_be_read_but_not_gone_on_with() {
    let scenario = Scenario::new().file("a.md", "<!-- DISCUSSION\ntemplate: featur\n-->\n\n# A\n");
    scenario.discussions(&["status", "a"]).code(0);
    scenario.discussions(&["check", "a.md"]).code(1).says("there is no template `featur`");
    scenario
        .discussions(&["turn", "a", "--provider", "mock"])
        .code(3)
        .notes("error: there is no template `featur`\nhelp: did you mean `feature`");
}

#[test]
fn a_file_that_may_not_be_written() {
    let scenario = Scenario::with_discussion();
    let path = scenario.path("discussions/caching.md");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        return; // Whoever may do everything cannot be refused.
    }
    scenario
        .discussions(&["status", "caching"])
        .code(5)
        .notes("permission denied\nhelp: see who may read and write there: ls -ld discussions discussions/caching.md\n");
    scenario.discussions(&["comment", "caching", "x"]).code(5).notes("permission denied");
}
