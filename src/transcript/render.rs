//! Writes one block.

use super::choice::Choice;
use super::control::{
    Control, ReplyLine, Restored, Summary, write_control, write_reply, write_restored, write_said,
};
use super::encode::encode;
use super::entry::Time;
use super::name::Name;
use super::separator::glue;

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
        Draft::Control(control) => write_control(control) + "\n",
        Draft::Comment(comment) => render_comment(comment),
    }
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
