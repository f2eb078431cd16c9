//! Tests of complete answers with text around them.

use crate::engine::answer::{AnswerSpec, Reading, read};
use crate::template::Demand;
use crate::transcript::{Choice, Comment, MarkerSet};

fn spec_for(asks: &[&str]) -> AnswerSpec {
    AnswerSpec {
        options: ["READY", "REJECT"].map(|word| Choice::parse(word).unwrap()).to_vec(),
        asks: asks.iter().map(|word| ((*word).to_owned(), Demand::Required)).collect(),
        markers: MarkerSet::with(["WEAKNESS", "SUGGESTION"].map(str::to_owned)),
        invited: ["Q", "TODO", "CONCERN", "MISSING", "WEAKNESS", "SUGGESTION"]
            .map(str::to_owned)
            .to_vec(),
        ..AnswerSpec::default()
    }
}

fn marks(body: &str) -> Vec<String> {
    let read = Comment::plain(body).read(&spec_for(&[]).markers);
    read.marks.into_iter().map(|mark| format!("{}: {}", mark.marker, mark.text)).collect()
}

#[test]
fn json_ratings_are_read_with_prose_around_them() {
    let json = r#"{"strengths": ["short"], "weaknesses": [{"description": "It is old.", "severity": "High"}], "suggestions": ["Count anew."], "overallRating": "3/5", "missing_requirements": ["Fax"]}"#;
    let said =
        ["WEAKNESS: (high) It is old.", "SUGGESTION: Count anew.", "RATING: 3/5", "MISSING: Fax"];
    for text in [
        json.to_owned(),
        format!("```json\n{json}\n```"),
        format!("Here is my review.\n\n{json}"),
        format!("Here is my review:\n\n```json\n{json}\n```\n\nI hope it helps."),
    ] {
        let Ok(Reading::Answer { body, .. }) = read(&text, &spec_for(&["RATING"])) else {
            panic!("{text}")
        };
        assert_eq!(marks(&body), said, "{text}");
        assert_eq!(body.contains("my review"), text.contains("my review"), "prose stays: {body}");
    }
}

#[test]
fn json_example_is_no_answer() {
    for text in [
        "Write `{\"rating\": 3}` then.",
        "> {\"rating\": 3}",
        "It could be {\"rating\": 3} or {\"rating\": 4}.",
        "The load is {\"rps\": 3}.",
    ] {
        assert!(read(text, &spec_for(&["RATING"])).is_err(), "{text}");
    }
}

#[test]
fn json_ballot_is_read_with_prose_around_it() {
    let text = "My ballot:\n\n```json\n{\"vote\": \"READY\", \"confidence\": 0.8, \"reasoning\": \"It holds.\"}\n```";
    let Ok(Reading::Answer { body, vote, .. }) = read(text, &spec_for(&["VOTE", "CONFIDENCE"]))
    else {
        panic!()
    };
    assert_eq!(vote.unwrap().as_str(), "READY");
    assert!(body.contains("It holds.") && body.contains("CONFIDENCE: 0.8"), "{body}");
}

#[test]
fn pass_is_read_in_any_formatting() {
    for text in [
        "NO_RESPONSE",
        "NO_RESPONSE.",
        "**NO_RESPONSE**",
        "`NO_RESPONSE`",
        "[NO_RESPONSE]",
        "sentinel: NO_RESPONSE",
        "{\"sentinel\": \"NO_RESPONSE\"}",
        "```json\n{\"sentinel\": \"NO_RESPONSE\"}\n```",
        "```\nNO_RESPONSE\n```",
        "NO_RESPONSE\n\nI have nothing to add.",
        "<think>Hm. VOTE: READY?</think>\n\nNO_RESPONSE",
    ] {
        assert_eq!(read(text, &spec_for(&[])), Ok(Reading::Pass), "{text}");
    }
    for text in [
        "They said NO_RESPONSE.",
        "> NO_RESPONSE",
        "NO_RESPONSE\n\nVOTE: READY",
        "NO_RESPONSE\n\nQ: who pays?",
    ] {
        assert!(matches!(read(text, &spec_for(&[])), Ok(Reading::Answer { .. })), "{text}");
    }
}

#[test]
fn fence_and_thoughts_around_an_answer_are_removed() {
    for text in [
        "```markdown\nIt holds.\n\nVOTE: READY\n```",
        "```\nIt holds.\n\nVOTE: READY\n```",
        "Here is my comment:\n\n```markdown\nIt holds.\n\nVOTE: READY\n```\n\nLet me know.",
        "<thinking>\nVOTE: REJECT\n</thinking>\n\nIt holds.\n\nVOTE: READY",
    ] {
        let Ok(Reading::Answer { body, vote, .. }) = read(text, &spec_for(&["VOTE"])) else {
            panic!("{text}")
        };
        assert_eq!((body.as_str(), vote.unwrap().as_str()), ("It holds.", "READY"), "{text}");
    }
    for text in [
        "See it fail.\n\n```markdown\nIt holds.\n\nVOTE: READY\n```",
        "First:\n\n```markdown\nVOTE: READY\n```\n\nCONCERN: it fails",
        "It holds.\n\n```\nVOTE: READY\n```",
    ] {
        assert!(read(text, &spec_for(&["VOTE"])).is_err(), "{text}");
    }
}
