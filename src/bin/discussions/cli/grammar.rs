//! The command line as a whole: what the verbs say of themselves, in groups, with examples.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::{Command, CommandFactory as _};
use dialoguer::console::Term;

use crate::cli::line::Line;
use crate::cli::{Cli, examples};

/// Columns of the narrowest terminal that anything is laid out for.
const NARROWEST: usize = 30;

/// The verbs by what one wants to do; a test holds that each stands in one.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Ask", &["discuss", "review", "new", "run", "turn"]),
    (
        "Take part",
        &["show", "status", "comment", "answer", "vote", "advance", "close", "reopen", "ui"],
    ),
    ("Open to others", &["serve", "mcp"]),
    ("Find", &["list", "decisions", "search", "recall", "stats", "result", "export"]),
    ("Keep", &["check", "init", "trust", "participants", "templates", "providers"]),
    ("Plumbing", &["merge", "guard", "completions", "schema", "man"]),
];

/// The command line for these words. Help is laid out for who asks for it only: it takes longer than all else that is done
/// before a verb begins.
pub(crate) fn command_for(words: impl IntoIterator<Item = OsString>) -> Command {
    let asks = |word: OsString| {
        let word = word.to_string_lossy();
        word == "help" || word.starts_with('-') && word.contains('h')
    };
    if words.into_iter().any(asks) { command() } else { Cli::command() }
}

/// The whole command line, with all that its help says.
pub(crate) fn command() -> Command {
    let bare = Cli::command();
    let page = page(&bare);
    bare.help_template(page).mut_subcommands(|verb| {
        let name = verb.get_name().to_owned();
        with_examples(verb, &[name.as_str()])
    })
}

/// A verb with its examples, and those below it with theirs.
fn with_examples(verb: Command, path: &[&str]) -> Command {
    let header = *verb.get_styles().get_header();
    let lines: Vec<String> =
        examples::of(path).iter().map(|line| format!("  discussions {line}")).collect();
    let verb = match lines.is_empty() {
        true => verb,
        false => {
            let said = verb.get_after_help().map(|said| format!("{}\n\n", said.ansi()));
            let said = said.unwrap_or_default();
            let title = format!("{header}Examples:{header:#}");
            verb.after_long_help(StyledStr::from(format!("{said}{title}\n{}", lines.join("\n"))))
        }
    };
    verb.mut_subcommands(|below| {
        let name = below.get_name().to_owned();
        with_examples(below, &[path, &[name.as_str()]].concat())
    })
}

/// The first page: every verb in its group, in one line.
fn page(command: &Command) -> StyledStr {
    let styles = command.get_styles();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let columns = Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    let width = columns.filter(|columns| *columns >= NARROWEST).unwrap_or(usize::MAX);
    let mut page = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (title, verbs) in GROUPS {
        page.push_str(&format!("\n{header}{title}:{header:#}\n"));
        for verb in verbs.iter().filter_map(|verb| command.find_subcommand(verb)) {
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
            let name = Line::default().styled(literal, format!("  {:<14}", verb.get_name()));
            let indent = Line::from(" ".repeat(name.width()));
            let lines = Line::from(about).flow(width, &name, &indent);
            lines.iter().for_each(|line| page.push_str(&(line.render() + "\n")));
        }
    }
    page.push_str(&format!("\n{header}Options:{header:#}\n{{options}}{{after-help}}"));
    StyledStr::from(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_stands_in_one_group_and_on_one_line() {
        let command = command();
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, verbs)| *verbs).copied().collect();
        for verb in command.get_subcommands() {
            let name = verb.get_name();
            let places = listed.iter().filter(|listed| **listed == name).count();
            assert_eq!(places, 1, "{name}");
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
            assert!((1..=62).contains(&about.chars().count()), "{name}: {about}");
        }
    }

    #[test]
    fn every_verb_has_examples_that_can_be_typed() {
        fn check(verb: &Command, path: &[&str]) {
            if verb.has_subcommands() {
                for below in verb.get_subcommands().filter(|below| below.get_name() != "help") {
                    check(below, &[path, &[below.get_name()]].concat());
                }
            }
            let examples = examples::of(path);
            assert!((1..=3).contains(&examples.len()), "{path:?} has {}", examples.len());
            for line in examples {
                assert!(line.starts_with(&path.join(" ")), "{path:?}: {line}");
                let words = shell_words::split(line).unwrap();
                let words = ["discussions".to_owned()].into_iter().chain(words);
                // What stands behind a pipe or goes to a file is the shell's.
                let words = words.take_while(|word| !["|", ">", "<"].contains(&word.as_str()));
                command()
                    .try_get_matches_from(words)
                    .unwrap_or_else(|error| panic!("{line}: {error}"));
            }
        }
        command().get_subcommands().for_each(|verb| check(verb, &[verb.get_name()]));
    }

    #[test]
    fn the_command_line_holds_together() {
        command().debug_assert();
    }
}
