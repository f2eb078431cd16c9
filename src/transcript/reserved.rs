//! Names that the program gives itself, so that nobody else may speak under them.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::lookalike::{skeleton, spelling};
use super::name::Name;

/// Whoever stands for nobody in particular, and what stands where a name may. Short ones are near to people's names
/// (`Ali` looks like `all`), so they are reserved as they are spelt only.
const SHORT: [&str; 3] = ["all", "me", "none"];
/// Words of the program's prompts and reports.
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

/// The name under which a program that people use speaks for itself: a coding agent with a seat, or from the side.
pub(crate) const AGENT: &str = "agent";

/// Whether a name is that of a program that people use, which is no person, however it is written.
pub(crate) fn is_agent(name: &Name) -> bool {
    name.as_str().eq_ignore_ascii_case(AGENT)
}

/// Whether a name is the program's own or looks like one: its words, and what it calls participants where their names are
/// not shown (`Participant A`).
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

/// `Participant A`, `Participant 27`.
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
