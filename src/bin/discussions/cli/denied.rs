//! What to look at when the system refuses for want of a permission.

use std::io::ErrorKind;
use std::path::Path;

use discussions::store::StoreError;

/// How to see who may read and write a file; nothing where that was not the reason.
pub(crate) fn help(path: &Path, why: ErrorKind) -> Option<String> {
    (why == ErrorKind::PermissionDenied).then(|| who_may(path))
}

/// The same for an error of the store.
pub(crate) fn help_for(error: &StoreError) -> Option<String> {
    match error {
        StoreError::Denied { path } => Some(who_may(path)),
        StoreError::NotWritten { path, source, .. }
        | StoreError::InDoubt { path, source, .. }
        | StoreError::Io { path, source, .. } => help(path, source.kind()),
        _ => None,
    }
}

/// A command that shows the owners of a path, as far as it exists, and of its folder.
fn who_may(path: &Path) -> String {
    let there = path.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let folder = there.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut command = "see who may read and write there: ls -ld".to_owned();
    for path in [folder.unwrap_or(Path::new(".")), there] {
        command.push(' ');
        command.push_str(&shell_words::quote(&path.to_string_lossy()));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exists_and_its_folder_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().display();
        let file = folder.path().join("not/there.md");
        let shown = help(&file, ErrorKind::PermissionDenied).unwrap();
        assert!(shown.ends_with(&format!(" {root}")), "{shown}");
        std::fs::create_dir(folder.path().join("not")).unwrap();
        std::fs::write(&file, "").unwrap();
        let shown = help_for(&StoreError::Denied { path: file }).unwrap();
        assert_eq!(
            shown,
            format!("see who may read and write there: ls -ld {root}/not {root}/not/there.md")
        );
        assert_eq!(help(folder.path(), ErrorKind::StorageFull), None);
    }
}
