//! Errors that audits of the program found.

use discussions::engine::{DecisionStatus, Step, Stop, next};
use discussions::state::ItemStatus;
use discussions::template::Template;
use discussions::transcript::{Control, Draft};
use discussions::view;

use super::discussion::Discussion;

/// A template with these phases, for three participants.
fn three(phases: &str) -> String {
    format!(
        "---\nid: own\ntitle: Own\nsummary: own\nparticipants: {{default: [architect, security, pragmatist]}}\n\
         phases:\n{phases}---\n# {{{{ title }}}}\n"
    )
}

fn discussion(phases: &str) -> Discussion {
    Discussion::of(
        &three(phases),
        "own",
        "participants: [architect, security, pragmatist]\nconsensus: {human_required: false}",
    )
}

#[test]
fn next_accepts_an_id_a_list_or_nothing() {
    for (next, ids) in [("b", vec!["b"]), ("[b]", vec!["b"]), ("null", vec![]), ("[]", vec![])] {
        let text = three(&format!(
            "  - {{id: a, instructions: x, next: {next}}}\n  - {{id: b, instructions: x}}\n"
        ));
        let template = Template::read(&text, "own.md", "own").unwrap();
        assert_eq!(template.phases[0].next, ids, "{next}");
    }
}

#[test]
fn invalid_phase_id_is_reported_with_its_line() {
    let text = three("  - id: a\n    instructions: x\n    next: {b: c}\n");
    let error = Template::read(&text, "own.md", "own").unwrap_err().to_string();
    assert!(error.contains("own.md:9:") && error.contains("the id of a phase"), "{error}");
}

#[test]
fn phase_states_the_words_of_an_answer() {
    let text = three(
        "  - {id: a, instructions: x, words: 200}\n  - {id: b, instructions: x, words: 100 + 50}\n  - {id: c, instructions: x}\n",
    );
    let discussion = Discussion::of(&text, "own", "");
    let words =
        discussion.look(|it| (0..3).map(|phase| it.words(phase).unwrap()).collect::<Vec<_>>());
    assert_eq!(words, [Some(200), Some(150), None]);
    let wrong = three("  - {id: a, instructions: x, words: nowhere + 1}\n");
    assert!(Template::read(&wrong, "own.md", "own").is_err());
}

fn step(discussion: &Discussion) -> Step {
    discussion.look(|it| next(it, usize::MAX).unwrap())
}

fn status(discussion: &Discussion) -> view::Status {
    discussion.look(|it| view::Status::of(it, "f.md".to_owned(), None))
}

const ASKS: &str = "TURN: 1, asks: [architect, security, pragmatist]";

#[test]
fn assigned_and_done_without_a_matching_task_create_one() {
    let discussion = discussion("  - {id: a, instructions: x}\n")
        .says("Rob", "ASSIGNED: @ann will write the spec")
        .says("Ann", "DONE: Measured the latency");
    discussion.look(|it| {
        let tasks: Vec<_> = it
            .state
            .tasks()
            .iter()
            .map(|task| (task.text.as_str(), task.assignee.as_deref(), task.status))
            .collect();
        assert_eq!(
            tasks,
            [
                ("@ann will write the spec", Some("ann"), ItemStatus::Assigned),
                ("Measured the latency", Some("Ann"), ItemStatus::Done),
            ]
        );
    });
    assert_eq!(discussion.says("Rob", "DONE: T1").problems(), Vec::<&str>::new());
}

#[test]
fn last_phase_does_not_suggest_to_advance() {
    let phases = "  - {id: a, instructions: x, voting_mode: true, auto_trigger: null}\n";
    let discussion = discussion(phases).line(ASKS);
    let split = discussion.votes(&[
        ("AI-Architect", "READY"),
        ("AI-Security", "CHANGES"),
        ("AI-Pragmatist", "CHANGES"),
    ]);
    assert_eq!(step(&split), Step::Stop(Stop::Finished));
    let next = status(&split).next;
    assert_eq!(next.last().unwrap().why, view::Why::EndedWithoutConsensus);
}

#[test]
fn ballot_waits_for_a_person_and_skips_no_participant() {
    let text = three(
        "  - {id: a, instructions: x, voting_mode: true, order: sequential, early_exit: true}\n",
    );
    let discussion = Discussion::of(
        &text,
        "own",
        "participants: [architect, security, rob]\nconsensus: {method: majority}",
    )
    .line("TURN: 1, asks: [architect, security, rob]");
    let discussion = discussion.votes(&[("AI-Architect", "READY"), ("AI-Security", "READY")]);
    assert!(matches!(step(&discussion), Step::Stop(Stop::Waiting(_))));
    discussion.look(|it| {
        assert!(it.skippable_voters().is_empty());
        let decision = &it.outcome().consensus;
        assert_eq!((decision.reached, decision.status), (false, DecisionStatus::Open));
        let result = view::discussion_result(it, "f.md", None);
        assert!(!result.metadata.early_exit.triggered, "{:?}", result.metadata.early_exit.skipped);
    });
}

