//! A person's comment, from their words to the file.

use std::collections::BTreeSet;
use std::path::Path;

use super::Workspace;
use super::author::name;
use super::error::WorkspaceError;
use crate::codes::ProblemCode;
use crate::engine::{Snapshot, Spoken, spoken};
use crate::participant::Kind;
use crate::problem::Problem;
use crate::similarity::suggest;
use crate::state::handles;
use crate::store;
use crate::transcript::{
    BODY_LIMIT, Comment, Draft, EntryKind, Marker, MarkerSet, Name, NewComment, canon, is_agent,
    is_reserved, likeness, uncounted,
};
use crate::view::{NextStep, Status, Written};

/// What somebody wants to say.
#[derive(Clone, Debug)]
pub struct Remark {
    /// Who says it: a name, or a persona's alias with or without `@`.
    pub author: String,
    /// The text, as written.
    pub text: String,
    /// The vote, when it is given apart from the text.
    pub vote: Option<String>,
}

impl Workspace {
    /// Appends a person's comment, and says what it changed.
    ///
    /// # Errors
    /// An empty comment, one of more than [`BODY_LIMIT`] bytes, a name that passes for a participant's, a vote for what
    /// nobody offers, and a file that cannot be read or written; then nothing was written.
    pub fn comment(&self, path: &Path, remark: &Remark) -> Result<Written, WorkspaceError> {
        let author = name(remark.author.trim().trim_start_matches('@'))?;
        // A mention's alias speaks under its persona's name.
        let persona = self.setup.roster.by_name(&author);
        let author = persona.map_or(author, |persona| persona.name.clone());
        let is_person = self.is_person(&author);
        self.admit(&author)?;
        // Nothing is added to what cannot be read as it stands: nobody could say what it came to.
        let document = self.document(path)?;
        document.insist_exact()?;
        if persona.is_none() {
            insist_unlike(&document.text, &author)?;
        }
        // A model's answer would be cut, and says so; a person can still say it otherwise, and keeps the vote at the end.
        if remark.text.len() > BODY_LIMIT {
            return Err(WorkspaceError::TooLong {
                what: "the comment",
                unit: "bytes",
                length: remark.text.len(),
                most: BODY_LIMIT,
            });
        }
        let said = self.said(path, remark)?;
        if said.body.is_empty() && said.vote.is_none() {
            return Err(WorkspaceError::NothingSaid);
        }
        let comment = NewComment {
            vote: said.vote.clone(),
            said_at: is_person.then(|| self.now()),
            ..NewComment::by(author.clone(), said.body)
        };
        let receipt = self.append(path, &[Draft::Comment(comment)])?;
        let mut uncounted = uncounted(&remark.text, &MarkerSet::default());
        uncounted.extend(receipt.told());
        let mut written = Written {
            file: self.exactly(path),
            changed: true,
            author: Some(author.to_string()),
            is_person,
            vote: said.vote.map(|vote| vote.to_string()),
            notes: said.notes,
            uncounted,
            warnings: self.warn_of_secrets("the comment", &remark.text),
            summary: self.summarize(path),
            ..Written::default()
        };
        // The comment stands; what is wrong with the rest of the file is no reason to say that it failed.
        let _ = self.look_back(path, &mut written);
        Ok(written)
    }

    /// Returns the numbers of the open questions that are put to a person.
    ///
    /// # Errors
    /// A name that nobody can have, and a file that cannot be read.
    pub fn questions_to(&self, path: &Path, who: &str) -> Result<Vec<u32>, WorkspaceError> {
        let who = name(who)?;
        Ok(self.put_to(&self.snapshot(path)?, &who))
    }

