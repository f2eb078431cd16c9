//! Votes are cast once and shown completely.

use discussions::runner::RunOptions;

use crate::finished_run::{FinishedRun, THREE, by, new};

#[tokio::test(start_paused = true)]
async fn inv_disc_014_vote_immutability() {
    let first = "answers: [{text: \"Fine.\\n\\nCONFIDENCE: 0.9\\n\\nVOTE: READY\"}]";
    let stopped = RunOptions { max_calls: Some(2), ..RunOptions::with_default_limits() };
    let run = FinishedRun::with(&new("voting", &THREE, &[]), first, stopped).await;
    let cast = run.text();
    assert_eq!(cast.matches("VOTE: READY").count(), 2, "two have voted, one is missing");
    let other = "answers: [{text: \"No.\\n\\nCONFIDENCE: 0.9\\n\\nVOTE: REJECT\"}]";
    let run = run.again(other).await;
    let asked: Vec<String> = run
        .recorder
        .calls()
        .into_iter()
        .filter(|asked| asked.phase == "ballot")
        .map(|asked| asked.who)
        .collect();
    assert_eq!(asked, ["pragmatist"], "nobody is asked for a second vote");
    assert!(run.text().starts_with(&cast), "what was cast is not touched");
    let votes = run.result().voting_results.unwrap().votes;
    assert_eq!((votes["READY"], votes["REJECT"]), (2, 1));

    let both = r#"
answers:
  - {participant: security, text: "Torn.\n\nVOTE: READY\n\nVOTE: REJECT"}
  - {text: "Fine.\n\nVOTE: READY"}
"#;
    let run = FinishedRun::of(&new("voting", &THREE, &[]), both).await;
    let results = run.result().voting_results.unwrap();
    assert_eq!(results.ballots.len(), 2, "two votes in one answer are none");
    assert_eq!(results.votes["REJECT"], 0);
}

#[tokio::test(start_paused = true)]
async fn inv_disc_202_voting_transparency() {
    let answers = r#"
answers:
  - {phase: synthesis, text: "So it is."}
  - {participant: architect, text: "It scales.\n\nCONFIDENCE: 0.9\n\nVOTE: READY"}
  - {participant: security, text: "It leaks.\n\nCONFIDENCE: 40 %\n\nVOTE: REJECT"}
  - {text: "Why not.\n\nVOTE: READY"}
"#;
    let results =
        FinishedRun::of(&new("voting", &THREE, &[]), answers).await.result().voting_results;
    let results = results.unwrap();
    let mut ballots: Vec<(&str, &str, f64, &str)> = results
        .ballots
        .iter()
        .map(|it| {
            (
                it.provider.as_str(),
                it.vote.as_str(),
                it.confidence,
                it.reason.lines().next().unwrap(),
            )
        })
        .collect();
    ballots.sort_by_key(|ballot| ballot.0);
    assert_eq!(
        ballots,
        [
            ("architect", "READY", 0.9, "It scales."),
            ("pragmatist", "READY", 0.5, "Why not."),
            ("security", "REJECT", 0.4, "It leaks."),
        ]
    );
    assert_eq!(results.winner, "READY");
    assert_eq!(
        (results.votes["READY"], results.votes["CHANGES"], results.votes["REJECT"]),
        (2, 0, 1)
    );
    assert_eq!((results.weighted_votes["READY"], results.weighted_votes["REJECT"]), (1.4, 0.4));
}

#[tokio::test(start_paused = true)]
async fn agreement_score_is_absent_without_a_ballot() {
    let stated = r#"
answers:
  - {phase: synthesis, text: "So it is.\n\nDECISION: the queue"}
  - {participant: architect, text: "Yes.\n\nCONFIDENCE: 0.9\n\nVOTE: READY"}
  - {participant: security, text: "No.\n\nCONFIDENCE: 0.6\n\nVOTE: REJECT"}
  - {text: "Yes.\n\nVOTE: READY"}
"#;
    let short = || new("synthesis", &THREE, &[("rounds", "1")]);
    let result = FinishedRun::of(&short(), stated).await.result();
    assert_eq!(result.consensus.agreement_score, None, "nobody asked for these votes");
    let silent = "answers: [{text: \"Words.\\n\\nDECISION: go\"}]";
    let result = FinishedRun::of(&short(), silent).await.result();
    assert_eq!(result.consensus.agreement_score, None, "nothing was voted");
    let decided = FinishedRun::of(&by("majority", short()), stated).await.result();
    assert_eq!(
        decided.consensus.agreement_score,
        Some(0.7),
        "(0.9 + 0.5) of 2.0: those votes decide"
    );
}
