//! `discussions schema`

use discussions::workspace::Workspace;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Describe what --json and --events print, as JSON Schema
///
/// Without a name it lists all documents. Each document is named after the command that prints it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The document, for example status, run, event or error
    #[arg(value_name = "NAME")]
    document: Option<String>,
}

/// Lists the documents, or prints one schema.
pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    match &args.document {
        None => Workspace::documents().for_each(|name| shell.ui.out(name)),
        Some(name) => {
            let schema = Workspace::schema(name).ok_or_else(|| {
                CommandError::input(format!("there is no document `{name}`"))
                    .help("`discussions schema` lists all")
            })?;
            shell.ui.json(&schema);
        }
    }
    Ok(Exit::Done)
}
