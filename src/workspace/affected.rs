//! Matches decisions with files: gitignore patterns from the project's root against a list of paths. Reads no
//! file.

use std::collections::HashMap;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The characters that make a pattern more than a name.
const SPECIAL: [char; 5] = ['*', '?', '[', '{', '\\'];

/// A list of files, as paths from the project's root with `/` between the parts.
#[derive(Debug, Default)]
pub(super) struct FileList {
    /// Sorted, so that the files below a folder are neighbours.
    files: Vec<String>,
    /// The indices of the files with this name somewhere in their path.
    by_name: HashMap<String, Vec<usize>>,
}

/// The files that a pattern may match. It saves a comparison of each pattern with all files.
#[derive(Debug, PartialEq, Eq)]
enum Reach<'p> {
    /// Files with a path that begins with this text.
    Beginning(&'p str),
    /// Files with this name somewhere in their path.
    Named(&'p str),
    /// All files.
    All,
}

impl FileList {
    /// Creates the list.
    pub(super) fn new(files: impl IntoIterator<Item = String>) -> Self {
        let mut files: Vec<String> = files.into_iter().filter(|file| !file.is_empty()).collect();
        files.sort_unstable();
        files.dedup();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            for name in file.split('/') {
                match by_name.get_mut(name) {
                    Some(all) => all.push(index),
                    None => drop(by_name.insert(name.to_owned(), vec![index])),
                }
            }
        }
        Self { files, by_name }
    }

    /// Returns true if a file of the list matches the patterns. As in a `.gitignore`, a pattern of a folder matches all
    /// files below it, and a later pattern that begins with `!` takes files out again. Skips invalid patterns.
    pub(super) fn has_match(&self, patterns: &[&str]) -> bool {
        let Some(matcher) = matcher(patterns) else { return false };
        let is_match = |file: &String| matcher.matched_path_or_any_parents(file, false).is_ignore();
        let positive = patterns.iter().filter(|pattern| !pattern.starts_with('!'));
        positive.map(|pattern| reach(pattern)).any(|reach| match reach {
            Reach::Beginning(start) => {
                let first = self.files.partition_point(|file| file.as_str() < start);
                let near = self.files[first..].iter();
                near.take_while(|file| file.starts_with(start)).any(is_match)
            }
            Reach::Named(name) => {
                let found = self.by_name.get(name).into_iter().flatten();
                found.map(|index| &self.files[*index]).any(is_match)
            }
            Reach::All => self.files.iter().any(is_match),
        })
    }
}

/// Returns the reason why a pattern is invalid; `None` if it is valid.
pub(super) fn pattern_error(pattern: &str) -> Option<String> {
    let mut builder = GitignoreBuilder::new("");
    if let Err(error) = builder.add_line(None, pattern) {
        return Some(reason(&error));
    }
    match builder.build() {
        Err(error) => Some(reason(&error)),
        Ok(set) if set.is_empty() => {
            Some("a line like this is empty or a comment in a .gitignore".to_owned())
        }
        Ok(_) => None,
    }
}

/// Returns the reason without the pattern, which the caller shows.
fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    }
}

/// Returns the matcher of a decision's patterns; `None` if it has no valid one.
pub(super) fn matcher(patterns: &[&str]) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        // `check` reports invalid patterns.
        let _ = builder.add_line(None, pattern);
    }
    builder.build().ok().filter(|set| !set.is_empty())
}

/// Returns the files that a pattern may match, judged by its text alone.
fn reach(pattern: &str) -> Reach<'_> {
    let path = pattern.trim_end_matches('/');
    // A pattern with a slash before its end begins at the root; one without matches in any folder.
    if !path.contains('/') {
        return if path.contains(SPECIAL) { Reach::All } else { Reach::Named(path) };
    }
    let path = path.trim_start_matches('/');
    Reach::Beginning(path.find(SPECIAL).map_or(path, |end| &path[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> FileList {
        let files = [
            "Cargo.toml",
            "src/db/mod.rs",
            "src/db/migrations/1.sql",
            "src/web.rs",
            "docs/db/notes.md",
            "tools/Cargo.toml",
        ];
        FileList::new(files.map(str::to_owned))
    }

    #[test]
    fn patterns_match_as_in_a_gitignore() {
        let files = project();
        for pattern in [
            "src/db/**",
            "src/db",
            "src/db/",
            "/src/db/",
            "db/",
            "Cargo.toml",
            "/Cargo.toml",
            "*.sql",
            "**/migrations/",
            "src/*.rs",
            "src/d?/mod.rs",
            "web.rs",
            "s[r]c/",
            "tools/**/Cargo.toml",
            "docs",
        ] {
            assert!(files.has_match(&[pattern]), "{pattern}");
        }
        for pattern in [
            "src/db2",
            "/db/",
            "migrations/1.sql",
            "web.rs/",
            "/web.rs",
            "*.py",
            "src/*.sql",
            "!src/db",
            "cargo.toml",
            "#Cargo.toml",
            "",
        ] {
            assert!(!files.has_match(&[pattern]), "{pattern}");
        }
    }

    #[test]
    fn later_pattern_takes_files_out() {
        let changed = FileList::new(["src/gen/a.rs".to_owned()]);
        assert!(changed.has_match(&["src/"]));
        assert!(!changed.has_match(&["src/**", "!src/gen/*"]));
        assert!(changed.has_match(&["!src/gen/*", "src/**"]), "the later one counts");
        assert!(changed.has_match(&["{a", "src/gen/a.rs"]), "an invalid pattern is skipped");
    }

    #[test]
    fn every_pattern_finds_what_a_comparison_with_all_files_finds() {
        let files = project();
        let names = ["src", "db", "mod.rs", "*", "**", "*.rs", "web.rs", "Cargo.toml", "d*", "s?c"];
        let mut patterns = Vec::new();
        for one in names {
            for other in names {
                for form in ["{a}", "/{a}", "{a}/", "{a}/{b}", "/{a}/{b}/", "**/{a}/{b}"] {
                    patterns.push(form.replace("{a}", one).replace("{b}", other));
                }
            }
        }
        for pattern in &patterns {
            let matcher = matcher(&[pattern]).unwrap();
            let slow = files
                .files
                .iter()
                .any(|file| matcher.matched_path_or_any_parents(file, false).is_ignore());
            assert_eq!(files.has_match(&[pattern]), slow, "{pattern}");
        }
    }

    #[test]
    fn pattern_is_compared_only_with_files_that_it_may_match() {
        assert_eq!(reach("src/db/**"), Reach::Beginning("src/db/"));
        assert_eq!(reach("/Cargo.toml"), Reach::Beginning("Cargo.toml"));
        assert_eq!(reach("Cargo.toml"), Reach::Named("Cargo.toml"));
        assert_eq!(reach("db/"), Reach::Named("db"));
        assert_eq!(reach("*.sql"), Reach::All);
        assert_eq!(reach("**/db/x"), Reach::Beginning(""));
    }

    #[test]
    fn invalid_patterns_have_a_reason() {
        for pattern in ["src/db/**", "!x", "a b", "{a,b}"] {
            assert_eq!(pattern_error(pattern), None, "{pattern}");
        }
        for pattern in ["src/[z-a]", "{a", "", "  ", "# x"] {
            assert!(pattern_error(pattern).is_some(), "{pattern}");
        }
        let stars = "*a".repeat(5_000);
        assert!(pattern_error(&stars).is_some() || !project().has_match(&[&stars]));
    }
}
