//! `show --json`.

use std::collections::HashMap;

use discussions::engine::Snapshot;
use discussions::state::Said;
use discussions::transcript::{Comment, Control, Entry, EntryKind, Head, Spent, StatusWord, Time};
use serde_json::{Map, Value, json};

/// A discussion, entry by entry.
pub(crate) fn show(file: &str, snapshot: &Snapshot) -> Value {
    let transcript = &snapshot.transcript;
    let counted: HashMap<usize, &Said> =
        snapshot.state.said.iter().map(|said| (said.entry, said)).collect();
    let entries = transcript.entries.iter().enumerate();
    let entries: Vec<Value> = entries
        .map(|(index, found)| entry(found, counted.get(&index).copied(), snapshot))
        .collect();
    json!({
        "file": file,
        "title": snapshot.state.title,
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

fn entry(entry: &Entry, counted: Option<&Said>, snapshot: &Snapshot) -> Value {
    let mut fields = match &entry.kind {
        EntryKind::Comment(said) => comment(said, counted, snapshot),
        EntryKind::Control(line) => control(line),
        EntryKind::Stray(text) => json!({ "kind": "stray", "body": text.as_str() }),
    };
    if let Value::Object(map) = &mut fields {
        map.insert("line".to_owned(), entry.line.into());
    }
    fields
}

fn comment(comment: &Comment, counted: Option<&Said>, snapshot: &Snapshot) -> Value {
    let marks = comment.read(&snapshot.config.markers).marks;
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
