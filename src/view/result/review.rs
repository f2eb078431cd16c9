//! The result of a review: the verdict that its template computes, as a document for programs, and
//! as a Markdown page with the verdict first, then the ratings and findings behind it.

use std::fmt::Display;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Number, Value};

use super::caller_block::caller_block;
use super::compute::Builder;
use super::discussion::FinalOutcome;
use super::place::Patch;
use super::text_review::TextFinding;
use crate::codes::{ResultError, StopCode};
use crate::engine::{FindingState, Snapshot, SnapshotError, first_sentence};
use crate::transcript::{UnshownFile, decode, inline};
use crate::view::status::Cost;

/// A difference between perspectives, or between a perspective and the expectation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Divergence {
    /// HIGH, MEDIUM or LOW.
    pub severity: String,
    /// The rule that found it.
    pub rule: String,
    /// The difference.
    pub detail: String,
    /// The perspectives with the findings behind it.
    pub by: Vec<String>,
}

/// A requirement that is not met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Missing {
    /// The requirement.
    pub text: String,
    /// The perspectives that miss it, separated by commas.
    pub perspective: String,
}

/// A suggested action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// The action.
    pub text: String,
    /// The perspectives that suggest it, separated by commas.
    pub perspective: String,
    /// The priority, if stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// The file that it is about: its text says `path:line`, or words that it quotes are in a diff of the material.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in the new version of this file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_line: Option<usize>,
}

/// A strength or weakness from one perspective.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The strength or weakness.
    pub text: String,
    /// The perspective.
    pub perspective: String,
    /// The severity, if stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
    /// The file that it is about: its text says `path:line`, or words that it quotes are in a diff of the material.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in the new version of this file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_line: Option<usize>,
}

/// A theme that several perspectives share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Theme {
    /// The theme, in the words of the first perspective.
    pub text: String,
    /// The perspectives.
    pub by: Vec<String>,
}

/// A statement that another perspective contradicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Opposed {
    /// The statement of the first perspective.
    pub one: String,
    /// The statement of the second perspective.
    pub other: String,
    /// The two perspectives.
    pub by: Vec<String>,
}

/// The result of a review.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewResult {
    /// The reviewed artifact.
    pub artifact: String,
    /// The named round; empty if perspectives were named.
    pub round: String,
    /// `consensus_reached` or `consensus_blocked`; null if too few perspectives can be read, or if nothing blocks a change
    /// of which a part was not shown.
    pub verdict: Option<String>,
    /// HIGH, MEDIUM or LOW; null without a verdict.
    pub severity: Option<String>,
    /// Mean of the ratings, 1 to 5; null without any.
    pub average_rating: Option<f64>,
    /// Rating by perspective.
    pub ratings: IndexMap<String, Number>,
    /// Risk by perspective, if stated.
    pub risks: IndexMap<String, String>,
    /// Strengths, which a revision should keep.
    pub strengths: Vec<Finding>,
    /// Weaknesses, the most severe first.
    pub weaknesses: Vec<Finding>,
    /// Themes of at least two perspectives.
    pub themes: Vec<Theme>,
    /// Divergences, the most severe first.
    pub divergences: Vec<Divergence>,
    /// Findings of two perspectives that contradict each other.
    pub opposed: Vec<Opposed>,
    /// Requirements that are not met.
    pub missing_requirements: Vec<Missing>,
    /// Suggested actions, the most urgent first.
    pub actions: Vec<Action>,
    /// Findings that quote the artifact, in the order of the record; absent if the template asks for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<TextFinding>>,
    /// `revise`, `proceed-with-caution` or, without a finding, `proceed`; null without a verdict.
    pub recommendation: Option<String>,
    /// Files of the change that the reviewers did not see; without a finding there is then no verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_shown: Vec<UnshownFile>,
    /// True if a perspective is missing.
    pub partial: bool,
    /// Perspectives without a readable rating.
    pub failed: Vec<String>,
    /// The outcome to act on, besides the findings.
    pub outcome: FinalOutcome,
    /// Its cost.
    pub cost_summary: Cost,
    /// Why there is no verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ResultError>,
    /// The record's file.
    pub record: String,
    /// The verdict in a few lines that begin with `[discuss]`, for the report of the program that asked for the review.
    pub caller_block: String,
}

