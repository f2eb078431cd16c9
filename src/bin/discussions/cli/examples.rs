//! Examples of every command, as the user types them after the program's name.

/// Returns the examples of a command, by its words; an empty list if it has none.
pub(crate) fn of(path: &[&str]) -> &'static [&'static str] {
    match *path {
        ["ask"] => &[
            "ask \"How do we move sessions to PostgreSQL without downtime?\"",
            "ask \"Is this safe?\" --diff main...HEAD -p author=claude,reviewer=codex",
            "ask - < question.md",
        ],
        ["discuss"] => &[
            "discuss \"Sessions: Redis or PostgreSQL?\"",
            "discuss --input step.json",
            "discuss \"Is this safe?\" --file 'src/auth/**' -p architect=claude,security=codex",
        ],
        ["review"] => &[
            "review docs/plan.md --context-file docs/requirements.md",
            "review --diff main...HEAD --pattern second-look",
            "review docs/plan.md --file 'docs/decisions/*.md'",
        ],
        ["new"] => &[
            "new \"Add user authentication\" -e",
            "new \"Add user authentication\" --context-file notes.md --run",
            "new \"Which queue?\" --template voting --set options=Kafka,NATS --recall",
        ],
        ["run"] => &[
            "run add-user-authentication",
            "run add-user-authentication --max-usd 0.50 --timeout 10m",
        ],
        ["turn"] => &[
            "turn add-user-authentication",
            "turn add-user-authentication @security --ask \"Who may revoke a token?\"",
            "turn add-user-authentication --dry-run",
        ],
        ["show"] => &["show add-user-authentication", "show add-user-authentication --json"],
        ["status"] => &["status add-user-authentication", "status add-user-authentication -v"],
        ["comment"] => &[
            "comment add-user-authentication \"One hour, as in the old system. @security?\"",
            "comment add-user-authentication \"A: Q2 yes\" --vote ready",
            "comment add-user-authentication - < notes.md",
        ],
        ["answer"] => &[
            "answer add-user-authentication \"I own it; 5 per minute.\"",
            "answer add-user-authentication Q2 \"Yes, since May.\" --as Mira",
        ],
        ["vote"] => &[
            "vote add-user-authentication ready",
            "vote add-user-authentication changes \"Name an owner for the keys first.\"",
        ],
        ["advance"] => &[
            "advance add-user-authentication",
            "advance add-user-authentication --to detailed_review",
        ],
        ["close"] => &["close add-user-authentication"],
        ["ui"] => &["ui", "ui add-user-authentication"],
        ["serve"] => &["serve --open", "serve --port 9000 --provider mock"],
        ["reopen"] => &["reopen add-user-authentication"],
        ["list"] => &["list", "list --status open", "list decisions/2026 --json"],
        ["decisions"] => &["decisions", "decisions --json"],
        ["search"] => &["search \"token expiry\""],
        ["recall"] => &["recall \"Where do sessions live?\"", "recall sessions --since 30d --json"],
        ["stats"] => &["stats", "stats decisions/2026 --json"],
        ["result"] => &["result add-user-authentication", "result add-user-authentication --json"],
        ["export"] => &[
            "export add-user-authentication --adr > docs/adr/0007.md",
            "export add-user-authentication --html > page.html",
        ],
        ["check"] => &["check", "check discussions/add-user-authentication.md --strict"],
        ["init"] => &["init", "init --hook", "init --agent claude"],
        ["mcp"] => &["mcp", "mcp --root ~/src/shop --max-usd 2", "mcp --read-only"],
        ["merge"] => &["merge base.md ours.md theirs.md"],
        ["guard"] => &["guard 4711-9f3c- < /dev/null"],
        ["trust"] => &["trust", "trust --list", "trust --revoke"],
        ["participants"] => &["participants list", "participants add dba --interactive"],
        ["templates"] => &["templates list", "templates show debate"],
        ["providers"] => &["providers check", "providers add local --api ollama --model llama3.2"],
        ["participants", "list"] => &["participants list", "participants list --json"],
        ["participants", "show"] => &["participants show architect"],
        ["participants", "add"] => {
            &["participants add dba --interactive", "participants add dba --from-file dba.yaml"]
        }
        ["participants", "edit"] => &["participants edit architect"],
        ["participants", "remove"] => &["participants remove dba"],
        ["templates", "list"] => &["templates list", "templates list --json"],
        ["templates", "show"] => &["templates show debate"],
        ["providers", "list"] => &["providers list", "providers list --json"],
        ["providers", "check"] => &["providers check", "providers check claude-sonnet --ping"],
        ["providers", "add"] => &[
            "providers add local --api ollama --model llama3.2",
            "providers add mine --command \"my-model --stdin\"",
        ],
        ["completions"] => {
            &["completions bash > ~/.local/share/bash-completion/completions/discussions"]
        }
        ["schema"] => &["schema", "schema status"],
        ["man"] => &["man", "man run", "man --dir ~/.local/share/man/man1"],
        _ => &[],
    }
}