    fn put_to(&self, snapshot: &Snapshot, who: &Name) -> Vec<u32> {
        let alias = self.setup.roster.by_name(who).map(|persona| persona.alias.to_string());
        let mut words: Vec<String> = handles(who).collect();
        words.extend(alias);
        let open = snapshot.state.questions.iter().filter(|question| question.waits_for_people());
        let to_them = |question: &&crate::state::Question| {
            question.people.iter().any(|person| words.contains(&person.to_lowercase()))
        };
        open.filter(to_them).map(|question| question.number).collect()
    }

    /// Returns what a person leaves open who was asked and did not answer with `A:`.
    fn left_open(&self, snapshot: &Snapshot, author: &str) -> Option<String> {
        let last = last_comment(snapshot)?;
        let marks = last.read(&snapshot.config.markers).marks;
        if last.body().is_empty() || marks.iter().any(|mark| mark.marker == Marker::Answer) {
            return None;
        }
        let open = self.put_to(snapshot, &Name::parse(author).ok()?);
        let first = open.first()?;
        let numbers: Vec<String> = open.iter().map(|one| format!("Q{one}")).collect();
        let (is, it) = if open.len() == 1 { ("is", "it") } else { ("are", "one") };
        Some(format!(
            "{} {is} still open; answer {it} with a line that begins with `A: Q{first}`",
            numbers.join(", ")
        ))
    }

    /// Returns whether a name is a person's: neither that of a program nor of a persona for whom a model speaks.
    pub(crate) fn is_person(&self, name: &Name) -> bool {
        let persona = self.setup.roster.by_name(name);
        !is_agent(name) && persona.is_none_or(|persona| persona.kind == Kind::Human)
    }

    /// Says of a comment that stands what only the whole file tells, and what can be done now.
    fn look_back(&self, path: &Path, written: &mut Written) -> Result<(), WorkspaceError> {
        let snapshot = self.snapshot(path)?;
        written.closed = snapshot.state.closed;
        written.uncounted.extend(self.called_in_vain(&snapshot));
        if let Some(author) = written.author.as_deref().filter(|_| written.is_person) {
            written.uncounted.extend(self.left_open(&snapshot, author));
        }
        let doubt = doubt_of_name(&snapshot);
        let in_vain = if doubt.is_some() { doubt } else { voted_in_vain(&snapshot) };
        written.vote_counts = written.vote.is_some() && in_vain.is_none();
        if written.vote_counts {
            let consensus = Status::of(&snapshot, written.file.clone()).consensus;
            written.consensus = consensus.outcome.filter(|_| consensus.reached);
        }
        if !written.closed {
            written.next = NextStep::all(&snapshot, &written.file);
        }
        written.uncounted.extend(in_vain);
        Ok(())
    }

    /// Mentions of the last comment that reach nobody, with whom they may mean.
    fn called_in_vain(&self, snapshot: &Snapshot) -> Vec<String> {
        let Some(last) = last_comment(snapshot) else { return Vec::new() };
        let unknown: BTreeSet<(usize, usize)> = (snapshot.state.problems.iter())
            .filter(|problem| problem.code == ProblemCode::MentionUnknown)
            .map(|problem| (problem.line, problem.column))
            .collect();
        let read = last.read(&snapshot.config.markers);
        let vain =
            read.mentions.into_iter().filter(|one| unknown.contains(&(one.line, one.column)));
        let known: Vec<&str> =
            self.setup.roster.iter().map(|member| member.persona.alias.as_str()).collect();
        let mut told: Vec<String> = Vec::new();
        for mention in vain {
            let why = format!("nobody is called `@{}`, so nobody is asked", mention.name);
            let near = suggest(&mention.name, known.iter().copied());
            let near = near.first().map(|near| format!("; did you mean `@{near}`?"));
            let why = why + near.as_deref().unwrap_or_default();
            if !told.contains(&why) {
                told.push(why);
            }
        }
        told
    }

