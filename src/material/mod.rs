//! Copies files and diffs into a discussion, so that all participants see the same text and the
//! file records it. A file that git ignores is read only if the user names this very file.

mod shown;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::WalkBuilder;
use thiserror::Error;

use crate::boundary::{EscapesProject, ProjectPlace, Purpose};
use crate::secrets::SecretFinding;
use crate::store::{self, CommitPatch, PatchError};
use crate::transcript::{
    UnshownFile, UnshownReason, collapsed, encode, fenced, inline, visible_line,
};

pub(crate) use shown::{shown_files, shown_pieces};

/// The maximum number of bytes of material in one discussion: 256 KB, so that it still fits into a prompt.
pub const MATERIAL_LIMIT: usize = 256 * 1024;
/// The maximum number of names in the line that stands for collapsed material.
const MAX_SUMMARY_NAMES: usize = 20;

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
        let CommitPatch { text, not_shown, .. } = diff(range, folder, room)?;
        // A discussion has no verdict that would name the rest.
        if not_shown.iter().any(|one| one.reason == UnshownReason::TooLarge) {
            return Err(MaterialError::TooMuch { at: range.clone(), most: MATERIAL_LIMIT });
        }
        pieces.push(MaterialPiece { name: range.clone(), path: None, is_named: true, text });
    }
    Ok(pieces)
}

/// Returns the material as Markdown for a template: for each piece a heading with name and size, and the text in a fence.
/// The result is not encoded yet.
pub(crate) fn render(pieces: &[MaterialPiece]) -> String {
    if pieces.is_empty() {
        return String::new();
    }
    format!("## Material\n\n{}", parts(pieces))
}

/// Returns the material as a section of a discussion's text: collapsed, below a line with the names and the sizes.
pub(crate) fn section(pieces: &[MaterialPiece]) -> String {
    if pieces.is_empty() {
        return String::new();
    }
    let one = |piece: &MaterialPiece| match &piece.path {
        Some(_) => format!("{} ({} bytes)", piece.name, piece.text.len()),
        None => format!("changes of {} ({} bytes)", piece.name, piece.text.len()),
    };
    let mut names: Vec<String> = pieces.iter().take(MAX_SUMMARY_NAMES).map(one).collect();
    let more = pieces.len() - names.len();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    format!("## Material\n\n{}", collapsed(&names.join(", "), &encode(&parts(pieces))))
}

fn parts(pieces: &[MaterialPiece]) -> String {
    let one = |piece: &MaterialPiece| match &piece.path {
        Some(path) => {
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            part(&format!("`{}`", piece.name.replace('`', "'")), &extension, &piece.text)
        }
        None => {
            part(&format!("Changes of `{}`", piece.name.replace('`', "'")), "diff", &piece.text)
        }
    };
    pieces.iter().map(one).collect::<Vec<String>>().join("\n\n")
}

/// Returns the changes between commits as a patch that can be applied if it shows all files; `room` is the maximum number
/// of bytes that still fit.
///
/// # Errors
/// Fails if git does not have these commits, if they do not differ, or if no change fits into `room`.
pub(crate) fn diff(range: &str, folder: &Path, room: usize) -> Result<CommitPatch, MaterialError> {
    let patch = store::patch(folder, range, room)?;
    let is_too_large = |one: &UnshownFile| one.reason == UnshownReason::TooLarge;
    if patch.not_shown.iter().any(is_too_large) && !patch.shows_a_file {
        return Err(MaterialError::TooMuch { at: range.to_owned(), most: MATERIAL_LIMIT });
    }
    if patch.text.trim().is_empty() {
        return Err(MaterialError::NoChanges { range: range.to_owned() });
    }
    Ok(patch)
}

fn part(name: &str, info: &str, text: &str) -> String {
    format!("### {} ({} bytes)\n\n{}", inline(name), text.len(), fenced(info, text))
}

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

