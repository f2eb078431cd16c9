//! All discussions, who can take part, what can answer: what is known and what is chosen.

use std::collections::BTreeSet;
use std::time::Duration;

use discussions::view::{
    CheckedProvider, Definition, Found, List, Listed, Persona, Personas, Provider, ProviderState,
    Template,
};

use super::panes::Pane;

/// All discussions and what stands beside them.
#[derive(Debug)]
pub(super) struct Browser {
    pub(super) focus: Pane,
    pub(super) list: Option<List>,
    /// The discussions that are shown, as indices into the list: what waits for people first.
    pub(super) order: Vec<usize>,
    pub(super) people: Option<Personas>,
    pub(super) providers: Vec<Provider>,
    pub(super) states: Vec<CheckedProvider>,
    pub(super) templates: Vec<Template>,
    /// Who is asked a small question now; an empty name is everybody.
    pub(super) pinged: Option<String>,
    pub(super) definition: Option<Definition>,
    pub(super) filter: Filter,
    /// What was found for the words of the filter, and in how many places.
    pub(super) found: Option<(String, Vec<Found>)>,
    /// What is chosen in each list.
    pub(super) at: [usize; 3],
    /// How far the pane beside is scrolled.
    pub(super) scroll: usize,
    /// When the list was read, and how long that took.
    pub(super) read: Option<(Duration, Duration)>,
    /// Whether it is read now.
    pub(super) reading: bool,
}

/// Words that something has to hold to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) words: String,
    /// Keys go to it.
    pub(super) typing: bool,
}

impl Filter {
    pub(super) fn is_on(&self) -> bool {
        self.typing || !self.words.is_empty()
    }

    /// Whether a text holds the words, in any case.
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
    /// The discussion that is chosen.
    pub(super) fn chosen(&self) -> Option<&Listed> {
        let at = self.order.get(self.at[0])?;
        self.list.as_ref()?.discussions.get(*at)
    }

    /// The place that was found in a discussion.
    pub(super) fn place(&self, file: &str) -> Option<&Found> {
        self.found.as_ref()?.1.iter().find(|found| found.file == file)
    }

    /// A new list; what was chosen stays chosen.
    pub(super) fn renew(&mut self, list: List) {
        let chosen = self.chosen().map(|one| one.file.clone());
        self.list = Some(list);
        self.choose(chosen.as_deref());
    }

    /// Chooses what is shown; `file` is what is to be chosen.
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
        // They come by how long ago they were changed.
        order.sort_by_key(|at| !list.discussions[*at].waits_for_people);
        let place =
            file.and_then(|file| order.iter().position(|at| list.discussions[*at].file == file));
        self.order = order;
        let last = self.order.len().saturating_sub(1);
        self.at[0] = place.unwrap_or(self.at[0]).min(last);
    }

    /// Everybody who is shown: first those whose definition is to be mended.
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

    /// Every provider that is shown, with its state where that is known; those that can answer first.
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

    /// Chooses a provider again by its name.
    pub(super) fn choose_provider(&mut self, name: Option<&str>) {
        let all = self.answering();
        let place = name.and_then(|name| all.iter().position(|(one, _)| one.name == name));
        let last = all.len().saturating_sub(1);
        self.at[2] = place.unwrap_or(self.at[2]).min(last);
    }

    /// Who is chosen.
    pub(super) fn person(&self) -> Option<Somebody<'_>> {
        self.personas().get(self.at[1]).copied()
    }

    /// Which provider is chosen.
    pub(super) fn provider(&self) -> Option<(&Provider, Option<&ProviderState>)> {
        self.answering().get(self.at[2]).copied()
    }

    /// The list of a pane: which of the three, and how long it is.
    pub(super) fn list_of(&self, pane: Pane) -> Option<(usize, usize)> {
        match pane {
            Pane::Discussions => Some((0, self.order.len())),
            Pane::People => Some((1, self.personas().len())),
            Pane::Providers => Some((2, self.answering().len())),
            _ => None,
        }
    }
}

/// Somebody who is defined.
#[derive(Clone, Copy, Debug)]
pub(super) enum Somebody<'b> {
    Usable(&'b Persona),
    /// Their definition cannot be used, and why.
    Broken {
        alias: &'b str,
        error: &'b str,
    },
}

impl<'b> Somebody<'b> {
    /// The word that mentions them.
    pub(super) fn alias(self) -> &'b str {
        match self {
            Self::Usable(one) => &one.alias,
            Self::Broken { alias, .. } => alias,
        }
    }
}

/// The first row that is shown of a list, where the one that is chosen stands in the middle as long as it can.
pub(super) fn first_row(chosen: usize, length: usize, rows: usize) -> usize {
    chosen.saturating_sub(rows / 2).min(length.saturating_sub(rows))
}
