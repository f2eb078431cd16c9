//! The current phase of a discussion, and all visits of phases.

use crate::template::Template;

/// One visit of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Index of the phase.
    pub phase: usize,
    /// Byte offset of its `PHASE` line; none for the first visit, which has no line.
    pub from: Option<usize>,
    /// True if a person chose this phase.
    pub by_person: bool,
    /// True if the visit contains a `VOTE-RESET` before any comment.
    pub reset: bool,
}

/// The current phase and all earlier visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhasePlace {
    /// All visits in order; the last is the current one.
    pub visits: Vec<Visit>,
    /// For each phase, the number of times it was entered since a person last chose a phase.
    pub entered: Vec<u32>,
}

impl PhasePlace {
    pub(super) fn start(template: &Template) -> Self {
        let mut entered = vec![0; template.phases.len()];
        if let Some(first) = entered.first_mut() {
            *first = 1;
        }
        Self {
            visits: vec![Visit { phase: 0, from: None, by_person: false, reset: false }],
            entered,
        }
    }

    pub(super) fn enter(&mut self, phase: usize, from: usize, by_person: bool) {
        if by_person {
            self.entered.iter_mut().for_each(|count| *count = 0);
        }
        self.entered[phase] += 1;
        self.visits.push(Visit { phase, from: Some(from), by_person, reset: false });
    }

    /// Returns the current visit.
    pub(crate) fn visit(&self) -> &Visit {
        &self.visits[self.visits.len() - 1]
    }

    /// Returns the index of the current visit.
    pub(crate) fn number(&self) -> usize {
        self.visits.len() - 1
    }

    /// Returns the index of the current phase.
    pub fn phase(&self) -> usize {
        self.visit().phase
    }
}
