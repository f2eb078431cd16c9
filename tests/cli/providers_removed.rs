//! `discussions providers remove`.

use super::Scenario;

#[test]
fn own_provider_is_removed_and_nothing_else() {
    let text = "# Mine.\nproviders:\n  # At home.\n  - name: a\n    command: cat\n\n  - name: claude\n    command: cat\n";
    let scenario = Scenario::new().file("../config/providers.yaml", text);
    scenario.discussions(&["providers", "remove", "a"]).code(0).says("Removed a: ");
    let left = "# Mine.\nproviders:\n  # At home.\n\n  - name: claude\n    command: cat\n";
    assert_eq!(scenario.read("../config/providers.yaml"), left);
    scenario.discussions(&["providers", "remove", "a"]).code(3).notes("there is no provider `a`");
    scenario.discussions(&["providers", "remove", "claude"]).code(0);
    let refused = scenario.discussions(&["providers", "remove", "claude"]).code(3);
    refused.notes("`claude-sonnet` is built in, so it cannot be removed");
    let project = scenario
        .file("discussions.yaml", "")
        .file("providers.yaml", "providers:\n  - {name: ours, command: cat}\n");
    let refused = project.discussions(&["providers", "remove", "ours"]).code(3);
    refused.notes("`ours` is defined by this project, in providers.yaml; remove it there");
    let json = project.discussions(&["providers", "remove", "ours", "--json"]).code(3).json();
    assert_eq!(json["error"]["code"], "DISCUSSION_INVALID_INPUT");
}
