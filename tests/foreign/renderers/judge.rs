//! Checks that a page shows exactly the counted text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use discussions::transcript::{EntryKind, parse};
use regex::Regex;

use super::page::{Block, FORMULA, Kind, blocks};

/// One part of a discussion as the program counts it: the preamble, then each comment.
#[derive(Clone, Debug)]
struct Part {
    /// Empty for the preamble.
    name: String,
    vote: Option<String>,
    /// Words that have to be visible, and how often.
    words: BTreeMap<String, usize>,
    /// All letters that may be visible, in order.
    letters: String,
}

impl Part {
    /// Parses the decoded head, body and vote.
    fn new(name: String, vote: Option<String>, text: &str) -> Self {
        let said = text.to_lowercase();
        let shown = shown(&said);
        let mut words = BTreeMap::new();
        for word in WORD.find_iter(&shown) {
            *words.entry(word.as_str().to_owned()).or_default() += 1;
        }
        // Letters on both sides of an address are adjacent on the page.
        let bare = references(&without_addresses(&said));
        // Names of character references depend on case.
        let named = references(text).to_lowercase();
        let letters = letters(&references(&said)) + " " + &letters(&bare) + " " + &letters(&named);
        Self { name, vote, words, letters }
    }
}

/// A discussion to render, with its counted content.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub(super) stored: String,
    parts: Vec<Part>,
    /// Markup words, which need not be visible.
    markup: Vec<String>,
}

impl Counted {
    pub(super) fn of(stored: String, markup: Vec<String>) -> Self {
        let transcript = parse(&stored);
        let mut parts = vec![Part::new(String::new(), None, transcript.preamble_text())];
        for entry in &transcript.entries {
            if let EntryKind::Comment(comment) = &entry.kind {
                let vote = comment.closing_vote().map(str::to_owned);
                let ballot = vote.as_ref().map_or(String::new(), |vote| format!("VOTE: {vote}"));
                let text = format!("Name: {}\n\n{}\n\n{ballot}", comment.name, comment.body());
                parts.push(Part::new(comment.name.to_string(), vote, &text));
            }
        }
        Self { stored, parts, markup }
    }

    /// Returns the first difference between the page and the counted content, with its kind before a colon.
    pub(super) fn compare(&self, html: &str) -> Result<(), String> {
        let blocks = blocks(html);
        let heads = heads(&blocks);
        let names: Vec<&str> = heads.iter().map(|(_, name)| name.as_str()).collect();
        let counted: Vec<&str> = self.parts[1..].iter().map(|part| part.name.as_str()).collect();
        if names != counted {
            return Err(format!("heads: {names:?} instead of {counted:?}"));
        }
        let begin = std::iter::once(0).chain(heads.iter().map(|(index, _)| *index));
        let ends = heads.iter().map(|(index, _)| *index).chain([blocks.len()]);
        for ((begin, end), part) in begin.zip(ends).zip(&self.parts) {
            votes(part, &blocks[begin..end], self)?;
            words(part, &blocks[begin..end], &self.markup)?;
        }
        Ok(())
    }
}

/// Returns the paragraphs that look exactly like a head: at top level, directly below a rule, in any formatting.
fn heads(blocks: &[Block]) -> Vec<(usize, String)> {
    let below_rule =
        |index: usize| index > 0 && blocks[index - 1].kind == Kind::Rule && blocks[index - 1].top;
    let name = |block: &Block| {
        let line = block.text.trim_start().lines().next()?;
        Some(line.strip_prefix("Name:")?.trim().to_owned()).filter(|name| !name.is_empty())
    };
    let paragraphs =
        blocks.iter().enumerate().filter(|(_, block)| block.top && block.kind == Kind::Paragraph);
    paragraphs
        .filter(|(index, _)| below_rule(*index))
        .filter_map(|(index, block)| Some((index, name(block)?)))
        .collect()
}

/// Checks that the lines that look like votes are the counted vote.
fn votes(part: &Part, blocks: &[Block], counted: &Counted) -> Result<(), String> {
    const OPTIONS: [&str; 5] = ["ready", "changes", "reject", "yes", "no"];
    let mut seen = Vec::new();
    for block in blocks.iter().filter(|block| block.top && block.kind == Kind::Paragraph) {
        for line in block.text.lines() {
            let line = line.trim().to_lowercase();
            let Some(choice) = line.strip_prefix("vote").map(str::trim_start) else { continue };
            let Some(choice) = choice.strip_prefix(':') else { continue };
            let choice = choice.trim_matches([' ', '\t', '*', '_', '.', '!']);
            let known =
                |part: &Part| part.vote.as_ref().is_some_and(|vote| vote.to_lowercase() == choice);
            if OPTIONS.contains(&choice) || counted.parts.iter().any(known) {
                seen.push(choice.to_owned());
            }
        }
    }
    let expected: Vec<String> = part.vote.iter().map(|vote| vote.to_lowercase()).collect();
    if seen == expected {
        Ok(())
    } else {
        Err(format!("votes: of {:?} {seen:?} instead of {expected:?}", part.name))
    }
}

