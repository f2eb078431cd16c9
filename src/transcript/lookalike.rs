//! Texts that look alike but consist of other characters.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use unicode_normalization::UnicodeNormalization;

/// Returns the skeleton of a text, which is equal for names that look alike at a glance. It ignores the script of
/// similar letters (UTS 39), digits in place of letters, the difference between `I`, `l` and `1`, separators, and
/// case.
pub(crate) fn skeleton(text: &str) -> String {
    if text.is_ascii() {
        return text.bytes().map(ascii_look).collect();
    }
    whole_skeleton(text)
}

/// Returns the spelling key of a text: similar letters of all scripts are equal, and the case of ASCII letters is
/// ignored; everything else counts.
pub(crate) fn spelling(text: &str) -> String {
    if text.is_ascii() {
        return text.bytes().map(ascii_spelling).collect();
    }
    whole_spelling(text)
}

/// Returns the spelling key of one ASCII character; it does not depend on the characters around it.
fn ascii_spelling(byte: u8) -> &'static str {
    static SPELLINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
        (0..128).map(|byte: u8| whole_spelling(&char::from(byte).to_string())).collect()
    });
    &SPELLINGS[usize::from(byte & 0x7F)]
}

fn whole_spelling(text: &str) -> String {
    let plain: String = text.nfkd().map(spelt).collect();
    let look: String = unicode_security::skeleton(&plain).collect();
    look.to_lowercase()
}

/// Returns the lower-case letter that a character looks like. Lower-case and capital letters have different
/// lookalikes (`М` looks like `M`, `м` like no ASCII letter), so the character itself is tried before its other
/// forms.
fn spelt(c: char) -> String {
    if c.is_ascii() {
        return c.to_ascii_lowercase().to_string();
    }
    let (small, capital) = (c.to_lowercase().to_string(), c.to_uppercase().to_string());
    let look = |form: &String| {
        let look = unicode_security::skeleton(form).collect::<String>().to_lowercase();
        // `I` looks like `l`, but its spelling is an `i`.
        if look == "l" && form.contains(char::is_uppercase) { "i".to_owned() } else { look }
    };
    let forms = [c.to_string(), small.clone(), capital];
    forms.iter().map(look).find(|look| look.is_ascii()).unwrap_or(small)
}

/// Returns true if a text has this skeleton.
pub(crate) fn has_skeleton(text: &str, look: &str) -> bool {
    if !text.is_ascii() {
        return whole_skeleton(text) == look;
    }
    let rest = text.bytes().try_fold(look, |rest, byte| rest.strip_prefix(ascii_look(byte)));
    rest == Some("")
}

/// Returns the skeleton of one ASCII character; it does not depend on the characters around it.
fn ascii_look(byte: u8) -> &'static str {
    static LOOKS: LazyLock<Vec<String>> = LazyLock::new(|| {
        (0..128).map(|byte: u8| whole_skeleton(&char::from(byte).to_string())).collect()
    });
    &LOOKS[usize::from(byte & 0x7F)]
}

fn whole_skeleton(text: &str) -> String {
    let words: String = text.chars().filter(|c| !is_separator(*c)).collect();
    spelling(&words).chars().filter(|c| !is_separator(*c)).map(glance).collect()
}

/// Returns what a person's name looks like at a glance. Unlike in [`skeleton`], separators between the words count,
/// so that they distinguish people.
pub(crate) fn likeness(name: &str) -> String {
    spelling(name).trim_matches(is_separator).chars().map(glance).collect()
}

/// Returns true for characters that separate the words of a name.
fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '.' | '_' | '-')
}

/// Maps characters that are confused at a glance to one of them.
fn glance(c: char) -> char {
    match c {
        '1' | 'i' | '|' => 'l',
        '0' => 'o',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        '8' => 'b',
        other => other,
    }
}

/// Characters that look like a colon.
pub(super) const COLONS: [char; 22] = [
    ':', '：', '﹕', '︓', 'ː', '∶', '꞉', '׃', '։', '˸', 'ꓽ', '︰', '⁚', '᛬', '⦂', '܃', '܄', '᠃',
    '᠄', '᠉', '\u{903}', '\u{A83}',
];

/// Returns true if a line as written begins with text that looks like `VOTE:` but contains other characters. A line
/// in plain ASCII is checked by its bytes elsewhere.
pub(super) fn is_vote_lookalike(line: &str) -> bool {
    // This function runs for every line, and most lines are plain.
    let bytes = line.as_bytes();
    if bytes[..bytes.len().min(40)].is_ascii() {
        return false;
    }
    let bare = line.trim_start_matches([' ', '\t', '*', '_', '\u{A0}', '-', '+']);
    let opens = bare.chars().next().is_some_and(|c| unboxed(c).is_alphanumeric() || is_unseen(c));
    opens && looks_like(bare, "VOTE")
}

fn is_unseen(c: char) -> bool {
    crate::invisible::is_deceptive(c) || matches!(c, '\u{200C}' | '\u{200D}')
}

