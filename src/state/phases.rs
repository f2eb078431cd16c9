//! Which phase a discussion is in, and how often each was entered.

use crate::template::Template;

/// One stay in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Index of the phase.
    pub phase: usize,
    /// Byte offset of its `PHASE` line; none for the first visit, which has no line.
    pub from: Option<usize>,
    /// A person chose it.
    pub by_person: bool,
    /// A `VOTE-RESET` stands in it, before anything was said.
    pub reset: bool,
}

/// Where the discussion stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// All visits in order; the last is the current one.
    pub visits: Vec<Visit>,
    /// How often each phase was entered since a person last chose one.
    pub entered: Vec<u32>,
}

impl Place {
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

    /// The current visit.
    pub(crate) fn visit(&self) -> &Visit {
        &self.visits[self.visits.len() - 1]
    }

    /// Index of the current visit.
    pub(crate) fn number(&self) -> usize {
        self.visits.len() - 1
    }

    /// Index of the current phase.
    pub fn phase(&self) -> usize {
        self.visit().phase
    }
}
