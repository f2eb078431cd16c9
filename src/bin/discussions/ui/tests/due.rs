//! Discussions with a decision to review.

use ratatui::layout::Size;

use super::stage::Stage;

#[test]
fn decisions_to_review_come_before_discussions_that_wait() {
    let decided = "# Zebra\n\n---\n\nName: Ann\n\nDECISION: stripes\n\nREVIEW-BY: 2026-11-19\n\n---\n\n\
                   <!-- STATUS: CLOSED, by: Ann -->\n";
    let open = "# Apples\n\n---\n\nName: Ann\n\nQ: Which? @rob\n\n---\n";
    let stage = Stage::new(&[("apples", open), ("z", decided)], Size::new(100, 20));
    let browser = &stage.state.browser;
    let chosen = browser.chosen().unwrap();
    assert_eq!(chosen.title, "Zebra");
    assert_eq!(browser.order.len(), 2);
    let screen = stage.screen();
    assert!(screen.contains("! Zebra") && screen.contains("review by 2026-11-19"), "{screen}");
}
