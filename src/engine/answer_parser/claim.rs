//! Decides which of the votes in an answer count.

use super::value::LabelledValue;
use crate::transcript::Choice;

/// The strength of the evidence for a vote, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// An option alone.
    Bare,
    /// A sentence, or another word for a vote.
    Sentence,
    /// A quote in the last line.
    Quote,
    /// The word `VOTE` itself.
    Label,
    /// The word `VOTE`, with a statement that it replaces the votes above it.
    Final,
}

/// One place in the answer that may be a vote.
#[derive(Debug)]
pub(super) struct VoteCandidate {
    pub(super) rank: Rank,
    pub(super) said: LabelledValue,
    /// The text of the vote, for notes.
    pub(super) shown: String,
    /// Index of the group of adjacent lines. One group may be a list of the options.
    pub(super) run: usize,
    /// True if the vote is a list item.
    pub(super) item: bool,
    /// Changes to lines if this vote counts: replacement text, or `None` to delete the line.
    pub(super) edits: Vec<(usize, Option<String>)>,
}

/// Indices of claims, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    /// Claims that count.
    pub(super) count: Vec<usize>,
    /// Claims that name no valid option.
    pub(super) foreign: Vec<usize>,
}

/// Selects the claims that count. The claims must be in the order of the text.
pub(super) fn resolve(claims: &[VoteCandidate], options: &[Choice]) -> Resolved {
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
    let (count, foreign) =
        left.into_iter().partition(|&at| claims[at].said != LabelledValue::Unclear);
    Resolved { count, foreign }
}

/// Returns true if a claim belongs to a list of options: all options in one group, or different ones in one Markdown
/// list.
fn is_listing(claims: &[VoteCandidate], at: usize, options: &[Choice]) -> bool {
    let mut named: Vec<&Choice> = Vec::new();
    for claim in claims.iter().filter(|claim| claim.run == claims[at].run) {
        if let LabelledValue::One { option, .. } = &claim.said
            && !named.contains(&option)
        {
            named.push(option);
        }
    }
    named.len() > 1 && (claims[at].item || named.len() == options.len() && options.len() > 2)
}
