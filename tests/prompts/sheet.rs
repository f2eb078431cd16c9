//! Prompts as a readable page: repeated text is named, new text is shown.

use crate::recording_provider::RecordedCall;

const BEGIN: &str = "\n===== THE RECORD BEGINS =====\n";
const END: &str = "\n===== THE RECORD ENDS (";
const PERSONA: &str = "\n# You\n";
const TASK: &str = "# Your task: ";
pub(super) const AGAIN: &str = "\n# Answer again\n";

/// The parts of one prompt.
struct Parts<'p> {
    header: &'p str,
    record: &'p str,
    task: &'p str,
    persona: &'p str,
    again: &'p str,
}

impl<'p> Parts<'p> {
    fn of(prompt: &'p str) -> Self {
        let (header, rest) = prompt.split_once(BEGIN).unwrap();
        let (record, rest) = rest.rsplit_once(END).unwrap();
        let (_, rest) = rest.split_once("=====\n\n").unwrap();
        let (rest, again) = match rest.find(AGAIN) {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let (task, persona) = split(rest);
        Self { header, record, task, persona, again }
    }
}

/// Returns the task and the persona of what follows the record. A comment has the persona behind the task, a text has
/// it before the task or none.
pub(super) fn split(rest: &str) -> (&str, &str) {
    if let Some(at) = rest.find(PERSONA) {
        return rest.split_at(at);
    }
    let (persona, task) = rest.split_at(rest.find(TASK).unwrap());
    (task, persona)
}

/// All prompts of a discussion, in the order of the calls.
pub(super) fn sheet(asked: &[RecordedCall]) -> String {
    let mut out = String::new();
    let mut records: Vec<&str> = Vec::new();
    let mut personas: Vec<(&str, usize)> = Vec::new();
    let mut headers: Vec<&str> = Vec::new();
    let mut last_task = "";
    for (index, call) in asked.iter().enumerate() {
        let parts = Parts::of(&call.prompt);
        let temperature =
            call.temperature.map(|it| format!(", temperature {it}")).unwrap_or_default();
        out.push_str(&format!(
            "\n################ {}. {}, turn {}: {}{temperature}\n",
            index + 1,
            call.phase,
            call.turn,
            call.who
        ));
        // A comment and a text have different rules.
        match headers.iter().position(|header| *header == parts.header) {
            Some(known) if known + 1 == headers.len() => out.push_str("[the same rules]\n"),
            Some(_) => out.push_str("[the first rules]\n"),
            None => {
                out.push_str(parts.header);
                out.push_str(BEGIN);
                headers.push(parts.header);
            }
        }
        // Prompts share their prefix, so the longest earlier record is the one that this prompt continues.
        let known = records.iter().enumerate().filter(|(_, it)| parts.record.starts_with(**it));
        match known.max_by_key(|(_, it)| it.len()) {
            Some((call, it)) if it.len() == parts.record.len() => {
                out.push_str(&format!("[the record of {}]\n", call + 1));
            }
            Some((call, it)) => {
                out.push_str(&format!("[the record of {}, then]\n", call + 1));
                out.push_str(&parts.record[it.len()..]);
            }
            None => out.push_str(parts.record),
        }
        records.push(parts.record);
        out.push_str("\n===== THE RECORD ENDS (...) =====\n\n");
        out.push_str(if parts.task == last_task && index > 0 {
            "[the same task]\n"
        } else {
            parts.task
        });
        last_task = parts.task;
        if parts.persona.is_empty() {
            out.push_str(parts.again);
            continue;
        }
        match personas.iter().find(|(text, _)| *text == parts.persona) {
            Some((_, number)) => out.push_str(&format!("[the persona of {number}]\n")),
            None => {
                out.push_str(parts.persona);
                personas.push((parts.persona, index + 1));
            }
        }
        out.push_str(parts.again);
    }
    out
}
