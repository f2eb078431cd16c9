//! Decisions and their states, settled concerns, task boxes, and answers without a number.

use discussions::engine::{By, ItemState};
use discussions::state::{ItemKind, ItemStatus};

use super::discussion::Discussion;

fn feature() -> Discussion {
    Discussion::new("feature", "participants: [architect, security, pragmatist]")
}

/// Text, state and cause of each decision.
fn decisions(discussion: &Discussion) -> Vec<(String, ItemState, Option<String>)> {
    discussion.look(|it| {
        let all = it.outcome().items.iter();
        all.map(|one| (one.text.clone(), one.state, one.by.as_ref().map(By::reference))).collect()
    })
}

fn open_questions(discussion: &Discussion) -> Vec<u32> {
    discussion.look(|it| {
        let open = it.state.questions().iter().filter(|one| one.is_open());
        open.map(|one| one.number).collect()
    })
}

/// Text, assignee and status of each task.
fn tasks(discussion: &Discussion) -> Vec<(String, Option<String>, ItemStatus)> {
    discussion.look(|it| {
        let all = it.state.tasks().iter();
        all.map(|one| (one.text.clone(), one.assignee.clone(), one.status)).collect()
    })
}

#[test]
fn decision_replaces_another() {
    let discussion = feature()
        .says("AI-Architect", "DECISION: operations per field")
        .says("AI-Security", "DECISION: the whole document (replaces D1).");
    let states = |discussion: &Discussion| -> Vec<ItemState> {
        decisions(discussion).into_iter().map(|(_, state, _)| state).collect()
    };
    assert_eq!(states(&discussion), [ItemState::Proposed; 2], "nothing is adopted yet");
    assert_eq!(discussion.problems(), Vec::<&str>::new());
    let supported = discussion.clone().says("Rob", "+1 D1").says("Rob", "+1 D2");
    assert_eq!(
        decisions(&supported.line("STATUS: CLOSED, by: Rob")),
        [
            ("operations per field".to_owned(), ItemState::Replaced, Some("D2".to_owned())),
            ("the whole document.".to_owned(), ItemState::InForce, None),
        ]
    );
    let unknown = discussion.says("Rob", "DECISION: neither (replaces D9)");
    assert_eq!((unknown.problems(), decisions(&unknown).len()), (vec!["decision-unknown"], 3));
    let again = feature()
        .says("Rob", "- DECISION: a\n- DECISION: b\n- DECISION: c (replaces D1, D2)")
        .says("Ann", "DECISION: a")
        .line("STATUS: CLOSED, by: Ann");
    let (in_force, replaced) = (ItemState::InForce, ItemState::Replaced);
    let expected = [replaced, replaced, in_force, in_force];
    assert_eq!(states(&again), expected, "stated again it is a new one");
}

#[test]
fn decision_is_withdrawn_by_its_author_or_a_person() {
    let discussion = feature().says("AI-Architect", "DECISION: a\n\nDECISION: b");
    let by_author = discussion.clone().says("architect", "WITHDRAWN: D1 since it costs too much");
    assert_eq!(
        decisions(&by_author)[0],
        ("a".to_owned(), ItemState::Withdrawn, Some("architect".to_owned()))
    );
    let by_person = discussion.clone().says("Rob", "- WITHDRAWN: D1 and D2");
    assert!(decisions(&by_person).iter().all(|one| one.1 == ItemState::Withdrawn));
    let by_other = discussion.clone().says("AI-Security", "WITHDRAWN: D1");
    assert_eq!(
        (decisions(&by_other)[0].1, by_other.problems()),
        (ItemState::Proposed, vec!["not-withdrawn"])
    );
    assert_eq!(discussion.clone().says("Rob", "WITHDRAWN: D9").problems(), ["decision-unknown"]);
    assert_eq!(discussion.says("Rob", "WITHDRAWN: the first one").problems(), ["target-unclear"]);
    assert_eq!(
        by_person.says("Ann", "WITHDRAWN: D1").problems(),
        ["not-withdrawn"],
        "it is gone already"
    );
}

#[test]
fn support_counts_only_for_visible_decisions() {
    let blind = feature()
        .line("TURN: 1, asks: [architect, security]")
        .replies("AI-Architect", "DECISION: a lease never expires")
        .replies("AI-Security", "DECISION: it does\n\n+1 D1");
    assert_eq!(blind.problems(), ["decision-unseen"]);
    let supporters =
        |discussion: &Discussion| discussion.look(|it| it.state.decisions[0].supporters.len());
    assert_eq!(supporters(&blind), 0);
    let seen = blind.line("TURN: 2, asks: [security]").replies("AI-Security", "+1 D1");
    assert_eq!(supporters(&seen), 1);
    assert_eq!(supporters(&seen.says("Rob", "+1 D1")), 2);
}

