//! Which of the votes in an answer count.

use super::value::Said;
use crate::transcript::Choice;

/// What says that it is a vote, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// An option alone.
    Bare,
    /// A sentence, or another word for a vote.
    Sentence,
    /// The last line, quoted.
    Quote,
    /// The word itself.
    Label,
    /// The word, and that it replaces what is above it.
    Final,
}

/// One place where a vote is named.
#[derive(Debug)]
pub(super) struct Claim {
    pub(super) rank: Rank,
    pub(super) said: Said,
    /// What stands there, for notes.
    pub(super) shown: String,
    /// The run of lines to which it belongs; in one run several options may be listed.
    pub(super) run: usize,
    /// It stands in a list.
    pub(super) item: bool,
    /// What becomes of lines when it counts: other text, or nothing.
    pub(super) edits: Vec<(usize, Option<String>)>,
}

/// Indices of claims, in order.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    /// What counts.
    pub(super) count: Vec<usize>,
    /// What is no option.
    pub(super) foreign: Vec<usize>,
}

/// Weighs claims, which are in the order of the text.
pub(super) fn resolve(claims: &[Claim], options: &[Choice]) -> Resolved {
    let mut left: Vec<usize> =
        (0..claims.len()).filter(|&at| !is_listing(claims, at, options)).collect();
    if let Some(last) = left.iter().rposition(|&at| claims[at].rank == Rank::Final) {
        let replaced = |(nth, at): (usize, &usize)| nth < last && claims[*at].rank >= Rank::Label;
        left = left.iter().enumerate().filter(|it| !replaced(*it)).map(|(_, at)| *at).collect();
    }
    let strong = left.iter().any(|&at| claims[at].rank >= Rank::Label);
    let best = left.iter().map(|&at| claims[at].rank).max().unwrap_or(Rank::Bare);
    left.retain(
        |&at| if strong { claims[at].rank >= Rank::Label } else { claims[at].rank == best },
    );
    let (count, foreign) = left.into_iter().partition(|&at| claims[at].said != Said::Unclear);
    Resolved { count, foreign }
}

/// Whether a claim belongs to a list of the options: all of them in a row, or different ones in one list.
fn is_listing(claims: &[Claim], at: usize, options: &[Choice]) -> bool {
    let mut named: Vec<&Choice> = Vec::new();
    for claim in claims.iter().filter(|claim| claim.run == claims[at].run) {
        if let Said::One { option, .. } = &claim.said
            && !named.contains(&option)
        {
            named.push(option);
        }
    }
    named.len() > 1 && (claims[at].item || named.len() == options.len() && options.len() > 2)
}
