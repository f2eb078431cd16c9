//! README.md: every block is run, loaded, parsed or compiled, and no block is of a kind that nobody looks at.

use discussions::config::Config;
use discussions::participant::Persona;
use discussions::template::Template;
use discussions::transcript::{EntryKind, parse};

use super::blocks::{Block, blocks};
use super::console;

const README: &str = include_str!("../../README.md");

fn readme() -> Vec<Block> {
    blocks(README)
}

fn of_kind(kind: &str) -> impl Iterator<Item = Block> {
    readme().into_iter().filter(move |block| block.kind == kind)
}

#[test]
fn every_block_is_of_a_kind_that_a_test_looks_at() {
    for block in readme() {
        assert!(
            // Rust is compiled and run as the library's documentation.
            ["console", "markdown", "yaml", "rust"].contains(&block.kind.as_str()),
            "README.md:{}: nothing looks at a block of the kind `{}`",
            block.line,
            block.kind
        );
    }
}

#[test]
fn what_the_program_prints_is_what_stands_there() {
    let mut differences = Vec::new();
    let mut section = None;
    let mut stage = console::stage();
    for block in readme() {
        if section.as_ref() != Some(&block.section) {
            stage = console::stage();
            section = Some(block.section.clone());
        }
        match block.file() {
            Some(file) => stage.write(file, block.text.as_bytes()),
            None if block.kind == "console" => {
                differences.extend(console::differences(&stage, block.line, &block.text));
            }
            None => {}
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_quick_start_is_two_commands() {
    let commands: Vec<String> = of_kind("console")
        .filter(|block| block.section == "Quick start")
        .flat_map(|block| block.text.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| line.starts_with("$ "))
        .collect();
    assert_eq!(
        commands,
        [
            "$ cargo run --release -- new \"Add user authentication\" --run --provider mock",
            "$ cargo test"
        ]
    );
}

#[test]
fn yaml_is_read_by_what_reads_it() {
    for block in of_kind("yaml") {
        let place = format!("README.md:{}", block.line);
        let file = block.file().unwrap_or_else(|| panic!("{place}: which file is this?"));
        let read = match file {
            "discussions.yaml" => Config::read(&block.text, &place).map(drop),
            "providers.yaml" => providers(&block.text, &place),
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
fn markdown_is_a_discussion_without_a_problem_or_a_template() {
    for block in of_kind("markdown") {
        let place = format!("README.md:{}", block.line);
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

#[test]
fn the_first_excerpt_is_part_of_an_example() {
    let excerpt = of_kind("markdown").next().unwrap().text;
    let example = include_str!("../../examples/feature-user-authentication.md");
    assert!(example.contains(&excerpt), "{excerpt}");
}

#[test]
fn every_file_that_is_linked_exists() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (number, line) in README.lines().enumerate() {
        for target in line.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
            let target = target.0.split('#').next().unwrap_or_default();
            let local = !target.is_empty() && !target.contains("://");
            assert!(!local || root.join(target).exists(), "README.md:{}: {target}", number + 1);
        }
    }
}
