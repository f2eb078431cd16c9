//! The flow of each pattern: its phases, their order, and how many calls are parallel.

use crate::finished_run::{AGREED, FinishedRun, THREE, TWO, new};

#[tokio::test(start_paused = true)]
async fn inv_disc_500_parallel_execution() {
    let slow = AGREED.replace("delay_ms: 10", "delay_ms: 1000");
    for (pattern, turns, seconds) in [("synthesis", 3, 3), ("voting", 2, 2)] {
        let start = tokio::time::Instant::now();
        let run = FinishedRun::of(&new(pattern, &THREE, &[]), &slow).await;
        assert_eq!(run.recorder.at_once(1), 3, "{pattern}: the first calls run together");
        assert_eq!(run.report.turns, turns, "{pattern}");
        assert_eq!(
            start.elapsed().as_secs(),
            seconds,
            "{pattern}: a turn takes as long as one call"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn inv_disc_501_duration_tracking() {
    let answers = r#"
answers:
  - {participant: architect, delay_ms: 30, text: "One."}
  - {participant: security, delay_ms: 50, text: "Two."}
  - {participant: pragmatist, delay_ms: 20, text: "Three."}
  - {participant: moderator, delay_ms: 40, text: "All."}
"#;
    for (pattern, rounds) in [("synthesis", [50, 50 + 40]), ("round-robin", [100, 100 + 40])] {
        let result = FinishedRun::of(&new(pattern, &THREE, &[]), answers).await.result();
        let told: Vec<u64> = result.rounds.iter().map(|round| round.duration_ms).collect();
        assert_eq!(told, rounds, "{pattern}: at once they take the longest, in turn the sum");
        assert_eq!(result.total_duration_ms, rounds.iter().sum::<u64>(), "{pattern}");
        let first = &result.rounds[0].responses;
        let mut each: Vec<u64> = first.iter().map(|response| response.duration_ms).collect();
        each.sort_unstable();
        assert_eq!(each, [20, 30, 50], "{pattern}");
    }
}

mod slow {
    use super::*;

    #[tokio::test(start_paused = true)]
    #[ignore = "slow: runs many discussions"]
    async fn inv_disc_001_pattern_determines_execution_flow() {
        let three = "architect security pragmatist";
        for (pattern, participants, set, flow) in [
            (
                "synthesis",
                &THREE[..],
                &[][..],
                vec![
                    format!("perspectives: {three}, 3 at once"),
                    format!("perspectives: {three}, 3 at once"),
                    "synthesis: moderator, 1 at once".to_owned(),
                ],
            ),
            (
                "round-robin",
                &THREE,
                &[],
                vec![
                    format!("discuss: {three}, 1 at once"),
                    format!("discuss: {three}, 1 at once"),
                    "synthesis: moderator, 1 at once".to_owned(),
                ],
            ),
            (
                "debate",
                &THREE,
                &[],
                vec![
                    "openings: architect security, 2 at once".to_owned(),
                    "rebuttals: architect security, 2 at once".to_owned(),
                    "verdict: pragmatist, 1 at once".to_owned(),
                ],
            ),
            (
                "critique",
                &THREE,
                &[("rounds", "1")],
                vec![
                    "propose: architect, 1 at once".to_owned(),
                    "critique: security pragmatist, 2 at once".to_owned(),
                    "refine: architect, 1 at once".to_owned(),
                ],
            ),
            (
                "voting",
                &THREE,
                &[],
                vec![
                    format!("ballot: {three}, 3 at once"),
                    "synthesis: moderator, 1 at once".to_owned(),
                ],
            ),
            (
                "dialogue",
                &TWO,
                &[("min_rounds", "2")],
                vec![
                    "draft: architect security, 2 at once".to_owned(),
                    "turns: architect security, 1 at once".to_owned(),
                    "check: architect security, 2 at once".to_owned(),
                ],
            ),
            (
                "artifact-review",
                &["product", "technical", "risk"],
                &[("artifact", "spec.md")],
                vec!["perspectives: product technical risk, 3 at once".to_owned()],
            ),
        ] {
            let run = FinishedRun::of(&new(pattern, participants, set), AGREED).await;
            assert_eq!(run.flow(), flow, "{pattern}");
        }
    }
}
