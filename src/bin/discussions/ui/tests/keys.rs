//! A script of keys for every action, and the effects that it must have.

use std::fs;

use discussions::runner::RunOptions;
use ratatui::layout::Size;

use super::stage::{CACHING, Stage};
use crate::ui::effects::Meant;
use crate::ui::keys::{ALL, KeyAction};
use crate::ui::message::{Act, ActionDone, EditTarget, Effect, Message};
use crate::ui::panes::Pane;
use crate::ui::state::{Note, Overlay};

const SIZE: Size = Size::new(100, 30);

fn comment_effect(text: &str, vote: Option<&str>, draft: &str) -> Effect {
    Effect::Act(Act::Comment {
        file: "caching".to_owned(),
        text: text.to_owned(),
        vote: vote.map(str::to_owned),
        draft: format!("caching#{draft}"),
    })
}

#[test]
fn discussion_is_opened_and_left() {
    let mut stage = Stage::usual(SIZE);
    // Discussions that wait for people come first.
    assert_eq!(stage.state.browser.chosen().unwrap().name, "caching");
    stage.keys("Enter");
    assert_eq!(stage.effects(), [Effect::Open("caching".to_owned())]);
    assert_eq!(stage.state.focus(), Pane::Text);
    stage.keys("Esc");
    assert_eq!(stage.effects(), [Effect::Leave, Effect::List]);
    assert!(stage.state.room.is_none());
    stage.keys("q");
    assert_eq!(stage.effects(), [Effect::Quit]);
}

#[test]
fn comment_with_a_mention_is_written_and_sent() {
    let mut stage = Stage::open(SIZE);
    stage.keys("c");
    stage.types("Why, @sec");
    stage.keys("Tab");
    stage.types("?");
    stage.keys("Ctrl+s");
    assert_eq!(stage.effects(), [comment_effect("Why, @security ?", None, "comment")]);
    let text = stage.read("caching");
    let said = text.rsplit("Name: Rob\n").next().unwrap_or_default();
    assert!(
        said.contains("\n\nWhy, @security ?") || said.starts_with("\nWhy, @security ?"),
        "{text}"
    );
    let line = "discussions comment caching 'Why, @security ?'".to_owned();
    // A question to Rob is still open, so the note says that instead of the usual message.
    let told = "Q1 is still open; answer it with a line that begins with `A: Q1`".to_owned();
    assert_eq!(stage.state.note, Some(Note::Done(line, told)));
    assert!(stage.state.overlay.is_none() && stage.state.drafts.is_empty());
}

#[test]
fn draft_is_kept_until_it_is_sent() {
    let mut stage = Stage::open(SIZE);
    stage.keys("c");
    stage.types("Half a thou");
    stage.keys("Esc c");
    stage.types("ght");
    stage.keys("Ctrl+s");
    assert_eq!(stage.effects(), [comment_effect("Half a thought", None, "comment")]);
    stage.keys("c");
    let Some(Overlay::Compose(compose)) = &stage.state.overlay else { panic!() };
    assert_eq!(compose.area.lines(), [""]);
}

#[test]
fn refused_comment_can_be_edited_and_sent_again() {
    let mut stage = Stage::open(SIZE);
    stage.keys("v Enter");
    stage.types("Fine. VOTE: REJECT");
    std::fs::remove_file(stage.folder.path().join("discussions/caching.md")).unwrap();
    stage.keys("Ctrl+s");
    assert!(matches!(stage.state.overlay, Some(Overlay::Told { .. })), "{:?}", stage.state.overlay);
    stage.keys("Enter");
    let Some(Overlay::Compose(compose)) = &stage.state.overlay else { panic!() };
    assert_eq!(compose.area.lines(), ["Fine. VOTE: REJECT"]);
}

#[test]
fn draft_is_edited_in_the_editor() {
    let mut stage = Stage::open(SIZE);
    stage.keys("c");
    stage.types("One");
    stage.keys("Ctrl+e");
    assert_eq!(stage.effects(), [Effect::Edit(EditTarget::Draft("One".to_owned()))]);
    stage.hear(Message::Written(Ok("One\ntwo\n".to_owned())));
    stage.keys("Ctrl+s");
    assert_eq!(stage.effects(), [comment_effect("One\ntwo", None, "comment")]);
}

