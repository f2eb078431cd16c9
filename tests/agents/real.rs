//! The real programs with a local service that answers like their vendor: with and without permission to read files,
//! and within the length that they are given.

use serde_json::{Value, json};

use crate::cli::scenario::Scenario;
use crate::http::fake::{Fake, ReceivedRequest, Step, plain};

const SAID: &str = "It holds.\n\nVOTE: READY";

const PROGRAMS: [&str; 4] = ["claude", "codex", "gemini", "opencode"];

/// Events as a service sends them, with or without names.
pub(super) fn stream(events: &[Value]) -> Vec<u8> {
    let one = |event: &Value| match event["type"].as_str() {
        Some(name) => format!("event: {name}\ndata: {event}\n\n"),
        None => format!("data: {event}\n\n"),
    };
    let body: String = events.iter().map(one).collect();
    plain("200 OK", "content-type: text/event-stream\r\nconnection: close\r\n", &body)
}

/// Returns the response of the program's vendor; `cut` stops it at the maximum length.
pub(super) fn answer(asked: &ReceivedRequest, cut: bool) -> Vec<u8> {
    let line = &asked.line;
    if line.contains("/messages") && !line.contains("count_tokens") {
        let start = json!({"id": "m", "type": "message", "role": "assistant", "model": asked.body["model"], "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 1000, "output_tokens": 1}});
        return stream(&[
            json!({"type": "message_start", "message": start}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": SAID}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": if cut { "max_tokens" } else { "end_turn" }, "stop_sequence": null},
                "usage": {"output_tokens": 20}}),
            json!({"type": "message_stop"}),
        ]);
    }
    if line.contains("/responses") {
        let item = json!({"type": "message", "id": "i", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": SAID, "annotations": []}]});
        let usage = json!({"input_tokens": 1000, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 20,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 1020});
        return stream(&[
            json!({"type": "response.created", "response": {"id": "r"}}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
            json!({"type": "response.completed", "response": {"id": "r", "object": "response", "status": "completed",
                "output": [item], "usage": usage}}),
        ]);
    }
    if line.contains("enerateContent") {
        return stream(&[json!({
            "candidates": [{"content": {"role": "model", "parts": [{"text": SAID}]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 20, "totalTokenCount": 1020},
            "modelVersion": "gemini-2.5-flash",
        })]);
    }
    if line.contains("/chat/completions") {
        let chunk = |delta: Value, end: Value| {
            json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": end}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}})
        };
        return stream(&[
            chunk(json!({"role": "assistant", "content": SAID}), Value::Null),
            chunk(json!({}), "stop".into()),
        ]);
    }
    plain("200 OK", "content-type: application/json\r\nconnection: close\r\n", "{}")
}

/// A scenario with all four programs and the addresses of their services.
pub(super) fn scenario(programs: &str, fake: &Fake) -> Scenario {
    let path = std::env::var("PATH").unwrap();
    let host = format!("http://127.0.0.1:{}", fake.port);
    let scenario = Scenario::new()
        .env("PATH", &format!("{programs}:{path}"))
        .env("ANTHROPIC_BASE_URL", &host)
        .env("ANTHROPIC_API_KEY", "sk-ant-x")
        .env("DISABLE_AUTOUPDATER", "1")
        // Since 2.1.332 Claude Code hides the tools of servers until its model searches for them; ours calls them at once.
        .env("ENABLE_TOOL_SEARCH", "false")
        .env("OPENAI_API_KEY", "sk-x")
        .env("GOOGLE_GEMINI_BASE_URL", &host)
        .env("GEMINI_API_KEY", "g-x")
        .env("DEEPSEEK_API_KEY", "d-x")
        .file("notes.txt", "The word is xyzzy.\n")
        .file("discussions.yaml", "author: Rob\n")
        .file(
            "d.md",
            "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect]\n-->\n\n# D\n\n## Context\nText.\n",
        );
    let codex = format!(
        "model_provider = \"fake\"\n[model_providers.fake]\nname = \"fake\"\nbase_url = \"{host}/v1\"\nwire_api = \"responses\"\nenv_key = \"OPENAI_API_KEY\"\n"
    );
    scenario.write("../home/.codex/config.toml", codex.as_bytes());
    let gemini = json!({"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}});
    scenario.write("../home/.gemini/settings.json", gemini.to_string().as_bytes());
    let opencode = json!({"autoupdate": false, "share": "disabled",
        "provider": {"deepseek": {"options": {"baseURL": format!("{host}/v1"), "apiKey": "x"}}}});
    scenario.write("../home/.config/opencode/opencode.json", opencode.to_string().as_bytes());
    scenario
}

#[test]
#[ignore = "needs the programs of npm: AGENTS names the folder of their commands"]
fn real_programs_answer_and_read_files_only_with_permission() {
    let Ok(programs) = std::env::var("AGENTS") else {
        eprintln!("skipped: AGENTS names no folder of programs");
        return;
    };
    let fake = Fake::new(|_, asked| vec![Step::Send(answer(asked, false))]);
    let scenario = scenario(&programs, &fake);
    for program in PROGRAMS {
        if !std::path::Path::new(&programs).join(program).exists() {
            eprintln!("skipped: {program}");
            continue;
        }
        let version = scenario.command(program).arg("--version").output().unwrap();
        eprintln!("{program} {}", String::from_utf8_lossy(&version.stdout).trim());
        let mut tools = Vec::new();
        for look in [&[][..], &["--look"]] {
            let before = fake.requests().len();
            let args = ["turn", "d", "@architect", "--provider", program];
            let run = scenario.discussions(&[&args[..], look].concat()).code(0);
            let file = scenario.read("d.md");
            let last = file.rsplit("<!-- REPLY").next().unwrap();
            assert!(last.contains("It holds."), "{program} {look:?}: {} {file}", run.stderr());
            assert_eq!(last.contains("look: true"), !look.is_empty(), "{program}: {last}");
            assert!(last.contains("tokens: 1000/20"), "{program}: {last}");
            let asked = fake.requests().split_off(before);
            let of = |asked: &ReceivedRequest| asked.body["tools"].as_array().map_or(0, Vec::len);
            tools.push(asked.iter().map(of).max().unwrap_or_default());
            let limits: Vec<_> =
                asked.iter().filter_map(|it| it.body["max_tokens"].as_u64()).collect();
            match program {
                "claude" => assert!(limits.contains(&16_000), "{limits:?}"),
                "opencode" => assert!(limits.contains(&8192), "{limits:?}"),
                _ => {}
            }
        }
        // `gemini` always has its own search; `codex` lists its tools in another form.
        if matches!(program, "claude" | "opencode") {
            assert_eq!(tools[0], 0, "{program}: none unasked");
            assert!(tools[1] > 0, "{program}: those that read");
        }
    }
}

#[test]
#[ignore = "needs the programs of npm: AGENTS names the folder of their commands"]
fn cut_answer_of_claude_ends_the_call_under_a_money_limit() {
    let Ok(programs) = std::env::var("AGENTS") else {
        eprintln!("skipped: AGENTS names no folder of programs");
        return;
    };
    let fake = Fake::new(|_, asked| vec![Step::Send(answer(asked, true))]);
    let scenario = scenario(&programs, &fake);
    let args = ["turn", "d", "@architect", "--provider", "claude", "--max-usd", "3"];
    let run = scenario.discussions(&args).with_warnings().code(4);
    let file = scenario.read("d.md");
    assert!(file.contains("code: output_too_long"), "{file} {}", run.stderr());
    // Without a limit, the program would continue three more times, each time with the same length again.
    let whole = |asked: &ReceivedRequest| {
        asked.line.contains("/messages")
            && asked.body["messages"].as_array().map_or(0, Vec::len) > 3
    };
    assert!(!fake.requests().iter().any(whole), "{}", fake.requests().len());
}

/// A response of an Anthropic model that searches for a file and uses 100,000 tokens.
fn looks(asked: &ReceivedRequest, number: usize) -> Vec<u8> {
    let start = json!({"id": "m", "type": "message", "role": "assistant", "model": asked.body["model"], "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 100_000, "output_tokens": 1}});
    let call = json!({"type": "tool_use", "id": format!("t{number}"), "name": "Glob", "input": {}});
    let input = json!({"pattern": format!("*{number}")}).to_string();
    stream(&[
        json!({"type": "message_start", "message": start}),
        json!({"type": "content_block_start", "index": 0, "content_block": call}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": input}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null}, "usage": {"output_tokens": 5000}}),
        json!({"type": "message_stop"}),
    ])
}

#[test]
#[ignore = "needs the programs of npm: AGENTS names the folder of their commands"]
fn claude_stops_using_tools_when_its_budget_is_spent() {
    let Ok(programs) = std::env::var("AGENTS") else {
        eprintln!("skipped: AGENTS names no folder of programs");
        return;
    };
    let fake = Fake::new(|number, asked| {
        let offered = asked.body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
        let said = if offered { looks(asked, number) } else { answer(asked, false) };
        vec![Step::Send(said)]
    });
    let scenario = scenario(&programs, &fake);
    let limits = ["--look", "--unpriced", "--max-usd", "2"];
    let args = ["turn", "d", "@architect", "--provider", "claude"];
    scenario.discussions(&[&args[..], &limits].concat()).with_warnings().code(4);
    let file = scenario.read("d.md");
    assert!(file.contains("code: budget_spent"), "{file}");
    let questions = fake.requests().iter().filter(|it| it.line.contains("/messages")).count();
    assert!((3..12).contains(&questions), "it would go on for ever: {questions}");
}
