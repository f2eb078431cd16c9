//! Tests of the events of a run, together with the changes of the file.

use discussions::view::{CallOutcome, EventKind};
use ratatui::layout::Size;

use super::stage::{CACHING, Stage};
use crate::ui::message::{ActionError, Message};

fn start(stage: &mut Stage, who: &str, name: &str) {
    let (name, provider) = (name.to_owned(), "mock".to_owned());
    let kind = EventKind::AnswerStart { name, provider, fallbacks: Vec::new(), passed_over: None };
    stage.event(Some(who), kind);
}

fn end(stage: &mut Stage, who: &str) {
    let kind = EventKind::AnswerEnd {
        provider: "mock".to_owned(),
        outcome: CallOutcome::Answered { vote: None },
        ms: 1,
        finish: None,
        prompt_tokens: None,
        answer_tokens: None,
        cached: None,
        usd: None,
        estimated: false,
        calls: 1,
        text: "It grows.".to_owned(),
        notes: Vec::new(),
    };
    stage.event(Some(who), kind);
}

fn turn(stage: &mut Stage) {
    let kind = EventKind::TurnStart {
        turn: 1,
        phase: "p".to_owned(),
        title: "P".to_owned(),
        asks: vec!["architect".to_owned()],
        left_out: Vec::new(),
    };
    stage.event(None, kind);
}

fn recorded_screen() -> String {
    let turn = "<!-- TURN: 1, asks: [architect], at: 2026-11-20T11:59:00Z -->";
    let reply = "<!-- REPLY turn: 1, at: 2026-11-20T11:59:30Z, provider: mock -->";
    format!("{CACHING}\n{turn}\n\n---\n\nName: AI-Architect\n{reply}\n\nIt grows.\n\n---\n")
}

#[test]
fn answer_is_shown_once_if_run_and_file_report_it() {
    for file_first in [false, true] {
        let mut stage = Stage::open(Size::new(100, 30));
        stage.keys("r");
        turn(&mut stage);
        start(&mut stage, "architect", "AI-Architect");
        stage.event(Some("architect"), EventKind::AnswerChunk { text: "It grows.".to_owned() });
        assert_eq!(stage.screen().matches("It grows.").count(), 1);
        stage.write("caching", &recorded_screen());
        if file_first {
            stage.follow();
            end(&mut stage, "architect");
        } else {
            end(&mut stage, "architect");
            assert_eq!(stage.screen().matches("It grows.").count(), 1);
            stage.follow();
        }
        let screen = stage.screen();
        assert_eq!(screen.matches("It grows.").count(), 1, "{file_first}: {screen}");
        assert!(!screen.contains("writes (mock)"), "{screen}");
    }
}

#[test]
fn failed_answer_is_withdrawn() {
    let mut stage = Stage::open(Size::new(100, 30));
    stage.keys("r");
    turn(&mut stage);
    start(&mut stage, "architect", "AI-Architect");
    stage.event(Some("architect"), EventKind::AnswerChunk { text: "It grows.".to_owned() });
    start(&mut stage, "architect", "AI-Architect");
    let screen = stage.screen();
    assert!(!screen.contains("It grows."), "{screen}");
    assert!(screen.contains("AI-Architect  thinks (mock)"), "{screen}");
}

#[test]
fn own_run_is_shown_once_and_not_as_another_program() {
    let mut stage = Stage::open(Size::new(100, 30));
    stage.keys("t");
    stage.hear(Message::Running("caching".to_owned(), true));
    turn(&mut stage);
    let screen = stage.screen();
    assert!(screen.contains("turn 1 · P · 0 of 1 answered"), "{screen}");
    assert!(!screen.contains("turn turn") && !screen.contains("another program"), "{screen}");
    // `running` was set before the screen knew that the run was its own. The end of the run clears it.
    stage.state.room.as_mut().unwrap().running = true;
    stage.hear(Message::Ended("caching".to_owned(), Err(ActionError::default())));
    stage.state.note = None;
    let screen = stage.screen();
    assert!(!screen.contains("another program"), "{screen}");
}

#[test]
fn concerns_are_counted_apart_from_decisions() {
    let mut stage = Stage::open(Size::new(120, 40));
    let text = format!("{CACHING}\n---\n\nName: Ann\n\nCONCERN: Cost\n\nCONCERN: Time\n\n---\n");
    stage.write("caching", &text);
    stage.follow();
    let screen = stage.screen();
    assert!(screen.contains("Decisions 0, 3 concerns"), "{screen}");
}

#[test]
fn price_is_shown_until_the_first_answer() {
    let mut stage = Stage::open(Size::new(100, 30));
    stage.keys("t");
    let price = "3 calls, usually about $0.09, at most $0.72";
    stage.hear(Message::Price("caching".to_owned(), price.to_owned()));
    assert!(stage.screen().contains(price), "{}", stage.screen());
    turn(&mut stage);
    start(&mut stage, "architect", "AI-Architect");
    assert!(stage.screen().contains(price), "{}", stage.screen());
    end(&mut stage, "architect");
    let screen = stage.screen();
    assert!(screen.contains("turn 1 · P · 1 of 1 answered") && !screen.contains(price), "{screen}");
}