#[test]
fn question_is_answered() {
    let mut stage = Stage::open(SIZE);
    assert_eq!(stage.state.room.as_ref().unwrap().items(Pane::Questions)[1].state, "answered");
    stage.keys("a");
    stage.types("An hour.");
    stage.keys("Ctrl+s");
    assert_eq!(stage.effects(), [comment_effect("A: Q1 An hour.", None, "1")]);
    assert_eq!(stage.state.room.as_ref().unwrap().items(Pane::Questions)[0].state, "answered");
    stage.keys("a");
    assert!(stage.state.overlay.is_none());
    // The selected question is answered, even if it was answered before.
    stage.keys("3 j a");
    let Some(Overlay::Compose(compose)) = &stage.state.overlay else { panic!() };
    assert!(compose.what.title().starts_with("Answer to Q2: Who may revoke one?"));
}

#[test]
fn vote_is_cast_with_and_without_a_reason() {
    let mut stage = Stage::open(SIZE);
    stage.keys("v j Enter");
    stage.types("Not yet.");
    stage.keys("Ctrl+s");
    assert_eq!(stage.effects(), [comment_effect("Not yet.", Some("CHANGES"), "vote")]);
    stage.keys("v 1 Enter Ctrl+s");
    assert_eq!(stage.effects(), [comment_effect("", Some("READY"), "vote")]);
    let status = stage.workspace().discussions().status("caching".as_ref()).unwrap();
    assert_eq!(status.votes["Rob"], "READY");
}

#[test]
fn turn_and_run_start_once_and_stop() {
    let mut stage = Stage::open(SIZE);
    stage.keys("t");
    let turn = RunOptions::next_turn();
    assert_eq!(stage.effects(), [Effect::Work("caching".to_owned(), turn)]);
    stage.keys("r t");
    assert_eq!(stage.effects(), []);
    stage.keys("s");
    assert_eq!(stage.effects(), [Effect::Abort("caching".to_owned())]);
    stage.hear(Message::Ended("caching".to_owned(), Err(Default::default())));
    stage.keys("r");
    let run = RunOptions::default();
    assert_eq!(stage.effects(), [Effect::Work("caching".to_owned(), run)]);
}

#[test]
fn named_participants_are_asked() {
    let mut stage = Stage::open(SIZE);
    stage.keys("T");
    stage.types("@security who may revoke a key?");
    stage.keys("Ctrl+s");
    let ask = RunOptions::turn(["security"]).asking("Rob", "@security who may revoke a key?");
    assert_eq!(stage.effects(), [Effect::Work("caching".to_owned(), ask)]);
    let mut stage = Stage::open(SIZE);
    stage.keys("T");
    stage.types("@architect @security");
    stage.keys("Ctrl+s");
    let ask = RunOptions::turn(["architect", "security"]);
    assert_eq!(stage.effects(), [Effect::Work("caching".to_owned(), ask)]);
}

#[test]
fn project_commands_are_called_only_after_a_yes() {
    let foreign = super::scenes::untrusted;
    let turn = || RunOptions::next_turn();
    let mut stage = Stage::open(SIZE);
    stage.keys("t");
    stage.effects();
    stage.hear(Message::Untrusted(foreign(), "caching".to_owned(), turn()));
    stage.keys("Enter n");
    assert_eq!(stage.effects(), []);
    assert!(stage.state.runs.is_empty());
    stage.hear(Message::Untrusted(foreign(), "caching".to_owned(), turn()));
    stage.keys("y");
    assert_eq!(stage.effects(), [Effect::Agree(foreign(), "caching".to_owned(), turn())]);
    assert!(stage.state.runs.contains_key("caching"));
}

#[test]
fn phase_is_advanced() {
    let mut stage = Stage::open(SIZE);
    let advance = |to: Option<&str>| {
        let (file, to) = ("caching".to_owned(), to.map(str::to_owned));
        Effect::Act(Act::Advance { file, to })
    };
    stage.keys("p Enter");
    assert_eq!(stage.effects(), [advance(None)]);
    stage.keys("p j Enter");
    assert_eq!(stage.effects(), [advance(Some("initial_feedback"))]);
    assert!(stage.read("caching").contains("<!-- PHASE"));
}

