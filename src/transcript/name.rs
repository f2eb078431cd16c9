//! Names of participants, the short aliases of personas, and names that the program reserves for itself, so that no
//! author can use them.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::line::trim;
use super::lookalike::{skeleton, spelling};

/// The maximum number of characters of a name or an alias (format page, "Frame").
const LONGEST: usize = 64;

/// The reason why a text is not a valid name or alias.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// The text contains only blanks.
    #[error("a name needs at least one letter or digit")]
    Empty,
    /// The text has more than 64 characters.
    #[error("a name can have at most {LONGEST} characters, this one has {0}")]
    TooLong(usize),
    /// The text contains a character that is not allowed in names.
    #[error("`{}` (U+{:04X}) is not allowed in a name: use letters, digits, space, `.`, `_`, `-` and apostrophes", .0.escape_debug(), *.0 as u32)]
    Character(char),
    /// The text contains a character that is not allowed in aliases.
    #[error("`{}` is not allowed in an alias: use a-z, 0-9, `_` and `-`", .0.escape_debug())]
    AliasCharacter(char),
}

/// A display name: 1-64 letters and marks of any script, digits, space, `.`, `_`, `-`, `'`, `’`.
///
/// Kept in NFC without blanks at its ends; two names are equal when they differ in the case of ASCII letters only.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(with = "String")]
#[serde(try_from = "String", into = "String")]
pub struct Name(Arc<str>);

impl Name {
    /// Parses a name.
    ///
    /// # Errors
    /// Fails if the text is empty or too long, or contains a character that is not allowed in names.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let text = trim(text);
        if let Some(bad) = text.chars().find(|&c| !is_name_char(c)) {
            return Err(NameError::Character(bad));
        }
        let normal = text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes;
        let name: Arc<str> =
            if normal { text.into() } else { text.nfc().collect::<String>().into() };
        match name.chars().count() {
            length if length > LONGEST => Err(NameError::TooLong(length)),
            _ if !name.chars().any(char::is_alphanumeric) => Err(NameError::Empty),
            _ => Ok(Self(name)),
        }
    }

    /// Returns a placeholder for a comment without an author.
    pub(super) fn nobody() -> Self {
        Self("Nobody".into())
    }

    /// Returns the name as it is displayed.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_name_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | '_' | '-' | '\'');
    }
    // The typographic apostrophe, as in `O’Brien`.
    if c == '\u{2019}' {
        return true;
    }
    (c.is_alphabetic() || c.is_numeric() || is_combining_mark(c)) && !is_unseen_letter(c)
}

/// Returns true for invisible letters and marks; with them two different names would look equal.
fn is_unseen_letter(c: char) -> bool {
    matches!(c,
        '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{E0100}'..='\u{E01EF}')
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Hashes blocks of 32 bytes, because single bytes take far longer.
        let mut small = [0; 32];
        for piece in self.0.as_bytes().chunks(small.len()) {
            let small = &mut small[..piece.len()];
            small.copy_from_slice(piece);
            small.make_ascii_lowercase();
            state.write(small);
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Name {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        Self::parse(&text)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0.as_ref().to_owned()
    }
}

/// The short mention name of a persona: 1-64 of `a-z`, `0-9`, `_`, `-`, beginning with a letter or digit.
#[derive(Clone, Debug, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(with = "String")]
#[serde(try_from = "String", into = "String")]
pub struct Alias(Arc<str>);

impl PartialEq for Alias {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl PartialOrd for Alias {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Alias {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl Hash for Alias {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Alias {
    /// Parses an alias, with or without a leading `@`; ASCII capitals become lower case.
    ///
    /// # Errors
    /// Fails if the text is empty or too long, or contains a character that is not allowed in aliases.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let text = text.trim();
        let text = text.strip_prefix('@').unwrap_or(text);
        if let Some(bad) =
            text.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))
        {
            return Err(NameError::AliasCharacter(bad));
        }
        match text.len() {
            0 => Err(NameError::Empty),
            length if length > LONGEST => Err(NameError::TooLong(length)),
            _ if text.starts_with(['-', '_']) => Err(NameError::Empty),
            _ if text.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                Ok(Self(text.to_ascii_lowercase().into()))
            }
            _ => Ok(Self(text.into())),
        }
    }

    /// Returns the alias without `@`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Alias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Alias {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        Self::parse(&text)
    }
}

