//! `discussions list`

use super::scenario::{Scenario, keys};

#[test]
fn columns_and_status() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["new", "Add search"]).code(0);
    scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    scenario.discussions(&["close", "add-search"]).code(0);
    let list = scenario.discussions(&["list"]).code(0);
    insta::assert_snapshot!(list.stdout, @r"
    FILE                       TITLE       PHASE             TURN  STATUS  VOTES
    discussions/add-search.md  Add search  initial_feedback  0     CLOSED
    discussions/caching.md     Caching     initial_feedback  1     OPEN
    ");
    scenario.discussions(&["list", "--status", "open"]).says("caching").stdout_lacks("add-search");
    scenario
        .discussions(&["list", "--status", "CLOSED"])
        .says("add-search")
        .stdout_lacks("caching");
    scenario.discussions(&["list", "--status", "maybe"]).code(2);
}

#[test]
fn json_has_the_documented_keys() {
    let scenario = Scenario::with_discussion();
    let list = scenario.discussions(&["list", "--json"]).code(0).json();
    assert_eq!(keys(&list[0]), ["file", "title", "template", "phase", "turn", "status", "tally"]);
    assert_eq!(list[0]["file"], "discussions/caching.md");
}

#[test]
fn any_markdown_file_is_a_discussion_and_a_bad_one_stops_nobody() {
    let scenario = Scenario::with_discussion().file("discussions/notes.md", "# Notes\n\nText.\n");
    scenario.giant("discussions/old/bad.md");
    scenario.write("discussions/.hidden.md", b"# Hidden\n");
    let list = scenario.discussions(&["list"]).code(0).says("Notes").stdout_lacks("Hidden");
    assert!(list.stderr.contains("bad.md: is 1025 MiB large"), "{}", list.stderr);
}

#[test]
fn no_folder_yet_is_no_mistake_but_a_wrong_one_is() {
    let scenario = Scenario::new();
    scenario.discussions(&["list"]).code(0).stdout("").notes("no discussions in discussions");
    scenario.discussions(&["list", "--json"]).code(0).stdout("[]\n");
    scenario.discussions(&["list", "nowhere"]).code(3).notes("error: nowhere: no such folder");
}

#[test]
fn none_is_said_to_be_there_only_where_there_is_none() {
    let scenario = Scenario::with_discussion();
    let closed = scenario.discussions(&["list", "--status", "closed"]).code(0).stdout("");
    assert_eq!(closed.stderr, "no discussion in discussions has the status CLOSED\n");
    scenario.giant("discussions/caching.md");
    let bad = scenario.discussions(&["list"]).code(0).stdout("").notes("is 1025 MiB large");
    assert!(!bad.stderr.contains("no discussion"), "{}", bad.stderr);
}
