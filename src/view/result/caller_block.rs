//! The block that a program which called a review pastes into its own report.

use super::review::ReviewResult;
use crate::transcript::inline;

/// The tag that finds the block in a longer report.
const TAG: &str = "[discuss]";

/// Returns the block: verdict, divergences, actions, recommendation and files, each on one line.
pub(super) fn caller_block(result: &ReviewResult) -> String {
    let about = if result.round.is_empty() { &result.artifact } else { &result.round };
    let verdict = result.verdict.as_deref().unwrap_or("none");
    let severity =
        result.severity.as_ref().map(|word| format!(" (severity={word})")).unwrap_or_default();
    let mut lines = vec![format!("{TAG} {}: {verdict}{severity}", inline(about))];
    let divergences: Vec<String> = result
        .divergences
        .iter()
        .map(|one| format!("{} {} ({})", one.severity, inline(&one.rule), inline(&one.detail)))
        .collect();
    let actions: Vec<String> = result.actions.iter().map(|action| inline(&action.text)).collect();
    let mut line = |name: &str, text: &str| {
        if !text.is_empty() {
            lines.push(format!("{name}: {text}"));
        }
    };
    line("Divergences", &divergences.join("; "));
    line("Action items", &actions.join("; "));
    line("Recommendation", result.recommendation.as_deref().unwrap_or_default());
    line("Artifact", &inline(&result.artifact));
    line("Discussion", &inline(&result.record));
    lines.join("\n")
}
