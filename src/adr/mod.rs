//! Decision records that other tools made, read from their text: MADR 2 to 4 and adr-tools (Nygard's form).
//!
//! A record is one Markdown file with its number in the name, `0007-use-a-queue.md`. Its facts are in YAML front matter
//! (MADR 3 and 4), in a list below the title (MADR 2), or in a section `Status` (adr-tools). Nothing here writes a
//! record.

mod cycles;
mod date;
mod read;
mod status;

use chrono::NaiveDate;

pub(crate) use cycles::cycles;
pub(crate) use read::read;

use self::date::read_date;
use crate::problem::Problem;

/// A decision record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The title without its number.
    pub(crate) title: String,
    /// Line of the title, from 1.
    pub(crate) title_line: usize,
    /// The status; `None` if the record has none, which MADR allows.
    pub(crate) status: Option<RecordStatus>,
    /// The day of the decision, if the record names one unambiguously.
    pub(crate) date: Option<NaiveDate>,
    /// The people who decided.
    pub(crate) deciders: Vec<String>,
    /// References to other records that replace this one or are replaced by it.
    pub(crate) links: Vec<RecordLink>,
    /// Targets of the Markdown links in the record that may be records.
    pub(crate) files: Vec<LinkedFile>,
    /// The decision in a sentence or two; the title if no section holds the decision.
    pub(crate) decision: String,
    /// The option that was chosen, in MADR's words `Chosen option: ".."`.
    pub(crate) chosen: Option<String>,
    /// The text of the section with the decision; empty if there is none.
    pub(crate) text: String,
    /// Lines of that section, from 1; the second is the first line behind it.
    pub(crate) text_lines: (usize, usize),
    /// Parts of the record that could not be understood.
    pub(crate) problems: Vec<Problem>,
}

/// The status of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordStatus {
    /// The kind of status.
    pub(crate) kind: StatusKind,
    /// The words of the record.
    pub(crate) words: String,
}

/// A kind of status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusKind {
    /// It was accepted.
    Accepted,
    /// It is not decided yet.
    Proposed,
    /// It was rejected.
    Rejected,
    /// It no longer applies, and no other record replaced it.
    Deprecated,
    /// Another record replaced it.
    Superseded,
    /// Words that this program does not know.
    Unknown,
}

/// A reference to another record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordLink {
    /// True if this record replaces the other one; false if the other one replaces this record.
    pub(crate) replaces: bool,
    /// The other record.
    pub(crate) target: LinkTarget,
    /// Line in the file, from 1.
    pub(crate) line: usize,
}

/// The way in which a record names another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinkTarget {
    /// A file, relative to the folder of the record.
    File(String),
    /// A number, as in `ADR-0005`.
    Number(u32),
}

/// A Markdown link to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkedFile {
    /// The file, relative to the folder of the record.
    pub(crate) file: String,
    /// Line in the file, from 1.
    pub(crate) line: usize,
    /// Column in characters, from 1.
    pub(crate) column: usize,
}

impl Record {
    /// Returns true if the record itself says that it is accepted, and names no record that replaced it.
    pub(crate) fn is_accepted(&self) -> bool {
        self.kind() == Some(StatusKind::Accepted)
    }

    /// Returns the kind of its status. A record that names its successor is superseded, whatever else it says.
    pub(crate) fn kind(&self) -> Option<StatusKind> {
        if self.links.iter().any(|link| !link.replaces) {
            return Some(StatusKind::Superseded);
        }
        self.status.as_ref().map(|status| status.kind)
    }

    /// Returns true if its replacements count: the record was accepted at some time.
    pub(crate) fn was_accepted(&self) -> bool {
        use StatusKind::{Accepted, Deprecated, Superseded};
        matches!(self.kind(), Some(Accepted | Deprecated | Superseded))
    }

    /// Returns true if the record is a decision, and not a proposal.
    pub(crate) fn is_decided(&self) -> bool {
        self.kind() != Some(StatusKind::Proposed)
    }
}

/// The facts in the name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordName {
    /// The number, as in `0007-title.md` and `adr-7-title.md`.
    pub(crate) number: Option<u32>,
    /// The day, as in `20240312-title.md` and `2024-03-12-title.md`.
    pub(crate) date: Option<NaiveDate>,
}

/// The longest number; more digits are a day or an identifier.
const DIGITS: usize = 6;

impl RecordName {
    /// Reads the name of a file; `None` if it is no Markdown file, or if it is a template, an index or a README.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let stem = lower.strip_suffix(".md").filter(|stem| !stem.is_empty())?;
        let mut words = stem.split(|c: char| !c.is_alphanumeric());
        if matches!(stem, "readme" | "index") || words.any(|word| word == "template") {
            return None;
        }
        let bare = stem.strip_prefix("adr").unwrap_or(stem).trim_start_matches(['-', '_', ' ']);
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let ends = !bare[digits..].starts_with(char::is_alphanumeric);
        let iso = bare.get(..10).and_then(|day| read_date(day).ok());
        let date = iso.or_else(|| {
            let day = bare.get(..8).filter(|_| digits == 8 && ends)?;
            NaiveDate::parse_from_str(day, "%Y%m%d").ok()
        });
        let number = bare[..digits].parse().ok();
        let number = number.filter(|_| (1..=DIGITS).contains(&digits) && ends && date.is_none());
        Some(Self { number, date })
    }
}

#[cfg(test)]
mod tests;
