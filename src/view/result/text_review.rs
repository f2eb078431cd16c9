//! The review of a text: the findings about it, what changed after them, and whether another participant gave a second opinion. Also
//! its sections of a Markdown page; text from authors is encoded there or stays in one line.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use super::compute::Builder;
use super::place::Patch;
use super::revision::TextRevision;
use crate::engine::{FindingState, Snapshot};
use crate::engine::{first_sentence, in_line};
use crate::transcript::{decode, encode, fenced, inline};

/// The maximum length of quoted words in one line, in characters.
const LONGEST_QUOTE: usize = 80;

/// The note in a result that rests on one participant alone.
const ONE_OPINION: &str = "Only one participant took part; there was no second opinion.";

/// The review of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextReview {
    /// Findings of reviewers about the text, in file order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<TextFinding>,
    /// The difference between the reviewed text and the final text; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<TextRevision>,
    /// False if the discussion is finished and ends in a text, and only one participant took part; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_opinion: Option<bool>,
}

/// A finding of a reviewer about a text or a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextFinding {
    /// Number in the discussion, from 1.
    pub number: usize,
    /// The reviewer's alias.
    pub by: String,
    /// The reviewer's name.
    pub name: String,
    /// Line of the finding in the discussion's file, from 1.
    pub line: usize,
    /// The quoted words that are wrong.
    pub quote: String,
    /// Why they are wrong.
    pub proof: String,
    /// The new wording; empty: remove the quoted words.
    pub instead: String,
    /// Its state: `unfounded` if its quote is not in the text, `open` if no text was written after it.
    pub state: FindingState,
    /// The file that it is about: it names a file and a line, or its quote is in a diff of the material.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in the new version of this file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_line: Option<usize>,
}

impl TextReview {
    /// Returns the review of a discussion's text in its current state.
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        Builder::new(snapshot).text_review()
    }

    /// Returns a sentence if only one participant took part.
    pub fn opinion_note(&self) -> Option<&'static str> {
        (self.second_opinion == Some(false)).then_some(ONE_OPINION)
    }

    /// Returns the declined findings, which a result shows in full.
    pub fn declined(&self) -> impl Iterator<Item = &TextFinding> {
        self.findings.iter().filter(|one| one.is_declined())
    }

    /// Returns the findings that a result shows in one line each.
    pub fn others(&self) -> impl Iterator<Item = &TextFinding> {
        self.findings.iter().filter(|one| !one.is_declined())
    }
}

impl TextFinding {
    /// Returns all findings of a discussion.
    pub(super) fn all(snapshot: &Snapshot) -> Vec<Self> {
        let found = snapshot.findings();
        if found.is_empty() {
            return Vec::new();
        }
        let material = decode(&snapshot.transcript.topic_text());
        let patch = Patch::find(&material);
        let findings = found.into_iter().map(|one| {
            let (quote, proof, instead) =
                (one.finding.quote, one.finding.proof, one.finding.instead);
            let place = patch.place_of(&quote, &proof, &instead);
            let (file, at_line) = place.map(|place| (place.file, place.line)).unzip();
            Self {
                number: one.number,
                by: one.said.speaker.handle().to_owned(),
                name: one.said.name.to_string(),
                line: one.line,
                quote,
                proof,
                instead,
                state: one.state,
                file,
                at_line,
            }
        });
        findings.collect()
    }

    /// Returns true if the author changed nothing for it.
    pub fn is_declined(&self) -> bool {
        self.state == FindingState::Declined
    }

    /// Returns the quoted words in one line, shortened.
    pub fn short_quote(&self) -> String {
        let line = in_line(&self.quote);
        match line.char_indices().nth(LONGEST_QUOTE) {
            Some((at, _)) => format!("{}…", line[..at].trim_end()),
            None => line,
        }
    }

    /// Returns the place in the material, such as `src/main.rs:12`; `None` if it is not known.
    pub fn place(&self) -> Option<String> {
        Some(format!("{}:{}", self.file.as_ref()?, self.at_line?))
    }

    /// Returns the reviewer's position in one sentence, with the quoted words.
    pub(super) fn position(&self) -> String {
        format!("on \"{}\": {}", self.short_quote(), first_sentence(&self.proof))
    }
}

/// Returns the section with the findings; empty if there are none. `level` is the mark of its heading, such as `##`.
pub(super) fn findings_section(review: &TextReview, level: &str) -> String {
    let mut page = String::new();
    if review.findings.is_empty() {
        return page;
    }
    let _ = write!(page, "\n{level} Findings\n");
    let lines: Vec<String> = review.others().map(line_of).collect();
    if !lines.is_empty() {
        let _ = write!(page, "\n{}\n", lines.join("\n"));
    }
    for one in review.declined() {
        let _ = write!(
            page,
            "\n{level}# Finding {}, declined ({})\n\n{}\n\nProof: {}\n",
            one.number,
            origin(one),
            quoted(&one.quote),
            inline(&one.proof)
        );
        match one.instead.trim() {
            "" => page.push_str("\nInstead: remove these words.\n"),
            instead => {
                let _ = write!(page, "\nInstead:\n\n{}\n", quoted(instead));
            }
        }
    }
    page
}

/// Returns the section with the difference between the reviewed and the final text; empty if there is none.
pub(super) fn changes_section(review: &TextReview, level: &str) -> String {
    match &review.revision {
        Some(revision) => {
            let diff = encode(&fenced("diff", &revision.diff));
            format!("\n{level} {CHANGES}\n\n{diff}\n")
        }
        None => String::new(),
    }
}

/// The heading of the section with the difference.
pub(super) const CHANGES: &str = "What changed after the review";

/// Returns a finding in one line.
fn line_of(one: &TextFinding) -> String {
    let (number, state) = (one.number, one.state);
    format!("- Finding {number}, {state}: \"{}\" ({})", inline(&one.short_quote()), origin(one))
}

/// Returns the reviewer, the place in the material and the line in the discussion.
fn origin(one: &TextFinding) -> String {
    let place = one.place().map(|place| format!("{}, ", inline(&place))).unwrap_or_default();
    format!("{}, {place}line {}", inline(&one.name), one.line)
}

fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {}", inline(line))).collect();
    lines.join("\n")
}
