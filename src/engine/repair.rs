//! Repair requests: the text that asks a model again after an unusable answer, and the merge of both answers.

use super::answer::{AnswerSpec, Reading, line_of, read};
use crate::codes::AgainCode;
use crate::template::Demand;
use crate::transcript::{Choice, Marker, MarkerValue, disarm, mark_record_lines};

/// Maximum number of bytes of the last answer that a repair request quotes (16 KiB).
const SHOWN: usize = 1 << 14;

/// A repair request: the reason to ask again, and the part to keep if the second answer is no better.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairRequest {
    /// The fault of the answer, addressed to the model.
    pub reason: String,
    /// The kind of fault.
    pub code: AgainCode,
    /// The comment without a vote, if the answer has a body.
    pub keep: Option<Reading>,
    /// The answer itself, if it lacks only markers.
    given: Option<Box<RejectedAnswer>>,
}

/// A first answer, which the second answer completes.
#[derive(Clone, Debug, PartialEq)]
struct RejectedAnswer {
    /// Words of the missing markers.
    lacks: Vec<String>,
    body: String,
    vote: Option<Choice>,
    /// A vote for something that is not an option.
    foreign: Option<String>,
    notes: Vec<String>,
}

impl RepairRequest {
    /// Requests a repair because the answer is empty.
    pub(super) fn empty() -> Self {
        let reason = "it was empty".to_owned();
        Self { reason, code: AgainCode::Empty, keep: None, given: None }
    }

    /// Requests a repair because the answer votes for different options.
    pub(super) fn two_votes(body: String, votes: &[Choice], notes: Vec<String>) -> Self {
        let named: Vec<&str> = votes.iter().map(Choice::as_str).collect();
        let mut kept = notes.clone();
        kept.push(format!(
            "the answer has different votes ({}), so none of them counts",
            named.join(" and ")
        ));
        let keep = Reading::Answer { body: body.clone(), vote: None, notes: kept };
        Self {
            reason: format!("it has different votes: {}", named.join(" and ")),
            code: AgainCode::TwoVotes,
            keep: (!body.trim().is_empty()).then_some(keep),
            given: Some(Box::new(RejectedAnswer {
                lacks: vec!["VOTE".to_owned()],
                body,
                vote: None,
                foreign: None,
                notes,
            })),
        }
    }

    /// Requests a repair because required markers are missing.
    pub(super) fn lacking(
        lacks: Vec<String>,
        foreign: Option<&String>,
        body: String,
        vote: Option<Choice>,
        notes: Vec<String>,
    ) -> Self {
        let foreign = foreign.filter(|_| lacks.iter().any(|word| word == "VOTE"));
        let reason = match foreign {
            Some(vote) => format!("`{vote}` is not an option"),
            None => are_missing(&lacks),
        };
        let mut kept = notes.clone();
        // An answer with an unknown option has a `VOTE:` line; `reason` already reports that option.
        let absent = lacks.iter().filter(|word| foreign.is_none() || *word != "VOTE");
        let lines: Vec<String> = absent.map(|word| format!("`{word}: ...`")).collect();
        if !lines.is_empty() {
            kept.push(format!("the answer has no {} line", lines.join(", ")));
        }
        let keep = Reading::Answer { body: body.clone(), vote: None, notes: kept };
        // An answer that is only a vote for an unknown option has no content to complete.
        let nothing = foreign.is_some() && body.lines().count() == 1;
        Self {
            reason,
            code: AgainCode::MarkerMissing,
            keep: (!body.trim().is_empty()).then_some(keep),
            given: (!nothing).then(|| {
                let foreign = foreign.cloned();
                Box::new(RejectedAnswer { lacks, body, vote, foreign, notes })
            }),
        }
    }

    /// Requests a repair because the vote demands markers that are missing. The vote counts even without them.
    pub(super) fn lacking_with(
        lacks: Vec<String>,
        body: String,
        vote: Option<Choice>,
        notes: Vec<String>,
    ) -> Self {
        let again = Self::lacking(lacks, None, body, vote.clone(), notes);
        let keep = again.keep.map(|kept| match kept {
            Reading::Answer { body, notes, .. } => Reading::Answer { body, vote, notes },
            Reading::Pass => Reading::Pass,
        });
        Self { keep, ..again }
    }

