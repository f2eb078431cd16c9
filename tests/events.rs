//! Events of a run, in an order that front ends can rely on.

use std::collections::BTreeSet;

use discussions::runner::RunOptions;
use discussions::view::{Event, EventKind};

use crate::finished_run::{AGREED, FinishedRun, THREE, TWO, by, new};

/// Follows events like a front end and checks their order.
#[derive(Default)]
struct Follower {
    names: Vec<&'static str>,
    started: bool,
    ended: bool,
    round: Option<u32>,
    turn: Option<u32>,
    /// Whether votes decide in this turn, and whether they were tallied.
    deciding: (bool, bool),
    speaking: BTreeSet<String>,
    /// The participant whose answer was recorded last.
    answered: Option<String>,
    last_round: u32,
}

impl Follower {
    fn follow(mut self, events: &[Event]) -> Self {
        for event in events {
            self.one(event);
        }
        assert!(self.started && self.ended && self.round.is_none() && self.turn.is_none());
        assert!(self.speaking.is_empty());
        self
    }

    fn one(&mut self, event: &Event) {
        let name = event.kind.name();
        self.names.push(name);
        assert!(!self.ended, "{name} after the end");
        assert_eq!(self.started, name != "discussion.start", "{name}");
        assert!(event.file.ends_with("queue-or-cron.md"), "{name} names its file");
        if self.turn.is_some() {
            let round = event.round.unwrap_or(self.last_round);
            assert!(round >= self.last_round, "{name}: rounds only grow");
            self.last_round = round;
        }
        let answers = name.starts_with("answer.") || name == "vote";
        assert_eq!(event.participant.is_some(), answers, "{name}");
        assert!(!answers || self.turn.is_some(), "{name} outside a turn");
        let who = event.participant.clone();
        match &event.kind {
            EventKind::DiscussionStart { .. } => self.started = true,
            EventKind::RoundStart {} => {
                assert_eq!((self.round, self.turn), (None, None), "a round within a round");
                self.round = event.round;
            }
            EventKind::RoundEnd { .. } => {
                assert_eq!(self.turn, None, "a turn goes on after its round");
                assert_eq!(self.round.take(), event.round);
            }
            EventKind::TurnStart { turn, .. } => {
                assert_eq!(self.turn.replace(*turn), None, "a turn within a turn");
                assert_eq!(self.round, event.round, "a turn outside its round");
                self.deciding = (false, false);
            }
            EventKind::ConsensusStart {} => {
                assert!(self.turn.is_some() && self.speaking.is_empty());
                self.deciding = (true, false);
            }
            EventKind::AnswerStart { provider, .. } => {
                assert_eq!(provider, "script");
                assert!(self.speaking.insert(who.unwrap()), "asked twice at once");
            }
            EventKind::AnswerChunk { .. } => assert!(self.speaking.contains(&who.unwrap())),
            EventKind::AnswerEnd { .. } => {
                assert!(self.speaking.remove(who.as_ref().unwrap()), "an end without a beginning");
                self.answered = who;
            }
            EventKind::Vote { .. } => assert_eq!(who, self.answered, "a vote follows its answer"),
            EventKind::Consensus { .. } => {
                assert_eq!(self.deciding, (true, false), "judged once, where votes decide");
                assert!(self.speaking.is_empty(), "judged when all have spoken");
                self.deciding.1 = true;
            }
            EventKind::TurnEnd { turn, .. } => {
                assert_eq!(self.turn.take(), Some(*turn));
                self.speaking.clear();
            }
            EventKind::DiscussionEnd { .. } => self.ended = true,
            EventKind::Aborted {} | EventKind::Error { .. } | EventKind::Note { .. } => {}
            EventKind::Comment { .. }
            | EventKind::Phase { .. }
            | EventKind::Status { .. }
            | EventKind::Rewritten {} => panic!("{name}: nobody did that"),
        }
    }

