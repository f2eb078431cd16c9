//! The state of the lists and the selection in each: the lists of discussions, participants and
//! providers, and those of an open discussion.

use std::collections::BTreeSet;
use std::time::Duration;

use discussions::view::{
    CheckedProvider, Definition, Found, Item, List, Listed, Persona, Personas, Provider,
    ProviderState, Status, Template,
};

use super::message::ActionError;
use super::panes::Pane;
use super::text::DiscussionText;

/// The state of all panes outside of a discussion.
#[derive(Debug)]
pub(super) struct Browser {
    pub(super) focus: Pane,
    pub(super) list: Option<List>,
    /// The discussions that are shown, as indices into the list. Those with a decision to look at again come first, then
    /// those that wait for people.
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
    fn lets(&self, texts: &[&str]) -> bool {
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
            let outcome = one.decided.summary();
            words.lets(&[
                &one.title,
                &one.name,
                &one.template,
                &one.phase,
                &one.phase_title,
                one.status.as_str(),
                &outcome,
            ]) || found.contains(one.file.as_str())
        };
        let mut order: Vec<usize> =
            all.filter(|(_, one)| is_shown(one)).map(|(at, _)| at).collect();
        // The list is already ordered by the time of the last change; the sort is stable.
        order.sort_by_key(|at| {
            let one = &list.discussions[*at];
            (one.first_due(), !one.waits_for_people)
        });
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

/// An open discussion.
#[derive(Debug)]
pub(super) struct OpenDiscussion {
    /// The name of the discussion.
    pub(super) file: String,
    pub(super) text: Option<DiscussionText>,
    /// True if a run is in progress, here or in another program.
    pub(super) running: bool,
    /// The reason why the discussion cannot be read now.
    pub(super) gone: Option<ActionError>,
    pub(super) focus: Pane,
    /// The selected rows in the lists of votes, questions, tasks and decisions.
    pub(super) at: [usize; 4],
    pub(super) filter: Filter,
}

/// A row in a list beside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PanelItem {
    /// `Q1`, `T2`, `D1`, `C3`; empty for a voter.
    pub(super) label: String,
    /// The state in one word; empty if there is nothing to report.
    pub(super) state: String,
    pub(super) text: String,
    /// The author.
    pub(super) by: String,
    /// True if nothing is left to do about it.
    pub(super) settled: bool,
    /// The line in the file.
    pub(super) line: Option<usize>,
}

impl OpenDiscussion {
    /// Creates the state of a discussion that was not read yet.
    pub(super) fn new(file: String) -> Self {
        let (text, gone, at, filter) = Default::default();
        Self { file, text, running: false, gone, focus: Pane::Text, at, filter }
    }

    /// Returns the status of the discussion.
    pub(super) fn status(&self) -> Option<&Status> {
        self.text.as_ref().map(|text| &text.shown.status)
    }

    /// Returns the index of a pane's list.
    pub(super) fn list_of(pane: Pane) -> Option<usize> {
        (pane as usize).checked_sub(Pane::Votes as usize)
    }

    /// Returns the rows of a list beside the text.
    pub(super) fn items(&self, pane: Pane) -> Vec<PanelItem> {
        let Some(status) = self.status() else { return Vec::new() };
        let of_filter = |item: &PanelItem| {
            self.focus != pane || self.filter.lets(&[&item.text, &item.by, &item.state])
        };
        let items: Vec<PanelItem> = match pane {
            Pane::Votes => votes(status),
            Pane::Questions => rows(status.questions()).collect(),
            Pane::Tasks => rows(status.tasks()).collect(),
            Pane::Decisions => decisions(status),
            _ => Vec::new(),
        };
        items.into_iter().filter(of_filter).collect()
    }

    /// Returns the selected row of a list beside the text.
    pub(super) fn chosen(&self, pane: Pane) -> Option<PanelItem> {
        let at = self.at[Self::list_of(pane)?];
        self.items(pane).into_iter().nth(at)
    }

    /// Returns the question that an answer is for: the selected one, or otherwise the first open one.
    pub(super) fn question(&self) -> Option<&Item> {
        let questions = self.status()?.questions();
        if self.focus == Pane::Questions {
            let label = self.chosen(Pane::Questions)?.label;
            return questions.iter().find(|one| label == one.label());
        }
        questions.iter().find(|one| one.is_open())
    }

    /// Returns the aliases and names that can be mentioned.
    pub(super) fn mentions(&self) -> Vec<String> {
        let people = self.status().map(|status| status.participants.as_slice()).unwrap_or_default();
        let handles = people.iter().filter_map(|one| {
            let name = one.name.to_lowercase();
            one.alias.clone().or_else(|| (!name.contains(' ')).then_some(name))
        });
        handles.chain(["all".to_owned()]).collect()
    }
}

fn votes(status: &Status) -> Vec<PanelItem> {
    // Background participants have no vote.
    let voting = status.participants.iter().filter(|one| one.kind.votes() || one.vote.is_some());
    let row = voting.map(|one| PanelItem {
        label: String::new(),
        state: one.vote.clone().unwrap_or_else(|| "-".to_owned()),
        text: one.name.clone(),
        by: one.reason.clone().unwrap_or_default(),
        settled: one.vote.is_some(),
        line: None,
    });
    row.collect()
}

/// Returns the rows of a kind.
fn rows(items: &[Item]) -> impl Iterator<Item = PanelItem> {
    items.iter().map(|one| PanelItem {
        label: one.label(),
        state: match &one.assignee {
            Some(who) if one.is_open() => format!("@{}", who.trim_start_matches('@')),
            _ => one.words().to_owned(),
        },
        text: one.text.clone(),
        by: one.author.to_string(),
        settled: !one.is_open(),
        line: Some(one.line),
    })
}

/// Returns decisions, followed by the items of other kinds.
fn decisions(status: &Status) -> Vec<PanelItem> {
    let decided = status.decided.decisions.iter().map(|one| PanelItem {
        label: one.label().unwrap_or_else(|| "-".to_owned()),
        state: match one.supporters.len() {
            0 => one.words().to_owned(),
            count => format!("{} +{count}", one.words()),
        },
        text: one.text.clone(),
        by: one.author.clone(),
        settled: one.is_over(),
        line: Some(one.line),
    });
    decided.chain(status.items.plain().flat_map(|(_, items)| rows(items))).collect()
}
