//! The state of the browser: discussions, participants and providers, and the selection in each list.

use std::collections::BTreeSet;
use std::time::Duration;

use discussions::view::{
    CheckedProvider, Definition, Found, List, Listed, Persona, Personas, Provider, ProviderState,
    Template,
};

use super::panes::Pane;

/// The state of all panes outside of a discussion.
#[derive(Debug)]
pub(super) struct Browser {
    pub(super) focus: Pane,
    pub(super) list: Option<List>,
    /// The discussions that are shown, as indices into the list. Those that wait for people come first.
    pub(super) order: Vec<usize>,
    pub(super) people: Option<Personas>,
    pub(super) providers: Vec<Provider>,
    pub(super) states: Vec<CheckedProvider>,
    pub(super) templates: Vec<Template>,
    /// The provider that is being tested; an empty name means all.
    pub(super) pinged: Option<String>,
    pub(super) definition: Option<Definition>,
    pub(super) filter: Filter,
    /// The words of the filter, and the search results for them.
    pub(super) found: Option<(String, Vec<Found>)>,
    /// The selected row of each list.
    pub(super) at: [usize; 3],
    /// The scroll position of the detail pane.
    pub(super) scroll: usize,
    /// The time at which the list was read, and the duration of reading it.
    pub(super) read: Option<(Duration, Duration)>,
    /// True while the list is being read.
    pub(super) reading: bool,
}

/// A filter: only items that contain the words are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) words: String,
    /// True while keys are added to the words.
    pub(super) typing: bool,
}

impl Filter {
    pub(super) fn is_on(&self) -> bool {
        self.typing || !self.words.is_empty()
    }

    /// Returns whether any of the texts contains the words, in upper or lower case.
    pub(super) fn lets(&self, texts: &[&str]) -> bool {
        let words = self.words.trim().to_lowercase();
        words.is_empty() || texts.iter().any(|text| text.to_lowercase().contains(&words))
    }
}

impl Default for Browser {
    fn default() -> Self {
        Self {
            focus: Pane::Discussions,
            list: None,
            order: Vec::new(),
            people: None,
            providers: Vec::new(),
            states: Vec::new(),
            templates: Vec::new(),
            pinged: None,
            definition: None,
            filter: Filter::default(),
            found: None,
            at: [0; 3],
            scroll: 0,
            read: None,
            reading: false,
        }
    }
}

impl Browser {
    /// Returns the selected discussion.
    pub(super) fn chosen(&self) -> Option<&Listed> {
        let at = self.order.get(self.at[0])?;
        self.list.as_ref()?.discussions.get(*at)
    }

    /// Returns the search result in a discussion.
    pub(super) fn place(&self, file: &str) -> Option<&Found> {
        self.found.as_ref()?.1.iter().find(|found| found.file == file)
    }

    /// Replaces the list and keeps the selection.
    pub(super) fn renew(&mut self, list: List) {
        let chosen = self.chosen().map(|one| one.file.clone());
        self.list = Some(list);
        self.choose(chosen.as_deref());
    }

    /// Updates which discussions are shown, and selects `file` if it is among them.
    pub(super) fn choose(&mut self, file: Option<&str>) {
        let Some(list) = &self.list else { return };
        let words = match self.focus {
            Pane::People | Pane::Providers => Filter::default(),
            _ => self.filter.clone(),
        };
        let found: BTreeSet<&str> = match &self.found {
            Some((asked, found)) if *asked == words.words.trim() => {
                found.iter().map(|found| found.file.as_str()).collect()
            }
            _ => BTreeSet::new(),
        };
        let all = list.discussions.iter().enumerate();
        let is_shown = |one: &Listed| {
            let outcome = one.outcome.as_deref().unwrap_or_default();
            words.lets(&[
                &one.title,
                &one.name,
                &one.template,
                &one.phase,
                &one.phase_title,
                one.status.as_str(),
                outcome,
            ]) || found.contains(one.file.as_str())
        };
        let mut order: Vec<usize> =
            all.filter(|(_, one)| is_shown(one)).map(|(at, _)| at).collect();
        // The list is already ordered by the time of the last change; the sort is stable.
        order.sort_by_key(|at| !list.discussions[*at].waits_for_people);
        let place =
            file.and_then(|file| order.iter().position(|at| list.discussions[*at].file == file));
        self.order = order;
        let last = self.order.len().saturating_sub(1);
        self.at[0] = place.unwrap_or(self.at[0]).min(last);
    }

