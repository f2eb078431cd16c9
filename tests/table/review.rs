//! The rules of an artifact review.

use super::discussion::Discussion;

/// Severity and verdict of a review with these answers of three perspectives.
fn verdict(product: &str, technical: &str, quality: &str) -> (String, String, bool) {
    let discussion = Discussion::new(
        "artifact-review",
        "participants: [product, technical, quality]\nparameters: {artifact: spec.md}",
    )
    .line("TURN: 1, asks: [product, technical, quality]")
    .replies("AI-Product", product)
    .replies("AI-Technical", technical)
    .replies("AI-Quality", quality);
    discussion.look(|it| {
        let names: Vec<_> =
            it.state.said.iter().map(|said| said.speaker.alias().is_some()).collect();
        assert_eq!(names, [true; 3], "known perspectives");
        let verdict = it.verdict().unwrap().unwrap();
        let severity = verdict.with["severity"].as_str().unwrap().to_owned();
        (severity, verdict.is, verdict.blocks)
    })
}

#[test]
fn artifact_review_verdict_follows_the_table() {
    for (row, said, severity, reached) in [
        (
            "a rating of 2 or less MEDIUM when it is a single perspective and all others rate 3 or more",
            ["RATING: 2", "RATING: 4", "RATING: 4"],
            "MEDIUM",
            true,
        ),
        (
            "a rating of 2 or less HIGH when two or more",
            ["RATING: 2", "RATING: 2", "RATING: 5"],
            "HIGH",
            false,
        ),
        ("average below 3.0 blocks", ["RATING: 3", "RATING: 3", "RATING: 2"], "MEDIUM", false),
        (
            "a missing requirement (from any perspective) is HIGH and blocks whatever the average",
            ["RATING: 5", "RATING: 5", "RATING: 5\n\nMISSING: an audit log"],
            "HIGH",
            false,
        ),
        (
            "a risk rated high is HIGH and blocks whatever the average",
            ["RATING: 5\n\nRISK: high", "RATING: 5", "RATING: 5"],
            "HIGH",
            false,
        ),
        (
            "a risk rated critical is HIGH and blocks whatever the average",
            ["RATING: 5", "RATING: 5\n\nRISK: critical", "RATING: 5"],
            "HIGH",
            false,
        ),
        (
            "a risk rated medium blocks nothing",
            ["RATING: 5\n\nRISK: medium", "RATING: 5", "RATING: 5"],
            "LOW",
            true,
        ),
        ("spread of 3 or more is MEDIUM", ["RATING: 5", "RATING: 5", "RATING: 2"], "MEDIUM", true),
        (
            "LOW goes with consensus_reached, as notes",
            ["RATING: 4\n\nSUGGESTION: a glossary", "RATING: 4", "RATING: 4"],
            "LOW",
            true,
        ),
        (
            "MISSING: none says that nothing is missing",
            ["RATING: 5\n\nMISSING: none", "RATING: 5", "RATING: 5"],
            "LOW",
            true,
        ),
    ] {
        let found = verdict(said[0], said[1], said[2]);
        let is = if reached { "consensus_reached" } else { "consensus_blocked" };
        assert_eq!(found, (severity.to_owned(), is.to_owned(), !reached), "{row}");
    }
}

#[test]
fn failed_perspective_contributes_nothing() {
    let discussion = Discussion::new(
        "artifact-review",
        "participants: [product, technical]\nparameters: {artifact: spec.md}",
    )
    .line("TURN: 1, asks: [product, technical]")
    .replies("AI-Product", "RATING: 4")
    .line("FAILED who: technical, turn: 1, code: exit, retryable: true");
    discussion.look(|it| {
        let values = it.values().unwrap();
        assert_eq!(values["ratings"].as_array().unwrap().len(), 1);
        assert_eq!(values["averageRating"].as_f64(), Some(4.0));
    });
}
