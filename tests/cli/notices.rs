//! Notices before a run: replaced templates, personas and providers, each reported once.

use super::scenario::Scenario;

/// A program that answers `Fine.`.
const PANEL: &str = "#!/bin/sh\necho 'Fine.'\n";

fn project_with_panel(config: &str) -> Scenario {
    Scenario::with_discussion()
        .program("panel", PANEL)
        .file("discussions.yaml", config)
        .file("providers.yaml", "providers:\n  - {name: panel, command: panel --quick}\n")
}

#[test]
fn own_provider_command_causes_no_trust_message() {
    let scenario = Scenario::with_discussion().program("panel", PANEL);
    scenario.write(
        "../config/providers.yaml",
        b"providers:\n  - {name: panel, command: panel --quick}\n",
    );
    let turn = scenario.discussions(&["turn", "caching", "--provider", "panel"]).code(0);
    assert!(!turn.stderr().contains("trust"), "{}", turn.stderr());
}

#[test]
fn missing_default_provider_is_reported_once() {
    let scenario = project_with_panel("providers: {default: codex, fallback: [panel]}\n");
    let warning = "warning: using panel instead of codex: `codex` is not on PATH; install it with";
    let turn = scenario.discussions(&["turn", "caching"]).code(0);
    assert_eq!(turn.stderr().matches(warning).count(), 1, "{}", turn.stderr());
    let named = scenario.discussions(&["turn", "caching", "--provider", "codex"]).code(0);
    assert_eq!(named.stderr().matches(warning).count(), 1, "{}", named.stderr());
    let dry = scenario.discussions(&["turn", "caching", "--dry-run"]).code(0);
    assert_eq!(dry.stderr().matches(warning).count(), 1, "{}", dry.stderr());
    let fine = scenario.discussions(&["turn", "caching", "--provider", "panel"]).code(0);
    assert!(!fine.stderr().contains("cannot be asked"), "{}", fine.stderr());
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn replaced_bundled_template_or_persona_is_noted_once() {
        let bundled = Scenario::new();
        let template = bundled.discussions(&["templates", "show", "feature"]).code(0).stdout;
        let persona = bundled.discussions(&["participants", "show", "architect"]).code(0).stdout;
        let scenario = Scenario::new()
            .file("discussions.yaml", "")
            .file("templates/feature.md", &template)
            .file("templates/own.md", &template.replace("id: feature", "id: own"))
            .file("participants/architect.yaml", &persona);
        let notes = "note: this project's template `feature` (templates/feature.md) replaces the bundled one\n\
                 note: this project's persona `architect` (participants/architect.yaml) replaces the bundled one\n";
        for args in [
            &["new", "A"][..],
            &["new", "B", "--run", "--provider", "mock"],
            &["turn", "a", "--provider", "mock"],
            &["run", "a", "--provider", "mock"],
            &["discuss", "C", "--pattern", "feature", "--provider", "mock"],
        ] {
            let stderr = scenario.discussions(args).into_stderr();
            assert_eq!(stderr.matches(notes).count(), 1, "{args:?}: {stderr}");
        }
        let other = scenario.discussions(&["new", "D", "-t", "own", "-p", "security"]).code(0);
        assert!(!other.stderr().contains("in place of"), "{}", other.stderr());
        scenario.discussions(&["templates", "list"]).says("templates/feature.md");
        scenario.discussions(&["participants", "list"]).says("participants/architect.yaml");
    }
}
