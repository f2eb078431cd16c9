//! `discussions answer`

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// Mira is asked something, and Rob twice.
fn asked() -> Scenario {
    let scenario = Scenario::with_discussion();
    let text = "Q: Who owns the limit? @mira\n\nQ: How many rows? @rob\n\nQ: Since when? @rob";
    scenario.discussions(&["comment", "caching", text, "--as", "Lea"]).code(0);
    scenario
}

fn status_of(scenario: &Scenario, number: usize) -> String {
    let status = scenario.discussions(&["status", "caching", "--json"]).json();
    status["questions"][number - 1]["status"].as_str().unwrap().to_owned()
}

#[test]
fn a_question_is_answered_in_one_step() {
    let scenario = asked();
    scenario.discussions(&["answer", "caching", "I own it.", "--as", "mira"]).code(0);
    assert_eq!(status_of(&scenario, 1), "answered");
    assert!(scenario.read(FILE).contains("\nA: Q1 I own it.\n"));
    scenario.discussions(&["answer", "caching", "Q3", "Since May.", "--as", "Rob"]).code(0);
    assert_eq!(
        (status_of(&scenario, 2), status_of(&scenario, 3)),
        ("open".into(), "answered".into())
    );
    let written = scenario
        .discussions_with(&["answer", "caching", "q2", "-", "--as", "Rob", "--json"], "Ten.\n")
        .code(0);
    assert_eq!(written.json()["author"], "Rob");
    assert_eq!(status_of(&scenario, 2), "answered");
}

#[test]
fn a_number_is_wanted_where_several_or_no_questions_are_put_to_somebody() {
    let scenario = asked();
    let text = scenario.read(FILE);
    let several = scenario.discussions(&["answer", "caching", "Ten.", "--as", "Rob"]).code(2);
    several.notes("Q2: How many rows?").notes("discussions answer caching Q2");
    scenario
        .discussions(&["answer", "caching", "Ten.", "--as", "Lea"])
        .code(2)
        .notes("no open question");
    scenario
        .discussions(&["answer", "caching", "Q9", "Ten."])
        .code(3)
        .notes("there is no question Q9");
    scenario
        .discussions_with(&["answer", "caching", "Q1"], "")
        .code(2)
        .notes("the answer is empty");
    assert_eq!(scenario.read(FILE), text);
}

#[test]
fn whoever_is_asked_is_told_how_to_answer_wherever_they_look() {
    let scenario = asked();
    let command = "discussions answer caching Q1 \"TEXT\" --as mira";
    scenario.discussions(&["status", "caching"]).code(0).notes(command);
    scenario.discussions(&["run", "caching", "--provider", "mock"]).notes(command);
    scenario.discussions(&[]).code(0).says("discussions answer caching Q1 \"TEXT\"");
}

#[test]
fn a_comment_of_somebody_who_is_asked_says_what_stays_open() {
    let scenario = asked();
    let says = "Q1 is still open";
    let run =
        scenario.discussions(&["comment", "caching", "I own it; 5 per minute.", "--as", "mira"]);
    run.code(0).notes(says).notes("`A: Q1`");
    for (text, who) in [("A: I own it.", "mira"), ("Fine.", "Tom")] {
        let run = scenario.discussions(&["comment", "caching", text, "--as", who]).code(0);
        assert!(!run.stderr.contains("still open"), "{}", run.stderr);
    }
}

#[test]
fn an_answer_to_a_question_that_does_not_exist_is_written_and_told() {
    let scenario = asked();
    let comment = scenario.discussions(&["comment", "caching", "A: Q9 Ten.", "--as", "Tom"]);
    comment.code(0).says("Added comment from Tom.").notes("there is no question Q9");
    assert!(scenario.read(FILE).contains("A: Q9 Ten."));
    let known = scenario.discussions(&["comment", "caching", "A: Q2 Ten.", "--as", "Tom"]).code(0);
    assert!(!known.stderr.contains("no question"), "{}", known.stderr);
}

#[test]
fn whoever_is_asked_is_not_said_to_be_asked_in_vain() {
    let scenario = Scenario::with_discussion();
    let asked = scenario.discussions(&["comment", "caching", "Q: Who owns the limit? @mira"]);
    let asked = asked.code(0).notes("@mira is asked a question");
    assert!(!asked.stderr.contains("nobody is"), "{}", asked.stderr);
    let vain = scenario.discussions(&["comment", "caching", "@architct should know."]).code(0);
    vain.notes("no participant is called `@architct`, so no model answers this mention; did you mean `@architect`?");
    let slip = scenario.discussions(&["comment", "caching", "Q: Since when? @securty"]).code(0);
    slip.notes("no participant is called `@securty`, so no model answers this mention; did you mean `@security`?");
}

#[test]
fn an_answer_is_told_with_the_number_of_its_question() {
    let scenario = asked();
    scenario
        .discussions(&["answer", "caching", "Q2", "Ten.", "--as", "Rob"])
        .code(0)
        .stdout("Rob answered Q2.\n");
}