#[test]
fn discussion_is_closed_and_reopened() {
    let mut stage = Stage::open(SIZE);
    let close = |closed| Effect::Act(Act::Close { file: "caching".to_owned(), closed });
    stage.keys("x n");
    assert_eq!(stage.effects(), []);
    stage.keys("x y");
    assert_eq!(stage.effects(), [close(true)]);
    assert_eq!(stage.state.room.as_ref().unwrap().status().unwrap().status.as_str(), "CLOSED");
    stage.keys("x y");
    assert_eq!(stage.effects(), [close(false)]);
    assert_eq!(stage.state.room.as_ref().unwrap().status().unwrap().status.as_str(), "OPEN");
}

#[test]
fn discussion_is_created_and_opened_in_the_editor() {
    let mut stage = Stage::usual(SIZE);
    // A title is required.
    stage.keys("n Enter Enter Enter");
    stage.types("Tokens");
    stage.keys("Enter");
    stage.types("synth");
    stage.keys("Tab Enter");
    stage.types("arch");
    stage.keys("Tab");
    stage.types(",sec");
    stage.keys("Tab Enter");
    let new = Act::New {
        title: "Tokens".to_owned(),
        template: Some("synthesis".to_owned()),
        participants: vec!["architect".to_owned(), "security".to_owned()],
        edit: true,
    };
    let opened = Effect::Open("tokens".to_owned());
    let edited = Effect::Edit(EditTarget::Discussion("tokens".to_owned()));
    assert_eq!(stage.effects(), [Effect::Act(new), opened, edited]);
    assert!(stage.read("tokens").contains("participants: [architect, security]"));
}

#[test]
fn refused_new_discussion_keeps_its_fields() {
    let mut stage = Stage::usual(SIZE);
    stage.keys("n");
    stage.types("Tokens");
    stage.keys("Enter");
    stage.types("nonsense");
    stage.keys("Enter Enter Enter");
    let Some(Overlay::Form(form)) = &stage.state.overlay else { panic!() };
    assert_eq!(form.fields[0].text(), "Tokens");
}

#[test]
fn secret_in_a_title_gives_a_warning() {
    let mut stage = Stage::usual(SIZE);
    // Assembled here, so that no scanner takes this file for a leak.
    let key = format!("ghp_{}", "q7Zk2Vw9Xb4Nc8Lm3Tr6Hy1Gd5Jf0PsUaEi2");
    stage.keys("n");
    stage.types(&format!("About {key}"));
    stage.keys("Enter Enter Enter");
    let warning =
        "the title:1: looks like a secret (github-pat); it stays in the file and is sent to models";
    assert!(matches!(&stage.state.note, Some(Note::Done(_, said)) if said.starts_with(warning)));
    // The editor opens and ends.
    stage.hear(Message::Done(ActionDone {
        line: "$EDITOR about.md".to_owned(),
        ..ActionDone::default()
    }));
    let Some(Overlay::Told { text, .. }) = &stage.state.overlay else { panic!("no overlay") };
    assert!(text.starts_with(warning), "{text}");
    assert!(stage.read("about").contains(&key), "it is written all the same");
}

#[test]
fn participants_are_added_edited_and_removed() {
    let mut stage = Stage::usual(SIZE);
    stage.keys("2");
    let alias = stage.state.browser.person().unwrap().alias().to_owned();
    assert_eq!(stage.effects(), [Effect::Define(alias.clone())]);
    stage.keys("e");
    assert_eq!(stage.effects(), [Effect::Edit(EditTarget::Person(alias.clone()))]);
    stage.keys("a");
    stage.types("dba");
    stage.keys("Enter");
    assert_eq!(stage.effects(), [Effect::Edit(EditTarget::NewPerson("dba".to_owned(), None))]);
    stage.keys("x");
    assert_eq!(stage.effects(), []);
    stage.keys("y");
    // A bundled persona has no file that could be removed.
    assert_eq!(stage.effects(), [Effect::Act(Act::Remove { alias })]);
    assert!(matches!(stage.state.overlay, Some(Overlay::Told { .. }) | None));
}

