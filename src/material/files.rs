//! Reads the files that paths and patterns name. A file that git ignores is read only if the user names it itself.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::WalkBuilder;

use super::{MATERIAL_LIMIT, MaterialError, MaterialPiece};
use crate::boundary::{EscapesProject, ProjectPlace, Purpose};

/// Reads all files that the patterns name, each once, sorted by path. Subtracts their sizes from `room`, the number
/// of bytes that still fit.
pub(super) fn files(
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