#[test]
fn concerns_are_numbered_and_settled() {
    let discussion = feature()
        .says(
            "AI-Security",
            "- CONCERN: tokens leak in logs\n- CONCERN: the queue grows without bound",
        )
        .says("Rob", "SETTLED: C2 since it is capped\n\nSETTLED: the tokens leak in logs no more");
    discussion.look(|it| {
        let all: Vec<_> = it
            .state
            .items
            .of(ItemKind::Concern)
            .iter()
            .map(|one| (one.number, one.status))
            .collect();
        assert_eq!(all, [(1, ItemStatus::Settled), (2, ItemStatus::Settled)]);
    });
    assert_eq!(discussion.clone().says("Rob", "SETTLED: C7").problems(), ["number-unknown"]);
    assert_eq!(discussion.says("Rob", "SETTLED: bananas").problems(), ["target-unclear"]);
}

#[test]
fn unnumbered_answer_settles_the_only_question_to_its_author() {
    let discussion = feature()
        .says("AI-Security", "Q: how many writes a second? @architect\n\nQ: is the log kept? @rob");
    for answer in ["A: Twelve.", "**A:** I don't know", "A: (to @security) unknown as well"] {
        let discussion = discussion.clone().says("AI-Architect", answer);
        assert_eq!(
            (open_questions(&discussion), discussion.problems()),
            (vec![2], vec!["mention-unknown"]),
            "{answer}"
        );
    }
    let rob = discussion.says("Rob", "A: Yes, for a year.");
    assert_eq!((open_questions(&rob), rob.problems()), (vec![1], vec![]));
}

#[test]
fn unnumbered_answer_settles_the_only_question_of_a_named_author() {
    let discussion = feature()
        .says("AI-Security", "Q: how many writes a second?")
        .says("AI-Pragmatist", "Q: what does a day cost?");
    assert_eq!(open_questions(&discussion.says("AI-Architect", "A: @pragmatist Twelve.")), [1]);
}

#[test]
fn unnumbered_answer_settles_no_unseen_question() {
    let discussion = feature()
        .line("TURN: 1, asks: [architect, security]")
        .replies("AI-Security", "Q: how many writes a second? @architect")
        .replies("AI-Architect", "A: Twelve.");
    assert_eq!(
        (open_questions(&discussion), discussion.problems()),
        (vec![1], vec!["target-unclear"])
    );
}

#[test]
fn boxes_are_tasks_and_a_leading_mention_assigns_them() {
    let discussion = feature().says("AI-Architect", "Here:\n\n- [ ] @product: draft the sheet\n- [x] measure it\n- [ ] Rob: call customer 1\n- [ ] Risks: name them\n- [ ] `code` first\n\n> - [ ] quoted\n\nLike this:\n\n    - [ ] code\n\n```\n- [ ] code\n```\n\nTODO: @security writes it\n\nTODO: AI-Pragmatist: deploy\n\nTODO: nobody does it for @rob");
    let discussion = discussion.says("Rob", "Fine.");
    let task =
        |text: &str, who: Option<&str>, status| (text.to_owned(), who.map(str::to_owned), status);
    let (open, assigned, done) = (ItemStatus::Open, ItemStatus::Assigned, ItemStatus::Done);
    assert_eq!(
        tasks(&discussion),
        [
            task("@product: draft the sheet", Some("product"), assigned),
            task("measure it", None, done),
            task("Rob: call customer 1", Some("Rob"), assigned),
            task("Risks: name them", None, open),
            task("`code` first", None, open),
            task("@security writes it", Some("security"), assigned),
            task("AI-Pragmatist: deploy", Some("pragmatist"), assigned),
            task("nobody does it for @rob", None, open),
        ]
    );
}

#[test]
fn marker_text_ends_at_next_marker_support_or_capitals() {
    let discussion = feature().says("Rob", "DECISION: first").says(
        "AI-Architect",
        "DECISION: second\n+1 D1\nWEAKNESS (high): it is slow\nCONCERN: third\n**SUGGESTION:** more\nTODO: fourth\ngoes on: here\nA: x",
    );
    let texts = discussion.look(|it| {
        let marks = it.state.said[1].marks.iter();
        marks.map(|mark| mark.text.clone()).collect::<Vec<_>>()
    });
    assert_eq!(texts, ["second", "third", "fourth goes on: here", "x"]);
}

#[test]
fn done_does_not_close_the_opposite_task() {
    let tasks = |done: &str| {
        let discussion =
            Discussion::vote().says("Rob", "TODO: Raise the timeout").says("Mia", done);
        discussion.look(|it| {
            let task = |task: &discussions::state::Item| {
                (task.text.clone(), task.status == discussions::state::ItemStatus::Done)
            };
            it.state.tasks().iter().map(task).collect::<Vec<_>>()
        })
    };
    let open = ("Raise the timeout".to_owned(), false);
    let other = ("Lower the timeout".to_owned(), true);
    assert_eq!(tasks("DONE: Lower the timeout"), [open, other]);
    assert_eq!(tasks("DONE: Raised the timeout"), [("Raise the timeout".to_owned(), true)]);
}
