//! Snapshots of every pane in every state.

use std::fs;
use std::time::Duration;

use discussions::runner::RunOptions;
use discussions::view::{
    CheckedProvider, EventKind, Fact, Foreign, List, NamedFile, Provider, ProviderState,
};
use ratatui::layout::Size;
use ratatui::style::Color;

use super::stage::{CACHING, Stage};
use crate::ui::message::{ActionError, EditTarget, Effect, Message};

macro_rules! seen {
    ($stage:expr) => {
        insta::with_settings!({ snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($stage.screen());
        })
    };
    ($name:expr, $stage:expr) => {
        insta::with_settings!({ snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $stage.screen());
        })
    };
}

/// Returns providers in every state.
fn providers() -> Message {
    let one = |name: &str| Provider {
        name: name.to_owned(),
        runs: format!("{name} -p"),
        description: format!("what {name} is good for"),
        strengths: vec!["code".to_owned()],
        origin: "built in".to_owned(),
        trusted: true,
    };
    let missing = ProviderState::Missing {
        reason: "`claude` is not on the PATH".to_owned(),
        fix: "install it".to_owned(),
    };
    let states = [
        ("claude", missing),
        (
            "codex",
            ProviderState::Ready { through: Some("/usr/bin/codex".to_owned()), tested: true },
        ),
        ("ours", ProviderState::NotTrusted),
        ("mock", ProviderState::Answers { text: "It works.".to_owned(), ms: 1_200 }),
        ("local", ProviderState::Fails { message: "nothing listens".to_owned() }),
    ];
    let all = states.iter().map(|(name, _)| one(name)).collect();
    let checked = |(name, state): (&str, _)| CheckedProvider { name: name.to_owned(), state };
    Message::Providers(all, states.into_iter().map(checked).collect())
}

pub(super) fn untrusted() -> Vec<Foreign> {
    vec![Foreign {
        provider: "ours".to_owned(),
        aliases: Vec::new(),
        file: "providers.yaml".to_owned(),
        line: 3,
        replaces: Vec::new(),
        runs: "./ask.sh".to_owned(),
        facts: vec![Fact { what: "runs", text: "./ask.sh --model\u{1b}[2J x".to_owned() }],
        files: vec![NamedFile { path: "ask.sh".to_owned(), target: None }],
        first: true,
        fingerprint: "f".to_owned(),
        trusted: None,
    }]
}

#[test]
fn all_discussions() {
    let mut stage = Stage::usual(Size::new(100, 30));
    stage.hear(providers());
    seen!(stage);
}

#[test]
fn all_discussions_on_a_wide_screen() {
    seen!(Stage::usual(Size::new(160, 24)));
}

#[test]
fn all_discussions_in_60_columns() {
    seen!(Stage::usual(Size::new(60, 16)));
}

#[test]
fn all_discussions_in_20_columns() {
    seen!(Stage::usual(Size::new(20, 10)));
}

#[test]
fn no_discussions() {
    seen!(Stage::new(&[], Size::new(80, 16)));
}

#[test]
fn filter_matches_titles_and_texts() {
    let mut stage = Stage::usual(Size::new(100, 20));
    stage.keys("/");
    stage.types("postgres");
    seen!(stage);
}

#[test]
fn filter_without_matches() {
    let mut stage = Stage::usual(Size::new(80, 14));
    stage.keys("/");
    stage.types("kangaroo");
    stage.keys("Enter");
    seen!(stage);
}

#[test]
fn participants() {
    let mut stage = Stage::usual(Size::new(100, 30));
    stage.keys("2 j");
    seen!(stage);
}

