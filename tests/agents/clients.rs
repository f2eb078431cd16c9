//! The real programs as clients of `discussions mcp`. Each is set up as docs/agents.md says. Its model, a local service,
//! calls `discuss`, gets the answer that it is running, calls `continue`, and gets the outcome.

use serde_json::{Value, json};

use super::real::{scenario, stream};
use crate::cli::scenario::Scenario;
use crate::http::fake::{Fake, ReceivedRequest, Step, plain};

const DONE: &str = "The council has spoken.";
/// Programs also ask their model for titles and similar texts; only requests with this word are part of the test.
const ASKS: &str = "Put THE-QUESTION to a council.";

/// Returns the next tool call of the model: the end of the tool's name and its arguments; `None` after both calls.
fn next_call(body: &str) -> Option<(usize, &'static str, Value)> {
    if !body.contains("THE-QUESTION") || body.contains("call-2") {
        return None;
    }
    Some(if body.contains("call-1") {
        (2, "continue", json!({"discussion": "redis", "provider": "mock"}))
    } else {
        (1, "discuss", json!({"topic": "Redis?", "provider": "mock", "wait": 0}))
    })
}

/// Returns the full name of the tool whose name ends with this text; some programs add a namespace.
fn tool_with_ending(tools: &Value, ends: &str) -> Option<(Option<String>, String)> {
    let tools = tools.as_array()?;
    tools.iter().find_map(|tool| {
        let name = tool["name"].as_str().unwrap_or_default();
        if name.ends_with(ends) {
            return Some((None, name.to_owned()));
        }
        let below = ["tools", "functionDeclarations"].map(|key| tool_with_ending(&tool[key], ends));
        let (_, found) = below.into_iter().flatten().next()?;
        Some(((!name.is_empty()).then(|| name.to_owned()), found))
    })
}

