//! `discussions merge`

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use discussions::store::{self, Renumbered, renumbered};
use discussions::workspace::is_summary;

use crate::cli::error::{Exit, Failure};

use crate::cli::shell::Shell;
use crate::cli::ui::spelt;

/// Merge two versions of a discussion; git calls this (`discussions init` tells it to)
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The common version
    base: PathBuf,
    /// Our version; the result is written here
    ours: PathBuf,
    /// Their version
    theirs: PathBuf,
    /// The file's path in the repository, for messages
    path: Option<PathBuf>,
}

/// Merges them; ends with 1 and conflict lines where a person has to. Any other error leaves our version as it was, for
/// then git merges it (`discussions init` says so in its configuration).
pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let named = args.path.as_deref();
    let shown = spelt(named.unwrap_or(&args.ours));
    if named.is_some_and(is_summary) {
        let kept = "is kept as ours; the discussion's next comment renews it";
        shell.ui.note(format!("{shown}: {kept}"));
        return Ok(Exit::Done);
    }
    let [base, ours, theirs] = [&args.base, &args.ours, &args.theirs].map(|path| read(path, named));
    let (base, ours, theirs) = (base?, ours?, theirs?);
    match store::merge(&base, &ours, &theirs) {
        Ok(merged) => {
            write(&args.ours, &merged)?;
            // A comment that both sides had is told once.
            let moved: BTreeSet<Renumbered> =
                [&ours, &theirs].iter().flat_map(|side| renumbered(side, &merged)).collect();
            for Renumbered { line, name, before, after } in moved {
                let now = after.map_or("nothing".to_owned(), |after| format!("\"{after}\""));
                shell.ui.warning(format!(
                    "{shown}:{line}: {name} was \"{before}\" and is {now} now; say it again with the right number"
                ));
            }
            Ok(Exit::Done)
        }
        Err(conflict) => {
            write(&args.ours, &conflict.marked)?;
            shell.ui.warning(format!("{shown}: {conflict}"));
            Ok(Exit::No)
        }
    }
}

/// Git hands over an empty file where a side has none.
fn read(path: &Path, named: Option<&Path>) -> Result<String, Failure> {
    let unread = |error: std::io::Error| Failure::file(path, "read", &error);
    let refused = |what: &str| {
        let shown = spelt(named.unwrap_or(path));
        Failure::input(format!("{shown}: is {what}, so git has to merge it"))
    };
    if fs::metadata(path).map_err(unread)?.len() > store::LARGEST {
        return Err(refused("larger than 1 GiB"));
    }
    String::from_utf8(fs::read(path).map_err(unread)?).map_err(|_| refused("not UTF-8"))
}

/// Whole or not at all: what git merges next must not be half of our version.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    store::replace(path, text).map_err(|error| Failure::file(path, "written", &error))
}
