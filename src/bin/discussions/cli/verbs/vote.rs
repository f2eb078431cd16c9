//! `discussions vote`

use std::path::PathBuf;

use super::comment::{self, Said};
use crate::cli::error::{Exit, Failure};
use crate::cli::input::standard_input;
use crate::cli::shell::Shell;

/// Vote, with or without a word why
///
/// What may be voted for is what the template or the ballot offers, in any case; `discussions status` shows it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a name, the beginning of one, or a title
    file: PathBuf,
    /// Your vote, such as ready, changes or reject
    vote: String,
    /// Why, as Markdown; `-` reads standard input
    #[arg(allow_hyphen_values = true)]
    text: Option<String>,
    /// Who votes; without it the configuration's author, git's user or the login name
    #[arg(long = "as", value_name = "NAME")]
    author: Option<String>,
    /// The result as one JSON document
    #[arg(long)]
    json: bool,
}

/// Casts it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = shell.discussion(&workspace, Some(&args.file))?;
    let text = match args.text.as_deref() {
        Some("-") => standard_input("standard input")?,
        text => text.unwrap_or_default().to_owned(),
    };
    let said = Said { author: args.author, text, vote: Some(args.vote), json: args.json };
    comment::say(shell, &workspace, &path, said)
}
