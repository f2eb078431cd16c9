//! Anthropic's Messages API, with prompts cut into blocks at places that stay the same, so that the service's cache finds
//! them again.

use serde_json::{Value, json};

use super::{WireRequest, count, text};
use crate::provider::Usage;
use crate::provider::http::response::{Finish, ResponseAccumulator};

/// The version of the API.
pub(super) const VERSION: &str = "2023-06-01";

pub(super) fn body(ask: &WireRequest<'_>) -> Value {
    let shared = blocks(ask.prefix);
    // The cache works only at the ends of blocks. The last block is a whole comment or text, which later prompts repeat.
    let marked = shared.len().checked_sub(1);
    let mut content: Vec<Value> = shared
        .iter()
        .enumerate()
        .map(|(at, words)| {
            if marked == Some(at) {
                json!({
                    "type": "text", "text": words, "cache_control": {"type": "ephemeral"},
                })
            } else {
                json!({"type": "text", "text": words})
            }
        })
        .collect();
    if !ask.tail.trim().is_empty() {
        content.push(json!({"type": "text", "text": ask.tail}));
    }
    let mut body = json!({
        "model": ask.model,
        "stream": true,
        "max_tokens": ask.definition.max_tokens,
        "messages": [{"role": "user", "content": content}],
    });
    if let Some(effort) = ask.effort() {
        body["thinking"] = json!({"type": "adaptive"});
        body["output_config"] = json!({"effort": effort.as_str()});
    }
    if let Some(temperature) = ask.temperature {
        body["temperature"] = temperature.into();
    }
    body
}

pub(super) fn hear(piece: &Value, heard: &mut ResponseAccumulator) {
    match text(piece, "/type").unwrap_or_default() {
        "message_start" => {
            heard.model(text(piece, "/message/model"));
            heard.usage(usage_of(&piece["message"]["usage"], heard));
        }
        "content_block_delta" if text(piece, "/delta/type") == Some("text_delta") => {
            heard.say(text(piece, "/delta/text").unwrap_or_default());
        }
        "message_delta" => {
            heard.usage(usage_of(&piece["usage"], heard));
            if let Some(reason) = text(piece, "/delta/stop_reason") {
                heard.finish(match reason {
                    "end_turn" | "stop_sequence" => Finish::Stop,
                    "max_tokens" | "model_context_window_exceeded" => Finish::Length,
                    "refusal" => Finish::Filter,
                    other => Finish::Other(other.to_owned()),
                });
            }
        }
        "error" => heard.note_error(piece.get("error").unwrap_or(piece)),
        _ => {}
    }
}

/// Returns the usage in this piece, completed by earlier pieces: the first piece counts the prompt, the last one the
/// answer.
fn usage_of(told: &Value, heard: &ResponseAccumulator) -> Option<Usage> {
    let known = heard.used().unwrap_or_default();
    let cached = count(told, "/cache_read_input_tokens");
    let written = count(told, "/cache_creation_input_tokens").unwrap_or(0);
    let input = count(told, "/input_tokens").map(|fresh| fresh + cached.unwrap_or(0) + written);
    let output = count(told, "/output_tokens");
    (input.is_some() || output.is_some()).then(|| Usage {
        // Keep the higher count: a later piece repeats or raises the earlier count, or repeats only a part of it.
        input_tokens: input.unwrap_or(0).max(known.input_tokens),
        cached_input_tokens: cached.unwrap_or(0).max(known.cached_input_tokens),
        written_input_tokens: written.max(known.written_input_tokens),
        output_tokens: output.unwrap_or(0).max(known.output_tokens),
    })
}

/// The beginnings of the parts of a prompt: of a comment in a record, and of a text and of findings about it. No other
/// line of a comment begins with the first one, because the file guards it.
const PARTS: [&str; 3] = ["Name: ", "# The text\n", "# Findings\n"];

/// Cuts a prompt at each line that begins a part. A discussion only grows, so later prompts are cut at the same places.
/// The pieces together are the whole text, and no piece is blank.
fn blocks(text: &str) -> Vec<&str> {
    let mut cuts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begins = PARTS.iter().any(|part| line.starts_with(part));
        if begins && !text[cuts.last().copied().unwrap_or(0)..at].trim().is_empty() {
            cuts.push(at);
        }
        at += line.len();
    }
    let mut blocks = Vec::new();
    let mut from = 0;
    for cut in cuts.into_iter().chain([text.len()]) {
        if cut > from {
            blocks.push(&text[from..cut]);
        }
        from = cut;
    }
    // Only a blank text gives a blank piece. Drop it, because services reject a blank block.
    blocks.retain(|block| !block.trim().is_empty());
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompt_is_cut_at_its_parts_and_loses_nothing() {
        let text = "# Title\n\nName: A\na\n---\n\nName: B\n\nb\n";
        let cut = blocks(text);
        assert_eq!(cut, ["# Title\n\n", "Name: A\na\n---\n\n", "Name: B\n\nb\n"]);
        assert_eq!(cut.concat(), text);
        assert_eq!(blocks("say Name: A\n"), ["say Name: A\n"]);
        assert!(blocks("").is_empty());
        assert_eq!(blocks("Name: A\nx"), ["Name: A\nx"]);
        let text = "q\n# The text\n\nt\n# Findings\n\nf";
        assert_eq!(blocks(text), ["q\n", "# The text\n\nt\n", "# Findings\n\nf"]);
    }

    #[test]
    fn cuts_stay_as_the_record_grows() {
        let whole = "h\nName: A\na\nName: B\nb\nName: C\nc\n";
        for end in 1..whole.len() {
            let (earlier, later) = (blocks(&whole[..end]), blocks(whole));
            let same = earlier.len().saturating_sub(2);
            assert_eq!(earlier[..same], later[..same], "{end}");
        }
    }
}
