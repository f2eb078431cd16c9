//! Exports a discussion as one HTML page to print or send: the result first, then all comments. The page runs no
//! scripts and loads nothing.

use std::fmt::Write as _;

use super::document::ResultDocument;
use super::markup::{escaped, html_of};
use super::revision::{ChangeKind, TextRevision};
use super::text_review_page::CHANGES;
use crate::engine::Snapshot;
use crate::transcript::{Comment, Control, EntryKind, StatusWord, time, visible};

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 Georgia, 'Times New Roman', serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3, h4, .who, .what { font-family: system-ui, sans-serif; line-height: 1.25; }
article { border-top: 1px solid #8888; padding: .5rem 0; }
.who { font-weight: 600; margin: .5rem 0; }
.vote { font-weight: 600; }
.what, small { color: #777; font-size: .85rem; }
.changed { white-space: pre-line; }
del { background: #f002; } ins { background: #0b02; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8885; white-space: pre-wrap; }
table { border-collapse: collapse; } td, th { border: 1px solid #8888; padding: .2rem .5rem; }
@media print {
  body { max-width: none; margin: 0; font-size: 11pt; }
  article { break-inside: auto; } h2, h3, .who { break-after: avoid; }
  a { color: inherit; }
}";

/// The content security policy. It forbids scripts and loading, in case active content ever gets into the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Builds the page.
pub(super) fn page(snapshot: &Snapshot, document: &ResultDocument) -> String {
    let title = escaped(&snapshot.state.title);
    let mut page = format!(
        "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n"
    );
    page.push_str("<header>\n");
    match document {
        ResultDocument::Discussion(result) => {
            let parts = super::page::page(snapshot, result);
            page.push_str(&html_of(&parts.before, 0));
            if let Some(revision) = &result.review.revision {
                render_changes(&mut page, revision);
            }
            page.push_str(&html_of(&parts.after, 0));
        }
        ResultDocument::Review(result) => page.push_str(&html_of(&result.page(), 0)),
    }
    page.push_str("</header>\n");
    let context = snapshot.transcript.preamble_text();
    let below: Vec<&str> =
        context.lines().skip_while(|line| !line.starts_with("# ")).skip(1).collect();
    if !below.join("").trim().is_empty() {
        let _ = write!(
            page,
            "<section>\n<h2>Context</h2>\n{}</section>\n",
            html_of(&below.join("\n"), 1)
        );
    }
    page.push_str("<section>\n<h2>Discussion</h2>\n");
    for entry in &snapshot.transcript.entries {
        match &entry.kind {
            EntryKind::Comment(comment) => render_comment(&mut page, comment, entry.line),
            EntryKind::Control(control) => {
                if let Some(text) = happened(control) {
                    let _ = writeln!(page, "<p class=\"what\">{}</p>", escaped(&text));
                }
            }
            EntryKind::Stray(text) => {
                let _ = write!(page, "<article>\n{}</article>\n", html_of(text, 3));
            }
        }
    }
    page.push_str("</section>\n</body>\n</html>\n");
    page
}

/// Adds the places that changed after the review, with removed and added words marked.
fn render_changes(page: &mut String, revision: &TextRevision) {
    let _ = writeln!(page, "<h2>{CHANGES}</h2>");
    for place in &revision.places {
        page.push_str("<p class=\"changed\">");
        for part in place {
            let text = escaped(&visible(&part.text));
            let _ = match part.kind {
                ChangeKind::Kept => write!(page, "{text}"),
                ChangeKind::Removed => write!(page, "<del>{text}</del>"),
                ChangeKind::Added => write!(page, "<ins>{text}</ins>"),
            };
        }
        page.push_str("</p>\n");
    }
}

fn render_comment(page: &mut String, comment: &Comment, line: usize) {
    let reply = comment.reply.as_ref();
    let through =
        reply.and_then(|reply| reply.spent.model.as_ref().or(reply.spent.provider.as_ref()));
    let at = comment.at().map(time);
    let notes: Vec<String> =
        through.cloned().into_iter().chain(at).chain([format!("line {line}")]).collect();
    let counts = if comment.acknowledged() { "" } else { " (never finished; ignored)" };
    let _ = write!(
        page,
        "<article>\n<p class=\"who\">{}{counts} <small>{}</small></p>\n{}",
        escaped(comment.name.as_str()),
        escaped(&notes.join(", ")),
        html_of(&comment.body(), 3)
    );
    if let Some(vote) = comment.closing_vote() {
        let _ = writeln!(page, "<p class=\"vote\">VOTE: {}</p>", escaped(vote));
    }
    page.push_str("</article>\n");
}

/// Returns the text of a control line for people. Turns and vote resets are internal and return `None`.
fn happened(control: &Control) -> Option<String> {
    Some(match control {
        Control::Phase(phase) => match &phase.by {
            Some(by) => format!("Phase {}, started by {by}", phase.id),
            None => format!("Phase {}", phase.id),
        },
        Control::Status(status) => {
            let word = if status.status == StatusWord::Closed { "Closed" } else { "Reopened" };
            match &status.by {
                Some(by) => format!("{word} by {by}"),
                None => word.to_owned(),
            }
        }
        Control::Failed(failed) => format!("{} could not answer: {}", failed.who, failed.message),
        Control::Pass(pass) => format!("{} had nothing to add", pass.who),
        Control::Child(child) => format!("Sub-discussion started: {}", child.file),
        Control::ChildEnd(end) => format!("Sub-discussion ended: {}, {}", end.file, end.status),
        Control::Turn(_) | Control::VoteReset | Control::Accepted(_) => return None,
    })
}
