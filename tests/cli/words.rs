//! The help is complete: every verb, argument and flag says what it does, in words that anybody knows.

use regex::Regex;

use super::scenario::Scenario;

/// The verbs that the first page names, each in its group.
fn verbs(scenario: &Scenario) -> Vec<String> {
    let page = scenario.discussions(&["--help"]).code(0).stdout;
    let (groups, _) = page.split_once("\nOptions:\n").unwrap();
    let verb = Regex::new(r"(?m)^  ([a-z]+)  +\S").unwrap();
    verb.captures_iter(groups).map(|found| found[1].to_owned()).collect()
}

#[test]
fn every_verb_has_help() {
    let scenario = Scenario::new();
    let verbs = verbs(&scenario);
    assert!(verbs.len() >= 24, "{verbs:?}");
    for verb in verbs {
        let text = scenario.discussions(&[&verb, "-h"]).code(0).stdout;
        let bare = text.lines().find(|line| {
            let line = line.trim();
            (line.starts_with("--") || line.starts_with('<') || line.starts_with('['))
                && !line.contains("  ")
                && line.split_whitespace().count() < 3
        });
        assert_eq!(bare, None, "{verb}:\n{text}");
    }
}

#[test]
fn the_first_page_shows_the_verbs_by_what_one_wants_to_do() {
    let page = Scenario::new().discussions(&["-h"]).code(0).stdout;
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}:\n{page}"));
    assert!(at("Ask:") < at("  discuss ") && at("  turn ") < at("Take part:"));
    assert!(at("Take part:") < at("  vote ") && at("Find:") < at("  list "));
    assert!(at("Keep:") < at("  check ") && at("  man ") < at("Options:"));
}

#[test]
fn a_short_help_and_a_long_one_with_examples() {
    let scenario = Scenario::new();
    for verb in ["run", "comment", "discuss", "review", "vote"] {
        let short = scenario.discussions(&[verb, "-h"]).code(0).stdout;
        let long = scenario.discussions(&[verb, "--help"]).code(0).stdout;
        assert!(short.lines().count() < long.lines().count(), "{verb}");
        assert!(!short.contains("Examples:"), "{verb}");
        assert!(long.contains(&format!("Examples:\n  discussions {verb} ")), "{verb}:\n{long}");
    }
}

#[test]
fn what_belongs_to_every_command_stands_apart() {
    let scenario = Scenario::new();
    for verb in ["new", "discuss", "review", "run"] {
        let help = scenario.discussions(&[verb, "-h"]).code(0).stdout;
        let at = |text: &str| help.find(text).unwrap_or_else(|| panic!("{verb}, {text}:\n{help}"));
        // Whatever is no limit and no material is told before those.
        assert!(at("Options:") < at("--json") && at("--json") < at("Everywhere:"), "{help}");
        for group in ["Material:", "Limits:"] {
            assert!(help.find(group).is_none_or(|group| at("--json") < group), "{help}");
        }
    }
}

/// Words of the code that nobody else knows.
const PRIVATE: [&str; 9] = [
    "acknowledg",
    "stray",
    "control line",
    "snapshot",
    "ledger",
    "sidecar",
    "preamble",
    "roster",
    "Human (",
];

#[test]
fn help_has_no_private_words() {
    let scenario = Scenario::new();
    for verb in verbs(&scenario) {
        let text = scenario.discussions(&[&verb, "--help"]).code(0).stdout;
        let found = PRIVATE.iter().find(|word| text.to_lowercase().contains(&word.to_lowercase()));
        assert_eq!(found, None, "{verb}:\n{text}");
    }
}

#[test]
fn there_is_a_manual_page_of_every_command() {
    let scenario = Scenario::new();
    let page = scenario.discussions(&["man"]).code(0).stdout;
    assert!(page.contains(".TH DISCUSSIONS 1"), "{page}");
    scenario
        .discussions(&["man", "run"])
        .code(0)
        .says(".TH DISCUSSIONS-RUN 1")
        .says("discussions run add");
    scenario
        .discussions(&["man", "nothing"])
        .code(2)
        .notes("there is no command `discussions nothing`");
    scenario
        .discussions(&["man", "discussions", "providers", "check"])
        .code(0)
        .says("PROVIDERS-CHECK 1");
    scenario
        .discussions(&["man", "pages/"])
        .code(2)
        .notes("`discussions man --dir pages/` writes all pages there");
    let synopsis = "\n.SH SYNOPSIS\ndiscussions run [OPTIONS] [FILE]\n.SH DESCRIPTION\n";
    assert!(scenario.discussions(&["man", "run"]).stdout.contains(synopsis));
    scenario.discussions(&["man", "--dir", "pages"]).code(0).says("Created: pages/discussions.1\n");
    for verb in verbs(&scenario) {
        let page = scenario.read(&format!("pages/discussions-{verb}.1"));
        assert!(page.contains("\n.SH SYNOPSIS\n"), "{verb}");
    }
    scenario.read("pages/discussions-providers-check.1");
}
