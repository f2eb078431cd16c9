//! Reports a command line that cannot be parsed. Adds advice, for example which other command takes
//! an unknown flag.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory as _};
use discussions::codes::ErrorCode;
use discussions::view::visible;

use crate::cli::Cli;
use crate::cli::environment::HostEnvironment;
use crate::cli::flags::{self, Colour, GlobalArgs, OutputRequest};
use crate::cli::ui::{Line, Ui};
use crate::cli::words::typed;

/// Prints the error and exits. The message repeats words of the command line, which may come from anywhere.
pub(crate) fn refuse(mut error: clap::Error, words: &[OsString]) -> ! {
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    Colour::from_raw_args(&words).hold();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        error.exit();
    }
    advise(&mut error, &words);
    let mut ui = Ui::new(&GlobalArgs::default());
    let text = error.render().to_string();
    let wanted = flags::wanted_by(&words);
    if wanted != OutputRequest::Words {
        let (message, hint) = parts(&text);
        ui.json_as(wanted, &ErrorCode::InvalidInput.into_refused(message, hint));
        ui.insist(text.trim_end());
        let _ = ui.finish();
        std::process::exit(error.exit_code());
    }
    if words.iter().all(|word| visible(word) == *word) && ui.has_room_beside(&text) {
        error.exit();
    }
    ui.insist_wrapped(Line::with_commands(text.trim_end()));
    std::process::exit(error.exit_code());
}

/// Removes misleading advice, and adds helpful advice.
fn advise(error: &mut clap::Error, words: &[String]) {
    // The tip that a flag can be passed as text does not help a user who wanted the flag.
    if let Some(ContextValue::StyledStrs(tips)) = error.remove(ContextKind::Suggested) {
        let of_use: Vec<StyledStr> =
            tips.into_iter().filter(|tip| !tip.to_string().contains("as a value")).collect();
        if !of_use.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(of_use));
        }
    }
    let is_everywhere = |flag: &str| ["--progress", "--color", "--quiet"].contains(&flag);
    // The flags that all commands take are similar to almost any word, so clap suggests them too often.
    if error.kind() == ErrorKind::UnknownArgument
        && context_value(error, ContextKind::SuggestedArg).is_some_and(|flag| is_everywhere(&flag))
        && let Some(word) = context_value(error, ContextKind::InvalidArg)
        && !["--prog", "--col", "--qui"].iter().any(|flag| word.starts_with(flag))
    {
        error.remove(ContextKind::SuggestedArg);
        // The usage line contains the flag too.
        error.remove(ContextKind::Usage);
    }
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => context_value(error, ContextKind::InvalidSubcommand)
            .and_then(|word| command_advice(&word, words)),
        ErrorKind::UnknownArgument => {
            context_value(error, ContextKind::InvalidArg).and_then(|word| {
                quoted(&word, words)
                    // A flag of this command with a similar spelling takes precedence over flags of other commands.
                    .or_else(|| match error.get(ContextKind::SuggestedArg) {
                        Some(_) => None,
                        None => owners(&word),
                    })
            })
        }
        ErrorKind::MissingRequiredArgument if lacks(error, "--run") => {
            Some("--provider needs --run, which asks the participants at once".to_owned())
        }
        _ => None,
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedSubcommand);
        if error.remove(ContextKind::SuggestedArg).is_some() {
            // clap has also put the suggested flag into the usage line.
            error.remove(ContextKind::Usage);
        }
        let tips = vec![StyledStr::from(tip)];
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
}

/// Returns true if `flag` is among the missing required arguments.
fn lacks(error: &clap::Error, flag: &str) -> bool {
    matches!(
        error.get(ContextKind::InvalidArg),
        Some(ContextValue::Strings(lacking)) if lacking.iter().any(|lacking| lacking == flag)
    )
}

fn context_value(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    }
}

/// Returns advice for a word that is not a command.
fn command_advice(word: &str, words: &[String]) -> Option<String> {
    if word.contains([' ', '?']) {
        return Some(format!("to ask a question: `discussions discuss {}`", typed(word)));
    }
    own_command(word).map(str::to_owned).or_else(|| {
        let outside = HostEnvironment::look(folder(words).as_deref()).ok()?;
        outside.open().ok()?.find(Path::new(word)).ok()?;
        let program = outside.program();
        Some(format!("to see this discussion: `{program} show {}`", typed(word)))
    })
}

/// Returns the folder that `-C` names on a command line that cannot be parsed.
fn folder(words: &[String]) -> Option<PathBuf> {
    let at = words.iter().position(|word| word.starts_with("-C"))?;
    match &words[at]["-C".len()..] {
        "" => words.get(at + 1).map(PathBuf::from),
        folder => Some(PathBuf::from(folder.trim_start_matches('='))),
    }
}

/// Returns advice for a word that is a command in other programs: the command of this program for that purpose.
fn own_command(word: &str) -> Option<&'static str> {
    Some(match word {
        "ls" | "dir" => "`discussions list` lists discussions",
        "open" | "view" | "cat" | "read" => {
            "`discussions show FILE` shows a discussion, `discussions reopen FILE` reopens a closed one"
        }
        "edit" => {
            "open the Markdown file of a discussion in your editor; `discussions comment FILE -e` adds a comment, \
             `discussions participants edit ALIAS` edits a participant"
        }
        "delete" | "remove" | "rm" | "del" => {
            "a discussion is one file: delete it, with `git rm` in a repository; `discussions close FILE` only closes \
             it"
        }
        "config" | "settings" | "set" => {
            "settings are in discussions.yaml, which `discussions init` creates; `discussions providers` and \
             `discussions participants` list what is in use"
        }
        _ => return None,
    })
}

/// Returns the advice to put a text of several words into quotes.
fn quoted(word: &str, words: &[String]) -> Option<String> {
    let verb = words.iter().position(|word| {
        ["new", "ask", "discuss", "comment", "vote", "answer"].contains(&word.as_str())
    })?;
    let before = match words[verb].as_str() {
        "comment" => 1,
        "vote" | "answer" => 2,
        _ => 0,
    };
    if word.starts_with('-') {
        return None;
    }
    let text = words.get(verb + 1 + before..)?;
    let text: Vec<&str> =
        text.iter().take_while(|word| !word.starts_with('-')).map(String::as_str).collect();
    if text.len() < 2 || !text.contains(&word) {
        return None;
    }
    let start: Vec<&str> = words[verb..=verb + before].iter().map(String::as_str).collect();
    Some(format!(
        "put quotes around a text of several words: `discussions {} \"{}\"`",
        start.join(" "),
        text.join(" ")
    ))
}

/// Splits the text of an error into its message and its advice.
fn parts(text: &str) -> (String, Option<String>) {
    let mut paragraphs = text.trim().split("\n\n");
    let message = paragraphs.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message).to_owned();
    let tips: Vec<&str> =
        text.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).collect();
    (message, Some(tips.join("; ")).filter(|tips| !tips.is_empty()))
}

/// The maximum number of commands with a flag that a message lists.
const NAMED: usize = 3;
/// If more commands than this take a flag, the flag does not show which command was intended.
const COMMON: usize = 8;

/// Names the commands that take a flag. Used only if this command has no flag with a similar spelling.
fn owners(flag: &str) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flag_of_few_commands_is_explained_with_their_names() {
        assert_eq!(owners("--adr").unwrap(), "--adr is an option of `discussions export`");
        assert_eq!(owners("--json"), None, "nearly all commands take it");
        assert_eq!(owners("--xyz"), None);
        assert_eq!(owners("-p"), None, "one letter stands for different things");
    }
}
