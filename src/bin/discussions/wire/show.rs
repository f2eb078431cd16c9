//! `show --json`.

use std::collections::HashMap;

use discussions::engine::Situation;
use discussions::state::Said;
use discussions::transcript::{Comment, Control, Entry, EntryKind, Head, Spent, StatusWord, Time};
use serde_json::{Map, Value, json};

/// A discussion, entry by entry.
pub(crate) fn show(file: &str, situation: &Situation<'_>) -> Value {
    let transcript = situation.transcript;
    let counted: HashMap<usize, &Said> =
        situation.state.said.iter().map(|said| (said.entry, said)).collect();
    let entries = transcript.entries.iter().enumerate();
    let entries: Vec<Value> = entries
        .map(|(index, found)| entry(found, counted.get(&index).copied(), situation))
        .collect();
    json!({
        "file": file,
        "title": situation.state.title,
        "head": transcript.head.as_ref().map(head),
        "preamble": transcript.preamble_text(),
        "entries": entries,
    })
}

fn head(head: &Head) -> Value {
    json!({
        "template": head.template,
        "created": head.created,
        "participants": head.participants,
        "background": head.background,
        "names": head.names,
        "roles": head.roles,
        "parameters": head.parameters,
        "consensus": head.consensus,
        "weights": head.weights,
        "providers": head.providers,
    })
}

fn entry(entry: &Entry<'_>, counted: Option<&Said>, situation: &Situation<'_>) -> Value {
    let mut fields = match &entry.kind {
        EntryKind::Comment(said) => comment(said, counted, situation),
        EntryKind::Control(line) => control(line),
        EntryKind::Stray(text) => json!({ "kind": "stray", "body": text }),
    };
    if let Value::Object(map) = &mut fields {
        map.insert("line".to_owned(), entry.line.into());
    }
    fields
}

fn comment(comment: &Comment<'_>, counted: Option<&Said>, situation: &Situation<'_>) -> Value {
    let marks = comment.read(&situation.charter.markers).marks;
    json!({
        "kind": "comment",
        "author": comment.name,
        "body": comment.body(),
        "vote": counted.and_then(|said| said.vote.as_ref()),
        "markers": marks
            .iter()
            .map(|mark| json!({
                "marker": mark.marker.word(),
                "text": mark.text,
                "line": mark.line,
                "column": mark.column,
            }))
            .collect::<Vec<_>>(),
        "reply": comment.reply.as_ref().map(|reply| spent(&reply.spent, reply.turn, reply.at)),
        "acknowledged": comment.acknowledged(),
        "restored": comment.restored.is_some(),
    })
}

fn control(control: &Control) -> Value {
    match control {
        Control::Turn(turn) => json!({
            "kind": "turn",
            "turn": turn.number,
            "asks": turn.asks,
            "at": time(turn.at),
            "ask": turn.ask,
            "mentions": turn.mentions,
            "again": turn.again,
        }),
        Control::Pass(pass) => with(
            spent(&pass.spent, pass.turn, pass.at),
            json!({ "kind": "pass", "author": pass.who }),
        ),
        Control::Failed(failed) => with(
            spent(&failed.spent, failed.turn, failed.at),
            json!({
                "kind": "failed",
                "author": failed.who,
                "code": failed.code,
                "message": failed.message,
                "retryable": failed.retryable,
            }),
        ),
        Control::Phase(phase) => json!({ "kind": "phase", "phase": phase.id, "author": phase.by }),
        Control::VoteReset => json!({ "kind": "voteReset" }),
        Control::Status(status) => json!({
            "kind": "status",
            "status": match status.status {
                StatusWord::Open => "OPEN",
                StatusWord::Closed => "CLOSED",
            },
            "author": status.by,
        }),
    }
}

fn spent(spent: &Spent, turn: Option<u32>, at: Option<Time>) -> Value {
    json!({
        "turn": turn,
        "at": time(at),
        "provider": spent.provider,
        "model": spent.model,
        "ms": spent.ms,
        "tokens": spent.tokens.map(|tokens| json!({
            "input": tokens.input,
            "output": tokens.output,
            "estimated": tokens.estimated,
        })),
        "usd": spent.usd.map(|usd| usd.amount),
        "calls": spent.calls,
    })
}

fn time(at: Option<Time>) -> Option<String> {
    at.map(super::event::time)
}

fn with(below: Value, above: Value) -> Value {
    match (above, below) {
        (Value::Object(above), Value::Object(below)) => {
            Value::Object(above.into_iter().chain(below).collect::<Map<_, _>>())
        }
        (above, _) => above,
    }
}
