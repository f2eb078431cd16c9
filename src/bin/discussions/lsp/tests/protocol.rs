//! The life of the connection, and messages that do not fit.

use serde_json::{Value, json};

use super::client::{Client, place};

const TEXT: &str = "# T\n\n---\n\nName: Rob\n\nQ: Why?\n\n---\n";

#[test]
fn requests_outside_of_the_connection_are_refused() {
    let mut client = Client::uninitialized(&[]);
    assert_eq!(client.ask("textDocument/hover", json!({})), Err(-32002));
    client.tell("textDocument/didOpen", json!({}));
    assert!(client.ask("initialize", json!({})).is_ok());
    assert_eq!(client.ask("initialize", json!({})), Err(-32600));
    assert_eq!(client.ask("textDocument/rename", json!({})), Err(-32601));
    assert_eq!(client.ask("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(client.ask("shutdown", Value::Null), Err(-32600));
    assert!(!client.server.is_over());
    client.tell("exit", Value::Null);
    assert!(client.server.is_over() && client.server.was_shut_down());
}

#[test]
fn encoding_is_bytes_if_offered_then_characters() {
    for (offered, chosen) in [
        (json!(["utf-16", "utf-32", "utf-8"]), "utf-8"),
        (json!(["utf-16", "utf-32"]), "utf-32"),
        (json!(["utf-16"]), "utf-16"),
        (Value::Null, "utf-16"),
    ] {
        let mut client = Client::uninitialized(&[]);
        let capabilities = json!({ "general": { "positionEncodings": offered } });
        let told = client.ask("initialize", json!({ "capabilities": capabilities })).unwrap();
        assert_eq!(told["capabilities"]["positionEncoding"], chosen);
    }
}

#[test]
fn parameters_that_do_not_fit_are_refused_or_clamped() {
    let mut client = Client::new(&[("a.md", TEXT)]);
    client.open("a.md");
    let document = json!({ "uri": client.uri("a.md") });
    let hover = |position: Value| json!({ "textDocument": document, "position": position });
    for wrong in [json!({}), json!([]), json!("x"), hover(json!({ "line": -1, "character": 0 }))] {
        assert_eq!(client.ask("textDocument/hover", wrong), Err(-32602));
    }
    for (line, character) in [(999, 0), (0, 999), (u32::MAX, u32::MAX)] {
        let params = hover(json!({ "line": line, "character": character }));
        assert_eq!(client.ask("textDocument/hover", params), Ok(Value::Null));
    }
    let unknown = json!({ "textDocument": { "uri": "file:///none.md" }, "position": place("") });
    assert_eq!(client.ask("textDocument/hover", unknown), Ok(Value::Null));
}

#[test]
fn a_cancelled_request_is_answered_once() {
    let mut client = Client::new(&[("a.md", TEXT)]);
    client.open("a.md");
    let document = json!({ "uri": client.uri("a.md") });
    let id = client.begin("textDocument/documentSymbol", json!({ "textDocument": document }));
    client.tell("$/cancelRequest", json!({ "id": id }));
    client.tell("$/cancelRequest", json!({ "id": id }));
    client.tell("$/cancelRequest", json!({ "id": { "x": 1 } }));
    assert_eq!(client.answers(id), [Err(-32800)]);
}

#[test]
fn an_edit_makes_waiting_requests_stale_but_not_a_save() {
    let mut client = Client::new(&[("a.md", TEXT)]);
    client.open("a.md");
    let params = json!({ "textDocument": { "uri": client.uri("a.md") } });
    let id = client.begin("textDocument/documentSymbol", params.clone());
    let save = client.begin("textDocument/willSaveWaitUntil", params);
    client.replace("a.md", "# T\n");
    assert_eq!(client.answers(id), [Err(-32801)]);
    assert_eq!(client.answers(save), [Ok(json!([]))]);
}

#[test]
fn an_edit_that_does_not_fit_ends_the_document_with_one_message() {
    let mut client = Client::new(&[("a.md", TEXT)]);
    client.open("a.md");
    let behind = json!({ "line": 99, "character": 0 });
    client.edit("a.md", &behind, &behind, "x");
    client.edit("a.md", &behind, &behind, "x");
    client.pass(5000);
    assert_eq!(client.notifications("window/showMessage").len(), 1);
    assert_eq!(client.diagnostics_of("a.md"), []);
    assert_eq!(client.ask_about("documentSymbol", "a.md"), Value::Null);
    client.open("a.md");
    assert_ne!(client.ask_about("documentSymbol", "a.md"), Value::Null);
}

#[test]
fn the_whole_text_wakes_a_document_whose_text_was_lost() {
    let mut client = Client::new(&[("a.md", TEXT)]);
    client.open("a.md");
    let behind = json!({ "line": 99, "character": 0 });
    client.edit("a.md", &behind, &behind, "x");
    client.pass(5000);
    client.replace("a.md", &TEXT.replace("Q: Why?", "VOTE: NEVER"));
    client.pass(5000);
    assert_eq!(client.diagnostics_of("a.md").len(), 1);
    assert_ne!(client.ask_about("documentSymbol", "a.md"), Value::Null);
    assert_eq!(client.notifications("window/showMessage").len(), 1);
}

#[test]
fn client_that_can_watch_files_is_asked_to_and_causes_a_check() {
    let dynamic = json!({ "dynamicRegistration": true });
    let workspace = json!({ "workspace": { "didChangeWatchedFiles": dynamic } });
    let mut client = Client::with(&[("a.md", TEXT)], &json!({ "capabilities": workspace }));
    assert_eq!(client.requests("client/registerCapability").len(), 1);
    client.open("a.md");
    let before = client.notifications("textDocument/publishDiagnostics").len();
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    client.pass(1000);
    assert!(client.notifications("textDocument/publishDiagnostics").len() > before);
    let mut client = Client::new(&[("a.md", TEXT)]);
    assert_eq!(client.requests("client/registerCapability").len(), 0);
}

#[test]
fn front_matter_and_examples_are_silent() {
    let pages = [
        ("SKILL.md", "---\nname: a-skill\ndescription: x\n---\n\n# A skill\n"),
        ("bug.md", "---\nname: Bug report\nabout: x\n---\n\nWhat happens?\n"),
        ("format.md", "# Format\n\n```\n---\n\nName: Rob\n\nVOTE: NEVER\n\n---\n```\n\nMore.\n"),
    ];
    let mut client = Client::new(&pages);
    for (name, _) in pages {
        client.open(name);
        client.pass(5000);
        assert_eq!(client.last_diagnostics(name), None, "{name}");
        assert_eq!(client.ask_about("documentSymbol", name), Value::Null, "{name}");
    }
}

#[test]
fn other_pages_are_silent() {
    let page = "# A page\n\n@nobody VOTE: NEVER\n";
    let mut client = Client::new(&[("page.md", page), ("discussions/kept.md", page)]);
    client.open("page.md");
    client.pass(5000);
    assert_eq!(client.last_diagnostics("page.md"), None);
    assert_eq!(client.ask_at("completion", "page.md", place("\n\n@no|")), Value::Null);
    assert_eq!(client.ask_about("inlayHint", "page.md"), Value::Null);
    client.open("discussions/kept.md");
    assert!(client.last_diagnostics("discussions/kept.md").is_some());
    // A page becomes a discussion, and is none again.
    client.replace("page.md", "# A page\n\n---\n\nName: Rob\n\nVOTE: NEVER\n\n---\n");
    client.pass(3000);
    assert_eq!(client.diagnostics_of("page.md").len(), 1);
    client.replace("page.md", page);
    client.pass(3000);
    assert_eq!(client.diagnostics_of("page.md"), []);
}

#[test]
fn only_markdown_in_files_and_new_documents_is_read() {
    let mut client = Client::new(&[("a.md", TEXT)]);
    for (uri, language) in [("git:/a.md", "markdown"), ("file:///a.txt", "plaintext")] {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": TEXT });
        client.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }
    client.open_text("untitled:Untitled-1", "# T\n\n---\n\nName: Rob\n\nVOTE: NEVER\n\n---\n");
    let published = client.notifications("textDocument/publishDiagnostics");
    assert_eq!(published.len(), 1, "{published:#?}");
    assert_eq!(client.diagnostics_of("untitled:Untitled-1"), [("vote-unknown".to_owned(), 1, 6)]);
}

#[test]
fn a_closed_document_has_no_diagnostics() {
    let text = TEXT.replace("Q: Why?", "VOTE: NEVER");
    let mut client = Client::new(&[("a.md", &text)]);
    client.open("a.md");
    assert_eq!(client.diagnostics_of("a.md").len(), 1);
    let uri = client.uri("a.md");
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(client.diagnostics_of("a.md"), []);
    client.replace("a.md", "x");
    client.pass(3000);
    assert_eq!(client.diagnostics_of("a.md"), []);
}

#[test]
fn a_large_document_gets_one_information() {
    let text = format!("{TEXT}{}", "x\n".repeat(4 << 20));
    let mut client = Client::new(&[]);
    client.open_text("a.md", &text);
    let found = client.last_diagnostics("a.md").unwrap();
    assert_eq!((found.len(), &found[0]["severity"]), (1, &json!(3)));
    assert_eq!(client.ask_about("documentSymbol", "a.md"), Value::Null);
}
