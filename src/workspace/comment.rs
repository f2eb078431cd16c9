//! Writes a person's comment to the file.

use std::collections::BTreeSet;
use std::path::Path;

use super::Discussions;
use super::environment::name;
use super::error::{Help, WorkspaceError};
use crate::codes::ProblemCode;
use crate::engine::{ItemState, ParsedComment, Snapshot, Standing, parse_comment};
use crate::participant::ParticipantKind;
use crate::problem::Problem;
use crate::similarity::suggest;
use crate::state::handles;
use crate::store::{self, Document, Excerpt, Receipt, StoreError};
use crate::transcript::{
    BODY_LIMIT, Choice, Comment, Control, Draft, EntryKind, Marker, MarkerSet, Name, NewComment,
    canon, is_agent, is_reserved, likeness, uncounted,
};
use crate::view::{NextStep, Status, Written};

/// A comment to write.
#[derive(Clone, Debug)]
pub struct CommentRequest {
    /// The author: a name, or a persona's alias with or without `@`.
    pub author: String,
    /// The text, as written.
    pub text: String,
    /// The vote, if it is given separately from the text.
    pub vote: Option<String>,
}

impl Discussions<'_> {
    /// Appends a person's comment, and reports its effects.
    ///
    /// # Errors
    /// Fails if the comment is empty or longer than 1 MiB, if the name resembles a participant's, if the vote is not
    /// for an option, or if the file cannot be read or written. Then nothing was written.
    pub fn comment(&self, path: &Path, remark: &CommentRequest) -> Result<Written, WorkspaceError> {
        let author = name(remark.author.trim().trim_start_matches('@'))?;
        // If the author is given by alias, the comment is written under the persona's name.
        let persona = self.setup.roster.by_name(&author);
        let author = persona.map_or(author, |persona| persona.name.clone());
        let is_person = self.is_person(&author);
        self.admit(&author)?;
        // Nothing is appended to an unreadable file, because the effect of the comment could not be reported.
        let excerpt = self.excerpt(path)?;
        excerpt.document.insist_exact()?;
        if let Some(line) = store::conflict(&excerpt.document.text) {
            return Err(StoreError::Conflict { path: path.to_owned(), line }.into());
        }
        if persona.is_none() {
            insist_unlike(&excerpt.document.text, &author)?;
        }
        // A model's answer would be cut, with a note. A person can shorten the text, and keep the vote at its end.
        if remark.text.len() > BODY_LIMIT {
            let length = remark.text.len();
            return Err(WorkspaceError::too_long("the comment", length, BODY_LIMIT, "bytes"));
        }
        let said = self.parse_remark(&excerpt, remark)?;
        if said.body.is_empty() && said.vote.is_none() {
            return Err(WorkspaceError::empty_comment());
        }
        let comment = NewComment {
            vote: said.vote.clone(),
            said_at: is_person.then(|| self.now()),
            ..NewComment::by(author.clone(), said.body)
        };
        let receipt = self.append(path, &[Draft::Comment(comment)])?;
        let mut uncounted = uncounted(&remark.text, &MarkerSet::default());
        uncounted.extend(receipt.warning());
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
            end_only: !excerpt.is_whole,
            ..Written::default()
        };
        // The comment is written by now, so a problem with the rest of the file must not look like a failure.
        let _ = self
            .with(excerpt, path, &receipt)
            .and_then(|now| self.look_back(path, &now, &mut written));
        Ok(written)
    }

    /// Returns the text that was read, with the appended block. If another process changed the file meanwhile, reads it
    /// again.
    fn with(
        &self,
        before: Excerpt,
        path: &Path,
        receipt: &Receipt,
    ) -> Result<Excerpt, WorkspaceError> {
        if receipt.offset != before.length {
            return self.excerpt(path);
        }
        let text = format!("{}{}", before.document.text, receipt.added).into();
        Ok(Excerpt { document: Document { text, ..before.document }, ..before })
    }

    /// Returns the status of a discussion, and the numbers of the open questions for a person.
    ///
    /// # Errors
    /// Fails if the name is invalid, or if the file cannot be read.
    pub fn status_for(&self, path: &Path, who: &str) -> Result<(Status, Vec<u32>), WorkspaceError> {
        let who = name(who)?;
        let snapshot = self.snapshot(path)?;
        let status = Status::of(&snapshot, self.exactly(path), self.now());
        Ok((status, self.put_to(&snapshot, &who)))
    }

    fn put_to(&self, snapshot: &Snapshot, who: &Name) -> Vec<u32> {
        let alias = self.setup.roster.by_name(who).map(|persona| persona.alias.to_string());
        let mut words: Vec<String> = handles(who).collect();
        words.extend(alias);
        let open = snapshot.state.questions().iter().filter(|question| question.waits_for_people());
        let to_them = |question: &&crate::state::Item| {
            question.people.iter().any(|person| words.contains(&person.to_lowercase()))
        };
        open.filter(to_them).map(|question| question.number).collect()
    }

    /// Returns a note about a person's open questions, if their comment contains no `A:`.
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

    /// Returns true if a name is a person's: neither a program's nor that of a persona for which a model answers.
    pub(crate) fn is_person(&self, name: &Name) -> bool {
        let persona = self.setup.roster.by_name(name);
        !is_agent(name) && persona.is_none_or(|persona| persona.kind == ParticipantKind::Human)
    }

    /// Reports the effects of a comment on the discussion, and the next steps. Effects that depend on all earlier
    /// comments, such as votes, question numbers and the next step, are reported only if the whole file was read.
    fn look_back(
        &self,
        path: &Path,
        now: &Excerpt,
        written: &mut Written,
    ) -> Result<(), WorkspaceError> {
        let snapshot = self.snapshot_of(&now.document)?;
        written.closed = snapshot.state.closed;
        written.is_about_end = last_comment(&snapshot).is_some_and(|last| {
            let marks = last.read(&snapshot.config.markers).marks;
            !marks.is_empty() && marks.iter().all(|mark| mark.marker.is_about_end())
        });
        written.uncounted.extend(self.called_in_vain(&snapshot));
        let doubt = doubt_of_name(&snapshot);
        if !now.is_whole {
            written.uncounted.extend(doubt);
            return Ok(());
        }
        written.uncounted.extend(notes_in_vain(&snapshot));
        if let Some(author) = written.author.as_deref().filter(|_| written.is_person) {
            written.uncounted.extend(self.left_open(&snapshot, author));
        }
        written.hints.extend(proposed(&snapshot));
        let in_vain = if doubt.is_some() { doubt } else { voted_in_vain(&snapshot) };
        written.vote_counts = written.vote.is_some() && in_vain.is_none();
        if written.vote_counts {
            let status = Status::of(&snapshot, written.file.clone(), self.now());
            written.agreed = status.agreeing_names();
            written.blocked_by = status.consensus.blocked_by;
            written.consensus = status.consensus.outcome.filter(|_| status.consensus.reached);
        }
        if !written.closed {
            written.next = NextStep::all(&snapshot, &written.file);
        }
        if written.vote_counts
            && let Some(author) = written.author.as_deref().filter(|_| written.is_person)
            && snapshot.end_of_vote(author, self.now()).is_some()
        {
            // If this fails, the next run writes the record.
            let _ = self.record_end_by_vote(path, author);
        }
        written.uncounted.extend(in_vain);
        written.uncounted.extend(unknown_numbers(&snapshot));
        Ok(())
    }

    /// Returns a message for each mention in the last comment that matches no participant, with suggestions.
    fn called_in_vain(&self, snapshot: &Snapshot) -> Vec<String> {
        let Some(last) = last_comment(snapshot) else { return Vec::new() };
        let unknown: BTreeSet<(usize, usize)> = (snapshot.state.problems.iter())
            .filter(|problem| problem.code == ProblemCode::MentionUnknown)
            .map(|problem| (problem.line, problem.column))
            .collect();
        let read = last.read(&snapshot.config.markers);
        // If a question mentions a name that resembles no participant's, it is meant for a person and waits for them.
        let questions = snapshot.state.questions().iter();
        let people: BTreeSet<String> =
            questions.flat_map(|question| &question.people).map(|it| it.to_lowercase()).collect();
        let vain =
            read.mentions.into_iter().filter(|one| unknown.contains(&(one.line, one.column)));
        let known: Vec<&str> =
            self.setup.roster.iter().map(|member| member.persona.alias.as_str()).collect();
        let mut told: Vec<String> = Vec::new();
        for mention in vain {
            let why = format!(
                "no participant is called `@{}`, so no model answers this mention",
                mention.name
            );
            let near = suggest(&mention.name, known.iter().copied());
            if near.is_empty() && people.contains(&mention.name.to_lowercase()) {
                continue;
            }
            let near = near.first().map(|near| format!("; did you mean `@{near}`?"));
            let why = why + near.as_deref().unwrap_or_default();
            if !told.contains(&why) {
                told.push(why);
            }
        }
        told
    }

    /// Ensures that a name may be used for comments and decisions.
    ///
    /// # Errors
    /// Fails if the name looks like a participant's, or is reserved for the program. For a model's program, also fails
    /// for any other name than its own.
    pub(crate) fn admit(&self, name: &Name) -> Result<(), WorkspaceError> {
        self.insist_on_own_name(name)?;
        if self.setup.roster.by_name(name).is_none() && is_reserved(name) {
            return Err(WorkspaceError::refuse(format!(
                "`{name}` is reserved for the program, so its comments would not count"
            ))
            .with_help(Help::OtherName));
        }
        match self.setup.roster.look_alike(name) {
            Some(persona) => Err(WorkspaceError::refuse(format!(
                "the name `{name}` looks like participant {}, so it would not count",
                persona.name
            ))
            .with_help(Help::OtherName)),
            None => Ok(()),
        }
    }

    fn parse_remark(
        &self,
        excerpt: &Excerpt,
        remark: &CommentRequest,
    ) -> Result<ParsedComment, WorkspaceError> {
        let votes = parse_comment(&remark.text, &[], &MarkerSet::default());
        if remark.vote.is_none() && votes.notes.is_empty() {
            return Ok(votes);
        }
        let snapshot = self.snapshot_of(&excerpt.document)?;
        let options = snapshot.state.options(&snapshot.config);
        if excerpt.is_whole && remark.vote.is_some() {
            insist_on_ballot(&snapshot)?;
        }
        if excerpt.is_whole || is_phase_known(&snapshot) {
            return said_here(options, &snapshot.config.markers, remark);
        }
        let mut all: Vec<Choice> = Vec::new();
        for option in snapshot.config.options.iter().flatten() {
            if !all.contains(option) {
                all.push(option.clone());
            }
        }
        said_here(&all, &snapshot.config.markers, remark)
    }
}

