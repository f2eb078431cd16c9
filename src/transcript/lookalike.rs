//! Texts that look alike but are spelt with other letters.

use unicode_normalization::UnicodeNormalization;

/// What a text looks like: two texts that a reader could confuse have the same skeleton (UTS 39), ASCII case ignored.
pub fn skeleton(text: &str) -> String {
    // Small and capital letters have different look-alikes, so both forms are folded before and after.
    let folded: String = text.nfkc().collect::<String>().to_lowercase();
    let look: String = unicode_security::skeleton(&folded).collect();
    look.to_lowercase()
}

/// Characters that can pass for a colon.
const COLONS: [char; 9] = [':', '：', '﹕', '︓', 'ː', '∶', '꞉', '׃', '։'];

/// Whether a line begins with something that looks like `VOTE:` but is not spelt so.
pub(super) fn is_vote_lookalike(line: &str) -> bool {
    // Most lines are plain, and this is asked of every line.
    let bytes = line.as_bytes();
    if bytes[..bytes.len().min(40)].is_ascii() {
        return false;
    }
    let start: String = line.chars().take(40).collect();
    let Some(colon) = start.find(COLONS) else { return false };
    let colon_char = start[colon..].chars().next();
    let word = start[..colon].trim_matches([' ', '\t', '*', '_', '\u{A0}', '-', '+']);
    let shown: String = word
        .chars()
        .filter(|&c| !super::invisible::is_deceptive(c) && !matches!(c, '\u{200C}' | '\u{200D}'))
        .collect();
    let same = shown.eq_ignore_ascii_case("vote");
    let spelt = word.eq_ignore_ascii_case("vote") && colon_char == Some(':');
    !spelt
        && (same
            || upper_skeleton(&shown) == upper_skeleton("VOTE")
            || skeleton(&shown) == skeleton("vote"))
}

fn upper_skeleton(text: &str) -> String {
    let folded: String = text.nfkc().collect::<String>().to_uppercase();
    unicode_security::skeleton(&folded).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_letters_and_colons_are_seen_through() {
        for line in [
            "V\u{41E}TE: READY",
            "VOTE：READY",
            "ＶＯＴＥ: READY",
            "v\u{43E}te: ready",
            "VO\u{200D}TE: READY",
            "**VOT\u{415}:** x",
        ] {
            assert!(is_vote_lookalike(line), "{line}");
        }
        for line in ["VOTE: READY", "Größe: 3", "Note: x", "voté: non", "日本: x"] {
            assert!(!is_vote_lookalike(line), "{line}");
        }
    }

    #[test]
    fn a_cyrillic_name_looks_like_the_latin_one() {
        assert_eq!(skeleton("AI-Security"), skeleton("AI-S\u{435}curity"));
        assert_eq!(skeleton("AI-Architect"), skeleton("\u{410}I-Architect"));
        assert_ne!(skeleton("Rob"), skeleton("Bob"));
    }
}
