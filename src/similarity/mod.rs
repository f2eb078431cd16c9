//! How much two sentences say the same, for matching answers to questions and done work to
//! tasks; and which known word was meant by an unknown one.

mod candidates;
mod contrast;
mod listed;
mod suggest;

use similar::TextDiff;

pub(crate) use self::candidates::Candidates;
pub(crate) use self::contrast::{Claim, normal};
pub(crate) use self::suggest::{is_misspelling_of, is_slip_of, suggest};

/// From here on two texts are taken to speak of the same thing.
pub(crate) const ALIKE: f64 = 0.5;

/// Only so many bytes of a text are compared: comparing letters takes time that grows with the square of their number.
const LONGEST: usize = 2_000;

/// Likeness of two texts, 0 to 1: the share of the shorter one's words that the other has too, words of the same stem
/// counting as one; for texts in scripts without blanks, the share of equal characters. Beyond the first two
/// kilobytes nothing is compared.
pub(crate) fn of(a: &str, b: &str) -> f64 {
    Sentence::new(a).like(&Sentence::new(b))
}

/// How much two questions are the same, 0 to 1: the share of the words of whichever has more that the other has too, or
/// of equal characters. One question that is part of another is not the same.
pub(crate) fn same_question(a: &str, b: &str) -> f64 {
    let (a, b) = (Sentence::new(a), Sentence::new(b));
    let (few, many) = (a.words.len().min(b.words.len()), a.words.len().max(b.words.len()));
    let part = if many == 0 { 0.0 } else { few as f64 / many as f64 };
    let same = a.text.trim() == b.text.trim();
    if same { 1.0 } else { (a.words_like(&b) * part).max(a.letters_like(&b)) }
}

/// A text, prepared for being compared with many others.
#[derive(Clone, Debug)]
struct Sentence {
    /// The text in small letters.
    text: String,
    /// The words in it that carry meaning: sorted by how they begin, each once.
    words: Vec<Word>,
    /// A bit for each of their stems, which others may set by chance.
    stems: u64,
    /// It uses a script without blanks.
    unspaced: bool,
    /// Its characters in that case, sorted.
    letters: Vec<char>,
}

/// A word of a text, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    /// A number of what all words of its stem begin with; others may have the same by chance.
    stem: u32,
    start: u16,
    end: u16,
}

impl Word {
    fn bit(&self) -> u64 {
        1 << (self.stem % 64)
    }

    fn of<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start.into()..self.end.into()]
    }
}

impl Sentence {
    fn new(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(LONGEST)];
        let text = if text.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase() };
        let unspaced = !text.is_ascii() && text.contains(is_unspaced);
        let mut letters: Vec<char> = if unspaced { text.chars().collect() } else { Vec::new() };
        letters.sort_unstable();
        let words = words(&text);
        let stems = words.iter().fold(0, |all, word| all | word.bit());
        Self { words, stems, text, unspaced, letters }
    }

    /// What its words begin with, as numbers.
    fn stems(&self) -> impl Iterator<Item = u32> {
        self.words.iter().map(|word| word.stem)
    }

    fn like(&self, other: &Self) -> f64 {
        self.words_like(other).max(self.letters_like(other))
    }

    /// At least as much as they are alike.
    fn most_like(&self, other: &Self) -> f64 {
        let words = if self.may_share_words(other) { self.words_like(other) } else { 0.0 };
        // Likeness of letters is found with less precision.
        words.max(self.letters_share(other) + 1e-6)
    }

    /// Whether enough words may have a stem that the other has too; most texts are told apart so, without comparing words.
    fn may_share_words(&self, other: &Self) -> bool {
        let (few, many) =
            if self.words.len() <= other.words.len() { (self, other) } else { (other, self) };
        // Several words may have one bit.
        let (bits, shared) = (few.stems.count_ones(), (few.stems & many.stems).count_ones());
        let most = few.words.len() - bits as usize + shared as usize;
        if (most as f64) < ALIKE * few.words.len() as f64 {
            return false;
        }
        let shared = few.words.iter().filter(|word| many.stems & word.bit() != 0).count();
        shared as f64 >= ALIKE * few.words.len() as f64
    }

    fn words_like(&self, other: &Self) -> f64 {
        let (few, many) =
            if self.words.len() <= other.words.len() { (self, other) } else { (other, self) };
        if few.words.is_empty() {
            return 0.0;
        }
        // Words of one stem begin alike, so that among the sorted ones they stand together.
        let (mut shared, mut others) = (0, many.words.as_slice());
        for word in &few.words {
            let before = others.iter().take_while(|other| other.stem < word.stem).count();
            others = &others[before..];
            let mut near = others.iter().take_while(|other| other.stem == word.stem);
            let said = word.of(&few.text);
            shared += usize::from(near.any(|other| same_stem(said, other.of(&many.text))));
        }
        let (few, many) = (few.words.len(), many.words.len());
        let share = shared as f64 / few as f64;
        // One shared word of a long text proves little.
        if few == 1 && many > 4 { share * 0.8 } else { share }
    }

    /// At least as much as the letters are alike: in whatever order, which takes far less time to find.
    fn letters_share(&self, other: &Self) -> f64 {
        if !self.has_letters() || !other.has_letters() {
            return 0.0;
        }
        let (mut shared, mut others) = (0, other.letters.iter().peekable());
        for letter in &self.letters {
            while others.next_if(|other| *other < letter).is_some() {}
            shared += usize::from(others.next_if_eq(&letter).is_some());
        }
        2.0 * shared as f64 / (self.letters.len() + other.letters.len()) as f64
    }

    fn has_letters(&self) -> bool {
        self.unspaced && !self.words.is_empty()
    }

    fn letters_like(&self, other: &Self) -> f64 {
        if !self.has_letters() || !other.has_letters() {
            return 0.0;
        }
        f64::from(TextDiff::from_chars(self.text.as_str(), other.text.as_str()).ratio())
    }
}