/// Returns true if an excerpt tells in which phase the discussion is.
fn is_phase_known(excerpt: &Snapshot) -> bool {
    let entries = &excerpt.transcript.entries;
    let is_phase = |kind: &EntryKind| matches!(kind, EntryKind::Control(Control::Phase(_)));
    excerpt.template().phases.len() == 1 || entries.iter().any(|entry| is_phase(&entry.kind))
}

/// Returns the last comment in the file.
fn last_comment(snapshot: &Snapshot) -> Option<&Comment> {
    snapshot.transcript.entries.iter().rev().find_map(|entry| match &entry.kind {
        EntryKind::Comment(comment) => Some(comment),
        _ => None,
    })
}

/// Returns the reason why the last comment does not count, if its author's name resembles a participant's.
fn doubt_of_name(snapshot: &Snapshot) -> Option<String> {
    let name = &last_comment(snapshot)?.name;
    snapshot.state.doubted.contains(name).then_some(())?;
    let told = |problem: &&Problem| problem.code == ProblemCode::NameLookalike;
    snapshot.state.problems.iter().rfind(told).map(|problem| problem.message.clone())
}

/// Returns how a proposal of the last comment becomes a decision; `None` if the comment states none, or decides.
fn proposed(snapshot: &Snapshot) -> Option<String> {
    let said = snapshot.state.said.last()?;
    let is_comment = |kind: &EntryKind| matches!(kind, EntryKind::Comment(_));
    let last = snapshot.transcript.entries.iter().rposition(|entry| is_comment(&entry.kind));
    if last != Some(said.entry) {
        return None;
    }
    let mark = said.marks.iter().find(|mark| mark.marker == Marker::Decision)?;
    let outcome = snapshot.outcome();
    let mut items = outcome.items.iter();
    let item = items.find(|item| item.line == mark.line && item.state == ItemState::Proposed)?;
    let label = item.label()?;
    let how = if snapshot.config.is_person(&said.speaker) {
        "closing the discussion adopts it".to_owned()
    } else {
        format!("a person adopts it with `+1 {label}`, and closes the discussion")
    };
    let stays = match outcome.standing {
        Standing::Open => String::new(),
        _ => format!("; until then the outcome stays: {}", outcome.words()),
    };
    Some(format!("{label} is a proposal: {how}{stays}"))
}

