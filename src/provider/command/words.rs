//! Splits a command line into words as a shell does and expands variables, without using a shell.

use std::ffi::{OsStr, OsString};

use crate::provider::Environment;

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
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn split(line: &str) -> Vec<String> {
        let vars = [("MODEL", "two words; $(rm)"), ("N", "7")];
        let env = Environment::new(vars, Some(PathBuf::from("/home/rob")), PathBuf::from("/tmp"));
        words(line, &env).unwrap().into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn quotes_group_words_and_values_stay_one_word() {
        assert_eq!(split("a --m 'b c' \"\""), ["a", "--m", "b c", ""]);
        assert_eq!(split("a $MODEL x${N}y $N-b"), ["a", "two words; $(rm)", "x7y", "7-b"]);
    }

    #[test]
    fn only_a_leading_tilde_is_the_home_folder() {
        assert_eq!(
            split("~/bin/a ~ a~ ~bob b/~/c"),
            ["/home/rob/bin/a", "/home/rob", "a~", "~bob", "b/~/c"]
        );
    }

    #[test]
    fn text_that_names_no_variable_stays() {
        assert_eq!(split("$ $5 ${} ${A B} 'a$'"), ["$", "$5", "${}", "${A", "B}", "a$"]);
        assert_eq!(split("x$UNSET"), ["x"]);
    }

    #[test]
    fn shell_operators_are_plain_words() {
        assert_eq!(
            split("a | b > c && d; $(e) `f` *"),
            ["a", "|", "b", ">", "c", "&&", "d;", "$(e)", "`f`", "*"]
        );
    }
}
