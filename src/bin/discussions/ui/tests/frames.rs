//! What one frame costs, however long the discussion is.

use std::time::{Duration, Instant};

use super::stage::{CACHING, Stage};

/// A screen on a discussion of so many bytes, in its middle.
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
    let mut stage = Stage::new(&[("long", &text)], (200, 60));
    stage.keys("Enter G b b b b b b b b");
    stage
}

/// The time of so many frames, each after one key.
fn frames(stage: &mut Stage, count: u32) -> Duration {
    let begun = Instant::now();
    for number in 0..count {
        stage.keys(if number % 2 == 0 { "b" } else { "Space" });
        stage.drawn();
    }
    begun.elapsed() / count
}

#[test]
#[ignore = "measures: cargo test --release --bin discussions frames -- --ignored --nocapture"]
fn a_frame_of_a_long_discussion_costs_what_one_of_a_short_one_costs() {
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
