//! Folds the entries of a discussion into its state, one after another.

mod calls;
mod status;
mod voting;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

pub(crate) use self::status::StatusChange;
use self::voting::SilentVoter;
use super::children::{Child, DiscussionRequest, Requests};
use super::comment::{self, CommentFacts};
use super::cost::Cost;
use super::decisions::{StatedDecision, Superseded};
use super::discussion_config::DiscussionConfig;
use super::item::Items;
use super::lifecycle::{Lifecycle, head_day};
use super::mention::{Mentions, PendingMention, Whom};
use super::speaker::{Speaker, SpeakerIndex};
use super::tally::{Ballot, KeptBallots, Vote};
use super::track::{Author, Tracks};
use super::turns::PhasePlace;
use super::turns::VisibleEntries;
use super::turns::{FailedCall, Turn, TurnOutcome};
use super::turns::{Rounds, TurnIndex};
use super::typed;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::{
    Alias, Comment, Control, EntryKind, Marker, Mention, Name, PhaseLine, Transcript, TurnLine,
};

/// The state of a discussion.
#[derive(Clone, Debug)]
pub struct State {
    /// The first heading.
    pub title: String,
    /// The current phase and all visits of phases.
    pub place: PhasePlace,
    /// All turns in file order.
    pub turns: Vec<Turn>,
    /// The number of rounds that have begun.
    pub round: u32,
    /// True if the discussion is closed.
    pub closed: bool,
    /// The lines that closed or reopened the discussion, in file order.
    pub(crate) status_changes: Vec<StatusChange>,
    /// Votes since the last reset.
    pub ballot: Ballot,
    /// The ballot of the last voting phase that the runner left, and that phase; this ballot decides the outcome.
    pub decided: Option<(Ballot, usize)>,
    /// The voting phase that the runner left last. After it no vote counts, so a result decided by votes does not
    /// change. None inside a voting phase, and if a person chose the phase.
    pub ballot_over: Option<usize>,
    /// Votes of people after the last ballot was over or the discussion was closed. They are shown beside the result
    /// and do not change it.
    pub late: Ballot,
    /// All comments that count, in file order; also reports.
    pub said: Vec<CommentFacts>,
    /// Questions, tasks and other items; decisions are apart.
    pub items: Items,
    /// The number of question numbers in use. A question that repeats an earlier one also uses a number.
    pub numbered_questions: usize,
    /// The items that the fold chose for markers without a number, by the marker's line.
    pub chosen: Vec<(usize, String)>,
    /// Decisions in file order.
    pub decisions: Vec<StatedDecision>,
    /// The notes of people about the discussion as a whole.
    pub lifecycle: Lifecycle,
    /// The day until which people should decide, UTC; from the head, or a person's latest `DECIDE-BY:`.
    pub decide_by: Option<NaiveDate>,
    /// Decisions of other discussions that this discussion supersedes, in file order.
    pub superseded: Vec<Superseded>,
    /// Mentions that wait for an answer.
    pub pending: Vec<PendingMention>,
    /// Recorded failures.
    pub failures: Vec<FailedCall>,
    /// Sub-discussions, in file order.
    pub children: Vec<Child>,
    /// Sub-discussions that participants requested, in file order.
    pub requests: Vec<DiscussionRequest>,
    /// The cost of this discussion, without sub-discussions.
    pub cost: Cost,
    /// Problems of the file's structure and of the counted comments, ordered by place.
    pub problems: Vec<Problem>,
    /// Names that resemble a participant's and belong to no known person, sorted.
    pub(crate) doubted: Vec<Name>,
    /// The last turn of each participant.
    pub(super) asked: TurnIndex,
}

/// Folds a transcript into the state of its discussion.
pub(crate) fn fold(transcript: &Transcript, config: &DiscussionConfig) -> State {
    folded(transcript, config, KeptBallots::last(transcript, config), |_, _| {})
}

/// Folds a transcript and passes the state after each entry, with the entry's index, to `look`. Numbered items and
/// pending mentions are complete only in the returned state.
pub(crate) fn fold_watched(
    transcript: &Transcript,
    config: &DiscussionConfig,
    look: impl FnMut(usize, &State),
) -> State {
    folded(transcript, config, KeptBallots::All, look)
}

