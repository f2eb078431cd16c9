//! Questions, tasks and concerns that are said again word for word.

use super::scenario::Scenario;

const SAID: &str =
    "Q: Who owns the limit? @mira\n\n- TODO: Write the runbook\n\nCONCERN: Nobody is told.";

/// Three people say the same, and then ask something else.
fn said() -> Scenario {
    let scenario = Scenario::with_discussion();
    for name in ["Lea", "Tom", "Ann"] {
        scenario.discussions(&["comment", "caching", SAID, "--as", name]).code(0);
    }
    scenario.discussions(&["comment", "caching", "Q: How many rows?", "--as", "Lea"]).code(0);
    scenario
}

#[test]
fn it_is_listed_once_and_numbers_stay_as_they_are() {
    let scenario = said();
    let status = scenario.discussions(&["status", "caching", "--json"]).json();
    let questions = status["questions"].as_array().unwrap();
    let numbers: Vec<_> = questions.iter().map(|one| one["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 4], "the fourth keeps its number: {status}");
    assert_eq!(questions[0]["raised"], 3);
    assert!(questions[1].get("raised").is_none());
    assert_eq!(status["tasks"].as_array().unwrap().len(), 1, "{status}");
    assert_eq!(status["concerns"][0]["raised"], 3);
    let text = scenario.discussions(&["status", "caching", "-v"]).code(0);
    text.says("[Q1, raised 3 times]").says("C1: Nobody is told. (Lea, raised 3 times)");
}

#[test]
fn an_answer_to_any_of_them_answers_it() {
    for number in ["Q1", "Q3"] {
        let scenario = said();
        scenario
            .discussions(&["comment", "caching", &format!("A: {number} I do."), "--as", "Mira"])
            .code(0);
        scenario.discussions(&["comment", "caching", "A: Q4 Ten.", "--as", "Tom"]).code(0);
        let status = scenario.discussions(&["status", "caching", "--json"]).json();
        assert_eq!(status["questions"][0]["status"], "answered", "{number}");
        assert_eq!(status["questions"][1]["status"], "answered", "{number}");
        // Asked again after that, it is open again.
        scenario
            .discussions(&["comment", "caching", "Q: Who owns the limit? @mira", "--as", "Ann"])
            .code(0);
        let status = scenario.discussions(&["status", "caching", "--json"]).json();
        assert_eq!(status["questions"][2]["number"], 5);
        assert_eq!(status["questions"][2]["status"], "open");
    }
}
