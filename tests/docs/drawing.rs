//! Pictures that tests draw and compare with the files of the repository.

use super::tree::root;

/// Compares a picture with its file; writes the file with the variable that also updates snapshots.
pub(super) fn insist_current(file: &str, picture: &str, shown: &str) {
    for never in ["<script", "@import", "url(", "href", "<foreignObject"] {
        assert!(!picture.contains(never), "{file} holds `{never}`; a forge would not show it");
    }
    let path = root().join(file);
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(&path, picture).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == picture,
        "{file} shows something else than the test; INSTA_UPDATE=always writes it again:\n{shown}"
    );
}
