//! Findings of reviewers: the parser of their answers, and the comparison of the findings with the
//! text before and after.
//!
//! All findings have one form. Code, not a model, can then decide whether the quote of a finding is
//! in the text, and whether the text's author adopted the finding:
//!
//! ```text
//! ### Finding 1
//!
//! > the quoted words
//!
//! Proof: why they are wrong
//!
//! Instead: the new wording
//! ```

use foldhash::HashMap;

use crate::codes::words;

/// The most findings of one answer that count.
pub(crate) const MOST: usize = 6;

/// One finding, as its reviewer wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The quoted words of the text, on one line for each quoted line.
    pub(crate) quote: String,
    /// The reason.
    pub(crate) proof: String,
    /// The new wording of the quoted words; empty: remove them.
    pub(crate) instead: String,
    /// The line of its heading in the answer, from 0.
    pub(crate) line: usize,
}

/// The content of a reviewer's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ParsedFindings {
    /// The findings that count, in the answer's order.
    pub(crate) findings: Vec<Finding>,
    /// The number of findings beyond the most that count.
    pub(crate) too_many: usize,
    /// The number of findings without quote, proof or new wording; they do not count.
    pub(crate) incomplete: usize,
    /// True if there is other text, apart from the statement that there are no findings.
    pub(crate) other_text: bool,
}

words! {
    /// The state of a finding.
    pub enum FindingState {
        /// No text was written after the finding.
        Open = "open",
        /// The quote of the finding is not in the text that the finding is about.
        Unfounded = "unfounded",
        /// The text has the new wording.
        Taken = "taken",
        /// The text was changed at this place, but not to the new wording.
        Changed = "changed",
        /// The text stayed as it was.
        Declined = "declined",
    }
}

/// The part of a finding to which a line belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Outside,
    Heading,
    Quote,
    Proof,
    Instead,
}

/// A finding with parts that are still being collected.
struct Draft {
    line: usize,
    quote: Vec<String>,
    proof: Option<Vec<String>>,
    instead: Option<Vec<String>>,
}

impl Draft {
    fn finish(self) -> Option<Finding> {
        let text = |lines: Vec<String>| lines.join("\n").trim().to_owned();
        let finding = Finding {
            quote: text(self.quote),
            proof: text(self.proof?),
            instead: text(self.instead?),
            line: self.line,
        };
        (!folded(&finding.quote).is_empty()).then_some(finding)
    }
}

/// Parses the answer of a reviewer.
pub(crate) fn parse_findings(answer: &str) -> ParsedFindings {
    let mut parsed = ParsedFindings::default();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut part = Part::Outside;
    for (line, text) in answer.lines().enumerate() {
        let bare = text.trim();
        if is_heading(bare) {
            let quote = Vec::new();
            drafts.push(Draft { line, quote, proof: None, instead: None });
            part = Part::Heading;
            continue;
        }
        let Some(draft) = drafts.last_mut() else {
            parsed.other_text |= !bare.is_empty() && !says_none(bare);
            continue;
        };
        if let Some(rest) = labelled(bare, "proof").filter(|_| draft.proof.is_none()) {
            draft.proof = Some(vec![rest.to_owned()]);
            part = Part::Proof;
        } else if let Some(rest) = labelled(bare, "instead").filter(|_| draft.instead.is_none()) {
            draft.instead = Some(vec![rest.to_owned()]);
            part = Part::Instead;
        } else {
            match (part, bare.strip_prefix('>')) {
                (Part::Heading | Part::Quote, Some(quoted)) => {
                    let quoted = quoted.strip_prefix(' ').unwrap_or(quoted);
                    draft.quote.push(quoted.to_owned());
                    part = Part::Quote;
                }
                // The new wording may be quoted too.
                (Part::Instead, Some(quoted)) => {
                    draft.instead.get_or_insert_default().push(quoted.trim_start().to_owned());
                }
                (Part::Proof, _) => draft.proof.get_or_insert_default().push(text.to_owned()),
                (Part::Instead, None) => {
                    draft.instead.get_or_insert_default().push(text.to_owned());
                }
                _ => parsed.other_text |= !bare.is_empty(),
            }
        }
    }
    let found = drafts.len();
    let mut complete: Vec<Finding> = drafts.into_iter().filter_map(Draft::finish).collect();
    parsed.incomplete = found - complete.len();
    parsed.too_many = complete.len().saturating_sub(MOST);
    complete.truncate(MOST);
    parsed.findings = complete;
    parsed
}

impl ParsedFindings {
    /// Returns the parts of the answer that do not count, described for people.
    pub(crate) fn notes(&self, reviewed: &str) -> Vec<String> {
        let mut notes = Vec::new();
        for (index, finding) in self.findings.iter().enumerate() {
            if !quotes(&folded(reviewed), &finding.quote) {
                notes.push(format!("finding {} quotes words that are not in the text", index + 1));
            }
        }
        match self.too_many {
            0 => {}
            more => notes.push(format!("the first {MOST} findings count, {more} more do not")),
        }
        match self.incomplete {
            0 => {}
            1 => notes.push("one finding has no quote, `Proof:` or `Instead:`".to_owned()),
            some => notes.push(format!("{some} findings have no quote, `Proof:` or `Instead:`")),
        }
        if self.other_text {
            notes.push("the text outside of the findings counts for nothing".to_owned());
        }
        notes
    }
}

