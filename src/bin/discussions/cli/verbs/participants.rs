//! `discussions participants`

use std::path::{Path, PathBuf};

use discussions::workspace::Workspace;

use crate::cli::editor;
use crate::cli::error::{CommandError, Exit};
use crate::cli::flags::SecretArgs;
use crate::cli::input::{self, read_text};
use crate::cli::rows::Column;
use crate::cli::shell::Shell;
use crate::cli::ui::spelt;

/// List, add, edit and remove participants
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<ParticipantsVerb>,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum ParticipantsVerb {
    /// List all participants
    List {
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a participant's file
    Show {
        /// The participant, by alias or name
        alias: String,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Add a participant, from a file or by answering questions
    Add {
        /// Its alias: the word after `@` in a mention
        alias: String,
        /// The YAML file that describes it; `-` reads standard input
        #[arg(long, value_name = "F", conflicts_with = "interactive")]
        from_file: Option<PathBuf>,
        /// Ask for each value
        #[arg(long)]
        interactive: bool,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        secrets: SecretArgs,
    },
    /// Edit a participant's file in $EDITOR, or a copy of a bundled one
    Edit {
        /// The participant, by alias or name
        alias: String,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a participant's file
    Remove {
        /// The participant, by alias or name
        alias: String,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs the subcommand.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    if let Some(ParticipantsVerb::Add { secrets, .. }) = &args.verb {
        secrets.learn(shell);
    }
    let workspace = shell.workspace()?;
    match args.verb.unwrap_or(ParticipantsVerb::List { json: args.json }) {
        ParticipantsVerb::List { json: true } => {
            shell.ui.json(&workspace.participants().list_participants())
        }
        ParticipantsVerb::List { json: false } => list(&workspace, shell),
        ParticipantsVerb::Show { alias, json } => {
            let shown = workspace.participants().participant(&alias)?;
            if json {
                shell.ui.json(&shown);
            } else {
                shell.ui.out(format!("# {}", shown.origin));
                shell.ui.page(shown.text);
            }
        }
        ParticipantsVerb::Add { alias, from_file, interactive, secrets: _, json } => {
            workspace.participants().insist_on_alias(&alias)?;
            let (text, file) = match (from_file, interactive) {
                (Some(path), _) => (read_text(&workspace, &path)?, spelt(&path)),
                (None, true) => (input::ask(&workspace, &alias)?, String::new()),
                (None, false) => {
                    return Err(CommandError::usage(
                        "the participant has no description: --from-file F reads one, --interactive asks you for it",
                    ));
                }
            };
            let added = workspace.participants().add_participant(&alias, &text, &file)?;
            for name in workspace.participants().unknown_providers(&added) {
                shell.ui.warning(format!(
                    "@{} uses the unknown provider `{name}`; `discussions providers` lists the known ones",
                    added.alias
                ));
            }
            if json {
                shell.ui.json(&added);
            } else {
                let (name, alias, file) = (&added.name, &added.alias, &added.origin);
                shell.ui.out(format!("Added {name} (@{alias}): {file}"));
            }
            for why in &added.warnings {
                shell.ui.warning(why.as_str());
            }
        }
        ParticipantsVerb::Edit { alias, json } => {
            let draft = workspace.participants().edit_participant(&alias)?;
            let path = draft.path().to_owned();
            let name = path.file_name().unwrap_or_default();
            let text = editor::edit(&shell.outside, Path::new(name), draft.text())?;
            let edited = workspace.participants().finish_edit(draft, &text)?;
            match (json, edited.changed) {
                (true, _) => shell.ui.json(&edited),
                (false, true) => shell.ui.out(format!("Edited: {}", edited.file)),
                (false, false) => shell.ui.out("Nothing was changed."),
            }
        }
        ParticipantsVerb::Remove { alias, json } => {
            let removed = workspace.participants().remove_participant(&alias)?;
            if json {
                shell.ui.json(&removed);
            } else {
                shell.ui.out(format!("Removed: {}", removed.file));
            }
        }
    }
    Ok(Exit::Done)
}

fn list(workspace: &Workspace, shell: &mut Shell) {
    let all = workspace.participants().list_participants();
    let rows = all.personas.into_iter();
    let rows =
        rows.map(|one| vec![one.alias, one.name, one.kind.to_string(), one.role, one.origin]);
    shell.ui.rows(&COLUMNS, rows.collect());
    for broken in all.broken {
        shell.ui.warning(format!("`{}` cannot be used\n{}", broken.alias, broken.error));
    }
}

const COLUMNS: [Column; 5] = [
    Column::fixed("ALIAS"),
    Column::fixed("NAME"),
    Column::whole("TYPE", 2),
    Column::words("ROLE", 1, 60),
    Column::whole("FROM", 3),
];
