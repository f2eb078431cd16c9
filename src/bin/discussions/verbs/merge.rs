//! `discussions merge`

use std::path::{Path, PathBuf};

use discussions::store;

use crate::error::{Exit, Failure};
use crate::shell::Shell;

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

/// Merges them; ends with 1 and conflict lines where a person has to.
pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let [base, ours, theirs] = [&args.base, &args.ours, &args.theirs].map(|path| read(path));
    let (base, ours, theirs) = (base?, ours?, theirs?);
    let shown = args.path.as_ref().unwrap_or(&args.ours).display().to_string();
    match store::merge(&base, &ours, &theirs) {
        Ok(merged) => {
            write(&args.ours, &merged)?;
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
fn read(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::file(path, "read", &error))?;
    String::from_utf8(bytes).map_err(|_| {
        Failure::input(format!("{}: is not UTF-8, so git has to merge it", path.display()))
    })
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::file(path, "written", &error))
}
