//! One ballot: the votes since the last reset, and their count. A fold builds and keeps only the
//! last ballots, because building all of them would take long for a long file. The exception is a
//! caller that watches each entry: it needs every ballot while that ballot is current.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::discussion_config::DiscussionConfig;
use super::speaker::Speaker;
use crate::template::Method;
use crate::transcript::{Alias, Choice, Control, EntryKind, Name, PhaseLine, Transcript};

/// The votes for one option.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The option.
    pub choice: Choice,
    /// The number of votes, without weights.
    pub votes: usize,
    /// The sum of the weights of its votes.
    pub weighted: f64,
}

/// The count of one ballot. Consensus also depends on the discussion's state, so another module decides it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// True if the votes alone meet the rule of the method, including a person's vote if one is required.
    pub carries: bool,
    /// The option that won or leads; none while the result is open, or on a tie.
    pub outcome: Option<Choice>,
    /// Names of the voters with a blocking vote.
    pub blocked_by: Vec<String>,
    /// Names of voting participants that have not voted, passed or failed.
    pub missing: Vec<String>,
    /// True if the votes suffice but a person's vote is still required.
    pub human_required: bool,
    /// True if a participant failed, so that the result is incomplete.
    pub degraded: bool,
    /// True if two or more options lead with equal votes.
    pub tied: bool,
    /// The options that lead with equal votes; empty if one option leads alone.
    pub leaders: Vec<Choice>,
    /// True if the participant that explains the tally decided the tie.
    pub tie_broken: bool,
    /// All options, in the phase's order.
    pub shares: Vec<Share>,
    /// Share of weighted votes for the outcome, 0 to 1; none if there are no votes.
    pub agreement: Option<f64>,
    /// True if a person voted.
    person_voted: bool,
}

/// Returns a share as a whole percentage, rounded half up: two of three is 67.
fn per_cent(part: usize, whole: usize) -> u32 {
    if whole == 0 { 0 } else { ((200 * part + whole) / (2 * whole)) as u32 }
}

impl Tally {
    /// Counts a ballot by the rules of the discussion; `options` are those of the deciding phase.
    pub(crate) fn of(ballot: &Ballot, config: &DiscussionConfig, options: &[Choice]) -> Self {
        let missing: Vec<&Alias> = config
            .voters()
            .filter(|alias| {
                ballot.of(&Speaker::Persona((*alias).clone())).is_none()
                    && !ballot.silent.contains(alias)
            })
            .collect();
        let mut tally = Self {
            missing: missing.iter().map(|alias| config.name_of(alias).to_owned()).collect(),
            degraded: !ballot.failed.is_empty(),
            shares: shares(ballot, config, options),
            person_voted: ballot.votes.iter().any(|vote| config.is_person(&vote.speaker)),
            ..Self::default()
        };
        let voters = config.voters().count();
        let voted = voters - missing.len() - silent(ballot, config);
        let complete = missing.is_empty() && voted * 2 >= voters && !ballot.votes.is_empty();
        match config.rules.method {
            Method::Thresholds => tally.thresholds(ballot, config, complete),
            _ => tally.pattern(ballot, config, complete),
        }
        tally.agreement = tally.agreement_of(tally.outcome.as_ref());
        tally
    }

    /// Compares the shares of READY and REJECT with their thresholds.
    fn thresholds(&mut self, ballot: &Ballot, config: &DiscussionConfig, complete: bool) {
        if !complete {
            return;
        }
        let named = |word: &str| {
            ballot
                .votes
                .iter()
                .filter(|vote| vote.choice.as_str().eq_ignore_ascii_case(word))
                .collect::<Vec<&Vote>>()
        };
        let (ready, reject) = (named("READY"), named("REJECT"));
        let cast = ballot.votes.len();
        if !reject.is_empty() && per_cent(reject.len(), cast) >= config.rules.reject {
            self.blocked_by = reject.iter().map(|vote| vote.name.to_string()).collect();
            self.outcome = reject.first().map(|vote| vote.choice.clone());
        } else if !ready.is_empty() && per_cent(ready.len(), cast) >= config.rules.ready {
            self.outcome = ready.first().map(|vote| vote.choice.clone());
            self.need_person(ready.iter().any(|vote| config.is_person(&vote.speaker)), config);
        }
    }

