//! Nothing that a project brings along is run before the user agreed to it.

mod kept;
mod question;

use super::scenario::{Run, Scenario};

/// Leaves a mark when it is run, with what it was given.
const PANEL: &str = "#!/bin/sh\necho \"$0 $*\" >> \"$RAN\"\necho 'Fine.'\n";

const OWN: &str = "providers:\n  - {name: panel, command: panel --quick, env: {HELLO: world}}\n";

const REFUSED: &str = "error: `panel` is defined by this project (providers.yaml:2), and you have not trusted it yet \
                       (DISCUSSION_NOT_TRUSTED)\nhelp: to review and trust it: `discussions trust`; to use another provider: --provider\n";

/// A cloned project with a command of its own, which is its default.
fn cloned() -> Scenario {
    let scenario = Scenario::with_discussion()
        .distrusting()
        .program("panel", PANEL)
        .file("brief.md", "# Brief\n\nText.\n")
        .file("discussions.yaml", "providers: {default: panel}\n")
        .file("providers.yaml", OWN);
    let ran = scenario.path("../ran");
    scenario.env("RAN", ran.to_str().unwrap())
}

fn ran(scenario: &Scenario) -> bool {
    scenario.path("../ran").exists()
}

fn turn(scenario: &Scenario) -> Run {
    scenario.discussions(&["turn", "caching", "@architect"])
}

#[test]
fn without_a_terminal_it_is_refused_before_anything_is_written() {
    let scenario = cloned();
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
        assert!(run.stderr.ends_with(REFUSED), "{args:?}: {}", run.stderr);
        assert!(!run.stderr.contains(" · turn "), "{args:?}: {}", run.stderr);
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
    assert!(!ran(&scenario));
}

/// The files in the folder of discussions that are not hidden.
fn discussions_in(scenario: &Scenario) -> Vec<String> {
    let folder = std::fs::read_dir(scenario.path("discussions")).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

#[test]
fn what_was_made_for_a_run_is_taken_back_where_consents_cannot_be_believed() {
    let scenario = cloned().env("DISCUSSIONS_STATE_DIR", ".state");
    for args in [
        &["new", "Other", "--run"][..],
        &["discuss", "Which?", "--pattern", "voting"],
        &["review", "brief.md"],
    ] {
        let run = scenario.discussions(args).code(3);
        assert!(run.stderr.contains("in the project itself"), "{args:?}: {}", run.stderr);
        assert_eq!(discussions_in(&scenario), ["caching.md"], "{args:?}");
    }
    scenario.discussions(&["new", "Other", "--run"]).notes("Removed: discussions/other.md\n");
}

#[test]
fn looking_needs_no_trust_and_runs_nothing() {
    let scenario = cloned();
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
        let run = scenario.discussions(args).code(0);
        assert!(!run.stderr.contains("trust"), "{args:?}: {}", run.stderr);
    }
    assert!(!ran(&scenario));
    let list = scenario.discussions(&["providers", "list"]).stdout;
    assert_eq!(list.matches("providers.yaml (not trusted)").count(), 1, "{list}");
    assert_eq!(list.matches("(not trusted)").count(), 1, "{list}");
}

#[test]
fn the_environment_may_trust_all_and_it_is_said() {
    let scenario = cloned().env("DISCUSSIONS_TRUST", "all");
    let note = "note: this project defines panel (providers.yaml:2), and DISCUSSIONS_TRUST=all trusts it\n";
    let first = turn(&scenario).code(0);
    assert_eq!(first.stderr.matches(note).count(), 1, "{}", first.stderr);
    assert!(first.stderr.find(note) < first.stderr.find(" · turn 1"), "{}", first.stderr);
    let mock = scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    assert!(!mock.stderr.contains("trust"), "{}", mock.stderr);
    assert!(!scenario.path("../home/.local").exists(), "nothing is remembered");
    for other in ["1", "ALL", "yes"] {
        turn(&cloned().env("DISCUSSIONS_TRUST", other)).code(3).notes(&format!(
            "warning: ignoring DISCUSSIONS_TRUST={other}: the only valid value is `all`\n"
        ));
    }
}

