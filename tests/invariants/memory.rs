//! Earlier decisions, abilities of personas, and weights.

use discussions::engine::{Layout, Prompts};
use discussions::runner::{Abort, RunOptions, Runner};
use discussions::workspace::NewDiscussion;

use crate::finished_run::{FinishedRun, by, new};
use crate::project::{Project, script};

fn decided_discussion(title: &str, says: &str) -> String {
    format!(
        "# {title}\n\n---\n\nName: Rob\n\nDECISION: {says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n"
    )
}

fn question_about(title: &str, recall: u32) -> NewDiscussion {
    let recall = Some(recall);
    NewDiscussion { title: title.to_owned(), recall, ..NewDiscussion::default() }
}

/// Returns whether a persona can take part, and otherwise the reason.
fn seating(project: &Project, who: &str) -> Result<String, String> {
    let participants = vec![who.to_owned(), "architect".to_owned()];
    let new = NewDiscussion { participants, ..question_about("Who?", 0) };
    project.workspace().discussions().draft(&new).map_err(|error| error.to_string())
}

#[test]
fn inv_disc_630_past_decisions_are_never_modified() {
    let project = Project::new();
    let old = decided_discussion("Where do sessions live?", "in PostgreSQL");
    project.write("discussions/old.md", &old);
    let path = project.create(&question_about("Where should sessions live now?", 3));
    assert!(project.read(&path).contains("](old.md): in PostgreSQL"));
    assert_eq!(project.read(&project.path("discussions/old.md")), old, "to recall is to read");
    // The recalled text is a part of the new file: a later change of the old file does not affect it.
    let before = project.read(&path);
    project.write("discussions/old.md", &decided_discussion("Where do sessions live?", "in Redis"));
    project.workspace().decisions().recall("sessions", 3, None).unwrap();
    assert_eq!(project.read(&path), before);
}

#[test]
fn inv_disc_631_nearest_decision_comes_first() {
    let project = Project::new();
    project.write(
        "discussions/a.md",
        &decided_discussion("Colour of the buttons", "blue; sessions are no matter here"),
    );
    project
        .write("discussions/b.md", &decided_discussion("Where do sessions live?", "in PostgreSQL"));
    project.write("discussions/c.md", &decided_discussion("Session lifetime", "one hour"));
    let found =
        project.workspace().decisions().recall("Where does a session live?", 0, None).unwrap();
    assert_eq!(found[0].file, "discussions/b.md", "{found:#?}");
    assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
}

#[test]
fn inv_disc_632_recall_follows_a_rule_and_deletes_nothing() {
    let project = Project::new();
    let dated = |day: &str| {
        format!(
            "<!-- DISCUSSION\ntemplate: feature\ncreated: {day}T10:00:00Z\nparticipants: [architect]\n-->\n\n"
        ) + &decided_discussion("Where do sessions live?", day)
            + &format!("\n<!-- TURN: 1, asks: [architect], at: {day}T10:00:00Z -->\n\n---\n")
    };
    project.write("discussions/old.md", &dated("2026-01-01"));
    project.write("discussions/new.md", &dated("2026-11-10"));
    project.write("discussions.yaml", "author: Rob\nrecall: {n: 5, since: 30d}\n");
    let about = NewDiscussion { recall: None, ..question_about("Where should sessions live?", 0) };
    let text = project.read(&project.create(&about));
    assert!(text.contains("](new.md)") && !text.contains("](old.md)"), "{text}");
    assert!(project.path("discussions/old.md").exists());
    let since = Some("2025-01-01T00:00:00Z".parse().unwrap());
    assert_eq!(project.workspace().decisions().recall("sessions", 0, since).unwrap().len(), 2);
}

#[test]
fn inv_disc_640_persona_uses_its_first_preferred_provider() {
    let project = Project::new();
    project.write(
        "participants/dba.yaml",
        "name: AI-Dba\nalias: dba\npersonality: You keep data.\nprovider_affinity:\n  preferred: [first, second]\n",
    );
    project.write(
        "providers.yaml",
        "providers:\n  - {name: second, builtin: mock}\n  - {name: first, builtin: mock}\n",
    );
    let path = project.create(&NewDiscussion {
        participants: vec!["dba".into(), "architect".into()],
        ..question_about("Which index?", 0)
    });
    let workspace = project.workspace();
    let runner = Runner::new(workspace).with_consents(discussions::provider::Consents::all());
    let options = RunOptions::next_turn();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut none = |_| {};
    let work = options;
    let turn = runner.execute(&path, &work, &mut none, Abort::never());
    runtime.block_on(turn).unwrap();
    let text = project.read(&path);
    let (_, dba) = text.split_once("Name: AI-Dba\n").unwrap();
    assert!(dba.lines().next().unwrap().contains("provider: first"), "{text}");
}

