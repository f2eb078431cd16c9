//! The sources of the crate without their tests and comments.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// One Rust file.
pub(super) struct Source {
    /// The path from the crate's root.
    pub(super) path: String,
    pub(super) lines: usize,
    /// The code without tests and comments.
    pub(super) code: String,
}

/// The crate's root.
pub(super) fn root() -> &'static Path {
    crate::root()
}

/// Returns all Rust files below a folder, sorted by path, without test modules.
pub(super) fn sources(folder: &str) -> Vec<Source> {
    let rust = crate::tracked::below(folder).filter(|path| path.ends_with(".rs"));
    let mut files: Vec<PathBuf> = rust.map(|path| root().join(path)).collect();
    files.sort();
    let texts: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|file| (file.clone(), std::fs::read_to_string(file).unwrap()))
        .collect();
    let tests: Vec<PathBuf> =
        texts.iter().flat_map(|(file, text)| test_modules(file, text)).collect();
    let is_test = |file: &Path| tests.iter().any(|test| file.with_extension("").starts_with(test));
    texts
        .iter()
        .filter(|(file, _)| !is_test(file))
        .map(|(file, text)| Source {
            path: file.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(),
            lines: text.lines().count(),
            code: code(text),
        })
        .collect()
}

/// Returns test modules in their own files, as paths without `.rs`.
fn test_modules(file: &Path, text: &str) -> Vec<PathBuf> {
    let declared = Regex::new(r"(?m)^#\[cfg\(test\)\]\n(?:#\[[^\n]*\n)*mod (\w+);").unwrap();
    let is_root = file.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs");
    let folder = if is_root { file.parent().unwrap().to_owned() } else { file.with_extension("") };
    declared.captures_iter(text).map(|found| folder.join(&found[1])).collect()
}

/// Returns the text without comments and without the tests at its end.
fn code(text: &str) -> String {
    static TESTS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"#\[cfg\(test\)\]\n(?:#\[[^\n]*\n)*mod tests \{").unwrap());
    let text = TESTS.split(text).next().unwrap_or_default();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

impl Source {
    /// Returns the top-level module of the library that contains it; `None` for the program and for `lib.rs`.
    pub(super) fn module(&self) -> Option<String> {
        let inside = self.path.strip_prefix("src/")?;
        let first = inside.split('/').next()?.trim_end_matches(".rs");
        (first != "bin" && first != "lib").then(|| first.to_owned())
    }

    /// The number of `super::` that lead to the crate's root.
    fn depth(&self) -> usize {
        let parts = self.path.trim_end_matches(".rs").split('/').skip(1);
        parts.filter(|part| *part != "mod").count()
    }

    /// Returns the top-level modules of the crate that the code names.
    pub(super) fn imports(&self) -> BTreeSet<String> {
        let mut names = self.names_behind("crate", self.depth());
        // A function of `lib.rs` or a macro is no module.
        names.retain(|name| {
            root().join("src").join(name).is_dir()
                || root().join(format!("src/{name}.rs")).is_file()
        });
        names
    }

    /// Returns the names that the code uses directly in its top-level module.
    pub(super) fn names_in(&self, module: &str) -> BTreeSet<String> {
        self.names_behind(&format!("crate::{module}"), self.depth() - 1)
    }

    /// Returns the names that the code uses after a path, also if this many `super::` lead there.
    fn names_behind(&self, path: &str, depth: usize) -> BTreeSet<String> {
        let start = match depth {
            0 => format!(r"\b{path}::"),
            _ => format!(r"\b(?:{path}|(?:super::){{{}}}super)::", depth - 1),
        };
        let one = Regex::new(&format!(r"{start}(\w+)")).unwrap();
        let several = Regex::new(&format!(r"{start}\{{([^}}]*)\}}")).unwrap();
        let listed = several.captures_iter(&self.code).flat_map(|found| {
            let names = found[1]
                .split(',')
                .map(|name| name.trim().split("::").next().unwrap_or_default().to_owned());
            names.collect::<Vec<_>>()
        });
        let named = one.captures_iter(&self.code).map(|found| found[1].to_owned());
        named.chain(listed).collect()
    }
}
