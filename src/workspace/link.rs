//! Links from one discussion to another, as their texts contain them.

use std::path::{Component, Path, PathBuf};

/// Removes `.` and `..` from a path, as far as its text alone allows.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.into_iter().collect()
}

/// Returns the link from a text in `folder` to a file; both paths are absolute.
pub(super) fn link_between(folder: &Path, file: &Path) -> String {
    let (folder, file) = (plain(folder), plain(file));
    let shared = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(file.components().skip(shared)).collect();
    let mut link = String::new();
    for c in way.to_string_lossy().chars() {
        match c {
            ' ' | '(' | ')' | '<' | '>' | '[' | ']' | '#' | '%' | '\\' | '`' => {
                link.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c if c.is_control() => link.push_str("%3F"),
            c => link.push(c),
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_go_up_and_down_and_contain_no_markup() {
        let link = |folder: &str, file: &str| link_between(Path::new(folder), Path::new(file));
        assert_eq!(link("/p/discussions", "/p/discussions/a.md"), "a.md");
        assert_eq!(link("/p/discussions", "/p/old/x/../a b.md"), "../old/a%20b.md");
        assert_eq!(link("/p/x/./y", "/p/x/(1).md"), "../%281%29.md");
    }
}
