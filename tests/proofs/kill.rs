//! Writers that are killed while they append: no acknowledged comment is lost, doubled or mixed.

use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use super::child::{WriterProcess, Writing};
use super::ledger::{Id, Tally, verify};
use super::random::Random;

const WRITERS: usize = 4;
/// The number of kills after which the file is checked and a new one started.
const EPOCH: u64 = 40;

#[test]
fn killed_writers_lose_nothing_acknowledged() {
    prove(32, 1_000..=60_000);
}

#[test]
#[ignore = "full form: cargo prove kill"]
fn writers_killed_10_000_times_lose_nothing_acknowledged() {
    prove(10_000, 1_000..=2_000_000);
}

fn prove(kills: u64, bytes: RangeInclusive<u64>) {
    let mut random = Random::new(kills);
    let mut total = Tally::default();
    let mut acknowledged = 0;
    for epoch in 0..kills.div_ceil(EPOCH) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        std::fs::write(&path, "# Killed\n\nAgain and again.\n").unwrap();
        let killed = epoch_of(&path, EPOCH.min(kills - epoch * EPOCH), bytes.clone(), &mut random);
        let tally = verify(&path, &killed);
        assert!(tally.whole >= killed.len());
        acknowledged += killed.len();
        total.whole += tally.whole;
        total.torn += tally.torn;
    }
    println!(
        "{kills} kills of {WRITERS} writers: {acknowledged} comments acknowledged, {} whole, {} torn and marked; \
         0 lost, 0 doubled, 0 mixed",
        total.whole, total.torn
    );
}

/// Kills one of the writers again and again, then all; returns the comments that they acknowledged.
fn epoch_of(path: &Path, kills: u64, bytes: RangeInclusive<u64>, random: &mut Random) -> Vec<Id> {
    let mut started = 0;
    let mut start = |count| {
        started += 1;
        let (name, bytes) = (format!("w{started}"), bytes.clone());
        WriterProcess::start(&Writing { path, name, count, bytes })
    };
    let mut writers: Vec<WriterProcess> = (0..WRITERS).map(|_| start(u64::MAX)).collect();
    let mut acknowledged = Vec::new();
    for _ in 0..kills {
        std::thread::sleep(Duration::from_micros(random.below(12_000)));
        let victim = random.below(WRITERS as u64) as usize;
        let victim = std::mem::replace(&mut writers[victim], start(u64::MAX));
        acknowledged.extend(victim.kill());
    }
    writers.into_iter().for_each(|writer| acknowledged.extend(writer.kill()));
    // The next writer closes all blocks that they left open.
    acknowledged.extend(start(1).finish());
    acknowledged
}
