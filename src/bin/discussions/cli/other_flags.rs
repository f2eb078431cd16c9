//! Finds the intended meaning of a flag that the command does not take, but another command does.

use clap::{Arg, Command, CommandFactory as _};

use crate::cli::Cli;

/// The maximum number of commands with a flag that a message lists.
const NAMED: usize = 3;
/// If more commands than this take a flag, the flag does not show which command was intended.
const COMMON: usize = 8;

/// Returns advice for a flag that the command on this command line does not take; none if nothing is known.
pub(crate) fn tip(flag: &str, words: &[String]) -> Option<String> {
    let command = Cli::command();
    let verb = words.iter().find_map(|word| command.find_subcommand(word));
    let counterpart = verb.and_then(|verb| counterpart(verb.get_name(), flag));
    counterpart.map(str::to_owned)
}

/// Names the commands that take a flag. Used only if this command has no flag with a similar spelling.
pub(crate) fn owners(flag: &str) -> Option<String> {
    let long = flag.strip_prefix("--")?;
    let takes = |verb: &&Command| verb.get_arguments().any(|arg| is_called(arg, long));
    let command = Cli::command();
    let names: Vec<String> = command
        .get_subcommands()
        .filter(takes)
        .map(|verb| format!("`discussions {}`", verb.get_name()))
        .collect();
    let list = match names.as_slice() {
        [] => return None,
        [one] => one.clone(),
        [first @ .., last] if names.len() <= NAMED => format!("{} and {last}", first.join(", ")),
        all if all.len() > COMMON => return None,
        all => format!("{} and {} other commands", all[..NAMED].join(", "), all.len() - NAMED),
    };
    Some(format!("{flag} is an option of {list}"))
}

fn is_called(arg: &Arg, long: &str) -> bool {
    arg.get_long() == Some(long)
}

/// Returns advice about the counterpart of a flag: the option of this command with the effect of that flag elsewhere.
fn counterpart(verb: &str, flag: &str) -> Option<&'static str> {
    Some(match (verb, flag) {
        ("new", "--pattern") => "--template NAME chooses the pattern",
        ("new", "--rounds" | "-r") => {
            "--set rounds=N sets the number of rounds, if the pattern has one"
        }
        ("new", "--options" | "-o") => "--set options=A,B sets the options, if the pattern has any",
        ("discuss", "--template" | "-t") => "--pattern NAME chooses the pattern",
        ("ask", "--pattern" | "--template" | "-t") => {
            "`discussions discuss --pattern NAME` asks in another pattern"
        }
        ("review", "--template" | "-t") => "--pattern NAME chooses the pattern",
        ("run" | "turn", "--pattern" | "--template" | "-t") => {
            "a discussion gets its pattern when it is created: `discussions new --template NAME`"
        }
        ("turn", "--participants" | "-p") => {
            "`discussions turn FILE @ALIAS` asks only these; --provider NAME uses one provider for all"
        }
        ("run", "--participants" | "-p") => {
            "a discussion gets its participants when it is created: `discussions new -p LIST`; --provider NAME uses \
             one provider for all"
        }
        ("review", "--participants" | "-p") => "--perspectives LIST chooses the reviewers",
        ("comment" | "vote" | "answer", "--author" | "--name" | "--by") => {
            "--as NAME gives your name"
        }
        ("new" | "ask" | "discuss" | "run" | "turn" | "review", "--model" | "-m") => {
            "--provider PROVIDER:MODEL chooses a model, for example openai:gpt-6.1-sol"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_only_flags_that_its_command_takes() {
        let command = Cli::command();
        for (verb, flag) in [
            ("new", "--pattern"),
            ("new", "-r"),
            ("new", "-o"),
            ("discuss", "-t"),
            ("review", "-t"),
            ("review", "-p"),
            ("comment", "--author"),
            ("vote", "--author"),
            ("answer", "--author"),
            ("run", "--model"),
        ] {
            let advice = counterpart(verb, flag).unwrap();
            let named = advice.split_whitespace().next().unwrap().strip_prefix("--").unwrap();
            let verb = command.find_subcommand(verb).unwrap();
            assert!(verb.get_arguments().any(|arg| is_called(arg, named)), "{advice}");
        }
    }

    #[test]
    fn flag_of_few_commands_is_explained_with_their_names() {
        assert_eq!(owners("--adr").unwrap(), "--adr is an option of `discussions export`");
        assert_eq!(owners("--json"), None, "nearly all commands take it");
        assert_eq!(owners("--xyz"), None);
        assert_eq!(owners("-p"), None, "one letter stands for different things");
    }
}
