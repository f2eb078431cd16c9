//! README.md and the pages of `docs/`: every block is run, loaded, parsed or compiled, and there is no block of another
//! kind.

use std::fs;

use discussions::config::Config;
use discussions::participant::Persona;
use discussions::template::Template;
use discussions::transcript::{EntryKind, parse};

use super::blocks::{Block, blocks};
use super::{console, vendors};
use crate::cli::Scenario;

/// A page and its path.
#[derive(Debug)]
struct Page {
    /// Its path below the repository's root.
    name: String,
    text: String,
}

/// README.md, then the pages of `docs/` by name.
fn pages() -> Vec<Page> {
    let root = crate::root();
    let is_page = |path: &&str| path.ends_with(".md") && path.matches('/').count() == 1;
    let docs = crate::tracked::below("docs").filter(is_page).map(str::to_owned);
    let mut names: Vec<String> = docs.chain(["README.md".to_owned()]).collect();
    names.sort();
    let read = |name: String| Page { text: fs::read_to_string(root.join(&name)).unwrap(), name };
    names.into_iter().map(read).collect()
}

/// The blocks of one kind with their places.
fn of_kind(kind: &str) -> Vec<(String, Block)> {
    let mut found = Vec::new();
    for page in pages() {
        for block in blocks(&page.text).into_iter().filter(|block| block.kind == kind) {
            found.push((format!("{}:{}", page.name, block.line), block));
        }
    }
    found
}

/// The folder for the blocks of one section; README.md shows the answers of real models.
fn stage_of(page: &Page) -> Scenario {
    let stage = console::stage();
    if page.name == "README.md" { vendors::with_vendors(stage) } else { stage }
}

#[test]
fn every_code_block_has_a_tested_kind() {
    for page in pages() {
        for block in blocks(&page.text) {
            assert!(
                // Rust blocks are compiled and run as doc tests of the library. packaging/tests/programs.py runs Python and
                // JavaScript with the installed packages.
                ["console", "markdown", "yaml", "rust", "python", "js"]
                    .contains(&block.kind.as_str()),
                "{}:{}: nothing looks at a block of the kind `{}`",
                page.name,
                block.line,
                block.kind
            );
        }
    }
}

#[test]
fn yaml_blocks_are_read_by_their_parsers() {
    for (place, block) in of_kind("yaml") {
        let file = block.file().unwrap_or_else(|| panic!("{place}: which file is this?"));
        let read = match file {
            "discussions.yaml" => Config::read(&block.text, &place).map(drop),
            "providers.yaml" => providers(&block.text, &place),
            // The action's tests hold these to the schemas of their forges.
            workflow if workflow.starts_with(".git") || workflow.starts_with(".forgejo/") => {
                let read: Result<serde_json::Value, _> = serde_yaml::from_str(&block.text);
                read.unwrap_or_else(|error| panic!("{place}: {error}"));
                Ok(())
            }
            _ => Persona::read(&block.text, &place).map(drop),
        };
        read.unwrap_or_else(|error| panic!("{error}"));
    }
}

fn providers(text: &str, place: &str) -> Result<(), discussions::yaml::LoadError> {
    use discussions::provider::{Layer, Registry};
    Registry::built_in()?.add(text, Layer::Project(place.into()))
}

#[test]
fn markdown_blocks_are_valid_discussions_or_templates() {
    for (place, block) in of_kind("markdown") {
        if let Some(id) = block.file().and_then(|file| file.strip_prefix("templates/")) {
            let read = Template::read(&block.text, &place, id.trim_end_matches(".md"));
            read.unwrap_or_else(|error| panic!("{error}"));
            continue;
        }
        let read = parse(&block.text);
        assert_eq!(read.problems, [], "{place}");
        let comments =
            |entry: &&discussions::transcript::Entry| matches!(entry.kind, EntryKind::Comment(_));
        assert!(read.entries.iter().filter(comments).count() > 0, "{place}: nobody speaks");
    }
}

/// Runs the console blocks of these pages; returns the differences from the pages.
fn console_differences(pages: impl IntoIterator<Item = Page>) -> Vec<String> {
    let mut differences = Vec::new();
    for page in pages {
        let mut section = None;
        let mut stage = stage_of(&page);
        for block in blocks(&page.text) {
            if section.as_ref() != Some(&block.section) {
                stage = stage_of(&page);
                section = Some(block.section.clone());
            }
            match block.file() {
                Some(file) => stage.write(file, block.text.as_bytes()),
                None if block.kind == "console" => {
                    let place = format!("{}:{}", page.name, block.line);
                    differences.extend(console::differences(&stage, &place, &block.text));
                }
                None => {}
            }
        }
    }
    differences
}

#[test]
fn console_blocks_of_the_readme_show_the_real_output() {
    let readme = pages().into_iter().filter(|page| page.name == "README.md");
    let differences = console_differences(readme);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: runs all console blocks of the pages"]
    fn console_blocks_show_the_real_output() {
        let differences = console_differences(pages());
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }
}
