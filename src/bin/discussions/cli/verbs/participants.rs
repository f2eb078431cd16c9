//! `discussions participants`

use std::path::{Path, PathBuf};

use discussions::config::participants::{Draft, Edited, add, remove};
use discussions::participant::Persona;
use discussions::transcript::Alias;
use discussions::workspace::Workspace;

use crate::cli::editor;
use crate::cli::error::{Exit, Failure};
use crate::cli::input::read_text;
use crate::cli::interview;
use crate::cli::shell::Shell;
use crate::cli::ui::spelt;

/// See, add, change and remove personas
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List all participants
    List,
    /// Show a participant's file
    Show {
        /// Whom, by alias or name
        alias: String,
    },
    /// Add a participant, from a file or by answering questions
    Add {
        /// Its alias, the word that mentions it
        alias: String,
        /// The YAML file that describes it; `-` is standard input
        #[arg(long, value_name = "F", conflicts_with = "interactive")]
        from_file: Option<PathBuf>,
        /// Ask for everything
        #[arg(long)]
        interactive: bool,
    },
    /// Open a participant's file in $EDITOR; a bundled one is copied when it is changed
    Edit {
        /// Whom, by alias or name
        alias: String,
    },
    /// Remove a participant's file
    Remove {
        /// Whom, by alias or name
        alias: String,
    },
}

/// Does it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    match args.verb {
        Verb::List => list(&workspace, shell),
        Verb::Show { alias } => {
            let member = workspace.setup.roster.resolve(&alias)?;
            shell.ui.out(format!("# {}", shell.shown(&PathBuf::from(member.origin.to_string()))));
            shell.ui.page(member.persona.write()?);
        }
        Verb::Add { alias, from_file, interactive } => {
            let persona = match (from_file, interactive) {
                (Some(path), _) => from_text(&alias, &path)?,
                (None, true) => interview::ask(alias_of(&alias)?)?,
                (None, false) => {
                    return Err(Failure::usage(
                        "what is it like? give --from-file F or --interactive",
                    ));
                }
            };
            let path = add(&workspace.setup, &persona)?;
            shell.ui.out(format!(
                "Added {} (@{}): {}",
                persona.name,
                persona.alias,
                shell.shown(&path)
            ));
        }
        Verb::Edit { alias } => {
            let draft = Draft::of(&workspace.setup, &alias)?;
            let path = draft.path().to_owned();
            let name = path.file_name().unwrap_or_default();
            let text = editor::edit(&shell.outside, Path::new(name), draft.text())?;
            match draft.finish(&workspace.setup, &text)? {
                Edited::Saved => shell.ui.out(format!("Edited: {}", shell.shown(&path))),
                Edited::Unchanged => shell.ui.out("Nothing was changed."),
            }
        }
        Verb::Remove { alias } => {
            let path = remove(&workspace.setup, &alias)?;
            shell.ui.out(format!("Removed: {}", shell.shown(&path)));
        }
    }
    Ok(Exit::Done)
}

fn list(workspace: &Workspace, shell: &mut Shell) {
    let roster = &workspace.setup.roster;
    let rows = roster
        .iter()
        .map(|member| {
            let persona = &member.persona;
            vec![
                persona.alias.to_string(),
                persona.name.to_string(),
                persona.kind.to_string(),
                persona.role.clone(),
                shell.shown(&PathBuf::from(member.origin.to_string())),
            ]
        })
        .collect();
    shell.ui.table(&["alias", "name", "type", "role", "from"], rows);
    for broken in roster.broken() {
        shell.ui.warning(format!("`{}` cannot be used\n{}", broken.alias, broken.error));
    }
}

fn from_text(alias: &str, path: &Path) -> Result<Persona, Failure> {
    let shown = spelt(path);
    let persona = Persona::read(&read_text(path)?, &shown)?;
    let wanted = alias_of(alias)?;
    if persona.alias != wanted {
        return Err(Failure::input(format!(
            "{shown} describes `{}`, not `{wanted}`",
            persona.alias
        ))
        .help(format!("change `alias` in the file, or say: participants add {}", persona.alias)));
    }
    Ok(persona)
}

fn alias_of(text: &str) -> Result<Alias, Failure> {
    Alias::parse(text.trim_start_matches('@'))
        .map_err(|error| Failure::input(format!("`{text}` cannot be an alias: {error}")))
}
