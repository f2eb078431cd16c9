//! A `claude` whose service refuses it, with the messages of version 2.1: what the user sees, and when.

use super::calls;
use crate::cli::scenario::Scenario;

/// Prints a message for each allowed retry, and then the refusal of the service. By default the program waits three
/// minutes between retries; here it never ends.
const REFUSED: &str = r#"#!/bin/sh
cat > /dev/null
printf '%s|%s|%s\n' "$DISCUSSIONS_PARTICIPANT" "$(pwd)" "$*" >> "$HOME/calls.log"
[ "${CLAUDE_CODE_MAX_RETRIES:-10}" -le 3 ] || exec sleep 600
status=$(cat "$HOME/status")
said=$(cat "$HOME/said")
echo '{"type":"system","subtype":"init","cwd":"/tmp/x","tools":[],"model":"claude-sonnet-5","apiKeySource":"ANTHROPIC_API_KEY","claude_code_version":"2.1.197"}'
echo '{"type":"system","subtype":"status","status":"requesting"}'
echo '{"type":"system","subtype":"api_retry","attempt":1,"max_retries":2,"retry_delay_ms":587.7,"error_status":'$status',"error":"authentication_failed"}'
echo '{"type":"assistant","message":{"model":"<synthetic>","role":"assistant","usage":{"input_tokens":0,"output_tokens":0},"content":[{"type":"text","text":"'$said'"}]},"error":"authentication_failed"}'
echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":'$status',"num_turns":1,"result":"'$said'","total_cost_usd":0,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0},"modelUsage":{},"terminal_reason":"completed"}'
exit 1
"#;

fn scenario_with_refusal(status: &str, said: &str) -> Scenario {
    let scenario = Scenario::new()
        .program("claude", REFUSED)
        .env("ANTHROPIC_API_KEY", "sk-ant-wrong")
        .file("discussions.yaml", "author: Rob\nproviders: {default: claude, fallback: []}\n")
        .file(
            "d.md",
            "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect, security, pragmatist]\n-->\n\n# D\n\n## Context\nText.\n",
        );
    scenario.write("../home/status", status.as_bytes());
    scenario.write("../home/said", said.as_bytes());
    scenario
}

#[test]
fn wrong_key_is_reported_immediately_and_once() {
    let said = "Invalid API key · Fix external API key";
    for args in [&["run", "d"][..], &["turn", "d"], &["run", "d", "--no-wait"]] {
        let scenario = scenario_with_refusal("401", said);
        let run = scenario.discussions(args).code(4);
        assert_eq!(run.stderr().matches(said).count(), 1, "{}", run.stderr());
        assert_eq!(calls(&scenario).len(), 3, "nobody is asked twice: {}", run.stderr());
        let file = scenario.read("d.md");
        assert_eq!(file.matches("code: unauthorized").count(), 3, "{file}");
        assert!(!file.contains("sk-ant-wrong") && !run.stderr().contains("sk-ant-wrong"));
        let help = "help: log in with its program, or fix the key in the environment; to test it: `discussions doctor";
        assert_eq!(run.stderr().matches(help).count(), 1, "{}", run.stderr());
        assert!(run.stderr().contains("discussions run"), "how to go on: {}", run.stderr());
    }
}

#[test]
fn errors_of_the_claude_service_are_classified() {
    for (status, said, code) in [
        ("null", "Not logged in · Please run /login", "unauthorized"),
        ("404", "There's an issue with the selected model (x). It may not exist", "unknown_model"),
        ("null", "API Error: Unable to connect to API (ConnectionRefused)", "unreachable"),
        ("529", "API Error: 529 Overloaded", "overloaded"),
    ] {
        let scenario = scenario_with_refusal(status, said);
        scenario.write(
            "../config/providers.yaml",
            b"providers: [{name: claude-sonnet, aliases: [claude], command: claude, env: {CLAUDE_CODE_MAX_RETRIES: '1'}, retries: 0, output: {format: jsonl, text: /result, error: /is_error}}]\n",
        );
        scenario.discussions(&["turn", "d", "@architect"]).with_warnings().code(4);
        let file = scenario.read("d.md");
        assert!(file.contains(&format!("code: {code}")), "{said}: {file}");
    }
}
