//! Names that the program reserves for itself, so that no author can use them.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::lookalike::{skeleton, spelling};
use super::name::Name;

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
