//! Help for errors caused by missing permissions.

use std::path::Path;

/// Returns a command that shows the owners of a path, or of its existing part, and of its folder.
pub(crate) fn who_may(path: &Path) -> String {
    let there = path.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let folder = there.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut command = "check the permissions: ls -ld".to_owned();
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
    fn nearest_existing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().display();
        let file = folder.path().join("not/there.md");
        let shown = who_may(&file);
        assert!(shown.ends_with(&format!(" {root}")), "{shown}");
        std::fs::create_dir(folder.path().join("not")).unwrap();
        std::fs::write(&file, "").unwrap();
        let shown = who_may(&file);
        assert_eq!(shown, format!("check the permissions: ls -ld {root}/not {root}/not/there.md"));
    }
}
