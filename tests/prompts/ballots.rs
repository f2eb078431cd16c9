//! The prompts of ballots on a text: the question, the text and what is still open.

use std::path::Path;
use std::sync::Arc;

use discussions::runner::RunOptions;
use discussions::transcript::Name;
use discussions::workspace::CommentRequest;

use crate::finished_run::{THREE, by, new};
use crate::project::Project;
use crate::recording_provider::{RecordedCall, RecordingProvider};

/// A concern that is longer than the lists of other prompts show.
const CONCERN: &str = "the gateway keeps every token for a day, and the customers that left in the morning still sign \
    in at night, so the export of a former customer reaches a person who no longer works there, and nobody sees it";

fn answers() -> String {
    format!(
        "answers:
  - {{participant: security, phase: initial_feedback, text: \"A first reaction.\\n\\n- Q: Who keeps the tokens? @ann\"}}
  - {{phase: initial_feedback, text: \"A first reaction.\"}}
  - {{participant: security, phase: detailed_review, text: \"A long review.\\n\\n- CONCERN: {CONCERN}\"}}
  - {{phase: detailed_review, text: \"A long review.\"}}
  - {{phase: consensus_vote, participant: pragmatist, call: 3, text: \"Name the owner.\\n\\nVOTE: CHANGES\"}}
  - {{phase: consensus_vote, text: \"Fine.\\n\\nVOTE: CHANGES\"}}
  - {{text: \"DECISION: build the export\\n\\nThe words of the text.\"}}
"
    )
}

fn comment(project: &Project, path: &Path, text: &str) {
    let author = Name::parse("Rob").unwrap().to_string();
    let remark = CommentRequest { author, text: text.to_owned(), vote: None };
    project.workspace().discussions().comment(path, &remark).unwrap();
}

async fn run(project: &Project, path: &Path, recorder: &Arc<RecordingProvider>) {
    let options = RunOptions { no_wait: true, ..RunOptions::with_default_limits() };
    project.run(path, recorder.clone(), options).await.unwrap();
}

fn calls_of<'c>(calls: &'c [RecordedCall], phase: &str) -> Vec<&'c RecordedCall> {
    calls.iter().filter(|call| call.phase == phase).collect()
}

#[tokio::test(start_paused = true)]
async fn ballot_on_a_text_shows_question_text_and_open_items_but_no_comments() {
    for template in ["feature", "code-review", "architecture-decision"] {
        let project = Project::new();
        let path = project.create(&new(template, &THREE, &[]));
        comment(&project, &path, "Nobody may keep a copy.");
        let recorder = RecordingProvider::new(&answers());
        run(&project, &path, &recorder).await;
        let calls = recorder.calls();
        let ballot = calls_of(&calls, "consensus_vote");
        assert_eq!(ballot.len(), 3, "{template}");
        for call in ballot {
            let prompt = &call.prompt;
            for shown in [
                "We poll every minute.",
                "Rob adds:\n\nNobody may keep a copy.",
                "# The text\n\n",
                "The words of the text.",
                "# Still open\n",
                "- Q1, AI-Security: Who keeps the tokens?",
                CONCERN,
            ] {
                assert!(prompt.contains(shown), "{template}: no {shown:?} in\n{prompt}");
            }
            for hidden in ["A first reaction.", "A long review.", "From the record:"] {
                assert!(!prompt.contains(hidden), "{template}: {hidden:?} in\n{prompt}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn second_ballot_shows_the_conditions_of_the_first() {
    let project = Project::new();
    let path = project.create(&new("feature", &THREE, &[]));
    let recorder = RecordingProvider::new(&answers());
    run(&project, &path, &recorder).await;
    comment(&project, &path, "Ann owns it.\n\nVOTE: CHANGES");
    run(&project, &path, &recorder).await;
    let calls = recorder.calls();
    let ballots = calls_of(&calls, "consensus_vote");
    assert_eq!(ballots.len(), 6);
    for (index, call) in ballots.iter().enumerate() {
        let is_second = index >= 3;
        assert_eq!(
            call.prompt.contains("# By AI-Pragmatist\n\nName the owner.\n\nVOTE: CHANGES"),
            is_second
        );
        assert_eq!(call.prompt.contains("Ann owns it."), is_second);
    }
}

/// A person may start a ballot before there is a text. Then the discussion is what the vote is about.
#[tokio::test(start_paused = true)]
async fn ballot_without_a_text_shows_the_whole_record() {
    let project = Project::new();
    let path = project.create(&new("feature", &THREE, &[]));
    project.workspace().discussions().advance(&path, Some("initial_feedback"), "Rob").unwrap();
    comment(&project, &path, "A comment before the vote.");
    project.workspace().discussions().advance(&path, Some("consensus_vote"), "Rob").unwrap();
    let recorder = RecordingProvider::new(&answers());
    run(&project, &path, &recorder).await;
    let calls = recorder.calls();
    let ballot = calls_of(&calls, "consensus_vote");
    assert!(!ballot.is_empty());
    for call in ballot {
        assert!(call.prompt.contains("Name: Rob\n\nA comment before the vote."), "{}", call.prompt);
    }
}

/// Prompts of other comments show the record, so a selection would have no effect.
#[test]
fn selection_of_texts_needs_a_text_or_a_ballot() {
    let phase = "phases:\n  - {id: talk, instructions: Talk., shows: [talk]";
    for (more, is_refused) in
        [("}", true), (", voting_mode: true}", false), (", text: true}", false)]
    {
        let project = Project::new();
        let text = format!(
            "---\nid: own\ntitle: Own\nsummary: own\n{phase}{more}\n---\n# {{{{ title }}}}\n\n---\n"
        );
        project.write("templates/own.md", &text);
        let created = project.workspace().discussions().create(&new("own", &THREE, &[]));
        let message = created.err().map(|error| error.to_string()).unwrap_or_default();
        let refused = message.contains("`shows` needs `text: true` or `voting_mode: true`");
        assert_eq!(refused, is_refused, "{more}: {message}");
    }
}

#[tokio::test(start_paused = true)]
async fn ballot_of_an_anonymous_pattern_names_no_participant() {
    let project = Project::new();
    let path = project.create(&by("majority", new("synthesis", &THREE, &[])));
    comment(&project, &path, "AI-Architect knows the table.");
    let recorder = RecordingProvider::new(
        "answers:\n  - {phase: ballot, text: \"VOTE: READY\"}\n  - {text: The answer.}\n",
    );
    run(&project, &path, &recorder).await;
    let calls = recorder.calls();
    let ballot = calls_of(&calls, "ballot");
    assert!(!ballot.is_empty());
    for call in ballot {
        let (record, _) = call.prompt.rsplit_once("THE RECORD ENDS").unwrap();
        assert!(record.contains("# The text\n\nThe answer.") && record.contains("knows the table"));
        assert!(!record.contains("Architect"), "{record}");
    }
}

#[tokio::test(start_paused = true)]
async fn prompts_of_texts_ask_for_one_condition_in_a_sentence() {
    let set = [("review", "true"), ("objections", "1")];
    for (template, who, set) in [
        ("second-look", &["author", "reviewer"][..], &[][..]),
        ("solo", &["author"], &[]),
        ("synthesis", &THREE, &set[..]),
        ("critique", &THREE, &set[..]),
        ("round-robin", &THREE, &set[..]),
        ("decision-record", &THREE, &set[..1]),
        ("feature", &THREE, &set[..1]),
        ("code-review", &THREE, &set[..1]),
        ("architecture-decision", &THREE, &set[..1]),
        ("voting", &THREE, &[]),
        ("debate", &THREE, &[]),
    ] {
        let project = Project::new();
        let path = project.create(&new(template, who, set));
        let phases = project.look(&path, |it| it.template().phases.clone());
        let recorder = RecordingProvider::new(crate::finished_run::AGREED);
        run(&project, &path, &recorder).await;
        let mut texts = 0;
        for call in recorder.calls() {
            let Some(phase) = phases.iter().find(|phase| phase.id == call.phase) else { continue };
            let (_, task) = call.prompt.rsplit_once("THE RECORD ENDS").unwrap();
            let explains = matches!(
                (template, call.phase.as_str()),
                ("debate", "verdict") | ("voting", "synthesis")
            );
            let is_text = phase.text && !phase.findings || explains;
            let form = task.contains("one condition or figure in a sentence");
            assert_eq!(form, is_text, "{template}, {}:\n{task}", call.phase);
            if is_text {
                texts += 1;
                // The log of decisions shows this line alone, so it keeps its conditions.
                let decides = phase.asks.contains_key("DECISION");
                assert_eq!(decides, task.contains("`DECISION:` line"), "{template}\n{task}");
            }
        }
        assert!(texts > 0, "{template}");
    }
}