/// Returns true if a line begins a finding: `### Finding 1`, or in bold.
fn is_heading(line: &str) -> bool {
    let marked = line.trim_start_matches('#');
    let marked = if marked.len() < line.len() {
        marked.trim_start()
    } else {
        match line.strip_prefix("**").or_else(|| line.strip_prefix("__")) {
            Some(bold) => bold,
            None => return false,
        }
    };
    let marked = marked.trim_start_matches(['*', '_']);
    let Some(rest) = marked.get(..7).filter(|word| word.eq_ignore_ascii_case("finding")) else {
        return false;
    };
    marked[rest.len()..].trim_start_matches([' ', '#']).starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the text behind a label at the beginning of a line, in any case and with or without bold.
fn labelled<'t>(line: &'t str, label: &str) -> Option<&'t str> {
    let bare = line.trim_start_matches(['*', '_', '-', ' ']);
    let word = bare.get(..label.len()).filter(|word| word.eq_ignore_ascii_case(label))?;
    let rest = bare[word.len()..].trim_start_matches(['*', '_']);
    Some(rest.strip_prefix(':')?.trim_start_matches(['*', '_']).trim_start())
}

/// Returns true if a line says that there are no findings.
fn says_none(line: &str) -> bool {
    let words: Vec<String> = words_of(line).collect();
    matches!(words.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), ["no", "findings"])
}

/// Returns a text without emphasis, with one blank for each run of white space, and with plain quotation marks and
/// hyphens: two texts that a reader takes for equal are equal.
pub(crate) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let c = match c {
            '*' | '_' | '`' | '\\' => continue,
            '\u{2018}' | '\u{2019}' => '\'',
            '\u{201c}' | '\u{201d}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        if c != ' ' || !out.is_empty() && !out.ends_with(' ') {
            out.push(c);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Returns true if a folded text contains a quote; quotation marks around the quote do not matter.
pub(crate) fn quotes(folded_text: &str, quote: &str) -> bool {
    let quote = folded(quote);
    let inner = quote.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
    [Some(quote.as_str()), inner]
        .into_iter()
        .flatten()
        .any(|quote| !quote.is_empty() && folded_text.contains(quote))
}

/// The texts before and after the findings, prepared for comparisons.
pub(crate) struct Revision {
    before: String,
    before_words: Vec<String>,
    /// The final text and its words; `None` if no text was written after the findings.
    after: Option<(String, Vec<String>)>,
}

impl Revision {
    pub(crate) fn new(before: &str, after: Option<&str>) -> Self {
        let prepared = |text: &str| (folded(text), words_of(text).collect());
        let (before, before_words) = prepared(before);
        Self { before, before_words, after: after.map(prepared) }
    }

    /// Returns true if the quote of a finding is in the text that it is about.
    pub(crate) fn is_founded(&self, finding: &Finding) -> bool {
        quotes(&self.before, &finding.quote)
    }

    /// Returns the state of a finding.
    ///
    /// Taken: the quoted words are gone, and at least two thirds of the words of the new wording
    /// stand together. If the new wording contains the quote, two thirds of the added words are
    /// enough. Changed: only one of these two conditions is true. Declined: neither is true.
    pub(crate) fn state_of(&self, finding: &Finding) -> FindingState {
        if !self.is_founded(finding) {
            return FindingState::Unfounded;
        }
        let Some((after, after_words)) = &self.after else { return FindingState::Open };
        let is_gone = !quotes(after, &finding.quote);
        let (quote, instead) = (folded(&finding.quote), folded(&finding.instead));
        let inserts = instead != quote && instead.contains(&quote);
        let wanted: Vec<String> = if inserts {
            words_of(&instead.replacen(&quote, " ", 1)).collect()
        } else {
            words_of(&finding.instead).collect()
        };
        // Words that stood together before show no change: the new wording repeats most of the old one.
        let is_there = stand_together(&wanted, after_words)
            && (is_gone || !stand_together(&wanted, &self.before_words));
        // Without a new wording, the finding only asks to remove the words.
        let is_there = is_there || wanted.is_empty() && is_gone;
        match (is_gone || inserts, is_there) {
            (true, true) => FindingState::Taken,
            (_, true) => FindingState::Changed,
            (_, false) if is_gone => FindingState::Changed,
            _ => FindingState::Declined,
        }
    }
}

/// Returns the words of a text in lower case, without punctuation around them.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let folded = folded(text);
    let words: Vec<String> = folded
        .split(' ')
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    words.into_iter()
}

/// Returns true if some part of the text, half as long again as the wanted words, contains two thirds of them.
fn stand_together(wanted: &[String], text: &[String]) -> bool {
    if wanted.is_empty() {
        return false;
    }
    let mut open: HashMap<&str, i64> = HashMap::default();
    for word in wanted {
        *open.entry(word).or_default() += 1;
    }
    let enough = (wanted.len() * 2).div_ceil(3);
    let window = wanted.len() + wanted.len() / 2;
    let mut found = 0;
    for (index, word) in text.iter().enumerate() {
        if let Some(left) = open.get_mut(word.as_str()) {
            *left -= 1;
            found += usize::from(*left >= 0);
        }
        if let Some(gone) = index.checked_sub(window)
            && let Some(left) = open.get_mut(text[gone].as_str())
        {
            found -= usize::from(*left >= 0);
            *left += 1;
        }
        if found >= enough {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
