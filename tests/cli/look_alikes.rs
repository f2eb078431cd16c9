//! Names that look like the name of another author.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// A discussion with a comment by Mira.
fn discussion_with_mira() -> Scenario {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "VOTE: READY", "--as", "Mira"]).code(0);
    scenario
}

#[test]
fn name_like_that_of_an_earlier_author_is_refused() {
    let scenario = discussion_with_mira();
    let text = scenario.read(FILE);
    for name in ["M1ra", "Mira.", "Mira-", "\u{41C}ira", "Mir\u{430}", "MlRA"] {
        scenario
            .discussions(&["comment", "caching", "VOTE: READY", "--as", name])
            .code(3)
            .notes("looks like `Mira` in this discussion, but would count as a different person")
            .notes("choose another name with --as");
    }
    assert_eq!(scenario.read(FILE), text);
    for name in ["Mira", "mira", "Miranda", "Ira"] {
        scenario.discussions(&["comment", "caching", "Fine.", "--as", name]).code(0);
    }
}

#[test]
fn look_alike_with_earlier_comments_may_continue() {
    let scenario = discussion_with_mira();
    let text = scenario.read(FILE) + "\nName: M1ra\n\nBy hand.\n\n---\n";
    scenario.write(FILE, text.as_bytes());
    scenario.discussions(&["comment", "caching", "Fine.", "--as", "M1ra"]).code(0);
    scenario.discussions(&["comment", "caching", "Fine.", "--as", "Mira"]).code(0);
}

#[test]
fn each_look_alike_in_a_file_is_reported_once() {
    let scenario = discussion_with_mira();
    let mut text = scenario.read(FILE);
    for name in ["M1ra", "Mira.", "mira", "M1ra", "\u{41C}ira"] {
        text += &format!("\nName: {name}\n\nVOTE: READY\n\n---\n");
    }
    scenario.write(FILE, text.as_bytes());
    let run = scenario
        .discussions(&["check"])
        .code(1)
        .says(
            "warning: `M1ra` looks like the earlier name `Mira`, but counts as a different speaker",
        )
        .says("warning: `Mira.` looks like the earlier name `Mira`")
        .says("error: `\u{41C}ira` looks like a participant's name");
    assert_eq!(run.stdout.matches("[name-lookalike]").count(), 3, "{}", run.stdout);
}

#[test]
fn comment_in_the_name_of_a_persona_is_noted() {
    let scenario = Scenario::with_discussion();
    scenario
        .discussions(&["comment", "caching", "Fine.", "--as", "AI-Architect"])
        .code(0)
        .notes("AI-Architect is a persona that a model plays");
    let run = scenario.discussions(&["comment", "caching", "Fine.", "--as", "Mira"]).code(0);
    assert!(!run.stderr().contains("persona"), "{}", run.stderr());
}

#[test]
fn tasks_can_be_assigned_to_authors_of_comments() {
    let scenario = discussion_with_mira();
    for words in ["TODO: @mira measure it", "ASSIGNED: @mira", "ASSIGNED: T1 @Mira"] {
        let run = scenario.discussions(&["comment", "caching", words]).code(0);
        assert!(!run.stderr().contains("no participant is called"), "{words}: {}", run.stderr());
    }
    scenario.discussions(&["check", "--strict"]).code(0).stdout("");
}
