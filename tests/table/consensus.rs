//! Votes and their result.

use discussions::engine::{ConsensusState, DecisionStatus};
use discussions::state::{ConsensusRules, confidence};
use discussions::template::{ConsensusConfig, Method};
use discussions::view::discussion_result;

use super::discussion::Discussion;

const THREE: &str = "participants: [architect, security, pragmatist]";

fn decision(discussion: &Discussion) -> ConsensusState {
    discussion.look(|it| it.outcome().consensus.clone())
}

fn status(discussion: &Discussion) -> DecisionStatus {
    decision(discussion).status
}

/// A voting-pattern discussion with these ballots and confidences.
fn pattern(rules: &str, ballots: &[(&str, &str, &str)]) -> Discussion {
    let discussion = Discussion::new(
        "voting",
        &format!("{THREE}\nconsensus: {{{rules}, human_required: false}}"),
    );
    let discussion = discussion.line("TURN: 1, asks: [architect, security, pragmatist]");
    ballots.iter().fold(discussion, |discussion, (name, vote, sure)| {
        let sure = if sure.is_empty() { String::new() } else { format!("CONFIDENCE: {sure}\n\n") };
        discussion.replies(name, &format!("{sure}VOTE: {vote}"))
    })
}

#[test]
fn two_of_three_ready_votes_reach_0_67() {
    let discussion = Discussion::vote().votes(&[
        ("AI-Architect", "READY"),
        ("AI-Security", "READY"),
        ("AI-Pragmatist", "CHANGES"),
    ]);
    let result = decision(&discussion);
    assert!(result.reached);
    assert_eq!(result.tally.outcome.unwrap().as_str(), "READY");
    assert_eq!(status(&discussion), DecisionStatus::Consensus);
}

#[test]
fn reject_blocks_consensus() {
    let discussion = Discussion::vote().votes(&[
        ("AI-Architect", "READY"),
        ("AI-Security", "REJECT"),
        ("AI-Pragmatist", "READY"),
    ]);
    let result = decision(&discussion);
    assert!(!result.reached);
    assert_eq!(result.tally.blocked_by, ["AI-Security"]);
    assert_eq!(status(&discussion), DecisionStatus::Blocked);
}

#[test]
fn shares_are_rounded_half_up_to_whole_percent() {
    for (ready, of, threshold, reached) in [
        (2, 3, "0.67", true),
        (2, 3, "0.68", false),
        (1, 3, "0.33", true),
        (1, 3, "0.34", false),
        (1, 6, "0.17", true),
        (5, 6, "0.83", true),
        (5, 8, "0.63", true),
        (3, 8, "0.38", true),
    ] {
        let head = format!(
            "participants: [architect, security]\nconsensus: {{threshold_ready: {threshold}, human_required: false}}"
        );
        let mut discussion =
            Discussion::new("feature", &head).line("PHASE: consensus_vote").line("VOTE-RESET");
        let names = ["AI-Architect", "AI-Security", "Ann", "Bea", "Cem", "Dan", "Eve", "Fay"];
        for (index, name) in names.iter().take(of).enumerate() {
            discussion =
                discussion.votes(&[(name, if index < ready { "READY" } else { "CHANGES" })]);
        }
        assert_eq!(decision(&discussion).reached, reached, "{ready} of {of} at {threshold}");
    }
}

#[test]
fn reject_share_at_its_threshold_blocks_before_ready_counts() {
    for (threshold, blocked) in [("0.01", true), ("0.33", true), ("0.34", false)] {
        let head =
            format!("{THREE}\nconsensus: {{threshold_reject: {threshold}, human_required: false}}");
        let discussion = Discussion::new("feature", &head).line("PHASE: consensus_vote").votes(&[
            ("AI-Architect", "READY"),
            ("AI-Security", "READY"),
            ("AI-Pragmatist", "REJECT"),
        ]);
        assert_eq!(!decision(&discussion).tally.blocked_by.is_empty(), blocked, "{threshold}");
        assert_eq!(decision(&discussion).reached, !blocked, "{threshold}");
    }
}

