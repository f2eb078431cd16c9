//! Whether the result is wanted as JSON, found out before and after the command line was read.

use clap::ArgMatches;

/// Whether the verb that was given takes `--json` and got it, however deep it stands.
pub(crate) fn is_wanted(matches: &ArgMatches) -> bool {
    let here = matches.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or(false);
    here || matches.subcommand().is_some_and(|(_, below)| is_wanted(below))
}

/// Whether a command line that could not be read asks for it.
pub(crate) fn is_asked_for(words: &[String]) -> bool {
    words.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}
