//! The words of the markers, and the parsing of lines that begin with one.

use std::fmt;

use super::guard::strip_bold;
use super::line::trim_start;
use super::sanitize::QUOTED;

/// The kind of a line, by its first word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Marker {
    /// `VOTE:` (any case).
    Vote,
    /// `Q:`, a question.
    Question,
    /// `A:`, an answer to one.
    Answer,
    /// `TODO:`, a task.
    Todo,
    /// `ASSIGNED:`, a participant takes a task.
    Assigned,
    /// `DONE:`, a task is done.
    Done,
    /// `DECISION:`.
    Decision,
    /// `WITHDRAWN:`, a decision is withdrawn.
    Withdrawn,
    /// `SUPERSEDES:`, this discussion replaces a decision of another one.
    Supersedes,
    /// `CONCERN:`.
    Concern,
    /// `SETTLED:`, a concern is resolved.
    Settled,
    /// `DISCUSS:`, a question for a sub-discussion.
    Discuss,
    /// `CONFIDENCE:`, the confidence of the vote.
    Confidence,
    /// `RATING:`, 1 to 5.
    Rating,
    /// `RISK:`, low to critical.
    Risk,
    /// `MISSING:`, a requirement that is not met.
    Missing,
    /// `SOLUTION:`, the solution that a YES vote agrees to.
    Solution,
    /// `REVIEW-BY:`, the day on which people look at a decision again.
    ReviewBy,
    /// `AFFECTS:`, the files that a decision is about.
    Affects,
    /// `HINDSIGHT:`, what became of a decision.
    Hindsight,
    /// `DECIDE-BY:`, the day until which people should decide.
    DecideBy,
    /// A marker that the template adds.
    Custom(String),
}

/// The type of the value after a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkerValue {
    /// Any text.
    Text,
    /// One of the phase's options.
    Option,
    /// A confidence: a fraction or a percentage.
    Share,
    /// A number from 1 to 5.
    Rating,
    /// Low, medium, high or critical.
    Grade,
}

/// The properties of a built-in marker.
struct MarkerRow {
    word: &'static str,
    marker: Marker,
    value: MarkerValue,
    /// An example for the prompt of a speaker that is asked for this marker.
    example: &'static str,
    /// What it is for, in a few words for authors.
    about: &'static str,
    /// The value that the mock provider writes, if it is not the example.
    sample: Option<&'static str>,
    writers: Writers,
    /// The letter of the items that it opens: `C` of `C1`.
    opens: Option<char>,
    /// The letter of the items that it names by number.
    names: Option<char>,
    /// True if it is hardly ever written in the middle of a sentence for another reason.
    is_telling: bool,
    /// Other names that models write for it, in lower case, for one and for several.
    synonyms: (Names, Names),
}

type Names = &'static [&'static str];

/// Who may write a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writers {
    /// Everybody.
    All,
    /// People.
    People,
    /// People and the participant that moderates.
    Moderators,
    /// People and the author of the item that it names.
    Author,
}

impl Writers {
    /// Returns true if somebody belongs to them.
    pub(crate) fn include(self, is_person: bool, moderates: bool, is_author: bool) -> bool {
        match self {
            Self::All => true,
            Self::People => is_person,
            Self::Moderators => is_person || moderates,
            Self::Author => is_person || is_author,
        }
    }
}

impl MarkerRow {
    const fn mocked(mut self, sample: &'static str) -> Self {
        self.sample = Some(sample);
        self
    }

    const fn writers(mut self, writers: Writers) -> Self {
        self.writers = writers;
        self
    }

    const fn opens(mut self, letter: char) -> Self {
        self.opens = Some(letter);
        self
    }

    const fn names(mut self, letter: char) -> Self {
        self.names = Some(letter);
        self
    }

    const fn tells(mut self) -> Self {
        self.is_telling = true;
        self
    }

    const fn synonyms(mut self, one: Names, several: Names) -> Self {
        self.synonyms = (one, several);
        self
    }
}

const fn row(
    word: &'static str,
    marker: Marker,
    value: MarkerValue,
    example: &'static str,
    about: &'static str,
) -> MarkerRow {
    let (sample, writers, opens, names) = (None, Writers::All, None, None);
    let (is_telling, synonyms) = (false, (&[] as Names, &[] as Names));
    MarkerRow {
        word,
        marker,
        value,
        example,
        about,
        sample,
        writers,
        opens,
        names,
        is_telling,
        synonyms,
    }
}

const TASK: &str = "what is to be done";

