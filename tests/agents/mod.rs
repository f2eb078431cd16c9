//! Coding agents as providers: their tools, their login, their money, and discussions while they cannot answer.

mod clients;
mod keys;
mod login;
mod mentions;
mod money;
#[cfg(feature = "mcp")]
mod plugin;
mod real;
mod real_settings;
mod service_errors;
mod settings;
mod tools;

use crate::cli::scenario::Scenario;

/// A fake `claude`: it answers only after a login, and logs how it was called.
const AGENT: &str = r#"#!/bin/sh
prompt=$(cat)
printf '%s|%s|%s\n' "$DISCUSSIONS_PARTICIPANT" "$(pwd)" "$*" >> "$HOME/calls.log"
printf '%s\n=====\n' "$prompt" >> "$HOME/prompts.log"
[ -e "$HOME/$DISCUSSIONS_PARTICIPANT.in" ] || [ -e "$HOME/in" ] || {
  printf '{"is_error":true,"result":"Not logged in - Please run /login"}'
  exit 1
}
printf '{"is_error":false,"result":"I looked.\\n\\nVOTE: READY","usage":{"input_tokens":1000,"output_tokens":50},"total_cost_usd":0.01}'
"#;

/// A discussion of three participants who all use this program.
fn scenario() -> Scenario {
    Scenario::new()
        .alone()
        .program("claude", AGENT)
        .program("cat", "#!/bin/sh\nexec /bin/cat \"$@\"\n")
        .file("discussions.yaml", "author: Rob\n")
        .file(
            "d.md",
            "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect, security, pragmatist]\n\
             providers: {architect: claude, security: claude, pragmatist: claude}\n-->\n\n# D\n\n## Context\nText.\n",
        )
}

/// Logs in one participant, or all of them with `in`.
fn log_in(scenario: &Scenario, who: &str) {
    scenario.write(&format!("../home/{who}"), b"");
}

/// The logged calls: participant, folder and arguments.
fn calls(scenario: &Scenario) -> Vec<[String; 3]> {
    let log = scenario.read("../home/calls.log");
    let call = |line: &str| {
        let mut parts = line.splitn(3, '|').map(str::to_owned);
        [(); 3].map(|()| parts.next().unwrap())
    };
    log.lines().map(call).collect()
}
