//! Questions, tasks, decisions, mentions and costs.

use discussions::state::ItemStatus;

use super::discussion::Discussion;

fn feature() -> Discussion {
    Discussion::new("feature", "participants: [architect, security, pragmatist]")
}

#[test]
fn questions_tasks_and_decisions_are_numbered_in_file_order() {
    let discussion =
        feature().says("Rob", "Q: a\n\nTODO: b\n\nQ: c").says("Ann", "Q: d\n\nDECISION: e");
    discussion.look(|it| {
        let questions: Vec<_> = it
            .state
            .questions()
            .iter()
            .map(|q| (q.number, q.text.as_str(), q.author.as_str()))
            .collect();
        assert_eq!(questions, [(1, "a", "Rob"), (2, "c", "Rob"), (3, "d", "Ann")]);
        assert_eq!((it.state.tasks()[0].number, it.state.decisions[0].number), (1, 1));
    });
}

#[test]
fn numbered_answer_or_done_closes_its_target() {
    let discussion = feature()
        .says("Rob", "Q: one\n\nQ: two\n\nQ: three\n\nTODO: first\n\nTODO: second")
        .says("Ann", "A: Q3 because\n\nDONE: T2 at last");
    discussion.look(|it| {
        let open: Vec<_> = it.state.questions().iter().map(|q| q.is_open()).collect();
        assert_eq!(open, [true, true, false]);
        assert_eq!(it.state.tasks()[0].status, ItemStatus::Open);
        assert_eq!(
            (it.state.tasks()[1].status, it.state.tasks()[1].assignee.as_deref()),
            (ItemStatus::Done, Some("Ann"))
        );
    });
}

#[test]
fn unnumbered_answer_closes_the_best_matching_question() {
    let discussion = feature()
        .says("Rob", "Q: Which database do we use?\n\nQ: What is the token expiry policy?\n\nTODO: write the spec\n\nTODO: measure the latency")
        .says("Ann", "A: The token expiry is one hour.\n\nDONE: Latency measured, 40 ms.");
    discussion.look(|it| {
        assert_eq!(it.state.questions()[0].status, ItemStatus::Open);
        assert_eq!(it.state.questions()[1].status, ItemStatus::Answered);
        assert_eq!(it.state.tasks()[0].status, ItemStatus::Open);
        assert_eq!(it.state.tasks()[1].status, ItemStatus::Done);
    });
    assert_eq!(discussion.problems(), Vec::<&str>::new());
}

#[test]
fn unclear_or_unknown_target_is_reported_by_check() {
    let discussion = feature()
        .says("Rob", "Q: Which database?")
        .says("Ann", "A: Bananas are yellow.\n\nA: Q9 yes\n\nDONE: T1");
    assert_eq!(discussion.problems(), ["target-unclear", "number-unknown", "number-unknown"]);
    discussion.look(|it| assert_eq!(it.state.questions()[0].status, ItemStatus::Open));
}

#[test]
fn answer_does_not_close_a_later_question() {
    let discussion = feature().says("Ann", "A: Q1 yes").says("Rob", "Q: Which?");
    discussion.look(|it| assert_eq!(it.state.questions()[0].status, ItemStatus::Open));
}

#[test]
fn assigned_claims_a_task_by_number_or_text() {
    let discussion = feature()
        .says("Rob", "TODO: write the spec\n\nTODO: measure the latency\n\nTODO: deploy")
        .says("Ann", "ASSIGNED: T1\n\nASSIGNED: the latency measure")
        .says("Rob", "ASSIGNED: T3 @security");
    discussion.look(|it| {
        let tasks: Vec<_> =
            it.state.tasks().iter().map(|task| (task.status, task.assignee.as_deref())).collect();
        let assigned = ItemStatus::Assigned;
        assert_eq!(
            tasks,
            [(assigned, Some("Ann")), (assigned, Some("Ann")), (assigned, Some("security"))]
        );
    });
}

#[test]
fn task_with_a_ticked_box_is_done_even_if_assigned_later() {
    let discussion = feature()
        .says(
            "Rob",
            "- [ ] TODO: write the spec\n- [x] TODO: measure the latency\n1. [X] TODO: deploy",
        )
        .says("Ann", "ASSIGNED: T2\n\nDONE: the spec is written");
    discussion.look(|it| {
        let tasks: Vec<_> =
            it.state.tasks().iter().map(|task| (task.status, task.assignee.as_deref())).collect();
        let done = ItemStatus::Done;
        assert_eq!(tasks, [(done, Some("Ann")), (done, Some("Ann")), (done, None)]);
    });
    assert_eq!(discussion.problems(), Vec::<&str>::new());
}