fn folded(
    transcript: &Transcript,
    config: &DiscussionConfig,
    kept: KeptBallots,
    mut look: impl FnMut(usize, &State),
) -> State {
    let mut fold = Fold {
        config,
        transcript,
        speakers: SpeakerIndex::default(),
        mentions: Mentions::default(),
        tracks: Tracks::default(),
        requests: Requests::default(),
        rounds: Rounds::default(),
        shown: VisibleEntries::default(),
        highest: None,
        kept,
        live: true,
        state: State {
            title: transcript.title().unwrap_or("Untitled").to_owned(),
            place: PhasePlace::start(&config.template),
            turns: Vec::new(),
            round: 0,
            closed: false,
            status_changes: Vec::new(),
            ballot: Ballot::default(),
            decided: None,
            ballot_over: None,
            late: Ballot::default(),
            said: Vec::new(),
            items: Items::default(),
            numbered_questions: 0,
            chosen: Vec::new(),
            decisions: Vec::new(),
            lifecycle: Lifecycle::default(),
            decide_by: None,
            superseded: Vec::new(),
            pending: Vec::new(),
            failures: Vec::new(),
            children: Vec::new(),
            requests: Vec::new(),
            cost: Cost::default(),
            problems: transcript.problems.clone(),
            doubted: Vec::new(),
            asked: TurnIndex::default(),
        },
    };
    for (index, entry) in transcript.entries.iter().enumerate() {
        fold.live = kept.counts(index);
        match &entry.kind {
            EntryKind::Comment(comment) => fold.comment(index, entry.line, comment),
            EntryKind::Control(control) => {
                fold.control(index, entry.span.clone(), entry.line, control)
            }
            EntryKind::Stray(_) => {}
        }
        look(index, &fold.state);
    }
    fold.finish()
}

struct Fold<'f> {
    config: &'f DiscussionConfig,
    transcript: &'f Transcript,
    speakers: SpeakerIndex,
    mentions: Mentions,
    tracks: Tracks,
    requests: Requests,
    rounds: Rounds,
    shown: VisibleEntries,
    /// The highest turn number in this visit.
    highest: Option<u32>,
    kept: KeptBallots,
    /// True if no vote reset follows. A ballot before a reset is never used, so it is not built. Building each one
    /// could be slow, because a file may contain as many resets as voters.
    live: bool,
    state: State,
}

