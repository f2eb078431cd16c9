//! `discussions` without a command: the dashboard.

use super::panel::panel;
use super::scenario::{Scenario, keys};

#[test]
fn dashboard_without_discussions_shows_help_or_first_steps() {
    let scenario = Scenario::new().program("claude", "#!/bin/sh\nexit 1\n");
    scenario.discussions(&[]).code(0).says("Usage: discussions");
    scenario.discussions(&["--json"]).code(0).says("\"waiting\": []");
    let scenario = scenario.file("discussions.yaml", "author: Rob\n");
    scenario
        .discussions(&[])
        .code(0)
        .says("No discussions in discussions yet")
        .notes("discussions new \"TITLE\"");
    scenario.discussions(&["--json", "list"]).code(2).notes("after the command");
}

#[test]
fn group_without_verb_prints_its_list() {
    let scenario = Scenario::new();
    for what in ["templates", "participants", "providers"] {
        let alone = scenario.discussions(&[what]).code(0).stdout;
        assert_eq!(alone, scenario.discussions(&[what, "list"]).code(0).stdout);
        let json = scenario.discussions(&[what, "--json"]).code(0);
        assert_eq!(json.stdout, scenario.discussions(&[what, "list", "--json"]).code(0).stdout);
        json.json();
    }
}

#[test]
fn escape_codes_of_a_file_do_not_reach_the_terminal() {
    let scenario = Scenario::new().file(
        "discussions/h.md",
        "# T\u{1b}]0;title\u{7}\n\n---\n\nName: Ann\n\nQ: a\u{1b}[2Jb\u{202e}? @rob\n\n---\n\nName: Rob\n\nHere.\n\n---\n",
    );
    for args in [&[][..], &["--json"], &["search", "b"], &["search", "b", "--json"]] {
        let run = scenario.discussions(args).code(0);
        let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!run.stdout.contains(acts), "{args:?}: {}", run.stdout);
    }
}

#[test]
fn first_look_without_a_model_names_three_ways_to_get_one() {
    let bare = Scenario::new().alone();
    let project = Scenario::new().alone().file("discussions.yaml", "");
    for scenario in [bare, project] {
        let shown = scenario.discussions(&[]).code(0);
        for part in ["a program: install claude", "a key: set OPENAI_API_KEY", "a local model: "] {
            assert!(shown.stdout.contains(part), "`{part}` is not in\n{}", shown.stdout);
        }
        assert!(shown.stdout.lines().count() <= 6, "{}", shown.stdout);
        assert!(shown.stdout.contains("--provider mock"), "{}", shown.stdout);
        shown.notes("discussions doctor");
    }
    // Discussions are shown without a model, too.
    let scenario = Scenario::new().alone();
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&[]).code(0).says("caching");
}

#[test]
fn piped_dashboard_is_at_most_100_columns_wide() {
    let text = "go on as outlined, ".repeat(30);
    let scenario = panel().env("ANSWER", &format!("DECISION: {text}"));
    scenario.discussions(&["discuss", "Caching?", "-r", "1"]).code(0);
    let board = scenario.discussions(&[]).code(0).stdout;
    let decided = board.split("Recent decisions").nth(1).unwrap();
    assert!(decided.contains("go on as outlined") && decided.contains("just now"), "{board}");
    assert!(board.lines().all(|line| line.chars().count() <= 100), "{board}");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn dashboard_lists_waiting_open_and_decided_discussions() {
        let scenario = Scenario::new().env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z");
        for title in ["Login", "Caching", "Search", "Names"] {
            scenario.discussions(&["new", title]).code(0);
        }
        for name in ["login", "search"] {
            scenario.discussions(&["run", name, "--provider", "mock"]).code(0);
        }
        scenario.discussions(&["comment", "search", "Yes.", "--vote", "ready"]).code(0);
        scenario.discussions(&["comment", "caching", "I am here.", "--as", "Mira"]).code(0);
        scenario.discussions(&["comment", "caching", "Q: Who measures? @mira"]).code(0);
        let shown = scenario.discussions(&[]).code(0);
        for part in
            ["Waiting for you", "Q1: Who measures?", "a person can vote: READY, CHANGES, REJECT"]
        {
            assert!(shown.stdout.contains(part), "`{part}` is not in\n{}", shown.stdout);
        }
        let open = shown.stdout.split("Open discussions, and what is next").nth(1).unwrap();
        let decided = open.split("Recent decisions").nth(1).unwrap();
        assert!(
            open.contains("names") && open.contains("@architect @security @pragmatist"),
            "{open}"
        );
        let open = open.split("Recent decisions").next().unwrap();
        assert!(
            !open.contains("caching") && !open.contains("login"),
            "what waits stands above: {open}"
        );
        assert!(decided.contains("search") && !decided.contains("login"), "{decided}");
        let json = scenario.discussions(&["--json"]).code(0).json();
        assert_eq!(
            keys(&json),
            ["folder", "due", "waiting", "open", "decided", "discussions", "unreadable"]
        );
        assert_eq!(
            keys(&json["waiting"][0]),
            ["file", "name", "title", "wanted", "who", "question", "text"]
        );
        assert_eq!(json["discussions"], 4);
        assert_eq!(json["decided"][0]["name"], "search");
    }
}