#[test]
fn consensus_needs_all_personas_done_and_half_voting() {
    let asked = Discussion::vote().line("TURN: 1, asks: [architect, security, pragmatist]");
    let two = asked.clone().votes(&[("AI-Architect", "READY"), ("AI-Security", "READY")]);
    assert!(!decision(&two).reached);
    assert_eq!(decision(&two).tally.missing, ["AI-Pragmatist"]);
    let passed = two.clone().line("PASS who: pragmatist, turn: 1");
    assert!(decision(&passed).reached && !decision(&passed).tally.degraded);
    let failed =
        two.line("FAILED who: pragmatist, turn: 1, code: exit, retryable: true, message: \"x\"");
    assert!(
        decision(&failed).reached && decision(&failed).tally.degraded,
        "degraded (someone failed) from whole"
    );
    let one = asked
        .votes(&[("AI-Architect", "READY")])
        .line("PASS who: security, turn: 1")
        .line("PASS who: pragmatist, turn: 1");
    assert!(!decision(&one).reached, "less than half voted");
}

#[test]
fn human_required_needs_a_ready_vote_of_a_person() {
    let head = format!("{THREE}\nconsensus: {{human_required: true}}");
    let discussion = Discussion::new("feature", &head).line("PHASE: consensus_vote").votes(&[
        ("AI-Architect", "READY"),
        ("AI-Security", "READY"),
        ("AI-Pragmatist", "READY"),
    ]);
    assert!(decision(&discussion).tally.human_required && !decision(&discussion).reached);
    assert_eq!(status(&discussion), DecisionStatus::Open);
    let changes = discussion.clone().votes(&[("Rob", "CHANGES")]);
    assert!(!decision(&changes).reached, "a person's READY, not any vote");
    let ready = discussion.votes(&[("Rob", "READY")]);
    assert!(decision(&ready).reached && !decision(&ready).tally.human_required);
}

#[test]
fn votes_decide_only_in_a_phase_with_voting_mode() {
    let discussion = Discussion::new("feature", THREE).votes(&[
        ("AI-Architect", "REJECT"),
        ("AI-Security", "REJECT"),
        ("AI-Pragmatist", "REJECT"),
    ]);
    assert_eq!(discussion.ballot().len(), 3, "always tallied and shown");
    assert_eq!(status(&discussion), DecisionStatus::Open);
}

#[test]
fn latest_vote_since_the_last_reset_counts() {
    let discussion =
        Discussion::vote().votes(&[("AI-Security", "REJECT"), ("AI-Security", "READY")]);
    assert_eq!(discussion.ballot(), [("AI-Security".into(), "READY".into())]);
    assert_eq!(discussion.line("VOTE-RESET").ballot(), []);
}

#[test]
fn comment_without_a_vote_keeps_the_earlier_vote() {
    let discussion =
        Discussion::vote().votes(&[("AI-Security", "READY")]).says("AI-Security", "One more word.");
    assert_eq!(discussion.ballot().len(), 1);
}

#[test]
fn background_failed_and_passed_participants_never_vote() {
    let asked = Discussion::vote().line("TURN: 1, asks: [architect, security]");
    for (row, discussion) in [
        ("background participants", Discussion::vote().votes(&[("AI-Researcher", "REJECT")])),
        ("failed", asked.clone().line("FAILED who: security, turn: 1, code: exit")),
        ("passed", asked.clone().line("PASS who: security, turn: 1")),
        ("empty answers", asked.clone().replies("AI-Security", "")),
        ("look-alike names", Discussion::vote().votes(&[("\u{410}I-Architect", "READY")])),
        ("the program's own name", Discussion::vote().votes(&[("Discussions", "READY")])),
        (
            "a look-alike of the program's name",
            Discussion::vote().votes(&[("Discuss\u{456}ons", "READY")]),
        ),
    ] {
        assert_eq!(discussion.ballot(), [], "{row}");
    }
}

#[test]
fn look_alike_of_an_earlier_person_never_votes() {
    let discussion = Discussion::vote().votes(&[("Robert", "READY"), ("R\u{43E}bert", "REJECT")]);
    assert_eq!(discussion.ballot(), [("Robert".into(), "READY".into())]);
}