#[test]
fn wrong_definition_is_shown_with_its_place_and_kept() {
    let mut stage = Stage::usual(SIZE);
    let text = "name: [\n".to_owned();
    let error =
        stage.workspace().participants().add_participant("dba", &text, "dba.yaml").unwrap_err();
    let refused = crate::ui::message::ActionError {
        draft: Some(Box::new(("dba".to_owned(), text.clone()))),
        ..error.into()
    };
    stage.keys("2");
    stage.effects();
    stage.hear(Message::Refused(refused));
    assert!(stage.screen().contains("dba.yaml:"), "{}", stage.screen());
    stage.keys("y");
    assert_eq!(
        stage.effects(),
        [Effect::Edit(EditTarget::NewPerson("dba".to_owned(), Some(text)))]
    );
}

#[test]
fn every_list_is_filtered() {
    let mut stage = Stage::usual(SIZE);
    stage.keys("2 /");
    stage.types("security");
    assert_eq!(stage.state.browser.personas().len(), 1);
    stage.keys("Enter Esc");
    assert!(stage.state.browser.personas().len() > 5);
    stage.keys("1 /");
    stage.types("postgres");
    assert!(stage.effects().contains(&Effect::Search("postgres".to_owned())));
    assert_eq!(stage.state.browser.order.len(), 1);
    stage.keys("Esc Enter 3 /");
    stage.types("revoke");
    assert_eq!(stage.state.room.as_ref().unwrap().items(Pane::Questions).len(), 1);
}

#[test]
fn next_question_wraps_around_at_the_end() {
    let mut stage = Stage::open(Size::new(100, 12));
    stage.write(
        "caching",
        &format!("{}\nName: Mia\n\nQ: And a third?\n\n---\n", super::stage::CACHING),
    );
    stage.follow();
    let mut seen = Vec::new();
    for key in ["n", "n", "n", "N"] {
        stage.keys(key);
        seen.push(stage.state.room.as_ref().unwrap().at[1] + 1);
    }
    assert_eq!(seen, [1, 3, 1, 3]);
    assert!(stage.screen().contains("[Q3] Q: And a third?"), "{}", stage.screen());
}

#[test]
fn quitting_during_a_run_asks_first() {
    let mut stage = Stage::open(SIZE);
    stage.keys("r");
    stage.effects();
    stage.keys("q");
    assert_eq!(stage.effects(), []);
    stage.keys("y");
    assert_eq!(stage.effects(), [Effect::Abort("caching".to_owned())]);
    stage.hear(Message::Ended("caching".to_owned(), Err(Default::default())));
    assert!(stage.effects().contains(&Effect::Quit));
    let mut stage = Stage::open(SIZE);
    stage.keys("r Ctrl+c");
    stage.effects();
    stage.keys("Ctrl+c");
    assert_eq!(stage.effects(), [Effect::Quit]);
}

#[test]
fn every_key_does_what_its_description_says() {
    for binding in ALL {
        for name in binding.keys.iter().filter(|name| name.len() == 1 || **name == "Enter") {
            let in_room = binding.holds == crate::ui::keys::Where::Room;
            let mut stage = if in_room { Stage::open(SIZE) } else { Stage::usual(SIZE) };
            let pane = match binding.holds {
                crate::ui::keys::Where::People => "2",
                crate::ui::keys::Where::Providers => "3",
                _ => "1",
            };
            stage.keys(pane);
            stage.effects();
            let pressed = name.chars().next().filter(|_| name.len() == 1);
            let code = pressed.map_or(
                ratatui::crossterm::event::KeyCode::Enter,
                ratatui::crossterm::event::KeyCode::Char,
            );
            let key = ratatui::crossterm::event::KeyEvent::from(code);
            let found = crate::ui::keys::action(stage.state.focus(), key);
            assert_eq!(found, Some(binding.action), "{name}");
            stage.hear(Message::Key(key));
            let unheard = stage.state.note.as_ref().is_some_and(
                |note| matches!(note, Note::Hint(text) if text.contains("does nothing")),
            );
            assert!(!unheard, "{name}: {:?}", binding.action);
        }
    }
    assert!(ALL.iter().any(|binding| binding.action == KeyAction::Help));
}