#[test]
fn repeating_a_decision_or_plus_one_supports_it() {
    let discussion = feature()
        .says("Rob", "DECISION: use JWT\n\nDECISION: one hour expiry")
        .says("Ann", "DECISION: Use  JWT.")
        .says("AI-Security", "+1 D2")
        .says("AI-Security", "again: +1 D2")
        .says("Rob", "+1 D1");
    discussion.look(|it| {
        let decisions: Vec<_> = it
            .state
            .decisions
            .iter()
            .map(|d| {
                (
                    d.author.as_str(),
                    d.supporters.iter().map(|name| name.as_str()).collect::<Vec<_>>(),
                )
            })
            .collect();
        assert_eq!(decisions, [("Rob", vec!["Ann"]), ("Rob", vec!["AI-Security"])]);
    });
    assert_eq!(discussion.says("Ann", "+1 D7").problems(), ["decision-unknown"]);
}

#[test]
fn mention_is_pending_until_the_next_comment_of_its_target() {
    let pending = |discussion: &Discussion| -> Vec<String> {
        discussion
            .look(|it| it.state.pending.iter().map(|it| it.whom.handle().to_owned()).collect())
    };
    let discussion = feature().says("Rob", "@security and @AI-Architect?");
    assert_eq!(pending(&discussion), ["security", "architect"]);
    let answered = discussion.clone().says("AI-Security", "Yes. @rob?");
    assert_eq!(pending(&answered), ["architect", "Rob"]);
    assert_eq!(pending(&answered.says("Rob", "Yes.")), ["architect"]);
    let passed = discussion.line("TURN: 1, asks: [architect]").line("PASS who: architect, turn: 1");
    assert_eq!(pending(&passed), ["security"], "who passes has nothing to say to it");
    assert_eq!(
        pending(&feature().says("Rob", "@all @rob")),
        ["architect", "security", "pragmatist"]
    );
}

#[test]
fn person_may_be_mentioned_before_their_first_comment() {
    let discussion = feature().says("Rob", "@ann?");
    assert_eq!(discussion.problems(), ["mention-unknown"]);
    let came = discussion.says("Ann", "Here.");
    assert_eq!(came.problems(), Vec::<&str>::new());
    came.look(|it| assert!(it.state.pending.is_empty()));
}

#[test]
fn cost_sums_answers_passes_and_failures() {
    let discussion = feature()
        .line("TURN: 1, asks: [architect, security, pragmatist]")
        .replies("AI-Architect", "x")
        .line("PASS who: security, turn: 1, provider: q, tokens: ~1/~2, usd: ~0.25")
        .line("FAILED who: pragmatist, turn: 1, code: exit, calls: 3, provider: p");
    discussion.look(|it| {
        let cost = &it.state.cost;
        assert_eq!((cost.calls, cost.tokens, cost.usd, cost.estimated), (6, 18, 0.75, true));
        let by: Vec<_> =
            cost.by_provider.iter().map(|it| (it.provider.as_str(), it.calls)).collect();
        assert_eq!(by, [("p", 5), ("q", 1)]);
    });
}

#[test]
fn status_lines_close_and_reopen() {
    let discussion = feature().line("STATUS: CLOSED, by: Rob");
    discussion.look(|it| assert!(it.state.closed));
    discussion.line("STATUS: OPEN, by: Rob").look(|it| assert!(!it.state.closed));
}

#[test]
fn unknown_phase_is_ignored_and_reported() {
    let discussion = feature().line("PHASE: nowhere");
    assert_eq!(discussion.problems(), ["phase-unknown"]);
    discussion.look(|it| assert_eq!(it.state.place.phase(), 0));
}

#[test]
fn task_may_be_assigned_to_an_outsider() {
    let discussion = feature().says("Rob", "TODO: measure it\n\nASSIGNED: T1 @mira");
    assert_eq!(discussion.problems(), Vec::<&str>::new());
    let called = feature().says("Rob", "TODO: measure it\n\nASSIGNED: T1 @mira\n\n@mira, when?");
    assert_eq!(called.problems(), ["mention-unknown"]);
}
