//! JSON of every command and every failure, checked against its schema.

use std::collections::BTreeSet;

use serde_json::Value;

use super::scenario::{CLAUDE, Scenario};
use super::schema::{errors, unknown_fields};

/// A checker that runs commands, compares their JSON with a schema, and records the schemas it used.
struct SchemaChecker<'s> {
    scenario: &'s Scenario,
    seen: BTreeSet<String>,
}

impl SchemaChecker<'_> {
    #[track_caller]
    fn schema(&self, name: &str) -> Value {
        self.scenario.discussions(&["schema", name]).code(0).json()
    }

    #[track_caller]
    fn assert_fits(&mut self, name: &str, document: &Value) {
        let schema = self.schema(name);
        let wrong = errors(&schema, document);
        assert!(wrong.is_empty(), "{name}: {wrong:#?}\n{document:#}");
        assert_eq!(unknown_fields(&schema, document), [""; 0], "{name}");
        self.seen.insert(name.to_owned());
    }

    #[track_caller]
    fn run(&mut self, name: &str, args: &[&str]) -> Value {
        // The document counts here; what commands warn about is tested with each of them.
        let run = self.scenario.discussions(&[args, &["--json"]].concat()).with_warnings();
        let document = run.json();
        assert!(document.as_object().is_none_or(|fields| fields.len() > 1), "{document:#}");
        self.assert_fits(name, &document);
        document
    }
}

#[test]
fn every_failure_is_a_json_object_on_standard_output() {
    let scenario = Scenario::with_discussion().alone();
    scenario.discussions(&["new", "Over"]).code(0);
    scenario.discussions(&["close", "over"]).code(0);
    for (args, exit, code) in [
        (&["status", "nope"][..], 3, "DISCUSSION_INVALID_INPUT"),
        (&["turn", "caching", "--provider", "nope"], 3, "DISCUSSION_INVALID_INPUT"),
        (&["run", "caching", "--provider", "nope"], 3, "DISCUSSION_INVALID_INPUT"),
        (&["run", "over"], 3, "DISCUSSION_INVALID_STATE"),
        (&["advance", "over"], 3, "DISCUSSION_INVALID_STATE"),
        (&["run", "caching"], 4, "DISCUSSION_INSUFFICIENT_PROVIDERS"),
        (&["new", "X", "--template", "nope"], 3, "DISCUSSION_INVALID_PATTERN"),
        (&["comment", "caching"], 2, "DISCUSSION_INVALID_INPUT"),
        (&["vote", "caching", "nope"], 3, "DISCUSSION_INVALID_INPUT"),
        (&["reopen"], 2, "DISCUSSION_INVALID_INPUT"),
        (&["status", "caching", "--nope"], 2, "DISCUSSION_INVALID_INPUT"),
        (&["edit", "caching"], 2, "DISCUSSION_INVALID_INPUT"),
        (&["providers", "check", "nope"], 3, "DISCUSSION_INVALID_INPUT"),
        (&["trust"], 3, "DISCUSSION_INVALID_INPUT"),
        (&["list", "nowhere"], 3, "DISCUSSION_INVALID_INPUT"),
    ] {
        let run = scenario.discussions(&[args, &["--json"]].concat()).code(exit);
        let document = run.json();
        let error = &document["error"];
        assert_eq!(error["code"], code, "{args:?}: {document:#}");
        assert_eq!(error["retryable"], code == "DISCUSSION_INSUFFICIENT_PROVIDERS", "{args:?}");
        let message = error["message"].as_str().unwrap();
        let first = message.lines().next().unwrap();
        assert!(!first.is_empty() && run.stderr().contains(first), "{args:?}: {document:#}");
        assert_eq!(document.as_object().unwrap().len(), 1);
    }
    // A command that prints a result document has its error in that document.
    let discuss = scenario.discussions(&["discuss", "Why?", "--json"]).code(4);
    assert_eq!(discuss.json()["error"]["code"], "DISCUSSION_INSUFFICIENT_PROVIDERS");
}

#[test]
fn unknown_provider_is_invalid_input_in_events() {
    let scenario = Scenario::with_discussion();
    let run = scenario.discussions(&["run", "caching", "--provider", "nope", "--events"]).code(3);
    let codes: Vec<Value> = (run.stdout.lines())
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["event"] == "error")
        .map(|event| event["code"].clone())
        .collect();
    assert_eq!(codes, ["DISCUSSION_INVALID_INPUT"], "{}", run.stdout);
}