    /// Returns the text to append to the prompt when it is sent again. If only markers are missing, the text quotes
    /// `said` and asks for the missing lines alone.
    pub fn ask(&self, said: &str, wanted: &AnswerSpec) -> String {
        let mut out = "\n# Answer again\n\n".to_owned();
        let Some(given) = &self.given else {
            out.push_str(&format!(
                "Your answer cannot be used: {}. Write the whole answer again, in Markdown.",
                self.reason
            ));
            let required = wanted.asks.iter().filter(|(_, demand)| *demand == Demand::Required);
            let lines: Vec<String> = required.map(|(word, _)| line(word, wanted)).collect();
            if !lines.is_empty() {
                out.push_str(&format!(" It needs these lines:\n\n{}", lines.concat()));
            } else {
                out.push('\n');
            }
            return out;
        };
        let end = said.floor_char_boundary(SHOWN.min(said.len()));
        let cut = if end < said.len() { "\n[...]" } else { "" };
        out.push_str(&format!(
            "You answered:\n\n===== YOUR ANSWER BEGINS =====\n{}{cut}\n===== YOUR ANSWER ENDS =====\n\n\
             This answer is kept, but {}. Write only these lines and nothing else; they are added to it:\n\n{}",
            mark_record_lines(said[..end].trim()),
            self.reason,
            given.lacks.iter().map(|word| line(word, wanted)).collect::<String>(),
        ));
        out
    }

    /// Returns the completed answer. If only markers were missing, the first answer is kept and gets them from the
    /// second one, even if the second one repeats everything. Otherwise the second answer replaces the first.
    ///
    /// # Errors
    /// Returns the next repair request if markers are still missing; it contains the part of the answer to keep.
    pub fn complete(self, second: &str, wanted: &AnswerSpec) -> Result<Reading, Self> {
        let Some(given) = self.given.clone() else { return read(second, wanted) };
        let RejectedAnswer { lacks, mut body, mut vote, foreign, notes } = *given;
        let asks = lacks.iter().map(|word| (word.clone(), Demand::Required)).collect();
        let only = AnswerSpec { asks, ..wanted.clone() };
        let (said, voted) = match read(second, &only) {
            Ok(Reading::Answer { body, vote, .. }) => (body, vote),
            // The second answer is only one of the lines, or a value without its marker.
            Err(Self { given: Some(given), .. }) => (given.body, given.vote),
            Ok(Reading::Pass) | Err(_) => return Err(self),
        };
        let mut left = Vec::new();
        for word in &lacks {
            if word == "VOTE" {
                vote = voted.clone();
                if vote.is_none() {
                    left.push(word.clone());
                }
                continue;
            }
            let bare = || {
                let alone = lacks.len() == 1 && said.lines().count() == 1;
                let typed = Marker::of(word).value() != MarkerValue::Text;
                (alone && typed)
                    .then(|| line_of(&format!("{word}: {said}"), word, &wanted.markers))
                    .flatten()
            };
            match line_of(&said, word, &wanted.markers).or_else(bare) {
                Some(text) => body.push_str(&format!("\n\n{word}: {text}")),
                None => left.push(word.clone()),
            }
        }
        let body = disarm(&body);
        if left.is_empty() {
            return Ok(Reading::Answer { body, vote, notes });
        }
        let reason = are_missing(&left);
        let required = |word: &String| {
            wanted.asks.iter().any(|(asked, demand)| asked == word && *demand == Demand::Required)
        };
        let again = if left.iter().any(required) {
            Self::lacking(left, foreign.as_ref(), body, vote, notes)
        } else {
            Self::lacking_with(left, body, vote, notes)
        };
        Err(Self { reason, ..again })
    }
}

/// Returns the reason for an answer that lacks markers.
fn are_missing(words: &[String]) -> String {
    let be = if words.len() == 1 { "is" } else { "are" };
    format!("{} {be} missing", words.join(", "))
}

