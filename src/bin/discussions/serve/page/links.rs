//! The links of a page that is a file on disk: to other pages, relative to its own, or to nothing.

use std::collections::HashMap;
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use super::html::encoded;

/// The links of one page of a static site.
#[derive(Debug)]
pub(in crate::serve) struct PageLinks {
    /// The page of each discussion, by its path below the folder of discussions.
    pub(in crate::serve) pages: Arc<HashMap<String, String>>,
    /// The path of the discussion of this page below the folder of discussions; empty for the index.
    pub(in crate::serve) file: String,
    /// The path of this page below the folder of the site.
    pub(in crate::serve) page: String,
}

impl PageLinks {
    /// Returns the target for a link in the text of the discussion; `None` if it leads to a file that is not exported.
    pub(super) fn of_text(&self, target: &str) -> Option<String> {
        let first = target.split(['/', '?', '#']).next().unwrap_or_default();
        if first.contains(':') {
            return Some(target.to_owned());
        }
        let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
        let to = self.of_file(&percent_decode_str(path).decode_utf8().ok()?)?;
        // Only items and comments have places on a page.
        let digits = fragment.trim_start_matches(['Q', 'T', 'D', 'C', 'c']);
        let is_place = digits.len() + 1 == fragment.len()
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        Some(if is_place { format!("{to}#{fragment}") } else { to })
    }

    /// Returns the link to the page of a discussion; `path` starts at the folder of this page's discussion.
    pub(super) fn of_file(&self, path: &str) -> Option<String> {
        if path.is_empty() || path.starts_with('/') {
            return None;
        }
        let mut parts: Vec<&str> = self.file.split('/').collect();
        parts.pop();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()?),
                part => parts.push(part),
            }
        }
        self.of_discussion(&parts.join("/"))
    }

    /// Returns the link to the page of a discussion; `file` starts at the folder of discussions.
    pub(in crate::serve) fn of_discussion(&self, file: &str) -> Option<String> {
        Some(self.to(self.pages.get(file)?))
    }

    /// Returns the link from this page to another file of the site.
    pub(in crate::serve) fn to(&self, page: &str) -> String {
        let (own, other): (Vec<&str>, Vec<&str>) =
            (self.page.split('/').collect(), page.split('/').collect());
        let folders = own.len() - 1;
        let shared = own[..folders].iter().zip(&other[..other.len() - 1]);
        let shared = shared.take_while(|(one, two)| one == two).count();
        let up = std::iter::repeat_n("..".to_owned(), folders - shared);
        let down = other[shared..].iter().map(|part| encoded(part));
        up.chain(down).collect::<Vec<_>>().join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_within_the_site() {
        let pages = ["a.md", "b/c.md", "b/ü x.md"];
        let pages =
            pages.map(|file| (file.to_owned(), format!("d/{}.html", file.replace(".md", ""))));
        let (file, page) = ("b/c.md".to_owned(), "d/b/c.html".to_owned());
        let links = PageLinks { pages: Arc::new(pages.into()), file, page };
        for (target, wanted) in [
            ("https://a.example/x.md", Some("https://a.example/x.md")),
            ("mailto:rob@example.org", Some("mailto:rob@example.org")),
            ("../a.md", Some("../a.html")),
            ("../a.md#D1", Some("../a.html#D1")),
            ("../a.md#some-heading", Some("../a.html")),
            ("%C3%BC%20x.md", Some("%C3%BC%20x.html")),
            ("./c.md#c2", Some("c.html#c2")),
            ("../../src/main.rs", None),
            ("../../b/c.md", None),
            ("/a.md", None),
            ("#D1", None),
            ("", None),
            ("a.md", None),
        ] {
            assert_eq!(links.of_text(target).as_deref(), wanted, "{target}");
        }
        assert_eq!(links.to("index.html"), "../../index.html");
    }
}
