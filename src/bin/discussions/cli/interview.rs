//! A new participant, by questions and answers.

use dialoguer::{Confirm, Input, Select};
use discussions::participant::{Affinity, Kind, Persona, Weight};
use discussions::transcript::{Alias, Name};

use crate::cli::error::Failure;

/// Asks a person for everything, and shows the result before it is written.
pub(crate) fn ask(alias: Alias) -> Result<Persona, Failure> {
    let failed = |error: dialoguer::Error| {
        Failure::usage(format!("questions need a terminal: {error}"))
            .help("--from-file F reads a file")
    };
    let name: Name = Input::new()
        .with_prompt("Name above its comments")
        .default(format!("AI-{}", capital(alias.as_str())))
        .validate_with(|text: &String| Name::parse(text).map(|_| ()))
        .interact_text()
        .map_err(failed)
        .and_then(|text| Name::parse(&text).map_err(|error| Failure::input(error.to_string())))?;
    let line =
        |prompt: &str| Input::<String>::new().with_prompt(prompt).allow_empty(true).interact_text();
    let role = line("Role, in a few words").map_err(failed)?;
    let kinds = [Kind::Voting, Kind::Background, Kind::Human];
    let labels = [
        "voting: a model speaks and votes",
        "background: a model speaks, without a vote",
        "human: a person",
    ];
    let kind =
        Select::new().with_prompt("Type").items(labels).default(0).interact().map_err(failed)?;
    let kind = kinds[kind];
    let personality = match kind {
        Kind::Human => String::new(),
        _ => Input::<String>::new()
            .with_prompt("Character, in the second person (\"You are ...\")")
            .interact_text()
            .map_err(failed)?,
    };
    let expertise = line("Knows about (commas between)").map_err(failed)?;
    let concerns = line("Always asks (semicolons between)").map_err(failed)?;
    let hint = line("Provider (empty: the default)").map_err(failed)?;
    let persona = Persona {
        name,
        alias,
        role,
        personality,
        votes: String::new(),
        expertise: split(&expertise, ','),
        concerns: split(&concerns, ';'),
        kind,
        provider_hint: Some(hint).filter(|hint| !hint.trim().is_empty()),
        provider_affinity: Affinity::default(),
        weight: Weight::default(),
    };
    // What is written has to be readable.
    let text = persona.write()?;
    let persona = Persona::read(&text, "the new participant")?;
    let wanted = Confirm::new()
        .with_prompt(format!("{text}\nAdd it?"))
        .default(true)
        .interact()
        .map_err(failed)?;
    if wanted { Ok(persona) } else { Err(Failure::usage("nothing was added")) }
}

fn split(text: &str, between: char) -> Vec<String> {
    text.split(between).map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
