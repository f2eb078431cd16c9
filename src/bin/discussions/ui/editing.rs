//! Editing in the user's own editor, while the screen is suspended.

use std::path::Path;

use discussions::workspace::NewPersona;

use super::act::command;
use super::message::{ActionDone, ActionError, EditTarget, Message};
use super::paths::Meant;
use crate::cli::editor;
use crate::cli::environment::HostEnvironment;

/// Opens the editor, and saves or returns the text.
pub(super) fn edit(outside: &HostEnvironment, meant: &Meant, what: EditTarget) -> Message {
    match what {
        EditTarget::Draft(text) => {
            let written = editor::edit(outside, Path::new("comment.md"), &text);
            Message::Written(written.map_err(ActionError::from))
        }
        what => match perform_edit(outside, meant, what) {
            Ok(done) => Message::Done(done),
            Err(refused) => Message::Refused(refused),
        },
    }
}

fn perform_edit(
    outside: &HostEnvironment,
    meant: &Meant,
    what: EditTarget,
) -> Result<ActionDone, ActionError> {
    let workspace = outside.open()?;
    match what {
        EditTarget::Discussion(file) => {
            let path = meant.path(&workspace, &file)?;
            editor::open(outside, &path)?;
            let line = format!("$EDITOR {}", shell_words::quote(&workspace.shown_path(&path)));
            Ok(ActionDone { line, ..ActionDone::default() })
        }
        EditTarget::Person(alias) => {
            let draft = workspace.edit_participant(&alias)?;
            let path = draft.path().to_owned();
            let line = command(&["participants", "edit", &alias]);
            let name = path.file_name().unwrap_or_default();
            let of_line =
                |refused: ActionError| ActionError { people: true, ..refused.of(line.clone()) };
            let text = editor::edit(outside, Path::new(name), draft.text())
                .map_err(|failure| of_line(failure.into()))?;
            let edited =
                workspace.finish_edit(draft, &text).map_err(|error| of_line(error.into()))?;
            let said = if edited.changed { edited.file } else { "no changes".to_owned() };
            Ok(ActionDone { line, said, people: true, ..ActionDone::default() })
        }
        EditTarget::NewPerson(alias, written) => {
            workspace.insist_on_alias(&alias)?;
            let alias = alias.trim_start_matches('@').to_owned();
            let text = match written {
                Some(text) => text,
                None => workspace.define(&persona_draft(&alias))?.text,
            };
            let name = format!("{alias}.yaml");
            let line = command(&["participants", "add", &alias, "--from-file", &name]);
            let text = editor::edit(outside, Path::new(&name), &text)?;
            match workspace.add_participant(&alias, &text, &name) {
                Ok(added) => {
                    let said = format!("added {}: {}", added.name, added.origin);
                    Ok(ActionDone { line, said, people: true, ..ActionDone::default() })
                }
                Err(error) => {
                    let refused = ActionError::from(error).of(line);
                    Err(ActionError { draft: Some(Box::new((alias, text))), ..refused })
                }
            }
        }
        EditTarget::Draft(_) => Ok(ActionDone::default()),
    }
}

/// Returns the draft of a new persona for the user to fill in.
fn persona_draft(alias: &str) -> NewPersona {
    let mut letters = alias.chars();
    let name: String =
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    NewPersona {
        alias: alias.to_owned(),
        name: format!("AI-{name}"),
        role: "Their role, in a few words".to_owned(),
        kind: "voting".to_owned(),
        personality: format!("You are {name}. Say here what they look for, and how they speak."),
        ..NewPersona::default()
    }
}
