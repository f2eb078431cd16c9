//! Measures the similarity of two sentences, to match answers to questions and finished work to tasks. Also suggests
//! the known word that an unknown word probably means.

mod candidates;
mod contrast;
mod suggest;

pub(crate) use self::candidates::Candidates;
pub(crate) use self::contrast::{Claim, normal};
pub(crate) use self::suggest::{ComparedWord, is_misspelling_of, is_slip_of, suggest};
use crate::text_diff::letters_alike;

/// The lowest similarity at which two texts are considered to be about the same thing.
pub(crate) const ALIKE: f64 = 0.5;

/// The number of bytes of a text that are compared. Comparing letters takes time that grows with the square of their
/// number.
const LONGEST: usize = 2_000;

/// Returns the similarity of two texts, 0 to 1: the share of the shorter text's words that the other text contains
/// too, where words with the same stem are equal. For scripts without spaces it is the share of equal characters.
/// Only the first two kilobytes are compared.
pub(crate) fn of(a: &str, b: &str) -> f64 {
    ComparedSentence::new(a).like(&ComparedSentence::new(b))
}

/// Returns how equal two questions are, 0 to 1: the share of the longer question's words that the shorter one
/// contains too, or of equal characters. A question that is only a part of another is not equal to it.
pub(crate) fn same_question(a: &str, b: &str) -> f64 {
    let (a, b) = (ComparedSentence::new(a), ComparedSentence::new(b));
    let (few, many) = (a.words.len().min(b.words.len()), a.words.len().max(b.words.len()));
    let part = if many == 0 { 0.0 } else { few as f64 / many as f64 };
    let same = a.text.trim() == b.text.trim();
    if same { 1.0 } else { (a.words_like(&b) * part).max(a.letters_like(&b)) }
}

/// A text that is prepared for comparison with many others.
#[derive(Clone, Debug)]
struct ComparedSentence {
    /// The text in lower case.
    text: String,
    /// The meaningful words of the text, sorted by stem, each once.
    words: Vec<Word>,
    /// One bit for each stem; different stems may share a bit.
    stems: u64,
    /// True if the text is in a script without spaces.
    unspaced: bool,
    /// The characters of a text in a script without spaces, sorted.
    letters: Vec<char>,
}

/// A word, by its position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    /// A hash of the stem; different stems may have the same hash.
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

impl ComparedSentence {
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

    /// Returns the hashes of the stems of its words.
    fn stems(&self) -> impl Iterator<Item = u32> {
        self.words.iter().map(|word| word.stem)
    }

    fn like(&self, other: &Self) -> f64 {
        self.words_like(other).max(self.letters_like(other))
    }

    /// Returns an upper bound of the similarity.
    fn most_like(&self, other: &Self) -> f64 {
        let words = if self.may_share_words(other) { self.words_like(other) } else { 0.0 };
        // The similarity of letters is computed with less precision, so a margin is added.
        words.max(self.letters_share(other) + 1e-6)
    }

    /// Returns false if too few words can have a stem in common. This rules out most texts without comparing words.
    fn may_share_words(&self, other: &Self) -> bool {
        let (few, many) =
            if self.words.len() <= other.words.len() { (self, other) } else { (other, self) };
        // Several words may share one bit.
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
        // Words are sorted by stem, so equal stems are next to each other.
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
        // One word in common with a long text proves little.
        if few == 1 && many > 4 { share * 0.8 } else { share }
    }

    /// Returns an upper bound of the similarity of the letters. Ignores their order, which takes far less time.
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
        f64::from(letters_alike(&self.text, &other.text))
    }
}

/// Returns true for letters of scripts without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns the positions of the meaningful words.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::with_capacity(text.len() / 6 + 1);
    let found = text.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    for word in found.filter(|word| !word.is_empty() && is_telling(word)) {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        // The lower-case form of such a short text is shorter than 64 KiB.
        if let (Ok(start), Ok(end)) = (u16::try_from(start), u16::try_from(start + word.len())) {
            words.push(Word { stem: stem(word), start, end });
        }
    }
    words.sort_unstable_by(|a, b| a.stem.cmp(&b.stem).then_with(|| a.of(text).cmp(b.of(text))));
    words.dedup_by(|a, b| a.stem == b.stem && a.of(text) == b.of(text));
    words
}

/// Returns true if a word carries meaning: it is long enough and not one of the most frequent words, or it is in
/// another script.
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

/// The number of first letters that two longer words must share to have the same stem.
const STEM: usize = 4;

/// Returns a hash (FNV-1a) of the first four letters of a word.
fn stem(word: &str) -> u32 {
    let end = match word.get(..STEM).filter(|start| start.is_ascii()) {
        Some(start) => start.len(),
        None => word.char_indices().nth(STEM).map_or(word.len(), |(end, _)| end),
    };
    let mix = |key: u32, byte: u8| (key ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    word.bytes().take(end).fold(0x811C_9DC5, mix)
}

/// Returns true for two forms of one word, such as `write` and `written`, or `review` and `reviewed`: they begin with
/// the same letters, at least four and at least two thirds of the shorter word.
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
    fn finished_work_resembles_its_task() {
        assert!(of("write the spec", "Spec written and reviewed") >= ALIKE);
        assert!(of("Should we use JWT or session cookies?", "JWT with a one hour expiry") < ALIKE);
        assert!(of("What's our token expiry policy?", "The token expiry is one hour") >= ALIKE);
        assert!(of("Research rate limiting options", "Ship the docs") < ALIKE);
    }

    #[test]
    fn scripts_without_blanks_are_compared_by_letters() {
        assert!(of("令牌的有效期是多久？", "令牌的有效期是一小时") >= ALIKE);
        assert!(of("令牌的有效期是多久？", "我们明天发布") < ALIKE);
        assert!(of("Où est le serveur ?", "Le client a été prévenu") < ALIKE);
    }

    #[test]
    fn only_the_beginning_of_long_texts_is_compared() {
        let (a, b) = ("長い文".repeat(300_000), "短い語".repeat(300_000));
        assert!(of(&a, &b) < 1.0);
    }
}
