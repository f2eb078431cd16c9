//! `discussions answer`: answering open questions.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// A discussion with one open question to Mira and two to Rob.
fn questions_to_mira_and_rob() -> Scenario {
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
fn answer_command_closes_the_question() {
    let scenario = questions_to_mira_and_rob();
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
fn answer_needs_a_number_unless_one_question_fits() {
    let scenario = questions_to_mira_and_rob();
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
fn every_view_shows_the_command_that_answers_a_question() {
    let scenario = questions_to_mira_and_rob();
    let command = "discussions answer caching Q1 \"TEXT\" --as mira";
    scenario.discussions(&["status", "caching"]).code(0).notes(command);
    scenario.discussions(&["run", "caching", "--provider", "mock"]).notes(command);
    scenario.discussions(&[]).code(0).says("discussions answer caching Q1 \"TEXT\"");
}

#[test]
fn comment_by_asked_person_notes_the_open_question() {
    let scenario = questions_to_mira_and_rob();
    let says = "Q1 is still open";
    let run =
        scenario.discussions(&["comment", "caching", "I own it; 5 per minute.", "--as", "mira"]);
    run.code(0).notes(says).notes("`A: Q1`");
    for (text, who) in [("A: I own it.", "mira"), ("Fine.", "Tom")] {
        let run = scenario.discussions(&["comment", "caching", text, "--as", who]).code(0);
        assert!(!run.stderr().contains("still open"), "{}", run.stderr());
    }
}

#[test]
fn answer_to_unknown_question_is_written_with_a_warning() {
    let scenario = questions_to_mira_and_rob();
    let comment = scenario.discussions(&["comment", "caching", "A: Q9 Ten.", "--as", "Tom"]);
    comment.code(0).says("Added comment from Tom.").notes("there is no question Q9");
    assert!(scenario.read(FILE).contains("A: Q9 Ten."));
    let known = scenario.discussions(&["comment", "caching", "A: Q2 Ten.", "--as", "Tom"]).code(0);
    assert!(!known.stderr().contains("no question"), "{}", known.stderr());
}

#[test]
fn mention_warning_is_only_for_unknown_participants() {
    let scenario = Scenario::with_discussion();
    let run = scenario.discussions(&["comment", "caching", "Q: Who owns the limit? @mira"]);
    let run = run.code(0).notes("@mira is asked a question");
    assert!(!run.stderr().contains("nobody is"), "{}", run.stderr());
    let vain = scenario.discussions(&["comment", "caching", "@architct should know."]).code(0);
    vain.notes("no participant is called `@architct`, so no model answers this mention; did you mean `@architect`?");
    let slip = scenario.discussions(&["comment", "caching", "Q: Since when? @securty"]).code(0);
    slip.notes("no participant is called `@securty`, so no model answers this mention; did you mean `@security`?");
}

#[test]
fn answer_message_names_the_question_number() {
    let scenario = questions_to_mira_and_rob();
    scenario
        .discussions(&["answer", "caching", "Q2", "Ten.", "--as", "Rob"])
        .code(0)
        .stdout("Rob answered Q2.\n");
}
