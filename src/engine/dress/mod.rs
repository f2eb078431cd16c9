//! Reads a model's Markdown liberally and writes down what it says in canonical form, so that the file's reader can
//! stay strict.
//!
//! A model marks what it means in many dresses. The rules, none of which knows a marker's or an option's name:
//!
//! | what is said | is read | and is not |
//! |---|---|---|
//! | *who* | markers that the task asks for or that header or task name, in a model's answer | other words, a person's text |
//! | *label* | the marker's word or a name of it (`dress/words.rs`), in any case, bold, with a number or a bracket behind it, behind signs, in a paragraph, a heading or a list item; before `:` of any width; before `=`, `~`, an arrow or a dash where a value follows, or where the word is in capitals | in code, in quotes, in struck out text, in a checked or unchecked task; `Initial vote` and other words for what is over |
//! | *label alone* | a heading, a bold line, or a line that ends in a colon: its value is the next line, its texts are the items of the list below | a list that tells what became of each |
//! | *label behind a label* | `**Final answer:** VOTE: READY`, where the word is in capitals | a marker in the middle of a sentence; `A:` behind words, which names a choice |
//! | *letter* | `A: under 200 a second` | `A:` where the next letter follows, on the line or below it: `A: Redis / B: PostgreSQL` |
//! | *nothing* | `None of the copies was tried` is a text | `None so far` |
//! | *several on a line* | `RATING: 3/5 \| RISK: low`, where each has a value | |
//! | *table* | one row below a row of labels, or rows of label and value; rows of texts whose columns are all known (`dress/rows.rs`) | several rows: cases, not a choice |
//! | *option* | alone, or followed by a reason, a bracket, one word more | followed by `?`, `if`, another option |
//! | *sentence* | `My vote is X`, `I vote for X` at a sentence's beginning, where a vote is asked for and no label names one; `VOTE: X` behind the last sentence; `The decision is: ...` where one is required | `I would vote X`, somebody else's words |
//! | *option alone* | as the first or the last line, where a vote is required and nothing else names one | elsewhere |
//! | *quote* | the last line, where nothing else names a vote and nobody is introduced, with a reason but no name behind it | any other |
//! | *several votes* | a later `Final vote`, or one below `I take that back`, replaces what is above it; a list of all the options is none of them | two different ones |
//! | *value* | the one number or grade in it; the words stay behind it in brackets | ranges, two numbers, none |

mod claim;
mod label;
mod letter;
mod page;
mod rows;
mod section;
mod sentence;
mod several;
mod table;
mod value;
mod vote;
mod words;

use self::page::Page;
use super::answer::Wanted;
use crate::transcript::{Choice, disarm};

/// What a text says, and its canonical form.
#[derive(Debug)]
pub(super) struct Undressed {
    /// The text without the lines of the votes that count.
    pub(super) body: String,
    /// The text with them: what is kept when it is unclear which one counts.
    pub(super) whole: String,
    /// The different options that were voted for.
    pub(super) votes: Vec<Choice>,
    /// What stands where a vote should and is none.
    pub(super) foreign: Vec<String>,
}

/// Reads a disarmed text.
pub(super) fn undress(text: &str, wanted: &Wanted) -> Undressed {
    let mut page = Page::of(text, wanted);
    page.labels();
    page.sentences();
    let counted = claim::resolve(&page.claims, &wanted.options);
    let mut votes: Vec<Choice> = Vec::new();
    for index in &counted.count {
        if let value::Said::One { option, .. } = &page.claims[*index].said
            && !votes.contains(option)
        {
            votes.push(option.clone());
        }
    }
    let foreign = counted.foreign.iter().map(|index| page.claims[*index].shown.clone()).collect();
    let body = disarm(&page.text(&counted.count));
    Undressed { body, whole: disarm(&page.text(&[])), votes, foreign }
}

/// The marker that a key of JSON names: `missingRequirements` is `MISSING`.
pub(super) fn marker_named(key: &str, wanted: &Wanted) -> Option<String> {
    let mut shown = String::new();
    for c in key.chars() {
        if c.is_ascii_uppercase() && shown.ends_with(|before: char| before.is_ascii_lowercase()) {
            shown.push(' ');
        }
        shown.push(if matches!(c, '_' | '-') { ' ' } else { c });
    }
    let names = words::Names::of(wanted);
    let (found, _) = names.find(&shown)?;
    matches!(found.weight, words::Weight::Own | words::Weight::Final).then_some(found.word)
}

/// The option that a vote names which is given for itself, as in JSON.
pub(super) fn option_of(text: &str, options: &[Choice]) -> Option<Choice> {
    match value::option(text, options) {
        value::Said::One { option, .. } => Some(option),
        value::Said::Unclear => None,
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
