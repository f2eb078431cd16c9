//! `discussions search`: order, filters and matching of words.

use super::scenario::{Scenario, keys};

const RETRIES: &str = "# Retries\n\nThe queue gives up too early.\n\n---\n\nName: Rob\n\nWe retry too often.\n\nDECISION: retry with a budget of three\n\nQ: Who pays for a retry?\n\n---\n\nName: Mira\n\nTODO: measure the Größe of a retry\n\n---\n";
const OTHER: &str =
    "# Caching\n\n---\n\nName: Rob\n\nNothing about that; 認証をどこに保存しますか。\n\n---\n";

fn two_discussions() -> Scenario {
    Scenario::new()
        .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
        .file("discussions/retries.md", RETRIES)
        .file("discussions/caching.md", OTHER)
}

#[test]
fn decisions_come_first_with_file_and_line() {
    let scenario = two_discussions();
    let found = scenario.discussions(&["search", "RETRY"]).code(0);
    insta::assert_snapshot!(found.stdout, @r"
    retries:11  decision  Rob: retry with a budget of three
    retries:19  task  Mira: measure the Größe of a retry
    retries:9  comment  Rob: We retry too often.
    retries:13  question  Rob: Who pays for a retry?
    ");
    scenario.discussions(&["search", "xyzzy"]).code(1).stdout("").notes("not found in discussions");
}

#[test]
fn search_ignores_case_in_any_script() {
    let scenario = two_discussions();
    scenario.discussions(&["search", "GRÖSSE"]).code(1).stdout("");
    scenario.discussions(&["search", "GRÖßE"]).code(0).says("retries:19  task  Mira: ");
    scenario.discussions(&["search", "gro\u{308}ße"]).code(0).says("  task  ");
    scenario.discussions(&["search", "保存"]).code(0).says("caching:7  comment  Rob: ");
}

#[test]
fn query_without_accents_also_matches_words_with_accents() {
    let text = "# Rooms\n\n---\n\nName: Rob\n\nThe Café is loud.\n\n---\n\nName: Ann\n\nA cafe\u{301} is one.\n\n---\n";
    let scenario = Scenario::new().file("discussions/rooms.md", text);
    let found = scenario.discussions(&["search", "cafe"]).code(0).stdout;
    assert_eq!(found.lines().count(), 2, "{found}");
    let found = scenario.discussions(&["search", "café"]).code(0).stdout;
    assert_eq!(found.lines().count(), 2, "{found}");
    scenario.discussions(&["search", "çafe"]).code(1).stdout("");
    let forced = scenario.env("CLICOLOR_FORCE", "1");
    forced.discussions(&["search", "CAFE"]).says("\u{1b}[31mCafé\u{1b}[0m");
}

#[test]
fn search_without_a_match_is_empty_json_and_exits_1() {
    let found = two_discussions().discussions(&["search", "xyzzy", "--json"]).code(1);
    assert_eq!(found.json(), serde_json::json!([]));
}

#[test]
fn search_filters_by_kind_author_time_and_status() {
    let scenario = two_discussions();
    let search = |more: &[&str]| {
        let args: Vec<&str> = ["search", "retry"].iter().chain(more).copied().collect();
        let run = scenario.discussions(&args);
        // The exit code is 1 if there is no match, as with `grep`.
        assert_eq!(run.exit(), i32::from(run.stdout.is_empty()));
        run.stdout
    };
    assert!(search(&["--kind", "decision"]).lines().all(|line| line.contains("  decision  ")));
    assert!(
        search(&["--by", "mira"]).contains("Mira") && !search(&["--by", "mira"]).contains("Rob")
    );
    assert_eq!(search(&["--since", "2099-01-01"]), "");
    assert!(!search(&["--since", "2020-01-01"]).is_empty());
    assert_eq!(search(&["--status", "closed"]), "");
    assert!(!search(&["--status", "open"]).is_empty());
    assert_eq!(search(&["--limit", "1"]).lines().count(), 1);
    scenario.discussions(&["search", "retry", "--limit", "1"]).notes("more; --limit 0 shows all");
    scenario.discussions(&["search", "retry", "--kind", "joke"]).code(2).notes("known: title");
    scenario.discussions(&["search", "retry", "--since", "soon"]).code(2).notes("2026-11-20, 30d");
}

#[test]
fn all_words_must_occur_in_one_discussion() {
    let scenario = two_discussions();
    scenario.discussions(&["search", "retry", "budget"]).code(0).says("  decision  ");
    scenario.discussions(&["search", "retry caching"]).code(1).stdout("");
}

#[test]
fn matches_are_json_fields_or_coloured_text() {
    let scenario = two_discussions();
    let found = scenario.discussions(&["search", "budget", "--json"]).code(0).json();
    let all = [
        "file", "line", "kind", "author", "text", "title", "status", "standing", "state", "at",
        "score", "name",
    ];
    assert_eq!(keys(&found[0]), all);
    assert_eq!((&found[0]["kind"], &found[0]["author"]), (&"decision".into(), &"Rob".into()));
    let forced = two_discussions().env("CLICOLOR_FORCE", "1");
    forced.discussions(&["search", "budget"]).says("\u{1b}[31mbudget\u{1b}[0m");
}