    /// Applies the other methods, which patterns use.
    fn pattern(&mut self, ballot: &Ballot, config: &DiscussionConfig, complete: bool) {
        let Some(top) = self.top(config.rules.method) else { return };
        let cast: usize = self.shares.iter().map(|share| share.votes).sum();
        let weight: f64 = self.shares.iter().map(|share| share.weighted).sum();
        let reached = match config.rules.method {
            Method::Voting => {
                // If all votes have a confidence of 0, the plain number of votes is used.
                let share = if weight > 0.0 {
                    top.weighted / weight
                } else {
                    top.votes as f64 / cast as f64
                };
                share >= config.rules.threshold - 1e-9
            }
            Method::Majority => top.votes * 2 > cast,
            Method::Unanimous => {
                top.votes == cast && cast >= config.voters().count() && ballot.silent.is_empty()
            }
            // The text is the result; the votes only accompany it.
            Method::Thresholds | Method::Synthesis | Method::Moderator => false,
        };
        if !complete && config.rules.method != Method::Unanimous {
            return;
        }
        let accepted = config.rules.accepts(&top.choice);
        self.outcome = Some(top.choice);
        if reached && accepted {
            self.need_person(
                ballot.votes.iter().any(|vote| config.is_person(&vote.speaker)),
                config,
            );
        }
    }

    fn need_person(&mut self, person: bool, config: &DiscussionConfig) {
        self.human_required = config.rules.human_required && !person;
        self.carries = !self.human_required;
    }

    /// Returns the leading option. If options have the same weight, the one with more votes leads; if the votes tie
    /// too, none.
    fn top(&mut self, method: Method) -> Option<Share> {
        let weighed = self.shares.iter().any(|share| share.weighted > 0.0);
        let by_weight = method == Method::Voting && weighed;
        let size = |share: &Share| if by_weight { share.weighted } else { share.votes as f64 };
        let most = self.shares.iter().map(size).fold(0.0, f64::max);
        if most <= 0.0 {
            return None;
        }
        let mut leaders: Vec<&Share> =
            self.shares.iter().filter(|share| (size(share) - most).abs() < 1e-9).collect();
        if leaders.len() > 1 {
            let votes = leaders.iter().map(|share| share.votes).max().unwrap_or(0);
            leaders.retain(|share| share.votes == votes);
        }
        let top = leaders[0].clone();
        self.tied = leaders.len() > 1;
        if self.tied {
            self.leaders = leaders.iter().map(|share| share.choice.clone()).collect();
        }
        (!self.tied).then_some(top)
    }