/// Builds the result of a review in its current state; `None` if its template computes no verdict. The verdict is the
/// one that the discussion's status uses, so that both always agree.
///
/// # Errors
/// Fails if an expression of the template fails.
pub(crate) fn review_result(
    snapshot: &Snapshot,
    record: &str,
    stopped: Option<StopCode>,
) -> Result<Option<ReviewResult>, SnapshotError> {
    if snapshot.template().result.verdict.is_empty() {
        return Ok(None);
    }
    let verdict = snapshot.outcome().consensus.verdict.clone();
    let builder = Builder::new(snapshot);
    let values = snapshot.values()?;
    let list = |key: &str| values.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let with = |key: &str| {
        let value = verdict.as_ref()?.with.get(key)?.as_str()?;
        Some(value.to_owned())
    };
    let parameter = |key: &str| {
        snapshot.config.parameters.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let failed: Vec<String> =
        list("failed").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let material = decode(&snapshot.transcript.topic_text());
    let patch = Patch::find(&material);
    let place_of = |text: &str| patch.place_in(text).map(|place| (place.file, place.line)).unzip();
    let finding = |mark: &Value| {
        let text = text(mark, "value");
        let (file, at_line) = place_of(&text);
        let severity = mark["level"].as_str().map(str::to_owned);
        Finding { text, perspective: self::text(mark, "who"), severity, file, at_line }
    };
    let action = |one: &Value| {
        let text = text(one, "text");
        let (file, at_line) = place_of(&text);
        let priority = one["level"].as_str().map(str::to_owned);
        Action { text, perspective: names(one, "who").join(", "), priority, file, at_line }
    };
    let mut result = ReviewResult {
        artifact: parameter("artifact"),
        round: parameter("round"),
        severity: with("severity"),
        recommendation: with("recommendation"),
        average_rating: values
            .get("averageRating")
            .and_then(Value::as_f64)
            .filter(|_| !list("ratings").is_empty()),
        ratings: list("ratings")
            .iter()
            .filter_map(|mark| Some((text(mark, "who"), mark["value"].as_number()?.clone())))
            .collect(),
        risks: list("risks").iter().map(|mark| (text(mark, "who"), text(mark, "value"))).collect(),
        strengths: list("strengths").iter().map(finding).collect(),
        weaknesses: list("weaknesses").iter().map(finding).collect(),
        themes: list("themes")
            .iter()
            .map(|one| Theme { text: text(one, "text"), by: names(one, "who") })
            .collect(),
        divergences: list("divergences")
            .iter()
            .map(|one| Divergence {
                severity: text(one, "severity"),
                rule: text(one, "rule"),
                detail: text(one, "detail"),
                by: names(one, "by"),
            })
            .collect(),
        opposed: list("opposed")
            .iter()
            .map(|one| Opposed {
                one: text(one, "one"),
                other: text(one, "other"),
                by: names(one, "who"),
            })
            .collect(),
        missing_requirements: list("missingRequirements")
            .iter()
            .map(|one| Missing {
                text: text(one, "text"),
                perspective: names(one, "who").join(", "),
            })
            .collect(),
        actions: list("actions").iter().map(action).collect(),
        findings: text_findings(snapshot),
        not_shown: snapshot.config.not_shown.clone(),
        partial: !failed.is_empty(),
        failed,
        outcome: builder.outcome(),
        cost_summary: Cost::from(&snapshot.state.cost),
        error: match &verdict {
            Some(_) => None,
            None => builder.error(&builder.synthesis(), stopped),
        },
        verdict: verdict.map(|verdict| verdict.is),
        record: record.to_owned(),
        caller_block: String::new(),
    };
    result.caller_block = caller_block(&result);
    Ok(Some(result))
}

/// Returns the findings of the reviewers; `None` if no phase of the template asks for findings.
fn text_findings(snapshot: &Snapshot) -> Option<Vec<TextFinding>> {
    snapshot.template().phases.iter().find(|phase| phase.findings)?;
    Some(TextFinding::all(snapshot))
}

fn text(value: &Value, key: &str) -> String {
    match &value[key] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn names(value: &Value, key: &str) -> Vec<String> {
    let names = value[key].as_array().into_iter().flatten();
    names.filter_map(Value::as_str).map(str::to_owned).collect()
}

impl ReviewResult {
    /// Returns the most serious finding of a perspective, for a line of its own; `None` if it has none.
    pub fn key_finding(&self, perspective: &str) -> Option<&str> {
        let of = |findings: &'_ [Finding]| {
            findings.iter().position(|one| one.perspective == perspective)
        };
        let missed = |one: &&Missing| one.perspective.split(", ").any(|who| who == perspective);
        let missing = self.missing_requirements.iter().find(missed).map(|one| one.text.as_str());
        missing
            .or_else(|| of(&self.weaknesses).map(|at| self.weaknesses[at].text.as_str()))
            .or_else(|| of(&self.strengths).map(|at| self.strengths[at].text.as_str()))
    }
}

/// Returns the verdict block, line by line.
pub(super) fn review_lines(result: &ReviewResult) -> Vec<String> {
    let about = if result.round.is_empty() { &result.artifact } else { &result.round };
    let mut lines = vec![format!("## Verdict: {}", inline(about)), String::new()];
    match (&result.verdict, &result.error) {
        (Some(verdict), _) => lines.push(format!("Verdict: {}", verdict_in_words(result, verdict))),
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
    let not_shown = result.not_shown.iter().map(|one| format!("- {}", inline(&one.to_string())));
    section(&mut lines, "Not shown to the reviewers", not_shown.collect());
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
    section(&mut lines, "Divergences", divergences.collect());
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
        let is_founded = |one: &&TextFinding| one.state != FindingState::Unfounded;
        let found = findings.iter().filter(is_founded).flat_map(finding).collect::<Vec<_>>();
        let none = vec!["none".to_owned()];
        section(&mut lines, "Findings", if found.is_empty() { none } else { found });
        let unfounded = findings.iter().filter(|one| !is_founded(one)).flat_map(finding);
        let title = "Unfounded findings, whose quotes are not in the text";
        section(&mut lines, title, unfounded.collect());
    } else if actions.is_empty() {
        actions.push("none".to_owned());
    }
    section(&mut lines, "Action Items", actions);
    let notes = result.outcome.notes.markdown().into_iter().map(|note| format!("- {note}"));
    section(&mut lines, "Notes on the decision", notes.collect());
    let record = if result.record.is_empty() { "not written" } else { &result.record };
    lines.extend([String::new(), format!("Discussion Record: {record}")]);
    lines
}

/// Returns the verdict for people, with the perspectives that block.
fn verdict_in_words(result: &ReviewResult, verdict: &str) -> String {
    if verdict != "consensus_blocked" {
        return "nothing blocks".to_owned();
    }
    let high = result.divergences.iter().filter(|one| one.severity == "HIGH");
    let mut names: Vec<&str> = high.flat_map(|one| one.by.iter().map(String::as_str)).collect();
    let findings = result.findings.iter().flatten();
    let founded = findings.filter(|one| one.state != FindingState::Unfounded);
    names.extend(founded.map(|one| one.by.as_str()));
    names.sort_unstable();
    names.dedup();
    let by = if names.is_empty() { String::new() } else { format!(" by {}", names.join(", ")) };
    format!("blocked{by}")
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
fn finding(one: &TextFinding) -> [String; 3] {
    let place = one.place().map(|place| format!(", {}", inline(&place))).unwrap_or_default();
    let instead =
        if one.instead.is_empty() { "remove it".to_owned() } else { inline(&one.instead) };
    [
        format!("{}. \"{}\" ({}{place})", one.number, inline(&one.quote), one.by),
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
