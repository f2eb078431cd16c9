//! Every command in the program's help, as a user would type it in a clone.

use crate::cli::Scenario;

/// The commands in the help.
pub(super) fn all(scenario: &Scenario) -> Vec<String> {
    let help = scenario.discussions(&["--help"]).code(0).stdout;
    let (groups, _) = help.split_once("\nOptions:").unwrap();
    let words = groups.lines().filter_map(|line| {
        let word = line.strip_prefix("  ")?;
        word.starts_with(char::is_alphabetic).then(|| word.split(' ').next())?
    });
    let words: Vec<String> = words.map(str::to_owned).collect();
    assert!(words.len() > 15, "the help names more verbs than {words:?}");
    words
}

/// The command lines of a command; `a` is the path of the discussion.
pub(super) fn lines<'a>(verb: &str, a: &'a str) -> Vec<Vec<&'a str>> {
    match verb {
        "new" => vec![
            vec!["new", "Hostile", "--run", "--provider", "mock"],
            vec!["new", "Changes", "--file", "*", "--diff", "HEAD"],
        ],
        "list" => vec![vec!["list"], vec!["list", "--json"]],
        "show" => vec![vec!["show", a], vec!["show", a, "--json"]],
        "status" => vec![vec!["status", a], vec!["status", a, "--json"]],
        "check" => vec![
            vec!["check"],
            vec!["check", "--git", a],
            vec!["check", "--git", "--due"],
            vec!["check", "--json", a],
            vec!["check", "--format", "github", a],
            vec!["check", "--git", "--format", "gitlab"],
            vec!["check", "--restore", a],
        ],
        "turn" => vec![vec!["turn", a, "--dry-run"], vec!["turn", a, "--provider", "mock"]],
        "comment" => vec![vec!["comment", a, "Looks fine."]],
        "vote" => vec![vec!["vote", a, "ready"], vec!["vote", a, "changes", "Not yet, @rob."]],
        "answer" => vec![vec!["answer", a, "Q1", "No."]],
        "advance" => vec![vec!["advance", a]],
        // Other tests use it over a socket; here it only starts.
        "serve" => vec![vec!["serve", "--listen", "192.0.2.1"]],
        // Other tests use it on a terminal; here there is none.
        "ui" => vec![vec!["ui"], vec!["ui", a]],
        "close" => vec![vec!["close", a]],
        "reopen" => vec![vec!["reopen", a]],
        "run" => vec![vec!["run", a, "--provider", "mock"]],
        "ask" => vec![
            vec!["ask", "Ship it?", "--provider", "mock"],
            vec!["ask", "Is it right?", "--diff", "HEAD", "--provider", "mock"],
        ],
        "discuss" => vec![
            vec!["discuss", "Ship it?", "--provider", "mock"],
            vec!["discuss", "--input", "none.json", "--provider", "mock"],
            vec![
                "discuss",
                "Why?",
                "--within",
                a,
                "--turn",
                "1",
                "--as",
                "architect",
                "--provider",
                "mock",
            ],
        ],
        "review" => vec![
            vec!["review", a, "--provider", "mock"],
            vec!["review", a, "--pattern", "second-look", "--provider", "mock"],
        ],
        "revisit" => vec![
            vec!["close", a],
            vec!["revisit", a],
            vec!["revisit", a, "--run", "--provider", "mock", "--out", "again.md"],
            vec!["reopen", a],
        ],
        "participants" => vec![
            vec!["participants", "list"],
            vec!["participants", "show", "architect"],
            vec!["participants", "add", "mine", "--from-file", "none.yaml"],
            vec!["participants", "remove", "mine"],
        ],
        "templates" => vec![vec!["templates", "list"], vec!["templates", "show", "feature"]],
        "providers" => vec![
            vec!["providers", "list"],
            vec!["providers", "check"],
            vec!["providers", "remove", "claude"],
        ],
        "doctor" => vec![vec!["doctor"], vec!["doctor", "--all"], vec!["doctor", "--json"]],
        "trust" => vec![vec!["trust"], vec!["trust", "--list"], vec!["trust", "--revoke"]],
        "init" => vec![
            vec!["init"],
            vec!["init", "--hook"],
            vec!["init", "--agent", "claude"],
            vec!["init", "--agent", "zed"],
        ],
        // Other tests talk to it; here its standard input is closed.
        "lsp" => vec![vec!["lsp"], vec!["lsp", "--stdio"]],
        "mcp" => vec![vec!["mcp"], vec!["mcp", "--read-only"]],
        "merge" => vec![vec!["merge", a, a, a]],
        // Its standard input is closed, so it ends at once, and no process has this mark.
        "guard" => vec![vec!["guard", "1-0000000000000000-"]],
        // Its standard input is closed, so it gets no words.
        "pipe" => vec![vec!["pipe"]],
        "schema" => vec![vec!["schema"], vec!["schema", "status"]],
        "man" => vec![vec!["man"], vec!["man", "run"]],
        "completions" => vec![vec!["completions", "bash"]],
        "result" => vec![vec!["result", a], vec!["result", a, "--json"]],
        "decisions" => vec![
            vec!["decisions"],
            vec!["decisions", "--due", "--within", "30d"],
            vec!["decisions", "--for", "."],
            vec!["decisions", "--diff", "HEAD"],
            vec!["decisions", "--at", "HEAD"],
            vec!["decisions", "--write-readme"],
        ],
        "search" => vec![vec!["search", "review"], vec!["search", "--json", "payment"]],
        "recall" => vec![vec!["recall", "payment"], vec!["recall", "--json", "review"]],
        "stats" => vec![vec!["stats"], vec!["stats", "--json"]],
        "export" => vec![
            vec!["export", a, "--adr"],
            vec!["export", a, "--adr", "--number", "7"],
            vec!["export", a, "--html"],
            vec!["export", "--site", "public"],
        ],
        "help" => vec![vec!["help"]],
        new => panic!("`{new}` is a new verb: say here how somebody uses it in a clone"),
    }
}
