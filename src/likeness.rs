//! How much two sentences say the same, for matching answers to questions and done work to tasks.

use similar::TextDiff;

/// From here on two texts are taken to speak of the same thing.
pub const ALIKE: f64 = 0.5;

/// Likeness of two texts, 0 to 1: the share of the shorter one's words that the other has too, words of the same stem
/// counting as one; for texts in scripts without blanks, the share of equal characters.
pub fn of(a: &str, b: &str) -> f64 {
    let (first, second) = (words(a), words(b));
    let (few, many) =
        if first.len() <= second.len() { (&first, &second) } else { (&second, &first) };
    if few.is_empty() {
        return 0.0;
    }
    let shared = few.iter().filter(|word| many.iter().any(|other| same_stem(word, other))).count();
    let words = shared as f64 / few.len() as f64;
    // One shared word of a long text proves little.
    let words = if few.len() == 1 && many.len() > 4 { words * 0.8 } else { words };
    let letters = if a.is_ascii() && b.is_ascii() {
        0.0
    } else {
        f64::from(TextDiff::from_chars(a, b).ratio())
    };
    words.max(letters)
}

/// Words that carry meaning, in small letters.
fn words(text: &str) -> Vec<String> {
    const STOP: [&str; 38] = [
        "the", "and", "for", "that", "this", "with", "are", "was", "were", "will", "has", "have",
        "had", "our", "you", "your", "not", "but", "can", "should", "would", "could", "how",
        "what", "why", "when", "who", "does", "did", "its", "it's", "from", "into", "than", "then",
        "they", "use", "all",
    ];
    let mut words: Vec<String> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .map(str::to_lowercase)
        .filter(|word| {
            (word.chars().count() > 2 || word.chars().any(|c| c.is_numeric() || !c.is_ascii()))
                && !STOP.contains(&word.as_str())
        })
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// `write` and `written`, `review` and `reviewed`: the shorter one's first letters, at least four or all of them.
fn same_stem(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let shared = short.chars().zip(long.chars()).take_while(|(x, y)| x == y).count();
    shared >= 4 && shared * 3 >= short.chars().count() * 2
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
}
