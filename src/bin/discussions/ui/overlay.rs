//! Dialogs, which get all keys until they are closed: questions, text editors, lists of keys.

use discussions::runner::Work;
use discussions::view::Foreign;
use ratatui_textarea::{TextArea, WrapMode};

use super::message::Effect;

/// A dialog in front of the panes.
#[derive(Debug)]
pub(super) enum Overlay {
    /// All keys with descriptions that contain these words.
    Help { filter: String, scroll: usize },
    /// The log of changes.
    Log { scroll: usize },
    /// A text to read.
    Told { title: String, text: String, scroll: usize },
    /// A text that the user writes.
    Compose(Box<Compose>),
    /// A choice from a list.
    Choose { title: String, options: Vec<String>, at: usize, what: PendingChoice },
    /// A form for a new discussion, or for the alias of a new persona.
    Form(Box<OverlayForm>),
    /// A question with the answers yes and no.
    Confirm { question: String, then: Effect },
    /// A question whether to trust providers of the project.
    Consent { foreign: Vec<Foreign>, file: String, work: Work, scroll: usize },
}

/// The subject of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PendingChoice {
    /// A vote.
    Vote,
    /// A phase.
    Phase,
}

/// A text that the user writes.
#[derive(Debug)]
pub(super) struct Compose {
    pub(super) file: String,
    pub(super) what: CommentOverlay,
    pub(super) area: TextArea<'static>,
    /// The names that can be mentioned.
    pub(super) mentions: Vec<String>,
}

/// The purpose of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommentOverlay {
    Comment,
    /// The answer to a question, with its number and text.
    Answer(u32, String),
    /// The reason of a vote.
    Vote(String),
    /// A question to the participants that are mentioned in it.
    Ask,
}

impl CommentOverlay {
    /// Returns the title above the text.
    pub(super) fn title(&self) -> String {
        match self {
            Self::Comment => "Comment".to_owned(),
            Self::Answer(number, text) => format!("Answer to Q{number}: {text}"),
            Self::Vote(vote) => format!("Vote {vote}: reason (optional)"),
            Self::Ask => "Ask: @alias and your question".to_owned(),
        }
    }

    /// Returns the key under which the draft is kept.
    pub(super) fn draft_key(&self, file: &str) -> String {
        match self {
            Self::Comment => format!("{file}#comment"),
            Self::Answer(number, _) => format!("{file}#{number}"),
            Self::Vote(_) => format!("{file}#vote"),
            Self::Ask => format!("{file}#ask"),
        }
    }
}

/// A form with several fields.
#[derive(Debug)]
pub(super) struct OverlayForm {
    pub(super) title: &'static str,
    pub(super) what: OverlayRequest,
    pub(super) fields: Vec<Field>,
    pub(super) at: usize,
}

/// The purpose of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OverlayRequest {
    Discussion,
    Person,
}

/// A field of a form.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) label: &'static str,
    pub(super) hint: &'static str,
    pub(super) line: TextArea<'static>,
    /// The options that Tab completes.
    pub(super) options: Vec<String>,
}

impl Field {
    pub(super) fn new(label: &'static str, hint: &'static str, options: Vec<String>) -> Self {
        Self { label, hint, line: area(""), options }
    }

    pub(super) fn text(&self) -> String {
        self.line.lines().join(" ").trim().to_owned()
    }

    /// Returns the options that begin with the last word of the field.
    pub(super) fn fitting(&self) -> Vec<&str> {
        let typed = self.text();
        let last = typed.rsplit(',').next().unwrap_or_default().trim().to_lowercase();
        let fits = |option: &&String| option.to_lowercase().starts_with(&last);
        self.options.iter().filter(fits).map(String::as_str).collect()
    }
}

impl Overlay {
    /// Creates a dialog with a text to read.
    pub(super) fn text_overlay(title: impl Into<String>, text: String) -> Self {
        Self::Told { title: title.into(), text, scroll: 0 }
    }
}

/// Creates a text editor with this text.
pub(super) fn area(text: &str) -> TextArea<'static> {
    let mut area = TextArea::new(text.lines().map(str::to_owned).collect());
    area.set_cursor_line_style(ratatui::style::Style::default());
    area.set_wrap_mode(WrapMode::WordOrGlyph);
    area.move_cursor(ratatui_textarea::CursorMove::Bottom);
    area.move_cursor(ratatui_textarea::CursorMove::End);
    area
}

/// Returns the unfinished mention before the cursor, without its `@`.
pub(super) fn mention(area: &TextArea<'_>) -> Option<String> {
    let cursor = area.cursor();
    let before: String = area.lines().get(cursor.0)?.chars().take(cursor.1).collect();
    let start = before.rfind('@')?;
    let is_first = before[..start].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    let word = &before[start + 1..];
    let is_word = word.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    (is_first && is_word).then(|| word.to_owned())
}
