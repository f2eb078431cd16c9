//! How much of a prompt an earlier one began with.

use std::sync::Arc;

/// Prompts that are remembered: later ones go on from the last turn's.
const REMEMBERED: usize = 12;

/// The last prompts of a run.
#[derive(Default)]
pub(super) struct Prefixes(Vec<Arc<str>>);

impl Prefixes {
    /// Bytes at the beginning that an earlier prompt has too; then remembers this one.
    pub(super) fn shared(&mut self, prompt: &Arc<str>) -> usize {
        let longest = self.0.iter().map(|earlier| common(earlier, prompt)).max().unwrap_or(0);
        if self.0.len() == REMEMBERED {
            self.0.remove(0);
        }
        self.0.push(Arc::clone(prompt));
        longest
    }
}

fn common(a: &str, b: &str) -> usize {
    // Pages first: prompts of long discussions differ only near their ends.
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let pages =
        a.chunks(4096).zip(b.chunks(4096)).take_while(|(x, y)| x == y && x.len() == 4096).count()
            * 4096;
    pages + a[pages..].iter().zip(&b[pages..]).take_while(|(x, y)| x == y).count()
}
