//! The receipt of an answer, as part of a line.

use discussions::view::visible_line;

use crate::cli::amounts::{ago, money, seconds};

/// The recorded values of a call.
#[derive(Clone, Copy)]
pub(super) struct ReceiptCost<'r> {
    pub(super) provider: Option<&'r str>,
    pub(super) ms: Option<u64>,
    pub(super) usd: Option<f64>,
    pub(super) estimated: bool,
    pub(super) at: Option<&'r str>,
}

impl ReceiptCost<'_> {
    /// Returns the known values: `claude-opus · 9 s · $0.03 · 2 h ago`.
    pub(super) fn line(self, now: &str) -> String {
        let parts = [
            self.provider.map(visible_line),
            self.ms.map(seconds),
            self.usd.filter(|usd| *usd > 0.0).map(|usd| money(usd, self.estimated)),
            self.at.and_then(|at| ago(at, now)),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}
