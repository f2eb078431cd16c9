//! Files and diffs that are copied into a discussion, so that all participants see the same text and the file records
//! it.

mod error;
mod files;

use std::path::{Path, PathBuf};

pub use self::error::MaterialError;
use self::files::files;
use crate::boundary::{EscapesProject, ProjectPlace};
use crate::store;
use crate::transcript::{fenced, inline};

/// The maximum number of bytes of material in one discussion: 256 KB, so that it still fits into a prompt.
pub const MATERIAL_LIMIT: usize = 256 * 1024;

/// The files and diffs that a discussion gets as material, in addition to its context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Files: paths, folders, or patterns with `*`, `**`, `?`, `[ab]` and `{a,b}`, relative to the working folder.
    pub files: Vec<String>,
    /// Commits to compare in git's notation, such as `main...HEAD`; a single commit is compared with the working
    /// tree.
    pub diff: Option<String>,
}

impl Sources {
    /// Returns true if there is no material.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.diff.is_none()
    }
}

/// One piece of material.
#[derive(Clone, Debug)]
pub(crate) struct MaterialPiece {
    /// The name in the discussion: the file's path relative to the working folder, or the commits.
    pub(crate) name: String,
    /// The path of the file; none for a diff.
    pub(crate) path: Option<PathBuf>,
    /// True if the user named the piece itself, not a folder or a pattern that contains it.
    pub(crate) is_named: bool,
    /// The text of the file or the diff.
    pub(crate) text: String,
}

/// Reads the material.
///
/// `judge` follows a path and returns its place, or an error if the path may not lead there.
///
/// # Errors
/// Fails if a pattern matches nothing, a file is not text or lies outside the project, or the material exceeds
/// [`MATERIAL_LIMIT`].
pub(crate) fn gather(
    sources: &Sources,
    folder: &Path,
    judge: &dyn Fn(&Path) -> Result<ProjectPlace, EscapesProject>,
) -> Result<Vec<MaterialPiece>, MaterialError> {
    let mut room = MATERIAL_LIMIT;
    let mut pieces = files(&sources.files, folder, judge, &mut room)?;
    if let Some(range) = &sources.diff {
        let text = diff(range, folder, room)?;
        pieces.push(MaterialPiece { name: range.clone(), path: None, is_named: true, text });
    }
    Ok(pieces)
}

/// Returns the material as Markdown: for each piece a heading with name and size, and the text in a fence. The result
/// is not encoded yet.
pub(crate) fn render(pieces: &[MaterialPiece]) -> String {
    if pieces.is_empty() {
        return String::new();
    }
    let one = |piece: &MaterialPiece| match &piece.path {
        Some(path) => {
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            part(&format!("`{}`", piece.name.replace('`', "'")), &extension, &piece.text)
        }
        None => {
            part(&format!("Changes of `{}`", piece.name.replace('`', "'")), "diff", &piece.text)
        }
    };
    let parts: Vec<String> = pieces.iter().map(one).collect();
    format!("## Material\n\n{}", parts.join("\n\n"))
}

/// Returns the changes between commits as a patch that can be applied; `room` is the maximum number of bytes that still
/// fit.
///
/// # Errors
/// Fails if git does not have these commits, if they do not differ, or if the patch exceeds `room`.
pub(crate) fn diff(range: &str, folder: &Path, room: usize) -> Result<String, MaterialError> {
    let text = store::patch(folder, range, room)?;
    let too_much = |text: &String| text.len() > room;
    if too_much(&text) {
        return Err(MaterialError::TooMuch { at: range.to_owned(), most: MATERIAL_LIMIT });
    }
    if text.trim().is_empty() {
        return Err(MaterialError::NoChanges { range: range.to_owned() });
    }
    Ok(text)
}

fn part(name: &str, info: &str, text: &str) -> String {
    format!("### {} ({} bytes)\n\n{}", inline(name), text.len(), fenced(info, text))
}