#[test]
fn broken_participant() {
    let mut stage = Stage::usual(Size::new(100, 30));
    let folder = stage.folder.path().join("participants");
    fs::create_dir(&folder).unwrap();
    fs::write(stage.folder.path().join("discussions.yaml"), "").unwrap();
    fs::write(folder.join("dba.yaml"), "alias: dba\nname: [AI-Dba\n").unwrap();
    stage.hear(Message::People(Box::new(stage.workspace().participants().list_participants())));
    assert!(stage.screen().contains("2 Participants (1 invalid)"), "{}", stage.screen());
    stage.keys("2");
    seen!(stage);
    stage.effects();
    stage.keys("e");
    assert_eq!(stage.effects(), [Effect::Edit(EditTarget::Person("dba".to_owned()))]);
    // The new text is invalid too, so the error is read again.
    stage.hear(Message::Refused(ActionError { people: true, ..ActionError::default() }));
    assert_eq!(stage.effects(), [Effect::People]);
    stage.keys("/");
    stage.types("dba");
    stage.keys("Enter x");
    assert!(stage.screen().contains("Remove the invalid definition of dba?"), "{}", stage.screen());
    stage.keys("y");
    assert!(!folder.join("dba.yaml").exists());
}

#[test]
fn another_running_program_is_shown() {
    let mut stage = Stage::open(Size::new(60, 20));
    stage.hear(Message::Running("caching".to_owned(), true));
    assert!(stage.screen().contains("another program is running this"), "{}", stage.screen());
    stage.hear(Message::Running("caching".to_owned(), false));
    assert!(!stage.screen().contains("another program"), "{}", stage.screen());
}

#[test]
fn providers_in_every_state() {
    let mut stage = Stage::usual(Size::new(100, 30));
    stage.hear(providers());
    stage.keys("3");
    seen!("providers_in_every_state", stage);
    stage.keys("j p");
    seen!("provider_check", stage);
}

#[test]
fn selected_provider_stays_selected() {
    let mut stage = Stage::usual(Size::new(100, 30));
    stage.hear(providers());
    stage.keys("3");
    let name = |stage: &Stage| stage.state.browser.provider().unwrap().0.name.clone();
    let first = name(&stage);
    let message = "it does not answer".to_owned();
    let state = ProviderState::Fails { message };
    stage.hear(Message::Pinged(Ok(vec![CheckedProvider { name: first.clone(), state }])));
    assert_eq!(name(&stage), first);
    assert_ne!(stage.state.browser.answering()[0].0.name, first);
}

#[test]
fn new_discussion() {
    let mut stage = Stage::usual(Size::new(100, 24));
    stage.keys("n");
    stage.types("Tokens");
    stage.keys("Enter");
    stage.types("syn");
    stage.keys("Tab Enter");
    seen!(stage);
}

#[test]
fn one_discussion() {
    seen!(Stage::open(Size::new(100, 34)));
}

#[test]
fn one_discussion_in_60_columns() {
    let mut stage = Stage::open(Size::new(60, 18));
    seen!("one_discussion_in_60_columns", stage);
    stage.keys("3");
    seen!("questions_in_60_columns", stage);
}

#[test]
fn one_discussion_in_20_columns() {
    seen!(Stage::open(Size::new(20, 12)));
}

#[test]
fn one_discussion_on_a_wide_screen() {
    seen!(Stage::open(Size::new(180, 24)));
}

#[test]
fn every_pane_of_a_low_screen() {
    for (pane, name) in [("2", "votes"), ("3", "questions"), ("4", "tasks"), ("5", "decisions")] {
        let mut stage = Stage::open(Size::new(90, 18));
        stage.keys(pane);
        seen!(format!("low_{name}"), stage);
    }
}

#[test]
fn next_question_is_selected() {
    let mut stage = Stage::open(Size::new(100, 16));
    stage.keys("n");
    seen!(stage);
}

#[test]
fn search_in_a_discussion() {
    let mut stage = Stage::open(Size::new(100, 16));
    stage.keys("/");
    stage.types("redis");
    seen!(stage);
}

