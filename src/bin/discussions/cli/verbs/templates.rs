//! `discussions templates`

use crate::cli::error::{CommandError, Exit};
use crate::cli::rows::Column;
use crate::cli::shell::Shell;

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
}

/// Lists or shows templates.
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

/// The columns of the list. There is none for phases, because the summaries need the space.
const COLUMNS: [Column; 3] =
    [Column::fixed("TEMPLATE"), Column::flowing("SUMMARY"), Column::whole("FROM", 1)];