    /// Whether somebody may speak or decide under a name.
    ///
    /// # Errors
    /// A name that passes for a participant's, or is the program's own; anybody else's if a model's program asks.
    pub(crate) fn admit(&self, name: &Name) -> Result<(), WorkspaceError> {
        self.insist_on_own_name(name)?;
        if self.setup.roster.by_name(name).is_none() && is_reserved(name) {
            return Err(WorkspaceError::Reserved(name.clone()));
        }
        match self.setup.roster.look_alike(name) {
            Some(persona) => {
                Err(WorkspaceError::LookAlike { name: name.clone(), persona: persona.name.clone() })
            }
            None => Ok(()),
        }
    }

    fn said(&self, path: &Path, remark: &Remark) -> Result<Spoken, WorkspaceError> {
        let votes = spoken(&remark.text, &[], &MarkerSet::default());
        if remark.vote.is_none() && votes.notes.is_empty() {
            return Ok(votes);
        }
        said_here(&self.snapshot(path)?, remark)
    }
}

/// Returns the comment that stands last in the file.
fn last_comment(snapshot: &Snapshot) -> Option<&Comment> {
    snapshot.transcript.entries.iter().rev().find_map(|entry| match &entry.kind {
        EntryKind::Comment(comment) => Some(comment),
        _ => None,
    })
}

/// Returns why the last comment does not count, if its name is nearly a participant's.
fn doubt_of_name(snapshot: &Snapshot) -> Option<String> {
    let name = &last_comment(snapshot)?.name;
    snapshot.state.doubted.contains(name).then_some(())?;
    let told = |problem: &&Problem| problem.code == ProblemCode::NameLookalike;
    snapshot.state.problems.iter().rfind(told).map(|problem| problem.message.clone())
}

/// Why the vote of the last comment does not count.
fn voted_in_vain(snapshot: &Snapshot) -> Option<String> {
    let line = snapshot.state.said.last().map_or(usize::MAX, |said| said.line);
    let told =
        |problem: &&Problem| problem.code == ProblemCode::VoteNotCounted && problem.line >= line;
    snapshot.state.problems.iter().rfind(told).map(|problem| problem.message.clone())
}

/// Insists that a name is not taken for another's who speaks in a discussion. Who spoke under it already may go on.
///
/// # Errors
/// [`WorkspaceError::Confusable`].
fn insist_unlike(text: &str, name: &Name) -> Result<(), WorkspaceError> {
    let look = likeness(name.as_str());
    let lines = text.lines().filter_map(|line| line.strip_prefix("Name: "));
    let mut names = lines.filter_map(|name| Name::parse(name.trim_end()).ok());
    // Few files hold such a name, and only those are read as what they are.
    if !names.any(|other| other != *name && likeness(other.as_str()) == look) {
        return Ok(());
    }
    let speakers = store::speakers(text);
    let other = speakers.iter().find(|other| likeness(other.as_str()) == look);
    match other.filter(|_| !speakers.contains(name)) {
        Some(other) => Err(WorkspaceError::Confusable { name: name.clone(), other: other.clone() }),
        None => Ok(()),
    }
}

/// What a text says where these options may be voted for.
fn said_here(snapshot: &Snapshot, remark: &Remark) -> Result<Spoken, WorkspaceError> {
    let options = snapshot.state.options(&snapshot.config);
    let Some(wanted) = &remark.vote else {
        return Ok(spoken(&remark.text, options, &snapshot.config.markers));
    };
    let vote = options.iter().find(|option| option.matches(wanted)).cloned().ok_or_else(|| {
        WorkspaceError::Vote {
            asked: wanted.clone(),
            options: options.iter().map(ToString::to_string).collect(),
        }
    })?;
    let said = spoken(&remark.text, options, &snapshot.config.markers);
    Ok(match said.vote {
        Some(other) if other != vote => {
            return Err(WorkspaceError::TwoVotes { given: vote, found: other });
        }
        Some(_) => said,
        None => Spoken {
            body: canon(&remark.text),
            vote: Some(vote),
            notes: said.notes.into_iter().map(|note| format!("{note}, in the text")).collect(),
        },
    })
}
