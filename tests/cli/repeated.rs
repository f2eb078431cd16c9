//! Questions, tasks and concerns that are repeated word for word.

use super::scenario::Scenario;

const SAID: &str =
    "Q: Who owns the limit? @mira\n\n- TODO: Write the runbook\n\nCONCERN: Nobody is told.";

/// A discussion in which three people write identical comments, and one of them then asks another question.
fn discussion_with_repetitions() -> Scenario {
    let scenario = Scenario::with_discussion();
    for name in ["Lea", "Tom", "Ann"] {
        scenario.discussions(&["comment", "caching", SAID, "--as", name]).code(0);
    }
    scenario.discussions(&["comment", "caching", "Q: How many rows?", "--as", "Lea"]).code(0);
    scenario
}

#[test]
fn repeated_markers_are_listed_once_and_keep_their_numbers() {
    let scenario = discussion_with_repetitions();
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

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn answer_to_one_repetition_answers_all() {
        for number in ["Q1", "Q3"] {
            let scenario = discussion_with_repetitions();
            scenario
                .discussions(&["comment", "caching", &format!("A: {number} I do."), "--as", "Mira"])
                .code(0);
            scenario.discussions(&["comment", "caching", "A: Q4 Ten.", "--as", "Tom"]).code(0);
            let status = scenario.discussions(&["status", "caching", "--json"]).json();
            assert_eq!(status["questions"][0]["status"], "answered", "{number}");
            assert_eq!(status["questions"][1]["status"], "answered", "{number}");
            // A repetition after the answer is open again.
            scenario
                .discussions(&["comment", "caching", "Q: Who owns the limit? @mira", "--as", "Ann"])
                .code(0);
            let status = scenario.discussions(&["status", "caching", "--json"]).json();
            assert_eq!(status["questions"][2]["number"], 5);
            assert_eq!(status["questions"][2]["status"], "open");
        }
    }
}