/// Letters of scripts that put no blanks between words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Where the words are that carry meaning.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::with_capacity(text.len() / 6 + 1);
    let found = text.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    for word in found.filter(|word| !word.is_empty() && is_telling(word)) {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        // Small letters of so short a text end below 64 KiB.
        if let (Ok(start), Ok(end)) = (u16::try_from(start), u16::try_from(start + word.len())) {
            words.push(Word { stem: stem(word), start, end });
        }
    }
    words.sort_unstable_by(|a, b| a.stem.cmp(&b.stem).then_with(|| a.of(text).cmp(b.of(text))));
    words.dedup_by(|a, b| a.stem == b.stem && a.of(text) == b.of(text));
    words
}

/// Whether a word carries meaning: it is long enough, no word of every sentence, or of another script.
pub(crate) fn is_telling(word: &str) -> bool {
    let common = matches!(
        word,
        "the"
            | "and"
            | "for"
            | "that"
            | "this"
            | "with"
            | "are"
            | "was"
            | "were"
            | "will"
            | "has"
            | "have"
            | "had"
            | "our"
            | "you"
            | "your"
            | "not"
            | "but"
            | "can"
            | "should"
            | "would"
            | "could"
            | "how"
            | "what"
            | "why"
            | "when"
            | "who"
            | "does"
            | "did"
            | "its"
            | "it's"
            | "from"
            | "into"
            | "than"
            | "then"
            | "they"
            | "use"
            | "all"
    );
    let short = word.len() <= 2 && word.bytes().all(|b| b.is_ascii() && !b.is_ascii_digit());
    !common && !short
}

/// How many of their first letters two words of one stem share, where they have that many.
const STEM: usize = 4;

/// A number of what all words of one stem begin with, which is up to four letters (FNV-1a).
fn stem(word: &str) -> u32 {
    let end = match word.get(..STEM).filter(|start| start.is_ascii()) {
        Some(start) => start.len(),
        None => word.char_indices().nth(STEM).map_or(word.len(), |(end, _)| end),
    };
    let mix = |key: u32, byte: u8| (key ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    word.bytes().take(end).fold(0x811C_9DC5, mix)
}

/// `write` and `written`, `review` and `reviewed`: the shorter one's first letters, at least four or all of them.
fn same_stem(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let shared = short.chars().zip(long.chars()).take_while(|(x, y)| x == y).count();
    shared >= STEM && shared * 3 >= short.chars().count() * 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn done_work_is_like_its_task() {
        assert!(of("write the spec", "Spec written and reviewed") >= ALIKE);
        assert!(of("Should we use JWT or session cookies?", "JWT with a one hour expiry") < ALIKE);
        assert!(of("What's our token expiry policy?", "The token expiry is one hour") >= ALIKE);
        assert!(of("Research rate limiting options", "Ship the docs") < ALIKE);
    }

    #[test]
    fn scripts_without_blanks_are_compared_by_letters_and_others_are_not() {
        assert!(of("令牌的有效期是多久？", "令牌的有效期是一小时") >= ALIKE);
        assert!(of("令牌的有效期是多久？", "我们明天发布") < ALIKE);
        assert!(of("Où est le serveur ?", "Le client a été prévenu") < ALIKE);
    }

    #[test]
    fn long_texts_cost_no_more_than_their_beginnings() {
        let (a, b) = ("長い文".repeat(300_000), "短い語".repeat(300_000));
        assert!(of(&a, &b) < 1.0);
    }
}