#[test]
fn unusable_named_provider_exits_4() {
    let scenario = Scenario::new().alone();
    scenario.discussions(&["providers", "check", "mock"]).code(0);
    scenario.discussions(&["providers", "check", "claude-sonnet"]).code(4).says("missing");
    scenario.discussions(&["providers", "check", "claude-sonnet", "--json"]).code(4);
    scenario.discussions(&["providers", "check"]).code(3).notes("no model can answer");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn every_document_fits_its_schema() {
        let scenario =
            Scenario::new().program("claude", CLAUDE).file("plan.md", "# Plan\n\nCache it.\n");
        let mut checker = SchemaChecker { scenario: &scenario, seen: BTreeSet::new() };
        scenario.init_git();
        checker.run("init", &["init"]);
        let made = checker.run("new", &["new", "Caching"]);
        assert_eq!(made["file"], "discussions/caching.md");
        assert_eq!(made["placeholderLine"].as_u64().map(|line| line > 1), Some(true));
        checker.run("plan", &["turn", "caching", "--dry-run"]);
        checker.run("plan", &["run", "caching", "--dry-run"]);
        checker.run("turn", &["turn", "caching", "@architect"]);
        // One turn does not finish the discussion.
        let run = ["run", "caching", "--max-turns", "1", "--json"];
        checker.assert_fits("run", &scenario.discussions(&run).with_warnings().code(1).json());
        let comment = ["comment", "caching", "So be it, @architekt.", "--json"];
        let comment = scenario.discussions(&comment).with_warnings().code(0).json();
        checker.assert_fits("comment", &comment);
        assert_eq!(
            (&comment["author"], comment["uncounted"].as_array().map(Vec::len)),
            (&"Rob".into(), Some(1))
        );
        assert_eq!(checker.run("vote", &["vote", "caching", "ready"])["vote"], "READY");
        let advanced = checker.run("advance", &["advance", "caching", "--to", "proposal"]);
        assert_eq!(advanced["phase"], "proposal");
        checker.run("status", &["status", "caching"]);
        checker.run("show", &["show", "caching"]);
        checker.run("check", &["check"]);
        assert_eq!(checker.run("close", &["close", "caching"])["changed"], true);
        checker.run("reopen", &["reopen", "caching"]);
        checker.run("list", &["list"]);
        checker.run("result", &["result", "caching"]);
        assert_eq!(checker.run("export", &["export", "caching", "--adr"])["name"], "adr");
        checker.run("export", &["export", "caching", "--html"]);
        checker.run(
            "discuss",
            &["discuss", "Redis?", "--provider", "mock", "--pattern", "voting", "-o", "Yes,No"],
        );
        scenario.write("step.json", br#"{"prompt": "Kafka?", "pattern": "voting"}"#);
        checker.run("discuss-step", &["discuss", "--input", "step.json", "--provider", "mock"]);
        checker.run("plan", &["discuss", "Postgres?", "--provider", "mock", "--dry-run"]);
        assert!(!scenario.path("discussions/postgres.md").exists(), "nothing is made");
        checker.run("decisions", &["decisions"]);
        checker.run("decisions-write-readme", &["decisions", "--write-readme"]);
        checker.run("export-site", &["export", "--site", "public"]);
        checker.run("review", &["review", "plan.md", "--provider", "mock"]);
        checker.run("ask", &["ask", "Is it slow?", "--provider", "mock"]);
        scenario.discussions(&["comment", "is-it-slow", "Q: @rob, why?"]).with_warnings().code(0);
        checker.run("answer", &["answer", "is-it-slow", "Q1", "It is."]);
        checker.run("revisit", &["revisit", "is-it-slow"]);
        checker.run("templates-list", &["templates", "list"]);
        checker.run("templates-show", &["templates", "show", "feature"]);
        checker.run("participants-list", &["participants", "list"]);
        checker.run("participants-show", &["participants", "show", "architect"]);
        scenario.write("dba.yaml", b"name: AI-Dba\nalias: dba\npersonality: You keep data.\n");
        checker.run("participants-add", &["participants", "add", "dba", "--from-file", "dba.yaml"]);
        checker.run("participants-remove", &["participants", "remove", "dba"]);
        checker.run("providers-list", &["providers", "list"]);
        checker.run("search", &["search", "caching"]);
        checker.run("recall", &["recall", "Redis?"]);
        checker.run("stats", &["stats"]);
        checker.run("dashboard", &[]);
        checker.run("providers-check", &["providers", "check", "mock"]);
        checker.run("providers-check", &["providers", "check", "mock", "--ping"]);
        checker.run("providers-add", &["providers", "add", "mine", "--command", "cat"]);
        checker.run("doctor", &["doctor"]);
        checker.run("providers-remove", &["providers", "remove", "mine"]);
        scenario.write("providers.yaml", b"providers:\n  - {name: ours, command: cat}\n");
        assert_eq!(checker.run("trust", &["trust"])[0]["trusted"], true, "the environment says so");
        let state = scenario.path("../state");
        let remembers = Scenario::new()
            .distrusting()
            .file("discussions.yaml", "")
            .env("DISCUSSIONS_STATE_DIR", state.to_str().unwrap());
        remembers.write("providers.yaml", b"providers:\n  - {name: ours, command: cat}\n");
        let before = remembers.discussions(&["trust", "--json"]).code(1).json();
        assert_eq!(before[0]["trusted"], false, "nobody is asked");
        let after = remembers.discussions(&["trust", "--yes", "--json"]).code(0).json();
        assert_eq!(after[0]["trusted"], true);
        let list = remembers.discussions(&["trust", "--list", "--json"]).code(0).json();
        assert_eq!(list[0]["provider"], "ours");
        checker.assert_fits("trust-list", &list);
        for side in ["base", "ours", "theirs"] {
            scenario.write(side, b"# T\n\n---\n\nName: Ann\n\nYes.\n\n---\n");
        }
        checker.run("merge", &["merge", "base", "ours", "theirs"]);
        let events = scenario
            .discussions(&["run", "caching", "--max-turns", "1", "--events"])
            .code(1)
            .with_warnings()
            .stdout;
        for line in events.lines() {
            checker.assert_fits("event", &serde_json::from_str(line).unwrap());
        }
        checker.assert_fits(
            "error",
            &scenario.discussions(&["status", "nope", "--json"]).code(3).json(),
        );
        // An editor needs a terminal, so `participants edit` is checked separately.
        let pen = Scenario::new().file("discussions.yaml", "").env("EDITOR", "true");
        let edited = pen.at_terminal(&["participants", "edit", "architect", "--json"], "").code(0);
        checker.assert_fits("participants-edit", &edited.json());
        let all = scenario.discussions(&["schema"]).code(0).stdout;
        let all: BTreeSet<String> = all.lines().map(str::to_owned).collect();
        assert_eq!(checker.seen, all, "each was printed and judged");
        scenario.discussions(&["schema", "nope"]).code(3).notes("`discussions schema` lists all");
    }
}
