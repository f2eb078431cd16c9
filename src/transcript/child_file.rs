//! The path of a sub-discussion's file.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The maximum number of bytes of this path: two names of the maximum length on file systems, and the separator.
const LONGEST: usize = 512;

/// The file of a sub-discussion: a path relative to the parent's folder, such as `caching/which-store.md`.
///
/// It consists of one folder and one name that ends in `.md`, neither of them hidden. So a line that a person writes
/// by hand cannot name a file elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChildFile(Arc<str>);

/// The error for a path that a sub-discussion cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a sub-discussion must be in a folder beside its parent: `folder/name.md`")]
pub struct NoChildFile;

impl ChildFile {
    /// Returns the path, with `/` between folder and name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder.
    pub fn folder(&self) -> &str {
        self.0.split_once('/').map_or("", |(folder, _)| folder)
    }
}

impl FromStr for ChildFile {
    type Err = NoChildFile;

    fn from_str(text: &str) -> Result<Self, NoChildFile> {
        let (folder, name) = text.split_once('/').ok_or(NoChildFile)?;
        let plain = |part: &str| {
            let bad = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
            !part.is_empty() && !part.starts_with('.') && !part.contains(bad)
        };
        let is_file = name.strip_suffix(".md").is_some_and(|stem| !stem.is_empty());
        if plain(folder) && plain(name) && is_file && text.len() <= LONGEST {
            Ok(Self(text.into()))
        } else {
            Err(NoChildFile)
        }
    }
}

impl fmt::Display for ChildFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_in_a_sibling_folder_is_accepted() {
        for good in ["caching/which-store.md", "a b/\u{4f60}\u{597d}.md", "x/a.b.md"] {
            assert_eq!(good.parse::<ChildFile>().unwrap().as_str(), good);
        }
        assert_eq!("x/y.md".parse::<ChildFile>().unwrap().folder(), "x");
        for bad in [
            "",
            "y.md",
            "/y.md",
            "x/",
            "x/.md",
            "x/y",
            "../y.md",
            "x/../y.md",
            "x/./y.md",
            "./y.md",
            ".git/y.md",
            "x/.y.md",
            "x//y.md",
            "/x/y.md",
            "C:/y.md",
            "x\\y/z.md",
            "x/y\u{7}.md",
            "x/y/z.md",
        ] {
            assert_eq!(bad.parse::<ChildFile>(), Err(NoChildFile), "{bad}");
        }
        assert!(format!("x/{}.md", "y".repeat(LONGEST)).parse::<ChildFile>().is_err());
    }
}
