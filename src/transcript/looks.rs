//! Counts the comparisons of names and aliases, so that tests can bound the work; time would depend on the machine.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static LOOKS: Cell<usize> = const { Cell::new(0) };
}

/// Counts one comparison, in tests only.
#[inline]
pub(super) fn count() {
    #[cfg(test)]
    LOOKS.set(LOOKS.get() + 1);
}

/// Runs some work and returns the number of comparisons that it made in this thread.
#[cfg(test)]
pub(crate) fn during<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LOOKS.get();
    let done = work();
    (done, LOOKS.get() - before)
}
