//! Whether a clone can merge discussions as its repository asks.

use std::path::Path;

use super::place;
use super::repository::Repository;
use crate::boundary::Place;
use crate::store::read::beginning;

/// How much of a `.gitattributes` is read.
const LIMIT: usize = 1 << 16;

/// Returns whether a `.gitattributes` above a folder names the merge driver of discussions and the clone has none: git then
/// merges line by line. Git is only started if such a line is there.
pub(crate) fn lacks_merge_driver(folder: &Path) -> bool {
    let Some((top, _)) = place::of(folder) else { return false };
    let Ok(folder) = folder.canonicalize() else { return false };
    let between = folder.ancestors().take_while(|one| one.starts_with(&top));
    let asks = between.into_iter().any(|one| {
        let file = Place::follow(&one.join(".gitattributes"));
        let attributes = beginning(&file, LIMIT).ok().flatten().unwrap_or_default();
        attributes.lines().any(names_driver)
    });
    asks && Repository::around(&folder)
        .is_some_and(|repository| repository.any_setting("merge.discussions.driver").is_none())
}

/// Whether a line of attributes gives files to the merge driver.
fn names_driver(line: &str) -> bool {
    !line.trim_start().starts_with('#')
        && line.split_ascii_whitespace().skip(1).any(|word| word == "merge=discussions")
}