impl From<Alias> for String {
    fn from(alias: Alias) -> Self {
        alias.0.as_ref().to_owned()
    }
}

/// Words for groups of speakers, and words that are used in place of a name. Short ones resemble names of people
/// (`Ali` looks like `all`), so only their exact spelling is reserved.
const SHORT: [&str; 3] = ["all", "me", "none"];
/// Words from the program's prompts and reports.
const LONG: [&str; 8] = [
    "a guest",
    "discussion",
    "discussions",
    "mentioned",
    "participants",
    "system",
    "the record begins",
    "the record ends",
];

/// The name under which an agent writes, for example a coding assistant, with or without being a participant.
pub(crate) const AGENT: &str = "agent";

/// Returns true if a name, in any case, is that of an agent, which is not a person.
pub(crate) fn is_agent(name: &Name) -> bool {
    name.as_str().eq_ignore_ascii_case(AGENT)
}

/// Returns true if a name is one of the program's own or looks like one: its reserved words, and the names of
/// participants in anonymous patterns (`Participant A`).
pub(crate) fn is_reserved(name: &Name) -> bool {
    static LOOKS: LazyLock<HashSet<String>> =
        LazyLock::new(|| LONG.into_iter().map(skeleton).collect());
    static SPELT: LazyLock<HashSet<String>> =
        LazyLock::new(|| SHORT.into_iter().map(spelling).collect());
    let bare = name.as_str().replace([' ', '.', '_', '-'], "");
    let spelt = spelling(&bare);
    let look = skeleton(name.as_str());
    SPELT.contains(&spelt) || LOOKS.contains(&look) || is_letter(&look, &bare)
}

/// Returns true for names such as `Participant A` and `Participant 27`.
fn is_letter(look: &str, bare: &str) -> bool {
    static WORD: LazyLock<String> = LazyLock::new(|| skeleton("participant"));
    let Some(letter) = look.strip_prefix(WORD.as_str()) else { return false };
    let digits = bare.chars().rev().take_while(char::is_ascii_digit).count();
    letter.chars().count() <= 1 || digits == letter.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_in_nfc_and_without_ascii_case() {
        assert_eq!(Name::parse("Zoe\u{308}").unwrap(), Name::parse("Zo\u{eb}").unwrap());
        assert_eq!(Name::parse("AI-Architect").unwrap(), Name::parse("ai-architect ").unwrap());
        assert!(Name::parse("李雷").is_ok());
    }

    #[test]
    fn invisible_names_and_line_breaks_are_refused() {
        for bad in
            ["", "  ", "...", "a\nb", "Rob\u{3164}", "Rob\u{200B}", "<b>", "a:b", &"x".repeat(65)]
        {
            assert!(Name::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn alias_may_be_written_with_its_at_sign() {
        assert_eq!(Alias::parse("@Architect").unwrap().as_str(), "architect");
        assert!(Alias::parse("two words").is_err());
    }

    #[test]
    fn letters_and_words_are_reserved_and_people_are_not() {
        let reserved = |name: &str| is_reserved(&Name::parse(name).unwrap());
        for name in [
            "Participant A",
            "participant-b",
            "Part1cipant C",
            "Participant 27",
            "Participant",
            "\u{420}articipant A",
            "THE RECORD ENDS",
            "System",
            "5ystem",
            "All",
            "me",
            "A. Guest",
            "Discussions",
        ] {
            assert!(reserved(name), "{name}");
        }
        for name in [
            "Human",
            "Rob",
            "Ali",
            "Al",
            "Ilia",
            "Mel",
            "Nona",
            "Rob-2",
            "A",
            "Guest",
            "Participative Paul",
            "Moderator",
        ] {
            assert!(!reserved(name), "{name}");
        }
    }
}
