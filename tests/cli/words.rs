//! Help texts: every command, argument and flag is described in words that users know.

use regex::Regex;

use super::scenario::Scenario;

/// Returns the commands that the long help lists.
fn command_names(scenario: &Scenario) -> Vec<String> {
    let page = scenario.discussions(&["--help"]).code(0).stdout;
    let (groups, _) = page.split_once("\nOptions:\n").unwrap();
    let verb = Regex::new(r"(?m)^  ([a-z]+)  +\S").unwrap();
    verb.captures_iter(groups).map(|found| found[1].to_owned()).collect()
}

#[test]
fn every_command_has_help() {
    let scenario = Scenario::new();
    let verbs = command_names(&scenario);
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
fn long_help_shows_all_commands_in_groups() {
    let page = Scenario::new().discussions(&["--help"]).code(0).stdout;
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}:\n{page}"));
    assert!(at("Ask:") < at("  discuss ") && at("  turn ") < at("Take part:"));
    assert!(at("Take part:") < at("  vote ") && at("Find:") < at("  list "));
    assert!(at("Manage:") < at("  check ") && at("  providers ") < at("Plumbing:"));
    assert!(at("Plumbing:") < at("  merge ") && at("  man ") < at("Options:"));
}

#[test]
fn short_help_shows_main_commands_and_counts_the_others() {
    let scenario = Scenario::new();
    let page = scenario.discussions(&["-h"]).code(0).stdout;
    let (commands, _) = page.split_once("\nOptions:\n").unwrap();
    let verb = Regex::new(r"(?m)^  ([a-z]+)  +\S").unwrap();
    let shown: Vec<&str> =
        verb.captures_iter(commands).map(|found| found.get(1).unwrap().as_str()).collect();
    let wanted = "new ask discuss run turn comment vote advance status show list check";
    assert_eq!(shown, wanted.split(' ').collect::<Vec<_>>());
    let others = command_names(&scenario).len() - shown.len();
    assert!(page.contains(&format!("{others} more commands: `discussions --help`")), "{page}");
    // `help` and `--help` anywhere on the line show the long help.
    scenario.discussions(&["help"]).code(0).says("Plumbing:");
}

#[test]
fn only_long_help_has_examples() {
    let scenario = Scenario::new();
    for verb in ["run", "comment", "ask", "discuss", "review", "vote"] {
        let short = scenario.discussions(&[verb, "-h"]).code(0).stdout;
        let long = scenario.discussions(&[verb, "--help"]).code(0).stdout;
        assert!(short.lines().count() < long.lines().count(), "{verb}");
        assert!(!short.contains("Examples:"), "{verb}");
        assert!(long.contains(&format!("Examples:\n  discussions {verb} ")), "{verb}:\n{long}");
    }
}

#[test]
fn command_help_points_to_the_global_options() {
    let scenario = Scenario::new();
    for words in [vec!["new"], vec!["discuss"], vec!["review"], vec!["participants", "add"]] {
        for flag in ["-h", "--help"] {
            let help = scenario.discussions(&[&words[..], &[flag]].concat()).code(0).stdout;
            let last = help.trim_end().lines().last().unwrap();
            assert!(last.starts_with("Every command also takes -C, -q, --color"), "{help}");
            assert!(!help.contains("--progress <HOW>") && !help.contains("--quiet"), "{help}");
            let at = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text}:\n{help}"));
            // Other options come before limits and material.
            for group in ["Material:", "Limits:"] {
                assert!(help.find(group).is_none_or(|group| at("--json") < group), "{help}");
            }
        }
    }
    // Global options work before and after the command.
    for words in [["-q", "list"], ["list", "-q"]] {
        scenario.discussions(&words).code(0);
    }
}

#[test]
fn words_of_other_programs_lead_to_a_command() {
    let scenario = Scenario::new().file("discussions.yaml", "author: Rob\n");
    scenario.discussions(&["new", "Cache keys", "-p", "architect"]).code(0);
    for (word, tip) in [
        ("ls", "discussions list"),
        ("cat", "discussions show FILE"),
        ("edit", "discussions comment FILE -e"),
        ("rm", "git rm"),
        ("config", "discussions init"),
        ("Redis or Postgres?", "discussions discuss 'Redis or Postgres?'"),
        ("use Redis", "discussions discuss 'use Redis'"),
        ("why?", "discussions discuss 'why?'"),
        ("cache-keys", "discussions show cache-keys"),
    ] {
        scenario.discussions(&[word]).code(2).notes(&format!("`{tip}"));
    }
    let above = scenario.path("..");
    let folder = scenario.path(".");
    let program = scenario
        .program_under_test()
        .current_dir(above)
        .arg("-C")
        .arg(&folder)
        .arg("cache-keys")
        .output();
    let text = String::from_utf8(program.unwrap().stderr).unwrap();
    assert!(text.contains("show cache-keys`") && text.contains("discussions -C "), "{text}");
}

/// Words of the code that users do not know.
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
    for verb in command_names(&scenario) {
        let text = scenario.discussions(&[&verb, "--help"]).code(0).stdout;
        let found = PRIVATE.iter().find(|word| text.to_lowercase().contains(&word.to_lowercase()));
        assert_eq!(found, None, "{verb}:\n{text}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
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
    for verb in command_names(&scenario) {
        let page = scenario.read(&format!("pages/discussions-{verb}.1"));
        assert!(page.contains("\n.SH SYNOPSIS\n"), "{verb}");
    }
    scenario.read("pages/discussions-providers-check.1");
}

#[test]
fn usage_line_shows_optional_arguments() {
    let scenario = Scenario::new();
    let help = |verb: &str| scenario.discussions(&[verb, "-h"]).code(0).stdout;
    let vote = help("vote");
    assert!(vote.contains("Usage: discussions vote [OPTIONS] [FILE] <VOTE> [TEXT]"), "{vote}");
    assert!(vote.contains("  [FILE]  ") && !vote.contains("  <FILE>"), "{vote}");
    let review = help("review");
    assert!(review.contains("Usage: discussions review [OPTIONS] <ARTIFACT>\n"), "{review}");
    assert!(review.contains("discussions review [OPTIONS] --diff <RANGE>\n"), "{review}");
    for verb in ["run", "turn", "discuss", "review"] {
        let line = "Maximum cost in US dollars; by default no limit";
        assert!(help(verb).contains(line), "{verb}");
    }
    assert!(help("mcp").contains("Only show, search, recall and list"), "all that read are named");
}
