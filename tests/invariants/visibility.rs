//! The text that each participant sees.

use crate::finished_run::{AGREED, FinishedRun, THREE, TWO, new};

/// Answers that contain the name of their author and a number.
fn numbered_answers() -> String {
    let mut answers = "answers:\n".to_owned();
    for who in ["architect", "security", "pragmatist", "moderator"] {
        for call in 1..=4 {
            answers.push_str(&format!(
                "  - {{participant: {who}, call: {call}, delay_ms: 10, text: \"word-{who}-{call}\\n\\nVOTE: READY\"}}\n"
            ));
        }
    }
    answers
}

#[track_caller]
fn assert_sees(prompt: &str, words: &[&str], not: &[&str]) {
    for word in words {
        assert!(prompt.contains(word), "{word} is not shown:\n{prompt}");
    }
    for word in not {
        assert!(!prompt.contains(word), "{word} is shown:\n{prompt}");
    }
}

#[tokio::test(start_paused = true)]
async fn inv_disc_012_deterministic_synthesis_order() {
    let late = |who: &str| {
        format!(
            "answers:\n  - {{participant: {who}, delay_ms: 500, text: late}}\n  - {{delay_ms: 10, text: early}}\n"
        )
    };
    for who in THREE {
        let run = FinishedRun::of(&new("debate", &THREE, &[("rounds", "1")]), &late(who)).await;
        let prompt = run.recorder.prompt("pragmatist", "verdict", 0);
        let here = "Others: @architect (Systems architect), @security (Security specialist).\n";
        assert_sees(&prompt, &[here], &[]);
        let again = run.recorder.prompt("pragmatist", "verdict", 0);
        let file = run.text();
        let places: Vec<_> = ["Name: AI-Architect", "Name: AI-Security"]
            .map(|name| (file.find(name).unwrap(), prompt.find(name).unwrap()))
            .into();
        assert_eq!(
            places[0].0 < places[1].0,
            places[0].1 < places[1].1,
            "{who} is late: the order of the file is the order of the prompt"
        );
        assert_eq!(prompt, again);
    }
}

#[tokio::test(start_paused = true)]
async fn inv_disc_013_round_context_accumulation() {
    let run =
        FinishedRun::of(&new("round-robin", &THREE, &[("rounds", "3")]), &numbered_answers()).await;
    for (round, call) in [(1, 0), (2, 1), (3, 2)] {
        for (place, who) in THREE.iter().enumerate() {
            let prompt = run.recorder.prompt(who, "discuss", call);
            let all: Vec<String> =
                (1..=3).flat_map(|round| THREE.map(|who| format!("word-{who}-{round}"))).collect();
            let before = (round - 1) * 3 + place;
            let (shown, later) = all.split_at(before);
            let [shown, later] =
                [shown, later].map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
            assert_sees(&prompt, &shown, &later);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn inv_disc_103_round_isolation() {
    for (pattern, phase) in
        [("synthesis", "perspectives"), ("voting", "ballot"), ("debate", "openings")]
    {
        let run = FinishedRun::of(&new(pattern, &TWO, &[]), &numbered_answers()).await;
        for (who, other) in [("architect", "security"), ("security", "architect")] {
            let prompt = run.recorder.prompt(who, phase, 0);
            assert_sees(&prompt, &[], &[&format!("word-{other}-1"), &format!("word-{who}-1")]);
        }
    }
    let dies = "answers: [{participant: architect, fault: exit}, {delay_ms: 5000, text: whole}]";
    let run = FinishedRun::of(&new("synthesis", &THREE, &[("rounds", "1")]), dies).await;
    let kept = run.result().rounds[0].responses.iter().filter(|it| it.content == "whole").count();
    assert_eq!(
        kept, 3,
        "two participants and the synthesizer: a death beside them changes nothing"
    );
}

#[tokio::test(start_paused = true)]
async fn inv_disc_104_context_propagation() {
    let one = ["word-architect-1", "word-security-1", "word-pragmatist-1"];
    let run = FinishedRun::of(&new("synthesis", &THREE, &[]), &numbered_answers()).await;
    assert_sees(&run.recorder.prompt("security", "perspectives", 1), &one, &["word-architect-2"]);

    let run =
        FinishedRun::of(&new("debate", &THREE, &[("rounds", "3")]), &numbered_answers()).await;
    let second = run.recorder.prompt("architect", "rebuttals", 0);
    assert_sees(&second, &one[..2], &["word-security-2"]);
    let third = run.recorder.prompt("architect", "rebuttals", 1);
    assert_sees(
        &third,
        &["word-architect-1", "word-security-1", "word-security-2"],
        &["word-security-3"],
    );

    let run = FinishedRun::of(&new("critique", &THREE, &[]), &numbered_answers()).await;
    assert_sees(&run.recorder.prompt("security", "critique", 0), &one[..1], &["word-pragmatist-1"]);
    assert_sees(&run.recorder.prompt("architect", "refine", 0), &one, &[]);
    assert_sees(&run.recorder.prompt("security", "critique", 1), &["word-architect-2"], &[]);

    let no = numbered_answers().replace("VOTE: READY", "VOTE: NO");
    let run = FinishedRun::of(&new("dialogue", &TWO, &[("rounds", "2")]), &no).await;
    assert_sees(&run.recorder.prompt("architect", "turns", 0), &["word-security-1"], &[]);
    let answer = run.recorder.prompt("security", "turns", 0);
    assert_sees(&answer, &["word-architect-1", "word-architect-3"], &[]);
}

#[tokio::test(start_paused = true)]
async fn inv_disc_200_synthesis_quality() {
    for (pattern, phase, who, rounds) in [
        ("synthesis", "synthesis", "moderator", 2),
        ("round-robin", "synthesis", "moderator", 2),
        ("voting", "synthesis", "moderator", 1),
        ("debate", "verdict", "pragmatist", 2),
    ] {
        let run = FinishedRun::of(&new(pattern, &THREE, &[]), &numbered_answers()).await;
        let prompt = run.recorder.prompt(who, phase, 0);
        for speaker in THREE.iter().filter(|speaker| **speaker != who) {
            // The latest draft of each participant holds what the earlier ones brought.
            let first = if pattern == "synthesis" { rounds } else { 1 };
            for round in first..=rounds {
                assert_sees(&prompt, &[&format!("word-{speaker}-{round}")], &[]);
            }
        }
        let task = &prompt[prompt.find("# Your task").unwrap()..];
        let fair = [
            "not the number of drafts",
            "A point that nobody answered stays",
            "what was never answered stands",
            "the best reason for each other option",
        ];
        assert!(fair.iter().any(|word| task.contains(word)), "{pattern}: minorities too\n{task}");
    }
    let run = FinishedRun::of(&new("synthesis", &TWO, &[]), AGREED).await;
    assert_eq!(run.result().consensus.synthesizer.as_deref(), Some("moderator"));
}