    /// Breaks a tie under weighted voting: the participant that explains the tally may choose one of the leaders. The
    /// chosen option must still reach the threshold.
    pub(crate) fn break_tie(&mut self, stated: &str, config: &DiscussionConfig) {
        let words = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(str::to_lowercase).collect()
        };
        let said = words(stated);
        let named = |choice: &&Choice| {
            let name = words(choice.as_str());
            !name.is_empty() && said.windows(name.len()).any(|part| part == name)
        };
        let mut named = self.leaders.iter().filter(named);
        let (Some(choice), None) = (named.next().cloned(), named.next()) else { return };
        if !self.tied || config.rules.method != Method::Voting || !self.missing.is_empty() {
            return;
        }
        self.tie_broken = true;
        self.agreement = self.agreement_of(Some(&choice));
        let votes: usize = self.shares.iter().map(|share| share.votes).sum();
        let own = self.shares.iter().find(|share| share.choice == choice);
        let counted = own.map_or(0.0, |share| share.votes as f64 / votes.max(1) as f64);
        let share = self.agreement.unwrap_or(counted);
        let accepted = config.rules.accepts(&choice) && share >= config.rules.threshold - 1e-9;
        self.outcome = Some(choice);
        if accepted {
            self.need_person(self.person_voted, config);
        }
    }

    /// Returns the leading share beside the needed one: `3 of 5 for READY, 60 %, needs 67 %`; `None` without votes, and if
    /// the number of votes does not decide.
    pub(crate) fn share_in_words(&self, config: &DiscussionConfig) -> Option<String> {
        let needed = self.needed_share(config)?;
        let cast: usize = self.shares.iter().map(|share| share.votes).sum();
        let weight: f64 = self.shares.iter().map(|share| share.weighted).sum();
        let by_weight = config.rules.method == Method::Voting && weight > 0.0;
        let is_ready = |share: &&Share| share.choice.as_str().eq_ignore_ascii_case("READY");
        let most = || self.shares.iter().rev().max_by_key(|share| share.votes);
        let of_outcome = |share: &&Share| Some(&share.choice) == self.outcome.as_ref();
        let leading = match config.rules.method {
            Method::Thresholds => self.shares.iter().find(is_ready),
            _ => self.shares.iter().find(of_outcome).or_else(most),
        };
        let leading = leading.filter(|_| cast > 0)?;
        let (votes, choice) = (leading.votes, &leading.choice);
        let reached = if by_weight {
            format!("{:.0} % of the weight", leading.weighted / weight * 100.0)
        } else {
            format!("{} %", per_cent(votes, cast))
        };
        let needed = match config.rules.method {
            Method::Majority => "more than 50 %".to_owned(),
            _ => format!("{:.0} %", needed * 100.0),
        };
        Some(format!("{votes} of {cast} for {choice}, {reached}, needs {needed}"))
    }

    /// Returns the share of votes that the rule needs, 0 to 1; `None` if the number of votes does not decide.
    pub(crate) fn needed_share(&self, config: &DiscussionConfig) -> Option<f64> {
        match config.rules.method {
            Method::Thresholds => Some(f64::from(config.rules.ready) / 100.0),
            Method::Voting => Some(config.rules.threshold),
            Method::Majority => Some(0.5),
            Method::Unanimous => Some(1.0),
            Method::Synthesis | Method::Moderator => None,
        }
    }

    fn agreement_of(&self, outcome: Option<&Choice>) -> Option<f64> {
        let all: f64 = self.shares.iter().map(|share| share.weighted).sum();
        let behind = self.shares.iter().find(|share| Some(&share.choice) == outcome)?;
        (all > 0.0).then(|| behind.weighted / all)
    }
}

/// Returns the agreement for methods without a vote: the share of all stated confidence that supports the position
/// with the most votes.
///
/// None if no voter stated a confidence, or two positions have equally many votes.
pub(crate) fn stated_agreement(ballot: &Ballot) -> Option<f64> {
    let all: f64 = ballot.votes.iter().filter_map(|vote| vote.confidence).sum();
    // For each option, in lower case: the number of its votes and the sum of their confidence.
    let mut positions: HashMap<String, (usize, f64)> = HashMap::default();
    for vote in &ballot.votes {
        let position = positions.entry(vote.choice.as_str().to_ascii_lowercase()).or_default();
        position.0 += 1;
        position.1 += vote.confidence.unwrap_or(0.0);
    }
    let most = positions.values().map(|(votes, _)| *votes).max()?;
    let mut leaders = positions.values().filter(|(votes, _)| *votes == most);
    match (leaders.next(), leaders.next()) {
        (Some((_, sure)), None) if all > 0.0 => Some(sure / all),
        _ => None,
    }
}

