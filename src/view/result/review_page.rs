//! A review's result as a block of Markdown: the verdict first, then the ratings and findings behind it.

use std::fmt::Display;

use super::review::{QuotedFinding, ReviewResult};
use crate::transcript::inline;
use crate::view::reason::first_sentence;

/// Returns the verdict block, line by line.
pub(super) fn lines(result: &ReviewResult) -> Vec<String> {
    let about = if result.round.is_empty() { &result.artifact } else { &result.round };
    let mut lines = vec![format!("## Discuss Verdict: {}", inline(about)), String::new()];
    match (&result.verdict, &result.error) {
        (Some(verdict), _) => lines.push(format!("Verdict: {}", in_words(verdict))),
        (None, Some(error)) => {
            lines.push(format!("Verdict: none ({}): {}", error.code, inline(&error.message)));
        }
        (None, None) => lines.push("Verdict: none".to_owned()),
    }
    if let Some(severity) = &result.severity {
        lines.push(format!("Severity: {severity}"));
    }
    if let Some(average) = result.average_rating {
        lines.push(format!("Average Rating: {average:.1}/5"));
    }
    if let Some(recommendation) = &result.recommendation {
        lines.push(format!("Recommendation: {}", in_words(recommendation)));
    }
    if !result.round.is_empty() {
        lines.push(format!("Artifact: {}", inline(&result.artifact)));
    }
    if result.partial {
        let missing = if result.findings.is_some() { "answer" } else { "rating" };
        lines.push(format!("PARTIAL: no {missing} from {}", result.failed.join(", ")));
    }
    section(&mut lines, "Ratings", ratings(result));
    let shared = |text: &str, by: &dyn Display| format!("- {} ({by})", inline(text));
    section(
        &mut lines,
        "Strengths",
        result.strengths.iter().map(|one| shared(&one.text, &one.perspective)).collect(),
    );
    let weaknesses = result.weaknesses.iter().map(|one| {
        let grave = one.severity.as_ref().map(|level| format!(", {level}")).unwrap_or_default();
        format!("- {} ({}{grave})", inline(&one.text), one.perspective)
    });
    section(&mut lines, "Weaknesses", weaknesses.collect());
    section(
        &mut lines,
        "Convergent Themes",
        result.themes.iter().map(|one| shared(&one.text, &one.by.join(", "))).collect(),
    );
    let divergences = result.divergences.iter().map(|one| {
        format!("- {} {}: {} ({})", one.severity, one.rule, inline(&one.detail), one.by.join(", "))
    });
    section(&mut lines, "Divergence Summary", divergences.collect());
    let opposed = result.opposed.iter().map(|one| {
        let side = |at: usize| one.by.get(at).map_or("", String::as_str);
        let (first, second) = (inline(&one.one), inline(&one.other));
        format!("- {}: {first}; but {}: {second}", side(0), side(1))
    });
    section(&mut lines, "Divergent Views", opposed.collect());
    section(
        &mut lines,
        "Missing Requirements",
        result.missing_requirements.iter().map(|one| shared(&one.text, &one.perspective)).collect(),
    );
    let mut actions: Vec<String> = result
        .actions
        .iter()
        .enumerate()
        .map(|(index, one)| {
            let priority =
                one.priority.as_ref().map(|level| format!(", {level}")).unwrap_or_default();
            format!("{}. {} ({}{priority})", index + 1, inline(&one.text), one.perspective)
        })
        .collect();
    if let Some(findings) = &result.findings {
        let found = findings.iter().flat_map(finding).collect::<Vec<_>>();
        let none = vec!["none".to_owned()];
        section(&mut lines, "Findings", if found.is_empty() { none } else { found });
    } else if actions.is_empty() {
        actions.push("none".to_owned());
    }
    section(&mut lines, "Action Items", actions);
    let record = if result.record.is_empty() { "not written" } else { &result.record };
    lines.extend([String::new(), format!("Discussion Record: {record}")]);
    lines
}

/// Returns a stable word in a form for people; programs find the word itself in the document.
fn in_words(word: &str) -> String {
    word.replace(['_', '-'], " ")
}

fn section(lines: &mut Vec<String>, title: &str, items: Vec<String>) {
    if !items.is_empty() {
        lines.extend([String::new(), format!("{title}:")]);
        lines.extend(items);
    }
}

/// Returns the lines of a finding.
fn finding(one: &QuotedFinding) -> [String; 3] {
    let state = if one.founded { "" } else { ", not in the text" };
    let instead =
        if one.instead.is_empty() { "remove it".to_owned() } else { inline(&one.instead) };
    [
        format!("{}. \"{}\" ({}{state})", one.number, inline(&one.quote), one.by),
        format!("   Proof: {}", inline(&one.proof)),
        format!("   Instead: {instead}"),
    ]
}

/// Returns a line for each perspective, with its most serious finding.
fn ratings(result: &ReviewResult) -> Vec<String> {
    let line = |(who, rating): (&String, &serde_json::Number)| {
        let risk = result.risks.get(who).map(|risk| format!(", risk {risk}")).unwrap_or_default();
        let key =
            result.key_finding(who).map(|text| format!(": {}", inline(&first_sentence(text))));
        format!("- {who} {rating}/5{risk}{}", key.unwrap_or_default())
    };
    result.ratings.iter().map(line).collect()
}
