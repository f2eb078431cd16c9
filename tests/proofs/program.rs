//! The program, started as a user would start it in a folder.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use discussions::store::{check, read};
use discussions::transcript::{BlockEnding, EntryKind, parse};

/// A command that runs the program in a folder, perhaps through another program such as `prlimit`.
pub(crate) fn command(through: &[&str], folder: &Path) -> Command {
    let mut words = through.iter().copied().chain([env!("CARGO_BIN_EXE_discussions")]);
    let mut command = command_of(words.next().unwrap(), folder);
    command.args(words);
    command
}

/// A command for any program in a folder, without user configuration; programs in its folder `bin` are found first.
pub(crate) fn command_of(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    let mut path = folder.join("bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    command.current_dir(folder).env("PATH", path).env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("DISCUSSIONS_TRUST", "all");
    for variable in ["HOME", "DISCUSSIONS_CONFIG_DIR"] {
        command.env(variable, folder);
    }
    for variable in
        ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"]
    {
        command.env(variable, "rob@example.org");
    }
    command
}

/// Returns whether a program can be used here; otherwise the proof prints why it is skipped.
pub(crate) fn works(command: &mut Command) -> bool {
    let works = command.output().is_ok_and(|output| output.status.success());
    if !works {
        println!("skipped: {command:?} does not work here");
    }
    works
}

/// Adds one comment; returns the output.
pub(crate) fn comment(through: &[&str], folder: &Path, text: &str) -> Output {
    command(through, folder).args(["comment", "a.md", text, "--as", "Rob"]).output().unwrap()
}

/// Checks that an attempt to write `text` after `before` either succeeded with a message, or failed with code 5 and a
/// message and left the file unchanged. Returns whether it succeeded.
pub(crate) fn written_or_refused(
    folder: &Path,
    before: &[u8],
    text: &str,
    output: &Output,
) -> bool {
    let path = folder.join("a.md");
    let after = fs::read(&path).unwrap();
    assert!(after.starts_with(before), "earlier bytes changed");
    let told = String::from_utf8_lossy(&output.stderr);
    let written = output.status.success();
    if written {
        assert_eq!(last_comment(&path).as_deref(), Some(text), "acknowledged, but not there");
    } else {
        assert_eq!(output.status.code(), Some(5), "{:?}: {told}", output.status);
        assert!(told.starts_with("error: a.md: "), "{told}");
        assert!(output.stdout.is_empty(), "it claims that it wrote: {output:?}");
        if !told.contains("check it before you try again") {
            assert_eq!(after, before, "something was left: {told}");
        }
    }
    // Nothing acknowledged is missing, and `check` misses nothing that was not acknowledged.
    let findings = check(&path, &read(&path).unwrap().text).unwrap();
    assert_eq!(findings, [], "{told}");
    written
}

fn last_comment(path: &Path) -> Option<String> {
    let text = read(path).unwrap().text;
    match &parse(&text).entries.last()?.kind {
        EntryKind::Comment(comment) if comment.ending == BlockEnding::Rule => Some(comment.body()),
        _ => None,
    }
}
