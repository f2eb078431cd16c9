//! Why something cannot be shown to everybody.

use std::path::PathBuf;

use thiserror::Error;

use crate::boundary::Outside;
use crate::secrets::Finding;
use crate::store::PatchError;
use crate::transcript::visible_line;

/// Why something cannot be shown to everybody.
#[derive(Debug, Error)]
pub enum MaterialError {
    /// No file has such a name.
    #[error("{}: no such file, and no file matches this pattern", visible_line(.pattern))]
    NoMatch {
        /// The path or pattern as it was given.
        pattern: String,
    },
    /// No pattern.
    #[error("{}: {reason}", visible_line(.pattern))]
    Pattern {
        /// The pattern as it was given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A device, a pipe, or the like.
    #[error("{}: only regular files can be shown", visible_line(&.path.to_string_lossy()))]
    NoFile {
        /// What it is called.
        path: PathBuf,
    },
    /// Bytes that are no UTF-8, or a NUL among them.
    #[error("{}: this is not UTF-8 text, so it cannot be put into a discussion", visible_line(.at))]
    NoText {
        /// The file, or the commits.
        at: String,
    },
    /// More than fits.
    #[error("{}: this makes the material larger than {most} bytes; name fewer files", visible_line(.at))]
    TooMuch {
        /// The file, or the commits.
        at: String,
        /// How many bytes there may be.
        most: usize,
    },
    /// It cannot be read.
    #[error("{}: cannot be read: {source}", visible_line(&.path.to_string_lossy()))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Credentials, which no model is sent.
    #[error("{}", told(.found))]
    Secrets {
        /// Where they are.
        found: Vec<Finding>,
    },
    /// A link out of the project.
    #[error(transparent)]
    Outside(#[from] Outside),
    /// Git has no such commits, or there is no git.
    #[error(transparent)]
    Patch(#[from] PatchError),
    /// Nothing differs.
    #[error("{}: there are no changes between these commits", visible_line(.range))]
    NoChanges {
        /// The commits as they were given.
        range: String,
    },
}

/// The most findings that an error names.
const NAMED: usize = 8;

/// Returns a sentence about findings: of one alone, or of several in a line each.
fn told(found: &[Finding]) -> String {
    let why = "so nothing was sent to a model and nothing was written";
    if let [one] = found {
        return format!("{one}, {why}");
    }
    let lines: Vec<String> = found.iter().take(NAMED).map(|one| format!("\n  {one}")).collect();
    let more = found.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
    format!("the text contains secrets, {why}:{}{more}", lines.concat())
}