#[rustfmt::skip]
static BUILT_IN: [MarkerRow; 21] = [
    row("VOTE", Marker::Vote, MarkerValue::Option, OTHER, "your vote, as the last line").tells(),
    row("Q", Marker::Question, MarkerValue::Text, "which load was that measured under? @alias", "a question").mocked("Who looks after this once it runs?").opens('Q').tells().synonyms(&["question"], &["questions"]),
    row("A", Marker::Answer, MarkerValue::Text, "Q1 under 200 requests per second", "an answer: `A: Q1 ...`").names('Q'),
    row("TODO", Marker::Todo, MarkerValue::Text, TASK, "a task").mocked("write down what was agreed").opens('T').tells()
        .synonyms(&["to-do", "to do", "action item"], &["to-dos", "to dos", "action items"]),
    row("ASSIGNED", Marker::Assigned, MarkerValue::Text, TASK, "someone takes a task: `ASSIGNED: T1 @alias`").names('T'),
    row("DONE", Marker::Done, MarkerValue::Text, TASK, "a task is done: `DONE: T1`").names('T').tells(),
    row("DECISION", Marker::Decision, MarkerValue::Text, "what is decided, in one sentence", "a decision in one sentence").opens('D').tells(),
    row("WITHDRAWN", Marker::Withdrawn, MarkerValue::Text, "D1", "a decision no longer holds: `WITHDRAWN: D1`").names('D').writers(Writers::Author),
    row("SUPERSEDES", Marker::Supersedes, MarkerValue::Text, "other.md#D2", "a decision of another discussion: `SUPERSEDES: old.md#D2`"),
    row("CONCERN", Marker::Concern, MarkerValue::Text, "what goes wrong, when, and how bad it is", "a risk").mocked("nothing here was weighed by a model").opens('C').tells(),
    row("SETTLED", Marker::Settled, MarkerValue::Text, "C1 since the lease is short enough", "a concern is resolved: `SETTLED: C1`").names('C'),
    row("DISCUSS", Marker::Discuss, MarkerValue::Text, "what is measured first? [latency, throughput]", "a question for a sub-discussion"),
    row("CONFIDENCE", Marker::Confidence, MarkerValue::Share, "0.65", "how sure you are, from 0 to 1")
        .synonyms(&["confidence level", "confidence score", "level of confidence", "confidence in my vote", "confidence in this vote"], &[]),
    row("RATING", Marker::Rating, MarkerValue::Rating, "3", "a number from 1 to 5").mocked("4").synonyms(&["score", "rating score", "overall", "grade"], &[]),
    row("RISK", Marker::Risk, MarkerValue::Grade, "medium", "low, medium, high or critical").mocked("low - a mock sees no danger").synonyms(&["risk level", "risk rating"], &[]),
    row("MISSING", Marker::Missing, MarkerValue::Text, "the requirement that is not met", "a requirement that is not met").mocked("none")
        .synonyms(&["missing requirement"], &["missing requirements"]),
    row("SOLUTION", Marker::Solution, MarkerValue::Text, "the whole solution in one paragraph", "the whole solution in one paragraph"),
    row("REVIEW-BY", Marker::ReviewBy, MarkerValue::Text, "2027-06-01", "the day on which people look at the decision again").writers(Writers::Moderators).tells(),
    row("AFFECTS", Marker::Affects, MarkerValue::Text, "`src/db/**`, `Cargo.toml`", "the files that the decision is about").writers(Writers::Moderators),
    row("HINDSIGHT", Marker::Hindsight, MarkerValue::Text, "held, since the load stayed below the limit", "what became of the decision").writers(Writers::People),
    row("DECIDE-BY", Marker::DecideBy, MarkerValue::Text, "2027-06-01", "the day until which people should decide").writers(Writers::People).tells(),
];

/// The example for a template's own marker.
const OTHER: &str = "(medium) one point in one sentence";

impl MarkerValue {
    /// Returns the range of values in short form; none if any text is valid, or if the phase defines the values.
    pub(crate) fn range(self) -> Option<&'static str> {
        match self {
            Self::Text | Self::Option => None,
            Self::Share => Some("0-1"),
            Self::Rating => Some("1-5"),
            Self::Grade => Some("low | medium | high | critical"),
        }
    }

    /// Returns the range of values in words, for the author of an invalid value.
    pub(crate) fn expected_value(self) -> Option<&'static str> {
        match self {
            Self::Text | Self::Option => None,
            Self::Share => Some("a number from 0 to 1 or per cent"),
            Self::Rating => Some("a number from 1 to 5"),
            Self::Grade => Some("low, medium, high or critical"),
        }
    }
}

