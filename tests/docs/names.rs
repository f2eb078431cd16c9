//! Ceilings for names and comments that are hard to read. They may only fall: lower them when the code allows it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use regex::Regex;

use super::tree::{Source, root, sources};

/// Functions named by a participle, a preposition or an adverb alone, which say neither what they return nor what they do.
const MOST_BARE_NAMES: usize = 20;
/// Type names that are defined in two files or more, associated types and the arguments of commands not counted.
const MOST_SHARED_TYPES: usize = 30;
/// Comment lines with an indefinite pronoun, which hides the actor.
const MOST_PRONOUNS: usize = 10;
/// Comment lines that begin with a noun clause, which hides the thing.
const MOST_NOUN_CLAUSES: usize = 5;
/// Source files without those of tests.
const MOST_FILES: usize = 473;

/// Words that say nothing as the whole name of a function.
const BARE: &str = "above|after|again|agreed|ahead|allowed|along|among|answered|apart|around|aside|asked|before|begun|behind|\
    below|beside|between|beyond|brought|called|closed|counted|done|drawn|elsewhere|ended|followed|found|framed|given|gone|\
    heard|held|inside|instead|kept|known|later|left|listed|lost|made|meant|met|moved|named|near|needed|noted|once|opened|\
    outside|priced|recorded|refused|said|seen|sent|shown|spared|spoken|started|stopped|taken|through|told|voted|waited|\
    wanted|within|written|yet";

fn all() -> Vec<Source> {
    sources("src")
}

/// Returns the comment lines of the sources, each with its place.
fn comments() -> Vec<(String, String)> {
    let mut comments = Vec::new();
    for source in all() {
        let text = fs::read_to_string(root().join(&source.path)).unwrap();
        for (at, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                comments.push((format!("{}:{}", source.path, at + 1), line.trim().to_owned()));
            }
        }
    }
    comments
}

fn at_most(most: usize, found: &[String], what: &str) {
    assert!(found.len() <= most, "{} {what}, at most {most}:\n{}", found.len(), found.join("\n"));
    assert!(found.len() + 20 >= most, "{} {what}: lower the ceiling of {most}", found.len());
}

#[test]
fn function_names_say_what_they_do_or_return() {
    let bare = Regex::new(&format!(r"\bfn ({BARE})\b")).unwrap();
    let mut found = Vec::new();
    for source in all() {
        let names =
            bare.captures_iter(&source.code).map(|one| format!("{}: {}", source.path, &one[1]));
        found.extend(names);
    }
    at_most(MOST_BARE_NAMES, &found, "bare names");
}

#[test]
fn type_names_stand_for_one_thing() {
    let defined =
        Regex::new(r"(?m)^ *(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|type) (\w+)").unwrap();
    let mut files = BTreeMap::<String, BTreeSet<String>>::new();
    for source in all() {
        for one in defined.captures_iter(&source.code) {
            files.entry(one[1].to_owned()).or_default().insert(source.path.clone());
        }
    }
    // Every implementation names these.
    let is_associated = |name: &str| {
        ["Args", "Err", "Error", "Item", "Output", "Rejection", "Target", "Value"].contains(&name)
    };
    let found: Vec<String> = files
        .into_iter()
        .filter(|(name, files)| files.len() > 1 && !is_associated(name))
        .map(|(name, files)| format!("{name}: {files:?}"))
        .collect();
    at_most(MOST_SHARED_TYPES, &found, "shared type names");
}

#[test]
fn comments_name_the_actor() {
    let pronoun = Regex::new(r"(?i)\b(some|no|any|every)body\b|\bwho(ever|m|se)\b").unwrap();
    let found: Vec<String> = comments()
        .into_iter()
        .filter(|(_, line)| pronoun.is_match(line))
        .map(|(place, line)| format!("{place}: {line}"))
        .collect();
    at_most(MOST_PRONOUNS, &found, "indefinite pronouns");
}

#[test]
fn comments_name_the_thing() {
    let clause = Regex::new(r"^//[/!]? +(What|Who|Where|Whether|How)\b").unwrap();
    let found: Vec<String> = comments()
        .into_iter()
        .filter(|(_, line)| clause.is_match(line))
        .map(|(place, line)| format!("{place}: {line}"))
        .collect();
    at_most(MOST_NOUN_CLAUSES, &found, "noun clauses");
}

#[test]
fn source_files_are_few() {
    let found: Vec<String> = all().into_iter().map(|source| source.path).collect();
    at_most(MOST_FILES, &found, "source files");
}
