//! Compares acknowledged comments with the file.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use discussions::store::{Fate, check, read};
use discussions::transcript::{BlockEnding, Comment, Draft, EntryKind, Name, NewComment, parse};

use super::random::Random;

/// One comment of a proof: its writer, its number among those of the writer, and its length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id {
    pub(crate) writer: String,
    pub(crate) number: u64,
    pub(crate) bytes: u64,
}

impl Id {
    /// Returns the text of the comment. Every line names its comment, so that mixed ones are detected, and is unique,
    /// so that no two comments are equal.
    pub(crate) fn body(&self) -> String {
        let Self { writer, number, bytes } = self;
        let seed =
            writer.bytes().fold(*number, |seed, byte| seed.wrapping_mul(131) + u64::from(byte));
        let mut random = Random::new(seed);
        let mut body = format!("comment {writer} {number} {bytes}\n");
        while (body.len() as u64) < *bytes {
            let _ = writeln!(
                body,
                "{writer}/{number}: {:x} {:x} {:x}",
                random.next(),
                random.next(),
                random.next()
            );
        }
        body.truncate(body.trim_end().len());
        body
    }

    /// The comment.
    pub(crate) fn draft(&self) -> Draft {
        Draft::Comment(NewComment::by(Name::parse(&self.writer).unwrap(), self.body()))
    }

    /// One line of a writer's standard output.
    pub(crate) fn acknowledgement(&self) -> String {
        format!("ACK {} {} {}", self.writer, self.number, self.bytes)
    }

    /// Parses the output of [`Id::acknowledgement`].
    pub(crate) fn acknowledged(line: &str) -> Option<Self> {
        Self::read(line.strip_prefix("ACK ")?)
    }

    pub(crate) fn of(comment: &Comment) -> Option<Self> {
        Self::read(comment.stored.lines().next()?.strip_prefix("comment ")?)
    }

    fn read(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        Some(Self {
            writer: words.next()?.to_owned(),
            number: words.next()?.parse().ok()?,
            bytes: words.next()?.parse().ok()?,
        })
    }
}

/// The content of a file.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Complete comments.
    pub(crate) whole: usize,
    /// Cut comments that the next writer closed and marked.
    pub(crate) torn: usize,
}

/// Reads a file and checks that it contains every acknowledged comment once and complete, that all else is complete or
/// marked as torn, that nothing is mixed, and that `check` misses nothing.
pub(crate) fn verify(path: &Path, acknowledged: &[Id]) -> Tally {
    let document = read(path).unwrap();
    document.insist_exact().unwrap();
    let text = document.text;
    let mut tally = Tally::default();
    let mut times: HashMap<Id, usize> = HashMap::new();
    for entry in parse(&text).entries {
        let EntryKind::Comment(comment) = &entry.kind else {
            panic!("line {}: {:?} is no comment", entry.line, entry.kind);
        };
        let id = Id::of(comment);
        match comment.ending {
            BlockEnding::Rule => {
                let id = id.unwrap_or_else(|| panic!("line {}: whose comment?", entry.line));
                assert_eq!(comment.name.as_str(), id.writer, "line {}", entry.line);
                assert!(
                    *comment.stored == id.body(),
                    "line {}: {id:?} is not as written",
                    entry.line
                );
                *times.entry(id).or_default() += 1;
                tally.whole += 1;
            }
            BlockEnding::Torn => {
                // Of a cut comment only the name may be known.
                let begun = id.map(|id| id.body()).unwrap_or_default();
                let whole = comment.stored.is_empty() || begun.starts_with(comment.stored.as_str());
                assert!(whole, "line {}: torn and mixed: {:?}", entry.line, comment.stored);
                tally.torn += 1;
            }
            BlockEnding::EndOfFile => panic!("line {}: not closed by the next writer", entry.line),
        }
    }
    for id in acknowledged {
        let times = times.get(id).copied().unwrap_or(0);
        assert_eq!(times, 1, "{id:?} was acknowledged once and stands there {times} times");
    }
    assert!(times.values().all(|times| *times == 1), "duplicated: {times:?}");
    let dropped = check(path, &text).unwrap();
    assert!(dropped.iter().all(|finding| finding.fate != Fate::Dropped), "{dropped:?}");
    tally
}
