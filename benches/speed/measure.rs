//! Two things timed in turns, so that whatever else the machine does meets both alike.

use std::time::{Duration, Instant};

/// How often something is measured.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Fewer and smaller: to see that it works.
    pub(crate) quick: bool,
}

impl Effort {
    /// `full` times, or a few.
    pub(crate) fn times(self, full: usize) -> usize {
        if self.quick { full.div_ceil(8).max(3) } else { full }
    }
}

/// What a comparison came to.
#[derive(Clone, Copy)]
pub(crate) struct Ratio {
    /// The median of the pairs' ratios: ours over the other's.
    pub(crate) middle: f64,
    /// A quarter of the pairs lie below the first and above the second.
    pub(crate) quartiles: (f64, f64),
    /// The load average of the last minute at the end of the measurement, if the system tells it.
    pub(crate) load: Option<f64>,
}

impl Ratio {
    /// Of ratios measured pair by pair.
    pub(crate) fn of(mut ratios: Vec<f64>) -> Self {
        ratios.sort_by(f64::total_cmp);
        let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
        Self { middle: at(0.5), quartiles: (at(0.25), at(0.75)), load: load_average() }
    }

    /// The largest of several ratios, each measured on its own.
    pub(crate) fn worst(ratios: impl Iterator<Item = f64>) -> Self {
        let worst = ratios.fold(0.0, f64::max);
        Self { middle: worst, quartiles: (worst, worst), load: load_average() }
    }

    /// The other way round: the other's over ours.
    pub(crate) fn inverse(self) -> Self {
        let (low, high) = self.quartiles;
        Self { middle: 1.0 / self.middle, quartiles: (1.0 / high, 1.0 / low), ..self }
    }
}

/// Times both `times` times, in turns and in alternating order, after one unmeasured go of each.
pub(crate) fn pairs(times: usize, mut ours: impl FnMut(), mut other: impl FnMut()) -> Ratio {
    pairs_of(times, || timed(&mut ours), || timed(&mut other))
}

/// The same for things that measure themselves.
pub(crate) fn pairs_of(
    times: usize,
    mut ours: impl FnMut() -> Duration,
    mut other: impl FnMut() -> Duration,
) -> Ratio {
    ours();
    other();
    let ratios = (0..times).map(|index| {
        let (a, b);
        if index % 2 == 0 {
            a = ours();
            b = other();
        } else {
            b = other();
            a = ours();
        }
        a.as_secs_f64() / b.as_secs_f64()
    });
    Ratio::of(ratios.collect())
}

/// How long something takes.
pub(crate) fn timed(mut what: impl FnMut()) -> Duration {
    let start = Instant::now();
    what();
    start.elapsed()
}

/// How long the processor works at something in this thread. Where the system does not tell, how long it takes, which
/// on a busy machine is more for whatever lasts longer than its turn.
pub(crate) fn worked(what: impl FnMut()) -> Duration {
    let before = on_processor();
    let took = timed(what);
    before.zip(on_processor()).map_or(took, |(before, after)| after.saturating_sub(before))
}

/// For how long this thread has had a processor, as Linux counts.
fn on_processor() -> Option<Duration> {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(counted.split(' ').next()?.parse().ok()?))
}

/// Returns the load average of the last minute, as Linux tells it.
fn load_average() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/loadavg").ok()?;
    told.split(' ').next()?.parse().ok()
}
