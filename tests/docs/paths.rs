//! Checks every path and every link in the documentation.

use std::collections::BTreeSet;
use std::fs;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use regex::Regex;

use super::tree::root;
use crate::tracked;

/// The checked pages outside of `docs/`.
const PAGES: [&str; 6] = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "packaging/README.md",
];

/// The checked pages as paths below the root.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = PAGES.map(str::to_owned).to_vec();
    let in_docs = tracked::below("docs").filter(|path| path.ends_with(".md"));
    pages.extend(in_docs.map(str::to_owned));
    pages.sort();
    pages
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// Names of the files and folders in the root.
fn top_level() -> BTreeSet<String> {
    let first = |path: &String| path.split('/').next().unwrap().to_owned();
    tracked::files().iter().map(first).collect()
}

/// Returns the paths of this repository in the inline code of a page. A word is a path if its first part is a file or
/// folder in the root and it has another part; a part with `*` and all parts after it are cut off.
fn named_paths(text: &str, top_level: &BTreeSet<String>) -> BTreeSet<String> {
    let path = Regex::new(r"^[A-Za-z0-9_.*-]+(?:/[A-Za-z0-9_.*-]+)*/?$").unwrap();
    let codes = Parser::new(text).filter_map(|event| match event {
        Event::Code(code) => Some(code.into_string()),
        _ => None,
    });
    let mut paths = BTreeSet::new();
    for code in codes {
        let words = code.split(|c: char| c.is_whitespace() || c == '=');
        for word in words.filter(|word| word.contains('/') && path.is_match(word)) {
            let parts: Vec<&str> = word.split('/').take_while(|part| !part.contains('*')).collect();
            if parts.first().is_some_and(|first| top_level.contains(*first)) {
                paths.insert(parts.join("/"));
            }
        }
    }
    paths
}

/// Targets of the links and pictures of a page.
fn link_targets(text: &str) -> Vec<String> {
    let targets = Parser::new(text).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.into_string())
        }
        _ => None,
    });
    targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:")).collect()
}

/// The anchors that a forge gives the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut anchors, mut heading) = (BTreeSet::new(), None);
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take()),
            Event::Text(words) | Event::Code(words) => {
                if let Some(anchor) = &mut heading {
                    let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
                    anchor.extend(
                        kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }),
                    );
                }
            }
            _ => {}
        }
    }
    anchors
}

#[test]
fn paths_links_and_anchors_are_found() {
    let text = "# The *file*, 1\n\n`src/lib.rs` `cargo test --test x tests/gone.rs` `CONF=.ci/pure` `store/merge`\n\
                `tests/cases/*/x.md` [a](b.md#c) ![d](e.svg) <https://example.org>\n\n```yaml\n`src/none`\n```\n";
    let top_level = ["src", "tests", ".ci"].map(str::to_owned).into();
    let paths: Vec<String> = named_paths(text, &top_level).into_iter().collect();
    assert_eq!(paths, [".ci/pure", "src/lib.rs", "tests/cases", "tests/gone.rs"]);
    assert_eq!(link_targets(text), ["b.md#c", "e.svg"]);
    assert_eq!(anchors(text).into_iter().collect::<Vec<_>>(), ["the-file-1"]);
}

#[test]
fn named_paths_exist() {
    let top_level = top_level();
    let mut missing = Vec::new();
    for page in pages() {
        let paths = named_paths(&read(&page), &top_level).into_iter();
        let gone = paths.filter(|path| !tracked::has(path));
        missing.extend(gone.map(|path| format!("{page}: {path}")));
    }
    assert!(missing.is_empty(), "git tracks no such files:\n{}", missing.join("\n"));
}

#[test]
fn links_lead_to_existing_files_and_headings() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = read(&page);
        for target in link_targets(&text) {
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = match file {
                "" => root().join(&page),
                file => root().join(&page).parent().unwrap().join(file),
            };
            let known = |anchor| {
                fs::read_to_string(&path).is_ok_and(|text| anchors(&text).contains(anchor))
            };
            if !path.exists() || (!anchor.is_empty() && !known(anchor)) {
                broken.push(format!("{page}: {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "these links lead nowhere:\n{}", broken.join("\n"));
}
