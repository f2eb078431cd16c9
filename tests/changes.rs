//! The file alone states what happened: events of a run, watching the file and replaying it give the same changes.

use discussions::engine::Snapshot;
use discussions::runner::RunOptions;
use discussions::template::bundled;
use discussions::transcript::{Draft, Name, NewComment, append};
use discussions::view::{Change, Event, EventKind, changes};
use proptest::prelude::*;

use crate::finished_run::{AGREED, FinishedRun, THREE, TWO, by, new};

/// A change that both an event stream and a file can show: no start or end of calls and runs, no notes.
fn durable(kind: &EventKind) -> bool {
    !matches!(
        kind,
        EventKind::DiscussionStart { .. }
            | EventKind::DiscussionEnd { .. }
            | EventKind::AnswerStart { .. }
            | EventKind::AnswerChunk { .. }
            | EventKind::Error { .. }
            | EventKind::Aborted {}
    )
}

type Told = (Option<u32>, Option<String>, EventKind);

fn bare(round: Option<u32>, participant: Option<String>, mut kind: EventKind) -> Told {
    if let EventKind::AnswerEnd { notes, .. } = &mut kind {
        notes.clear();
    }
    (round, participant, kind)
}

/// The end of a run ends its round in the event stream; in the file a round ends when the next one begins.
fn of_events(events: Vec<Event>) -> Vec<Told> {
    let durable = events.into_iter().filter(|event| durable(&event.kind));
    let mut told: Vec<Told> =
        durable.map(|event| bare(event.round, event.participant, event.kind)).collect();
    assert!(matches!(told.pop(), Some((Some(_), None, EventKind::RoundEnd { .. }))));
    told
}

fn of_changes(changes: Vec<Change>) -> Vec<Told> {
    changes.into_iter().map(|change| bare(change.round, change.participant, change.kind)).collect()
}

/// The text cut after each of its entries: the versions that a reader may have seen.
fn readings(whole: &Snapshot, cuts: &[usize], read: impl Fn(&str) -> Snapshot) -> Vec<Snapshot> {
    let text = whole.transcript.text.as_str();
    let ends: Vec<usize> = whole
        .transcript
        .entries
        .iter()
        .map(|entry| {
            text[entry.span.end..].find("\n---\n").map_or(text.len(), |at| entry.span.end + at + 5)
        })
        .collect();
    let mut at: Vec<usize> = cuts.iter().map(|cut| ends[cut % ends.len()]).collect();
    at.sort_unstable();
    at.dedup();
    at.into_iter().map(|end| read(&text[..end])).chain([whole.clone()]).collect()
}

async fn runs() -> Vec<FinishedRun> {
    let failing = r#"
answers:
  - {participant: security, fault: {code: unauthorized}}
  - {participant: pragmatist, phase: ballot, text: '{"sentinel": "NO_RESPONSE"}'}
  - {delay_ms: 10, text: "Fine.\n\nVOTE: READY"}
"#;
    let few = RunOptions { max_turns: Some(1), ..RunOptions::with_default_limits() };
    vec![
        FinishedRun::of(&new("synthesis", &THREE, &[]), AGREED).await,
        FinishedRun::of(&by("majority", new("round-robin", &TWO, &[("rounds", "1")])), AGREED)
            .await,
        FinishedRun::of(&new("debate", &THREE, &[]), AGREED).await,
        FinishedRun::of(&new("critique", &THREE, &[]), AGREED).await,
        FinishedRun::of(&new("voting", &THREE, &[]), AGREED).await,
        FinishedRun::of(&new("voting", &THREE, &[]), failing).await,
        FinishedRun::of(&new("dialogue", &TWO, &[]), AGREED).await,
        FinishedRun::of(
            &new("artifact-review", &["product", "risk"], &[("artifact", "a.md")]),
            AGREED,
        )
        .await,
        FinishedRun::with(&new("synthesis", &THREE, &[]), AGREED, few).await,
    ]
}

#[tokio::test(start_paused = true)]
async fn run_events_equal_the_changes_of_the_file() {
    for run in runs().await {
        let snapshot = run.project.look(&run.path, Clone::clone);
        let told = of_events(run.events());
        assert!(told.len() > 3, "{told:?}");
        assert_eq!(told, of_changes(changes(None, &snapshot)), "{}", snapshot.template().id);
    }
}

#[tokio::test(start_paused = true)]
async fn comments_and_removals_by_people_are_reported_as_changes() {
    let run = FinishedRun::of(&new("synthesis", &TWO, &[("rounds", "1")]), AGREED).await;
    let before = run.project.look(&run.path, Clone::clone);
    let text = before.transcript.text.to_string();
    let comment = NewComment::by(Name::parse("Rob").unwrap(), "I would wait.");
    let more = format!("{text}{}", append(&text, &[Draft::Comment(comment)]));
    let closed = format!("{more}\n<!-- STATUS: CLOSED, by: Rob -->\n");
    let read = |text: &str| {
        let (workspace, template) = (run.project.workspace(), &before.config.template);
        Snapshot::read(text, template, workspace.roster(), &workspace.defaults()).unwrap()
    };
    let told = of_changes(changes(Some(&before), &read(&closed)));
    let (name, text) = ("Rob".to_owned(), "I would wait.".to_owned());
    assert_eq!(
        told,
        [
            (None, Some("Rob".to_owned()), EventKind::Comment { name, text }),
            (None, None, EventKind::Status { status: "CLOSED", by: Some("Rob".to_owned()) }),
        ]
    );
    let told = of_changes(changes(Some(&read(&closed)), &before));
    assert_eq!(told, [(None, None, EventKind::Rewritten {})]);
    assert_eq!(changes(Some(&before), &before), []);
}

#[test]
fn empty_file_has_no_changes() {
    let (_, feature) = bundled().into_iter().find(|(id, _)| id == "feature").unwrap();
    let template = discussions::template::Template::read(feature, "feature.md", "feature").unwrap();
    let roster = discussions::participant::Roster::bundled();
    let defaults = discussions::state::Defaults::default();
    let empty = Snapshot::read("", &template.into(), &roster.into(), &defaults).unwrap();
    assert_eq!(changes(None, &empty), []);
}

mod slow {
    use super::*;

    #[tokio::test(start_paused = true)]
    #[ignore = "slow: runs many discussions"]
    async fn changes_seen_at_intervals_equal_the_changes_seen_at_once() {
        for run in runs().await {
            let whole = run.project.look(&run.path, Clone::clone);
            let read = |text: &str| {
                let workspace = run.project.workspace();
                let roster = workspace.roster();
                Snapshot::read(text, &whole.config.template, roster, &workspace.defaults()).unwrap()
            };
            let all = of_changes(changes(None, &whole));
            let entries = whole.transcript.entries.len();
            proptest!(ProptestConfig::with_cases(12), |(cuts in prop::collection::vec(0..entries, 0..6))| {
                let mut seen: Option<Snapshot> = None;
                let mut told = Vec::new();
                for reading in readings(&whole, &cuts, read) {
                    told.extend(of_changes(changes(seen.as_ref(), &reading)));
                    seen = Some(reading);
                }
                prop_assert_eq!(&told, &all);
            });
        }
    }
}
