//! A file size limit at every byte of one comment, in the file and in its journal.

use std::fs;
use std::process::Command;

use super::program::{comment, works, written_or_refused};

const TEXT: &str = "A comment of some length, so that there is much in which it can be cut.\n\nAnd a second paragraph.";

#[test]
fn size_limit_at_some_bytes_of_a_comment_keeps_the_file() {
    prove(97);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program for each limit"]
    fn size_limit_at_each_23rd_byte_of_a_comment_keeps_the_file() {
        prove(23);
    }
}

#[test]
#[ignore = "full form: cargo prove size_limit"]
fn size_limit_at_every_byte_of_a_comment_keeps_the_file() {
    prove(1);
}

fn prove(stride: usize) {
    if !works(Command::new("prlimit").arg("--version")) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let begin = || {
        fs::write(folder.join("a.md"), "# Limited\n\nBy size.\n").unwrap();
        let _ = fs::remove_dir_all(folder.join(".discussions"));
        assert!(comment(&[], folder, "The first.").status.success());
        fs::read(folder.join("a.md")).unwrap()
    };
    begin();
    assert!(comment(&[], folder, TEXT).status.success());
    let journal = fs::metadata(folder.join(".discussions/a.md.journal")).unwrap().len();
    let whole = fs::metadata(folder.join("a.md")).unwrap().len().max(journal) as usize;

    let (mut refused, mut written) = (0, 0);
    // With one more byte the write succeeds.
    for limit in (0..=whole).step_by(stride).chain([whole]) {
        // Each comment has its own time.
        let before = begin();
        let output = comment(&["prlimit", &format!("--fsize={limit}:{limit}")], folder, TEXT);
        if written_or_refused(folder, &before, TEXT, &output) {
            written += 1
        } else {
            refused += 1
        }
        // The next comment, without a limit, is an ordinary one.
        let before = fs::read(folder.join("a.md")).unwrap();
        let output = comment(&[], folder, "The next.");
        assert!(written_or_refused(folder, &before, "The next.", &output), "limit {limit}");
    }
    assert!(refused > 0 && written > 0, "{refused} refused, {written} written");
    println!(
        "a limit at {} places of {whole} bytes: {refused} refused and {written} written; earlier bytes identical, 0 \
         false acknowledgements",
        refused + written
    );
}