/// Returns the list item that asks for one missing line.
fn line(word: &str, wanted: &AnswerSpec) -> String {
    let marker = Marker::of(word);
    let value = match marker.value() {
        MarkerValue::Option => format!("one of {}", Choice::listed(&wanted.options)),
        value => value.expected_value().unwrap_or_else(|| marker.example()).to_owned(),
    };
    format!("- `{word}: ` followed by {value}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec_for(asks: &[&str]) -> AnswerSpec {
        AnswerSpec {
            options: ["READY", "REJECT"].map(|word| Choice::parse(word).unwrap()).to_vec(),
            asks: asks.iter().map(|word| ((*word).to_owned(), Demand::Required)).collect(),
            ..AnswerSpec::default()
        }
    }

    fn answer(reading: Reading) -> (String, Option<String>) {
        let Reading::Answer { body, vote, .. } = reading else { panic!("{reading:?}") };
        (body, vote.map(|vote| vote.to_string()))
    }

    #[test]
    fn missing_marker_is_added_to_the_first_answer() {
        for (asks, first, second, body, vote) in [
            (&["VOTE"][..], "It holds.", "READY", "It holds.", Some("READY")),
            (&["VOTE"], "It holds.", "- **Vote:** READY", "It holds.", Some("READY")),
            (&["VOTE"], "It holds.", "Another text.\n\nVOTE: REJECT", "It holds.", Some("REJECT")),
            (&["RATING"], "It holds.", "3/5", "It holds.\n\nRATING: 3/5", None),
            (&["RATING"], "It holds.", "**Rating: 3**", "It holds.\n\nRATING: 3", None),
            (
                &["VOTE", "RATING"],
                "It holds.\n\nVOTE: READY",
                "RATING: 4",
                "It holds.\n\nRATING: 4",
                Some("READY"),
            ),
            (&["VOTE", "RATING"], "VOTE: READY", "RATING: 4", "RATING: 4", Some("READY")),
            (&["DECISION"], "It holds.", "DECISION: We go.", "It holds.\n\nDECISION: We go.", None),
            (
                &["VOTE"],
                "VOTE: READY\n\nOr not.\n\nVOTE: REJECT",
                "VOTE: REJECT",
                "VOTE: READY\n\nOr not.\n\nVOTE: REJECT",
                Some("REJECT"),
            ),
            (&["VOTE"], "", "Whole.\n\nVOTE: READY", "Whole.", Some("READY")),
            (&["VOTE"], "VOTE: PERHAPS", "Whole.\n\nVOTE: READY", "Whole.", Some("READY")),
        ] {
            let wanted = spec_for(asks);
            let again = read(first, &wanted).unwrap_err();
            let reading = again.complete(second, &wanted).unwrap();
            assert_eq!(
                answer(reading),
                (body.to_owned(), vote.map(str::to_owned)),
                "{first} + {second}"
            );
        }
    }

    #[test]
    fn useless_second_answer_removes_nothing() {
        for second in [
            "",
            "{\"sentinel\": \"NO_RESPONSE\"}",
            "I cannot.",
            "VOTE: PERHAPS",
            "VOTE: READY or REJECT",
        ] {
            let wanted = spec_for(&["VOTE"]);
            let again = read("It holds.", &wanted).unwrap_err();
            let again = again.complete(second, &wanted).unwrap_err();
            assert_eq!(answer(again.keep.unwrap()), ("It holds.".to_owned(), None), "{second}");
        }
    }

    #[test]
    fn repair_request_shows_the_answer_and_asks_for_missing_markers() {
        let wanted = spec_for(&["VOTE", "RATING"]);
        let said = "It holds.\n\nVOTE: READY";
        let asked = read(said, &wanted).unwrap_err().ask(said, &wanted);
        assert!(
            asked.contains(said) && asked.contains("`RATING: `") && !asked.contains("`VOTE: `"),
            "{asked}"
        );
        let asked = read("", &wanted).unwrap_err().ask("", &wanted);
        assert!(
            asked.contains("whole answer")
                && asked.contains("`VOTE: ` followed by one of READY, REJECT"),
            "{asked}"
        );
        let long = "x ".repeat(SHOWN);
        let asked = read(&long, &wanted).unwrap_err().ask(&long, &wanted);
        assert!(asked.len() < SHOWN + 1000 && asked.contains("[...]"));
    }
}