impl Marker {
    fn row(&self) -> Option<&'static MarkerRow> {
        BUILT_IN.iter().find(|row| row.marker == *self)
    }

    /// Returns the word without its colon.
    pub(crate) fn word(&self) -> &str {
        match self {
            Self::Custom(word) => word,
            built_in => built_in.row().map_or("", |row| row.word),
        }
    }

    /// Returns the type of its value.
    pub(crate) fn value(&self) -> MarkerValue {
        self.row().map_or(MarkerValue::Text, |row| row.value)
    }

    /// Returns an example for the prompt of a speaker that is asked for this marker.
    pub(crate) fn example(&self) -> &'static str {
        self.row().map_or(OTHER, |row| row.example)
    }

    /// Returns the value that the mock provider writes, if the mock has one of its own.
    pub(crate) fn sample(&self) -> Option<&'static str> {
        self.row().and_then(|row| row.sample)
    }

    /// Returns the built-in markers, each with its word and what it is for.
    pub(crate) fn all_built_in() -> impl Iterator<Item = (&'static Self, &'static str, &'static str)>
    {
        BUILT_IN.iter().map(|row| (&row.marker, row.word, row.about))
    }

    /// Returns true if the marker may name its decision in brackets: `HINDSIGHT (D2): held`.
    pub(crate) fn may_name_decision(&self) -> bool {
        matches!(self, Self::ReviewBy | Self::Affects | Self::Hindsight | Self::DecideBy)
    }

    /// Returns who may write the marker.
    pub(crate) fn writers(&self) -> Writers {
        self.row().map_or(Writers::All, |row| row.writers)
    }

    /// Returns the letter of the items that it opens: `C` of `C1`.
    pub(crate) fn opens(&self) -> Option<char> {
        self.row()?.opens
    }

    /// Returns the letter of the items that it names by number: `C` for `SETTLED: C1`.
    pub(crate) fn names(&self) -> Option<char> {
        self.row()?.names
    }

    /// Returns other names that models write for it, in lower case, for one and for several.
    pub(crate) fn synonyms(&self) -> (Names, Names) {
        self.row().map_or((&[], &[]), |row| row.synonyms)
    }

    /// Returns the words of markers that are hardly ever written in the middle of a sentence for another reason.
    pub(super) fn telling_words() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().filter(|row| row.is_telling).map(|row| row.word)
    }

    /// Returns the words of the built-in markers.
    pub(crate) fn words() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|row| row.word)
    }

    /// Returns the built-in marker with this word, in capitals.
    pub(crate) fn built_in(word: &str) -> Option<Self> {
        BUILT_IN.iter().find(|row| row.word == word).map(|row| row.marker.clone())
    }

    /// Returns the marker with this word, in capitals: a built-in one, or else one of the template.
    pub(crate) fn of(word: &str) -> Self {
        Self::built_in(word).unwrap_or_else(|| Self::Custom(word.to_owned()))
    }
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The markers that a discussion recognizes: the built-in ones and those of its template.
#[derive(Clone, Debug, Default)]
pub struct MarkerSet(Vec<String>);

impl MarkerSet {
    /// Creates a set of the built-in markers and these words, which consist of A-Z, digits, `_` and `-`.
    pub(crate) fn with(words: impl IntoIterator<Item = String>) -> Self {
        Self(words.into_iter().collect())
    }

    /// Returns the marker for a word as it is written on a line.
    pub(crate) fn get(&self, word: &str) -> Option<Marker> {
        if word.eq_ignore_ascii_case("vote") {
            return Some(Marker::Vote);
        }
        Marker::built_in(word).or_else(|| {
            self.0.iter().any(|known| known == word).then(|| Marker::Custom(word.to_owned()))
        })
    }
}

/// A line that begins like a marker; its Markdown context is still to be checked.
#[derive(Debug)]
pub(super) struct MarkerCandidate {
    pub(super) marker: Marker,
    /// Byte offset of the word in the body.
    pub(super) word: usize,
    /// Byte offset of the text after the colon.
    pub(super) text: usize,
    /// True if `**` or `__` is opened before the word and not closed before the text.
    pub(super) bold: bool,
    /// True if the line begins like a list item, even if it is none in CommonMark.
    pub(super) item: bool,
    /// True if a ticked checkbox comes before the word: `- [x] TODO: it`.
    pub(super) ticked: bool,
    /// The text in the brackets after the word, which names a decision: `HINDSIGHT (D2): held`.
    pub(super) named: Option<String>,
}

