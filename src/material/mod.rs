//! Files and diffs that go into a discussion, so that everybody sees the same and the file says what they saw.

mod error;
mod files;

use std::path::{Path, PathBuf};

pub use self::error::MaterialError;
use self::files::files;
use crate::boundary::{Outside, Place};
use crate::store;
use crate::transcript::{fenced, inline};

/// Most bytes of material in one discussion: 256 KB, so that it still fits a prompt.
pub const MATERIAL_LIMIT: usize = 256 * 1024;

/// What is to be shown to everybody, beside the context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Files: paths, folders, or patterns with `*`, `**`, `?`, `[ab]` and `{a,b}`, from the working folder.
    pub files: Vec<String>,
    /// Commits to compare as git writes them, such as `main...HEAD`; one alone is compared with the working tree.
    pub diff: Option<String>,
}

impl Sources {
    /// Whether nothing is to be shown.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.diff.is_none()
    }
}

/// One piece of material.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// What it is called in the discussion: the file's path from the working folder, or the commits.
    pub(crate) name: String,
    /// The file; none: a diff.
    pub(crate) path: Option<PathBuf>,
    /// Whether somebody named the piece itself, not a folder or a pattern that holds it.
    pub(crate) is_named: bool,
    /// Its text.
    pub(crate) text: String,
}

/// Reads the material.
///
/// `judge` says where a path leads, if it may lead there.
///
/// # Errors
/// A pattern that nothing matches, what is no text, what lies outside the project, and more than [`MATERIAL_LIMIT`].
pub(crate) fn gather(
    sources: &Sources,
    folder: &Path,
    judge: &dyn Fn(&Path) -> Result<Place, Outside>,
) -> Result<Vec<Piece>, MaterialError> {
    let mut room = MATERIAL_LIMIT;
    let mut pieces = files(&sources.files, folder, judge, &mut room)?;
    if let Some(range) = &sources.diff {
        let text = diff(range, folder, room)?;
        pieces.push(Piece { name: range.clone(), path: None, is_named: true, text });
    }
    Ok(pieces)
}

/// Returns the material as Markdown: a heading with name and size over each piece, the piece in a fence. Not encoded yet.
pub(crate) fn render(pieces: &[Piece]) -> String {
    if pieces.is_empty() {
        return String::new();
    }
    let one = |piece: &Piece| match &piece.path {
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

/// What changed between commits, as a patch that applies.
///
/// # Errors
/// As `gather`.
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
