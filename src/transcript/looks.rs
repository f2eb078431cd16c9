//! How often names and aliases are looked at: work that a test can count, where time depends on the machine.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static LOOKS: Cell<usize> = const { Cell::new(0) };
}

/// Counts one, in tests.
#[inline]
pub(super) fn count() {
    #[cfg(test)]
    LOOKS.set(LOOKS.get() + 1);
}

/// How often names were looked at meanwhile, in this thread.
#[cfg(test)]
pub(crate) fn during<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LOOKS.get();
    let done = work();
    (done, LOOKS.get() - before)
}
