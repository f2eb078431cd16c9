//! The whole command line: the commands in groups, with their help, and examples as the user types them after the
//! program's name.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::{Arg, Command, CommandFactory as _};
use dialoguer::console::Term;

use crate::cli::Cli;
use crate::cli::line::Line;

/// The number of columns of the narrowest terminal for which help is laid out.
const NARROWEST: usize = 30;

/// The commands grouped by purpose. A test checks that each command is in one group.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Ask", &["ask", "discuss", "review", "revisit", "new", "run", "turn"]),
    (
        "Take part",
        &["show", "status", "comment", "answer", "vote", "advance", "close", "reopen", "ui"],
    ),
    ("Serve", &["serve", "mcp", "lsp"]),
    ("Find", &["list", "decisions", "search", "recall", "stats", "result", "export"]),
    ("Manage", &["check", "init", "doctor", "trust", "participants", "templates", "providers"]),
    ("Plumbing", &["merge", "guard", "pipe", "completions", "schema", "man"]),
];

/// The last line of every command's help.
const SHARED: &str =
    "Every command also takes -C, -q, --color and --progress: see `discussions --help`.";

/// The commands that `-h` shows.
const FIRST: [&str; 12] = [
    "new", "ask", "discuss", "run", "turn", "comment", "vote", "advance", "status", "show", "list",
    "check",
];

/// The list of commands in the program's own help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HelpPage {
    /// The commands for beginners.
    Short,
    /// All commands, in groups.
    Full,
}

/// Returns the command line for these words. Laying out the help takes longer than everything else before a command
/// begins, so it is done only if the words ask for help.
pub(crate) fn command_for(words: impl IntoIterator<Item = OsString>) -> Command {
    let mut page = None;
    for word in words {
        let word = word.to_string_lossy();
        if word == "help" || word.starts_with("--h") {
            page = Some(HelpPage::Full);
        } else if page.is_none() && word.starts_with('-') && word.contains('h') {
            page = Some(HelpPage::Short);
        }
    }
    page.map_or_else(Cli::command, with_help)
}

/// Returns the whole command line, with all its help.
pub(crate) fn command() -> Command {
    with_help(HelpPage::Full)
}

fn with_help(page: HelpPage) -> Command {
    let bare = Cli::command();
    let shared: Vec<Arg> = bare
        .get_arguments()
        .filter(|arg| arg.is_global_set())
        .map(|arg| arg.clone().hide(true))
        .collect();
    let template = template(&bare, page);
    bare.help_template(template).mut_subcommands(|verb| {
        let name = verb.get_name().to_owned();
        with_examples(verb, &[name.as_str()], &shared)
    })
}

/// Adds examples to a command and its subcommands. Hides the options that every command takes, because one line says
/// where they are described.
fn with_examples(verb: Command, path: &[&str], shared: &[Arg]) -> Command {
    let header = *verb.get_styles().get_header();
    let lines: Vec<String> =
        examples_of(path).iter().map(|line| format!("  discussions {line}")).collect();
    let own = verb.get_after_help().map(|text| format!("{}\n\n", text.ansi()));
    let own = own.unwrap_or_default();
    let short = StyledStr::from(format!("{own}{SHARED}"));
    let long = if lines.is_empty() {
        short.clone()
    } else {
        let title = format!("{header}Examples:{header:#}");
        StyledStr::from(format!("{own}{title}\n{}\n\n{SHARED}", lines.join("\n")))
    };
    let verb = verb.args(shared).after_help(short).after_long_help(long);
    verb.mut_subcommands(|below| {
        let name = below.get_name().to_owned();
        with_examples(below, &[path, &[name.as_str()]].concat(), shared)
    })
}

