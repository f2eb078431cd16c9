//! Trust: project-defined commands run only after the user trusts them.

mod kept;
mod question;

use super::scenario::{Run, Scenario};

/// A program that appends its arguments to the file `$RAN`.
const PANEL: &str = "#!/bin/sh\necho \"$0 $*\" >> \"$RAN\"\necho 'Fine.'\n";

const OWN: &str = "providers:\n  - {name: panel, command: panel --quick, env: {HELLO: world}}\n";

const REFUSED: &str = "error: `panel` is defined by this project (providers.yaml:2), and you have not trusted it yet \
                       (DISCUSSION_NOT_TRUSTED)\nhelp: to review and trust it: `discussions trust`; to use another provider: --provider\n";

/// A cloned project that defines a provider and uses it by default.
fn cloned_project() -> Scenario {
    let scenario = Scenario::with_discussion()
        .distrusting()
        .program("panel", PANEL)
        .file("brief.md", "# Brief\n\nText.\n")
        .file("discussions.yaml", "providers: {default: panel}\n")
        .file("providers.yaml", OWN);
    let ran = scenario.path("../ran");
    scenario.env("RAN", ran.to_str().unwrap())
}

fn was_run(scenario: &Scenario) -> bool {
    scenario.path("../ran").exists()
}

fn turn_of_architect(scenario: &Scenario) -> Run {
    scenario.discussions(&["turn", "caching", "@architect"])
}

