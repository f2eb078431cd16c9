//! The table of invariants and the tests name each other completely.

use std::collections::BTreeSet;
use std::path::Path;

const HEADING: &str = "## Invariants of the domain";

fn root() -> &'static Path {
    crate::root()
}

/// The rows of the table in the architecture page.
fn rows() -> Vec<String> {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = page.split_once(HEADING).unwrap();
    let section = section.split("\n## ").next().unwrap_or_default();
    section.lines().filter(|line| line.starts_with("| INV-DISC-")).map(str::to_owned).collect()
}

/// Returns the words of a line that begin like a test of an invariant.
fn tests_in(line: &str) -> impl Iterator<Item = String> {
    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("inv_disc_") && word.len() > 12)
        .map(str::to_owned)
}

fn number(row: &str) -> u32 {
    row["| INV-DISC-".len()..][..3].parse().unwrap()
}

/// Returns the tests of invariants in `src/` and `tests/`.
fn sources() -> BTreeSet<String> {
    let files = ["src", "tests"].into_iter().flat_map(crate::tracked::below);
    files
        .filter(|path| path.ends_with(".rs"))
        .flat_map(|path| {
            let text = std::fs::read_to_string(root().join(path)).unwrap();
            let heads = text
                .lines()
                .filter(|line| line.trim_start().contains("fn inv_disc_"))
                .map(str::to_owned);
            heads.flat_map(|line| tests_in(&line).collect::<Vec<_>>()).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn every_invariant_has_a_row_in_order() {
    let numbers: Vec<u32> = rows().iter().map(|row| number(row)).collect();
    let documents = (1..=17).chain(100..=104).chain(200..=203).chain(300..=302);
    let documents = documents.chain(400..=402).chain(500..=501);
    let nesting = (600..=603).chain(610..=613).chain(620..=623);
    let memory = (630..=632).chain(640..=643);
    let wanted: Vec<u32> = documents.chain(nesting).chain(memory).chain(644..=644).collect();
    assert_eq!(numbers, wanted);
}

#[test]
fn every_row_names_its_test_or_explains_its_absence() {
    let found = sources();
    let mut named = BTreeSet::new();
    for row in rows() {
        let tests: Vec<String> = tests_in(&row).collect();
        for test in &tests {
            let wanted = format!("inv_disc_{:03}_", number(&row));
            assert!(test.starts_with(&wanted), "{test} stands in the row of another: {row}");
            assert!(found.contains(test), "there is no test {test}");
        }
        assert!(!tests.is_empty() || row.contains("does not apply"), "{row}");
        named.extend(tests);
    }
    assert_eq!(found, named, "tests that no row names");
}

#[test]
fn every_path_in_the_table_exists() {
    for row in rows() {
        for path in
            row.split('`').filter(|word| word.starts_with("src/") || word.starts_with("templates/"))
        {
            assert!(Path::new(&root()).join(path).exists(), "{path} in {row}");
        }
    }
}
