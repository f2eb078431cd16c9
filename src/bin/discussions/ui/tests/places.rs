//! Tests of the reading position while the text changes.

use ratatui::layout::Size;

use super::stage::{CACHING, Stage};
use crate::ui::message::Message;

/// Returns the text of a pane without its borders.
fn lines(stage: &Stage) -> Vec<String> {
    let screen = stage.screen();
    let rows = screen.lines().skip(2).take(usize::from(stage.state.size.height) - 5);
    rows.map(|row| {
        row.trim_start_matches(['┃', '│'])
            .split(['┃', '│'])
            .next()
            .unwrap_or_default()
            .trim_end()
            .to_owned()
    })
    .collect()
}

fn more(text: &str) -> String {
    format!("{CACHING}\nName: Mia\n\n{text}\n\n---\n")
}

#[test]
fn reader_in_the_middle_keeps_the_position() {
    let mut stage = Stage::open(Size::new(100, 16));
    stage.keys("j j j j j j j j");
    let before = lines(&stage);
    stage.write("caching", &more("One more."));
    stage.follow();
    assert_eq!(lines(&stage), before);
    assert!(stage.screen().contains("1 new below; press G to go there"), "{}", stage.screen());
    stage.keys("G");
    assert!(lines(&stage).iter().any(|line| line.contains("One more.")));
}

#[test]
fn reader_at_the_end_sees_new_text() {
    let mut stage = Stage::open(Size::new(100, 16));
    stage.keys("G");
    stage.write("caching", &more("One more."));
    stage.follow();
    assert!(lines(&stage).iter().any(|line| line.contains("One more.")));
}

#[test]
fn edit_above_keeps_the_position() {
    let mut stage = Stage::open(Size::new(100, 16));
    stage.keys("3 j Enter 1 k");
    let top = lines(&stage);
    stage.write("caching", &CACHING.replace("written when", "written, in most cases, when"));
    stage.follow();
    assert_eq!(lines(&stage), top);
}

#[test]
fn page_down_and_up_returns_to_the_position() {
    let mut stage = Stage::open(Size::new(100, 16));
    let before = lines(&stage);
    stage.keys("Space b");
    assert_eq!(lines(&stage), before);
    stage.keys("G");
    let end = lines(&stage);
    assert!(!end.last().unwrap().is_empty());
    stage.keys("j j Space");
    assert_eq!(lines(&stage), end);
    stage.keys("g");
    assert_eq!(lines(&stage), before);
}

#[test]
fn only_visible_text_is_laid_out() {
    let mut text = CACHING.to_owned();
    for number in 0..5_000 {
        text.push_str(&format!("\nName: Mia\n\nComment {number}.\n\n---\n"));
    }
    let mut stage = Stage::new(&[("caching", &text)], Size::new(100, 30));
    stage.keys("Enter");
    let laid = |stage: &Stage| stage.state.room.as_ref().unwrap().text.as_ref().unwrap().laid_out();
    assert!(laid(&stage) < 30, "{}", laid(&stage));
    stage.keys("G");
    assert!(stage.screen().contains("Comment 4999."));
    assert!(laid(&stage) < 60, "{}", laid(&stage));
    stage.keys("b b k k k");
    assert!(laid(&stage) < 120, "{}", laid(&stage));
}

#[test]
fn removing_a_filter_keeps_the_selected_comment() {
    let mut text = CACHING.to_owned();
    for number in 0..40 {
        text.push_str(&format!("\nName: Mia\n\nComment {number}.\n\n---\n"));
    }
    let mut stage = Stage::new(&[("caching", &text)], Size::new(100, 16));
    stage.keys("Enter /");
    stage.types("comment 20");
    stage.keys("Enter Esc");
    let screen = stage.screen();
    assert!(screen.contains("Comment 20.") && screen.contains("Comment 21."), "{screen}");
    let before = lines(&stage);
    stage.keys("j j");
    let here = lines(&stage);
    assert_ne!(before, here);
    stage.keys("/ Esc");
    assert_eq!(lines(&stage), here);
}

#[test]
fn following_continues_after_a_resize() {
    let mut stage = Stage::open(Size::new(100, 16));
    stage.keys("G");
    let last = lines(&stage).last().cloned();
    for size in [(50, 12), (140, 10), (100, 16)].map(Size::from) {
        stage.hear(Message::Resize(size));
        let title = stage.screen().lines().nth(1).map(str::to_owned).unwrap_or_default();
        assert!(title.contains("1 Text end"), "{size:?}: {title}");
    }
    assert_eq!(lines(&stage).last().cloned(), last);
    stage.keys("g");
    stage.hear(Message::Resize(Size::new(50, 12)));
    assert!(stage.screen().contains("1 Text 0 %"), "{}", stage.screen());
}

#[test]
fn text_longer_than_the_pane_can_be_scrolled_to_its_end() {
    let address = format!("https://example.org/{}end", "abc/".repeat(30));
    let code = format!("let x = \"{}last\";", "y".repeat(120));
    let text =
        format!("# Long\n\n---\n\nName: Mia\n\nSee {address} .\n\n```\n{code}\n```\n\n---\n");
    let long = "a-name-that-takes-more-columns-than-the-pane-beside-the-list-has";
    let mut stage = Stage::new(&[(long, &text)], Size::new(80, 30));
    let about: String =
        stage.screen().lines().filter_map(|row| row.split('│').nth(1)).map(str::trim).collect();
    assert!(about.contains(&format!("{}.md", &long[30..])), "{about}");
    stage.keys("Enter");
    let read: String = lines(&stage).iter().map(|line| line.trim()).collect();
    assert!(read.contains(&address) && read.contains(&code), "{read}");
}
