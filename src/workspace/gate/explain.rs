//! Decides who answers for a new block: its author, a message, a receipt, a run, or an acceptance. Pure.

use std::collections::{HashMap, HashSet};

use super::super::people::{People, fold};
use super::version::{Version, is_agent_name};
use crate::engine::Snapshot;
use crate::state::{Speaker, is_report};
use crate::store::{AddedBlock, BlockText, Commit, CommitWords, DiscussionBlock};
use crate::transcript::{Control, Name};

/// The kind of the author behind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    Person,
    Model,
    /// A coding agent that is no participant.
    Agent,
    /// The program itself.
    Report,
}

/// The reason why a new block may stand under its name.
#[derive(Clone, Debug)]
pub(super) enum Explanation<'w> {
    /// Its author committed it, or nobody can say it is somebody else's.
    Own,
    /// A message names the author.
    Vouched(&'w Commit),
    /// A run wrote it.
    Run,
    /// It replaces another text, and somebody accepted that.
    Accepted,
    /// It moved here from another discussion, and has no effect.
    Moved,
}

/// The commits to judge, with what their messages say.
#[derive(Debug)]
pub(super) struct JudgedCommits<'w> {
    /// The words of each commit, oldest first. A change that is not committed comes last, with an empty id.
    pub(super) words: &'w [CommitWords],
    /// The people for whom a message says that their words were recorded, folded, with the commit.
    pub(super) recorded: &'w HashMap<String, &'w Commit>,
    /// The ids of commits at which a shallow clone cuts the history off; nobody knows who added their words.
    pub(super) boundaries: &'w HashSet<String>,
}

/// Returns the people for whom messages say that their words were recorded, folded, with the last such commit.
pub(super) fn recorded_people<'w>(
    commits: impl Iterator<Item = &'w Commit>,
) -> HashMap<String, &'w Commit> {
    let mut recorded = HashMap::new();
    for commit in commits {
        for name in commit.recorded_for() {
            recorded.insert(fold(name), commit);
        }
    }
    recorded
}

impl<'w> JudgedCommits<'w> {
    /// Returns the commits that add a block to a discussion, newest first, each as often as it adds it.
    pub(super) fn adding<'t>(
        &self,
        text: &'t BlockText,
        place: Place<'t>,
    ) -> impl Iterator<Item = &'w CommitWords> + use<'w, 't> {
        self.words.iter().rev().flat_map(move |words| {
            let added = words.added.get(text).filter(|added| place.is_of(added));
            std::iter::repeat_n(words, added.map_or(0, |added| added.count))
        })
    }

    /// Returns the last commit that loses a block of a discussion.
    pub(super) fn losing(&self, text: &BlockText, place: Place<'_>) -> Option<&'w CommitWords> {
        let loses =
            |words: &&CommitWords| words.lost.get(text).is_some_and(|lost| place.is_of(lost));
        self.words.iter().rev().find(loses)
    }

    /// Returns the explanation for a block in a person's name. `copy` is its number among equal new blocks, from 0.
    pub(super) fn explain(
        &self,
        people: &People,
        name: &str,
        text: &BlockText,
        place: Place<'_>,
        copy: usize,
    ) -> Option<Explanation<'w>> {
        let mut adding = self.adding(text, place).peekable();
        let is_known_commit = adding.peek().is_some();
        if let Some(words) = self.adding(text, place).nth(copy)
            && (people.is(name, &words.commit.author) || self.boundaries.contains(&words.commit.id))
        {
            return Some(Explanation::Own);
        }
        let vouches = |words: &&CommitWords| {
            words.commit.co_authors().any(|author| {
                fold(&author.name) == fold(name)
                    || !author.email.is_empty() && people.is(name, &author)
            })
        };
        let vouched = adding.find(vouches).map(|words| &words.commit);
        let vouched = vouched.or_else(|| self.recorded.get(&fold(name)).copied());
        // Nobody knows the words of a commit that is not here, or not whole.
        let is_cut = !self.boundaries.is_empty() || self.words.iter().any(|it| it.is_partial);
        if !is_known_commit && is_cut && vouched.is_none() {
            return Some(Explanation::Own);
        }
        vouched.map(Explanation::Vouched)
    }
}

