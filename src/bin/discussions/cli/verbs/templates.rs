//! `discussions templates`

use discussions::workspace::WorkspaceError;

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;

/// See the forms of discussion
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List all templates
    List,
    /// Show a template's file
    Show {
        /// The template
        template: String,
    },
}

/// Lists or shows them.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    match args.verb {
        Verb::List => {
            let mut rows = Vec::new();
            for entry in workspace.catalogue.entries() {
                let from =
                    entry.path.as_ref().map_or("bundled".to_owned(), |path| shell.shown(path));
                match entry.template() {
                    Ok(template) => {
                        let phases: Vec<&str> =
                            template.phases.iter().map(|phase| phase.id.as_str()).collect();
                        rows.push(vec![
                            entry.id.clone(),
                            template.summary.clone(),
                            phases.join(", "),
                            from,
                        ]);
                    }
                    Err(error) => shell.ui.warning(error.to_string()),
                }
            }
            shell.ui.table(&["template", "summary", "phases", "from"], rows);
        }
        Verb::Show { template } => {
            let entry =
                workspace.catalogue.get(&template).ok_or_else(|| WorkspaceError::Template {
                    nearest: workspace.catalogue.nearest(&template),
                    asked: template,
                })?;
            shell.ui.page(entry.text());
            // A broken one is shown all the same, so that it can be mended.
            entry.template()?;
        }
    }
    Ok(Exit::Done)
}