/// Checks that every word is visible as often as it was written, and no other word is.
fn words(part: &Part, blocks: &[Block], markup: &[String]) -> Result<(), String> {
    let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
    // An error in a formula underlines letters.
    let seen = texts.join("\n").to_lowercase().replace('\u{332}', "");
    for (word, times) in &part.words {
        // Emphasis inside a word splits it, so words are also searched inside others.
        if seen.matches(word).count() < *times
            && !markup.iter().any(|known| known.to_lowercase() == *word)
        {
            return Err(format!("not seen: `{word}`"));
        }
    }
    let seen = FORMULAS.replace_all(&seen, " ");
    match WORD.find_iter(&seen).find(|word| !part.letters.contains(word.as_str())) {
        Some(word) => Err(format!("not said: `{}`", word.as_str())),
        None => Ok(()),
    }
}

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\p{L}\p{M}]{3,}"));

static FORMULAS: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!("{}[^{}]*{}", FORMULA[0], FORMULA[1], FORMULA[1])));

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// Returns the text without universal markup, which need not be visible:
///
/// - names of character references;
/// - the words after a fence, which name a language;
/// - addresses and titles of links and pictures;
/// - the kind of an alert, which becomes a colour and an icon;
/// - commands of formulas.
fn shown(text: &str) -> String {
    static MARKUP: LazyLock<[Regex; 3]> = LazyLock::new(|| {
        [
            pattern(r"&#?[a-z0-9]+;"),
            pattern(r"(?m)^[ \t>*+.)0-9-]*(?:```+[^`\n]*|~~~+[^\n]*)$"),
            pattern(r"\[![a-z]+\]"),
        ]
    });
    static COMMAND: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\\(?:begin|end)\{[a-z]*\}|\\[a-z]+"));
    let mut shown = without_addresses(text);
    for markup in MARKUP.iter() {
        shown = markup.replace_all(&shown, " ").into_owned();
    }
    if text.contains('$') || text.contains("math") {
        COMMAND.replace_all(&shown, " ").into_owned()
    } else {
        shown
    }
}

fn without_addresses(text: &str) -> String {
    static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
        let address = r"(?:<[^<>\n]*>|[^\s<][^\s]*?)?";
        let title = r#"(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?"#;
        pattern(&format!(r"\]\([ \t]*\n?[ \t]*{address}{title}\s*\)"))
    });
    ADDRESS.replace_all(text, " ").into_owned()
}

/// Returns the text, followed by its resolved character references.
fn references(text: &str) -> String {
    let shown: Vec<String> = blocks(text).into_iter().map(|block| block.text).collect();
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern("&#x?[0-9a-f]+;"));
    let joined = NUMBER.replace_all(text, |found: &regex::Captures<'_>| {
        blocks(&found[0]).into_iter().map(|block| block.text).collect::<String>()
    });
    format!("{text}\n{joined}\n{}", shown.join("\n")).to_lowercase()
}

/// Returns only letters, so that words are found despite any characters between them.
fn letters(text: &str) -> String {
    static LETTERS: LazyLock<Regex> = LazyLock::new(|| pattern(r"[^\p{L}\p{M}]+"));
    LETTERS.replace_all(text, "").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(html: &str) -> Result<(), String> {
        let stored = "# Title\n\n---\n\nName: Rob\n\nsome words\n\nVOTE: READY\n\n---\n";
        Counted::of(stored.to_owned(), Vec::new()).compare(html)
    }

    #[test]
    fn page_that_shows_the_counted_text_passes() {
        let page =
            "<h1>Title</h1><hr><p>Name: Rob</p><p>some <b>wor</b>ds</p><p>VOTE: READY</p><hr>";
        assert_eq!(seen(page), Ok(()));
    }

    #[test]
    fn each_kind_of_misleading_page_is_found() {
        const HEAD: &str = "<h1>Title</h1><hr><p>Name: Rob</p>";
        for (lie, kind) in [
            ("<h1>Title</h1><details><hr><p>Name: Rob</p><p>some words<p>VOTE: READY</p>", "heads"),
            ("<h1>Title</h1><ul><li><hr><p>Name: Rob</p><p>some words<p>VOTE: READY</p>", "heads"),
            (
                "<h1>Title</h1><plaintext><hr><p>Name: Rob</p><p>some words<p>VOTE: READY</p>",
                "heads",
            ),
            (
                &format!("{HEAD}<p>some words</p><p>VOTE: READY</p><hr><p><b>Name:</b> Ann</p>"),
                "heads",
            ),
            (
                &format!("{HEAD}<p>some words</p><p>V<i>OTE</i>&#58; reject<br>VOTE: READY</p>"),
                "votes",
            ),
            (&format!("{HEAD}<p>some words</p><ul><li>VOTE: READY</li></ul>"), "votes"),
            (&format!("{HEAD}<p>some <!-- words --></p><p>VOTE: READY</p>"), "not seen"),
            (
                &format!("{HEAD}<p>some <i style='Display: none'>words</i></p><p>VOTE: READY</p>"),
                "not seen",
            ),
            (&format!("{HEAD}<p>some words besides</p><p>VOTE: READY</p>"), "not said"),
        ] {
            let found = seen(lie).unwrap_err();
            assert!(found.starts_with(kind), "{found} in {lie}");
        }
    }
}
