//! Sub-discussions: the next one to open or to continue, its definition, and its share of a run's
//! time (INV-DISC-610 to 613).

use std::time::Duration;

use super::snapshot::{Snapshot, SnapshotError};
use crate::state::{Child, DiscussionRequest, RESERVED_NAME};
use crate::template::Discuss;
use crate::transcript::{Alias, ChildLine, Depth, Draft, Name, NewComment, Time, TimeStrategy};

/// The next step for a sub-discussion.
#[derive(Clone, Debug, PartialEq)]
pub enum ChildStep {
    /// Open a new sub-discussion: write its control line.
    Open(Box<ChildSpec>),
    /// Run an open sub-discussion and record its outcome.
    On(ChildLine),
}

/// The definition of a sub-discussion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChildSpec {
    /// Id of its template.
    pub template: String,
    /// The question.
    pub topic: String,
    /// Background information for the participants.
    pub context: Option<String>,
    /// Aliases of the participants.
    pub participants: Vec<String>,
    /// Values of the template's parameters, as written.
    pub parameters: Vec<(String, String)>,
    /// The turn in which a participant requested it.
    pub turn: Option<u32>,
    /// The participant that requested it, or `None` if a phase opens it.
    pub by: Option<Alias>,
    /// The options to choose from, if the participant that requested it named any.
    pub choices: Vec<String>,
}

/// Returns a comment by the program itself. All participants see it; it does not count as an answer of any of them.
pub(crate) fn reported(text: String) -> Option<Draft> {
    let name = Name::parse(RESERVED_NAME).ok()?;
    Some(Draft::Comment(NewComment::by(name, text)))
}

impl Snapshot {
    /// Returns the sub-discussion that the current phase opens, or `None` if it opens none.
    ///
    /// # Errors
    /// Fails if an expression of the template fails.
    pub(crate) fn discussed_here(&self) -> Result<Option<ChildSpec>, SnapshotError> {
        self.phase().discuss.as_ref().map(|discuss| self.spec(discuss)).transpose()
    }

    /// Returns the sub-discussions that may still be opened or continued, as far as their definitions can be computed
    /// now.
    pub(crate) fn discussed_ahead(&self) -> Vec<ChildSpec> {
        let state = &self.state;
        let here = state.place.phase();
        let is_ahead = |index: usize| {
            if index == here {
                state.children_here().next().is_none()
            } else {
                state.place.entered[index] == 0
            }
        };
        let phases = self.template().phases.iter().enumerate();
        let ahead = phases.filter(|(index, _)| is_ahead(*index));
        let specs = ahead.filter_map(|(_, phase)| Some(self.sketched(phase.discuss.as_ref()?)));
        let open = state.open_child().and_then(|child| self.spec_of(child).ok().flatten());
        let asked = state.requests.iter().filter(|one| one.opened.is_none());
        let asked = asked.filter_map(|one| self.requested(one));
        open.into_iter().chain(asked).chain(specs).collect()
    }

    /// Returns the definition of an open sub-discussion, computed from the file as it was when its line was written.
    ///
    /// # Errors
    /// Fails if an expression of the template fails.
    pub(crate) fn spec_of(&self, child: &Child) -> Result<Option<ChildSpec>, SnapshotError> {
        if child.line.by.is_some() {
            let of = |one: &&DiscussionRequest| one.opened.as_ref() == Some(&child.line.file);
            return Ok(self.state.requests.iter().find(of).and_then(|one| self.requested(one)));
        }
        self.until(child.cut).discussed_here()
    }

    /// Returns the first sub-discussion that a participant requested and the run has not opened yet.
    pub(crate) fn asked_for(&self) -> Option<ChildSpec> {
        let mut requests = self.state.requests.iter();
        requests.find(|one| one.opened.is_none()).and_then(|one| self.requested(one))
    }

    fn requested(&self, request: &DiscussionRequest) -> Option<ChildSpec> {
        let within = self.config.within.as_ref()?;
        let participants = if within.participants.is_empty() {
            &self.config.participants
        } else {
            &within.participants
        };
        // The text does not name the participant that asks, because the discussion may be anonymous.
        let mut context = format!("This question came up in: {}", self.state.title);
        if !request.choices.is_empty() {
            context.push_str(&format!("\n\nTo choose between: {}", request.choices.join("; ")));
        }
        let about = self.transcript.context();
        if !about.trim().is_empty() {
            context.push_str(&format!("\n\n{}", about.trim()));
        }
        Some(ChildSpec {
            template: within.pattern.clone(),
            topic: request.question.clone(),
            context: Some(context),
            participants: participants.iter().map(ToString::to_string).collect(),
            parameters: Vec::new(),
            turn: request.turn,
            by: Some(request.by.clone()),
            choices: request.choices.clone(),
        })
    }

    fn spec(&self, discuss: &Discuss) -> Result<ChildSpec, SnapshotError> {
        let context = self.render(&discuss.context, None)?;
        let topic = self.render(&discuss.topic, None)?;
        Ok(self.made_of(discuss, topic.trim().to_owned(), context.trim().to_owned()))
    }

    /// Returns a preliminary definition. If the texts that it quotes do not exist yet, the title
    /// replaces the question.
    fn sketched(&self, discuss: &Discuss) -> ChildSpec {
        let (title, text) = (self.state.title.clone(), String::new());
        let spec = self.spec(discuss).ok().filter(|spec| !spec.topic.is_empty());
        spec.unwrap_or_else(|| self.made_of(discuss, title, text))
    }