#[test]
fn growing_answer() {
    let mut stage = Stage::open(Size::new(100, 30));
    stage.keys("r");
    let asks = vec!["architect".to_owned(), "security".to_owned()];
    let (phase, title) = ("vote".to_owned(), "Vote".to_owned());
    stage.event(None, EventKind::TurnStart { turn: 1, phase, title, asks, left_out: Vec::new() });
    for (who, name) in [("architect", "AI-Architect"), ("security", "AI-Security")] {
        let (name, provider) = (name.to_owned(), "mock".to_owned());
        let kind =
            EventKind::AnswerStart { name, provider, fallbacks: Vec::new(), passed_over: None };
        stage.event(Some(who), kind);
    }
    let text = "Redis, since **reads** matter.\n\n\u{1b}[31m- and a c".to_owned();
    stage.event(Some("security"), EventKind::AnswerChunk { text });
    stage.hear(Message::Tick(Duration::from_secs(17)));
    seen!("growing_answer", stage);
    stage.keys("s");
    seen!("stopped_run", stage);
}

#[test]
fn comment_form() {
    let mut stage = Stage::open(Size::new(100, 24));
    stage.keys("c");
    stage.types("Why not 東京, @sec");
    seen!(stage);
}

#[test]
fn answer_form() {
    let mut stage = Stage::open(Size::new(80, 20));
    stage.keys("a");
    seen!(stage);
}

#[test]
fn vote_form() {
    let mut stage = Stage::open(Size::new(80, 20));
    stage.keys("v j");
    seen!("vote_form", stage);
    stage.keys("Enter");
    seen!("reason_form", stage);
}

#[test]
fn phase_form() {
    let mut stage = Stage::open(Size::new(80, 20));
    stage.keys("p");
    seen!(stage);
}

#[test]
fn closing_needs_a_yes() {
    let mut stage = Stage::open(Size::new(80, 20));
    stage.keys("x");
    seen!("closing_needs_a_yes", stage);
    stage.keys("y");
    seen!("closed_discussion", stage);
}

#[test]
fn project_commands_need_a_yes() {
    let mut stage = Stage::open(Size::new(80, 20));
    let work = RunOptions::next_turn();
    stage.hear(Message::Untrusted(untrusted(), "caching".to_owned(), work));
    seen!(stage);
}

#[test]
fn all_keys() {
    let mut stage = Stage::open(Size::new(100, 60));
    stage.keys("?");
    seen!("all_keys", stage);
    stage.types("vote");
    seen!("keys_filtered_by_a_word", stage);
}

#[test]
fn log_of_actions() {
    let mut stage = Stage::open(Size::new(80, 20));
    stage.keys("v Enter Ctrl+s");
    seen!("vote_was_cast", stage);
    stage.keys("L");
    seen!("log_of_actions", stage);
}

#[test]
fn refused_action_is_explained() {
    let mut stage = Stage::open(Size::new(80, 20));
    let refused = ActionError {
        line: "discussions run caching".to_owned(),
        message: "nobody can answer: no provider is installed".to_owned(),
        help: Some("install one".to_owned()),
        ..ActionError::default()
    };
    stage.keys("r");
    stage.hear(Message::Ended("caching".to_owned(), Err(refused)));
    seen!(stage);
}

#[test]
fn removed_discussion_shows_the_last_version() {
    let mut stage = Stage::open(Size::new(80, 16));
    std::fs::remove_file(stage.folder.path().join("discussions/caching.md")).unwrap();
    stage.follow();
    let seen = stage.screen();
    assert!(seen.contains("last version read"), "{seen}");
    assert!(seen.contains("Caching of sessions"), "{seen}");
}

