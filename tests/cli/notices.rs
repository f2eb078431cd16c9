//! What is said once, before it happens: whose commands are run, and who is missing.

use super::scenario::Scenario;

/// Says so when it is run.
const PANEL: &str = "#!/bin/sh\necho 'Fine.'\n";

const OWN: &str = "note: panel is this project's own command: panel --quick (providers.yaml)\n";

fn own(config: &str) -> Scenario {
    Scenario::with_discussion()
        .program("panel", PANEL)
        .file("discussions.yaml", config)
        .file("providers.yaml", "providers:\n  - {name: panel, command: panel --quick}\n")
}

#[test]
fn a_projects_own_command_is_told_once_before_it_runs() {
    let scenario = own("providers: {default: panel}\n").file("brief.md", "# Brief\n\nText.\n");
    for args in [
        &["turn", "caching"][..],
        &["run", "caching"],
        &["new", "Other", "--run"],
        &["discuss", "Which?", "--pattern", "voting"],
        &["review", "brief.md"],
    ] {
        let stderr = scenario.discussions(args).stderr;
        let notes: Vec<usize> = stderr.match_indices(OWN).map(|(at, _)| at).collect();
        assert_eq!(notes.len(), 1, "{args:?}: {stderr}");
        assert!(notes[0] < stderr.find("Invoking").unwrap(), "{args:?}: {stderr}");
    }
    let mock = scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    assert!(!mock.stderr.contains("own command"), "{}", mock.stderr);
}

#[test]
fn a_fallback_of_the_project_is_told_too() {
    let scenario = own("providers: {fallback: [panel]}\n");
    scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0).notes(OWN);
}

#[test]
fn nobody_is_told_of_their_own_commands() {
    let scenario = Scenario::with_discussion().program("panel", PANEL);
    scenario.write(
        "../config/providers.yaml",
        b"providers:\n  - {name: panel, command: panel --quick}\n",
    );
    let turn = scenario.discussions(&["turn", "caching", "--provider", "panel"]).code(0);
    assert!(!turn.stderr.contains("own command"), "{}", turn.stderr);
}

#[test]
fn a_default_that_is_not_installed_is_told_once() {
    let scenario = own("providers: {default: codex, fallback: [panel]}\n");
    let warning =
        "warning: codex cannot be asked, panel is instead: `codex` is not on PATH; install it with";
    let turn = scenario.discussions(&["turn", "caching"]).code(0);
    assert_eq!(turn.stderr.matches(warning).count(), 1, "{}", turn.stderr);
    let named = scenario.discussions(&["turn", "caching", "--provider", "codex"]).code(0);
    assert_eq!(named.stderr.matches(warning).count(), 1, "{}", named.stderr);
    let dry = scenario.discussions(&["turn", "caching", "--dry-run"]).code(0);
    assert_eq!(dry.stderr.matches(warning).count(), 1, "{}", dry.stderr);
    let fine = scenario.discussions(&["turn", "caching", "--provider", "panel"]).code(0);
    assert!(!fine.stderr.contains("cannot be asked"), "{}", fine.stderr);
}
