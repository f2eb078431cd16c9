//! Mentions: the participants that they call, when they are answered, and by which turn.

use discussions::engine::{Continue, Step, Stop, TurnRequest, next, next_at_once, resume};
use discussions::transcript::{Alias, Control, Draft};

use super::discussion::Discussion;

fn feature() -> Discussion {
    Discussion::new("feature", "participants: [architect, security, pragmatist]")
}

/// A template with one open phase, for three participants.
fn open_phase(keys: &str) -> Discussion {
    let text = format!(
        "---\nid: own\ntitle: Own\nsummary: own\nparticipants: {{default: [architect, security, pragmatist]}}\n\
         phases:\n  - {{id: a, instructions: x, {keys}}}\n  - {{id: b, instructions: x, voting_mode: true}}\n---\n# {{{{ title }}}}\n"
    );
    Discussion::of(&text, "own", "participants: [architect, security, pragmatist]")
}

fn pending_participants(discussion: &Discussion) -> Vec<String> {
    discussion.look(|it| it.state.pending.iter().map(|it| it.whom.handle().to_owned()).collect())
}

/// The pending mentions of a participant: author and text.
fn pending_mentions(discussion: &Discussion, alias: &str) -> Vec<(String, String)> {
    pending_mentions_within(discussion, alias, None)
}

fn pending_mentions_within(
    discussion: &Discussion,
    alias: &str,
    whole: Option<usize>,
) -> Vec<(String, String)> {
    let alias = Alias::parse(alias).unwrap();
    discussion.look(|it| {
        let calls = it.calls_to(&alias, usize::MAX, whole).into_iter();
        calls.map(|call| (call.by.handle().to_owned(), call.question)).collect()
    })
}

/// The participants of the next step, and whether the turn is for mentions.
fn opened_turn(step: Step) -> Option<(Vec<String>, bool)> {
    let Step::Write(drafts) = step else { return None };
    match drafts.into_iter().next() {
        Some(Draft::Control(Control::Turn(line))) => {
            Some((line.asks.iter().map(ToString::to_string).collect(), line.mentions))
        }
        _ => None,
    }
}

fn next_asks(discussion: &Discussion, started_with: usize) -> Option<(Vec<String>, bool)> {
    opened_turn(discussion.look(|it| next(it, started_with).unwrap()))
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn mention_calls_in_a_question_or_at_the_start_of_a_paragraph() {
    for (said, calls) in [
        ("Q: How many rows? @security", true),
        ("- Q: How many rows, @security, and since when", true),
        ("It is fine. Did @security look at it?", true),
        ("@security, look at the token.", true),
        ("**@security** and @pragmatist: look at the token.", true),
        ("Support for @security's point.", false),
        ("@security's point covers mine.", false),
        ("I agree with @security here. Is it measured though?", false),
        ("A: @security Twelve.", false),
        ("TODO: @security writes it", false),
        ("- [ ] @security: draft the sheet", false),
        ("- @security: agreed.", false),
        ("With the fix of @security\nQ: is it enough?", false),
    ] {
        let discussion = feature().says("AI-Architect", said);
        assert_eq!(
            pending_participants(&discussion).contains(&"security".to_owned()),
            calls,
            "{said}"
        );
        let by_person = feature().says("Rob", said);
        assert_eq!(
            pending_participants(&by_person)[0],
            "security",
            "whom a person mentions is called: {said}"
        );
    }
}

#[test]
fn question_of_a_mention_is_quoted() {
    let discussion = feature()
        .says(
            "AI-Architect",
            "Fine.\n\nQ: How many rows\nare there? @security\nWEAKNESS (high): slow",
        )
        .says("Rob", "JWT with one hour. @security?");
    assert_eq!(
        pending_mentions(&discussion, "security"),
        [
            ("architect".to_owned(), "How many rows are there? @security".to_owned()),
            ("Rob".to_owned(), "JWT with one hour. @security?".to_owned()),
        ]
    );
    let told = feature().says("Rob", "We use `v1.2`. What of v2, @security? It is out.\n\nSo.");
    let quoted = |whole| pending_mentions_within(&told, "security", whole).remove(0).1;
    assert_eq!(quoted(None), "What of v2, @security?");
    let line = "We use `v1.2`. What of v2, @security? It is out.";
    assert_eq!(quoted(Some(300)), line);
    assert_eq!(quoted(Some(20)), "What of v2, @security?", "no longer than there is room");
}

#[test]
fn mentions_in_a_blind_turn_are_answered_in_the_next_in_any_order() {
    let ring = [("architect", "pragmatist"), ("pragmatist", "security"), ("security", "architect")];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut discussion = open_phase("follow_mentions: 2")
            .line("TURN: 1, asks: [architect, security, pragmatist]");
        for at in order {
            let (who, whom) = ring[at];
            discussion = discussion.replies(
                &format!("AI-{}{}", who[..1].to_uppercase(), &who[1..]),
                &format!("Q: why? @{whom}"),
            );
        }
        let (mut asks, mentions) = next_asks(&discussion, 0).unwrap();
        asks.sort();
        assert_eq!(
            (asks, mentions),
            (names(&["architect", "pragmatist", "security"]), true),
            "{order:?}"
        );
        let answered =
            discussion.line("TURN: 2, asks: [architect, security, pragmatist], mentions: true");
        let answered =
            answered.replies("AI-Security", "A: Q1 so").line("PASS who: architect, turn: 2");
        assert_eq!(pending_participants(&answered), ["pragmatist"]);
    }
}

