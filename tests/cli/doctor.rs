//! `discussions doctor`: what is installed, logged in, configured and wrong. No key is printed, and no command of a
//! project is run.

use serde_json::Value;

use super::Scenario;

/// A program that hangs, whatever it is asked.
const HANGING: &str = "#!/bin/sh\nwhile :; do /bin/sleep 60; done\n";

/// Returns the diagnosis of a name.
#[track_caller]
fn find<'j>(json: &'j Value, name: &str) -> &'j Value {
    let all = json.as_array().unwrap();
    all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name}: {json:#}"))
}

#[test]
fn machine_without_a_model_exits_3_and_names_ways_to_get_one() {
    let scenario = Scenario::new();
    let run = scenario.discussions(&["doctor"]).code(3);
    run.says("git").notes("error: no model can answer\nhelp: any one of these will do:");
    let run = scenario.discussions(&["doctor"]).code(3);
    assert!(!run.stdout.contains("openai"), "what is missing is not listed: {}", run.stdout);
    let all = scenario.discussions(&["doctor", "--all"]).code(3);
    all.says("OPENAI_API_KEY is not set").says("npm install -g @anthropic-ai/claude-code");
    let json = scenario.discussions(&["doctor", "--json"]).code(3).json();
    assert!(json.as_array().unwrap().iter().all(|one| one["answers"] == false), "{json:#}");
    assert_eq!(find(&json, "git")["state"], "ok");
    assert_eq!(find(&json, "claude")["state"], "missing");
    assert_eq!(find(&json, "merge driver")["state"], "ok", "none is needed");
}

#[test]
fn logins_are_found_in_files_variables_and_by_a_status_command() {
    let version = "#!/bin/sh\necho '2.1.197 (Claude Code)'\n";
    let codex = "#!/bin/sh\n[ \"$1\" = -V ] && { echo 'codex-cli 0.169.0'; exit; }\n\
                 echo 'Not logged in' >&2\nexit 1\n";
    let scenario = Scenario::new().program("claude", version).program("codex", codex);
    let json = scenario.discussions(&["doctor", "--json"]).code(3).json();
    let claude = find(&json, "claude");
    assert_eq!((&claude["state"], &claude["answers"]), (&"problem".into(), &false.into()));
    assert!(
        claude["details"].as_str().unwrap().ends_with("version 2.1.197, not logged in"),
        "{claude}"
    );
    assert_eq!(claude["fix"], "run `claude` once to log in");
    assert_eq!(find(&json, "codex")["fix"], "run `codex login`");
    scenario.write("../home/.claude/settings.json", b"{}");
    let json = scenario.discussions(&["doctor", "--json"]).code(0).json();
    assert_eq!(find(&json, "claude")["state"], "unknown", "the login may be in a keychain");
    scenario.write("../home/.claude/.credentials.json", b"{\"token\": \"sk-ant-secret\"}");
    let run = scenario.discussions(&["doctor"]).code(0);
    run.says("version 2.1.197, logged in");
    let codex = codex.replace("Not logged in' >&2\nexit 1", "Logged in using ChatGPT' >&2");
    let scenario = scenario.program("codex", &codex).env("ANTHROPIC_API_KEY", "sk-ant-other");
    let run = scenario.discussions(&["doctor"]).code(0);
    run.says("version 0.169.0, logged in").says("ANTHROPIC_API_KEY is set, for api.anthropic.com");
    let run = scenario.discussions(&["doctor", "--all", "--json"]).code(0);
    assert!(!format!("{}{}", run.stdout, run.stderr()).contains("sk-ant"), "no key is printed");
}

#[test]
fn hanging_program_has_an_unknown_version_and_ends() {
    let scenario = Scenario::new().program("claude", HANGING);
    scenario.write("../home/.claude/x", b"");
    let json = scenario.discussions(&["doctor", "--json"]).code(0).json();
    let claude = find(&json, "claude");
    assert_eq!(claude["state"], "unknown");
    let details = claude["details"].as_str().unwrap();
    assert!(details.ends_with("version unknown, login unknown"), "{details}");
}

#[test]
fn secrets_of_a_project_are_not_printed_and_its_commands_not_run() {
    let key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
    let providers = format!(
        "providers:\n  - name: path\n    api: openai\n    url: https://example.org/{key}/v1/\n    model: m\n  \
         - name: query\n    api: openai\n    url: https://example.org/v1/?key={key}\n    model: m\n  \
         - name: line\n    command: touch ../ran --key {key}\n"
    );
    let template = format!(
        "---\nid: t\nphases:\n  - id: a\n    run: [touch, ../ran, {key}]\n  - id: b\n---\n# {{{{ title }}}}\n"
    );
    let scenario = Scenario::new()
        .distrusting()
        .file("discussions.yaml", "author: Rob\n")
        .file("providers.yaml", &providers)
        .file("templates/t.md", &template)
        .file(".env", &format!("export OPENAI_API_KEY={key}\nOTHER={key}\n"))
        .env("HTTPS_PROXY", &format!("http://me:{key}@127.0.0.1:1/"));
    scenario.init_git();
    scenario.git(&["remote", "add", "origin", &format!("https://me:{key}@example.org/r.git")]);
    for args in [&["doctor"][..], &["doctor", "--all"], &["doctor", "--json"]] {
        let run = scenario.discussions(args).code(3);
        let told = format!("{}{}", run.stdout, run.stderr());
        assert!(!told.contains(&key[..16]), "{args:?}: {told}");
        assert!(!scenario.path("../ran").exists(), "{args:?}");
    }
    let json = scenario.discussions(&["doctor", "--json"]).code(3).json();
    assert_eq!(find(&json, "query")["details"], "its definition cannot be used: providers.yaml:8");
    assert_eq!(find(&json, "line")["state"], "untrusted");
    assert_eq!(find(&json, "line")["fix"], "`discussions trust` shows it and asks you");
    assert!(
        find(&json, ".env")["details"].as_str().unwrap().starts_with("sets OPENAI_API_KEY, but")
    );
    let broken = scenario.file("discussions.yaml", &format!("key: {key}\n"));
    let run = broken.discussions(&["doctor"]).code(3);
    assert!(
        !format!("{}{}", run.stdout, run.stderr()).contains(&key[..16]),
        "a broken file is not quoted"
    );
}

#[test]
fn project_and_clone_are_diagnosed() {
    let scenario = Scenario::new()
        .distrusting()
        .env("OPENAI_API_KEY", "sk-test")
        .file("discussions.yaml", "providers: {default: nobody}\n")
        .file(".gitattributes", "*.md merge=discussions\n")
        .file("participants/bad.yaml", "name: [\n");
    scenario.init_git();
    let json = scenario.discussions(&["doctor", "--json"]).code(0).json();
    assert_eq!(find(&json, "merge driver")["fix"], "`discussions init` sets it up");
    assert_eq!(find(&json, "merge driver")["state"], "problem");
    assert_eq!(find(&json, "nobody")["state"], "problem");
    assert_eq!(find(&json, "participants/bad.yaml")["state"], "problem");
    scenario.discussions(&["init"]).code(0);
    let json = scenario.discussions(&["doctor", "--json"]).code(0).json();
    assert_eq!(find(&json, "merge driver")["state"], "ok");
}