fn answer(asked: &ReceivedRequest) -> Vec<u8> {
    let (line, body) = (&asked.line, &asked.body);
    let call = next_call(&body.to_string()).and_then(|(number, tool, arguments)| {
        Some((format!("call-{number}"), tool_with_ending(&body["tools"], tool)?, arguments))
    });
    if line.contains("/messages") && !line.contains("count_tokens") {
        let block = match &call {
            Some((id, (_, name), _)) => {
                json!({"type": "tool_use", "id": id, "name": name, "input": {}})
            }
            None => json!({"type": "text", "text": ""}),
        };
        let delta = match &call {
            Some((_, _, arguments)) => {
                json!({"type": "input_json_delta", "partial_json": arguments.to_string()})
            }
            None => json!({"type": "text_delta", "text": DONE}),
        };
        let why = if call.is_some() { "tool_use" } else { "end_turn" };
        let start = json!({"id": "m", "type": "message", "role": "assistant", "model": body["model"], "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 10, "output_tokens": 1}});
        return stream(&[
            json!({"type": "message_start", "message": start}),
            json!({"type": "content_block_start", "index": 0, "content_block": block}),
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": null}, "usage": {"output_tokens": 5}}),
            json!({"type": "message_stop"}),
        ]);
    }
    if line.contains("/responses") {
        let item = match call {
            Some((id, (space, name), arguments)) => {
                let mut item = json!({"type": "function_call", "id": format!("fc-{id}"), "call_id": id, "name": name,
                    "arguments": arguments.to_string(), "status": "completed"});
                if let Some(space) = space {
                    item["namespace"] = space.into();
                }
                item
            }
            None => {
                json!({"type": "message", "id": "i", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": DONE, "annotations": []}]})
            }
        };
        let usage = json!({"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 2,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 12});
        return stream(&[
            json!({"type": "response.created", "response": {"id": "r"}}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
            json!({"type": "response.completed", "response": {"id": "r", "object": "response", "status": "completed",
                "output": [item], "usage": usage}}),
        ]);
    }
    if line.contains("enerateContent") {
        let part = match call {
            Some((id, (_, name), arguments)) => {
                json!({"functionCall": {"id": id, "name": name, "args": arguments}})
            }
            None => json!({"text": DONE}),
        };
        return stream(&[json!({
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 2, "totalTokenCount": 12},
            "modelVersion": "gemini-2.5-pro",
        })]);
    }
    plain("200 OK", "content-type: application/json\r\nconnection: close\r\n", "{}")
}

/// The command line that starts each program without a user. `tools` is the beginning of the tools' names in Claude
/// Code.
fn arguments(program: &str, tools: &str) -> Vec<String> {
    let words: &[&str] = match program {
        "claude" => {
            let allowed = format!("{tools}discuss,{tools}continue");
            return ["-p", ASKS, "--allowedTools", &allowed].map(str::to_owned).to_vec();
        }
        "codex" => &["exec", "--skip-git-repo-check", "-m", "gpt-5", ASKS],
        _ => &["-p", ASKS, "-m", "gemini-2.5-pro", "--approval-mode", "yolo"],
    };
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Sets up a program with `init --agent`; `codex` also needs the project to be trusted before it uses its servers.
fn set_up_program(scenario: &Scenario, program: &str) -> Vec<String> {
    scenario.discussions(&["init", "--agent", program]).code(0);
    if program == "codex" {
        let own = scenario.read("../home/.codex/config.toml");
        let told = scenario.read(".codex/config.toml");
        let all = format!("{own}{told}default_tools_approval_mode = \"approve\"\n");
        scenario.write("../home/.codex/config.toml", all.as_bytes());
    }
    let mut arguments = arguments(program, "mcp__discussions__");
    if program == "claude" {
        arguments.extend(["--mcp-config", ".mcp.json"].map(str::to_owned));
    }
    arguments
}

/// Returns the command line of a program that got the tools from the plugin. Without a person, `codex` refuses tools
/// that write unless the configuration allows them.
#[cfg(feature = "mcp")]
pub(super) fn set_up_with_plugin(scenario: &Scenario, program: &str) -> Vec<String> {
    if program == "codex" {
        let own = scenario.read("../home/.codex/config.toml");
        let table = "[plugins.\"discussions@discussions\".mcp_servers.discussions]";
        let all = format!("{own}\n{table}\ndefault_tools_approval_mode = \"approve\"\n");
        scenario.write("../home/.codex/config.toml", all.as_bytes());
    }
    arguments(program, "mcp__plugin_discussions_discussions__")
}

/// Runs a program whose model calls `discuss` and `continue`, and asserts that it receives the outcome. `set_up` gives
/// the program our server, and returns the program's command line.
pub(super) fn discusses(program: &str, set_up: impl Fn(&Scenario) -> Vec<String>) {
    let programs = std::env::var("AGENTS").unwrap();
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_discussions")).parent().unwrap();
    let programs = format!("{}:{programs}", own.display());
    let fake = Fake::new(|_, asked| vec![Step::Send(answer(asked))]);
    // Claude Code offers tools of servers only after its model has searched for them; ours does not.
    let scenario = scenario(&programs, &fake)
        .env("GEMINI_CLI_TRUST_WORKSPACE", "true")
        .env("ENABLE_TOOL_SEARCH", "false");
    if scenario.command(program).arg("--version").output().is_err() {
        eprintln!("skipped: {program} as a client");
        return;
    }
    let arguments = set_up(&scenario);
    let output = scenario.command(program).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let bodies: Vec<String> = fake.requests().iter().map(|it| it.body.to_string()).collect();
    let told = |id: &str| bodies.iter().any(|body| body.contains(id));
    assert!(said.contains(DONE), "{program}: {output:?}");
    assert!(told("call-1") && told("call-2"), "{program} called neither: {output:?}");
    let last = bodies.iter().rfind(|body| body.contains("call-2")).unwrap().replace('\\', "");
    // Results are text alone, so every program passes it to its model.
    assert!(last.contains("State: running"), "{program}, that it runs: {last}");
    assert!(last.contains("State: done"), "{program}, the end: {last}");
    let file = scenario.read("discussions/redis.md");
    assert!(file.matches("<!-- REPLY").count() > 2, "{program}: {file}");
}

#[test]
#[ignore = "needs the programs of npm: AGENTS names the folder of their commands"]
fn real_programs_call_mcp_tools_and_receive_the_outcome() {
    if std::env::var_os("AGENTS").is_none() {
        eprintln!("skipped: AGENTS names no folder of programs");
        return;
    }
    for program in ["claude", "codex", "gemini"] {
        discusses(program, |scenario| set_up_program(scenario, program));
    }
}
