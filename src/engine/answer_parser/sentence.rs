//! Votes without a label: sentences that state a vote, and options on a line of their own.

use std::sync::LazyLock;

use regex::Regex;

use super::page::{AnswerDraft, balanced};
use super::value::{LabelledValue, exactly, option, typed};
use super::vote::Rank;
use crate::transcript::BlockKind;

/// Matches the start of a sentence that votes: `My vote is therefore`, `I vote for`.
static VOTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^[*_\s]*(?:(?i:so|therefore|thus|hence|overall|accordingly|consequently|that said|and so|in conclusion|in sum|",
        r"on balance|for now|with that|given that|given this|as it stands|as things stand|as it is|as written|at this point|",
        r"in the end|in short|in summary|to sum up|all in all|all things considered|",
        r"for (?:this|that|these|those|both) reasons?)[,:]?\s+)?",
        r"(?:(?:M|m)y\s+(?:final |revised |updated |own )?(?:vote|ballot)(?:\s+(?:therefore|thus|hence|now|still|clearly))?",
        r"\s+(?:is|goes to|goes for|remains|stays|stands at)",
        r"(?:\s+(?:therefore|thus|hence|now|still|clearly|then))?(?:\s+for)?",
        r"|I(?:\s+(?:therefore|thus|hence|hereby|still|now))?\s+(?:vote|cast my vote)(?:\s+(?:for|as|with))?",
        r"|I(?:\s+am|['’]m)(?:\s+(?:therefore|thus|still|now))?\s+voting(?:\s+for)?)",
        r"\s*[:,]?\s+",
    ))
    .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
});

/// Matches a sentence that rates: `I rate this 3 out of 5`, `I would give it 4/5`.
static RATES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^[*_\s]*(?:(?i:so|therefore|thus|hence|overall|in conclusion|on balance)[,:]?\s+)?",
        r"(?:I(?:\s+would|['’]d)?\s+(?:rate|give|score)\s+(?:it|this|the [a-z]+(?: [a-z]+)?)(?:\s+(?:with|a|an|at))*",
        r"|(?:M|m)y\s+(?:overall )?rating\s+(?:is|would be))\s+[*_]*",
        r"((?:[0-9.]+|one|two|three|four|five)\s*(?:/|out of|of)\s*(?:5|five))\b(.*)",
    ))
    .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
});

/// Matches a sentence that grades the risk: `I consider the remaining risk to be low`.
static RISKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\bI(?:\s+would|['’]d)?\s+(?:therefore\s+)?(?:consider|rate|judge|assess|deem|see|call)\s+the\s+",
        r"(?:overall |remaining |residual )?risk(?:\s+level)?\s+(?:(?:to be|as)\s+)?[*_]*(low|medium|high|critical)\b(.*)",
    ))
    .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
});

/// Matches a sentence that decides: `The decision is therefore: keep it`, `Our decision is to keep it`.
static DECIDES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^[*_\s]*(?:The|My|Our)\s+(?:final )?decision\s+is(?:\s+(?:therefore|thus|hence|clear|this))?[*_]*",
        r"(?:\s*:\s*|\s+(?:that|to)\s+)[*_]*(\S.*)$",
    ))
    .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
});

/// Matches a sentence that withdraws a vote: `I take the line above back`, `I am withdrawing that vote`.
static TAKES_BACK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^[*_\s]*(?:(?:So|Therefore|Thus|Hence)[,:]?\s+)?I(?:['’]m|\s+am)?(?:\s+(?:therefore|thus|hence|hereby|now|must))?\s+",
        r"(?:(?:take|taking)\s+(?:[a-z]+\s+){1,4}back\b|(?:withdraw|retract|revoke)(?:ing)?\s+(?:it|that|this|my|the)\b)",
    ))
    .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
});

/// Matches a sentence that states a confidence: `I am 80 % sure`, `My confidence is about 0.7`.
static SURE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^[*_\s]*(?:I(?:\s+am|['’]m)\s+(?:about\s+|roughly\s+|around\s+|only\s+)?[*_]*([0-9.]+\s*%)[*_]*\s+(?:confident|sure|certain)",
        r"|My\s+confidence(?:\s+in\s+(?:this|that|my vote))?\s+is\s+(?:about\s+|roughly\s+|around\s+)?[*_]*([0-9.]+(?:\s*%)?))\b?",
    ))
    .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
});

/// Removes the words that lead to a value: `VOTE: I vote READY` votes `READY`.
pub(super) fn unled(value: &str) -> &str {
    VOTES.find(value.trim_start()).map_or(value, |lead| &value.trim_start()[lead.end()..])
}

