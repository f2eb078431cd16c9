//! Renders one block, and the text that must precede it so that no earlier text changes the meaning
//! of the block.

use super::choice::Choice;
use super::control::{
    Control, ReplyLine, Restored, Summary, TORN, write_control, write_reply, write_restored,
    write_said,
};
use super::entry::Time;
use super::frame::{FrameTail, HEADING, Last, Scan};
use super::guard::encode;
use super::head;
use super::line::{self, Lines, is_blank, is_rule};
use super::name::Name;
use super::parse::scan;
use super::sanitize::{canon, heading, one_line};

/// A block that a writer appends.
#[derive(Clone, Debug, PartialEq)]
pub enum Draft {
    /// A comment.
    Comment(NewComment),
    /// A control line.
    Control(Control),
}

/// A comment that will be written.
#[derive(Clone, Debug, PartialEq)]
pub struct NewComment {
    /// The author.
    pub name: Name,
    /// The receipt, if the comment is a model's answer.
    pub reply: Option<Box<ReplyLine>>,
    /// The restore line, if the comment was lost and is restored.
    pub restored: Option<Restored>,
    /// The summary line, if the comment summarizes those above it.
    pub summary: Option<Summary>,
    /// The time when a person wrote it.
    pub said_at: Option<Time>,
    /// The text; any text is allowed, because it is sanitized and encoded when it is written.
    pub body: String,
    /// The vote, written as one `VOTE:` line at the end.
    pub vote: Option<Choice>,
}

impl NewComment {
    /// Creates a person's comment.
    pub fn by(name: Name, body: impl Into<String>) -> Self {
        Self {
            name,
            reply: None,
            restored: None,
            summary: None,
            said_at: None,
            body: body.into(),
            vote: None,
        }
    }
}

/// Returns the bytes of one block, from its first line to its closing rule, with an LF at the end.
pub fn render(draft: &Draft) -> String {
    match draft {
        Draft::Control(control) => render_control(control),
        Draft::Comment(comment) => render_comment(comment),
    }
}

/// Returns a control line with the lines for readers below it. An end closes with a rule, so that a person may write a
/// comment below it.
fn render_control(control: &Control) -> String {
    let mut out = write_control(control) + "\n";
    if let Some(text) = control.heading() {
        out.push_str(&format!("\n{HEADING}{}\n", heading(text)));
    }
    if let Control::Ended(end) = control {
        if let Some(decision) = end.decision.as_deref().filter(|_| end.heading.is_some()) {
            let line = canon(&one_line(decision));
            out.push_str(&format!("\n{}\n", line.lines().next().unwrap_or_default()));
        }
        out.push_str("\n---\n");
    }
    out
}

fn render_comment(comment: &NewComment) -> String {
    let mut out = format!("Name: {}\n", comment.name);
    if let Some(at) = comment.said_at {
        out.push_str(&write_said(at));
        out.push('\n');
    }
    if let Some(restored) = &comment.restored {
        out.push_str(&write_restored(restored));
        out.push('\n');
    }
    if let Some(summary) = &comment.summary {
        out.push_str(&super::control::write_summary(summary));
        out.push('\n');
    }
    if let Some(reply) = &comment.reply {
        out.push_str(&write_reply(reply));
        out.push('\n');
    }
    let body = encode(&comment.body);
    if !body.is_empty() {
        out.push('\n');
        out.push_str(&body);
        out.push('\n');
    }
    if let Some(vote) = &comment.vote {
        out.push_str(&format!("\nVOTE: {vote}\n"));
    }
    out.push_str("\n---\n");
    out
}

/// Returns the bytes that add several blocks to `text`, including the glue.
pub fn append(text: &str, drafts: &[Draft]) -> String {
    let mut out = String::new();
    let mut block = String::new();
    for (index, draft) in drafts.iter().enumerate() {
        out.push_str(&if index == 0 {
            glue(text, draft)
        } else {
            glue(&format!("---\n\n{block}"), draft)
        });
        block = render(draft);
        out.push_str(&block);
    }
    out
}

/// Returns the bytes that must be between `text` and a rendered block.
///
/// `text` is a document, or the part of one that begins at a [`sync_point`]. Nothing is deleted (format page, "Before
/// its block"). `parse(text + glue + block)` equals `parse(text)` with one more entry (law 2).
pub fn glue(text: &str, next: &Draft) -> String {
    let found = head::find(text);
    let Scan { tail, cut, mut last, .. } = scan(&text.into(), &found);
    let ended = text.is_empty() || text.ends_with('\n');
    let mut out = String::new();
    match tail {
        FrameTail::Open { head, written } => {
            // After the mark, the line that closes a fence is not part of the comment.
            if !ended || written || line::closer(&text[head..]).is_some() {
                out.push_str(if ended { "" } else { " " });
                out.push_str(TORN);
                out.push('\n');
                close_fence(text, head, &mut out);
            }
            out.push_str("\n---\n\n");
            return out;
        }
        FrameTail::Closed { torn } => {
            if !ended {
                out.push_str(if cut { " <!-- TORN -->\n" } else { "\n" });
            }
            if let Some(head) = torn {
                let mut closing = format!("{out}{}", if after_rule(last) { CUT_RULE } else { "" });
                if close_fence(text, head, &mut closing) {
                    out = closing;
                    last = Last::Other;
                }
            }
        }
    }
    match last {
        Last::Rule(blanks) if blanks <= 1 => out.push_str(if blanks == 0 { "\n" } else { "" }),
        Last::Control if matches!(next, Draft::Control(_)) => {}
        Last::ForReaders if matches!(next, Draft::Control(_)) => out.push('\n'),
        _ => {
            let blank = text.is_empty() || (out.is_empty() && ends_blank(text));
            out.push_str(if blank { "---\n\n" } else { "\n---\n\n" });
        }
    }
    out
}

