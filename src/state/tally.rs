//! What the votes of one ballot come to.

use std::collections::HashMap;

use super::ballot::{Ballot, Vote};
use super::discussion_config::DiscussionConfig;
use super::speaker::Speaker;
use crate::template::Method;
use crate::transcript::{Alias, Choice};

/// What one option has.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The option.
    pub choice: Choice,
    /// Votes, one each.
    pub votes: usize,
    /// Votes times confidence (unstated: 0.5) times weight.
    pub weighted: f64,
}

/// What the votes of one ballot come to. Whether a discussion has reached consensus is for its decision to say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// The votes alone suffice by the method, a person's included where one is required.
    pub carries: bool,
    /// The option that won or leads to the outcome; none while nothing is decided, or on a tie.
    pub outcome: Option<Choice>,
    /// Names of those whose votes block.
    pub blocked_by: Vec<String>,
    /// Names of voting participants who have neither voted, passed nor failed.
    pub missing: Vec<String>,
    /// The votes suffice, but a person's is still needed.
    pub human_required: bool,
    /// Somebody failed, so the result is not whole.
    pub degraded: bool,
    /// Two options lead alike.
    pub tied: bool,
    /// Those that lead alike; empty where one leads.
    pub leaders: Vec<Choice>,
    /// Whoever explains the tally decided between those.
    pub tie_broken: bool,
    /// All options, in the phase's order.
    pub shares: Vec<Share>,
    /// Share of weighted votes behind the outcome, 0 to 1; none when nothing was voted.
    pub agreement: Option<f64>,
    /// A person's vote is among them.
    person_voted: bool,
}

/// Whole per cent, half up: two of three is 67.
fn per_cent(part: usize, whole: usize) -> u32 {
    if whole == 0 { 0 } else { ((200 * part + whole) / (2 * whole)) as u32 }
}

impl Tally {
    /// Judges a ballot by the config's rules; `options` are the deciding phase's.
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

    /// READY and REJECT shares against their thresholds.
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

    /// The methods of the patterns.
    fn pattern(&mut self, ballot: &Ballot, config: &DiscussionConfig, complete: bool) {
        let Some(top) = self.top(config.rules.method) else { return };
        let cast: usize = self.shares.iter().map(|share| share.votes).sum();
        let weight: f64 = self.shares.iter().map(|share| share.weighted).sum();
        let reached = match config.rules.method {
            Method::Voting => {
                // Where nobody is sure of anything, the votes themselves are all there is.
                let share = match weight > 0.0 {
                    true => top.weighted / weight,
                    false => top.votes as f64 / cast as f64,
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

    /// The leading option; on a tie of weights the one with more votes, else none.
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

    /// Decides a tie for what whoever explains the tally chose among the leaders, under weighted voting; its share has to
    /// reach the threshold all the same.
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

    fn agreement_of(&self, outcome: Option<&Choice>) -> Option<f64> {
        let all: f64 = self.shares.iter().map(|share| share.weighted).sum();
        let behind = self.shares.iter().find(|share| Some(&share.choice) == outcome)?;
        (all > 0.0).then(|| behind.weighted / all)
    }
}

/// Where no votes decide: the share of stated confidences that is behind the position with the most votes.
///
/// None when nobody who voted said how sure they are, or two positions are held alike.
pub(crate) fn stated_agreement(ballot: &Ballot) -> Option<f64> {
    let all: f64 = ballot.votes.iter().filter_map(|vote| vote.confidence).sum();
    // Votes of each option, whose case does not matter, and what stands behind it.
    let mut positions: HashMap<String, (usize, f64)> = HashMap::new();
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

/// Whether the outstanding votes can no longer change the outcome, whatever they are.
///
/// Every outstanding vote is given, at its largest weight, to each option in turn; where the outcome stays the same,
/// nobody has to be asked any more.
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
    // The extremes of confidence bound what a vote can do to shares; who stays silent does less than who votes.
    let mut outcomes = options.iter().flat_map(|choice| [with(choice, 1.0), with(choice, 0.0)]);
    let Some(first) = outcomes.next() else { return false };
    first.0 && outcomes.all(|other| other == first)
}

/// Whether those who have voted agree so much that the template asks nobody else (INV-DISC-643): the outcome carries as
/// if the outstanding ones kept silent, by at least the share that the discussion's head names.
pub(crate) fn agreed(
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
            share.weighted += vote.confidence.unwrap_or(0.5) * config.weight(vote.speaker.handle());
        }
    }
    shares
}
