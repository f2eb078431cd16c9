//! Tests properties: formatting changes no meaning, prose is not a marker, and the file's parser
//! reads the written text back.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::template::Demand;
use crate::transcript::{Comment, Marker, MarkerSet};

pub(super) fn any_spec() -> AnswerSpec {
    let asks = ["VOTE", "CONFIDENCE", "RATING", "RISK"];
    AnswerSpec {
        options: ["READY", "CHANGES", "REJECT"].map(|word| Choice::parse(word).unwrap()).to_vec(),
        asks: asks.map(|word| (word.to_owned(), Demand::Required)).to_vec(),
        markers: MarkerSet::with(["WEAKNESS".to_owned()]),
        invited: ["Q", "A", "TODO", "CONCERN", "DECISION", "WEAKNESS"].map(str::to_owned).to_vec(),
        questions: 2,
        ..AnswerSpec::default()
    }
}

/// Returns the markers of a body, as the file's parser reads them, without votes.
pub(super) fn marks(body: &str) -> Vec<(String, String)> {
    let read = Comment::plain(body).read(&any_spec().markers);
    let marks = read.marks.into_iter().filter(|mark| mark.marker != Marker::Vote);
    marks.map(|mark| (mark.marker.word().to_owned(), mark.text)).collect()
}

/// Generates the line of a marker in one of the formats that do not change its meaning.
fn dressed() -> impl Strategy<Value = (String, String, String)> {
    let value = select(vec![
        ("VOTE", "READY"),
        ("VOTE", "CHANGES"),
        ("CONFIDENCE", "0.7"),
        ("CONFIDENCE", "55 %"),
        ("RATING", "3"),
        ("RATING", "4 out of 5"),
        ("RISK", "high"),
        ("CONCERN", "nobody is told"),
        ("DECISION", "we go on Monday"),
        ("TODO", "order the cards"),
        ("WEAKNESS", "the figure is old"),
        ("Q", "who pays?"),
    ]);
    let shape = select(vec![
        "%w: %v",
        "**%w:** %v",
        "**%w**: %v",
        "**%w: %v**",
        "***%w: %v***",
        "__%w:__ %v",
        "*%w:* %v",
        "%w： %v",
        "- %w: %v",
        "* **%w:** %v",
        "1. **%w:** %v",
        "### %w: %v",
        "## %w\n\n%v",
        "**%w**\n\n%v",
        "**%w:**\n\n%v",
        "%w:\n%v",
        "✅ %w: %v",
        "➡️ **%w:** %v",
        "My %w: %v",
    ]);
    (value, shape, any::<bool>()).prop_map(|((word, value), shape, title)| {
        let title = title && word.len() > 1;
        let shown =
            if title { word[..1].to_owned() + &word[1..].to_lowercase() } else { word.to_owned() };
        let shown =
            if word.len() == 1 && shape.starts_with("My") { "question".to_owned() } else { shown };
        (word.to_owned(), value.to_owned(), shape.replace("%w", &shown).replace("%v", value))
    })
}

fn prose() -> impl Strategy<Value = String> {
    let words = select(vec![
        "the",
        "vote",
        "was",
        "READY",
        "if",
        "CHANGES",
        "we",
        "risk",
        "of",
        "a",
        "rating",
        "3",
        "0.7",
        "confidence",
        "would",
        "they",
        "said",
        "that",
        "question",
        "not",
        "nobody",
        "concern",
        "decision",
        "and",
        "high",
    ]);
    prop::collection::vec(words, 3..30).prop_map(|words| format!("It is so: {}.", words.join(" ")))
}

proptest! {
    #[test]
    fn formatting_changes_no_meaning((word, value, line) in dressed(), before in prose()) {
        // A single letter is not a heading, and only a question mark makes a question.
        prop_assume!(!(word == "Q" && line.contains('\n')));
        let told = undress(&format!("{before}\n\n{line}"), &any_spec());
        if word == "VOTE" {
            prop_assert_eq!(told.votes.iter().map(Choice::as_str).collect::<Vec<_>>(), [value.as_str()], "{}", line);
            prop_assert!(marks(&told.body).is_empty());
        } else {
            prop_assert_eq!(marks(&told.body), [(word, value)], "{}\n=>\n{}", line, told.body);
            prop_assert!(told.votes.is_empty());
        }
    }

    #[test]
    fn prose_contains_no_marker(paragraphs in prop::collection::vec(prose(), 1..4)) {
        let text = paragraphs.join("\n\n");
        let told = undress(&text, &any_spec());
        prop_assert!(told.votes.is_empty() && told.foreign.is_empty());
        prop_assert_eq!(told.body, text);
    }

    #[test]
    fn written_text_is_read_back_unchanged(lines in prop::collection::vec(dressed(), 1..4), before in prose()) {
        let lines: Vec<String> = lines.into_iter().map(|(_, _, line)| line).collect();
        let told = undress(&format!("{before}\n\n{}", lines.join("\n\n")), &any_spec());
        let again = undress(&told.body, &any_spec());
        prop_assert_eq!(&again.body, &told.body);
        prop_assert_eq!(marks(&again.body), marks(&told.body));
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "([*_`~#>|:=()\\-–\n ]|VOTE|Vote|READY|CHANGES|Q1|A2|RATING|3/5|\\[ \\]|é|✅){0,40}") {
        let told = undress(&disarm(&text), &any_spec());
        prop_assert_eq!(disarm(&told.body), told.body);
    }
}
