//! Discussions to measure on: made anew for each run, the same bytes each time.
//!
//! They read like what models and people write: prose with emphasis and links, lists, code, now and then a table or
//! a quote, mentions, questions and their answers, and a vote at the end.

use std::fmt::Write as _;

const WORDS: &[&str] = &[
    "the",
    "session",
    "store",
    "token",
    "expires",
    "before",
    "service",
    "reads",
    "request",
    "we",
    "should",
    "not",
    "couple",
    "every",
    "call",
    "to",
    "one",
    "queue",
    "because",
    "retry",
    "makes",
    "it",
    "idempotent",
    "and",
    "operators",
    "see",
    "latency",
    "under",
    "load",
    "cache",
    "must",
    "invalidate",
    "when",
    "schema",
    "changes",
    "while",
    "clients",
    "keep",
    "their",
    "own",
    "connection",
    "which",
    "fails",
    "open",
    "if",
    "network",
    "splits",
    "so",
    "that",
    "nobody",
    "notices",
    "until",
    "an",
    "audit",
    "happens",
    "of",
    "a",
    "migration",
    "in",
    "two",
    "steps",
];
const SYLLABLES: [&str; 16] = [
    "re", "con", "de", "per", "sta", "mi", "lo", "tra", "ve", "ri", "cu", "po", "nal", "fe", "si",
    "ga",
];
const HEADS: &[(&str, &str)] = &[
    ("AI-Architect", "architect"),
    ("AI-Security", "security"),
    ("AI-Pragmatist", "pragmatist"),
    ("AI-Perfectionist", "perfectionist"),
    ("AI-Designer", "designer"),
    ("AI-Moderator", "moderator"),
];
const VOTES: &[&str] = &["READY", "CHANGES", "REJECT"];

/// A small generator of numbers that look random (splitmix64).
pub(crate) struct Dice(u64);

impl Dice {
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