#[test]
fn tally_lists_only_options_of_the_ballot() {
    let dialogue = Discussion::new("dialogue", "participants: [architect, security]");
    assert_eq!(status(&dialogue).tally.keys().collect::<Vec<_>>(), ["YES", "NO"]);
    let synthesis = Discussion::new("synthesis", "participants: [architect, security]");
    assert!(status(&synthesis).tally.is_empty());
}

#[test]
fn answer_without_a_vote_abstains_and_half_must_vote() {
    let phases = "  - {id: a, instructions: x, voting_mode: true}\n";
    let one =
        discussion(phases).line(ASKS).votes(&[("AI-Architect", "READY"), ("AI-Security", "READY")]);
    let one = one.replies("AI-Pragmatist", "Not my field.");
    let shown = status(&one);
    assert_eq!(
        (shown.abstained, shown.consensus.reached),
        (vec!["AI-Pragmatist".to_owned()], true)
    );
    let two = discussion(phases).line(ASKS).votes(&[("AI-Architect", "READY")]);
    let two = two.replies("AI-Security", "x").replies("AI-Pragmatist", "y");
    let shown = status(&two);
    assert_eq!((shown.abstained.len(), shown.consensus.reached), (2, false));
    assert!(shown.consensus.missing.is_empty());
}

/// A discussion in a ballot after which the template has nothing more.
fn ballot() -> Discussion {
    let phases = "  - {id: first, instructions: x}\n  - {id: consensus_vote, instructions: x, voting_mode: true}\n";
    discussion(phases).line("PHASE: consensus_vote").line("VOTE-RESET")
}

fn split() -> Discussion {
    let discussion = ballot().line(ASKS);
    discussion
        .says("AI-Architect", "Fine.\n\nVOTE: READY")
        .says("AI-Security", "- Cap the queue.\n- Log it.\n\nCONFIDENCE: 0.8\n\nVOTE: CHANGES")
        .says("AI-Pragmatist", "VOTE: CHANGES")
}

#[test]
fn ballot_without_consensus_lists_the_conditions() {
    let shown = status(&split());
    let conditions: Vec<_> = shown
        .conditions
        .iter()
        .map(|one| (one.participant.as_str(), one.vote.as_str(), one.text.as_str()))
        .collect();
    assert_eq!(
        conditions,
        [
            ("AI-Security", "CHANGES", "- Cap the queue.\n- Log it."),
            ("AI-Pragmatist", "CHANGES", "")
        ]
    );
    assert_eq!(shown.next.last().unwrap().why, view::Why::EndedWithoutConsensus);
}

#[test]
fn comment_after_a_failed_ballot_starts_a_new_one() {
    assert_eq!(step(&split()), Step::Stop(Stop::Finished));
    for said in ["The queue is capped now.", "The queue is capped now.\n\nVOTE: CHANGES"] {
        let discussion = split().says("Rob", said);
        assert_eq!(status(&discussion).next.last().unwrap().why, view::Why::VoteAgain);
        let Step::Write(drafts) = step(&discussion) else { panic!() };
        let [Draft::Control(Control::Phase(line)), Draft::Control(Control::VoteReset)] =
            &drafts[..]
        else {
            panic!()
        };
        assert_eq!((line.id.as_str(), line.by.as_deref()), ("consensus_vote", Some("Rob")));
        let again = discussion.line("PHASE: consensus_vote, by: Rob").line("VOTE-RESET");
        assert!(matches!(step(&again), Step::Write(_)), "all are asked");
        let again = again.line("TURN: 2, asks: [architect, security, pragmatist]");
        let ready =
            [("AI-Architect", "READY"), ("AI-Security", "READY"), ("AI-Pragmatist", "CHANGES")];
        let again = again.votes(&ready);
        assert_eq!(step(&again), Step::Stop(Stop::Finished));
        assert_eq!(status(&again).status, DecisionStatus::Consensus);
    }
}

#[test]
fn comment_during_a_ballot_or_with_its_deciding_vote_reopens_nothing() {
    let open = ballot().line(ASKS).votes(&[("AI-Architect", "READY"), ("AI-Security", "CHANGES")]);
    let open = open.says("Rob", "I am curious.").votes(&[("AI-Pragmatist", "CHANGES")]);
    assert_eq!(step(&open), Step::Stop(Stop::Finished));
    let half = ballot().line(ASKS).votes(&[
        ("AI-Architect", "READY"),
        ("AI-Security", "READY"),
        ("AI-Pragmatist", "REJECT"),
    ]);
    assert_eq!(status(&half).status, DecisionStatus::Blocked);
    let asks = half.says("Rob", "It is mended.");
    assert_eq!(status(&asks).next.last().unwrap().why, view::Why::VoteAgain);
}
