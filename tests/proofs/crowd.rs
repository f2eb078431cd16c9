//! Many processes that write to one file at the same time.

use super::child::{WriterProcess, Writing};
use super::ledger::verify;

#[test]
fn four_processes_write_every_comment_once() {
    prove(4, 25);
}

#[test]
#[ignore = "full form: cargo prove crowd"]
fn eight_processes_write_exactly_4_000_comments_twenty_times() {
    (0..20).for_each(|_| prove(8, 500));
    println!("20 runs of 8 processes with 500 comments each: exactly 4,000 each time");
}

fn prove(processes: usize, comments: u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md");
    std::fs::write(&path, "# Crowded\n").unwrap();
    let writing = |name| Writing { path: &path, name, count: comments, bytes: 100..=1_000 };
    let start = |number| WriterProcess::start(&writing(format!("w{number}")));
    let writers: Vec<WriterProcess> = (0..processes).map(start).collect();
    let acknowledged: Vec<_> = writers.into_iter().flat_map(WriterProcess::finish).collect();
    let tally = verify(&path, &acknowledged);
    assert_eq!(acknowledged.len() as u64, processes as u64 * comments);
    assert_eq!((tally.whole, tally.torn), (acknowledged.len(), 0));
}
