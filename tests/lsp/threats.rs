//! Opening a foreign repository starts the server, so all in it is hostile.

use std::process::Command;

use serde_json::{Value, json};

use super::client::{Editor, uri};
use super::{BEGUN, editor};
use crate::cli::Scenario;

fn errors(all: &[Value]) -> Vec<&Value> {
    all.iter().filter(|one| one["severity"] == 1).collect()
}

/// Starts the server with a `git` that leaves a trace.
fn with_traced_git(options: &Value) -> (Scenario, Editor) {
    let script = "#!/bin/sh\necho \"$*\" >>\"$HOME/asked\"\nexec /usr/bin/git \"$@\"\n";
    let scenario = Scenario::new().program("git", script);
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&["comment", "caching", "--as", "Mira", "We measure it first."]).code(0);
    scenario.init_git();
    let _ = std::fs::remove_file(scenario.path("../home/asked"));
    let mut command: Command = scenario.program_under_test();
    command.arg("lsp");
    let editor = Editor::start(command, &scenario.path(""), options);
    (scenario, editor)
}

#[test]
fn an_untrusted_folder_starts_no_git_and_is_checked_all_the_same() {
    for (options, asks) in [(json!({ "trusted": false }), false), (Value::Null, true)] {
        let (scenario, mut editor) = with_traced_git(&options);
        let path = scenario.path("discussions/caching.md");
        let text = scenario.read("discussions/caching.md");
        let start = text.find("Name: Mira").unwrap();
        let cut = format!("{}Name: Ann\n\nVOTE: NEVER\n\n---\n", &text[..start]);
        let found = editor.open(&path, &cut);
        let codes: Vec<_> = errors(&found).iter().map(|one| one["code"].clone()).collect();
        assert!(codes.contains(&json!("vote-unknown")), "{found:#?}");
        assert!(codes.contains(&json!("block-dropped")), "{found:#?}");
        for method in ["documentSymbol", "codeAction", "inlayHint", "willSaveWaitUntil"] {
            let at = json!({ "line": 0, "character": 0 });
            let range = json!({ "start": at, "end": { "line": 99, "character": 0 } });
            let document = json!({ "uri": uri(&path) });
            let params = json!({ "textDocument": document, "range": range, "position": at });
            editor.ask(&format!("textDocument/{method}"), params);
        }
        editor.ask("workspace/symbol", json!({ "query": "" }));
        editor.exit();
        assert_eq!(scenario.path("../home/asked").exists(), asks, "{options}");
    }
}

#[test]
fn options_name_no_program_folder_or_provider() {
    let options = json!({
        "trusted": true,
        "path": "/bin/sh",
        "git": "/tmp/evil",
        "provider": { "command": ["sh"] },
        "root": "/",
        "maxProblems": 1_000_000,
    });
    let (scenario, mut editor) = with_traced_git(&options);
    let path = scenario.path("a.md");
    let lines: String = (0..1_500).map(|number| format!("See @nobody{number}.\n\n")).collect();
    let text = BEGUN.replace("Q: Why?", &lines);
    assert_eq!(editor.open(&path, &text).len(), 1_000);
    editor.exit();
}

#[test]
fn providers_and_templates_of_the_project_do_not_run() {
    let canary = "#!/bin/sh\necho sung >>\"$HOME/sung\"\n";
    let template = "---\nid: feature\nphases:\n  - id: tests\n    run: [canary]\n  - id: talk\n---\n# {{ title }}\n";
    let providers = "providers:\n  evil: {type: command, command: [canary]}\n";
    let scenario = Scenario::new()
        .distrusting()
        .program("canary", canary)
        .file("discussions.yaml", "author: Eve\n")
        .file("providers.yaml", providers)
        .file("templates/feature.md", template)
        .file(".vscode/settings.json", "{\"discussions.path\": \"canary\"}")
        .file(".helix/languages.toml", "[language-server.discussions]\ncommand = \"canary\"\n")
        .file("discussions/a.md", BEGUN);
    let mut editor = editor(&scenario);
    editor.open(&scenario.path("discussions/a.md"), BEGUN);
    editor.exit();
    assert!(!scenario.path("../home/sung").exists());
}

#[test]
fn a_link_out_of_the_project_is_not_followed() {
    let scenario = Scenario::new();
    scenario.init_git();
    let secret = "# Secret\n\n---\n\nName: Rob\n\nDECISION: The password is tea.\n\n---\n";
    std::fs::write(scenario.path("../home/secret.md"), secret).unwrap();
    std::fs::create_dir(scenario.path("discussions")).unwrap();
    std::os::unix::fs::symlink("../../home/secret.md", scenario.path("discussions/link.md"))
        .unwrap();
    let text =
        BEGUN.replace("Q: Why?", "SUPERSEDES: link.md#D1\n\nSUPERSEDES: ../../home/secret.md#D1");
    scenario.write("discussions/a.md", text.as_bytes());
    let mut editor = editor(&scenario);
    let path = scenario.path("discussions/a.md");
    let found = editor.open(&path, &text);
    assert!(!json!(found).to_string().contains("password"), "{found:#?}");
    for line in [6, 8] {
        let params = json!({
            "textDocument": { "uri": uri(&path) },
            "position": { "line": line, "character": 14 },
        });
        assert_eq!(editor.ask("textDocument/definition", params), Value::Null);
    }
    let link = scenario.path("discussions/link.md");
    let found = editor.open(&link, "# T\n\n---\n\nName: Rob\n\nx\n\n---\n");
    assert_eq!(found[0]["code"], "unreadable", "{found:#?}");
    let params = json!({ "textDocument": { "uri": uri(&link) } });
    assert_eq!(editor.ask("textDocument/willSaveWaitUntil", params), json!([]));
    editor.exit();
}

#[test]
fn text_of_the_file_is_data_in_every_answer() {
    let evil = "Q: see [here](command:evil) <img src=x> \u{202e}txt $(x) `a`";
    let text = BEGUN.replace("Q: Why?", evil) + "\nName: Ann\n\nA: \n";
    let scenario = Scenario::new().file("a.md", &text);
    let mut editor = editor(&scenario);
    let path = scenario.path("a.md");
    editor.open(&path, &text);
    let at = |line, character| {
        json!({
            "textDocument": { "uri": uri(&path) },
            "position": { "line": line, "character": character },
        })
    };
    let hover = editor.ask("textDocument/hover", at(6, 0));
    assert_eq!(hover["contents"]["kind"], "plaintext");
    let completion = editor.ask("textDocument/completion", at(12, 3));
    // A documentation that is a string is plain text.
    assert!(completion["items"][0]["documentation"].is_string(), "{completion}");
    let outline = editor.ask("textDocument/documentSymbol", at(0, 0));
    for answer in [hover, completion, outline] {
        assert!(!answer.to_string().contains('\u{202e}'), "{answer}");
        assert!(!answer.to_string().contains("markdown"), "{answer}");
    }
    editor.exit();
}

#[test]
fn two_servers_on_one_folder_leave_the_files_alone() {
    let scenario = Scenario::new().file("discussions/a.md", BEGUN);
    let path = scenario.path("discussions/a.md");
    let (mut one, mut other) = (editor(&scenario), editor(&scenario));
    assert_eq!(one.open(&path, BEGUN), other.open(&path, BEGUN));
    one.exit();
    other.exit();
    assert_eq!(scenario.read("discussions/a.md"), BEGUN);
    assert!(!scenario.path("discussions/.discussions").exists());
}
