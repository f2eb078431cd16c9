//! `discussions merge`

use std::path::PathBuf;

use discussions::workspace::Workspace;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Merge two versions of a discussion; git calls this
///
/// `discussions init` sets this up. The result is written to OURS; exit code 1 means that a person must resolve a
/// conflict.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The common ancestor
    base: PathBuf,
    /// Our version; the result is written here
    ours: PathBuf,
    /// Their version
    theirs: PathBuf,
    /// The file's path in the repository, for messages
    path: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Merges the versions. Exits with code 1, and leaves conflict lines, if a person must resolve something. Any other
/// error leaves our version unchanged, because git then merges it itself (the configuration of `discussions init` says
/// so).
pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let merged = Workspace::merge(&args.base, &args.ours, &args.theirs, args.path.as_deref())?;
    if args.json {
        shell.ui.json(&merged);
    }
    let file = merged.file;
    if merged.is_summary {
        let kept = "kept our version; the next comment updates it";
        shell.ui.note(format!("{file}: {kept}"));
    }
    for one in merged.renumbered {
        let now = one.after.map_or("nothing".to_owned(), |after| format!("\"{after}\""));
        let (line, name, before) = (one.line, one.name, one.before);
        shell.ui.warning(format!(
            "{file}:{line}: {name} was \"{before}\" and is now {now}; repeat the comment with the right number"
        ));
    }
    let Some(conflict) = merged.conflict else { return Ok(Exit::Done) };
    shell.ui.warning(format!("{file}: {conflict}"));
    Ok(Exit::No)
}
