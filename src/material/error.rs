//! The errors of gathering material.

use std::path::PathBuf;

use thiserror::Error;

use crate::boundary::EscapesProject;
use crate::secrets::SecretFinding;
use crate::store::PatchError;
use crate::transcript::visible_line;

/// The reason why a file or a diff cannot become material of a discussion.
#[derive(Debug, Error)]
pub enum MaterialError {
    /// No file matches the path or pattern.
    #[error("{}: no such file, and no file matches this pattern", visible_line(.pattern))]
    NoMatch {
        /// The path or pattern as the user gave it.
        pattern: String,
    },
    /// The pattern is invalid.
    #[error("{}: {reason}", visible_line(.pattern))]
    Pattern {
        /// The pattern as the user gave it.
        pattern: String,
        /// The reason why the pattern is invalid.
        reason: String,
    },
    /// The path is a device, a pipe or another special file.
    #[error("{}: only regular files can be shown", visible_line(&.path.to_string_lossy()))]
    NoFile {
        /// The path of the special file.
        path: PathBuf,
    },
    /// The text contains bytes that are not UTF-8, or a NUL byte.
    #[error("{}: this is not UTF-8 text, so it cannot be put into a discussion", visible_line(.at))]
    NoText {
        /// The file, or the commits.
        at: String,
    },
    /// The material is larger than the limit.
    #[error("{}: this makes the material larger than {most} bytes; name fewer files", visible_line(.at))]
    TooMuch {
        /// The file, or the commits.
        at: String,
        /// The limit in bytes.
        most: usize,
    },
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", visible_line(&.path.to_string_lossy()))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The text contains credentials, which must not be sent to a model.
    #[error("{}", findings_sentence(.found))]
    Secrets {
        /// The places of the credentials.
        found: Vec<SecretFinding>,
    },
    /// The path leads out of the project.
    #[error(transparent)]
    Outside(#[from] EscapesProject),
    /// Git does not have these commits, or git is not installed.
    #[error(transparent)]
    Patch(#[from] PatchError),
    /// There are no changes between the commits.
    #[error("{}: there are no changes between these commits", visible_line(.range))]
    NoChanges {
        /// The commits as the user gave them.
        range: String,
    },
}

/// The maximum number of findings that a message lists.
const NAMED: usize = 8;

/// Returns a message about findings: one sentence for one finding, a line each for several.
fn findings_sentence(found: &[SecretFinding]) -> String {
    let why = "so nothing was sent to a model and nothing was written";
    if let [one] = found {
        return format!("{one}, {why}");
    }
    let lines: Vec<String> = found.iter().take(NAMED).map(|one| format!("\n  {one}")).collect();
    let more = found.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
    format!("the text contains secrets, {why}:{}{more}", lines.concat())
}
