//! Turns: replies are assigned by position, not by number.

use discussions::engine::{Continue, Step, Stop, TurnRequest, next, resume};
use discussions::state::TurnOutcome;
use discussions::transcript::{Alias, Control, Draft};

use super::discussion::Discussion;

fn feature() -> Discussion {
    Discussion::new("feature", "participants: [architect, security, pragmatist]")
}

fn alias(text: &str) -> Alias {
    Alias::parse(text).unwrap()
}

fn missing(discussion: &Discussion) -> Vec<String> {
    discussion.look(|it| {
        it.state
            .unfinished()
            .map_or_else(Vec::new, |turn| turn.missing().map(|it| it.to_string()).collect())
    })
}

fn resume_turn(discussion: &Discussion, named: &[&str]) -> Continue {
    let request = TurnRequest { named: named.iter().map(|it| alias(it)).collect(), ask: None };
    discussion.look(|it| resume(it, &request))
}

fn asked(step: &Step) -> (Vec<String>, bool) {
    match step {
        Step::Write(drafts) => match &drafts[0] {
            Draft::Control(Control::Turn(line)) => {
                (line.asks.iter().map(ToString::to_string).collect(), line.again)
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn turn_ends_when_all_are_done_or_the_phase_changes() {
    let discussion = feature().line("TURN: 1, asks: [architect, security, pragmatist]");
    assert_eq!(missing(&discussion), ["architect", "security", "pragmatist"]);
    let discussion = discussion.replies("AI-Architect", "x").line("PASS who: security, turn: 1");
    assert_eq!(missing(&discussion), ["pragmatist"]);
    let failed =
        discussion.clone().line("FAILED who: pragmatist, turn: 1, code: exit, retryable: true");
    assert_eq!(missing(&failed), [""; 0]);
    assert_eq!(missing(&discussion.line("PHASE: detailed_review")), [""; 0]);
}

#[test]
fn replies_belong_to_the_last_turn_that_asks_their_alias() {
    let discussion = feature()
        .line("TURN: 1, asks: [architect, security]")
        .line("TURN: 1, asks: [pragmatist]")
        .replies("AI-Security", "late, and yet of the first")
        .replies("AI-Pragmatist", "of the second");
    discussion.look(|it| {
        let answered = |turn: usize, who: &str| {
            matches!(it.state.turns[turn].outcomes.get(&alias(who)), Some(TurnOutcome::Answered(_)))
        };
        assert!(answered(0, "security") && answered(1, "pragmatist") && !answered(0, "architect"));
    });
}

#[test]
fn reply_above_every_turn_belongs_to_none() {
    let discussion = feature().replies("AI-Security", "early").line("TURN: 1, asks: [security]");
    assert_eq!(missing(&discussion), ["security"]);
}

#[test]
fn later_comment_of_a_person_answers_their_turn() {
    let discussion = Discussion::new("feature", "participants: [architect, rob]")
        .knowing("name: Rob\nalias: rob\ntype: human\n")
        .says("Rob", "before")
        .line("TURN: 1, asks: [architect, rob]");
    assert_eq!(missing(&discussion), ["architect", "rob"]);
    let discussion = discussion.says("Rob", "after");
    assert_eq!(missing(&discussion), ["architect"]);
}

#[test]
fn runner_waits_for_a_person() {
    let discussion = Discussion::new("feature", "participants: [architect, rob]")
        .knowing("name: Rob\nalias: rob\ntype: human\n")
        .line("TURN: 1, asks: [architect, rob]")
        .replies("AI-Architect", "x");
    let step = discussion.look(|it| next(it, 9).unwrap());
    assert_eq!(step, Step::Stop(Stop::Waiting(vec![alias("rob")])));
}

#[test]
fn unacknowledged_answer_is_requested_again() {
    let mut discussion = feature().line("TURN: 1, asks: [security]");
    discussion.text.push_str("\nName: AI-Security\n<!-- REPLY turn: 1 -->\n\nhalf an answ");
    assert_eq!(missing(&discussion), ["security"]);
}

#[test]
fn turn_resumes_unless_other_participants_are_named() {
    let discussion =
        feature().line("TURN: 1, asks: [architect, security]").replies("AI-Architect", "x");
    assert_eq!(resume_turn(&discussion, &[]), Continue::Last(vec![alias("security")]));
    assert_eq!(resume_turn(&discussion, &["security"]), Continue::Last(vec![alias("security")]));
    let Continue::New(line) = resume_turn(&discussion, &["pragmatist"]) else {
        panic!("others are named")
    };
    assert_eq!((line.number, line.asks), (2, vec![alias("pragmatist")]));
    let over = discussion.replies("AI-Security", "y");
    assert!(matches!(resume_turn(&over, &[]), Continue::New(line) if line.asks.len() == 3));
}

#[test]
fn permanent_failure_skips_its_participant_for_the_run() {
    let discussion = feature()
        .line("TURN: 1, asks: [architect, security, pragmatist]")
        .replies("AI-Architect", "x")
        .replies("AI-Pragmatist", "y")
        .line("FAILED who: security, turn: 1, code: not_installed, retryable: false")
        .line("PHASE: detailed_review");
    let of_run = |started_with| asked(&discussion.look(|it| next(it, started_with).unwrap())).0;
    assert_eq!(of_run(0), ["architect", "pragmatist"], "the turn is one of this run");
    assert_eq!(of_run(1), ["architect", "security", "pragmatist"], "the next one asks again");
    let Continue::New(line) = resume_turn(&discussion, &[]) else { panic!() };
    assert_eq!(line.asks.len(), 3, "and so does the next command");
    let named = discussion.line("TURN: 2, asks: [security]").replies("AI-Security", "back");
    assert_eq!(asked(&named.look(|it| next(it, 0).unwrap())).0.len(), 3);
}

#[test]
fn next_run_repeats_a_turn_with_too_few_answers() {
    let failed = |who: &str, retryable: bool| {
        format!("FAILED who: {who}, turn: 1, code: exit, retryable: {retryable}")
    };
    let discussion = feature()
        .line("TURN: 1, asks: [architect, security, pragmatist]")
        .replies("AI-Architect", "x")
        .line(&failed("security", true))
        .line(&failed("pragmatist", false));
    assert_eq!(
        discussion.look(|it| next(it, 0).unwrap()),
        Step::Stop(Stop::TooFew),
        "not in the same run"
    );
    let step = discussion.look(|it| next(it, 1).unwrap());
    let both = vec!["security".to_owned(), "pragmatist".to_owned()];
    assert_eq!(asked(&step), (both, true), "also who could not be asked again by the first");
}

#[test]
fn answers_are_never_deduplicated_by_text() {
    let discussion = feature().says("Rob", "same").says("Rob", "same");
    discussion.look(|it| assert_eq!(it.state.said.len(), 2));
}

#[test]
fn second_answer_in_one_turn_is_only_a_comment() {
    let discussion = feature()
        .line("TURN: 1, asks: [security]")
        .replies("AI-Security", "first")
        .replies("AI-Security", "second");
    discussion.look(|it| {
        let turns: Vec<_> = it.state.said.iter().map(|said| said.turn).collect();
        assert_eq!(turns, [Some(0), None]);
    });
}
