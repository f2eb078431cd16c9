//! Turns: by position, not by number.

use discussions::engine::{Continue, Step, Stop, TurnRequest, next, resume};
use discussions::state::Outcome;
use discussions::transcript::{Alias, Control, Draft};

use super::talk::Talk;

fn feature() -> Talk {
    Talk::new("feature", "participants: [architect, security, pragmatist]")
}

fn alias(text: &str) -> Alias {
    Alias::parse(text).unwrap()
}

fn missing(talk: &Talk) -> Vec<String> {
    talk.look(|it| {
        it.state
            .unfinished()
            .map_or_else(Vec::new, |turn| turn.missing().map(|it| it.to_string()).collect())
    })
}

fn go_on(talk: &Talk, named: &[&str]) -> Continue {
    let request = TurnRequest { named: named.iter().map(|it| alias(it)).collect(), ask: None };
    talk.look(|it| resume(it, &request))
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
fn a_turn_is_over_when_each_of_them_has_answered_passed_or_failed_or_the_phase_changed() {
    let talk = feature().line("TURN: 1, asks: [architect, security, pragmatist]");
    assert_eq!(missing(&talk), ["architect", "security", "pragmatist"]);
    let talk = talk.replies("AI-Architect", "x").line("PASS who: security, turn: 1");
    assert_eq!(missing(&talk), ["pragmatist"]);
    let failed = talk.clone().line("FAILED who: pragmatist, turn: 1, code: exit, retryable: true");
    assert_eq!(missing(&failed), [""; 0]);
    assert_eq!(missing(&talk.line("PHASE: detailed_review")), [""; 0]);
}

#[test]
fn answers_passes_and_failures_belong_to_the_last_turn_above_them_that_asks_that_alias_merges_repeat_numbers()
 {
    let talk = feature()
        .line("TURN: 1, asks: [architect, security]")
        .line("TURN: 1, asks: [pragmatist]")
        .replies("AI-Security", "late, and yet of the first")
        .replies("AI-Pragmatist", "of the second");
    talk.look(|it| {
        let answered = |turn: usize, who: &str| {
            matches!(it.state.turns[turn].outcomes.get(&alias(who)), Some(Outcome::Answered(_)))
        };
        assert!(answered(0, "security") && answered(1, "pragmatist") && !answered(0, "architect"));
    });
}

#[test]
fn a_reply_above_every_turn_belongs_to_none() {
    let talk = feature().replies("AI-Security", "early").line("TURN: 1, asks: [security]");
    assert_eq!(missing(&talk), ["security"]);
}

#[test]
fn a_person_s_comment_after_it_answers_for_that_person() {
    let talk = Talk::new("feature", "participants: [architect, rob]")
        .knowing("name: Rob\nalias: rob\ntype: human\n")
        .says("Rob", "before")
        .line("TURN: 1, asks: [architect, rob]");
    assert_eq!(missing(&talk), ["architect", "rob"]);
    let talk = talk.says("Rob", "after");
    assert_eq!(missing(&talk), ["architect"]);
}

#[test]
fn for_a_person_the_runner_waits() {
    let talk = Talk::new("feature", "participants: [architect, rob]")
        .knowing("name: Rob\nalias: rob\ntype: human\n")
        .line("TURN: 1, asks: [architect, rob]")
        .replies("AI-Architect", "x");
    let step = talk.look(|it| next(it, 9).unwrap());
    assert_eq!(step, Step::Stop(Stop::Waiting(vec![alias("rob")])));
}

#[test]
fn an_unacknowledged_answer_is_asked_for_again() {
    let mut talk = feature().line("TURN: 1, asks: [security]");
    talk.text.push_str("\nName: AI-Security\n<!-- REPLY turn: 1 -->\n\nhalf an answ");
    assert_eq!(missing(&talk), ["security"]);
}

#[test]
fn turn_on_an_unfinished_turn_with_no_others_named_asks_only_those_who_are_missing_in_it_else_it_opens_the_next()
 {
    let talk = feature().line("TURN: 1, asks: [architect, security]").replies("AI-Architect", "x");
    assert_eq!(go_on(&talk, &[]), Continue::Last(vec![alias("security")]));
    assert_eq!(go_on(&talk, &["security"]), Continue::Last(vec![alias("security")]));
    let Continue::New(line) = go_on(&talk, &["pragmatist"]) else { panic!("others are named") };
    assert_eq!((line.number, line.asks), (2, vec![alias("pragmatist")]));
    let over = talk.replies("AI-Security", "y");
    assert!(matches!(go_on(&over, &[]), Continue::New(line) if line.asks.len() == 3));
}

#[test]
fn a_failure_that_cannot_be_retried_leaves_its_participant_out_for_the_rest_of_that_run() {
    let talk = feature()
        .line("TURN: 1, asks: [architect, security, pragmatist]")
        .replies("AI-Architect", "x")
        .replies("AI-Pragmatist", "y")
        .line("FAILED who: security, turn: 1, code: not_installed, retryable: false")
        .line("PHASE: detailed_review");
    let of_run = |started_with| asked(&talk.look(|it| next(it, started_with).unwrap())).0;
    assert_eq!(of_run(0), ["architect", "pragmatist"], "the turn is one of this run");
    assert_eq!(of_run(1), ["architect", "security", "pragmatist"], "the next one asks again");
    let Continue::New(line) = go_on(&talk, &[]) else { panic!() };
    assert_eq!(line.asks.len(), 3, "and so does the next command");
    let named = talk.line("TURN: 2, asks: [security]").replies("AI-Security", "back");
    assert_eq!(asked(&named.look(|it| next(it, 0).unwrap())).0.len(), 3);
}

#[test]
fn where_too_few_answered_the_next_run_writes_a_turn_with_again_true() {
    let failed = |who: &str, retryable: bool| {
        format!("FAILED who: {who}, turn: 1, code: exit, retryable: {retryable}")
    };
    let talk = feature()
        .line("TURN: 1, asks: [architect, security, pragmatist]")
        .replies("AI-Architect", "x")
        .line(&failed("security", true))
        .line(&failed("pragmatist", false));
    assert_eq!(
        talk.look(|it| next(it, 0).unwrap()),
        Step::Stop(Stop::TooFew),
        "not in the same run"
    );
    let step = talk.look(|it| next(it, 1).unwrap());
    let both = vec!["security".to_owned(), "pragmatist".to_owned()];
    assert_eq!(asked(&step), (both, true), "also who could not be asked again by the first");
}

#[test]
fn answers_are_never_deduplicated_by_text() {
    let talk = feature().says("Rob", "same").says("Rob", "same");
    talk.look(|it| assert_eq!(it.state.said.len(), 2));
}

#[test]
fn a_second_answer_in_one_turn_is_a_comment_but_not_that_turn_s() {
    let talk = feature()
        .line("TURN: 1, asks: [security]")
        .replies("AI-Security", "first")
        .replies("AI-Security", "second");
    talk.look(|it| {
        let turns: Vec<_> = it.state.said.iter().map(|said| said.turn).collect();
        assert_eq!(turns, [Some(0), None]);
    });
}
