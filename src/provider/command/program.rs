//! Finds the program of a command in the way that a shell does. Splits and expands the words of a
//! command line without a shell.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::platform::find_runnable;
use crate::provider::Environment;

/// Finds the program that the first word of a command names: on `PATH` or, if the word has a slash, relative to `base`.
pub(super) fn find_program(word: &str, base: &Path, env: &Environment) -> Option<PathBuf> {
    if word.contains(std::path::is_separator) {
        let path = base.join(word);
        return find_runnable(&path);
    }
    let known = || find_runnable(&env.home()?.join(own_folder(word)?).join(word));
    // An empty or relative entry in `PATH` would find programs in whatever folder the user is in.
    std::env::split_paths(env.var("PATH").unwrap_or_default())
        .filter(|folder| folder.is_absolute())
        .find_map(|folder| find_runnable(&folder.join(word)))
        .or_else(known)
}

/// Returns the folder below the home folder that a program's installer uses. It may be missing from `PATH`.
fn own_folder(program: &str) -> Option<&'static str> {
    (program == "opencode").then_some(".opencode/bin")
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
mod tests;
#[cfg(test)]
mod words_tests;
