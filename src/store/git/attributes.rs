//! Checks if a clone can merge discussions in the way that its repository asks for.

use std::path::Path;

use super::place;
use super::repository::Repository;
use crate::boundary::ProjectPlace;
use crate::store::read::beginning;

/// Maximum number of bytes that are read of a `.gitattributes`.
const LIMIT: usize = 1 << 16;

/// Returns true if a `.gitattributes` above a folder names the merge driver of discussions and the clone does not have
/// it. Git then merges line by line. Git is started only if a `.gitattributes` has such a line.
pub(crate) fn lacks_merge_driver(folder: &Path) -> bool {
    let Some((top, _)) = place::of(folder) else { return false };
    let Ok(folder) = folder.canonicalize() else { return false };
    let between = folder.ancestors().take_while(|one| one.starts_with(&top));
    let asks = between.into_iter().any(|one| {
        let file = ProjectPlace::follow(&one.join(".gitattributes"));
        let attributes = beginning(&file, LIMIT).ok().flatten().unwrap_or_default();
        attributes.lines().any(names_driver)
    });
    asks && Repository::find_repository(&folder)
        .is_some_and(|repository| repository.any_setting("merge.discussions.driver").is_none())
}

/// Returns true if a line of attributes assigns files to the merge driver.
fn names_driver(line: &str) -> bool {
    !line.trim_start().starts_with('#')
        && line.split_ascii_whitespace().skip(1).any(|word| word == "merge=discussions")
}