impl Fold<'_> {
    fn comment(&mut self, entry: usize, line: usize, comment: &Comment) {
        if let Some(reply) = comment.reply.as_ref().filter(|_| comment.acknowledged()) {
            self.state.cost.add(&reply.spent);
        }
        let speaker = self.speakers.resolve(&comment.name, self.config);
        // A persona without a file on this machine: its answers are parsed, but they do not count as a person's.
        let speaker = match self.speakers.misspelt(&comment.name) {
            Some(it) if comment.reply.is_some() && it.is_like_persona() => {
                Speaker::Agent(comment.name.clone())
            }
            _ => speaker,
        };
        self.state.problems.extend(self.speakers.problems(&speaker, &comment.name, line));
        if !comment.acknowledged() || comment.summary.is_some() {
            return;
        }
        let place = (self.state.place.phase(), self.state.place.number());
        let mut said = CommentFacts {
            speaker: speaker.clone(),
            name: comment.name.clone(),
            entry,
            line,
            phase: place.0,
            visit: place.1,
            round: self.state.round,
            turn: None,
            marks: Vec::new(),
            vote: None,
            confidence: None,
        };
        let index = self.state.said.len();
        if !speaker.counts() {
            if speaker == Speaker::Report {
                self.state.asked.note_comment(&speaker, index);
                self.state.said.push(said);
            }
            return;
        }
        let body = comment.read(&self.config.markers);
        self.state.problems.extend_from_slice(&body.problems);
        let options = self.state.options(self.config);
        let mut unclear = Vec::new();
        let vote = comment::vote(&body, options, comment.mixed, &mut unclear);
        typed::unreadable(&body.marks, &mut self.state.problems);
        said.confidence = comment::stated_confidence(&body, &mut self.state.problems);
        let shown = self.shown_to(&speaker, comment);
        said.turn = self.answer(&speaker, index, entry);
        if let Some(turn) = said.turn {
            said.round = self.state.turns[turn].round;
        }
        self.mentions.spoke(&speaker, shown, &self.speakers);
        let by_person = self.config.is_person(&speaker);
        let whom = |mention: &Mention| Whom::of(&mention.name, self.config, &self.speakers);
        let mentions: Vec<(&Mention, Whom)> =
            body.mentions.iter().map(|mention| (mention, whom(mention))).collect();
        // A participant that is assigned a task is not asked to answer.
        let assigns = |mention: &Mention| {
            mention.mark.is_some_and(|mark| body.marks[mark].marker == Marker::Assigned)
        };
        // An agent that is not a participant can ask participants for an answer, as a person can.
        let from_outside = by_person || matches!(speaker, Speaker::Agent(_));
        self.mentions.add(&speaker, from_outside, entry, &mentions, assigns);
        let of_text = comment.is_text();
        let moderates = speaker.alias().is_some_and(|alias| self.config.moderates(alias));
        let by = Author {
            name: &comment.name,
            speaker: &speaker,
            by_person,
            moderates,
            comment,
            line,
            entry,
            shown,
            of_text,
            is_closed: self.state.closed,
        };
        self.tracks.comment(&by, &body, &mentions, self.config, &mut self.state.problems);
        if comment.restored.is_none() {
            let turn = self.state.turns.last().map(|turn| turn.line.number);
            self.requests.take(&speaker, &body, place.0, turn, self.config);
        }
        let asked = by_person || self.asks_for_vote(said.turn);
        if let Some(first) = unclear.first() {
            let place = (first.line, first.column);
            // A list of options is no help to a speaker without a vote here.
            match self.has_no_vote(&speaker, asked) {
                Some(why) => self.not_counted(place, &why),
                None => self.state.problems.append(&mut unclear),
            }
        }
        if let Some((choice, line)) = vote {
            said.vote = Some(choice.clone());
            let vote = Vote {
                speaker: speaker.clone(),
                name: comment.name.clone(),
                choice,
                confidence: said.confidence,
                said: Some(index),
                line,
            };
            if self.vote_counts(&speaker, comment, line, asked) {
                if self.live {
                    self.state.ballot.cast(vote)
                }
            } else if by_person && comment.restored.is_none() {
                self.state.late.cast(vote)
            }
        } else if let (Some(alias), Some(turn)) = (speaker.alias(), said.turn) {
            self.silence(alias.clone(), SilentVoter { turn, failed: false, said: Some(index) });
        }
        said.marks = body.marks;
        self.state.asked.note_comment(&speaker, index);
        self.state.said.push(said);
    }

    /// Returns the number of entries that the author of a comment could see: for a model, those in its prompt.
    fn shown_to(&self, speaker: &Speaker, comment: &Comment) -> usize {
        let model = speaker.alias().filter(|alias| self.config.is_model(alias));
        let Some(turn) = model.and_then(|alias| self.state.asked.turn_of(alias)) else {
            return usize::MAX;
        };
        let outcomes = &self.state.turns[turn].outcomes;
        let answers = comment.reply.is_some()
            || matches!(
                model.and_then(|alias| outcomes.get(alias)),
                None | Some(TurnOutcome::Failed { .. })
            );
        if answers { self.shown.of(turn) } else { usize::MAX }
    }

    fn control(
        &mut self,
        entry: usize,
        span: std::ops::Range<usize>,
        line: usize,
        control: &Control,
    ) {
        match control {
            Control::Turn(turn) => self.turn(entry, span.end, turn),
            Control::Pass(pass) => self.pass(pass, entry),
            Control::Failed(failed) => self.failed(failed, entry, line),
            Control::Phase(phase) => self.phase(entry, phase, span.start, line),
            Control::VoteReset => {
                self.state.ballot = Ballot::default();
                (self.state.decided, self.state.ballot_over) = (None, None);
                self.state.late = Ballot::default();
                if let Some(visit) = self.state.place.visits.last_mut() {
                    visit.reset = true;
                }
            }
            Control::Status(status) => self.status(entry, line, status),
            Control::Accepted(_) | Control::Ended(_) => {}
            Control::Child(child) => {
                let visit = self.state.place.number();
                self.requests.open(child);
                let rest = &self.transcript.text[span.end..];
                let cut = span.end + rest.find('\n').map_or(rest.len(), |lf| lf + 1);
                self.state.children.push(Child { line: child.clone(), cut, visit, end: None });
            }
            Control::ChildEnd(end) => {
                if let Some(child) = self.state.child_mut(&end.file) {
                    child.end = Some(end.clone());
                }
            }
        }
    }

    fn turn(&mut self, entry: usize, end: usize, line: &TurnLine) {
        let phase = self.state.place.phase();
        let mut is_round = !line.is_aside() && !line.again && !line.asks.is_empty();
        if is_round {
            let speakers = || self.config.speakers(phase);
            self.rounds.learn(phase, speakers, |alias| self.state.left_out(alias));
            is_round = self.rounds.is_whole(phase, &line.asks);
        }
        if is_round && self.config.template.phases[phase].starts_round {
            self.state.round += 1;
        }
        let mut gone = BTreeSet::new();
        if is_round && self.live {
            // The ballot does not wait for participants that failed permanently and are no longer asked.
            gone = self.rounds.take_gone(phase, &line.asks);
        }
        self.highest = self.highest.max(Some(line.number));
        self.state.asked.ask(self.state.turns.len(), &line.asks);
        self.shown.turn(entry, &self.config.template.phases[phase], line.is_aside());
        let called =
            |alias: &Alias| self.mentions.is_called_by_person(&Speaker::Persona(alias.clone()));
        let for_people = line.mentions && line.asks.iter().all(called);
        let rest = &self.transcript.text[end..];
        self.state.turns.push(Turn {
            line: line.clone(),
            entry,
            cut: end + rest.find('\n').map_or(rest.len(), |lf| lf + 1),
            phase,
            visit: self.state.place.number(),
            round: self.state.round,
            is_round,
            for_people,
            outcomes: BTreeMap::new(),
        });
        let turn = self.state.turns.len() - 1;
        for alias in gone {
            self.silence(alias, SilentVoter { turn, failed: true, said: None });
        }
    }

    fn phase(&mut self, entry: usize, phase: &PhaseLine, start: usize, line: usize) {
        let Some((index, _)) = self.config.template.phase(&phase.id) else {
            let ids: Vec<&str> =
                self.config.template.phases.iter().map(|phase| phase.id.as_str()).collect();
            self.state.problems.push(Problem::new(
                Severity::Error,
                ProblemCode::PhaseUnknown,
                (line, 1),
                format!("the template `{}` has no phase `{}`, so this line is ignored; its phases are {}", self.config.template.id, phase.id, ids.join(", ")),
            ));
            return;
        };
        self.highest = None;
        let left = self.state.place.phase();
        let is_ballot = |phase: usize| self.config.template.phases[phase].voting_mode;
        let voting = is_ballot(left);
        if phase.by.is_some() {
            (self.state.decided, self.state.ballot_over) = (None, None);
        } else if voting {
            self.state.ballot_over = Some(left);
        }
        if is_ballot(index) {
            (self.state.ballot_over, self.state.late) = (None, Ballot::default());
        }
        if self.kept.keeps(entry, phase, voting) {
            // The runner left this phase, so it no longer waits for the participants without a vote.
            let mut ballot = self.state.ballot.clone();
            ballot.silent.extend(
                self.config
                    .participants
                    .iter()
                    .filter(|alias| ballot.of(&Speaker::Persona((*alias).clone())).is_none())
                    .cloned()
                    .collect::<Vec<_>>(),
            );
            self.state.decided = Some((ballot, left));
        }
        self.shown.visit(entry);
        self.state.place.enter(index, start, phase.by.is_some());
    }

    fn finish(self) -> State {
        let mut state = self.state;
        state.pending = self.mentions.finish(self.config, &self.speakers, &mut state.problems);
        let mut tracks = self.tracks;
        tracks.assign_by_name(&self.speakers);
        state.numbered_questions = tracks.questions.len();
        state.chosen = std::mem::take(&mut tracks.chosen);
        let (questions, tasks) = tracks.folded();
        state.items.extend(questions.into_iter().chain(tasks).chain(tracks.plain.folded()));
        state.decisions = tracks.decisions.list;
        state.lifecycle = tracks.notes.whole;
        state.decide_by = tracks
            .notes
            .decide_by
            .map(|(day, _)| day)
            .or_else(|| head_day(self.transcript, &mut state.problems));
        state.superseded = tracks.superseded;
        state.requests = self.requests.list();
        state.doubted = self.speakers.doubted();
        state.problems.extend(self.config.problems());
        state.problems.sort_by_key(|problem| (problem.line, problem.column));
        state
    }
}
