//! HTML of one entry of a file.

use std::sync::Arc;

use discussions::view::{Entry, Kind, Receipt, Status};

use super::html::Html;
use super::links::PageLinks;

/// The number of colours of authors.
const COLOURS: usize = 8;

/// Returns the colour of an author, 0 to 7, by the author's place among the participants.
pub(in crate::serve) fn colour(status: &Status, who: &str) -> usize {
    let is_it = |name: &str| name.eq_ignore_ascii_case(who);
    let seats = status.participants.iter();
    let seat = seats
        .into_iter()
        .position(|one| is_it(&one.name) || one.alias.as_deref().is_some_and(is_it));
    seat.unwrap_or(status.participants.len()) % COLOURS
}

/// Returns one entry; an empty piece if it contains nothing for people.
pub(in crate::serve) fn block(
    id: &str,
    entry: &Entry,
    status: &Status,
    links: Option<&Arc<PageLinks>>,
) -> Html {
    let mut html = Html::on(links);
    match &entry.kind {
        Kind::Comment { author, body, vote, counts, at, reply, acknowledged, restored, .. } => {
            html.raw("<article class=\"said a").value(colour(status, author)).raw("\" id=\"");
            html.text(id)
                .raw("\" data-author=\"")
                .text(author)
                .raw("\"><header><a class=\"who\" href=\"#");
            html.text(id).raw("\">").text(author).raw("</a>");
            if let Some(vote) = vote {
                badge(&mut html, vote);
                if !counts {
                    html.raw(" <span class=\"faint\">not counted</span>");
                }
            }
            if let Some(reply) = reply {
                receipt(&mut html, reply);
            } else if let Some(at) = at {
                html.raw("<small>");
                moment(&mut html, at);
                html.raw("</small>");
            }
            html.raw("</header>");
            if !acknowledged {
                html.raw("<p class=\"faint\">This comment was never finished and is ignored.</p>");
            }
            if *restored {
                html.raw("<p class=\"faint\">Restored after it was removed.</p>");
            }
            html.markdown(body, 2).raw("</article>");
        }
        Kind::Turn { turn, asks, ask, title, .. } => {
            line(&mut html, id, "turn");
            html.raw("Turn ").value(turn);
            if !title.is_empty() {
                html.raw(", ").text(title);
            }
            html.raw(": asks ").text(&asks.join(", "));
            if let Some(ask) = ask {
                html.raw(": ").text(ask);
            }
            html.raw("</p>");
        }
        Kind::Phase { title, author, .. } => {
            line(&mut html, id, "phase");
            html.raw("Phase: ").text(title);
            by(&mut html, author.as_deref());
        }
        Kind::Pass { author, .. } => {
            line(&mut html, id, "pass");
            html.text(author).raw(" had nothing to add</p>");
        }
        Kind::Failed { author, message, .. } => {
            line(&mut html, id, "failed");
            html.text(author).raw(" could not answer: ").text(message).raw("</p>");
        }
        Kind::Status { status, author } => {
            line(&mut html, id, "status");
            html.raw(if *status == "CLOSED" { "Closed" } else { "Reopened" });
            by(&mut html, author.as_deref());
        }
        Kind::VoteReset {} => {
            line(&mut html, id, "reset");
            html.raw("Earlier votes no longer count</p>");
        }
        Kind::Stray { body } => {
            html.raw("<article class=\"stray\" id=\"").text(id);
            html.raw("\"><header class=\"faint\">This text is not part of a comment and is ignored</header>");
            html.markdown(body, 2).raw("</article>");
        }
        Kind::Child { file, .. } => {
            line(&mut html, id, "child");
            html.raw("Sub-discussion opened: ").file(file).raw("</p>");
        }
        Kind::ChildEnd { file, status, .. } => {
            line(&mut html, id, "child");
            html.raw("Sub-discussion ended: ").file(file).raw(", ").text(status).raw("</p>");
        }
        Kind::Ended { heading, .. } => {
            line(&mut html, id, "ended");
            html.text(heading.as_deref().unwrap_or("Ended")).raw("</p>");
        }
        Kind::Accepted { .. } => {}
    }
    html
}

/// Adds a vote, with a colour for votes of a generally known meaning: good, medium and bad.
pub(super) fn badge(html: &mut Html, vote: &str) {
    html.raw("<span class=\"vote ").raw(mood(vote)).raw("\">").text(vote).raw("</span>");
}

/// Returns the class name of a vote's colour.
pub(super) fn mood(vote: &str) -> &'static str {
    match vote.to_ascii_uppercase().as_str() {
        "READY" | "YES" => "good",
        "CHANGES" => "middling",
        "REJECT" | "NO" => "bad",
        _ => "other",
    }
}

fn line(html: &mut Html, id: &str, class: &'static str) {
    html.raw("<p class=\"what ").raw(class).raw("\" id=\"").text(id).raw("\">");
}

fn by(html: &mut Html, author: Option<&str>) {
    if let Some(author) = author {
        html.raw(", by ").text(author);
    }
    html.raw("</p>");
}

fn receipt(html: &mut Html, reply: &Receipt) {
    html.raw("<small>");
    if let Some(through) = reply.model.as_ref().or(reply.provider.as_ref()) {
        html.text(through);
    }
    if let Some(at) = &reply.at {
        html.raw(" ");
        moment(html, at);
    }
    html.raw("</small>");
}

/// Writes a point in time for people and for programs.
fn moment(html: &mut Html, at: &str) {
    html.raw("<time datetime=\"").text(at).raw("\">").text(&clock(at)).raw("</time>");
}

/// Shortens a point in time to the part that people read.
fn clock(at: &str) -> String {
    at.get(..16).unwrap_or(at).replace('T', " ")
}