impl AnswerDraft<'_> {
    /// Reads requested values that no label names from the sentences of the answer.
    pub(super) fn sentences(&mut self) {
        if self.wanted.requires("RATING") && !self.has("RATING") {
            self.rating();
        }
        if self.wanted.asks_for("RISK") && !self.has("RISK") {
            self.one_value("RISK", &RISKS);
        }
        if self.wanted.requires("DECISION") && !self.has("DECISION") {
            self.decision();
        }
        self.replaced();
        self.sentence_votes();
        if self.wanted.asks_for("CONFIDENCE") && !self.has("CONFIDENCE") {
            self.sure();
        }
    }

    /// Reads votes in sentences, and options on a line of their own.
    fn sentence_votes(&mut self) {
        if self.claims.iter().any(|claim| claim.rank >= Rank::Label) || !self.names.has("VOTE") {
            return;
        }
        self.closing_vote();
        if !self.wanted.asks_for("VOTE") {
            return;
        }
        for (block, text) in self.prose() {
            let all: Vec<&str> = sentences(&text).collect();
            for (nth, sentence) in all.iter().enumerate() {
                let Some(lead) = VOTES.find(sentence) else { continue };
                if is_quoted(&all[..nth]) || all.get(nth + 1).is_some_and(|next| turns(next)) {
                    continue;
                }
                let named = sentence[lead.end()..].trim_start_matches(['*', '_', '`', '"', '“']);
                let options = &self.wanted.options;
                // Without a label, only the exact spelling of an option counts: `I vote ready to go` is not a vote.
                let exact = options.iter().any(|option| named.starts_with(option.as_str()));
                if let said @ LabelledValue::One { .. } = option(named, options)
                    && exact
                {
                    if let Some((_, share)) = named.split_once("confidence of ")
                        && let Some(value) = typed("CONFIDENCE", share)
                    {
                        self.aside.push(("CONFIDENCE", value));
                    }
                    self.claim(block, Rank::Sentence, said, named, Vec::new());
                }
            }
        }
        if self.wanted.requires("VOTE") {
            self.alone();
        }
    }

    /// Reads `VOTE: READY` after the last sentence of the answer.
    fn closing_vote(&mut self) {
        let Some((block, text)) = self.prose().pop() else { return };
        if block + 1 != self.blocks.len() || self.blocks[block].kind != BlockKind::Paragraph {
            return;
        }
        let all: Vec<&str> = sentences(&text).collect();
        let Some((last, before)) = all.split_last().filter(|(_, before)| !before.is_empty()) else {
            return;
        };
        let said = last.trim_start().trim_start_matches("**");
        let Some(named) = said.strip_prefix("VOTE:") else { return };
        if let Some(found) = exactly(named, &self.wanted.options)
            && !is_quoted(before)
            && !text.contains(['`', '~', '['])
        {
            self.claim(block, Rank::Sentence, LabelledValue::only(found), named, Vec::new());
        }
    }

    /// Lets the last vote replace the vote above it if a sentence between them withdraws the earlier vote.
    fn replaced(&mut self) {
        let [.., before, last] = self.claims.as_slice() else { return };
        let (Some((above, _)), Some((below, _))) = (before.edits.first(), last.edits.first())
        else {
            return;
        };
        let between = *above + 1..*below;
        let takes_back = self.prose().iter().any(|(block, text)| {
            let all: Vec<&str> = sentences(text).collect();
            between.contains(&self.blocks[*block].lines.start)
                && all
                    .iter()
                    .enumerate()
                    .any(|(nth, sentence)| TAKES_BACK.is_match(sentence) && !is_quoted(&all[..nth]))
        });
        let ends = self.lines[*below + 1..].iter().all(|line| line.trim().is_empty());
        if takes_back
            && ends
            && last.rank == Rank::Label
            && let Some(last) = self.claims.last_mut()
        {
            last.rank = Rank::Final;
        }
    }

    /// Reads an option that is the whole first or last line.
    fn alone(&mut self) {
        let ends = [0, self.blocks.len().saturating_sub(1)];
        for (nth, block) in ends.into_iter().enumerate() {
            let Some(it) = self.blocks.get(block).filter(|_| nth == 0 || block > 0) else {
                continue;
            };
            let (kind, lines) = (it.kind, it.lines.clone());
            if lines.len() != 1 || !matches!(kind, BlockKind::Paragraph | BlockKind::Heading) {
                continue;
            }
            let text = self.parts(lines.start, kind, true).text;
            if let Some(option) = exactly(text, &self.wanted.options)
                && !text.contains("~~")
            {
                let said = LabelledValue::only(option);
                self.claim(block, Rank::Bare, said, text, vec![(lines.start, None)]);
            }
        }
    }

    /// Reads the confidence that is stated next to the vote, or in the only sentence that states one.
    fn sure(&mut self) {
        let mut found: Vec<String> = self.aside.drain(..).map(|(_, value)| value).collect();
        if found.is_empty() {
            for (_, text) in self.prose() {
                let said = sentences(&text).filter_map(|sentence| SURE.captures(sentence));
                let values = said.filter_map(|said| {
                    said.get(1).or(said.get(2)).map(|it| it.as_str().to_owned())
                });
                found.extend(values.filter_map(|value| typed("CONFIDENCE", &value)));
            }
        }
        if let [share] = found.as_slice() {
            self.below = Some(format!("CONFIDENCE: {share}"));
        }
    }

    /// Reads the only sentence that rates, and writes its value below the paragraph.
    fn rating(&mut self) {
        self.one_value("RATING", &RATES);
    }

    /// Reads the only sentence that states a value, and writes the value below the paragraph. The pattern's first group
    /// is the value, its second group is the rest of the sentence.
    fn one_value(&mut self, word: &str, pattern: &Regex) {
        let mut found: Vec<(usize, String)> = Vec::new();
        for (block, text) in self.prose() {
            let all: Vec<&str> = sentences(&text).collect();
            for (nth, sentence) in all.iter().enumerate() {
                let Some(said) = pattern.captures(sentence) else { continue };
                let (value, rest) = (said.get(1), said.get(2).map_or("", |rest| rest.as_str()));
                let depends = rest
                    .split_whitespace()
                    .any(|word| matches!(word.trim_matches(','), "if" | "unless" | "once"));
                let value = value.map(|value| in_digits(value.as_str()));
                if let Some(value) = value.and_then(|value| typed(word, &value))
                    && !depends
                    && !is_quoted(&all[..nth])
                {
                    found.push((block, value));
                }
            }
        }
        if let [(block, value)] = found.as_slice() {
            self.add_below(*block, &format!("{word}: {value}"));
        }
    }

    /// Reads the only sentence that states the decision, and writes the decision below the paragraph.
    fn decision(&mut self) {
        let mut found: Vec<(usize, String)> = Vec::new();
        for (block, text) in self.prose() {
            let all: Vec<&str> = sentences(&text).collect();
            for (nth, sentence) in all.iter().enumerate() {
                let said = DECIDES.captures(sentence).and_then(|said| said.get(1));
                let Some(said) = said.map(|said| balanced(said.as_str())) else { continue };
                // Not a decision: `The decision is to be made by Friday.`
                let open =
                    ["be ", "come", "follow", "wait"].iter().any(|word| said.starts_with(word));
                if !open && !is_quoted(&all[..nth]) && !sentence.trim_end().ends_with('?') {
                    found.push((block, said));
                }
            }
        }
        if let [(block, said)] = found.as_slice() {
            self.add_below(*block, &format!("DECISION: {said}"));
        }
    }

    /// Writes the line of a marker below a paragraph.
    fn add_below(&mut self, block: usize, marker: &str) {
        if matches!(self.blocks[block].kind, BlockKind::Item { .. }) {
            return;
        }
        let last = self.blocks[block].lines.end - 1;
        let line = self.put.get(&last).map_or(self.lines[last], String::as_str);
        let line = line.trim_end_matches('\n');
        let put = format!("{line}\n\n{marker}\n");
        self.put.insert(last, put);
    }

    /// Returns the prose of the answer, by block.
    fn prose(&self) -> Vec<(usize, String)> {
        let prose = self.blocks.iter().enumerate().filter(|(_, block)| {
            matches!(block.kind, BlockKind::Paragraph | BlockKind::Item { .. })
        });
        prose
            .map(|(index, block)| {
                let lines = block.lines.clone().map(|line| {
                    self.parts(line, block.kind, line == block.lines.start).text.trim()
                });
                (index, lines.collect::<Vec<_>>().join(" "))
            })
            .collect()
    }
}

