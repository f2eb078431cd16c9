//! Checks that messages, help, pages and docs avoid words that confused readers.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use regex::Regex;

use super::tree::{root, sources};
use super::words::strings;
use crate::cli::Scenario;

/// A reader had to read a sentence with each of these words twice. The glossary has plain replacements.
static STUMBLES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?:came|comes|come)\ to\b (?:\ (?:an?\ )?(?:nothing|agree))?
        | \bmend(?:s|ed|ing)?\b
        | \bwhoever\b | \bsomebody\b | \bnobody\b
        | \bany\ more\b
        | \bshall\b
        | \bcounts?\ for\ nothing\b
        | \bwhat\ (?:was|is|were)\ (?:said|told|heard)\b
        | \bput\ a\ question\b
        | \bforms?\ of\ discussion\b
        | \b(?:it|this|that|`|one)\ (?:is|are)\ no\ (?:number|name|path|address|word|file|folder|program|text|date|time|option|discussion|answer|list|table|key)\b
        | \bbrought\ along\b
        | \bargued\ out\b
        ",
    )
    .unwrap()
});

/// A placeholder for a value in a message.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{[^}]*\}").unwrap());

/// The folders and files whose texts are prompts for models.
const PROMPTS: [&str; 3] = ["src/engine/", "src/participant/persona.rs", "src/runner/tools.rs"];

fn banned_words<'t>(texts: impl IntoIterator<Item = (String, &'t str)>) -> Vec<String> {
    texts
        .into_iter()
        .flat_map(|(place, text)| {
            STUMBLES
                .find_iter(text)
                .map(move |found| format!("{place}: {}: {text}", found.as_str()))
        })
        .collect()
}

#[test]
fn messages_use_no_banned_word() {
    let mut all = Vec::new();
    for source in sources("src") {
        if PROMPTS.iter().any(|prompts| source.path.starts_with(prompts)) {
            continue;
        }
        let mut texts = Vec::new();
        strings(source.code.parse().unwrap(), &mut texts);
        // A text of one or two words is a word that the program searches for, not a message.
        texts.retain(|text| text.split_whitespace().count() > 2);
        let texts = texts.iter().map(|text| PLACEHOLDER.replace_all(text, "").into_owned());
        all.extend(texts.map(|text| (source.path.clone(), text)));
    }
    assert!(all.len() > 1_000, "only {} texts were read", all.len());
    let found = banned_words(all.iter().map(|(path, text)| (path.clone(), text.as_str())));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn help_uses_no_banned_word() {
    let scenario = Scenario::new();
    scenario.discussions(&["man", "--dir", "pages"]).code(0);
    let pages: Vec<PathBuf> =
        fs::read_dir(scenario.path("pages")).unwrap().map(|page| page.unwrap().path()).collect();
    assert!(pages.len() > 30, "only {} pages", pages.len());
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let lines = text.lines().map(|line| (page.display().to_string(), line));
        let found = banned_words(lines);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

#[test]
fn docs_use_no_banned_word() {
    let mut pages: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
            .map(|page| root().join(page))
            .to_vec();
    pages.extend(
        crate::tracked::below("docs")
            .filter(|page| page.matches('/').count() == 1)
            .map(|page| root().join(page)),
    );
    for page in pages.iter().filter(|page| page.extension().is_some_and(|end| end == "md")) {
        // These pages list the replaced words in tables.
        let is_about_words = page.ends_with("glossary.md") || page.ends_with("CONTRIBUTING.md");
        let text = fs::read_to_string(page).unwrap();
        let prose =
            text.lines().enumerate().filter(|(_, line)| !is_about_words || !line.starts_with('|'));
        let lines = prose.map(|(at, line)| {
            (format!("{}:{}", page.strip_prefix(root()).unwrap().display(), at + 1), line)
        });
        let found = banned_words(lines);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