/// Reads all files that the patterns name, each once, sorted by path. Subtracts their sizes from `room`, the number
/// of bytes that still fit.
fn files(
    patterns: &[String],
    folder: &Path,
    judge: &dyn Fn(&Path) -> Result<ProjectPlace, EscapesProject>,
    room: &mut usize,
) -> Result<Vec<MaterialPiece>, MaterialError> {
    // Maps each path to true if the user named the file itself, not a folder or a pattern.
    let mut paths: BTreeMap<PathBuf, bool> = BTreeMap::new();
    for pattern in patterns {
        let path = folder.join(pattern);
        let (found, is_named) = if path.is_dir() {
            (walk(&path, None, shows_hidden(pattern)), false)
        } else if path.symlink_metadata().is_ok() {
            (vec![path], true)
        } else {
            let (base, matcher) = split(pattern, folder)?;
            (walk(&base, Some(&matcher), shows_hidden(pattern)), false)
        };
        if found.is_empty() {
            return Err(MaterialError::NoMatch { pattern: pattern.clone() });
        }
        for path in found {
            *paths.entry(path).or_default() |= is_named;
        }
    }
    paths.into_iter().map(|(path, is_named)| read(path, is_named, folder, judge, room)).collect()
}

/// Splits a pattern into the folder that it begins with and a matcher for the paths below that folder.
fn split(pattern: &str, folder: &Path) -> Result<(PathBuf, GlobMatcher), MaterialError> {
    let is_plain = |part: &&str| !part.contains(['*', '?', '[', '{']);
    let parts: Vec<&str> = pattern.split('/').collect();
    let plain = parts.iter().take_while(|part| is_plain(part)).count();
    let wrong = |error: globset::Error| MaterialError::Pattern {
        pattern: pattern.to_owned(),
        reason: error.kind().to_string(),
    };
    let base = parts[..plain].join("/");
    let base =
        if pattern.starts_with('/') { PathBuf::from(format!("/{base}")) } else { base.into() };
    let glob = GlobBuilder::new(&parts[plain..].join("/")).literal_separator(true).build();
    Ok((folder.join(base), glob.map_err(wrong)?.compile_matcher()))
}

/// Returns true if a pattern names hidden files or folders on purpose.
fn shows_hidden(pattern: &str) -> bool {
    pattern.split('/').any(|part| part.starts_with('.') && part != "." && part != "..")
}

/// Returns the files below a folder, also hidden ones, without those that git ignores and without links.
pub(crate) fn files_of_folder(folder: &Path) -> Vec<PathBuf> {
    walk(folder, None, true)
}

/// Lists the files below a folder without those that git ignores and without links.
fn walk(base: &Path, matcher: Option<&GlobMatcher>, hidden: bool) -> Vec<PathBuf> {
    let mut walk = WalkBuilder::new(base);
    walk.hidden(!hidden).follow_links(false).require_git(false);
    walk.filter_entry(|entry| !entry.file_name().eq_ignore_ascii_case(".git"));
    let files =
        walk.build().flatten().filter(|entry| entry.file_type().is_some_and(|t| t.is_file()));
    let below = |path: &Path| {
        path.strip_prefix(base).is_ok_and(|rest| matcher.is_none_or(|m| m.is_match(rest)))
    };
    files.map(ignore::DirEntry::into_path).filter(|path| below(path)).collect()
}

fn read(
    path: PathBuf,
    is_named: bool,
    folder: &Path,
    judge: &dyn Fn(&Path) -> Result<ProjectPlace, EscapesProject>,
    room: &mut usize,
) -> Result<MaterialPiece, MaterialError> {
    // The text read here is sent to models, and a clone can contain links to private files of the user.
    let place = judge(&path)?;
    let shown = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
    let unreadable = |source| MaterialError::Unreadable { path: path.clone(), source };
    let (file, found) = place.open(Purpose::Read).map_err(unreadable)?;
    if !found.is_file() {
        return Err(MaterialError::NoFile { path: path.clone() });
    }
    let mut bytes = Vec::new();
    file.take(*room as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.contains(&0) {
        return Err(MaterialError::NoText { at: shown });
    }
    *room = room
        .checked_sub(bytes.len())
        .ok_or_else(|| MaterialError::TooMuch { at: shown.clone(), most: MATERIAL_LIMIT })?;
    let text = String::from_utf8(bytes).map_err(|_| MaterialError::NoText { at: shown.clone() })?;
    Ok(MaterialPiece { name: shown, path: Some(path), is_named, text })
}
