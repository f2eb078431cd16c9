//! `discussions templates`

use std::path::{Path, PathBuf};

use crate::cli::error::{CommandError, Exit};
use crate::cli::input::read_text;
use crate::cli::rows::Column;
use crate::cli::shell::Shell;
use crate::cli::words::typed;

/// List the patterns of discussion, and show their templates
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<TemplatesVerb>,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum TemplatesVerb {
    /// List all templates
    List {
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a template's file
    Show {
        /// The template
        template: String,
        /// Print the result as JSON, including the text
        #[arg(long)]
        json: bool,
    },
    /// Make a template of a workflow file of another engine
    Import {
        /// The file, in YAML
        workflow: PathBuf,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
}

/// Lists, shows or imports templates.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    match args.verb.unwrap_or(TemplatesVerb::List { json: args.json }) {
        TemplatesVerb::List { json: true } => shell.ui.json(&workspace.templates()),
        TemplatesVerb::List { json: false } => {
            let mut rows = Vec::new();
            for one in workspace.templates() {
                match one.broken {
                    Some(error) => shell.ui.warning(error),
                    None => rows.push(vec![
                        one.id,
                        one.summary,
                        one.file.unwrap_or_else(|| "bundled".to_owned()),
                    ]),
                }
            }
            shell.ui.rows(&COLUMNS, rows);
        }
        TemplatesVerb::Import { workflow, json } => import(&workflow, json, shell)?,
        TemplatesVerb::Show { template, json } => {
            let text = workspace.template_text(&template)?;
            if json {
                shell.ui.json(&text);
            } else {
                shell.ui.page(text.text);
            }
            // A broken template is still shown, so that the user can fix it.
            workspace.insist_on_template(&template)?;
        }
    }
    Ok(Exit::Done)
}

/// Writes the template of a workflow, and tells how to use it.
fn import(workflow: &Path, json: bool, shell: &mut Shell) -> Result<(), CommandError> {
    let workspace = shell.workspace()?;
    let text = read_text(&workspace, workflow)?;
    let change = workspace.discussions().import_workflow(&text, &workflow.to_string_lossy())?;
    if json {
        shell.ui.json(&change);
        return Ok(());
    }
    shell.ui.out(format!("Created: {}", change.file));
    let name = Path::new(&change.file).file_stem().unwrap_or_default().to_string_lossy();
    let next = format!("discussions new \"TITLE\" -t {} --run", typed(&name));
    shell.ui.hint("next", next);
    Ok(())
}

/// The columns of the list. There is none for phases, because the summaries need the space.
const COLUMNS: [Column; 3] =
    [Column::fixed("TEMPLATE"), Column::flowing("SUMMARY"), Column::whole("FROM", 1)];