#[test]
fn no_escape_code_of_a_text_reaches_the_terminal() {
    let harm = "a\u{1b}[2Jb\u{9b}31mc\u{7}d\u{202e}e\u{8}f\u{e0041}g\rh";
    let text = format!(
        "# T {harm}\n\n{harm}\n\n---\n\nName: Ann{}\n\n{harm}\n\n```\n{harm}\n```\n\n| {harm} | b |\n|---|---|\n| c | {harm} |\n\nQ: {harm}?\n\nTODO: {harm}\n\nDECISION: {harm}\n\nVOTE: {harm}\n\n---\n",
        "\u{1b}[31m"
    );
    let mut stage = Stage::new(&[("caching", &text)], Size::new(120, 40));
    let check = |stage: &Stage, what: &str| {
        for cell in &stage.draw().content {
            let bad =
                cell.symbol().chars().find(|c| c.is_control() || "\u{202e}\u{e0041}".contains(*c));
            assert_eq!(bad, None, "{what}: {:?}", cell.symbol());
        }
    };
    check(&stage, "list");
    stage.keys("/");
    stage.types("a");
    stage.hear(Message::Paste(harm.to_owned()));
    check(&stage, "filter");
    stage.keys("Esc Enter");
    check(&stage, "room");
    for pane in ["2", "3", "4", "5", "n", "3 Enter", "c"] {
        stage.keys(pane);
        check(&stage, pane);
    }
    stage.hear(Message::Paste(harm.to_owned()));
    check(&stage, "composer");
    stage.keys("Ctrl+s L");
    check(&stage, "log");
    stage.keys("Esc r");
    stage.event(
        Some("x"),
        EventKind::AnswerStart {
            name: harm.to_owned(),
            provider: harm.to_owned(),
            fallbacks: Vec::new(),
            passed_over: None,
        },
    );
    check(&stage, "thinks");
    stage.event(Some("x"), EventKind::AnswerChunk { text: harm.to_owned() });
    check(&stage, "grows");
    let refused = ActionError {
        message: harm.to_owned(),
        help: Some(harm.to_owned()),
        ..ActionError::default()
    };
    stage.hear(Message::Refused(refused));
    check(&stage, "refused");
    stage.keys("Esc");
    stage.hear(Message::Untrusted(untrusted(), "caching".to_owned(), RunOptions::next_turn()));
    check(&stage, "consent");
}

#[test]
fn screen_without_colours_says_everything_in_words() {
    let mut stage = Stage::open(Size::new(100, 30));
    let coloured = |stage: &Stage| {
        stage.draw().content.iter().any(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset)
    };
    assert!(coloured(&stage));
    stage.state.plain = true;
    assert!(!coloured(&stage));
    for word in ["OPEN", "READY", "CHANGES", "open"] {
        assert!(stage.screen().contains(word), "{word}");
    }
}

#[test]
fn every_scene_fits_every_screen_size() {
    let scenes = [
        "",
        "n",
        "2",
        "3",
        "2 a",
        "2 x",
        "4",
        "/ a",
        "?",
        "L",
        "Enter",
        "Enter c",
        "Enter v",
        "Enter v Enter",
        "Enter 3 a",
        "Enter x",
        "Enter p",
        "Enter ?",
        "Enter 2",
        "Enter r",
        "Enter T",
    ];
    for scene in scenes {
        let mut stage = Stage::usual(Size::new(80, 24));
        stage.hear(providers());
        stage.keys(scene);
        for width in [1, 2, 3, 4, 6, 9, 14, 20, 27, 59, 79, 80, 300] {
            for height in [1, 2, 3, 4, 5, 6, 8, 11, 22, 100] {
                stage.hear(Message::Resize(Size::new(width, height)));
                stage.draw();
            }
        }
    }
}

#[test]
fn ten_thousand_discussions() {
    let mut stage = Stage::new(&[("caching", CACHING)], Size::new(100, 24));
    let one = stage.workspace().discussions().list(None).unwrap().discussions.remove(0);
    let each = |number: usize| {
        let mut one = one.clone();
        one.title = format!("Discussion {number}");
        one.file = format!("discussions/{number}.md");
        one.waits_for_people = number == 4_321;
        one
    };
    let list = List { discussions: (0..10_000).map(each).collect(), ..List::default() };
    stage.hear(Message::Listed(Ok(Box::new(list)), Duration::from_secs(1)));
    stage.keys("g");
    seen!("ten_thousand_waiting_first", stage);
    stage.keys("G");
    seen!("ten_thousand_last", stage);
}
