//! Finds the file that a user's input means.

use std::fs;
use std::path::{Component, Path, PathBuf};

use similar::TextDiff;

use super::error::StoreError;

/// Minimum similarity of a proposed name, from 0 to 1.
const ALIKE: f32 = 0.6;
/// Maximum number of proposed names.
const PROPOSED: usize = 3;

/// Finds a discussion. The input is a path relative to `working`, or a name to search in `working` and then in
/// `output`. A path that begins with `.`, `..` or the root is not a name. The ending `.md` is optional.
///
/// # Errors
/// Returns [`StoreError::NotFound`] with the most similar names, or [`StoreError::Directory`] if only a folder has this
/// name.
pub(crate) fn find(
    name: &Path,
    working: &Path,
    output: Option<&Path>,
) -> Result<PathBuf, StoreError> {
    let folders: Vec<&Path> = if is_name(name) {
        std::iter::once(working).chain(output).collect()
    } else {
        vec![working]
    };
    let mut folder_of_that_name = None;
    for folder in &folders {
        for candidate in candidates(&folder.join(name)) {
            match fs::metadata(&candidate) {
                Ok(found) if found.is_dir() => {
                    folder_of_that_name = folder_of_that_name.or(Some(candidate))
                }
                Ok(_) => return Ok(candidate),
                Err(_) => {}
            }
        }
    }
    match folder_of_that_name {
        Some(path) => Err(StoreError::Directory { path }),
        None => {
            Err(StoreError::NotFound { path: name.to_owned(), near: nearest_files(name, &folders) })
        }
    }
}

fn is_name(name: &Path) -> bool {
    let mut parts = name.components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Returns the path as typed, then with `.md`.
fn candidates(path: &Path) -> impl Iterator<Item = PathBuf> {
    let has_ending = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    let with_ending = (!has_ending).then(|| {
        let mut longer = path.as_os_str().to_owned();
        longer.push(".md");
        PathBuf::from(longer)
    });
    std::iter::once(path.to_owned()).chain(with_ending)
}

fn nearest_files(name: &Path, folders: &[&Path]) -> Vec<PathBuf> {
    let Some(wanted) = name.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()) else {
        return Vec::new();
    };
    let mut found: Vec<(f32, PathBuf)> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder.join(name).parent()?).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md")))
        .filter_map(|path| {
            let stem = path.file_stem()?.to_string_lossy().to_lowercase();
            let alike = |part: &str| TextDiff::from_chars(wanted.as_str(), part).ratio();
            // Users often type only the start of a name, so that part is compared too.
            let begun: String = stem.chars().take(wanted.chars().count()).collect();
            let part = if stem.contains(&wanted) { 1.0 } else { alike(&stem).max(alike(&begun)) };
            (part >= ALIKE).then_some((part, path))
        })
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.truncate(PROPOSED);
    found.into_iter().map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("discussions/folder")).unwrap();
        for name in [
            "here.md",
            "both.md",
            "discussions/both.md",
            "discussions/caching.md",
            "discussions/folder.md",
        ] {
            fs::write(root.path().join(name), "# A\n").unwrap();
        }
        root
    }

    #[test]
    fn bare_name_is_searched_here_and_in_the_output_folder() {
        let root = tree();
        let output = root.path().join("discussions");
        let find = |name: &str| find(Path::new(name), root.path(), Some(&output));
        assert_eq!(find("here").unwrap(), root.path().join("here.md"));
        assert_eq!(find("both.md").unwrap(), root.path().join("both.md"));
        assert_eq!(find("caching").unwrap(), output.join("caching.md"));
        assert_eq!(find("folder").unwrap(), output.join("folder.md"));
        assert_eq!(find("discussions/caching").unwrap(), output.join("caching.md"));
        assert!(matches!(find("./caching"), Err(StoreError::NotFound { .. })));
        assert!(matches!(find("discussions"), Err(StoreError::Directory { .. })));
    }

    #[test]
    fn similar_names_are_suggested() {
        let root = tree();
        let output = root.path().join("discussions");
        fs::create_dir_all(output.join("old")).unwrap();
        fs::write(output.join("old/a.md"), "# A\n").unwrap();
        let old = find(Path::new("old/a"), root.path(), Some(&output)).unwrap();
        assert_eq!(old, output.join("old/a.md"));
        let missing = find(Path::new("cacheing"), root.path(), Some(&output)).unwrap_err();
        assert!(missing.to_string().contains("did you mean"), "{missing}");
        assert!(missing.to_string().contains("caching.md"), "{missing}");
    }
}
