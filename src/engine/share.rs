//! Divides the time of a run between a discussion and its sub-discussions (INV-DISC-610 to 613).

use std::time::Duration;

use crate::transcript::{Depth, Time, TimeStrategy};

/// Time that each level reserves for its last text (INV-DISC-611).
pub(crate) const RESERVE: Duration = Duration::from_secs(10);

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
