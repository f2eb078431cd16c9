//! `discussions search`

use super::scenario::{Scenario, keys};

const RETRIES: &str = "# Retries\n\nThe queue gives up too early.\n\n---\n\nName: Rob\n\nWe retry too often.\n\nDECISION: retry with a budget of three\n\nQ: Who pays for a retry?\n\n---\n\nName: Mira\n\nTODO: measure the Größe of a retry\n\n---\n";
const OTHER: &str =
    "# Caching\n\n---\n\nName: Rob\n\nNothing about that; 認証をどこに保存しますか。\n\n---\n";

fn stage() -> Scenario {
    Scenario::new()
        .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
        .file("discussions/retries.md", RETRIES)
        .file("discussions/caching.md", OTHER)
}

#[test]
fn decisions_come_first_with_file_and_line() {
    let scenario = stage();
    let found = scenario.discussions(&["search", "RETRY"]).code(0);
    insta::assert_snapshot!(found.stdout, @r"
    discussions/retries.md:11: [DECISION] Rob: retry with a budget of three
    discussions/retries.md:19: [TASK] Mira: measure the Größe of a retry
    discussions/retries.md:9: [COMMENT] Rob: We retry too often.
    discussions/retries.md:13: [QUESTION] Rob: Who pays for a retry?
    ");
    scenario.discussions(&["search", "xyzzy"]).code(0).stdout("").notes("not found in discussions");
}

#[test]
fn any_script_in_any_case() {
    let scenario = stage();
    scenario.discussions(&["search", "GRÖSSE"]).code(0).stdout("");
    scenario.discussions(&["search", "GRÖßE"]).code(0).says("retries.md:19: [TASK] Mira: ");
    scenario.discussions(&["search", "gro\u{308}ße"]).code(0).says("[TASK]");
    scenario.discussions(&["search", "保存"]).code(0).says("caching.md:7: [COMMENT] Rob: ");
}

#[test]
fn narrowed_by_kind_by_whom_since_when_and_by_status() {
    let scenario = stage();
    let search = |more: &[&str]| {
        let args: Vec<&str> = ["search", "retry"].iter().chain(more).copied().collect();
        scenario.discussions(&args).code(0).stdout
    };
    assert!(search(&["--kind", "decision"]).lines().all(|line| line.contains("[DECISION]")));
    assert!(
        search(&["--by", "mira"]).contains("Mira") && !search(&["--by", "mira"]).contains("Rob")
    );
    assert_eq!(search(&["--since", "2099-01-01"]), "");
    assert!(!search(&["--since", "2020-01-01"]).is_empty());
    assert_eq!(search(&["--status", "closed"]), "");
    assert!(!search(&["--status", "open"]).is_empty());
    assert_eq!(search(&["--limit", "1"]).lines().count(), 1);
    scenario.discussions(&["search", "retry", "--limit", "1"]).notes("more; --limit 0 shows all");
    scenario
        .discussions(&["search", "retry", "--kind", "joke"])
        .code(2)
        .notes("the kinds are: title");
    scenario.discussions(&["search", "retry", "--since", "soon"]).code(2).notes("2026-11-20, 30d");
}

#[test]
fn all_words_have_to_stand_in_a_discussion() {
    let scenario = stage();
    scenario.discussions(&["search", "retry", "budget"]).code(0).says("[DECISION]");
    scenario.discussions(&["search", "retry caching"]).code(0).stdout("");
}

#[test]
fn as_json_and_marked_on_a_terminal() {
    let scenario = stage();
    let found = scenario.discussions(&["search", "budget", "--json"]).code(0).json();
    let all = ["file", "line", "kind", "author", "text", "title", "status", "at", "score", "name"];
    assert_eq!(keys(&found[0]), all);
    assert_eq!((&found[0]["kind"], &found[0]["author"]), (&"decision".into(), &"Rob".into()));
    let forced = stage().env("CLICOLOR_FORCE", "1");
    forced.discussions(&["search", "budget"]).says("\u{1b}[31mbudget\u{1b}[0m");
}