/// Replaces the number words of a rating by digits, for example in `four out of five`.
fn in_digits(text: &str) -> String {
    let digits = [("one", "1"), ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5")];
    digits.iter().fold(text.to_owned(), |text, (word, digit)| text.replace(word, digit))
}

/// Returns true if a quotation is still open after these sentences.
fn is_quoted(before: &[&str]) -> bool {
    let count = |mark: char| before.iter().map(|text| text.matches(mark).count()).sum::<usize>();
    count('"') % 2 == 1 || count('“') > count('”')
}

/// Returns true if a sentence turns the one before it into a condition, for example `Otherwise REJECT.`
fn turns(sentence: &str) -> bool {
    let small = sentence.trim_start().to_lowercase();
    ["otherwise", "if not", "if ", "else", "unless"].iter().any(|word| small.starts_with(word))
}

/// Splits a text into sentences after `. `, `! ` and `? `. A colon splits nothing, because a quotation may follow it.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.char_indices().find(|(at, c)| {
            let next = &text[at + c.len_utf8()..];
            matches!(c, '.' | '!' | '?')
                && next.trim_start_matches(['*', '_', '"', '”', ')']).starts_with(' ')
        });
        let (sentence, later) = match end {
            Some((at, c)) => (&text[..at + c.len_utf8()], Some(&text[at + c.len_utf8()..])),
            None => (text, None),
        };
        rest = later;
        Some(sentence)
    })
}
