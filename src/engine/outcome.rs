//! What a template makes of a discussion: its text, its verdict, its values.

use indexmap::IndexMap;
use minijinja::Value as JinjaValue;
use serde_json::Value;

use super::snapshot::{Snapshot, SnapshotError};
use crate::state::Said;
use crate::transcript::{EntryKind, Marker};

/// The verdict that a template computes.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Its name.
    pub is: String,
    /// What goes with it.
    pub with: IndexMap<String, Value>,
    /// Whether it is a "no".
    pub blocks: bool,
}

impl Snapshot {
    /// The stated decision of whoever is asked for one; none while there is none.
    pub(crate) fn stated_decision(&self) -> Option<&str> {
        let decides = |said: &&Said| {
            self.template().phases[said.phase].decides() && self.state.was_asked_for(said)
        };
        self.state.said.iter().rev().find(decides)?.mark(&Marker::Decision)
    }

    /// The last text of whoever was asked to write or to decide, and its comment, once a phase asked for one.
    pub(crate) fn final_text(&self) -> Option<(&Said, String)> {
        let written = |said: &&Said| {
            let asked = said.turn.is_some() && !self.state.answers_aside(said);
            asked && self.template().phases[said.phase].decides()
        };
        let said = self.state.said.iter().rev().find(written)?;
        match &self.transcript.entries.get(said.entry)?.kind {
            EntryKind::Comment(comment) => Some((said, comment.body())),
            _ => None,
        }
    }

    /// The final text: the template's expression, else the last comment outside voting phases (INV-DISC-009).
    pub fn synthesis(&self) -> Option<String> {
        self.written_synthesis().or_else(|| {
            let voting = |phase: usize| self.template().phases[phase].voting_mode;
            let counts = |said: &&Said| !voting(said.phase) && self.state.was_asked_for(said);
            let said = self.state.said.iter().rev().find(counts)?;
            match &self.transcript.entries.get(said.entry)?.kind {
                EntryKind::Comment(comment) => Some(comment.body()),
                _ => None,
            }
        })
    }

    /// The final text by the template's own expression; none while it gives nothing.
    pub(crate) fn written_synthesis(&self) -> Option<String> {
        let value = self.eval(self.template().result.synthesis.as_ref()?).ok()?;
        value.as_str().map(str::to_owned).filter(|text| !text.trim().is_empty())
    }

    /// What the writer of the final text says that others still hold against it: alias or name, and what they hold.
    ///
    /// Whose it is stands at its beginning, as `AI-Security: ...`; where nobody is named there, it is the writer's. With
    /// the line of the text that says so, from 1.
    pub(crate) fn noted_dissent(&self) -> Vec<(String, String, usize)> {
        let value = self.template().result.dissent.as_ref().and_then(|expr| self.eval(expr).ok());
        let texts = value.iter().filter_map(|value| value.try_iter().ok()).flatten();
        let decides = |said: &&Said| {
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

    /// The alias of a participant by alias or name, with or without `@`.
    fn seat(&self, word: &str) -> Option<String> {
        let word = word.trim().trim_matches('*').trim_start_matches('@');
        let mut seats = self.config.seats();
        let seat = seats.find(|alias| {
            alias.as_str().eq_ignore_ascii_case(word)
                || self.config.name_of(alias).eq_ignore_ascii_case(word)
        });
        seat.map(ToString::to_string)
    }

    /// The first verdict whose condition holds; none when the template has none.
    ///
    /// # Errors
    /// When an expression of the template fails.
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

    /// The template's named result values, as JSON.
    ///
    /// # Errors
    /// When an expression of the template fails.
    pub fn values(&self) -> Result<IndexMap<String, Value>, SnapshotError> {
        let pairs = self.template().result.values.iter().map(|(name, expr)| {
            let value: JinjaValue = self.eval(expr)?;
            Ok((name.clone(), serde_json::to_value(&value).unwrap_or(Value::Null)))
        });
        pairs.collect()
    }
}
