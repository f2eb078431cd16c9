//! Whether the result is wanted as JSON, found out before and after the command line was read.

use clap::ArgMatches;

/// What somebody wants of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Words for people.
    Words,
    /// One JSON document.
    Document,
    /// Lines of JSON, an event each, and the document as the last.
    Lines,
}

/// What the verb that was given was asked for, however deep it stands.
pub(crate) fn wanted(matches: &ArgMatches) -> Wanted {
    let is_set = |flag: &str| matches.try_get_one::<bool>(flag).ok().flatten() == Some(&true);
    match (is_set("events"), is_set("json"), matches.subcommand()) {
        (true, ..) => Wanted::Lines,
        (_, true, _) => Wanted::Document,
        (.., Some((_, below))) => wanted(below),
        (.., None) => Wanted::Words,
    }
}

/// What a command line that could not be read asks for.
pub(crate) fn wanted_by(words: &[String]) -> Wanted {
    let has = |flag: &str| words.iter().take_while(|word| *word != "--").any(|word| word == flag);
    match (has("--events"), has("--json")) {
        (true, _) => Wanted::Lines,
        (_, true) => Wanted::Document,
        _ => Wanted::Words,
    }
}
