use super::*;
use crate::yaml;

fn shape(text: &str) -> OutputShape {
    yaml::read(text, "shape").unwrap()
}

fn json() -> OutputShape {
    shape(
        "{format: json, text: /result, error: /is_error, usd: /cost, model: /models,\
         usage: {input: [/usage/in, /usage/cached], cached: /usage/cached, output: /usage/out}}",
    )
}

fn jsonl() -> OutputShape {
    shape(
        "{format: jsonl, text: /item/text, select: {/item/type: message}, end: {/type: done},\
         error: /error, usage: {input: /usage/in, output: /usage/out}}",
    )
}

#[test]
fn plain_output_is_the_answer() {
    assert_eq!(OutputShape::default().open("Hello\n").unwrap().text, "Hello\n");
}

#[test]
fn one_json_document_gives_text_model_tokens_and_money() {
    let printed = r#"{"result": "Hi", "is_error": false, "cost": 0.25, "models": {"m-1": {}},
        "usage": {"in": 10, "cached": 5, "out": 3}}"#;
    let envelope = json().open(printed).unwrap();
    assert_eq!(envelope.text, "Hi");
    assert_eq!(envelope.model.as_deref(), Some("m-1"));
    assert_eq!(envelope.usd, 0.25.into());
    let usage =
        Usage { input_tokens: 15, cached_input_tokens: 5, output_tokens: 3, ..Usage::default() };
    assert_eq!(envelope.usage, Some(usage));
    assert!(envelope.warnings.is_empty());
}

#[test]
fn lines_before_the_document_are_ignored() {
    assert_eq!(json().open("Loading...\n{\"result\": \"Hi\"}").unwrap().text, "Hi");
}

#[test]
fn incomplete_document_is_cut() {
    assert_eq!(json().open("{\"result\": \"Half an ans"), Err(OutputError::Cut));
}

#[test]
fn failure_record_is_not_parsed_as_answer() {
    let Err(OutputError::Told { message, record, .. }) =
        json().open(r#"{"result": "rate limit", "is_error": true, "status": 429}"#)
    else {
        panic!("the failure was missed");
    };
    assert_eq!(message, "rate limit");
    assert!(record.contains("429"));
}

#[test]
fn unexpected_form_is_plain_text_with_a_warning() {
    for printed in ["Just prose.", "{\"comment\": \"Fine\", \"vote\": \"READY\"}", "{a} is a set"] {
        let envelope = json().open(printed).unwrap();
        assert_eq!(envelope.text, printed);
        assert_eq!(envelope.warnings.len(), 1, "{printed}");
    }
    assert_eq!(jsonl().open("Just prose.").unwrap().text, "Just prose.");
    assert_eq!(json().open("").unwrap(), Envelope::default());
}

#[test]
fn last_selected_text_of_json_lines_counts() {
    let printed = r#"{"type": "start"}
{"item": {"type": "message", "text": "First I look."}}
{"item": {"type": "thought", "text": "hm"}}
{"item": {"type": "message", "text": "The answer."}}
noise
{"type": "done", "usage": {"in": 4, "out": 2}}
"#;
    let envelope = jsonl().open(printed).unwrap();
    assert_eq!(envelope.text, "The answer.");
    assert_eq!(envelope.usage.map(|usage| usage.input_tokens), Some(4));
}

#[test]
fn streamed_pieces_are_joined() {
    let shape = shape("{format: jsonl, text: /t, pieces: joined}");
    assert_eq!(shape.open("{\"t\": \"a\"}\n{\"t\": \"b\"}\n").unwrap().text, "ab");
}

#[test]
fn json_lines_without_their_end_are_cut() {
    let message = r#"{"item": {"type": "message", "text": "Half"}}"#;
    assert_eq!(jsonl().open(message), Err(OutputError::Cut));
    assert_eq!(jsonl().open("{\"type\": \"start\"}\n"), Err(OutputError::Cut));
}

#[test]
fn zero_token_count_is_ignored() {
    let printed = r#"{"result": "Hi", "usage": {"in": 0, "cached": 0, "out": 0}}"#;
    assert_eq!(json().open(printed).unwrap().usage, None);
}

#[test]
fn invalid_shapes_are_refused() {
    for bad in ["{format: json}", "{format: text, text: /a}", "{format: json, text: a}"] {
        assert!(yaml::read::<OutputShape>(bad, "shape").is_err(), "{bad}");
    }
}

#[test]
fn error_document_is_not_an_answer_despite_exit_status_0() {
    for printed in [
        r#"{"error": {"message": "invalid x-api-key", "type": "authentication_error"}}"#,
        r#"{"type": "error", "error": {"message": "invalid x-api-key"}}"#,
        r#" {"error": "invalid x-api-key"}
"#,
    ] {
        for shape in
            [OutputShape::default(), shape("{format: json, text: /choices/0/message/content}")]
        {
            let Err(OutputError::Told { message, .. }) = shape.open(printed) else {
                panic!("{printed}")
            };
            assert_eq!(message, "invalid x-api-key");
        }
    }
    for printed in [
        r#"{"comment": "An error is no answer.", "error": "none"}"#,
        r#"{"error": null}"#,
        "The log says {\"error\": \"x\"}",
    ] {
        assert_eq!(OutputShape::default().open(printed).unwrap().text, printed);
    }
}

#[test]
fn failed_tool_is_not_a_failure_of_the_answer() {
    let shape = "{format: jsonl, text: /say, end: {/type: result}, error: /error, pieces: joined}";
    let shape: OutputShape = crate::yaml::read(shape, "shape").unwrap();
    let tool = r#"{"type":"tool","error":{"message":"outside"}}"#;
    let said = r#"{"type":"message","say":"Yes."}"#;
    let whole = format!("{tool}\n{said}\n{{\"type\":\"result\"}}");
    assert_eq!(shape.open(&whole).unwrap().text, "Yes.");
    let failed = format!("{said}\n{{\"type\":\"result\",\"error\":{{\"message\":\"no\"}}}}");
    assert!(
        matches!(shape.open(&failed), Err(OutputError::Told { message, .. }) if message == "no")
    );
    assert!(matches!(shape.open(tool), Err(OutputError::Told { .. })), "there is no end");
}