#[test]
fn vote_of_a_person_counts_like_one_of_a_persona() {
    let discussion = Discussion::vote().votes(&[("Rob", "READY"), ("architect", "CHANGES")]);
    assert_eq!(
        discussion.ballot(),
        [("Rob".into(), "READY".into()), ("architect".into(), "CHANGES".into())]
    );
    assert_eq!(
        Discussion::vote()
            .votes(&[("ai-ARCHITECT", "READY"), ("architect", "REJECT")])
            .ballot()
            .len(),
        1
    );
}

#[test]
fn restored_vote_counts_only_if_its_phase_still_counts() {
    let restored = |discussion: Discussion| {
        let mut discussion = discussion;
        discussion.text.push_str(
            "\nName: AI-Security\n<!-- RESTORED phase: consensus_vote -->\n\nVOTE: READY\n\n---\n",
        );
        discussion.ballot().iter().any(|(name, vote)| name == "AI-Security" && vote == "READY")
    };
    assert!(restored(Discussion::vote()));
    assert!(!restored(Discussion::new("feature", THREE)), "another phase");
    assert!(!restored(Discussion::vote().line("PHASE: detailed_review, by: Rob")), "left again");
    assert!(
        !restored(Discussion::vote().votes(&[("AI-Security", "REJECT")])),
        "never over a later one"
    );
}

#[test]
fn confidence_is_read_from_0_to_1_and_0_to_100() {
    for (row, text, read) in [
        ("up to 1 a fraction", "0.8", Some((0.8, false))),
        ("1 is a fraction", "1", Some((1.0, false))),
        ("above it per cent", "80", Some((0.8, false))),
        ("`%` allowed", "80%", Some((0.8, false))),
        ("`%` makes a fraction per cent", "0.5 %", Some((0.005, false))),
        ("outside is clamped and noted", "140", Some((1.0, true))),
        ("below is clamped and noted", "-3", Some((0.0, true))),
        ("no number", "high", None),
        ("no number that ends", "inf", None),
    ] {
        assert_eq!(confidence(text), read, "{row}");
    }
    let discussion = pattern(
        "method: voting",
        &[("AI-Architect", "READY", "140"), ("AI-Security", "READY", "")],
    );
    assert!(discussion.problems().contains(&"confidence-out-of-bounds"), "noted");
    discussion.look(|it| assert_eq!(it.state.ballot.votes[1].confidence, None, "unstated"));
    let shares = decision(&discussion).tally.shares;
    assert!((shares[0].weighted - 1.5).abs() < 1e-9, "unstated weighs 0.5: {shares:?}");
}

#[test]
fn voting_weighs_by_confidence_and_persona_against_0_5() {
    let ballots = [
        ("AI-Architect", "READY", "0.9"),
        ("AI-Security", "REJECT", "0.3"),
        ("AI-Pragmatist", "REJECT", "0.3"),
    ];
    let result = decision(&pattern("method: voting", &ballots));
    assert!(result.reached);
    assert_eq!(result.tally.outcome.unwrap().as_str(), "READY");
    assert!(
        (result.tally.agreement.unwrap() - 0.6).abs() < 1e-9,
        "the share of weighted votes behind the outcome"
    );
    assert!(!decision(&pattern("method: voting, threshold: 0.7", &ballots)).reached);
    let mut heavy = pattern("method: voting", &ballots);
    heavy.text = heavy.text.replace("consensus:", "weights: {security: 3}\nconsensus:");
    assert_eq!(decision(&heavy).tally.outcome.unwrap().as_str(), "REJECT", "persona weight");
}

#[test]
fn majority_needs_more_than_half_of_the_votes() {
    let three = [
        ("AI-Architect", "READY", ""),
        ("AI-Security", "READY", ""),
        ("AI-Pragmatist", "REJECT", "0.9"),
    ];
    assert!(decision(&pattern("method: majority", &three)).reached);
    let split = [
        ("AI-Architect", "READY", ""),
        ("AI-Security", "CHANGES", ""),
        ("AI-Pragmatist", "REJECT", ""),
    ];
    assert!(!decision(&pattern("method: majority", &split)).reached);
}