/// Returns the layout of the program's own help: its commands, one line each, and its options.
fn template(command: &Command, page: HelpPage) -> StyledStr {
    let styles = command.get_styles();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let columns = Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    let width = columns.filter(|columns| *columns >= NARROWEST).unwrap_or(usize::MAX);
    let all = GROUPS.map(|(title, verbs)| (title, verbs.to_vec()));
    let shown = match page {
        HelpPage::Short => vec![("Commands", FIRST.to_vec())],
        HelpPage::Full => all.to_vec(),
    };
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (title, verbs) in shown {
        text.push_str(&format!("\n{header}{title}:{header:#}\n"));
        for verb in verbs.iter().filter_map(|verb| command.find_subcommand(verb)) {
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
            let name = Line::default().styled(literal, format!("  {:<14}", verb.get_name()));
            let indent = Line::from(" ".repeat(name.width()));
            let lines = Line::from(about).flow(width, &name, &indent);
            lines.iter().for_each(|line| text.push_str(&(line.render() + "\n")));
        }
    }
    if page == HelpPage::Short {
        let others = command.get_subcommands().count() - FIRST.len();
        text.push_str(&format!("\n{others} more commands: `discussions --help`\n"));
    }
    text.push_str(&format!("\n{header}Options:{header:#}\n{{options}}{{after-help}}"));
    StyledStr::from(text)
}

