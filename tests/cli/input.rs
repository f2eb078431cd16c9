//! Unusable input: errors name the file, the place and a fix, and nothing is lost.

use std::os::unix::fs::PermissionsExt as _;

use super::scenario::Scenario;

#[test]
fn binary_latin1_folder_and_missing_files_are_errors() {
    let scenario = Scenario::new().file("empty.md", "").file("folder/a.md", "# A\n");
    scenario.write("binary.md", b"\0\x01\x02");
    scenario.write("latin.md", b"# Caf\xe9\n");
    let error = |args: &[&str]| scenario.discussions(args).code(3).into_stderr();
    insta::assert_snapshot!(error(&["comment", "binary.md", "x"]), @"error: binary.md:1:1: the file contains a NUL byte, so it is not text; remove the byte, then try again");
    scenario.discussions(&["status", "binary.md"]).code(0).says("Discussion: Untitled");
    insta::assert_snapshot!(error(&["status", "folder"]), @"error: folder: this is a folder; name a discussion in it");
    insta::assert_snapshot!(error(&["comment", "latin.md", "x"]), @"error: latin.md:1:6: the file is not UTF-8; save the file as UTF-8, then try again");
    insta::assert_snapshot!(error(&["status", "missing"]), @r"
    error: missing: no such discussion
    help: `discussions list` lists the discussions
    ");
    scenario.discussions(&["status", "latin.md"]).code(0).says("Discussion: Caf\u{fffd}");
    scenario.discussions(&["status", "empty.md"]).code(0).says("Discussion: Untitled");
    scenario.discussions(&["comment", "empty.md", "First."]).code(0);
    assert_eq!(std::fs::read(scenario.path("latin.md")).unwrap(), b"# Caf\xe9\n");
}

#[test]
#[cfg(unix)]
fn pipe_in_place_of_a_discussion_is_refused_at_once() {
    let scenario = Scenario::with_discussion();
    let pipe = scenario.path("discussions/p.md");
    assert!(scenario.command("mkfifo").arg(&pipe).status().unwrap().success());
    let refused =
        "discussions/p.md: this is not a regular file; only regular files can be read and written";
    for verb in ["show", "status", "check"] {
        let code = if verb == "check" { 1 } else { 3 };
        let run = scenario.discussions(&[verb, "discussions/p.md"]).code(code);
        assert!(run.stdout.contains("is not a regular file") || run.stderr().contains(refused));
    }
    scenario.discussions(&["comment", "discussions/p.md", "x"]).code(3).notes(refused);
    scenario.discussions(&["list"]).code(0).says("caching ").stdout_lacks("p  ");
}

#[test]
fn mistake_in_the_configuration_is_shown_with_a_fix() {
    let scenario = Scenario::new().file("discussions.yaml", "consensus:\n  threshold_raedy: 0.5\n");
    insta::assert_snapshot!(scenario.discussions(&["new", "A"]).code(3).stderr(), @r"
    error: discussions.yaml:2:3: unknown key `threshold_raedy`
      |
    2 |   threshold_raedy: 0.5
      |   ^
    help: did you mean `threshold_ready`?
    ");
    let scenario = Scenario::new()
        .file("discussions.yaml", "")
        .file("providers.yaml", "providers:\n  - {name: x, comand: y}\n");
    let run = scenario.discussions(&["new", "A", "--run", "--provider", "x"]).code(3);
    insta::assert_snapshot!(run.stderr(), @r"
    warning: the provider `x` cannot be used: providers.yaml:2:15: unknown key `comand`; did you mean `command`?
    error: the provider `x` cannot be used: providers.yaml:2:15: unknown key `comand`
      |
    2 |   - {name: x, comand: y}
      |               ^
    help: `discussions providers list` shows all
    ");
}

#[test]
fn configuration_that_is_not_utf8_is_reported_with_place() {
    let bad = b"# zo\xC3\xAB\nproviders: {} # caf\xE9\n";
    for name in ["discussions.yaml", "../config/config.yaml"] {
        let scenario = Scenario::new().file("discussions.yaml", "");
        scenario.write(name, bad);
        let error = scenario.discussions(&["list"]).code(3).into_stderr();
        assert!(error.contains(":2:20: this is not UTF-8\n"), "{error}");
        assert!(error.contains("help: save the file as UTF-8"), "{error}");
    }
    // `list` needs no provider, so it only warns.
    let scenario = Scenario::new().file("discussions.yaml", "");
    scenario.write("providers.yaml", bad);
    scenario
        .discussions(&["list"])
        .code(0)
        .notes(
            "warning: no provider of this file can be used: providers.yaml:2:20: this is not UTF-8",
        )
        .notes("; save the file as UTF-8");
}

#[test]
fn unknown_default_template_is_reported_where_it_is_set() {
    let scenario = Scenario::new()
        .file("discussions.yaml", "author: Rob\ndefault_template: featur\n")
        .file("bare.md", "# Bare\n");
    for args in [&["new", "A"][..], &["status", "bare.md"]] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(scenario.discussions(args).code(3).stderr(), @r"
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
fn discussion_with_unknown_template_can_only_be_read() {
    let scenario = Scenario::new().file("a.md", "<!-- DISCUSSION\ntemplate: featur\n-->\n\n# A\n");
    scenario.discussions(&["status", "a"]).code(0);
    scenario.discussions(&["check", "a.md"]).code(1).says("there is no template `featur`");
    scenario
        .discussions(&["turn", "a", "--provider", "mock"])
        .code(3)
        .notes("error: there is no template `featur`\nhelp: did you mean `feature`");
}

#[test]
fn file_without_permission_is_an_error() {
    let scenario = Scenario::with_discussion();
    let path = scenario.path("discussions/caching.md");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        return; // Root ignores permissions.
    }
    scenario
        .discussions(&["status", "caching"])
        .code(5)
        .notes("permission denied\nhelp: check the permissions: ls -ld discussions discussions/caching.md\n");
    scenario.discussions(&["comment", "caching", "x"]).code(5).notes("permission denied");
}

#[test]
fn participant_without_a_persona_is_awaited_as_a_person() {
    let head = "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect, archtect, rob]\n-->\n\n# H\n\n---\n";
    let scenario = Scenario::new().file("h.md", head);
    scenario.discussions(&["check", "h.md"]).code(0).says(
        "warning: the participant `archtect` is not a persona, so the discussion waits for a person; did you mean `architect`?",
    );
    scenario.discussions(&["turn", "h.md", "--provider", "mock"]).code(0).notes(
        "next: discussions comment h \"TEXT\" --as archtect    (archtect and rob to answer)",
    );
    let answers = |name: &str| scenario.read("h.md").matches(&format!("Name: {name}\n")).count();
    assert_eq!((answers("AI-Architect"), answers("rob"), answers("archtect")), (1, 0, 0));
    scenario.discussions(&["comment", "h.md", "Fine.", "--as", "Rob"]).code(0);
    scenario
        .discussions(&["turn", "h.md", "--provider", "mock"])
        .code(0)
        .notes("(archtect to answer)");
    assert_eq!(answers("AI-Architect"), 1, "nobody is asked twice in a turn");
}

#[test]
fn wrong_rules_in_a_head_are_reported_with_their_place() {
    let head = |rules: &str| {
        format!("<!-- DISCUSSION\ntemplate: feature\nconsensus: {{{rules}}}\n-->\n\n# H\n\n---\n")
    };
    let scenario = Scenario::new()
        .file("dd/a.md", &head("human_required: maybe"))
        .file("dd/b.md", &head("threshold_redy: 0.5"))
        .file("dd/c.md", "# C\n\n---\n\nName: Rob\n\nHello.\n\n---\n");
    scenario
        .discussions(&["check", "dd"])
        .code(1)
        .says("dd/a.md:3:1: error: the head's consensus rules cannot be read: invalid type")
        .says("dd/b.md:3:1: error: the head's consensus rules cannot be read: unknown key `threshold_redy`; did you mean `threshold_ready`?");
    let listed = scenario.discussions(&["list", "dd", "--json"]).code(0).json();
    assert_eq!(listed.as_array().unwrap().len(), 3);
    scenario
        .discussions(&["turn", "dd/b.md", "--provider", "mock"])
        .code(3)
        .notes("dd/b.md:3:1: the head's consensus rules cannot be read: unknown key");
}

#[test]
fn writing_commands_refuse_a_file_that_is_not_utf8() {
    let scenario = Scenario::new();
    scenario.write("n.md", b"x\xff\xfe bad\n\n---\n\nName: Rob\n\nVOTE: READY\n\n---\n");
    for args in [
        &["turn", "n.md", "--provider", "mock"][..],
        &["run", "n.md", "--provider", "mock"],
        &["advance", "n.md"],
        &["close", "n.md"],
    ] {
        scenario.discussions(args).code(3).notes("n.md:1:2: the file is not UTF-8");
    }
}

#[test]
fn comment_head_without_a_rule_is_an_error() {
    let scenario = Scenario::new()
        .file("a.md", "# T\n\nName: AI-Architect\n\nVOTE: READY\n\n---\n")
        .file("b.md", "# T\n\n---\n\nName: Rob\n\nHi.\n\n---\n\n\n\nName: Ann\n\nLost.\n")
        .file("c.md", "# T\n\n```\nName: Rob\n```\n\n---\n");
    scenario.discussions(&["check", "a.md"]).code(1).says("a.md:3:1: error: this looks like");
    scenario.discussions(&["check", "b.md"]).code(1).says("b.md:13:1: error: this looks like");
    scenario.discussions(&["check", "c.md"]).code(0);
}