    fn made_of(&self, discuss: &Discuss, topic: String, context: String) -> ChildSpec {
        let holders = |name: &String| match self.config.roles.get(name) {
            Some(holders) => holders.iter().map(ToString::to_string).collect(),
            None => vec![name.clone()],
        };
        let participants: Vec<String> = if discuss.participants.is_empty() {
            self.config.participants.iter().map(ToString::to_string).collect()
        } else {
            discuss.participants.iter().flat_map(holders).collect()
        };
        ChildSpec {
            template: discuss.pattern.clone(),
            topic,
            context: Some(context).filter(|context| !context.is_empty()),
            participants,
            parameters: discuss.parameters().collect(),
            turn: None,
            by: None,
            choices: Vec::new(),
        }
    }
}

/// Time that each level reserves for its last text (INV-DISC-611).
const RESERVE: Duration = Duration::from_secs(10);

/// Returns a discussion's share of the total time. `depth` is the number of its parents, `deepest` the maximum depth.
/// The shares of all levels together never exceed the total.
pub(crate) fn share(
    total: Duration,
    strategy: TimeStrategy,
    depth: Depth,
    deepest: Depth,
) -> Duration {
    let (depth, deepest) = (depth.get(), deepest.get().max(depth.get()));
    let falling = |level: u32| 0.6_f64.powi(i32::try_from(level).unwrap_or(i32::MAX));
    let part = match strategy {
        TimeStrategy::Fixed => 1.0 / f64::from(deepest + 1),
        TimeStrategy::Cascade => 0.5_f64.powi(i32::try_from(depth + 1).unwrap_or(i32::MAX)),
        TimeStrategy::Budget => falling(depth) / (0..=deepest).map(falling).sum::<f64>(),
    };
    // Whole milliseconds, rounded down: rounding up could make the sum exceed the total.
    let milliseconds = (total.as_millis() as f64 * part) as u64;
    Duration::from_millis(milliseconds)
}

/// Returns the deadline of a discussion that begins now: never later than its parent's deadline minus the parent's
/// reserve, and never later than its share minus its own reserve. `None` means no time limit. A deadline at or before
/// `now` leaves no time to begin.
pub(crate) fn until(parent: Option<Time>, share: Option<Duration>, now: Time) -> Option<Time> {
    let by_parent = parent.map(|end| end - RESERVE);
    let own = share.map(|share| match share.checked_sub(RESERVE) {
        Some(rest) => now
            .checked_add_signed(chrono::TimeDelta::from_std(rest).unwrap_or_default())
            .unwrap_or(now),
        None => now,
    });
    match (by_parent, own) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STRATEGIES: [TimeStrategy; 3] =
        [TimeStrategy::Fixed, TimeStrategy::Cascade, TimeStrategy::Budget];

    fn depth(level: u32) -> Depth {
        Depth::try_from(level).unwrap()
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn inv_disc_613_shares_follow_the_table() {
        let of = |strategy, level| share(seconds(180), strategy, depth(level), depth(2));
        assert_eq!(
            [0, 1, 2].map(|level| of(TimeStrategy::Fixed, level)),
            [60, 60, 60].map(seconds)
        );
        assert_eq!([0, 1].map(|level| of(TimeStrategy::Cascade, level)), [90, 45].map(seconds));
        assert_eq!(of(TimeStrategy::Cascade, 2), Duration::from_millis(22_500));
        // 180 s * 0.6^d / (1 + 0.6 + 0.36)
        let budget = [0, 1, 2].map(|level| of(TimeStrategy::Budget, level).as_millis());
        assert_eq!(budget, [91_836, 55_102, 33_061]);
    }

    #[test]
    fn inv_disc_611_ten_seconds_are_kept_at_each_level() {
        let now: Time = "2026-11-20T10:00:00Z".parse().unwrap();
        let at = |after: u64| now + seconds(after);
        assert_eq!(until(Some(at(100)), None, now), Some(at(90)));
        assert_eq!(until(Some(at(100)), Some(seconds(45)), now), Some(at(35)));
        assert_eq!(until(None, Some(seconds(45)), now), Some(at(35)));
        assert_eq!(until(None, Some(seconds(9)), now), Some(now), "no time is left to begin");
        assert_eq!(until(None, None, now), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn inv_disc_610_shares_sum_to_at_most_the_total_time(
            total in 0_u64..10_000_000, which in 0_usize..3, deepest in 0_u32..=4, waits in prop::collection::vec(0_u64..100_000, 4),
        ) {
            let (total, strategy, deepest) = (Duration::from_millis(total), STRATEGIES[which], depth(deepest));
            let shares: Vec<Duration> = (0..=deepest.get()).map(|level| share(total, strategy, depth(level), deepest)).collect();
            prop_assert!(shares.iter().sum::<Duration>() <= total, "{:?}", shares);
            // A chain of sub-discussions, each begun some time after its parent.
            let start: Time = "2026-11-20T10:00:00Z".parse().unwrap();
            let (mut now, mut end) = (start, start + total);
            for (level, wait) in (1..=deepest.get()).zip(waits) {
                now += Duration::from_millis(wait);
                let own = until(Some(end), Some(shares[level as usize]), now).unwrap();
                prop_assert!(own <= end - RESERVE, "a child outlives its parent");
                prop_assert!(own <= (now + shares[level as usize] - RESERVE).max(now), "more than its share");
                end = own;
            }
        }
    }
}
