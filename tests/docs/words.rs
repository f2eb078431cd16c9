//! The library describes errors; only front ends name the commands and flags that help.

use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};
use regex::Regex;

use super::tree::sources;

/// Modules that build arguments and scripts for git, one of which calls the program.
const FOR_GIT: [&str; 4] = ["git", "hook", "init", "history"];

/// Returns all string literals of a text as they are written.
pub(super) fn strings(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => strings(group.stream(), found),
            TokenTree::Literal(literal) => {
                found.extend(Some(literal.to_string()).filter(|text| text.contains('"')));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// Returns the commands and flags that a text names.
fn commands_and_flags(text: &str) -> Option<&str> {
    PATTERN.find(text).map(|found| found.as_str())
}

static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    let verbs = sources("src/bin/discussions/cli/verbs");
    let verbs: Vec<&str> = verbs
        .iter()
        .filter_map(|source| source.path.rsplit('/').next()?.strip_suffix(".rs"))
        .filter(|verb| *verb != "mod")
        .collect();
    let verbs = verbs.join("|");
    // The word alone may have another meaning; followed by a subcommand, it is a command.
    let command = format!(r#"(?:^|[\s"`(])discussions (?:{verbs})\b|`(?:{verbs})(?: [^`]*)?`"#);
    let flag = r#"(?:^|[\s"`'(\[])--[a-z]"#;
    Regex::new(&format!("{command}|{flag}")).unwrap()
});

#[test]
fn commands_and_flags_are_recognized() {
    for text in [
        "`discussions check --restore` restores it",
        "raise --max-usd to go on",
        "it needs\\\n  --set name=...",
        "`advance --to` goes back",
        "`reopen` opens it again",
        "see discussions list",
    ] {
        assert!(commands_and_flags(text).is_some(), "{text}");
    }
    for text in
        ["the discussions listed here", "a `---` above it", "<!-- TURN 1 -->", "well--known"]
    {
        assert_eq!(commands_and_flags(text), None, "{text}");
    }
}

#[test]
fn library_texts_name_no_command_or_flag() {
    let mut all = 0;
    for source in sources("src").iter().filter(|source| source.module().is_some()) {
        let parts: Vec<&str> = source.path.trim_end_matches(".rs").split('/').collect();
        if parts[1] == "store" && parts.iter().any(|part| FOR_GIT.contains(part)) {
            continue;
        }
        let mut texts = Vec::new();
        strings(source.code.parse().unwrap(), &mut texts);
        all += texts.len();
        for text in texts {
            assert_eq!(commands_and_flags(&text), None, "{}: {text}", source.path);
        }
    }
    assert!(all > 1_000, "only {all} texts were looked at");
}
