//! README.md: its commands, and the figures that it repeats from other files.

use regex::Regex;

use super::blocks::{Block, blocks};
use super::vendors;
use crate::cli::Scenario;

const README: &str = include_str!("../../README.md");
const TRIAL: &str = include_str!("../../docs/trial/README.md");

/// Returns the commands of the console blocks in one section, or in all.
fn commands(section: Option<&str>) -> Vec<String> {
    let is_wanted = |block: &Block| {
        block.kind == "console" && section.is_none_or(|section| block.section == section)
    };
    let blocks = blocks(README).into_iter().filter(is_wanted);
    let lines = blocks.flat_map(|block| block.text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|line| line.starts_with("$ ")).collect()
}

#[test]
fn first_command_runs_with_the_mock() {
    let first = commands(None).remove(0);
    let words = shell_words::split(first.trim_start_matches("$ discussions ")).unwrap();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.extend(["--provider", "mock"]);
    Scenario::new().discussions(&words).code(0).says("Decision: ");
}

#[test]
fn fresh_clone_needs_two_commands() {
    assert_eq!(
        commands(Some("From source")),
        ["$ cargo run -- new \"Add user authentication\" --run --provider mock", "$ cargo test"]
    );
}

#[test]
fn ways_to_install_begin_without_installing() {
    let rows = README.lines().skip_while(|line| *line != "| you have | run |").skip(2);
    let rows: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
    let ways = ["`uvx ", "`pip ", "`npm ", "`sudo dpkg ", "`brew ", "`curl ", "`cargo "];
    assert_eq!(rows.len(), ways.len(), "{rows:#?}");
    for (row, way) in rows.iter().zip(ways) {
        assert!(row.contains(&format!(" | {way}")), "{way}: {row}");
    }
}

#[test]
fn cost_is_that_of_the_example() {
    let answers = vendors::answers();
    let ms: u64 = answers.iter().map(|answer| answer.ms).sum();
    let usd: f64 = answers.iter().map(|answer| answer.usd).sum();
    let stated = format!("took {} calls, {} seconds and ${usd:.2}.", answers.len(), ms / 1000);
    assert!(README.contains(&stated), "{stated}");
}

/// Returns the grades in a row of a table of the fourth round, as far as they are those of four questions.
fn grades(row: &str) -> Vec<f64> {
    let round = TRIAL.split("**A fourth round**").nth(1).unwrap();
    let line = round.lines().find(|line| line.contains(row)).unwrap();
    let cells = line.split('|').skip(2).map(|cell| cell.trim().trim_matches('*').parse());
    cells.filter_map(Result::ok).take(4).collect()
}

#[test]
fn grades_are_the_means_of_the_trial() {
    for (in_trial, in_readme, calls) in [
        ("| single answer (1 call) |", "| one answer |", 1),
        ("| reviewed (2 calls) |", "| `solo`:", 2),
        ("| **second look (4 calls)** |", "| **`second-look`:", 4),
    ] {
        let grades = grades(in_trial);
        assert_eq!(grades.len(), 4, "{in_trial}");
        // Half of a tenth counts as a tenth, as in the page of patterns.
        let mean = (grades.iter().sum::<f64>() * 10.0 / 4.0 + 1e-9).round() / 10.0;
        let line = README.lines().find(|line| line.starts_with(in_readme)).unwrap();
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('*')).collect();
        assert_eq!(cells[2..4], [calls.to_string(), format!("{mean:.1}")], "{line}");
    }
    let second_look = Regex::new(r"(?m)^\| \*\*second look \(4 calls\)\*\* .*\*\*12 of 12\*\* \|$");
    assert!(
        second_look.unwrap().is_match(TRIAL) && README.contains("**12 of 12, in six questions**")
    );
}