#[test]
fn mouse_selects_opens_and_scrolls() {
    use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
    let mouse = |kind, column, row| {
        let modifiers = ratatui::crossterm::event::KeyModifiers::NONE;
        Message::Mouse(MouseEvent { kind, column, row, modifiers })
    };
    let click = |column, row| mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    let mut stage = Stage::usual(SIZE);
    stage.hear(click(5, 3));
    assert_eq!(stage.state.browser.at[0], 1);
    stage.hear(click(5, 2));
    stage.hear(click(5, 2));
    assert_eq!(stage.state.room.as_ref().map(|room| room.file.as_str()), Some("caching"));
    let before = stage.screen();
    stage.hear(mouse(MouseEventKind::ScrollDown, 5, 5));
    assert_ne!(stage.screen(), before);
    assert_eq!(stage.state.focus(), Pane::Text);
    // Scrolling with the wheel does not move the focus, whatever pane is under it.
    stage.hear(mouse(MouseEventKind::ScrollDown, 90, 15));
    assert_eq!(stage.state.focus(), Pane::Text);
    stage.hear(click(90, 27));
    assert_eq!(stage.state.focus(), Pane::Decisions);
}

#[test]
fn no_comment_goes_to_another_discussion_if_the_file_is_gone() {
    let another = "# Caching of pages\n\n---\n\nName: Ann\n\nHere.\n\n---\n";
    let mut stage = Stage::open(SIZE);
    stage.write("caching-of-pages", another);
    fs::remove_file(stage.folder.path().join("discussions/caching.md")).unwrap();
    stage.keys("c");
    stage.types("For those who cache sessions.");
    stage.keys("Ctrl+s");
    assert_eq!(stage.read("caching-of-pages"), another);
    let screen = stage.screen();
    assert!(screen.contains("caching: the file no longer exists"), "{screen}");
    assert!(screen.contains("For those who cache sessions."), "{screen}");
}

#[test]
fn other_file_with_the_same_name_is_not_the_discussion() {
    let stage = Stage::open(SIZE);
    let (meant, workspace) = (Meant::default(), stage.workspace());
    let path = meant.path(&workspace, "caching").unwrap();
    let other = stage.folder.path().join("caching.md");
    fs::write(&other, CACHING).unwrap();
    assert_eq!(meant.path(&workspace, "caching").unwrap(), path);
    let act = meant.now(&workspace, Act::Advance { file: "caching".to_owned(), to: None }).unwrap();
    assert_eq!(act.line(), "discussions advance discussions/caching.md");
    crate::ui::effects::act(&workspace, "Rob", act).unwrap();
    assert_eq!(fs::read_to_string(other).unwrap(), CACHING);
    assert_ne!(stage.read("caching"), CACHING);
    fs::remove_file(path).unwrap();
    let gone = meant.path(&workspace, "caching").unwrap_err();
    assert_eq!(gone.message, "caching: the file no longer exists");
}

#[test]
fn ctrl_w_deletes_a_word_of_a_filter() {
    let mut stage = Stage::usual(SIZE);
    stage.keys("/");
    stage.types("one two");
    stage.keys("Ctrl+a Ctrl+w");
    assert_eq!(stage.state.browser.filter.words, "one ");
    stage.keys("Ctrl+w");
    assert_eq!(stage.state.browser.filter.words, "");
}

#[test]
fn run_of_many_calls_starts_after_a_yes_to_its_price() {
    let price = || "10 to 18 calls, usually about $0.30, at most $5.66".to_owned();
    let run = || RunOptions::default();
    let mut stage = Stage::open(SIZE);
    stage.keys("r");
    stage.effects();
    stage.hear(Message::Costly(price(), "caching".to_owned(), run()));
    assert!(stage.screen().contains("usually about $0.30"), "{}", stage.screen());
    stage.keys("n");
    assert_eq!(stage.effects(), []);
    assert!(stage.state.runs.is_empty());
    for work in [run(), RunOptions::next_turn()] {
        stage.hear(Message::Costly(price(), "caching".to_owned(), work.clone()));
        stage.keys("y");
        assert_eq!(stage.effects(), [Effect::Spend("caching".to_owned(), work)]);
        assert!(stage.state.runs.contains_key("caching"));
        stage.state.runs.clear();
    }
}
