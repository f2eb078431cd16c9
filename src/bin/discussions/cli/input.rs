//! Texts that the user passes or types, and the questions that define a new participant.

use std::path::Path;

use dialoguer::{Confirm, Input, Select};
use discussions::workspace::{NewPersona, Workspace, WorkspaceError, bounded};

use crate::cli::error::CommandError;

/// Reads a text from a file or from standard input.
pub(crate) fn read_text(workspace: &Workspace, path: &Path) -> Result<String, CommandError> {
    if path == Path::new("-") {
        Ok(workspace.clear("standard input", &standard_input("-:")?)?)
    } else {
        Ok(workspace.material(path)?)
    }
}

/// Reads a text from standard input, up to a limit. Error messages call the text `what`.
pub(crate) fn standard_input(what: &str) -> Result<String, CommandError> {
    bounded(std::io::stdin(), "standard input").map_err(|error| match error {
        WorkspaceError::Io(error) => CommandError::input(format!("{what} cannot be read: {error}")),
        other => other.into(),
    })
}

/// Asks the user for all fields, and shows the result before it is written.
pub(crate) fn ask(workspace: &Workspace, alias: &str) -> Result<String, CommandError> {
    let failed = |error: dialoguer::Error| {
        CommandError::usage(format!("--interactive needs a terminal: {error}"))
            .help("to read a file instead: --from-file F")
    };
    let bare = alias.trim_start_matches('@');
    let name = Input::<String>::new()
        .with_prompt("Name shown above its comments")
        .default(format!("AI-{}", capital(bare)))
        .validate_with(|text: &String| workspace.author(Some(text), || None).map(|_| ()))
        .interact_text()
        .map_err(failed)?;
    let line =
        |prompt: &str| Input::<String>::new().with_prompt(prompt).allow_empty(true).interact_text();
    let role = line("Role, in a few words").map_err(failed)?;
    let kinds = ["voting", "background", "human"];
    let labels = [
        "voting: a model that comments and votes",
        "background: a model that comments and does not vote",
        "human: a person",
    ];
    let kind =
        Select::new().with_prompt("Type").items(labels).default(0).interact().map_err(failed)?;
    let kind = kinds[kind];
    let personality = match kind {
        "human" => String::new(),
        _ => Input::<String>::new()
            .with_prompt("Personality, in the second person (\"You are ...\")")
            .interact_text()
            .map_err(failed)?,
    };
    let expertise = line("Expertise (separated by commas)").map_err(failed)?;
    let concerns = line("Concerns (separated by semicolons)").map_err(failed)?;
    let hint = line("Provider (leave empty for the default)").map_err(failed)?;
    let new = NewPersona {
        alias: alias.to_owned(),
        name,
        role,
        kind: kind.to_owned(),
        personality,
        expertise: split(&expertise, ','),
        concerns: split(&concerns, ';'),
        provider: Some(hint).filter(|hint| !hint.trim().is_empty()),
    };
    let text = workspace.participants().define(&new)?.text;
    let wanted = Confirm::new()
        .with_prompt(format!("{text}\nAdd it?"))
        .default(true)
        .interact()
        .map_err(failed)?;
    if wanted { Ok(text) } else { Err(CommandError::usage("nothing was added")) }
}

fn split(text: &str, between: char) -> Vec<String> {
    text.split(between).map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