    fn count(&self, name: &str) -> usize {
        self.names.iter().filter(|it| **it == name).count()
    }
}

#[tokio::test(start_paused = true)]
async fn failures_passes_and_limits_keep_the_event_order() {
    let mixed = r#"
answers:
  - {participant: security, fault: {code: unauthorized}}
  - {participant: pragmatist, phase: ballot, text: '{"sentinel": "NO_RESPONSE"}'}
  - {delay_ms: 10, text: "Fine.\n\nVOTE: READY"}
"#;
    let run = FinishedRun::of(&new("voting", &THREE, &[]), mixed).await;
    let told = Follower::default().follow(&run.events());
    // Only one of three answered, so no text about it is paid for.
    assert_eq!((told.count("answer.start"), told.count("answer.end")), (3, 3), "all that happened");
    let few = RunOptions { max_turns: Some(1), ..RunOptions::with_default_limits() };
    let run = FinishedRun::with(&new("synthesis", &THREE, &[]), AGREED, few).await;
    let told = Follower::default().follow(&run.events());
    assert_eq!(told.names.last(), Some(&"discussion.end"));
    assert_eq!((told.count("answer.start"), told.count("answer.end")), (3, 3));
}

#[tokio::test(start_paused = true)]
async fn ballot_event_stream_is_complete() {
    let run = FinishedRun::of(&new("voting", &TWO, &[]), AGREED).await;
    let lines: Vec<String> = run
        .events()
        .iter()
        .map(|event| {
            let who = event.participant.as_ref().map(|it| format!(" {it}")).unwrap_or_default();
            let round = event.round.map(|it| format!(" ({it})")).unwrap_or_default();
            format!("{}{who}{round}", event.kind.name())
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    discussion.start
    discussion.round.start (1)
    turn.start (1)
    consensus.start (1)
    answer.start architect (1)
    answer.start security (1)
    answer.chunk architect (1)
    answer.chunk security (1)
    answer.end architect (1)
    vote architect (1)
    answer.end security (1)
    vote security (1)
    consensus (1)
    turn.end (1)
    turn.start (1)
    answer.start moderator (1)
    answer.chunk moderator (1)
    answer.end moderator (1)
    turn.end (1)
    discussion.round.end (1)
    discussion.end
    ");
}

#[cfg(unix)]
mod streaming {
    //! A program that prints in pieces, each only after the previous one was reported.

    use std::fs::OpenOptions;
    use std::io::Write as _;
    use std::path::PathBuf;

    use discussions::runner::{Abort, RunOptions, Runner};
    use discussions::view::{CallOutcome, Event, EventKind};

    use crate::finished_run::{TWO, new};
    use crate::project::Project;

    /// Returns the chunks and the outcome of one participant's turn, and the file.
    async fn turn(
        script: &str,
        mut heard: impl FnMut(&str, &PathBuf) + Send,
    ) -> (Vec<String>, CallOutcome, String) {
        let project = Project::new();
        let (fifo, program) = (project.path("go-on"), project.path("model.sh"));
        project.write("model.sh", script);
        let (fifo_text, program) = (fifo.display(), program.display());
        project.write(
            "providers.yaml",
            &format!(
                "providers:\n  - name: slow\n    command: /bin/sh \"{program}\"\n    timeout: 20s\n    retries: 0\n    env: {{PATH: \"/usr/bin:/bin\", FIFO: \"{fifo_text}\"}}\n"
            ),
        );
        let path = project.create(&new("synthesis", &TWO, &[]));
        let options = RunOptions::turn(["security"]).through("slow");
        let (mut chunks, mut outcome) = (Vec::new(), None);
        let mut note = |event: Event| match event.kind {
            EventKind::AnswerChunk { text } => {
                assert_eq!(event.participant.as_deref(), Some("security"));
                assert!(outcome.is_none(), "a chunk after the end");
                heard(&text, &fifo);
                chunks.push(text);
            }
            EventKind::AnswerEnd { outcome: ended, .. } => outcome = Some(ended),
            _ => {}
        };
        let runner =
            Runner::new(project.workspace()).with_consents(discussions::provider::Consents::all());
        runner.execute(&path, &options, &mut note, Abort::never()).await.unwrap();
        (chunks, outcome.unwrap(), project.read(&path))
    }

    #[tokio::test]
    async fn chunks_are_reported_while_a_program_prints() {
        let script = "cat >/dev/null; mkfifo \"$FIFO\"\nprintf 'First, '; read go <\"$FIFO\"\nprintf 'then the rest.\\n\\nVOTE: READY\\n'\n";
        let mut told = 0;
        let (chunks, outcome, text) = turn(script, |_, fifo| {
            told += 1;
            if told == 1 {
                // The program waits for this line, so it can end only after its first words were reported.
                writeln!(OpenOptions::new().write(true).open(fifo).unwrap(), "go").unwrap();
            }
        })
        .await;
        assert_eq!(chunks[0], "First, ", "before the program goes on");
        assert!(chunks.len() >= 2, "{chunks:?}");
        assert_eq!(chunks.concat().trim_end(), "First, then the rest.\n\nVOTE: READY");
        // No vote counts in this phase, so the event names none.
        assert!(matches!(&outcome, CallOutcome::Answered { vote: None }));
        assert_eq!(text.matches("First, then the rest.").count(), 1, "recorded whole, once");
    }

    #[tokio::test]
    async fn text_of_an_aborted_answer_is_not_recorded() {
        let script = "cat >/dev/null; printf 'Half of it, '; exit 3\n";
        let (chunks, outcome, text) = turn(script, |_, _| {}).await;
        assert_eq!(chunks.concat(), "Half of it, ");
        assert!(
            matches!(&outcome, CallOutcome::Failed { error } if error.code == "exit"),
            "{outcome:?}"
        );
        assert!(!text.contains("Name: AI-Security"), "{text}");
        assert!(text.contains("<!-- FAILED who: security"), "{text}");
    }
}

mod slow {
    use super::*;

    #[tokio::test(start_paused = true)]
    #[ignore = "slow: runs many discussions"]
    async fn events_of_every_pattern_come_in_order() {
        for (new, rounds, turns, answers, votes, checks) in [
            (new("synthesis", &THREE, &[]), 2, 3, 7, 0, 0),
            (by("majority", new("round-robin", &TWO, &[("rounds", "1")])), 1, 3, 5, 4, 1),
            (new("debate", &THREE, &[]), 2, 3, 5, 0, 0),
            (new("critique", &THREE, &[]), 2, 5, 7, 0, 0),
            (new("voting", &THREE, &[]), 1, 2, 4, 3, 1),
            (new("dialogue", &TWO, &[]), 1, 2, 4, 4, 1),
            (new("artifact-review", &["product", "risk"], &[("artifact", "a.md")]), 1, 1, 2, 1, 0),
        ] {
            let name = new.template.clone().unwrap();
            let run = FinishedRun::of(&new, AGREED).await;
            let mut events = std::mem::take(&mut *run.project.events.lock().unwrap());
            for event in &mut events {
                // The review is named after its artifact; the rest of the path does not matter here.
                event.file = "queue-or-cron.md".into();
            }
            let told = Follower::default().follow(&events);
            assert_eq!(told.count("discussion.round.start"), rounds, "{name}");
            assert_eq!(told.count("turn.start"), turns, "{name}");
            assert_eq!(told.count("answer.start"), answers, "{name}");
            assert_eq!(told.count("answer.end"), answers, "{name}");
            assert_eq!(told.count("answer.chunk"), answers, "{name}");
            assert_eq!(told.count("vote"), votes, "{name}");
            assert_eq!(told.count("consensus.start"), checks, "{name}");
            assert_eq!(told.count("consensus"), checks, "{name}");
        }
    }
}
