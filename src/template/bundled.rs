//! The templates that are bundled with the program.

use include_dir::{Dir, include_dir};

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// Returns file stem and text of each bundled template, sorted by name.
pub fn bundled() -> Vec<(String, &'static str)> {
    let mut files: Vec<_> = FOLDER
        .files()
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "md"))
        .filter_map(|file| {
            Some((file.path().file_stem()?.to_str()?.to_owned(), file.contents_utf8()?))
        })
        .collect();
    files.sort();
    files
}

/// Returns the text of the earlier version of a bundled template, which discussions keep that were created with it.
pub(super) fn earlier(id: &str) -> Option<&'static str> {
    FOLDER.get_file(format!("earlier/{id}.md"))?.contents_utf8()
}
