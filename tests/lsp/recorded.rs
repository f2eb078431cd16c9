//! Comments that the program recorded, in an editor.

use serde_json::{Value, json};

use super::client::uri;
use super::{checked, editor, placed};
use crate::cli::Scenario;

/// Creates a discussion with two comments through the program.
fn discussion() -> (Scenario, String) {
    let scenario = Scenario::new().env("DISCUSSIONS_NOW", "2026-11-25T10:03:00Z");
    scenario.discussions(&["new", "Caching"]).code(0);
    let comment =
        ["comment", "caching", "--as", "Mira", "We measure the cache first, then ship it."];
    scenario.discussions(&comment).code(0);
    scenario
        .discussions(&["comment", "caching", "--as", "Ann", "I agree with all of that."])
        .code(0);
    let text = scenario.read("discussions/caching.md");
    (scenario, text)
}

fn titles(actions: &Value) -> Vec<String> {
    let all = actions.as_array().unwrap().iter();
    all.map(|one| one["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_edit_of_a_recorded_comment_is_information_with_a_way_back() {
    let (scenario, text) = discussion();
    let (file, path) = ("discussions/caching.md", scenario.path("discussions/caching.md"));
    let mut editor = editor(&scenario);
    assert_eq!(placed(&editor.open(&path, &text)), checked(&scenario, file));
    let edited = text.replace("the cache first", "the caches first");
    let document = json!({ "uri": uri(&path), "version": 2 });
    let changes = json!([{ "text": edited }]);
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": changes }),
    );
    let found = editor.diagnostics(&path);
    let edit = found.iter().find(|one| one["code"] == "block-edited").unwrap();
    assert_eq!(edit["severity"], 3);
    assert_eq!(edit["message"], "This changes Mira's recorded comment of 25 November, 10:03 UTC.");
    let range = &edit["range"];
    let params = json!({ "textDocument": { "uri": uri(&path) }, "range": range });
    let actions = editor.ask("textDocument/codeAction", params);
    let wanted = ["Put the recorded text back", "Write a correction as a new comment"];
    assert_eq!(titles(&actions)[..2], wanted);
    let edits = &actions[0]["edit"]["changes"][uri(&path)];
    let new = edits[0]["newText"].as_str().unwrap();
    assert!(text.contains(new) && new.starts_with("Name: Mira\n"), "{new}");
    assert!(!new.contains("\n---"), "the rule is still there: {new}");
    let correction = actions[1]["edit"]["changes"][uri(&path)].as_array().unwrap();
    assert_eq!(correction.len(), 2);
    let new = correction[1]["newText"].as_str().unwrap();
    assert!(new.contains("\n\nWe measure the caches first, then ship it.\n\n---\n"), "{new}");
    // Saved, it is the warning of a check.
    scenario.write(file, edited.as_bytes());
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri(&path) } }));
    let saved = placed(&editor.diagnostics(&path));
    assert_eq!(saved, checked(&scenario, file));
    assert!(saved.iter().any(|one| one.4 == "block-edited" && one.5 == 2), "{saved:?}");
    editor.exit();
}

#[test]
fn a_missing_recorded_comment_can_be_put_back() {
    let (scenario, text) = discussion();
    let (file, path) = ("discussions/caching.md", scenario.path("discussions/caching.md"));
    let start = text.find("Name: Mira").unwrap();
    let end = text.find("Name: Ann").unwrap();
    let cut = format!("{}{}", &text[..start], &text[end..]);
    scenario.write(file, cut.as_bytes());
    let mut editor = editor(&scenario);
    let found = placed(&editor.open(&path, &cut));
    assert_eq!(found, checked(&scenario, file));
    assert!(found.iter().any(|one| one.4 == "block-dropped"), "{found:?}");
    let at = json!({ "line": 0, "character": 0 });
    let params = json!({
        "textDocument": { "uri": uri(&path) },
        "range": { "start": at, "end": at },
    });
    let actions = editor.ask("textDocument/codeAction", params);
    let title = "Put Mira's recorded comment back";
    let action = actions.as_array().unwrap().iter().find(|one| one["title"] == title);
    let edits =
        action.unwrap_or_else(|| panic!("{actions:#}"))["edit"]["changes"][uri(&path)].clone();
    let (place, new) = (&edits[0]["range"]["start"], edits[0]["newText"].as_str().unwrap());
    let lines = cut.split_inclusive('\n').take(place["line"].as_u64().unwrap() as usize);
    let byte = lines.map(str::len).sum::<usize>() + place["character"].as_u64().unwrap() as usize;
    let back = format!("{}{new}{}", &cut[..byte], &cut[byte..]);
    scenario.write(file, back.as_bytes());
    assert_eq!(checked(&scenario, file), []);
    editor.exit();
}

#[test]
fn trimming_on_save_is_no_edit() {
    let scenario = Scenario::new();
    scenario.discussions(&["new", "Caching"]).code(0);
    let body = "We measure.  \nThen we ship.\t\n\nAnd again.";
    scenario.discussions_with(&["comment", "caching", "--as", "Mira", "-"], body).code(0);
    let file = "discussions/caching.md";
    let text = scenario.read(file);
    let trimmed: Vec<&str> = text.lines().map(str::trim_end).collect();
    let trimmed = trimmed.join("\n") + "\n";
    assert_ne!(trimmed, text);
    scenario.write(file, trimmed.as_bytes());
    assert_eq!(checked(&scenario, file), []);
    scenario.write(file, trimmed.replace('\n', "  \r\n").as_bytes());
    let found = checked(&scenario, file);
    assert!(!found.iter().any(|one| one.4 == "block-edited"), "{found:?}");
}
