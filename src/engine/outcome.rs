//! What a discussion comes to: its status, its text, its verdict.

use indexmap::IndexMap;
use minijinja::Value as JinjaValue;
use serde_json::Value;

use super::snapshot::{Snapshot, SnapshotError};
use crate::state::{Consensus, Said, stated_agreement};
use crate::template::Method;
use crate::transcript::{EntryKind, Marker};

/// Derived but for `Closed`, which a person writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Still going on.
    Open,
    /// Agreed.
    Consensus,
    /// A vote blocks.
    Blocked,
    /// A person closed it.
    Closed,
}

impl Status {
    /// The word in JSON and for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "OPEN",
            Self::Consensus => "CONSENSUS",
            Self::Blocked => "BLOCKED",
            Self::Closed => "CLOSED",
        }
    }
}

/// Status and consensus.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The status.
    pub status: Status,
    /// What the votes come to; where votes decide nothing yet, nobody is missing and nothing reached.
    pub consensus: Consensus,
}

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
    /// Status and consensus by the rules of the discussion.
    pub fn standing(&self) -> Standing {
        let mut consensus = self.consensus().unwrap_or_default();
        let finished = self.is_finished();
        let verdict = self.verdict().ok().flatten().filter(|_| finished);
        if let Some(verdict) = &verdict {
            consensus.reached = !verdict.blocks;
        } else if finished {
            match self.config.rules.method {
                Method::Synthesis => {
                    consensus.reached = self.synthesis().is_some_and(|text| !text.trim().is_empty())
                }
                Method::Moderator => consensus.reached = self.decision().is_some(),
                Method::Thresholds | Method::Voting | Method::Unanimous | Method::Majority => {}
            }
        }
        if self.state.deciding(&self.config).is_none() {
            consensus.agreement = stated_agreement(&self.state.ballot);
        }
        let blocked =
            !consensus.blocked_by.is_empty() || verdict.is_some_and(|verdict| verdict.blocks);
        let status = match (self.state.closed, blocked, consensus.reached) {
            (true, ..) => Status::Closed,
            (_, true, _) => Status::Blocked,
            (_, _, true) => Status::Consensus,
            _ => Status::Open,
        };
        Standing { status, consensus }
    }

    /// The decision of whoever is asked for one; none while there is none.
    pub fn decision(&self) -> Option<&str> {
        let decides = |said: &&Said| self.template().phases[said.phase].decides();
        self.state.said.iter().rev().find(decides)?.mark(&Marker::Decision)
    }

    /// Whether nothing is left to do by the template.
    pub fn is_finished(&self) -> bool {
        matches!(super::next(self, usize::MAX), Ok(super::Step::Stop(super::Stop::Finished)))
    }

    /// The final text: the template's expression, else the last comment outside voting phases (INV-DISC-009).
    pub fn synthesis(&self) -> Option<String> {
        self.written_synthesis().or_else(|| {
            let voting = |phase: usize| self.template().phases[phase].voting_mode;
            let said = self.state.said.iter().rev().find(|said| !voting(said.phase))?;
            match &self.transcript.entries.get(said.entry)?.kind {
                EntryKind::Comment(comment) => Some(comment.body()),
                _ => None,
            }
        })
    }

    /// The final text by the template's own expression; none while it gives nothing.
    pub fn written_synthesis(&self) -> Option<String> {
        let text = self.template().result.synthesis.as_deref()?;
        let value = self.eval("result.synthesis", text).ok()?;
        value.as_str().map(str::to_owned).filter(|text| !text.trim().is_empty())
    }

    /// The first verdict whose condition holds; none when the template has none.
    ///
    /// # Errors
    /// When an expression of the template fails.
    pub fn verdict(&self) -> Result<Option<Verdict>, SnapshotError> {
        for verdict in &self.template().result.verdict {
            let holds = match &verdict.when {
                Some(text) => self.eval(&format!("verdict `{}`", verdict.is), text)?.is_true(),
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
        let pairs = self.template().result.values.iter().map(|(name, text)| {
            let value: JinjaValue = self.eval(&format!("result.values.{name}"), text)?;
            Ok((name.clone(), serde_json::to_value(&value).unwrap_or(Value::Null)))
        });
        pairs.collect()
    }
}