#[test]
fn unanimous_needs_equal_votes_and_none_missing() {
    let all = [
        ("AI-Architect", "READY", ""),
        ("AI-Security", "READY", ""),
        ("AI-Pragmatist", "READY", ""),
    ];
    assert!(decision(&pattern("method: unanimous", &all)).reached);
    assert!(!decision(&pattern("method: unanimous", &all[..2])).reached, "one is missing");
    let one_against = [all[0], all[1], ("AI-Pragmatist", "REJECT", "")];
    assert!(!decision(&pattern("method: unanimous", &one_against)).reached);
    let failed =
        pattern("method: unanimous", &all[..2]).line("FAILED who: pragmatist, turn: 1, code: exit");
    assert!(!decision(&failed).reached, "one failed");
}

#[test]
fn tie_goes_to_more_unweighted_votes_or_has_no_winner() {
    let by_votes = [
        ("AI-Architect", "READY", "0.8"),
        ("AI-Security", "REJECT", "0.4"),
        ("AI-Pragmatist", "REJECT", "0.4"),
    ];
    let result = decision(&pattern("method: voting", &by_votes));
    assert_eq!((result.tally.outcome.unwrap().as_str(), result.tally.tied), ("REJECT", false));
    let even = [("AI-Architect", "READY", "0.5"), ("AI-Security", "REJECT", "0.5")];
    let result = decision(&pattern("method: voting", &even).line("PASS who: pragmatist, turn: 1"));
    assert_eq!((result.tally.outcome, result.tally.tied, result.reached), (None, true, false));
}

#[test]
fn agreement_score_is_absent_without_votes() {
    assert_eq!(decision(&pattern("method: voting", &[])).tally.agreement, None);
    let discussion = Discussion::vote().votes(&[
        ("AI-Architect", "READY"),
        ("AI-Security", "READY"),
        ("AI-Pragmatist", "CHANGES"),
    ]);
    assert!(
        (decision(&discussion).tally.agreement.unwrap() - 2.0 / 3.0).abs() < 1e-9,
        "one meaning everywhere"
    );
}

#[test]
fn file_with_and_without_head_have_equal_defaults() {
    for method in Method::ALL {
        let config = ConsensusConfig { method: Some(method), ..ConsensusConfig::default() };
        let headless = ConsensusRules::from(config.clone());
        let made = ConsensusRules::from(config.or(&method.defaults()));
        assert_eq!(headless, made, "{}", method.as_str());
        assert_eq!(headless.human_required, method == Method::Thresholds, "{}", method.as_str());
    }
}

#[test]
fn too_few_votes_are_no_consensus_in_every_document() {
    let two = "participants: [architect, security]\nconsensus: {human_required: false}";
    let discussion = Discussion::new("feature", two)
        .line("PHASE: consensus_vote")
        .line("TURN: 1, asks: [architect, security]")
        .replies("AI-Architect", "VOTE: READY")
        .line("FAILED who: security, turn: 1, code: timeout, retryable: true, message: \"late\"");
    let decision = decision(&discussion);
    assert!(decision.tally.carries, "the one vote is READY");
    assert!(!decision.reached, "but one is fewer than the two that are needed");
    assert_eq!(decision.status, DecisionStatus::Open);
    let result = discussion.look(|it| discussion_result(it, "a.md", None));
    assert!(!result.consensus.reached && !result.success);
}

#[test]
fn vote_of_an_agent_counts_but_not_as_a_person() {
    let rules = "consensus: {method: majority, human_required: true}";
    let seats = "participants: [agent, architect, security]";
    let ballots = [("agent", "READY"), ("AI-Architect", "READY"), ("AI-Security", "CHANGES")];
    let of = |head: &str| {
        let discussion = Discussion::new("voting", &format!("{head}\n{rules}"));
        decision(&discussion.line("TURN: 1, asks: [agent, architect, security]").votes(&ballots))
    };
    let agent = of(&format!("{seats}\nagents: [agent]"));
    let tally = agent.tally;
    assert_eq!(tally.outcome.unwrap().as_str(), "READY", "two of three, the agent's among them");
    assert!(tally.human_required && !agent.reached);
    assert!(of(seats).reached, "without that line of the head it is a person of this name");
}