/// Returns the examples of a command, by its words; an empty list if it has none.
fn examples_of(path: &[&str]) -> &'static [&'static str] {
    match *path {
        ["ask"] => &[
            "ask \"How do we move sessions to PostgreSQL without downtime?\"",
            "ask \"Is this safe?\" --diff main...HEAD -p author=claude,reviewer=codex",
            "ask - < question.md",
        ],
        ["discuss"] => &[
            "discuss \"Sessions: Redis or PostgreSQL?\"",
            "discuss --input step.json",
            "discuss \"Is this safe?\" --file 'src/auth/**' -p architect=claude,security=codex",
        ],
        ["review"] => &[
            "review docs/plan.md --context-file docs/requirements.md",
            "review --diff main...HEAD --pattern second-look",
            "review docs/plan.md --file 'docs/decisions/*.md'",
        ],
        ["revisit"] => &[
            "revisit where-do-sessions-live",
            "revisit where-do-sessions-live --run -p author=claude,reviewer=codex",
            "revisit where-do-sessions-live --file 'src/db/**' --context-file news.md",
        ],
        ["new"] => &[
            "new \"Add user authentication\" --context-file notes.md --run",
            "new \"Which queue?\" --template voting --set options=Kafka,NATS --recall",
            "new \"Which queue?\" --decide-by \"2 weeks\"",
        ],
        ["run"] => &[
            "run add-user-authentication",
            "run add-user-authentication --max-usd 0.50 --timeout 10m",
        ],
        ["turn"] => &[
            "turn add-user-authentication",
            "turn add-user-authentication @security --ask \"Who may revoke a token?\"",
            "turn add-user-authentication --dry-run",
        ],
        ["show"] => &["show add-user-authentication", "show add-user-authentication --json"],
        ["status"] => &["status add-user-authentication", "status add-user-authentication -v"],
        ["comment"] => &[
            "comment add-user-authentication \"One hour, as in the old system. @security?\"",
            "comment add-user-authentication \"A: Q2 yes\" --vote ready",
            "comment add-user-authentication - < notes.md",
        ],
        ["answer"] => &[
            "answer add-user-authentication \"I own it; 5 per minute.\"",
            "answer add-user-authentication Q2 \"Yes, since May.\" --as Mira",
        ],
        ["vote"] => &[
            "vote add-user-authentication ready",
            "vote add-user-authentication changes \"Name an owner for the keys first.\"",
            "vote add-user-authentication ready --review-by \"6 months\"",
        ],
        ["advance"] => &[
            "advance add-user-authentication",
            "advance add-user-authentication --to detailed_review",
        ],
        ["close"] => &["close add-user-authentication"],
        ["ui"] => &["ui", "ui add-user-authentication"],
        ["serve"] => &["serve --open", "serve --port 9000 --provider mock"],
        ["reopen"] => &["reopen add-user-authentication"],
        ["list"] => &["list", "list --status open", "list decisions/2026 --json"],
        ["decisions"] => &[
            "decisions --due --within 30d",
            "decisions --diff main...HEAD",
            "decisions --write-readme",
        ],
        ["search"] => &["search \"token expiry\""],
        ["recall"] => &["recall \"Where do sessions live?\"", "recall sessions --since 30d --json"],
        ["stats"] => &["stats", "stats decisions/2026 --json"],
        ["result"] => &["result add-user-authentication", "result add-user-authentication --json"],
        ["export"] => &[
            "export add-user-authentication --adr",
            "export add-user-authentication --html > page.html",
            "export --site public",
        ],
        ["check"] => &[
            "check --strict",
            "check --git --due",
            "check --git --since origin/main --format github",
        ],
        ["init"] => &["init", "init --hook", "init --agent claude"],
        ["doctor"] => &["doctor", "doctor --all", "doctor claude-sonnet --ping"],
        ["lsp"] => &["lsp"],
        ["mcp"] => &["mcp", "mcp --root ~/src/shop --max-usd 2", "mcp --read-only"],
        ["merge"] => &["merge base.md ours.md theirs.md"],
        ["guard"] => &["guard 4711-9f3c- < /dev/null"],
        ["pipe"] => &["pipe < words.json"],
        ["trust"] => &["trust", "trust --list", "trust --revoke"],
        ["participants"] => &["participants list", "participants add dba --interactive"],
        ["templates"] => &["templates list", "templates show debate"],
        ["providers"] => &["providers list", "providers add local --api ollama --model llama3.2"],
        ["participants", "list"] => &["participants list", "participants list --json"],
        ["participants", "show"] => &["participants show architect"],
        ["participants", "add"] => {
            &["participants add dba --interactive", "participants add dba --from-file dba.yaml"]
        }
        ["participants", "edit"] => &["participants edit architect"],
        ["participants", "remove"] => &["participants remove dba"],
        ["templates", "list"] => &["templates list", "templates list --json"],
        ["templates", "import"] => &["templates import workflow.yaml"],
        ["templates", "show"] => &["templates show debate"],
        ["providers", "list"] => &["providers list", "providers list --json"],
        ["providers", "check"] => &["providers check claude-sonnet"],
        ["providers", "add"] => &[
            "providers add local --api ollama --model llama3.2",
            "providers add mine --command \"my-model --stdin\"",
        ],
        ["providers", "remove"] => &["providers remove local"],
        ["completions"] => &[
            "completions bash > ~/.local/share/bash-completion/completions/discussions",
            "completions zsh > ~/.zfunc/_discussions",
        ],
        ["schema"] => &["schema", "schema status"],
        ["man"] => &["man", "man run", "man --dir ~/.local/share/man/man1"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group_with_a_one_line_summary() {
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
    fn every_command_has_valid_examples() {
        fn check(verb: &Command, path: &[&str]) {
            if verb.has_subcommands() {
                for below in verb.get_subcommands().filter(|below| below.get_name() != "help") {
                    check(below, &[path, &[below.get_name()]].concat());
                }
            }
            let examples = examples_of(path);
            assert!((1..=3).contains(&examples.len()), "{path:?} has {}", examples.len());
            for line in examples {
                assert!(line.starts_with(&path.join(" ")), "{path:?}: {line}");
                let words = shell_words::split(line).unwrap();
                let words = ["discussions".to_owned()].into_iter().chain(words);
                // The part after a pipe or a redirection belongs to the shell.
                let words = words.take_while(|word| !["|", ">", "<"].contains(&word.as_str()));
                command()
                    .try_get_matches_from(words)
                    .unwrap_or_else(|error| panic!("{line}: {error}"));
            }
        }
        command().get_subcommands().for_each(|verb| check(verb, &[verb.get_name()]));
    }

    #[test]
    fn command_line_definition_is_consistent() {
        command().debug_assert();
    }
}