/// Ensures that the current phase has the options of the ballot. Otherwise a person's choice would not count.
///
/// # Errors
/// Fails if the options differ.
fn insist_on_ballot(snapshot: &Snapshot) -> Result<(), WorkspaceError> {
    let Some(ballot) = snapshot.ballot_phase() else { return Ok(()) };
    if snapshot.config.options[ballot] == snapshot.state.options(&snapshot.config) {
        return Ok(());
    }
    let ballot = &snapshot.template().phases[ballot];
    Err(WorkspaceError::refuse(format!(
        "no vote counts in the phase `{}`; the ballot is in the phase `{}`",
        snapshot.phase().title(),
        ballot.title()
    )))
}

/// Returns the problems of the numbers that the last comment names, such as the number of a missing question.
fn unknown_numbers(snapshot: &Snapshot) -> impl Iterator<Item = String> {
    let line = snapshot.state.said.last().map_or(usize::MAX, |said| said.line);
    let is_number =
        |code| matches!(code, ProblemCode::NumberUnknown | ProblemCode::DecisionUnknown);
    let problems = snapshot.state.problems.iter();
    problems
        .filter(move |problem| is_number(problem.code) && problem.line >= line)
        .map(|problem| problem.message.clone())
}

/// Returns the reason why the vote of the last comment does not count.
fn voted_in_vain(snapshot: &Snapshot) -> Option<String> {
    let line = snapshot.state.said.last().map_or(usize::MAX, |said| said.line);
    let told =
        |problem: &&Problem| problem.code == ProblemCode::VoteNotCounted && problem.line >= line;
    snapshot.state.problems.iter().rfind(told).map(|problem| problem.message.clone())
}

