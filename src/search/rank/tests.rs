//! Tests of the order of hits.

use super::*;

fn passage(kind: FoundKind, line: usize, text: &str) -> Passage {
    let author = Some("Rob".to_owned());
    Passage { kind, line, author, text: text.to_owned(), at: None, weight: kind.weight() }
}

fn looked(file: usize, passages: Vec<Passage>) -> Looked {
    Looked { file, passages, agreed: false, updated: None }
}

fn now() -> Time {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

/// Returns file, kind and line of each hit, in order.
fn order(query: &str, all: &[Looked]) -> Vec<(usize, &'static str, usize)> {
    let words = SearchWords::of(query);
    let corpus = Corpus { files: 100, with: vec![all.len(); words.len()] };
    let hits = rank(&words, &corpus, all, now());
    hits.iter().map(|hit| (hit.file, hit.kind.as_str(), hit.line)).collect()
}

#[test]
fn kinds_of_hits_have_their_weights() {
    use FoundKind::{Comment, Outcome, Title};
    let (decision, task) = (FoundKind::Item(ItemKind::Decision), FoundKind::Item(ItemKind::Task));
    let text = "we retry with a budget";
    let kinds = [Comment, task, Outcome, decision, Title];
    let all: Vec<Looked> = kinds
        .iter()
        .enumerate()
        .map(|(at, kind)| looked(at, vec![passage(*kind, 1, text)]))
        .collect();
    let found: Vec<&str> = order("retry", &all).iter().map(|(_, kind, _)| *kind).collect();
    assert_eq!(found, ["title", "decision", "outcome", "task", "comment"]);
}

#[test]
fn both_words_together_rank_above_one_word_twice() {
    let all = [
        looked(0, vec![passage(FoundKind::Comment, 5, "retry, retry and retry again")]),
        looked(1, vec![passage(FoundKind::Comment, 5, "retry within a budget of three")]),
    ];
    assert_eq!(order("retry budget", &all)[0].0, 1);
}

#[test]
fn agreed_and_newer_hits_win_ties() {
    let same = || vec![passage(FoundKind::Comment, 5, "retry")];
    let agreed = Looked { agreed: true, ..looked(1, same()) };
    assert_eq!(order("retry", &[looked(0, same()), agreed])[0].0, 1);
    let at = |text: &str| Some(text.parse().unwrap());
    let old = Looked { updated: at("2025-01-01T00:00:00Z"), ..looked(0, same()) };
    let new = Looked { updated: at("2026-11-19T00:00:00Z"), ..looked(1, same()) };
    assert_eq!(order("retry", &[old, new])[0].0, 1);
}

#[test]
fn marker_is_listed_once_and_the_best_line_of_a_comment() {
    let body = "Nothing here.\n\nA retry costs.\n\nDECISION: retry with a budget";
    let all = [looked(
        0,
        vec![
            passage(FoundKind::Item(ItemKind::Decision), 14, "retry with a budget"),
            passage(FoundKind::Comment, 10, body),
        ],
    )];
    assert_eq!(order("retry", &all), [(0, "decision", 14), (0, "comment", 12)]);
    assert_eq!(order("budget", &all), [(0, "decision", 14)]);
}

#[test]
fn long_lines_are_shortened_around_the_match() {
    let text = format!("{} Größe {}", "a ".repeat(300), "b ".repeat(300));
    let words = SearchWords::of("größe");
    let shown = excerpt(&words, &text);
    assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains("Größe"), "{shown}");
    assert_eq!(words.places(&shown).len(), 1);
}