#[test]
fn a_fallback_that_is_not_trusted_is_left_out_and_that_is_said() {
    let scenario = cloned()
        .program("claude", "#!/bin/sh\nexit 1\n")
        .file("discussions.yaml", "providers: {default: claude-haiku, fallback: [panel]}\n");
    let note = "note: panel is not used as a fallback: this project defines it (providers.yaml:2), and you do not trust it; to review it: `discussions trust`\n";
    let failed = scenario
        .discussions(&["turn", "caching", "@architect", "--provider", "claude-haiku"])
        .code(4);
    assert_eq!(failed.stderr.matches(note).count(), 1, "{}", failed.stderr);
    assert!(!ran(&scenario));
    scenario.discussions(&["trust", "--yes"]).code(0);
    scenario.discussions(&["turn", "caching", "@architect", "--provider", "claude-haiku"]).code(0);
    assert!(ran(&scenario));
}

#[test]
fn made_up_answers_are_nobody_elses() {
    let text = "providers:\n  - {name: fine, command: panel}\n  - {name: mock, command: panel}\n";
    let wanted = ":3:5: `mock` is reserved for made-up answers; give this provider another name";
    let project = cloned().file("providers.yaml", text);
    project
        .discussions(&["turn", "caching", "--provider", "mock"])
        .code(0)
        .notes(wanted)
        .notes("I read it twice");
    assert!(!ran(&project));
    let user = Scenario::with_discussion();
    user.write("../config/providers.yaml", text.as_bytes());
    user.discussions(&["providers", "list"]).code(0).notes(wanted);
    user.discussions(&["list"]).code(0).notes(wanted);
}

#[test]
fn a_ping_passes_over_what_is_not_trusted() {
    let scenario = cloned().alone();
    let ping = scenario.discussions(&["providers", "check", "--ping"]).code(0);
    let line = ping.stdout.lines().find(|line| line.starts_with("panel ")).unwrap();
    assert!(line.contains("not trusted  to review and trust it: `discussions trust`"), "{line}");
    assert!(!ran(&scenario));
}

#[test]
fn a_check_says_what_is_not_trusted() {
    let scenario = cloned().alone();
    let check = scenario.discussions(&["providers", "check"]).code(0);
    let line = check.stdout.lines().find(|line| line.starts_with("panel ")).unwrap();
    assert!(line.contains("not trusted  to review and trust it: `discussions trust`"), "{line}");
    scenario.discussions(&["providers", "check", "panel"]).code(4).says("not trusted");
    let json = scenario.discussions(&["providers", "check", "panel", "--json"]).code(4).json();
    assert_eq!(json[0]["state"], "notTrusted", "{json}");
    assert!(!ran(&scenario));
    let trusting = scenario.env("DISCUSSIONS_TRUST", "all");
    trusting.discussions(&["providers", "check", "panel"]).code(0).says("ready");
}

#[test]
fn whom_an_answer_calls_in_is_refused_then() {
    let claude = r#"#!/bin/sh
printf '{"is_error":false,"result":"Ask @dba?","usage":{"input_tokens":1,"output_tokens":1}}'
"#;
    let persona = "name: AI-DBA\nalias: dba\npersonality: Knows.\nprovider_hint: panel\n";
    let scenario = cloned()
        .program("claude", claude)
        .file("discussions.yaml", "")
        .file("participants/dba.yaml", persona);
    let run =
        scenario.discussions(&["run", "caching"]).code(3).notes("✓ AI-Architect  claude-sonnet  ");
    assert!(run.stderr.ends_with(REFUSED), "{}", run.stderr);
    assert!(
        scenario.read("discussions/caching.md").contains("Ask @dba?"),
        "what was answered stays"
    );
    assert!(!ran(&scenario));
}