/// The place of a discussion: words count for it only from a file with its topic or at its path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'v> {
    pub(super) topic: &'v BlockText,
    pub(super) path: &'v [u8],
}

impl<'v> Place<'v> {
    pub(super) fn of(version: &'v Version) -> Self {
        Self { topic: version.topic(), path: &version.path }
    }

    pub(super) fn is_of(self, block: &AddedBlock) -> bool {
        block.topics.contains(self.topic) || block.paths.contains(self.path)
    }
}

/// Returns the kind of a name. A known person stays a person, even if the head of a discussion makes the name a
/// participant's.
pub(super) fn kind_of(
    name: &str,
    snapshot: Option<&Snapshot>,
    people: &People,
    is_persona: &dyn Fn(&Name) -> bool,
) -> NameKind {
    let Ok(parsed) = Name::parse(name) else { return NameKind::Person };
    if is_report(&parsed) {
        return NameKind::Report;
    }
    if is_agent_name(name) {
        return NameKind::Agent;
    }
    let Some(snapshot) = snapshot else {
        return if is_persona(&parsed) { NameKind::Model } else { NameKind::Person };
    };
    let config = &snapshot.config;
    match config.by_name(&parsed) {
        Some(persona) if !config.is_person(&Speaker::Persona(persona.alias.clone())) => {
            let is_model = is_persona(&parsed) && !people.lists(name) || !people.know(name);
            if is_model { NameKind::Model } else { NameKind::Person }
        }
        _ => NameKind::Person,
    }
}

/// The traces of runs in a version.
#[derive(Debug, Default)]
pub(super) struct RunTraces {
    /// The numbers of all turns.
    turns: HashSet<u32>,
    /// True if the new blocks contain what a run writes after a call: an answer with a receipt, a failure.
    has_run: bool,
    /// How often each receipt occurs.
    receipts: HashMap<String, usize>,
}

impl RunTraces {
    /// Finds the traces. `new` are the new blocks.
    pub(super) fn of(version: &Version, new: &[&DiscussionBlock]) -> Self {
        let mut traces = Self::default();
        for block in &version.blocks {
            if let Some(Control::Turn(turn)) = version.control(block) {
                traces.turns.insert(turn.number);
            }
            if let Some(receipt) = receipt_of(version, block) {
                *traces.receipts.entry(receipt.to_owned()).or_default() += 1;
            }
        }
        let is_turn = |turn: Option<u32>| turn.is_some_and(|turn| traces.turns.contains(&turn));
        traces.has_run = new.iter().any(|block| match version.control(block) {
            Some(Control::Failed(failed)) => is_turn(failed.turn),
            Some(Control::Pass(pass)) => pass.spent.provider.is_some() && is_turn(pass.turn),
            Some(_) => false,
            None => {
                let comment = version.comment(block);
                let reply = comment.and_then(|comment| comment.reply.as_ref());
                reply.is_some_and(|reply| is_turn(reply.turn))
                    && traces.has_own_receipt(version, block)
            }
        });
        traces
    }

    /// Returns true if a run stands among the new blocks.
    pub(super) fn has_run(&self) -> bool {
        self.has_run
    }

    /// Returns true if a block has a receipt that no other block has.
    pub(super) fn has_own_receipt(&self, version: &Version, block: &DiscussionBlock) -> bool {
        receipt_of(version, block).is_some_and(|receipt| self.receipts.get(receipt) == Some(&1))
    }
}

/// Returns the line with the receipt of a block.
fn receipt_of<'v>(version: &'v Version, block: &DiscussionBlock) -> Option<&'v str> {
    version.comment(block)?.reply.as_ref()?;
    version.own(block).lines().find(|line| line.starts_with("<!-- REPLY "))
}
