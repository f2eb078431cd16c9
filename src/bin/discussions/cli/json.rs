//! Finds out if the user wants JSON output, from parsed and from unparsed command lines.

use clap::ArgMatches;

/// The form of output that the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Text for people.
    Words,
    /// One JSON document.
    Document,
    /// Lines of JSON: one event each, and the document as the last line.
    Lines,
}

/// Returns the form that the flags of the command ask for, at any depth of subcommands.
pub(crate) fn wanted(matches: &ArgMatches) -> Wanted {
    let is_set = |flag: &str| matches.try_get_one::<bool>(flag).ok().flatten() == Some(&true);
    match (is_set("events"), is_set("json"), matches.subcommand()) {
        (true, ..) => Wanted::Lines,
        (_, true, _) => Wanted::Document,
        (.., Some((_, below))) => wanted(below),
        (.., None) => Wanted::Words,
    }
}

/// Returns the form that a command line asks for although it cannot be parsed.
pub(crate) fn wanted_by(words: &[String]) -> Wanted {
    let has = |flag: &str| words.iter().take_while(|word| *word != "--").any(|word| word == flag);
    match (has("--events"), has("--json")) {
        (true, _) => Wanted::Lines,
        (_, true) => Wanted::Document,
        _ => Wanted::Words,
    }
}
