//! The outcome of a finished discussion stays, whatever is added later.

use std::fs::OpenOptions;
use std::io::Write as _;

use discussions::engine::DecisionStatus;
use discussions::view::DiscussionResult;
use discussions::workspace::CommentRequest;
use proptest::prelude::*;

use crate::finished_run::{AGREED, FinishedRun, THREE, TWO, new};

/// The outcome as every command and document states it.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    status: DecisionStatus,
    text: String,
    decision: Option<String>,
    by: Option<String>,
    /// The outcome in the list, the log and the status.
    listed: [Option<String>; 3],
    votes: Vec<(String, usize)>,
}

fn stated_outcomes(run: &FinishedRun) -> Told {
    let workspace = run.project.workspace();
    let status = workspace.discussions().status(&run.path).unwrap();
    let listed = workspace.discussions().list(None).unwrap().discussions.remove(0);
    let logged = workspace.decisions().list_decisions(None).unwrap().decided.remove(0);
    let result: DiscussionResult = run.result();
    assert_eq!((listed.status, logged.status), (status.status, status.status));
    assert_eq!(
        (status.consensus.reached, logged.facts.was_decided()),
        (result.success, result.success)
    );
    assert_eq!(listed.tally, status.tally);
    Told {
        status: status.status,
        text: result.synthesis,
        decision: result.outcome.facts.decision.clone(),
        by: result.consensus.synthesizer,
        listed: [
            listed.decided.line(),
            logged.facts.decision,
            status.outcome.map(|outcome| outcome.text),
        ],
        // If no ballot decides, votes of people are listed beside the text.
        votes: result.voting_results.map_or(Vec::new(), |found| {
            let mut votes: Vec<(String, usize)> = Vec::new();
            for ballot in found.ballots {
                votes.push((format!("{}: {}", ballot.provider, ballot.vote), 1));
            }
            votes
        }),
    }
}

async fn finished(template: &str) -> FinishedRun {
    let seats: &[&str] = if template == "dialogue" { &TWO } else { &THREE };
    let run = FinishedRun::of(&new(template, seats, &[]), AGREED).await;
    let ends = match template {
        "voting" | "dialogue" => DecisionStatus::Consensus,
        // No participant votes on its text.
        _ => DecisionStatus::Answered,
    };
    assert_eq!(stated_outcomes(&run).status, ends, "{template}");
    run
}

fn append_text(run: &FinishedRun, block: &str) {
    let mut file = OpenOptions::new().append(true).open(&run.path).unwrap();
    write!(file, "{block}").unwrap();
}

fn answer_to_mention(who: &str, name: &str, turn: usize) -> String {
    format!(
        "\nName: Mira\n\n@{who} what of the cost?\n\n---\n\n\
         <!-- TURN: {turn}, asks: [{who}], at: 2026-11-20T10:00:00Z, mentions: true -->\n\n---\n\n\
         Name: {name}\n<!-- REPLY turn: {turn}, at: 2026-11-20T10:00:00Z, provider: script -->\n\n\
         It is small.\n\nDECISION: count it first\n\n---\n"
    )
}

#[tokio::test]
async fn finished_ballot_is_listed_with_its_options() {
    let seats: &[&str] = &THREE;
    let options = [("options", "queue, cron"), ("early_exit", "false")];
    let answers = r#"
answers:
  - {phase: ballot, text: "It waits less.\n\nCONFIDENCE: 0.8\n\nVOTE: queue"}
  - {text: "We poll no more.\n\nDECISION: queue"}
"#;
    let run = FinishedRun::of(&new("voting", seats, &options), answers).await;
    let before = stated_outcomes(&run);
    let vote = |vote: &str| CommentRequest {
        author: "Mira".into(),
        text: "I would wait.".into(),
        vote: Some(vote.into()),
    };
    let workspace = run.project.workspace();
    let refused =
        workspace.discussions().comment(&run.path, &vote("READY")).unwrap_err().to_string();
    assert_eq!(refused, "`READY` is not an option; the options are: queue, cron");
    let written = workspace.discussions().comment(&run.path, &vote("cron")).unwrap();
    assert!(!written.vote_counts);
    assert_eq!(written.uncounted, ["`Ballot` was already over; the vote is shown but not counted"]);
    assert_eq!(stated_outcomes(&run), before);
    assert_eq!(run.result().outcome.dissent[0].participant, "Mira");
}