#[test]
fn answer_clears_mentions_visible_in_its_prompt() {
    let asks = "TURN: 1, asks: [architect, security]";
    let said = |discussion: Discussion| {
        discussion.replies("AI-Architect", "Q: why? @security").replies("AI-Security", "x")
    };
    assert_eq!(pending_participants(&said(open_phase("order: parallel").line(asks))), ["security"]);
    assert!(
        pending_participants(&said(open_phase("order: sequential").line(asks))).is_empty(),
        "it was seen"
    );
    let topic =
        open_phase("sees: topic").says("Rob", "@security?").line(asks).replies("AI-Security", "x");
    assert_eq!(pending_participants(&topic), ["security"], "only the topic was seen");
    let quoted =
        topic.line("TURN: 2, asks: [security], mentions: true").replies("AI-Security", "x");
    assert!(pending_participants(&quoted).is_empty(), "its task quotes the question");
    let meanwhile = open_phase("order: sequential")
        .line(asks)
        .says("Rob", "@architect?")
        .replies("AI-Architect", "x");
    assert_eq!(
        pending_participants(&meanwhile),
        ["architect"],
        "it may have been asked before Rob spoke"
    );
}

#[test]
fn mention_by_a_person_is_answered_in_any_phase_without_limit() {
    let mut discussion =
        open_phase("rounds: 1").line("TURN: 1, asks: [architect, security, pragmatist]");
    for name in ["AI-Architect", "AI-Security", "AI-Pragmatist"] {
        discussion = discussion.replies(name, "x");
    }
    for turn in 2..7 {
        discussion = discussion.says("Rob", &format!("@architect, question {turn}?"));
        assert_eq!(next_asks(&discussion, 9), Some((names(&["architect"]), true)), "{turn}");
        discussion = discussion.line(&format!("TURN: {turn}, asks: [architect], mentions: true"));
        discussion = discussion.replies("AI-Architect", "So.");
    }
    let step = discussion.look(|it| next(it, 9).unwrap());
    assert!(matches!(step, Step::Write(_)), "and then the next phase: {step:?}");
}

#[test]
fn mention_by_a_person_is_answered_after_consensus_but_not_if_closed() {
    let mut discussion =
        Discussion::vote().line("TURN: 1, asks: [architect, security, pragmatist]");
    discussion = discussion.votes(&[
        ("AI-Architect", "READY"),
        ("AI-Security", "READY"),
        ("AI-Pragmatist", "READY"),
    ]);
    let reached = |discussion: &Discussion| {
        discussion.look(|it| discussions::engine::Decision::of(it).reached)
    };
    assert!(reached(&discussion));
    let discussion = discussion.says("Rob", "@security when does it end?");
    assert_eq!(next_asks(&discussion, 9), Some((names(&["security"]), true)));
    assert!(reached(&discussion), "a question changes no outcome");
    let answered = discussion
        .clone()
        .line("TURN: 2, asks: [security], mentions: true")
        .replies("AI-Security", "In May.");
    assert!(reached(&answered));
    assert_eq!(answered.look(|it| next(it, 9).unwrap()), Step::Stop(Stop::Finished));
    let closed = discussion.line("STATUS: CLOSED, by: Rob");
    assert_eq!(closed.look(|it| next(it, 9).unwrap()), Step::Stop(Stop::Closed));
}

#[test]
fn round_with_all_participants_answers_a_mention_if_it_shows_it() {
    let discussion = open_phase("rounds: 1").says("Rob", "@architect why?");
    assert_eq!(
        next_asks(&discussion, 9),
        Some((names(&["architect", "security", "pragmatist"]), false))
    );
    let blind = open_phase("rounds: 1, sees: topic").says("Rob", "@architect why?");
    assert_eq!(next_asks(&blind, 9), Some((names(&["architect"]), true)));
}