/// Returns true if a rendered line looks as if it begins with this word and a colon. Symbols between the letters are
/// ignored, because some renderer may treat them as emphasis. `name` in lower case is an ordinary word and does not
/// count.
pub(super) fn looks_like(line: &str, word: &str) -> bool {
    let start = line.trim_start();
    let start = &start[..start.floor_char_boundary(160)];
    begins_with(start, word) || (start.contains('\\') && begins_with(&typeset(start), word))
}

fn begins_with(start: &str, word: &str) -> bool {
    let Some(colon) = start.find(COLONS) else { return false };
    let letters = start[..colon].chars().map(unboxed).filter(|c| c.is_alphanumeric());
    let shown: String = letters.take(9).collect();
    let small = word == "Name" && shown.starts_with('n');
    !small
        && !shown.is_empty()
        && (shown.eq_ignore_ascii_case(word)
            || skeleton(&shown) == skeleton(word)
            || (!shown.is_ascii() && upper_skeleton(&shown) == upper_skeleton(word)))
}

/// Returns a line as it looks if it is a formula. A command for a colon becomes `:`; other commands are removed,
/// because they only place letters or stand for another symbol.
pub(super) fn typeset(line: &str) -> Cow<'_, str> {
    static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\\([A-Za-z]+) ?")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    COMMAND.replace_all(line, |found: &Captures<'_>| match &found[1] {
        "colon" | "vcentcolon" | "ratio" => ":",
        _ => "",
    })
}

/// Returns the letter inside a boxed or circled character; Unicode normalization does not do this.
fn unboxed(c: char) -> char {
    let number = u32::from(c);
    let first = [0x1F130, 0x1F150, 0x1F170, 0x1F1E6].into_iter();
    let nth = first.filter_map(|first| number.checked_sub(first)).find(|nth| *nth < 26);
    nth.and_then(|nth| char::from_u32(u32::from('A') + nth)).unwrap_or(c)
}

fn upper_skeleton(text: &str) -> String {
    let folded: String = text.nfkc().collect::<String>().to_uppercase();
    unicode_security::skeleton(&folded).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fast_path_for_ascii_equals_the_full_skeleton(text in "[ -~]{0,24}", other in "\\PC{0,6}") {
            let text = if text.len() % 3 == 0 { text + &other } else { text };
            let whole = whole_skeleton(&text);
            prop_assert_eq!(&skeleton(&text), &whole);
            prop_assert!(has_skeleton(&text, &whole));
            prop_assert_eq!(has_skeleton(&text, &other), whole == other);
            prop_assert_eq!(spelling(&text), whole_spelling(&text));
        }
    }

    #[test]
    fn look_alike_letters_and_colons_are_recognized() {
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
    fn cyrillic_name_looks_like_the_latin_one() {
        assert_eq!(skeleton("AI-Security"), skeleton("AI-S\u{435}curity"));
        assert_eq!(skeleton("AI-Architect"), skeleton("\u{410}I-Architect"));
        assert_ne!(skeleton("Rob"), skeleton("Bob"));
    }

    #[test]
    fn capitals_of_other_scripts_are_recognized() {
        for (look, name) in [
            ("AI-\u{41C}oderator", "AI-Moderator"),
            ("AI-\u{39C}oderator", "AI-Moderator"),
            ("AI-ARCHITE\u{421}\u{422}", "AI-Architect"),
            ("\u{391}\u{399}-\u{39C}\u{39F}DERATOR", "AI-Moderator"),
            ("AI-archi\u{442}ect", "AI-Architect"),
            ("\u{422}\u{41D}E RECORD ENDS", "the record ends"),
            ("Da\u{3BD}id", "David"),
            ("\u{39D}ora", "Nora"),
            ("\u{422}om", "Tom"),
        ] {
            assert_eq!(skeleton(look), skeleton(name), "{look}");
            assert_eq!(spelling(look), spelling(name), "{look}");
        }
        for (one, other) in [
            ("\u{41D}аташа", "\u{41D}аталья"),
            ("\u{39D}ίκος", "\u{39C}ίκος"),
            ("Иван", "Иванов"),
            ("José", "Jose"),
            ("田中", "田口"),
        ] {
            assert_ne!(spelling(one), spelling(other), "{one}");
        }
        assert_eq!(spelling("Наташа"), spelling("НАТАША"));
        assert_eq!(spelling("Zo\u{EB}"), spelling("Zoe\u{308}"));
    }

    #[test]
    fn digits_and_separators_do_not_hide_a_known_name() {
        for look in [
            "A1-Architect",
            "AI-Arch1tect",
            "AI_Architect",
            "AI Architect",
            "Al.Architect",
            "ai-archit3ct-",
        ] {
            assert_eq!(skeleton(look), skeleton("AI-Architect"), "{look}");
        }
        for other in ["AI-Architect2", "Architect", "AI-Architects", "Ilia", "Al", "Rob-2"] {
            assert_ne!(skeleton(other), skeleton("AI-Architect"), "{other}");
        }
        assert_ne!(spelling("Rob-2"), spelling("Rob 2"));
        assert_ne!(likeness("Rob-2"), likeness("Rob 2"));
        for look in ["M1ra", "Mira.", "-MlRA", "M\u{456}ra"] {
            assert_eq!(likeness(look), likeness("Mira"), "{look}");
        }
    }
}
