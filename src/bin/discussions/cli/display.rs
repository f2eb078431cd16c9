//! The options of every command: the working folder, and the use of the terminal.

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::ValueEnum;

use crate::cli::environment;

/// Flags that every command takes.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArgs {
    /// Work in this folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(crate) folder: Option<PathBuf>,
    /// When to use colours
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        global = true,
        hide_short_help = true
    )]
    pub(crate) color: Colour,
    /// How to show progress
    #[arg(
        long,
        value_name = "HOW",
        value_enum,
        default_value_t,
        global = true,
        hide_short_help = true
    )]
    pub(crate) progress: DisplayChoice,
    /// Print only the result, warnings and errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal that supports colours, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also in pipes and files
    Always,
    /// No colours
    Never,
}

/// The display of progress while models answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DisplayChoice {
    /// Live lines on a terminal, plain lines elsewhere
    #[default]
    Auto,
    /// One line of text for each answer
    Plain,
    /// No progress
    None,
}

impl Colour {
    /// Applies the choice to all later output, including the messages of the command line parser.
    pub(crate) fn hold(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }

    /// Returns the choice on a command line that cannot be parsed.
    pub(crate) fn from_raw_args(words: &[String]) -> Self {
        let after = |at: usize| words.get(at + 1).map(String::as_str);
        let found = words.iter().enumerate().find_map(|(at, word)| match word.as_str() {
            "--color" => after(at),
            word => word.strip_prefix("--color="),
        });
        found.and_then(|word| Self::from_str(word, true).ok()).unwrap_or_default()
    }
}

impl GlobalArgs {
    /// Returns true if lines may be redrawn. A user who wants no colour gets no other terminal codes either.
    pub(crate) fn may_move(&self) -> bool {
        self.color != Colour::Never
            && self.progress == DisplayChoice::Auto
            && !self.quiet
            && environment::knows_codes()
    }
}
