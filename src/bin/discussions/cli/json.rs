//! Finds out if the user wants JSON output, from parsed and from unparsed command lines.

use clap::ArgMatches;

/// The form of output that the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputRequest {
    /// Text for people.
    Words,
    /// One JSON document.
    Document,
    /// Lines of JSON: one event each, and the document as the last line.
    Lines,
}

/// Returns the form that the flags of the command ask for, at any depth of subcommands.
pub(crate) fn requested_output(matches: &ArgMatches) -> OutputRequest {
    let is_set = |flag: &str| matches.try_get_one::<bool>(flag).ok().flatten() == Some(&true);
    match (is_set("events"), is_set("json"), matches.subcommand()) {
        (true, ..) => OutputRequest::Lines,
        (_, true, _) => OutputRequest::Document,
        (.., Some((_, below))) => requested_output(below),
        (.., None) => OutputRequest::Words,
    }
}

/// Returns the form that a command line asks for although it cannot be parsed.
pub(crate) fn wanted_by(words: &[String]) -> OutputRequest {
    let has = |flag: &str| words.iter().take_while(|word| *word != "--").any(|word| word == flag);
    match (has("--events"), has("--json")) {
        (true, _) => OutputRequest::Lines,
        (_, true) => OutputRequest::Document,
        _ => OutputRequest::Words,
    }
}
