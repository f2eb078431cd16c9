//! Reads a model's Markdown liberally and writes it in canonical form, so that the file's parser can stay strict.
//!
//! Models format markers in many ways. These are the rules; none of them depends on the name of a particular marker or
//! option:
//!
//! | subject | accepted | not accepted |
//! |---|---|---|
//! | *source* | markers that the task requests or that the header or the task names, in a model's answer | other words, a person's text |
//! | *label* | the marker's word or a synonym (`words.rs`), in any case, bold, after symbols, or with a number or brackets after it; in a paragraph, a heading or a list item; before `:` of any width; before `=`, `~`, an arrow or a dash if a value follows or the word is in capitals | in code, quotes, struck-out text, or a checked or unchecked task; `Initial vote` and other words for earlier votes |
//! | *label alone* | a heading, a bold line, or a line that ends in a colon: the next line is its value, the items of the list below are its texts | a list of statuses, which tells how earlier items ended |
//! | *label after a label* | `**Final answer:** VOTE: READY`, if the word is in capitals | a marker in the middle of a sentence; `A:` after words, which names a choice |
//! | *letter* | `A: under 200 a second` | `A:` if the next letter follows, on the line or below it: `A: Redis / B: PostgreSQL` |
//! | *nothing* | `None of the copies was tried` is a text | `None so far` |
//! | *several on a line* | `RATING: 3/5 \| RISK: low`, if each has a value | |
//! | *table* | one row below a row of labels, or rows of label and value; rows of texts if all column names are known (`table.rs`) | several rows: cases, not a choice |
//! | *option* | alone, or followed by a reason, a bracket, or one more word | followed by `?`, `if` or another option |
//! | *sentence* | `My vote is X`, `I vote for X` at the start of a sentence, if a vote is requested and no label names one; `VOTE: X` after the last sentence; `The decision is: ...` if a decision is required | `I would vote X`, words of another person |
//! | *option alone* | in the first or last line, if a vote is required and nothing else names one | elsewhere |
//! | *quote* | the last line, if nothing else names a vote and no text introduces a speaker; a reason may follow, but no name | any other |
//! | *several votes* | a later `Final vote`, or a vote below `I take that back`, replaces the ones above it; a list of all options is not a vote | two different votes |
//! | *value* | the only number or grade in it; the words follow it in brackets | ranges, two numbers, none |

mod label;
mod page;
mod section;
mod sentence;
mod table;
mod value;
mod vote;
mod words;

use self::page::AnswerDraft;
use super::answer::AnswerSpec;
use crate::transcript::{Choice, disarm};

/// The votes of a text, and its canonical form.
#[derive(Debug)]
pub(super) struct Undressed {
    /// The text without the lines of the votes that count.
    pub(super) body: String,
    /// The text with the lines of all votes, used if it is unclear which vote counts.
    pub(super) whole: String,
    /// The different options that the text votes for.
    pub(super) votes: Vec<Choice>,
    /// Texts that are in the place of a vote, but are not a valid option.
    pub(super) foreign: Vec<String>,
}

/// Reads and normalizes a text that is already sanitized.
pub(super) fn undress(text: &str, wanted: &AnswerSpec) -> Undressed {
    let mut page = AnswerDraft::of(text, wanted);
    page.labels();
    page.sentences();
    let counted = vote::resolve(&page.claims, &wanted.options);
    let mut votes: Vec<Choice> = Vec::new();
    for index in &counted.count {
        if let value::LabelledValue::One { option, .. } = &page.claims[*index].said
            && !votes.contains(option)
        {
            votes.push(option.clone());
        }
    }
    let foreign = counted.foreign.iter().map(|index| page.claims[*index].shown.clone()).collect();
    let body = disarm(&page.text(&counted.count));
    Undressed { body, whole: disarm(&page.text(&[])), votes, foreign }
}

/// Returns the marker that a JSON key names: `missingRequirements` is `MISSING`.
pub(super) fn marker_named(key: &str, wanted: &AnswerSpec) -> Option<String> {
    let mut shown = String::new();
    for c in key.chars() {
        if c.is_ascii_uppercase() && shown.ends_with(|before: char| before.is_ascii_lowercase()) {
            shown.push(' ');
        }
        shown.push(if matches!(c, '_' | '-') { ' ' } else { c });
    }
    let names = words::NameIndex::of(wanted);
    let (found, _) = names.find(&shown)?;
    matches!(found.weight, words::WordWeight::Own | words::WordWeight::Final).then_some(found.word)
}

/// Returns the option that a text names, if it is the value of a vote, for example in JSON.
pub(super) fn option_of(text: &str, options: &[Choice]) -> Option<Choice> {
    match value::option(text, options) {
        value::LabelledValue::One { option, .. } => Some(option),
        value::LabelledValue::Unclear => None,
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
