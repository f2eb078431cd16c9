//! The personas that come with the program.

use include_dir::{Dir, include_dir};

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/participants");

/// The order of personas in lists and in the default assignment of roles. Other files follow by name.
const ORDER: [&str; 15] = [
    "moderator",
    "architect",
    "security",
    "pragmatist",
    "perfectionist",
    "designer",
    "researcher",
    "visualizer",
    "product",
    "technical",
    "quality",
    "risk",
    "coverage",
    "author",
    "reviewer",
];

/// Returns file name, without folder, and text of each bundled file.
pub(super) fn files() -> Vec<(String, &'static str)> {
    let mut files: Vec<_> = FOLDER
        .files()
        .filter_map(|file| {
            let name = file.path().file_name()?.to_str()?;
            Some((name.to_owned(), file.contents_utf8()?))
        })
        .filter(|(name, _)| name.ends_with(".yaml"))
        .collect();
    files.sort_by_key(|(name, _)| {
        let stem = name.trim_end_matches(".yaml");
        let place = ORDER.iter().position(|known| *known == stem);
        (place.unwrap_or(ORDER.len()), name.clone())
    });
    files
}
