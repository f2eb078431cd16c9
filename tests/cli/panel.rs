//! A model program whose answers come from environment variables, and which logs its calls.

use super::scenario::Scenario;

/// After its first line, the program prints `ANSWER_<alias>`, or else `ANSWER`; the value `fail` makes it fail.
const PANEL: &str = r#"#!/bin/sh
cat > /dev/null
echo "$DISCUSSIONS_PARTICIPANT $DISCUSSIONS_PHASE" >> "$CALLS"
key=ANSWER_$(printf %s "$DISCUSSIONS_PHASE" | tr - _)_$(printf %s "$DISCUSSIONS_PARTICIPANT" | tr - _)
eval "said=\${$key-}"
[ -n "$said" ] || eval "said=\${ANSWER_$(printf %s "$DISCUSSIONS_PARTICIPANT" | tr - _)-}"
[ -n "$said" ] || eval "said=\${ANSWER_$(printf %s "$DISCUSSIONS_PHASE" | tr - _)-}"
[ -n "$said" ] || said=${ANSWER-}
[ "$said" != fail ] || { echo "no quota" >&2; exit 1; }
printf '%b' "I am $DISCUSSIONS_PARTICIPANT in $DISCUSSIONS_PHASE.\n\n$said"
"#;

/// Returns a scenario with the provider `panel` as the default.
pub(crate) fn panel() -> Scenario {
    let scenario = Scenario::new()
        .program("panel", PANEL)
        .file(
            "discussions.yaml",
            "providers: {default: panel}\nconsensus: {human_required: false}\n",
        )
        .file("providers.yaml", "providers:\n  - {name: panel, command: panel, retries: 0}\n");
    let calls = scenario.path("calls.log");
    scenario.env("CALLS", calls.to_str().unwrap())
}

/// Returns the calls in their order, each as participant and phase.
pub(crate) fn calls(scenario: &Scenario) -> Vec<String> {
    scenario.read("calls.log").lines().map(str::to_owned).collect()
}
