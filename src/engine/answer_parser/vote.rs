//! Reads votes on lines of their own, checks that they are the author's, and decides which votes in
//! an answer count.

use super::label::{Labelled, Sign, is_sign, label};
use super::page::{AnswerDraft, Parts, balanced, readable};
use super::sentence::unled;
use super::value::{LabelledValue, exactly, option};
use super::words::{FoundWord, WordWeight, says_nothing};
use crate::transcript::{Block, BlockKind, Choice, Marker};

impl AnswerDraft<'_> {
    /// Reads the vote after a label.
    pub(super) fn vote(
        &mut self,
        block: usize,
        line: usize,
        parts: &Parts<'_>,
        labelled: &Labelled<'_>,
    ) {
        let value = labelled.value;
        if self.is_introduced(block) || !self.is_own(&labelled.note) {
            return;
        }
        let Some((rank, said)) = self.said_of(&labelled.found, value) else { return };
        // Keeps the remark about the vote without the word `VOTE`, which would make it a second vote.
        let put = match &said {
            LabelledValue::One { option, behind } if !behind.is_empty() => Some(format!(
                "{}{option}{}{}",
                without_heading_mark(parts.mark),
                separator(behind),
                balanced(behind)
            )),
            _ => None,
        };
        let Block { kind, lines } = &self.blocks[block];
        let underline = lines.clone().skip(1).filter(|_| *kind == BlockKind::Heading);
        // Reads the confidence in `VOTE: READY (confidence 0.8)`.
        if let LabelledValue::One { behind, .. } = &said
            && self.wanted.asks_for("CONFIDENCE")
            && let Some(at) = behind.to_lowercase().find("confidence")
            && let Some(share) = readable(
                "CONFIDENCE",
                &balanced(behind[at + 10..].trim_matches([' ', ')', ':', '.'])),
            )
        {
            self.aside.push(("CONFIDENCE", share));
        }
        let edits =
            std::iter::once((line, put)).chain(underline.map(|line| (line, None))).collect();
        self.claim(block, rank, said, value, edits);
    }

    /// Returns the vote in a label's value, and the strength of the evidence for it.
    pub(super) fn said_of(&self, found: &FoundWord, value: &str) -> Option<(Rank, LabelledValue)> {
        let options = &self.wanted.options;
        match found.weight {
            // A synonym means a vote only if its value is exactly an option.
            WordWeight::Other => {
                exactly(value, options).map(|option| (Rank::Sentence, LabelledValue::only(option)))
            }
            WordWeight::Final => Some((Rank::Final, option(unled(value), options))),
            WordWeight::Own | WordWeight::Past => {
                Some((Rank::Label, option(unled(value), options)))
            }
        }
    }

    /// Returns true if the text in a vote's brackets names no other person. `VOTE (Rob): READY` is the vote of another
    /// person.
    fn is_own(&self, note: &str) -> bool {
        let option = |word: &str| Choice::named_in(&self.wanted.options, word).is_some();
        let mut words = note.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.all(|word| option(word) || says_nothing(&word.to_lowercase()))
    }

    /// Records a possible vote with the changes to its lines.
    pub(super) fn claim(
        &mut self,
        block: usize,
        rank: Rank,
        said: LabelledValue,
        shown: &str,
        edits: Vec<(usize, Option<String>)>,
    ) {
        let (run, item) = match self.blocks[block].kind {
            BlockKind::Item { list } => (list, true),
            _ => (1_000_000 + block, false),
        };
        // Claims with only blank lines between them belong to one group.
        let run = match self.claims.last() {
            Some(last) if !item && !last.item && self.follows(last, block) => last.run,
            _ => run,
        };
        let shown = shown.trim().trim_matches(['*', '_', ' ']).chars().take(80).collect();
        self.claims.push(VoteCandidate { rank, said, shown, run, item, edits });
    }

    /// Returns true if only blank lines and votes separate a claim from this block.
    pub(super) fn follows(&self, last: &VoteCandidate, block: usize) -> bool {
        let Some((line, _)) = last.edits.first() else { return false };
        let first = self.blocks[block].lines.start;
        let one = |at: &usize| self.blocks.iter().any(|block| block.lines == (*at..*at + 1));
        self.blocks[block].lines.contains(line)
            || one(line) && (*line + 1..first).all(|between| self.lines[between].trim().is_empty())
    }

    /// Reads a vote without a colon: `VOTE READY`, `**VOTE** READY`.
    pub(super) fn unsigned(&mut self, block: usize, line: usize, parts: &Parts<'_>) {
        let bare =
            parts.text.trim_start_matches(|c: char| matches!(c, '*' | '_' | ' ') || is_sign(c));
        let rest = bare.strip_prefix("VOTE").filter(|rest| rest.starts_with([' ', '*', '_']));
        let Some(rest) = rest else { return };
        if let Some(option) = exactly(rest, &self.wanted.options) {
            let said = LabelledValue::only(option);
            self.claim(block, Rank::Label, said, rest, vec![(line, None)]);
        }
    }

    /// Reads a vote that only the strict parser finds, because this phase requests no vote.
    pub(super) fn strict_vote(&mut self, block: usize, line: usize) {
        let Some(mark) = self.strict.get(&line).filter(|mark| mark.marker == Marker::Vote) else {
            return;
        };
        let text = mark.text.clone();
        let option = Choice::named_in(&self.wanted.options, &text);
        let said = option.map_or(LabelledValue::Unclear, LabelledValue::only);
        self.claim(block, Rank::Label, said, &text, vec![(line, None)]);
    }

    /// Reads a quoted vote in the last line, if no text introduces a quotation.
    pub(super) fn quote(&mut self, block: usize) {
        let lines = self.blocks[block].lines.clone();
        if lines.len() != 1 || self.ends_in_colon(block) {
            return;
        }
        let text = self.lines[lines.start].trim_start_matches(['>', ' ']);
        if let Some(labelled) = label(text, &self.names)
            && labelled.found.word == "VOTE"
            && labelled.found.weight != WordWeight::Other
            && labelled.sign == Sign::Colon
            && let said @ LabelledValue::One { .. } = option(labelled.value, &self.wanted.options)
        {
            match &said {
                LabelledValue::One { behind, .. } if behind.is_empty() => {
                    self.claim(block, Rank::Quote, said, labelled.value, vec![(lines.start, None)]);
                }
                LabelledValue::One { behind, .. } if is_reason(behind) => {
                    self.claim(block, Rank::Quote, said, labelled.value, Vec::new());
                }
                _ => {}
            }
        }
    }

    /// Returns true if a line introduces the list of this block. Such a list quotes others, unless the line says `my`
    /// or `I`.
    fn is_introduced(&self, block: usize) -> bool {
        let BlockKind::Item { list } = self.blocks[block].kind else { return false };
        let first = self.blocks.iter().position(|block| block.kind == BlockKind::Item { list });
        let Some(first) = first.filter(|&first| self.ends_in_colon(first)) else { return false };
        let lead = self.lines[self.blocks[first - 1].lines.end - 1].to_lowercase();
        let mine = lead
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| matches!(word, "my" | "i" | "mine"));
        let bold = lead.starts_with("**");
        !mine && !bold
    }

    fn ends_in_colon(&self, block: usize) -> bool {
        let before = block.checked_sub(1).map(|before| &self.blocks[before]);
        before.filter(|before| before.kind == BlockKind::Paragraph).is_some_and(|before| {
            self.lines[before.lines.end - 1].trim_end_matches(['*', '_', ' ']).ends_with(':')
        })
    }
}

/// Returns true if the text after a quoted vote is a reason. It could name the quoted person instead: `— Rob`, `— as
/// Rob put it`.
fn is_reason(behind: &str) -> bool {
    let said = behind.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '@');
    let first = said.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let quoting = ["as", "by", "from", "per", "quoted", "said", "says", "so", "via", "wrote"];
    first.chars().all(char::is_lowercase)
        && !first.is_empty()
        && !quoting.contains(&first)
        && said.split_whitespace().count() >= 4
}

/// Returns the line's prefix, except that of a heading: the remark that replaces a vote is not a heading.
fn without_heading_mark(mark: &str) -> &str {
    if mark.contains('#') { "" } else { mark }
}

/// Returns the space between an option and the remark about it.
fn separator(behind: &str) -> &'static str {
    if behind.starts_with([',', ';', '.', ':', '!']) { "" } else { " " }
}

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