/// Returns the names of the files in the discussions folder that are not hidden.
fn discussions_in(scenario: &Scenario) -> Vec<String> {
    let folder = std::fs::read_dir(scenario.path("discussions")).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

#[test]
fn new_file_is_removed_if_trust_cannot_be_stored() {
    let scenario = cloned_project().env("DISCUSSIONS_STATE_DIR", ".state");
    for args in [
        &["new", "Other", "--run"][..],
        &["discuss", "Which?", "--pattern", "voting"],
        &["review", "brief.md"],
    ] {
        let run = scenario.discussions(args).code(3);
        assert!(run.stderr().contains("in the project itself"), "{args:?}: {}", run.stderr());
        assert_eq!(discussions_in(&scenario), ["caching.md"], "{args:?}");
    }
    scenario
        .discussions(&["new", "Other", "--run"])
        .code(3)
        .notes("Removed: discussions/other.md\n");
}

#[test]
fn environment_can_trust_all_with_a_note() {
    let scenario = cloned_project().env("DISCUSSIONS_TRUST", "all");
    let note = "note: this project defines panel (providers.yaml:2), and DISCUSSIONS_TRUST=all trusts it\n";
    let first = turn_of_architect(&scenario).code(0);
    assert_eq!(first.stderr().matches(note).count(), 1, "{}", first.stderr());
    assert!(first.stderr().find(note) < first.stderr().find(" · turn 1"), "{}", first.stderr());
    let mock = scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    assert!(!mock.stderr().contains("trust"), "{}", mock.stderr());
    assert!(!scenario.path("../home/.local").exists(), "nothing is remembered");
    for other in ["1", "ALL", "yes"] {
        turn_of_architect(&cloned_project().env("DISCUSSIONS_TRUST", other)).code(3).notes(
            &format!(
                "warning: ignoring DISCUSSIONS_TRUST={other}: the only valid value is `all`\n"
            ),
        );
    }
}

#[test]
fn untrusted_fallback_is_skipped_with_a_note() {
    let scenario = cloned_project()
        .program("claude", "#!/bin/sh\necho 'Please run /login' >&2\nexit 1\n")
        .file("discussions.yaml", "providers: {default: claude-haiku, fallback: [panel]}\n");
    let note = "note: panel is not used as a fallback: this project defines it (providers.yaml:2), and you do not trust it; to review it: `discussions trust`\n";
    let failed = scenario
        .discussions(&["turn", "caching", "@architect", "--provider", "claude-haiku"])
        .code(4);
    assert_eq!(failed.stderr().matches(note).count(), 1, "{}", failed.stderr());
    assert!(!was_run(&scenario));
    scenario.discussions(&["trust", "--yes"]).code(0);
    scenario.discussions(&["turn", "caching", "@architect", "--provider", "claude-haiku"]).code(0);
    assert!(was_run(&scenario));
}

#[test]
fn provider_cannot_be_named_mock() {
    let text = "providers:\n  - {name: fine, command: panel}\n  - {name: mock, command: panel}\n";
    let wanted = ":3:5: `mock` is reserved for made-up answers; give this provider another name";
    let project = cloned_project().file("providers.yaml", text);
    project
        .discussions(&["turn", "caching", "--provider", "mock"])
        .code(0)
        .notes(wanted)
        .notes("I read “Caching” twice");
    assert!(!was_run(&project));
    let user = Scenario::with_discussion();
    user.write("../config/providers.yaml", text.as_bytes());
    user.discussions(&["providers", "list"]).code(0).notes(wanted);
    user.discussions(&["list"]).code(0).notes(wanted);
}

#[test]
fn ping_skips_untrusted_providers() {
    let scenario = cloned_project().alone();
    let ping = scenario.discussions(&["providers", "check", "--ping"]).code(0);
    let line = ping.stdout.lines().find(|line| line.starts_with("panel ")).unwrap();
    assert!(line.contains(UNTRUSTED), "{line}");
    assert!(!was_run(&scenario));
}

/// What `doctor` says about a provider of the project.
const UNTRUSTED: &str = "untrusted  this project defines it in providers.yaml:2, and you do not trust it; \
                         `discussions trust` shows it and asks you";

#[test]
fn providers_check_shows_untrusted_providers() {
    let scenario = cloned_project().alone();
    let check = scenario.discussions(&["providers", "check"]).code(3);
    let line = check.stdout.lines().find(|line| line.starts_with("panel ")).unwrap();
    assert!(line.contains(UNTRUSTED), "{line}");
    scenario.discussions(&["providers", "check", "panel"]).code(4).says(UNTRUSTED);
    let json = scenario.discussions(&["providers", "check", "panel", "--json"]).code(4).json();
    assert_eq!(json[0]["state"], "untrusted", "{json}");
    assert!(!was_run(&scenario));
    let trusting = scenario.env("DISCUSSIONS_TRUST", "all");
    trusting.discussions(&["providers", "check", "panel"]).code(0).says("unknown");
}

#[test]
fn mentioned_persona_with_untrusted_provider_is_refused() {
    let claude = r#"#!/bin/sh
printf '{"is_error":false,"result":"Ask @dba?","usage":{"input_tokens":1,"output_tokens":1}}'
"#;
    let persona = "name: AI-DBA\nalias: dba\npersonality: Knows.\nprovider_hint: panel\n";
    let scenario = cloned_project()
        .program("claude", claude)
        .file("discussions.yaml", "")
        .file("participants/dba.yaml", persona);
    let run =
        scenario.discussions(&["run", "caching"]).code(3).notes("✓ AI-Architect  claude-sonnet  ");
    assert!(run.stderr().ends_with(REFUSED), "{}", run.stderr());
    assert!(
        scenario.read("discussions/caching.md").contains("Ask @dba?"),
        "what was answered stays"
    );
    assert!(!was_run(&scenario));
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn reading_commands_need_no_trust() {
        let scenario = cloned_project();
        for args in [
            &["list"][..],
            &["status", "caching"],
            &["show", "caching"],
            &["check"],
            &["providers", "list"],
            &["providers", "check"],
            &["templates", "list"],
            &["participants", "list"],
            &["turn", "caching", "--dry-run"],
            &["completions", "bash"],
            &["comment", "caching", "A remark."],
            &["turn", "caching", "--provider", "mock"],
            &["trust", "--list"],
        ] {
            // The doctor's only provider is one that waits for trust.
            let is_doctor = args.starts_with(&["providers", "check"]);
            let run = scenario.discussions(args).code(if is_doctor { 3 } else { 0 });
            assert!(is_doctor || !run.stderr().contains("trust"), "{args:?}: {}", run.stderr());
        }
        assert!(!was_run(&scenario));
        let list = scenario.discussions(&["providers", "list"]).stdout;
        assert_eq!(list.matches("providers.yaml (not trusted)").count(), 1, "{list}");
        assert_eq!(list.matches("(not trusted)").count(), 1, "{list}");
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn untrusted_command_is_refused_before_any_write() {
        let scenario = cloned_project();
        let before = scenario.read("discussions/caching.md");
        for args in [
            &["turn", "caching"][..],
            &["run", "caching"],
            &["turn", "caching", "--provider", "panel"],
            &["new", "Other", "--run"],
            &["discuss", "Which?", "--pattern", "voting"],
            &["review", "brief.md"],
        ] {
            let run = scenario.discussions(args).code(3);
            assert!(run.stderr().ends_with(REFUSED), "{args:?}: {}", run.stderr());
            assert!(!run.stderr().contains(" · turn "), "{args:?}: {}", run.stderr());
        }
        let json = scenario.discussions(&["discuss", "Which?", "--json"]).code(3).json();
        assert_eq!(json["error"]["code"], "DISCUSSION_NOT_TRUSTED");
        assert_eq!(json["error"]["retryable"], false);
        assert_eq!(scenario.read("discussions/caching.md"), before);
        assert_eq!(
            discussions_in(&scenario),
            ["caching.md"],
            "what was made for the run is taken back"
        );
        assert!(!was_run(&scenario));
    }
}