#[test]
fn inv_disc_641_abilities_appear_once_within_10000_tokens() {
    let project = Project::new();
    let persona = |abilities: &str| {
        format!("name: AI-Dba\nalias: dba\npersonality: You keep data.\nabilities: [{abilities}]\n")
    };
    project
        .write("know/sql.md", "Indexes cost writes.")
        .write("know/big.md", &"word ".repeat(7_000));
    project.write("participants/dba.yaml", &persona("know/sql.md"));
    let path = project.create(&NewDiscussion {
        participants: vec!["dba".into(), "architect".into()],
        ..question_about("Which index?", 0)
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let provider = script("answers: [{text: \"So.\\n\\nVOTE: READY\"}]");
    let options = RunOptions { max_turns: Some(1), ..RunOptions::with_default_limits() };
    runtime.block_on(project.run(&path, provider, options)).unwrap();
    project.look(&path, |snapshot| {
        let prompts = Prompts::of(snapshot, &snapshot.state.turns[0]);
        for layout in [Layout::RecordFirst, Layout::PersonaFirst] {
            let of = |alias: &str| {
                let alias = snapshot.config.participants.iter().find(|it| it.as_str() == alias);
                prompts.of_participant(alias.unwrap(), layout).unwrap()
            };
            let (dba, other) = (of("dba"), of("architect"));
            assert_eq!(dba.text().matches("Indexes cost writes.").count(), 1);
            assert!(!other.text().contains("Indexes"), "nobody else is told");
            if layout == Layout::RecordFirst {
                assert_eq!(dba.prefix, other.prefix, "what is shared stays shared");
            }
        }
    });
    let broken = |abilities: &str| {
        project.write("participants/dba.yaml", &persona(abilities));
        seating(&project, "dba").unwrap_err()
    };
    let message = broken("know/sql.md, know/none.md");
    assert!(
        message.contains("participants/dba.yaml:4:26: the file `know/none.md` does not exist"),
        "{message}"
    );
    assert!(broken("know/big.md, know/big.md").contains("10,000 tokens"));
    assert!(broken("../outside.md").contains("participants/dba.yaml:4:13: "));
    project.write("participants/dba.yaml", &persona("know/big.md"));
    assert!(seating(&project, "dba").is_ok(), "35 KB are within 10,000 tokens");
}

#[test]
fn inv_disc_642_persona_weighs_1_5_times_a_bare_provider() {
    let project = Project::new();
    project.write(
        "participants/half.yaml",
        "name: AI-Half\nalias: half\npersonality: Meek.\nweight: 0.5\n",
    );
    let head = |who: &[&str]| {
        let participants = who.iter().map(|&who| who.to_owned()).collect();
        let path = project
            .create(&NewDiscussion { participants, ..question_about("Who weighs what?", 0) });
        project.look(&path, |snapshot| snapshot.config.weights.clone())
    };
    assert_eq!(head(&["architect", "mock"])["architect"], 1.5);
    assert!(!head(&["architect", "mock"]).contains_key("mock"), "1");
    assert_eq!(head(&["architect", "half", "mock"])["half"], 0.5, "what its file says holds");
    assert!(
        head(&["architect", "security"]).is_empty(),
        "among equals there is nothing to tell apart"
    );
    for weight in ["0.4", "3.1"] {
        let text = format!("name: AI-Half\nalias: half\npersonality: Meek.\nweight: {weight}\n");
        project.write("participants/half.yaml", &text);
        let error = seating(&project, "half").unwrap_err();
        assert!(error.contains("must be 0.5 to 3"), "{error}");
    }
}

/// Six voting participants.
const SIX: [&str; 6] = ["architect", "security", "pragmatist", "designer", "quality", "risk"];

/// All vote for the same option.
const AGREED: &str =
    r#"answers: [{text: "So.\n\nDECISION: READY\n\nCONFIDENCE: 0.8\n\nVOTE: READY"}]"#;

/// One participant votes differently.
const SPLIT: &str = r#"
answers:
  - {participant: security, text: "No.\n\nDECISION: READY\n\nCONFIDENCE: 0.8\n\nVOTE: REJECT"}
  - {text: "So.\n\nDECISION: READY\n\nCONFIDENCE: 0.8\n\nVOTE: READY"}
"#;

/// The number of participants that were asked to vote.
fn ballots(run: &FinishedRun) -> usize {
    run.recorder.calls().into_iter().filter(|asked| asked.phase == "ballot").count()
}

#[tokio::test(start_paused = true)]
async fn inv_disc_622_early_exit_threshold_is_a_parameter() {
    let of =
        |threshold: &str| by("voting", new("voting", &SIX, &[("early_exit_threshold", threshold)]));
    let usual = by("voting", new("voting", &SIX, &[]));
    assert_eq!(ballots(&FinishedRun::of(&usual, SPLIT).await), 6, "two of three is no 0.9");
    assert_eq!(ballots(&FinishedRun::of(&of("0.6"), SPLIT).await), 3);
    assert_eq!(ballots(&FinishedRun::of(&of("1"), AGREED).await), 3, "all agree");
}

#[tokio::test(start_paused = true)]
async fn inv_disc_623_at_least_min_providers_are_called() {
    let least = NewDiscussion { min_answers: Some(5), ..new("voting", &SIX, &[]) };
    let asked = ballots(&FinishedRun::of(&least, AGREED).await);
    assert_eq!(asked, 6, "five have to answer; a wave is one more");
}

#[tokio::test(start_paused = true)]
async fn inv_disc_643_early_exit_only_after_min_providers_answered() {
    let run = FinishedRun::of(&new("voting", &SIX, &[]), AGREED).await;
    assert_eq!(ballots(&run), 3, "all of the first wave agree, so nobody else is asked");
    let result = run.result();
    assert_eq!(result.metadata.early_exit.skipped.len(), 3);
    assert!(result.consensus.reached);
    let off = new("voting", &SIX, &[("early_exit", "false")]);
    assert_eq!(ballots(&FinishedRun::of(&off, AGREED).await), 6);
}
