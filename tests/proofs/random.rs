//! Pseudo-random numbers that are equal in every run (splitmix64).

/// A generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, `most`.
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    /// Returns a size between two others; each order of magnitude is equally likely.
    pub(crate) fn size(&mut self, least: u64, most: u64) -> u64 {
        let doublings = (most / least).ilog2() + 1;
        let about = least << self.below(u64::from(doublings));
        (about + self.below(about)).min(most)
    }
}
