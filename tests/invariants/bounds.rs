//! Limits for the parts of a discussion.

use discussions::codes::ErrorCode;
use discussions::template::ConsensusConfig;
use discussions::transcript::parse;
use discussions::workspace::{NewDiscussion, WorkspaceError};

use crate::finished_run::{THREE, TWO, by, new};
use crate::project::Project;

const PATTERNS: [&str; 5] = ["synthesis", "round-robin", "debate", "critique", "voting"];
const SEVEN: [&str; 7] =
    ["architect", "security", "pragmatist", "perfectionist", "designer", "product", "risk"];

fn draft(new: &NewDiscussion) -> Result<String, WorkspaceError> {
    Project::new().workspace().discussions().draft(new)
}

/// The participants with a role in a new discussion.
fn holders(new: &NewDiscussion, role: &str) -> Vec<String> {
    let head = parse(draft(new).unwrap()).head.unwrap();
    head.roles[role].iter().map(ToString::to_string).collect()
}

#[test]
fn inv_disc_003_moderator_method_requires_synthesizer() {
    for (pattern, role) in
        [("synthesis", "synthesizer"), ("round-robin", "synthesizer"), ("debate", "judge")]
    {
        let new = by("moderator", new(pattern, &TWO, &[]));
        assert_eq!(holders(&new, role), ["moderator"], "{pattern}: filled in before it is checked");
    }
    // The author of a critique is asked for the decision; in a dialogue no participant is.
    assert_eq!(holders(&by("moderator", new("critique", &TWO, &[])), "author"), ["architect"]);
    let refused = draft(&by("moderator", new("dialogue", &TWO, &[]))).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidRoles);
    assert_eq!(
        refused.to_string(),
        "the consensus method `moderator` needs a participant who decides, and `dialogue` has none; choose another method"
    );
}

#[test]
fn inv_disc_004_confidence_threshold_range() {
    for (share, fits) in [(0.0, true), (0.5, true), (1.0, true), (-0.1, false), (1.1, false)] {
        let written = serde_json::json!({"method": "voting", "threshold": share});
        let read = serde_json::from_value::<ConsensusConfig>(written);
        assert_eq!(read.is_ok(), fits, "{share} as written in a head, a template, a configuration");
        let mut new = new("voting", &TWO, &[]);
        new.consensus.threshold = Some(share);
        assert_eq!(draft(&new).is_ok(), fits, "{share} as a flag");
    }
}

#[test]
fn inv_disc_005_minimum_providers() {
    for pattern in PATTERNS {
        let refused = draft(&new(pattern, &SEVEN[..1], &[])).unwrap_err().to_string();
        assert!(refused.contains("2 to 6"), "{pattern}: {refused}");
        assert!(draft(&new(pattern, &SEVEN[..2], &[])).is_ok(), "{pattern}");
    }
}

#[test]
fn inv_disc_006_maximum_providers() {
    for pattern in PATTERNS {
        assert!(draft(&new(pattern, &SEVEN[..6], &[])).is_ok(), "{pattern}");
        let refused = draft(&new(pattern, &SEVEN, &[])).unwrap_err().to_string();
        assert!(refused.contains("2 to 6"), "{pattern}: {refused}");
    }
}

#[test]
fn inv_disc_007_rounds_bounds() {
    for pattern in ["synthesis", "round-robin", "debate", "critique", "dialogue"] {
        for (rounds, fits) in [("0", false), ("1", true), ("10", true), ("11", false)] {
            let made = draft(&new(pattern, &TWO, &[("rounds", rounds)]));
            assert_eq!(made.is_ok(), fits, "{pattern}, {rounds}");
        }
    }
}

#[test]
fn inv_disc_008_debate_pattern_requires_roles() {
    let dealt = new("debate", &THREE, &[]);
    assert_eq!(holders(&dealt, "proponent"), ["architect"]);
    assert_eq!(holders(&dealt, "opponent"), ["security"]);
    assert_eq!(holders(&dealt, "judge"), ["pragmatist"]);
    let mut both_for = new("debate", &TWO, &[]);
    both_for.roles = TWO.map(|who| (who.to_owned(), "proponent".to_owned())).to_vec();
    let refused = draft(&both_for).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidRoles);
    assert_eq!(refused.to_string(), "no participant is left for the role opponent");
    let mut unknown = new("debate", &TWO, &[]);
    unknown.roles = vec![("architect".to_owned(), "heckler".to_owned())];
    let refused = draft(&unknown).unwrap_err().to_string();
    assert!(
        refused.starts_with("the template `debate` has no role `heckler`; it has: "),
        "{refused}"
    );
}
