//! Finds the program of a command in the way that a shell does. Splits and expands the words of a
//! command line without a shell.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::provider::Environment;

/// Finds the program that the first word of a command names: on `PATH` or, if the word has a slash, relative to `base`.
pub(super) fn find_program(word: &str, base: &Path, env: &Environment) -> Option<PathBuf> {
    if word.contains(std::path::is_separator) {
        let path = base.join(word);
        return runnable(&path);
    }
    let known = || runnable(&env.home()?.join(own_folder(word)?).join(word));
    // An empty or relative entry in `PATH` would find programs in whatever folder the user is in.
    std::env::split_paths(env.var("PATH").unwrap_or_default())
        .filter(|folder| folder.is_absolute())
        .find_map(|folder| runnable(&folder.join(word)))
        .or_else(known)
}

/// Returns the folder below the home folder that a program's installer uses. It may be missing from `PATH`.
fn own_folder(program: &str) -> Option<&'static str> {
    (program == "opencode").then_some(".opencode/bin")
}

#[cfg(unix)]
fn runnable(path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let meta = std::fs::metadata(path).ok()?;
    (meta.is_file() && meta.permissions().mode() & 0o111 != 0).then(|| path.to_owned())
}

#[cfg(not(unix))]
fn runnable(path: &Path) -> Option<PathBuf> {
    ["", "exe", "cmd", "bat"]
        .into_iter()
        .map(|ending| if ending.is_empty() { path.to_owned() } else { path.with_extension(ending) })
        .find(|path| path.is_file())
}

/// Returns the words of a command line. Variables are expanded after the split, so that no value can become two words.
/// An unset variable is empty, as in a shell.
pub(in crate::provider) fn words(
    line: &str,
    env: &Environment,
) -> Result<Vec<OsString>, shell_words::ParseError> {
    Ok(shell_words::split(line)?.iter().map(|word| expand(word, env)).collect())
}

fn expand(word: &str, env: &Environment) -> OsString {
    let mut expanded = OsString::new();
    let mut rest = word;
    if let (Some(after), Some(home)) = (word.strip_prefix('~'), env.home())
        && (after.is_empty() || after.starts_with('/'))
    {
        expanded.push(home);
        rest = after;
    }
    while let Some((before, after)) = rest.split_once('$') {
        expanded.push(before);
        let (name, tail) = variable(after);
        match name {
            Some(name) => expanded.push(env.var(name).unwrap_or(OsStr::new(""))),
            None => expanded.push("$"),
        }
        rest = tail;
    }
    expanded.push(rest);
    expanded
}

/// Splits `text`, which follows a `$`, into the variable's name and the rest.
fn variable(text: &str) -> (Option<&str>, &str) {
    if let Some(braced) = text.strip_prefix('{') {
        return match braced.split_once('}') {
            Some((name, tail)) if is_name(name) => (Some(name), tail),
            _ => (None, text),
        };
    }
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, tail) = text.split_at(end);
    if is_name(name) { (Some(name), tail) } else { (None, text) }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
#[cfg(test)]
mod words_tests;