#[test]
fn failed_answer_to_a_mention_is_retried_by_the_next_run_only() {
    let mut discussion =
        open_phase("rounds: 1").line("TURN: 1, asks: [architect, security, pragmatist]");
    for name in ["AI-Architect", "AI-Security", "AI-Pragmatist"] {
        discussion = discussion.replies(name, "x");
    }
    let discussion = discussion
        .says("Rob", "@architect why?")
        .line("TURN: 2, asks: [architect], mentions: true");
    let discussion =
        discussion.line("FAILED who: architect, turn: 2, code: unauthorized, retryable: false");
    assert_eq!(next_asks(&discussion, 1), None, "not in the same run");
    assert_eq!(next_asks(&discussion, 2), Some((names(&["architect"]), true)));
}

#[test]
fn mention_turn_needs_no_vote_and_silence_does_not_count() {
    let discussion = Discussion::vote()
        .says("Rob", "@architect why?")
        .line("TURN: 1, asks: [architect], mentions: true");
    let discussion = discussion.replies("AI-Architect", "So.");
    discussion.look(|it| assert!(it.state.ballot.silent.is_empty()));
    // An ordinary turn with this answer does make the participant silent.
    let asked =
        Discussion::vote().says("Rob", "@architect why?").line("TURN: 1, asks: [architect]");
    let asked = asked.replies("AI-Architect", "So.");
    asked.look(|it| assert_eq!(it.state.ballot.silent.len(), 1));
}

#[test]
fn bare_turn_calls_mentioned_participants_after_the_own_turns() {
    let mut discussion =
        open_phase("rounds: 1").line("TURN: 1, asks: [architect, security, pragmatist]");
    for name in ["AI-Architect", "AI-Security"] {
        discussion = discussion.replies(name, "Q: why? @pragmatist");
    }
    discussion = discussion.replies("AI-Pragmatist", "x");
    let go = |discussion: &Discussion| discussion.look(|it| resume(it, &TurnRequest::default()));
    let new_turn = |discussion: &Discussion| match go(discussion) {
        Continue::New(line) => line,
        other => panic!("no new turn, but {other:?}"),
    };
    let line = new_turn(&discussion);
    assert_eq!((line.asks, line.mentions), (vec![Alias::parse("pragmatist").unwrap()], true));
    let discussion = discussion
        .line("TURN: 2, asks: [pragmatist], mentions: true")
        .replies("AI-Pragmatist", "A: Q1 so");
    let line = new_turn(&discussion);
    assert_eq!((line.asks.len(), line.mentions), (3, false), "nobody is called any more");
}

#[test]
fn naming_all_participants_resumes_an_unfinished_turn() {
    let alias = |name: &str| Alias::parse(name).unwrap();
    let discussion = feature()
        .line("TURN: 1, asks: [architect, security, pragmatist]")
        .replies("AI-Architect", "x");
    let named = ["architect", "security", "pragmatist"].map(alias).to_vec();
    let go = discussion.look(|it| resume(it, &TurnRequest { named, ask: None }));
    assert_eq!(go, Continue::Last(["security", "pragmatist"].map(alias).to_vec()));
}

#[test]
fn mention_is_answered_while_a_turn_waits_for_a_person() {
    let discussion = Discussion::new("feature", "participants: [architect, rob]")
        .knowing("name: Rob\nalias: rob\ntype: human\n")
        .line("TURN: 1, asks: [architect, rob]")
        .replies("AI-Architect", "x");
    let waiting = Step::Stop(Stop::Waiting(vec![Alias::parse("rob").unwrap()]));
    let asks = discussion.says("Ann", "@architect why?");
    assert_eq!(next_asks(&asks, 9), Some((names(&["architect"]), true)));
    let answered =
        asks.line("TURN: 2, asks: [architect], mentions: true").replies("AI-Architect", "So.");
    assert_eq!(answered.look(|it| next(it, 9).unwrap()), waiting);
}

#[test]
fn phase_waits_for_people_unless_the_run_does_not_wait() {
    let with_question = |question: &str| {
        let discussion = open_phase("waits_for_people: true")
            .line("TURN: 1, asks: [architect, security, pragmatist]");
        let discussion = discussion.replies("AI-Architect", question);
        discussion.replies("AI-Security", "x").replies("AI-Pragmatist", "x")
    };
    let enters = |step: Step| matches!(step, Step::Write(drafts) if matches!(drafts[0], Draft::Control(Control::Phase(_))));
    let discussion =
        with_question("- Q: what does the contract say? @sales\n- Q: and the code? @security");
    let step = discussion.look(|it| next(it, 9).unwrap());
    assert_eq!(step, Step::Stop(Stop::Questions(vec![1])), "of those two one is put to a person");
    assert!(enters(discussion.look(|it| next_at_once(it, 9).unwrap())));
    assert!(enters(discussion.says("Rob", "A: Q1 net 30.").look(|it| next(it, 9).unwrap())));
    assert!(enters(with_question("Q: and the code? @moderator").look(|it| next(it, 9).unwrap())));
    assert!(
        enters(with_question("Ask @sales?").look(|it| next(it, 9).unwrap())),
        "that is no `Q:`"
    );
}