/// Returns true if no outstanding vote can change the outcome.
///
/// Gives all outstanding votes, at their largest weight, to each option in turn. If the outcome never changes, no
/// further participant has to be asked.
pub(crate) fn settled(
    ballot: &Ballot,
    config: &DiscussionConfig,
    options: &[Choice],
    outstanding: &[Alias],
) -> bool {
    if ballot.votes.is_empty() || outstanding.is_empty() {
        return false;
    }
    let with = |choice: &Choice, confidence: f64| {
        let mut ballot = ballot.clone();
        for alias in outstanding {
            let Some(persona) = config.persona(alias) else { continue };
            ballot.cast(Vote {
                speaker: Speaker::Persona(alias.clone()),
                name: persona.name.clone(),
                choice: choice.clone(),
                confidence: Some(confidence),
                said: None,
                line: 0,
            });
        }
        let tally = Tally::of(&ballot, config, options);
        (tally.carries, tally.outcome, tally.tied)
    };
    // Only the highest and the lowest confidence are tried: the effect of any other vote lies between theirs. A
    // participant that does not vote has less effect.
    let mut outcomes = options.iter().flat_map(|choice| [with(choice, 1.0), with(choice, 0.0)]);
    let Some(first) = outcomes.next() else { return false };
    first.0 && outcomes.all(|other| other == first)
}

/// Returns true if the votes so far agree so strongly that the template asks no other participant (INV-DISC-643): the
/// votes meet the rule even if the outstanding participants do not vote, and the agreement is at least the head's
/// threshold for early exit.
pub(crate) fn is_agreed(
    ballot: &Ballot,
    config: &DiscussionConfig,
    options: &[Choice],
    outstanding: &[Alias],
) -> bool {
    let Some(threshold) = config.early_exit_threshold else { return false };
    let mut ballot = ballot.clone();
    ballot.silent.extend(outstanding.iter().cloned());
    let tally = Tally::of(&ballot, config, options);
    tally.carries && !tally.tied && tally.agreement.is_some_and(|share| share >= threshold - 1e-9)
}

fn silent(ballot: &Ballot, config: &DiscussionConfig) -> usize {
    config.voters().filter(|alias| ballot.silent.contains(alias)).count()
}

fn shares(ballot: &Ballot, config: &DiscussionConfig, options: &[Choice]) -> Vec<Share> {
    let mut shares: Vec<Share> = options
        .iter()
        .map(|choice| Share { choice: choice.clone(), votes: 0, weighted: 0.0 })
        .collect();
    for vote in &ballot.votes {
        if let Some(share) = shares.iter_mut().find(|share| share.choice == vote.choice) {
            share.votes += 1;
            share.weighted += vote.weight(config);
        }
    }
    shares
}

/// One participant's vote.
#[derive(Clone, Debug, PartialEq)]
pub struct Vote {
    /// The voter.
    pub speaker: Speaker,
    /// The voter's name as displayed.
    pub name: Name,
    /// The option that was chosen.
    pub choice: Choice,
    /// The voter's confidence, 0 to 1; none if not stated.
    pub confidence: Option<f64>,
    /// Index of the comment in [`State::said`](super::State::said); none for a vote without a comment.
    pub said: Option<usize>,
    /// Line of the vote; 0 for a vote that is not in the file.
    pub line: usize,
}

impl Vote {
    /// Returns true if the voter stated it. Otherwise the phase took an answer without a readable vote for it.
    pub(crate) fn is_stated(&self) -> bool {
        self.line != 0
    }

    /// Returns the confidence that counts: the stated one, or else 1 for a person and 0.5 for a model.
    pub(crate) fn counted_confidence(&self, config: &DiscussionConfig) -> f64 {
        let unstated = if config.is_person(&self.speaker) { 1.0 } else { 0.5 };
        self.confidence.unwrap_or(unstated)
    }

    /// Returns the weight: the confidence times the weight of the participant.
    pub(crate) fn weight(&self, config: &DiscussionConfig) -> f64 {
        self.counted_confidence(config) * config.weight(self.speaker.handle())
    }
}