/// Ensures that a name does not look like that of another author in a discussion. An author who used it before may
/// continue.
///
/// # Errors
/// Fails if another author's name looks like this one.
pub(super) fn insist_unlike(text: &str, name: &Name) -> Result<(), WorkspaceError> {
    let look = likeness(name.as_str());
    let lines = text.lines().filter_map(|line| line.strip_prefix("Name: "));
    let mut names = lines.filter_map(|name| Name::parse(name.trim_end()).ok());
    // Few files contain a name that looks alike; only those are parsed in full.
    if !names.any(|other| other != *name && likeness(other.as_str()) == look) {
        return Ok(());
    }
    let speakers = store::speakers(text);
    let other = speakers.iter().find(|other| likeness(other.as_str()) == look);
    match other.filter(|_| !speakers.contains(name)) {
        Some(other) => Err(WorkspaceError::refuse(format!(
            "the name `{name}` looks like `{other}` in this discussion, but would count as a different person"
        ))
        .with_help(Help::OtherName)),
        None => Ok(()),
    }
}

/// Parses a comment, which may vote for one of these options.
fn said_here(
    options: &[Choice],
    markers: &MarkerSet,
    remark: &CommentRequest,
) -> Result<ParsedComment, WorkspaceError> {
    let Some(wanted) = &remark.vote else {
        return Ok(parse_comment(&remark.text, options, markers));
    };
    let vote = Choice::named_in(options, wanted).cloned().ok_or_else(|| {
        let options = options.iter().map(ToString::to_string).collect();
        WorkspaceError::refuse(format!("`{wanted}` is not an option"))
            .with_help(Help::Options(options))
    })?;
    let said = parse_comment(&remark.text, options, markers);
    Ok(match said.vote {
        Some(other) if other != vote => {
            return Err(WorkspaceError::refuse(format!(
                "the vote is {vote}, but the text votes {other}"
            )));
        }
        Some(_) => said,
        None => ParsedComment {
            body: canon(&remark.text),
            vote: Some(vote),
            notes: said.notes.into_iter().map(|note| format!("{note}, in the text")).collect(),
        },
    })
}

/// Returns the reasons why notes about decisions in the last comment do not count as they were meant.
fn notes_in_vain(snapshot: &Snapshot) -> Vec<String> {
    let mut entries = snapshot.transcript.entries.iter();
    let last = entries.rfind(|entry| matches!(entry.kind, EntryKind::Comment(_)));
    let first = last.map_or(usize::MAX, |entry| entry.line);
    let codes = [
        ProblemCode::MarkerNotCounted,
        ProblemCode::MarkerTwice,
        ProblemCode::DateUnreadable,
        ProblemCode::HindsightEarly,
        ProblemCode::LinkNotCounted,
        ProblemCode::NotWithdrawn,
        ProblemCode::PatternBare,
        ProblemCode::PatternLimit,
    ];
    let problems = snapshot.state.problems.iter();
    let told = problems.filter(|one| one.line >= first && codes.contains(&one.code));
    told.map(|one| one.message.to_string()).collect()
}