    /// Returns all personas that are shown, those with invalid definitions first.
    pub(super) fn personas(&self) -> Vec<Somebody<'_>> {
        let broken = self.people.iter().flat_map(|people| &people.broken);
        let broken = broken.map(|one| Somebody::Broken { alias: &one.alias, error: &one.error });
        let usable = self.people.iter().flat_map(|people| &people.personas).map(Somebody::Usable);
        let is_wanted = |one: &Somebody<'_>| {
            let texts = match one {
                Somebody::Usable(one) => [&*one.alias, &*one.name, &*one.role],
                Somebody::Broken { alias, error } => [*alias, *error, ""],
            };
            self.focus != Pane::People || self.filter.lets(&texts)
        };
        broken.chain(usable).filter(is_wanted).collect()
    }

    /// Returns all providers that are shown, with their states if known. Those that can answer come first.
    pub(super) fn answering(&self) -> Vec<(&Provider, Option<&ProviderState>)> {
        let state = |name: &str| {
            let known = self.states.iter().find(|one| one.name == name);
            known.map(|one| &one.state)
        };
        let is_wanted = |one: &&Provider| {
            self.focus != Pane::Providers || self.filter.lets(&[&one.name, &one.description])
        };
        let all = self.providers.iter().filter(is_wanted);
        let mut all: Vec<_> = all.map(|one| (one, state(&one.name))).collect();
        all.sort_by_key(|(_, known)| match known {
            Some(ProviderState::Ready { .. } | ProviderState::Answers { .. }) => 0,
            Some(ProviderState::NotTrusted) | None => 1,
            Some(_) => 2,
        });
        all
    }

    /// Selects a provider by its name.
    pub(super) fn choose_provider(&mut self, name: Option<&str>) {
        let all = self.answering();
        let place = name.and_then(|name| all.iter().position(|(one, _)| one.name == name));
        let last = all.len().saturating_sub(1);
        self.at[2] = place.unwrap_or(self.at[2]).min(last);
    }

    /// Returns the selected persona.
    pub(super) fn person(&self) -> Option<Somebody<'_>> {
        self.personas().get(self.at[1]).copied()
    }

    /// Returns the selected provider.
    pub(super) fn provider(&self) -> Option<(&Provider, Option<&ProviderState>)> {
        self.answering().get(self.at[2]).copied()
    }

    /// Returns the index of a pane's list, and the length of that list.
    pub(super) fn list_of(&self, pane: Pane) -> Option<(usize, usize)> {
        match pane {
            Pane::Discussions => Some((0, self.order.len())),
            Pane::People => Some((1, self.personas().len())),
            Pane::Providers => Some((2, self.answering().len())),
            _ => None,
        }
    }
}

/// A persona with a valid or an invalid definition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Somebody<'b> {
    Usable(&'b Persona),
    /// An invalid definition, with its error.
    Broken {
        alias: &'b str,
        error: &'b str,
    },
}

impl<'b> Somebody<'b> {
    /// Returns the alias that mentions the persona.
    pub(super) fn alias(self) -> &'b str {
        match self {
            Self::Usable(one) => &one.alias,
            Self::Broken { alias, .. } => alias,
        }
    }
}

/// Returns the first visible row of a list. The selected row is in the middle if possible.
pub(super) fn first_row(chosen: usize, length: usize, rows: usize) -> usize {
    chosen.saturating_sub(rows / 2).min(length.saturating_sub(rows))
}