/// The votes of one ballot, and the participants that will not vote.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ballot {
    /// The latest vote of each participant, ordered by their first votes.
    pub votes: Vec<Vote>,
    /// Personas that passed, failed or answered without a vote.
    pub silent: BTreeSet<Alias>,
    /// The personas in `silent` that failed.
    pub failed: BTreeSet<Alias>,
    /// The index of each speaker's vote in `votes`. Anyone may vote, so there may be many.
    places: HashMap<Speaker, usize>,
    /// For each vote, the comment in which its speaker chose this option, and kept it since then.
    chosen_in: Vec<Option<usize>>,
}

impl Ballot {
    pub(super) fn cast(&mut self, vote: Vote) {
        if let Some(alias) = vote.speaker.alias() {
            self.silent.remove(alias);
            self.failed.remove(alias);
        }
        match self.places.get(&vote.speaker) {
            Some(&place) => {
                if self.votes[place].choice != vote.choice {
                    self.chosen_in[place] = vote.said;
                }
                self.votes[place] = vote;
            }
            None => {
                self.places.insert(vote.speaker.clone(), self.votes.len());
                self.chosen_in.push(vote.said);
                self.votes.push(vote);
            }
        }
    }

    /// Returns the vote of a speaker.
    pub fn of(&self, speaker: &Speaker) -> Option<&Vote> {
        self.places.get(speaker).map(|&place| &self.votes[place])
    }

    /// Returns the last comment with which a vote for an option was added, as an index of the state's comments. A
    /// voter that repeats the same choice adds no vote.
    pub(crate) fn last_added_for(&self, choice: &Choice) -> Option<usize> {
        let votes = self.votes.iter().zip(&self.chosen_in);
        votes.filter(|(vote, _)| vote.choice == *choice).filter_map(|(_, said)| *said).max()
    }

    /// Returns the number of votes for an option.
    pub(crate) fn count(&self, choice: &Choice) -> usize {
        self.votes.iter().filter(|vote| vote.choice == *choice).count()
    }
}

/// The ballots that are built and kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum KeptBallots {
    /// Every ballot, while it is current.
    All,
    /// Only the ballots that decide at the end.
    Last {
        /// Index of the last `VOTE-RESET`; votes before it are ignored.
        reset: Option<usize>,
        /// Index of the runner's `PHASE` line that ended the deciding ballot.
        leaving: Option<usize>,
    },
}

impl KeptBallots {
    /// Finds, before the fold, the ballots that decide at the end.
    pub(super) fn last(transcript: &Transcript, config: &DiscussionConfig) -> Self {
        let is_reset = |kind: &EntryKind| matches!(kind, EntryKind::Control(Control::VoteReset));
        let reset = transcript.entries.iter().rposition(|entry| is_reset(&entry.kind));
        Self::Last { reset, leaving: leaving(transcript, config) }
    }

    /// Returns true if votes of an entry belong to the ballot that is being built.
    pub(super) fn counts(self, entry: usize) -> bool {
        match self {
            Self::All => true,
            Self::Last { reset, .. } => reset.is_none_or(|reset| entry > reset),
        }
    }

    /// Returns true if the ballot of a phase is kept when the entry leaves the phase.
    pub(super) fn keeps(self, entry: usize, line: &PhaseLine, voting: bool) -> bool {
        match self {
            Self::All => line.by.is_none() && voting,
            Self::Last { leaving, .. } => leaving == Some(entry),
        }
    }
}

/// Returns the index of the `PHASE` line that ended the deciding ballot. It is the last one with which the runner left
/// a voting phase; after it there is no reset, and no person chose a phase.
fn leaving(transcript: &Transcript, config: &DiscussionConfig) -> Option<usize> {
    let (mut here, mut found) = (0, None);
    for (index, entry) in transcript.entries.iter().enumerate() {
        match &entry.kind {
            EntryKind::Control(Control::VoteReset) => found = None,
            EntryKind::Control(Control::Phase(line)) => {
                let Some((next, _)) = config.template.phase(&line.id) else { continue };
                if line.by.is_some() {
                    found = None;
                } else if config.template.phases[here].voting_mode {
                    found = Some(index);
                }
                here = next;
            }
            _ => {}
        }
    }
    found
}
