use super::*;

const ANSWER: &str = "\
### Finding 1

> The peak is **300** requests
> a second.

Proof: 74,400 / 600 = 124.
With six companies 151.

Instead: The peak is 151 requests a second.

### Finding 2

> Order the boxes.

Proof: nobody orders them.

Instead: The field service orders the boxes on 20 July.
";

#[test]
fn findings_are_read_with_all_their_lines() {
    let findings = parse_findings(ANSWER).findings;
    assert_eq!(findings.len(), 2);
    assert_eq!(findings[0].quote, "The peak is **300** requests\na second.");
    assert_eq!(findings[0].proof, "74,400 / 600 = 124.\nWith six companies 151.");
    assert_eq!(findings[0].instead, "The peak is 151 requests a second.");
    assert_eq!((findings[0].line, findings[1].line), (0, 10));
    let quoted = "The peak is 300 requests a second. Order the boxes.";
    assert!(parse_findings(ANSWER).notes(quoted).is_empty());
    assert_eq!(
        parse_findings(ANSWER).notes("The peak is 300 requests a second."),
        ["finding 2 quotes words that are not in the text"]
    );
}

#[test]
fn usual_spellings_of_the_form_are_read() {
    for answer in [
        "## finding 1\n> a\n**Proof:** b\n**Instead:** c",
        "**Finding 1**\n\n> a\n\nproof: b\n\ninstead: c",
        "### Finding #1: too slow\n> a\n- Proof: b\n- Instead: c",
        "### Finding 1\n> a\nProof: b\nInstead:\n> c",
    ] {
        let findings = parse_findings(answer).findings;
        assert_eq!(findings.len(), 1, "{answer}");
        let Finding { quote, proof, instead, .. } = &findings[0];
        assert_eq!([quote, proof, instead], ["a", "b", "c"], "{answer}");
    }
}

#[test]
fn text_outside_of_the_form_counts_for_nothing_and_is_reported() {
    let incomplete = "one finding has no quote, `Proof:` or `Instead:`";
    let outside = "the text outside of the findings counts for nothing";
    for (answer, notes) in [
        ("No findings.", vec![]),
        ("**No findings**", vec![]),
        ("Looks good to me.", vec![outside]),
        ("### Finding 1\n> a\nProof: b", vec![incomplete]),
        (
            "### Finding 1\nProof: b\nInstead: c\n### Finding 2\n> a\nProof: b\nInstead: c",
            vec![incomplete],
        ),
    ] {
        assert_eq!(parse_findings(answer).notes("a"), notes, "{answer}");
    }
}

#[test]
fn only_the_first_six_findings_count() {
    let one = "### Finding 1\n> a\nProof: b\nInstead: c\n";
    let parsed = parse_findings(&one.repeat(8));
    assert_eq!(parsed.findings.len(), MOST);
    assert_eq!(parsed.notes("a"), ["the first 6 findings count, 2 more do not"]);
}

#[test]
fn quote_is_compared_without_emphasis_white_space_and_typography() {
    let text =
        folded("It costs *12* euros \u{2013} a \u{201c}month\u{201d}.\n\nThe `db` is\nslow.");
    for (quote, found) in [
        ("It **costs** 12 euros - a \"month\".", true),
        ("\"The db is slow.\"", true),
        ("the db is slow", false),
        ("costs ... euros", false),
        ("***", false),
    ] {
        assert_eq!(quotes(&text, quote), found, "{quote}");
    }
}

#[test]
fn state_follows_from_the_texts_alone() {
    let state = |before: &str, after: Option<&str>, quote: &str, instead: &str| {
        let (quote, instead) = (quote.to_owned(), instead.to_owned());
        let finding = Finding { quote, instead, proof: "p".to_owned(), line: 0 };
        Revision::new(before, after).state_of(&finding)
    };
    let before = "The peak is 300 requests a second. Order the boxes. Keep the rest.";
    for (after, quote, instead, wanted) in [
        (None, "Order the boxes.", "x", FindingState::Open),
        (Some(before), "Order a box.", "x", FindingState::Unfounded),
        (Some(before), "Order the boxes.", "Sell the boxes.", FindingState::Declined),
        // The new wording repeats two thirds of the old one, which still stands there.
        (Some(before), "The peak is 300", "The peak is 151", FindingState::Declined),
        (
            Some("The peak is 151 requests a second. Order the boxes."),
            "The peak is 300 requests",
            "The peak is 151 requests",
            FindingState::Taken,
        ),
        (
            Some("At most 151 come in one second. Order the boxes."),
            "The peak is 300 requests a second.",
            "There are 151 requests each second at peak times.",
            FindingState::Changed,
        ),
        (
            Some("The peak is 300. Order the boxes. The field service orders them on 20 July."),
            "Order the boxes.",
            "The field service orders them on 20 July.",
            FindingState::Changed,
        ),
        // An insertion: the new wording contains the quote.
        (
            Some("Order the boxes. The field service does it on 20 July. Keep the rest."),
            "Order the boxes.",
            "Order the boxes. The field service does it on 20 July.",
            FindingState::Taken,
        ),
        (
            Some(before),
            "Order the boxes.",
            "Order the boxes. The field service does it on 20 July.",
            FindingState::Declined,
        ),
        (Some("Order the boxes."), "Keep the rest.", "", FindingState::Taken),
        (Some(before), "Keep the rest.", "", FindingState::Declined),
    ] {
        assert_eq!(state(before, after, quote, instead), wanted, "{after:?} {quote} {instead}");
    }
}

/// Guards the complexity, not the time: each word of the text is looked at once.
#[test]
fn long_texts_are_compared_in_one_pass() {
    let words = |count: usize| (0..count).map(|n| format!("w{} ", n % 97)).collect::<String>();
    let (text, wanted) = (words(200_000), words(50_000));
    let (text, wanted): (Vec<_>, Vec<_>) = (words_of(&text).collect(), words_of(&wanted).collect());
    assert!(stand_together(&wanted, &text));
}
