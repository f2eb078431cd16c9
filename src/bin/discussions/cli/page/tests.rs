use std::path::Path;

use discussions::view::Shown;
use discussions::workspace::{Surroundings, Workspace};

use super::lines;
use crate::cli::line::Line;

/// Returns a discussion, read at a fixed time.
fn show_text(text: &str) -> Shown {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sessions.md"), text).unwrap();
    let surroundings =
        Surroundings::new(folder.path().to_owned(), Vec::new(), None, std::env::temp_dir());
    let mut shown =
        Workspace::open(surroundings).unwrap().discussions().show(Path::new("sessions")).unwrap();
    shown.at = "2026-11-20T12:00:00Z".to_owned();
    shown
}

fn page(text: &str, width: usize) -> String {
    let shown: Vec<String> = lines(&show_text(text), width)
        .iter()
        .map(|line| anstream::adapter::strip_str(&line.render()).to_string())
        .collect();
    shown.join("\n")
}

const DISCUSSION: &str = include_str!("tests/sessions.md");

#[test]
fn page_in_60_columns_matches_the_snapshot() {
    insta::assert_snapshot!(page(DISCUSSION, 60));
}

#[test]
fn page_in_80_columns_matches_the_snapshot() {
    insta::assert_snapshot!(page(DISCUSSION, 80));
}

#[test]
fn page_in_120_columns_matches_the_snapshot() {
    insta::assert_snapshot!(page(DISCUSSION, 120));
}

#[test]
fn page_fits_the_screen_and_loses_no_word() {
    let all = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let wide = all(&page(DISCUSSION, 1000));
    for width in [40, 60, 80, 120] {
        let page = page(DISCUSSION, width);
        // Code and addresses are not broken.
        let whole = |line: &&str| line.contains("https://") || line.contains("redis-cli");
        for line in page.lines().filter(|line| !whole(line)) {
            assert!(Line::from(line).width() <= width, "{width}: {line}");
        }
        for word in &wide {
            // A table that does not fit becomes a list without rules, so only words with `─` may be missing.
            let found = all(&page).concat().contains(word.as_str());
            assert!(found || word.contains('─'), "{width}: {word}\n{page}");
        }
    }
}

#[test]
fn outcome_is_shown_once_at_the_top() {
    let page = page(include_str!("../../../../../examples/voting.md"), 100);
    let (top, rest) = page.split_once("── ").unwrap();
    assert!(top.contains("Decision: "), "{page}");
    let sentence = "the outcome, shown at the top";
    assert!(rest.contains(sentence), "{page}");
}

#[test]
fn vote_reset_is_mentioned_only_after_votes() {
    let head = "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect]\n-->\n\n# A\n\n---\n";
    let vote = "\nName: Rob\n\nVOTE: READY\n\n---\n";
    let reset = "\n<!-- VOTE-RESET -->\n\n---\n";
    let told = |text: String| page(&text, 80).matches("Votes above no longer count.").count();
    assert_eq!(told(format!("{head}{reset}{vote}")), 0);
    assert_eq!(told(format!("{head}{reset}{vote}{reset}{reset}")), 1);
}