/// Parses a line that begins at byte `start` of a body.
pub(super) fn candidate(line: &str, start: usize, markers: &MarkerSet) -> Option<MarkerCandidate> {
    let bare = trim_start(line);
    let item = strip_item(bare);
    marked(line, start, bare, item, markers).or_else(|| boxed(line, start, bare, item))
}

/// Parses a checkbox without a marker word, which is a task.
fn boxed(line: &str, start: usize, bare: &str, item: &str) -> Option<MarkerCandidate> {
    let open = bare[..bare.len() - item.len()].find('[')?;
    let at = |rest: &str| start + (line.len() - rest.len());
    (!item.trim().is_empty()).then(|| MarkerCandidate {
        marker: Marker::Todo,
        word: at(&bare[open..]),
        text: at(item),
        bold: false,
        item: true,
        ticked: bare[open + 1..].starts_with(['x', 'X']),
        named: None,
    })
}

fn marked(
    line: &str,
    start: usize,
    bare: &str,
    item: &str,
    markers: &MarkerSet,
) -> Option<MarkerCandidate> {
    let rest = strip_bold(item);
    let opened = rest.len() < item.len();
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let length = rest.bytes().take_while(is_word).count();
    // In `VOTE__:` the underscores end bold text.
    let word = rest[..length].trim_end_matches('_');
    if word.is_empty() || word.len() > 32 {
        return None;
    }
    let after_word = &rest[word.len()..];
    let mut behind = strip_bold(after_word);
    let mut closed = behind.len() < after_word.len();
    let mut named = None;
    if let Some((inner, rest)) = bracketed(behind) {
        Marker::built_in(word).filter(Marker::may_name_decision)?;
        named = Some(inner.to_owned());
        behind = strip_bold(rest);
        closed |= behind.len() < rest.len();
    }
    let mut open = opened != closed;
    let behind = behind.strip_prefix(':')?;
    let marker = markers.get(word)?;
    let text = strip_bold(behind);
    if open && text.len() < behind.len() {
        open = false;
    }
    let text = if open || opened { text } else { behind };
    Some(MarkerCandidate {
        marker,
        word: start + (line.len() - rest.len()),
        text: start + (line.len() - text.len()),
        bold: open,
        item: item.len() < bare.len(),
        ticked: bare[..bare.len() - item.len()].contains(['x', 'X']),
        named,
    })
}

/// Splits ` (D2): held` into the text in the brackets and the text behind them.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let (inner, rest) = trim_start(text).strip_prefix('(')?.split_once(')')?;
    (inner.len() <= 64).then_some((inner, rest))
}

/// Returns true for a line that ends the text of the marker above it although it is not a marker of this discussion,
/// such as `WEAKNESS (high): ...` or `+1 D2`.
pub(super) fn ends_text(line: &str) -> bool {
    let line = trim_start(line);
    // A vote that the program marked as quoted does not belong to the text above it.
    let line = line.strip_prefix(QUOTED).unwrap_or(line);
    if line.starts_with("+1 ") {
        return true;
    }
    let rest = strip_bold(line);
    let other = |c: char| !(c.is_uppercase() || c.is_numeric() || matches!(c, '_' | '-'));
    let (word, mut rest) = rest.split_at(rest.find(other).unwrap_or(rest.len()));
    if word.chars().filter(|c| c.is_uppercase()).count() < 2
        || !word.starts_with(char::is_uppercase)
    {
        return false;
    }
    rest = strip_bold(rest);
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some((_, behind)) =
            trim_start(rest).strip_prefix(open).and_then(|inner| inner.split_once(close))
        {
            rest = behind;
        }
    }
    strip_bold(rest).starts_with(':')
}

/// Removes one list bullet and one checkbox from a line.
fn strip_item(line: &str) -> &str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match line.as_bytes() {
        [b'-' | b'*' | b'+', b' ' | b'\t', ..] => &line[1..],
        bytes if (1..=9).contains(&digits) && matches!(bytes.get(digits), Some(b'.' | b')')) => {
            &line[digits + 1..]
        }
        _ => return line,
    };
    let item = trim_start(rest);
    if item.len() == rest.len() {
        return line;
    }
    ["[ ] ", "[x] ", "[X] "]
        .iter()
        .find_map(|task| item.strip_prefix(task))
        .unwrap_or(item)
        .trim_start()
}
