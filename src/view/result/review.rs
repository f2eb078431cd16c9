//! What a review came to: the verdict that its template computes, as one document.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Number, Value};

use crate::codes::ResultError;
use crate::engine::{Snapshot, SnapshotError};

/// A finding in which perspectives differ from what was hoped for, or from each other.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Divergence {
    /// HIGH, MEDIUM or LOW.
    pub severity: String,
    /// The rule that found it.
    pub rule: String,
    /// What it is.
    pub detail: String,
    /// Whose findings it rests on.
    pub by: Vec<String>,
}

/// A requirement that is not met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Missing {
    /// The requirement.
    pub text: String,
    /// Who misses it.
    pub perspective: String,
}

/// Something to be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Action {
    /// What.
    pub text: String,
    /// Who suggests it.
    pub perspective: String,
    /// How urgent, where that is stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
}

/// What a review came to.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewResult {
    /// What was reviewed.
    pub artifact: String,
    /// The named round, empty where perspectives were named.
    pub round: String,
    /// `consensus_reached` or `consensus_blocked`.
    pub verdict: String,
    /// HIGH, MEDIUM or LOW.
    pub severity: String,
    /// Mean of the ratings, 1 to 5; 0 without any.
    pub average_rating: f64,
    /// Rating by perspective.
    pub ratings: IndexMap<String, Number>,
    /// Divergences, the gravest first.
    pub divergences: Vec<Divergence>,
    /// Requirements that are not met.
    pub missing_requirements: Vec<Missing>,
    /// What to do, most urgent first.
    pub actions: Vec<Action>,
    /// `revise` or `proceed-with-caution`.
    pub recommendation: String,
    /// A perspective is left out.
    pub partial: bool,
    /// Perspectives without a rating: they could not answer, or not so that it can be read.
    pub failed: Vec<String>,
    /// The record's file.
    pub record: String,
}

/// A review in which nobody gave a rating.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoVerdict {
    /// The record's file.
    pub record: String,
    /// There is none.
    pub verdict: Option<String>,
    /// Why.
    pub error: ResultError,
}

/// Builds the result of a review as it stands; none when its template computes no verdict.
///
/// # Errors
/// When an expression of the template fails.
pub fn review_result(
    snapshot: &Snapshot,
    record: &str,
) -> Result<Option<ReviewResult>, SnapshotError> {
    let Some(verdict) = snapshot.verdict()? else { return Ok(None) };
    let values = snapshot.values()?;
    let list = |key: &str| values.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let with =
        |key: &str| verdict.with.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let parameter = |key: &str| {
        snapshot.config.parameters.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let failed: Vec<String> =
        list("failed").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    Ok(Some(ReviewResult {
        artifact: parameter("artifact"),
        round: parameter("round"),
        severity: with("severity"),
        recommendation: with("recommendation"),
        average_rating: values.get("averageRating").and_then(Value::as_f64).unwrap_or(0.0),
        ratings: list("ratings")
            .iter()
            .filter_map(|mark| Some((text(mark, "who"), mark["value"].as_number()?.clone())))
            .collect(),
        divergences: list("divergences")
            .iter()
            .map(|one| Divergence {
                severity: text(one, "severity"),
                rule: text(one, "rule"),
                detail: text(one, "detail"),
                by: one["by"]
                    .as_array()
                    .map(|by| by.iter().filter_map(Value::as_str).map(str::to_owned).collect())
                    .unwrap_or_default(),
            })
            .collect(),
        missing_requirements: list("missingRequirements")
            .iter()
            .map(|mark| Missing { text: text(mark, "value"), perspective: text(mark, "who") })
            .collect(),
        actions: list("actions")
            .iter()
            .map(|mark| Action {
                text: text(mark, "value"),
                perspective: text(mark, "who"),
                priority: mark["level"].as_str().map(str::to_owned),
            })
            .collect(),
        partial: !failed.is_empty(),
        failed,
        verdict: verdict.is,
        record: record.to_owned(),
    }))
}

fn text(value: &Value, key: &str) -> String {
    match &value[key] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
