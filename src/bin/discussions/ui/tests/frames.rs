//! Tests that drawing one frame takes the same time, however long the discussion is.

use std::time::{Duration, Instant};

use discussions::view::{List, Listed};
use ratatui::layout::Size;

use super::stage::{CACHING, Stage};
use crate::ui::message::Message;

/// Returns a screen in the middle of a discussion of this many bytes.
fn stage(bytes: usize) -> Stage {
    let mut text = CACHING.to_owned();
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        text.push_str(&format!(
            "\nName: Mia\n\n## Comment {number}\n\nA paragraph with `code`, *emphasis* and 幅 wide characters, long \
             enough that it is wrapped at least once or twice.\n\n- one\n- two\n\n```rust\nfn it() {{}}\n```\n\n---\n"
        ));
    }
    let mut stage = Stage::new(&[("long", &text)], Size::new(200, 60));
    stage.keys("Enter G b b b b b b b b");
    stage
}

/// Returns the average time of `count` frames, each after one key.
fn frames(stage: &mut Stage, count: u32) -> Duration {
    let begun = Instant::now();
    for number in 0..count {
        stage.keys(if number % 2 == 0 { "b" } else { "Space" });
        stage.draw();
    }
    begun.elapsed() / count
}

#[test]
#[ignore = "measures: cargo test --release --bin discussions frames -- --ignored --nocapture"]
fn frame_time_does_not_depend_on_discussion_length() {
    let (mut short, mut long) = (stage(20_000), stage(10_000_000));
    let mut ratios = Vec::new();
    let mut longest = Duration::ZERO;
    for _ in 0..30 {
        let (a, b) = (frames(&mut long, 20), frames(&mut short, 20));
        longest = longest.max(a);
        ratios.push(a.as_secs_f64() / b.as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    let middle = ratios[ratios.len() / 2];
    println!(
        "a frame of 10 MB costs {middle:.2} of one of 20 KB; the slowest twenty {longest:?} each"
    );
    assert!(middle < 1.5, "{middle}");
}

#[test]
#[ignore = "measures: cargo test --release --bin discussions frames -- --ignored --nocapture"]
fn key_is_handled_quickly_with_ten_thousand_discussions() {
    let mut stage = Stage::new(&[("caching", CACHING)], Size::new(200, 60));
    let one = stage.state.browser.list.clone().unwrap().discussions.remove(0);
    let discussions = (0..10_000).map(|number| {
        let (title, file) = (format!("Caching {number}"), format!("discussions/{number}.md"));
        Listed { title, name: number.to_string(), file, ..one.clone() }
    });
    let list = List { discussions: discussions.collect(), ..List::default() };
    let mut longest = (Duration::ZERO, "");
    let mut told = Vec::new();
    for key in ["G", "k", "g", "j", "PageDown", "/", "c", "a", "1", "7", "Backspace", "Esc"] {
        // A new list arrives before each key, as if many other people were writing.
        let begun = Instant::now();
        stage.hear(Message::Listed(Ok(Box::new(list.clone())), Duration::ZERO));
        let renewed = begun.elapsed();
        let begun = Instant::now();
        stage.keys(key);
        stage.draw();
        let took = begun.elapsed();
        told.push(format!("{key} {took:.1?} (a new list {renewed:.1?})"));
        longest = longest.max((took, key));
    }
    println!("{}\nthe slowest: {longest:?}", told.join(", "));
}