#[tokio::test]
async fn vote_on_a_closed_discussion_does_not_count() {
    let run = FinishedRun::of(&new("feature", &THREE, &[]), AGREED).await;
    let status =
        |run: &FinishedRun| run.project.workspace().discussions().status(&run.path).unwrap();
    let before = status(&run);
    append_text(&run, "\n<!-- STATUS: CLOSED, by: Rob -->\n");
    let vote = CommentRequest {
        author: "Mira".into(),
        text: "Too dear.".into(),
        vote: Some("REJECT".into()),
    };
    let written = run.project.workspace().discussions().comment(&run.path, &vote).unwrap();
    assert!(written.closed && !written.vote_counts);
    let why = "the discussion was already closed; the vote is shown but not counted";
    assert_eq!(written.uncounted, [why]);
    let after = status(&run);
    assert_eq!((after.votes, after.tally), (before.votes, before.tally));
    assert_eq!(after.consensus.blocked_by, Vec::<String>::new());
}

/// Additions by people and by participants that they mention, in any order.
fn later_texts() -> impl Strategy<Value = Vec<String>> {
    let one = prop_oneof![
        Just("\nName: Mira\n\nFine with me.\n\n---\n".to_owned()),
        Just("\nName: Rob\n\nDECISION: something else\n\n---\n".to_owned()),
        prop::sample::select(&["READY", "CHANGES", "REJECT", "YES", "NO"][..])
            .prop_map(|vote| format!("\nName: Mira\n\nSo.\n\nVOTE: {vote}\n\n---\n")),
        Just(answer_to_mention("architect", "AI-Architect", 90)),
        Just(answer_to_mention("moderator", "AI-Moderator", 91)),
        Just("\n- [ ] @mira count it\n".to_owned()),
    ];
    prop::collection::vec(one, 1..5)
}

mod slow {
    use super::*;

    #[tokio::test]
    #[ignore = "slow: runs every pattern many times"]
    async fn answer_to_a_mention_after_the_end_is_not_the_final_text() {
        for template in ["synthesis", "critique", "round-robin", "debate", "voting"] {
            let run = finished(template).await;
            let before = stated_outcomes(&run);
            append_text(&run, &answer_to_mention("architect", "AI-Architect", 90));
            append_text(&run, &answer_to_mention("moderator", "AI-Moderator", 91));
            assert_eq!(stated_outcomes(&run), before, "{template}");
        }
    }

    #[tokio::test]
    #[ignore = "slow: runs every pattern many times"]
    async fn comment_of_a_person_after_the_end_is_not_the_final_text() {
        for template in ["synthesis", "critique", "round-robin", "debate", "voting", "dialogue"] {
            let run = finished(template).await;
            let before = stated_outcomes(&run);
            append_text(&run, "\nName: Mira\n\nFine with me.\n\n---\n");
            assert_eq!(stated_outcomes(&run), before, "{template}");
        }
    }

    #[test]
    #[ignore = "slow: runs every pattern many times"]
    fn final_text_and_winner_survive_any_later_comments() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for template in ["synthesis", "critique", "round-robin", "debate", "voting"] {
            let run = runtime.block_on(finished(template));
            let (whole, before) = (run.text(), stated_outcomes(&run));
            let config =
                ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() };
            let law = |later: Vec<String>| {
                std::fs::write(&run.path, &whole).unwrap();
                later.iter().for_each(|block| append_text(&run, block));
                prop_assert_eq!(&stated_outcomes(&run), &before);
                Ok(())
            };
            proptest::test_runner::TestRunner::new_with_rng(
                config,
                proptest::test_runner::TestRng::deterministic_rng(
                    proptest::test_runner::RngAlgorithm::ChaCha,
                ),
            )
            .run(&later_texts(), law)
            .unwrap_or_else(|error| panic!("{template}: {error}"));
        }
    }

    #[tokio::test]
    #[ignore = "slow: runs every pattern many times"]
    async fn vote_after_the_end_does_not_undo_the_outcome() {
        for template in ["synthesis", "critique", "round-robin", "debate", "voting"] {
            let run = finished(template).await;
            let before = stated_outcomes(&run);
            let vote = CommentRequest {
                author: "Mira".into(),
                text: "Too dear.".into(),
                vote: Some("REJECT".into()),
            };
            run.project.workspace().discussions().comment(&run.path, &vote).unwrap();
            assert_eq!(stated_outcomes(&run), before, "{template}");
            // Her objection is shown with the vote.
            let result = run.result();
            let dissent = &result.outcome.dissent;
            let found = dissent.iter().find(|one| one.participant == "Mira");
            assert_eq!(found.map(|one| one.text.as_str()), Some("Too dear."), "{template}");
        }
    }
}
