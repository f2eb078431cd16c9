//! The names of pages.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization as _;

/// The maximum number of bytes of one part of a name; file systems allow 255.
const LONGEST: usize = 200;

/// Returns the page of each file, as a path below the folder of the site. The files are sorted paths with `/` between
/// their parts. Names differ also on file systems that ignore case.
pub(super) fn page_names<'f>(files: impl Iterator<Item = &'f str>) -> HashMap<String, String> {
    let mut taken = HashSet::new();
    let mut pages = HashMap::new();
    for file in files {
        let bare = file.get(..file.len().saturating_sub(3)).unwrap_or(file);
        let mut parts: Vec<String> = bare.split('/').map(safe_part).collect();
        let last = parts.pop().unwrap_or_default();
        // A page ends in `.html`, so a folder that ends so too could have the name of a page.
        let folders =
            parts.iter().map(|part| match part.to_ascii_lowercase().strip_suffix(".html") {
                Some(stem) => format!("{}-html", &part[..stem.len()]),
                None => part.clone(),
            });
        let folders: Vec<String> = ["d".to_owned()].into_iter().chain(folders).collect();
        let folder = folders.join("/");
        let name = |number: usize| match number {
            1 => format!("{folder}/{last}.html"),
            number => format!("{folder}/{last}-{number}.html"),
        };
        let free = (1..).map(name).find(|name| taken.insert(name.to_lowercase()));
        pages.extend(free.map(|name| (file.to_owned(), name)));
    }
    pages
}

/// Returns a part of a name that every file system and web server accepts.
fn safe_part(part: &str) -> String {
    let is_safe = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let safe: String = part.nfc().map(|c| if is_safe(c) { c } else { '-' }).collect();
    let mut end = safe.len().min(LONGEST);
    while !safe.is_char_boundary(end) {
        end -= 1;
    }
    safe[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_page_of_its_own() {
        let long = format!("{}.md", "ü".repeat(120));
        let files =
            ["A.md", "a b?.md", "a-b-.md", "a.MD", "a.html/x.md", "b/c.md", "index.md", &long];
        let pages = page_names(files.into_iter());
        for (file, page) in [
            ("A.md", "d/A.html"),
            ("a b?.md", "d/a-b-.html"),
            ("a-b-.md", "d/a-b--2.html"),
            ("a.MD", "d/a-2.html"),
            ("a.html/x.md", "d/a-html/x.html"),
            ("b/c.md", "d/b/c.html"),
            ("index.md", "d/index.html"),
        ] {
            assert_eq!(pages[file], page);
        }
        assert!(pages[&long].len() < 220);
    }
}