/// Written after a rule that may be the rest of a longer line in a fence, such as a diff's `--- a/x`. The text that
/// follows is then not read as text of a comment.
const CUT_RULE: &str = "<!-- TORN -->\n";

fn after_rule(last: Last) -> bool {
    matches!(last, Last::Rule(_))
}

/// Closes an open fence; returns true if there was one.
fn close_fence(text: &str, from: usize, out: &mut String) -> bool {
    // A mark on the last line can turn a closing fence into text, so the text is parsed together with the mark.
    let fence = line::closer(&format!("{}{out}", &text[from..]));
    if let Some(fence) = &fence {
        out.push_str(fence);
        out.push('\n');
    }
    fence.is_some()
}

fn ends_blank(text: &str) -> bool {
    let line = text.strip_suffix('\n').unwrap_or(text).rsplit('\n').next().unwrap_or_default();
    is_blank(line.strip_suffix('\r').unwrap_or(line))
}

/// Returns the byte offset of the first rule in `text` that certainly opens a comment, whatever comes before `text`.
///
/// From this offset on, the frame is parsed exactly as in the whole document. `text` may begin in the middle of a
/// line. None: the caller has to read more.
pub fn sync_point(text: &str) -> Option<usize> {
    let mut rule: Option<(usize, usize)> = None;
    // The first line may be only the end of a line: its beginning may be missing here.
    for line in Lines::from(text, 0, 1).skip(1) {
        if is_rule(line.text) {
            rule = Some((line.start, 0));
        } else if is_blank(line.text) {
            rule = rule.map(|(start, blanks)| (start, blanks + 1));
        } else {
            let opens = line.terminated
                && line.text.strip_prefix("Name: ").is_some_and(|name| Name::parse(name).is_ok());
            match rule.take() {
                Some((start, blanks)) if blanks <= 2 && opens => return Some(start),
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::parse;

    #[test]
    fn head_without_its_last_newline_never_becomes_one() {
        for text in [
            "<!-- DISCUSSION\ntemplate: feature\n-->",
            "<!-- DISCUSSION\ntemplate: feature\n--> \t",
            "<!-- DISCUSSION\n<!-- VOTE-RESET -->\n-->",
        ] {
            let draft = NewComment::by(Name::parse("Rob").unwrap(), "x");
            let draft = Draft::Comment(draft);
            let added = format!("{text}{}{}", glue(text, &draft), render(&draft));
            let (before, after) = (parse(text), parse(&added));
            assert_eq!(after.head, None);
            assert_eq!(after.preamble_text(), before.preamble_text());
            assert_eq!(after.entries.len(), before.entries.len() + 1);
        }
    }

    #[test]
    fn only_cut_or_unfinished_text_is_marked() {
        let next = Draft::Comment(NewComment::by(Name::parse("Rob").unwrap(), "x"));
        let reply = "---\n\nName: Ann\n<!-- REPLY turn: 1 -->\n\n";
        for (text, between) in [
            ("---\n\nName: Ann\n\nwhole\n".to_owned(), "\n---\n\n"),
            ("---\n\nName: Ann\n\ncut".to_owned(), " <!-- TORN -->\n\n---\n\n"),
            ("---\n\nName: Ann\n\n```\nx\n".to_owned(), "<!-- TORN -->\n```\n\n---\n\n"),
            (format!("{reply}whole\n"), "<!-- TORN -->\n\n---\n\n"),
            // The rest of a truncated `--- a/x` does not acknowledge a comment.
            (format!("{reply}a patch\n---"), " <!-- TORN -->\n\n---\n\n"),
            (format!("{reply}whole\n\n---\n"), "\n"),
            // A person's comment ends at a line that may be a truncated `--- a/x`; the fence around it must be closed
            // too.
            ("---\n\nName: Ann\n\n```diff\n---".to_owned(), "\n<!-- TORN -->\n```\n\n---\n\n"),
            ("---\n\nName: Ann\n\nwhole\n\n---".to_owned(), "\n\n"),
        ] {
            assert_eq!(glue(&text, &next), between, "{text}");
        }
        let torn = format!("{reply}a patch\n---");
        let counts = parse(&torn).entries.iter().any(|entry| match &entry.kind {
            crate::transcript::EntryKind::Comment(comment) => comment.acknowledged(),
            _ => false,
        });
        assert!(!counts);
    }
}