    /// A number from 0 to below `most`.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    /// A word: common ones often, most of the others rarely, as in a language.
    fn word(&mut self) -> String {
        if self.below(10) < 6 {
            return self.pick(WORDS).to_owned();
        }
        let rare = self.below(40) * self.below(40);
        [SYLLABLES[rare % 16], SYLLABLES[rare / 16 % 16], SYLLABLES[rare / 256 % 16], "tion"]
            .concat()
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// A discussion of six personas and a person, at least so many bytes long.
pub(crate) fn discussion(bytes: usize, seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let aliases: Vec<&str> = HEADS.iter().map(|(_, alias)| *alias).collect();
    let mut text = format!(
        "<!-- DISCUSSION\ntemplate: feature\ncreated: 2026-11-20T10:00:00Z\nparticipants: [{}]\n-->\n\n# Add user authentication\n\n## Context\n\n",
        aliases.join(", ")
    );
    prose(&mut text, &mut dice, 3);
    text.push_str("---\n");
    let (mut turn, mut questions) = (0, Vec::new());
    while text.len() < bytes {
        turn += 1;
        let asks = aliases.join(", ");
        let _ = writeln!(
            text,
            "\n<!-- TURN: {turn}, asks: [{asks}], at: 2026-11-20T10:01:00Z -->\n\n---"
        );
        for (name, _) in HEADS.iter().filter(|_| bytes > 0) {
            if text.len() >= bytes {
                break;
            }
            let (ms, input, output) = (dice.below(60_000), dice.below(90_000), dice.below(900));
            let _ = writeln!(
                text,
                "\nName: {name}\n<!-- REPLY turn: {turn}, at: 2026-11-20T10:01:21Z, provider: claude-sonnet, ms: {ms}, tokens: {input}/{output}, usd: 0.02 -->\n"
            );
            body(&mut text, &mut dice, &mut questions);
            let _ = writeln!(text, "VOTE: {}\n\n---", dice.pick(VOTES));
        }
        if dice.once_in(2) {
            text.push_str("\nName: Rob\n\n");
            prose(&mut text, &mut dice, 1);
            text.push_str("@architect, what do you think?\n\n---\n");
        }
    }
    text
}

/// One answer's worth of Markdown, about one and a half kilobytes.
pub(crate) fn body(text: &mut String, dice: &mut Dice, questions: &mut Vec<String>) {
    prose(text, dice, 2);
    for _ in 0..1 + dice.below(3) {
        match dice.below(10) {
            0..4 => list(text, dice),
            4..6 => code(text, dice),
            6 => quote(text, dice),
            7 => table(text, dice),
            _ => prose(text, dice, 2),
        }
    }
    if dice.once_in(3) {
        let question = sentence(dice).trim_end_matches('.').to_owned();
        let _ = writeln!(text, "Q: {question}? @{}\n", HEADS[dice.below(HEADS.len())].1);
        questions.push(question);
    }
    match (dice.below(3), questions.pop()) {
        (0, Some(question)) => {
            let _ = writeln!(text, "A: {question}, as measured.\n");
        }
        (1, Some(question)) => questions.push(question),
        _ => {}
    }
    if dice.once_in(4) {
        let _ = writeln!(text, "TODO: {}\n", sentence(dice));
    }
    if dice.once_in(6) {
        let _ = writeln!(text, "CONCERN: {}\n", sentence(dice));
    }
    if dice.once_in(12) {
        let _ = writeln!(text, "DECISION: {}\n", sentence(dice));
    }
}

fn sentence(dice: &mut Dice) -> String {
    let mut words: Vec<String> = (0..6 + dice.below(14)).map(|_| dice.word()).collect();
    let mut last = words.pop().unwrap_or_default();
    last.push('.');
    let mut sentence = String::new();
    for word in words {
        match dice.below(40) {
            0 => {
                let _ = write!(sentence, "**{word}** ");
            }
            1 => {
                let _ = write!(sentence, "`{word}_id` ");
            }
            2 if dice.once_in(4) => {
                let _ = write!(sentence, "[{word}](https://example.org/{word}) ");
            }
            _ => {
                let _ = write!(sentence, "{word} ");
            }
        }
    }
    sentence + &last
}

fn prose(text: &mut String, dice: &mut Dice, paragraphs: usize) {
    for _ in 0..paragraphs {
        let mut width = 0;
        for _ in 0..2 + dice.below(4) {
            for word in sentence(dice).split_inclusive(' ') {
                width += word.len();
                text.push_str(word);
            }
            // People and models wrap lines or do not.
            text.push(if width > 90 && dice.once_in(2) { '\n' } else { ' ' });
        }
        text.truncate(text.trim_end().len());
        text.push_str("\n\n");
    }
}

fn list(text: &mut String, dice: &mut Dice) {
    let numbered = dice.once_in(3);
    for number in 1..4 + dice.below(4) {
        let bullet = if numbered { format!("{number}.") } else { "-".to_owned() };
        let _ = writeln!(text, "{bullet} **{}**: {}", dice.pick(WORDS), sentence(dice));
    }
    text.push('\n');
}

fn code(text: &mut String, dice: &mut Dice) {
    text.push_str("```rust\n");
    for _ in 0..4 + dice.below(10) {
        let (a, b) = (dice.pick(WORDS), dice.pick(WORDS));
        let _ = writeln!(text, "    let {a} = {b}.lock()?.get(&self.{a}).ok_or(Error::{b})?;");
    }
    text.push_str("```\n\n");
}

fn quote(text: &mut String, dice: &mut Dice) {
    let _ = writeln!(text, "> {}\n> {}\n", sentence(dice), sentence(dice));
}

fn table(text: &mut String, dice: &mut Dice) {
    text.push_str("| option | cost | risk |\n|---|---|---|\n");
    for _ in 0..3 {
        let _ =
            writeln!(text, "| {} | {} | {} |", dice.pick(WORDS), dice.below(90), sentence(dice));
    }
    text.push('\n');
}
