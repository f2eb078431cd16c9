//! Results that a template computes from a discussion: its text, its verdict, its values.

use indexmap::IndexMap;
use minijinja::Value as JinjaValue;
use serde_json::Value;

use super::snapshot::{Snapshot, SnapshotError};
use crate::state::CommentFacts;
use crate::transcript::{EntryKind, Marker};

/// A verdict that a template computes.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The word for the verdict.
    pub is: String,
    /// Additional values of the verdict.
    pub with: IndexMap<String, Value>,
    /// True if the verdict is a "no".
    pub blocks: bool,
}

impl Snapshot {
    /// Returns the stated decision of the participant that was asked to decide, or `None` if there is none yet.
    pub(crate) fn stated_decision(&self) -> Option<&str> {
        let decides = |said: &&CommentFacts| {
            self.template().phases[said.phase].decides() && self.state.was_asked_for(said)
        };
        self.state.said.iter().rev().find(decides)?.mark(&Marker::Decision)
    }

    /// Returns the last comment of the participant that was asked to write or decide, with its text. `None` if no phase
    /// has asked for one yet.
    pub(crate) fn final_text(&self) -> Option<(&CommentFacts, String)> {
        let written = |said: &&CommentFacts| {
            let asked = said.turn.is_some() && !self.state.answers_aside(said);
            asked && self.template().phases[said.phase].decides()
        };
        let said = self.state.said.iter().rev().find(written)?;
        match &self.transcript.entries.get(said.entry)?.kind {
            EntryKind::Comment(comment) => Some((said, comment.body())),
            _ => None,
        }
    }

    /// Returns the final text: that of the template's expression, or else the last comment outside of voting phases
    /// (INV-DISC-009).
    pub fn synthesis(&self) -> Option<String> {
        self.written_synthesis().or_else(|| {
            let voting = |phase: usize| self.template().phases[phase].voting_mode;
            let counts =
                |said: &&CommentFacts| !voting(said.phase) && self.state.was_asked_for(said);
            let said = self.state.said.iter().rev().find(counts)?;
            match &self.transcript.entries.get(said.entry)?.kind {
                EntryKind::Comment(comment) => Some(comment.body()),
                _ => None,
            }
        })
    }

    /// Returns the final text that the template's expression computes, or `None` if the expression yields no text.
    pub(crate) fn written_synthesis(&self) -> Option<String> {
        let value = self.eval(self.template().result.synthesis.as_ref()?).ok()?;
        value.as_str().map(str::to_owned).filter(|text| !text.trim().is_empty())
    }

    /// Returns the dissent that the writer of the final text noted: alias or name, the objection, and the line of the
    /// final text's comment, from 1.
    ///
    /// A note may begin with the name of the participant that objects, as in `AI-Security: ...`. Without a name, the
    /// objection is the writer's own.
    pub(crate) fn noted_dissent(&self) -> Vec<(String, String, usize)> {
        let value = self.template().result.dissent.as_ref().and_then(|expr| self.eval(expr).ok());
        let texts = value.iter().filter_map(|value| value.try_iter().ok()).flatten();
        let decides = |said: &&CommentFacts| {
            self.template().phases[said.phase].decides() && self.state.was_asked_for(said)
        };
        let writer = self.state.said.iter().rev().find(decides);
        let line = writer.map_or(0, |said| said.line);
        let writer = writer.map(|said| said.speaker.handle().to_owned()).unwrap_or_default();
        texts
            .filter_map(|text| text.as_str().map(str::to_owned))
            .map(|text| {
                match text.split_once([':', ',']).map(|(who, held)| (self.seat(who), held)) {
                    Some((Some(alias), held)) => (alias, held.trim().to_owned(), line),
                    _ => (writer.clone(), text, line),
                }
            })
            .collect()
    }

    /// Returns the alias of the participant with this alias or name, with or without `@`.
    fn seat(&self, word: &str) -> Option<String> {
        let word = word.trim().trim_matches('*').trim_start_matches('@');
        let mut seats = self.config.seats();
        let seat = seats.find(|alias| {
            alias.as_str().eq_ignore_ascii_case(word)
                || self.config.name_of(alias).eq_ignore_ascii_case(word)
        });
        seat.map(ToString::to_string)
    }

    /// Returns the first verdict with a true condition, or `None` if no verdict applies.
    ///
    /// # Errors
    /// Fails if an expression of the template fails.
    pub fn verdict(&self) -> Result<Option<Verdict>, SnapshotError> {
        for verdict in &self.template().result.verdict {
            let holds = match &verdict.when {
                Some(expr) => self.eval(expr)?.is_true(),
                None => true,
            };
            if holds {
                return Ok(Some(Verdict {
                    is: verdict.is.clone(),
                    with: verdict.with.clone(),
                    blocks: verdict.blocks,
                }));
            }
        }
        Ok(None)
    }

    /// Returns the template's named result values, as JSON.
    ///
    /// # Errors
    /// Fails if an expression of the template fails.
    pub fn values(&self) -> Result<IndexMap<String, Value>, SnapshotError> {
        let pairs = self.template().result.values.iter().map(|(name, expr)| {
            let value: JinjaValue = self.eval(expr)?;
            Ok((name.clone(), serde_json::to_value(&value).unwrap_or(Value::Null)))
        });
        pairs.collect()
    }
}
