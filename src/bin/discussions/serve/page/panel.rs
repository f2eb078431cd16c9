//! The status of a discussion at the side, and its outcome at the top.

use discussions::view::{Standing, Status};

use super::block::{badge, mood};
use super::html::Html;
use super::text_review::text_review;
use crate::cli::words as told;
use crate::serve::live::{LiveRunState, RenderedDiscussion};
use crate::serve::words;

/// Returns the outcome; an empty piece if there is none yet.
pub(in crate::serve) fn outcome(picture: &RenderedDiscussion) -> Html {
    let (mut html, status) = (Html::on(picture.links()), &picture.shown.status);
    let Some(outcome) = &status.outcome else { return html };
    html.raw("<h2 class=\"").text(&status.status.as_str().to_lowercase()).raw("\">");
    html.raw(status.decided.text_heading()).raw("</h2>");
    if status.decided.standing != Standing::Verdict {
        html.raw("<p>").text(status.decided.words()).raw("</p>");
    }
    let standing: Vec<_> = status.decided.standing_ones().collect();
    for one in &standing {
        html.raw("<p class=\"decision\">").inline(&one.text).raw("</p>");
    }
    if let (true, Some(decision)) = (standing.is_empty(), &outcome.decision) {
        html.raw("<p class=\"decision\">").inline(decision).raw("</p>");
    }
    let text = outcome.text_alone.trim();
    if !text.is_empty() {
        // A long text is folded, so that it does not hide the discussion.
        if text.len() > 1200 {
            html.raw("<details><summary>Full text</summary>").markdown(text, 2).raw("</details>");
        } else {
            html.markdown(text, 2);
        }
    }
    if let Some(id) = outcome.line.and_then(|line| picture.at_line(line)) {
        html.raw("<p><a href=\"#").text(id).raw("\">Jump to source</a></p>");
    }
    html.piece(&text_review(picture));
    html
}

/// Returns the status, with these lines about the decisions.
pub(in crate::serve) fn panel(
    name: &str,
    picture: &RenderedDiscussion,
    state: &LiveRunState,
    notes: &[String],
) -> Html {
    status_panel(picture, notes, Some((name, state)))
}

/// Returns the status for a page without a server: no step can be taken there.
pub(in crate::serve) fn still_panel(picture: &RenderedDiscussion) -> Html {
    status_panel(picture, &picture.shown.status.notes.lines(), None)
}

fn status_panel(
    picture: &RenderedDiscussion,
    notes: &[String],
    server: Option<(&str, &LiveRunState)>,
) -> Html {
    let (mut html, status) = (Html::default(), &picture.shown.status);
    html.raw("<p class=\"standing ").text(&status.status.as_str().to_lowercase()).raw("\">");
    html.text(&told::outcome(status.decided.words())).raw("</p><p class=\"phase\">");
    html.text(&status.phase_title).raw(" <small>turn ").value(status.turn).raw("</small></p>");
    for (fact, is_pressing) in status.facts() {
        html.raw("<p class=\"").raw(if is_pressing { "ended" } else { "faint" }).raw("\">");
        html.text(&fact).raw("</p>");
    }
    if let Some((name, state)) = server {
        steps(&mut html, name, status, state);
    }
    tally(&mut html, status);
    items(&mut html, picture, notes);
    cost(&mut html, status);
    // They may name folders of this machine, and only authors can fix them.
    if server.is_some() && !status.problems.is_empty() {
        html.raw("<details class=\"problems\"><summary>").value(status.problems.len());
        html.raw(if status.problems.len() == 1 { " finding" } else { " findings" });
        html.raw(" in the file</summary><ul>");
        for problem in &status.problems {
            html.raw("<li>line ").value(problem.line).raw(": ").text(&problem.message).raw("</li>");
        }
        html.raw("</ul></details>");
    }
    html
}

/// Adds the next steps, the first as a prominent button.
fn steps(html: &mut Html, name: &str, status: &Status, state: &LiveRunState) {
    html.raw("<div class=\"steps\">");
    if state.is_running {
        html.raw("<p role=\"status\" class=\"running\">Waiting for answers.</p>");
        if let Some(note) = &state.note {
            html.raw("<p class=\"faint\">").text(note).raw("</p>");
        }
        if let Some(price) = &state.price {
            html.raw("<p class=\"faint\">").text(price).raw("</p>");
        }
        button(html, name, "stop", "Stop", true);
        html.raw("</div>");
        return;
    }
    if let Some(ended) = &state.ended {
        html.raw("<p role=\"status\" class=\"ended\">").text(ended).raw("</p>");
    }
    for (index, step) in status.next.iter().enumerate() {
        let next = words::next(step);
        html.raw("<p>").inline(&next.why).raw("</p>");
        match next.action {
            // Closing is never the recommended step.
            Some(action) => {
                button(html, name, action, next.button, index == 0 && action != "close")
            }
            None if next.button.is_empty() => {}
            None => {
                let class = if index == 0 { "button first" } else { "button" };
                html.raw("<p><a class=\"").raw(class).raw("\" href=\"#say\">");
                html.raw(next.button).raw("</a></p>");
            }
        }
    }
    if let Some(price) = &state.price {
        html.raw("<p class=\"faint\">").text(price).raw("</p>");
    }
    let mut more = Vec::new();
    if matches!(status.status.as_str(), "OPEN" | "BLOCKED") {
        more.extend([("run", "Run until a person is needed"), ("advance", "Next phase")]);
    }
    more.push(match status.status.as_str() {
        "CLOSED" => ("reopen", "Reopen"),
        _ => ("close", "Close"),
    });
    // An action that is already above is not offered again.
    more.retain(|(action, _)| {
        !status.next.iter().any(|step| words::next(step).action == Some(action))
    });
    if !more.is_empty() {
        html.raw("<details><summary>More</summary>");
        more.into_iter().for_each(|(action, says)| button(html, name, action, says, false));
        html.raw("</details>");
    }
    html.raw("</div>");
}

fn button(html: &mut Html, name: &str, action: &'static str, says: &'static str, first: bool) {
    html.raw("<form method=\"post\" action=\"").way(name).raw("/").raw(action).raw("\"><button");
    html.raw(if first { " class=\"first\">" } else { ">" }).raw(says).raw("</button></form>");
}

fn tally(html: &mut Html, status: &Status) {
    let cast: usize = status.tally.values().sum();
    // Before the first vote there is nothing to compare.
    if cast == 0 {
        return;
    }
    let consensus = &status.consensus;
    let needed = consensus.needed_share.filter(|_| consensus.is_ballot);
    html.raw("<h2>Votes</h2><table class=\"tally\">");
    for (option, count) in &status.tally {
        html.raw("<tr><th scope=\"row\">").text(option).raw("</th><td><svg class=\"bar ");
        html.raw(mood(option)).raw("\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\"");
        html.raw(" aria-hidden=\"true\"><rect height=\"10\" width=\"").value(count * 100 / cast);
        html.raw("\"/>");
        // A bar is the share of all votes; the mark stands at the share that is needed.
        if let Some(needed) = needed {
            let at = (needed * 100.0).round().clamp(0.0, 99.0);
            html.raw("<rect class=\"needed\" height=\"10\" width=\"1\" x=\"").value(at).raw("\"/>");
        }
        html.raw("</svg></td><td>").value(count).raw("</td></tr>");
    }
    html.raw("</table>");
    match consensus.share.as_deref() {
        _ if !consensus.is_ballot => {
            html.raw("<p class=\"faint\">no ballot asked for these votes</p>");
        }
        Some(share) => {
            html.raw("<p class=\"faint\">").text(share).raw("</p>");
        }
        None => {}
    }
    let voted: Vec<_> = status.participants.iter().filter(|one| one.vote.is_some()).collect();
    if !voted.is_empty() {
        html.raw("<ul class=\"votes\">");
        for one in voted {
            html.raw("<li>").text(&one.name).raw(" ");
            badge(html, one.vote.as_deref().unwrap_or_default());
            html.raw("</li>");
        }
        html.raw("</ul>");
    }
    let blocked = &status.consensus.blocked_by;
    if !blocked.is_empty() {
        html.raw("<p class=\"faint\">blocked by ").text(&blocked.join(", ")).raw("</p>");
    }
}

/// Adds the open items of each kind, and all decisions, each with a link to its place; below the decisions, these notes.
fn items(html: &mut Html, picture: &RenderedDiscussion, notes: &[String]) {
    for (kind, items) in picture.shown.status.items.lists() {
        let shown = || items.iter().filter(|one| one.is_open() || kind.is_decision());
        if shown().next().is_some() {
            html.raw("<h2>").raw(kind.title()).raw("</h2><ul class=\"items\">");
            for item in shown() {
                let who = match &item.assignee {
                    _ if kind.is_decision() => format!("{}, {}", item.author, item.words()),
                    Some(who) => who.clone(),
                    None => item.author.to_string(),
                };
                html.raw("<li id=\"").text(&item.label()).raw("\"><a href=\"#");
                html.text(picture.at_line(item.line).unwrap_or_default());
                html.raw("\" data-item=\"").text(&kind.letter().to_string()).raw("\">");
                html.text(&item.label()).raw("</a> ").inline(&item.text);
                html.raw(" <small>").text(&who).raw("</small></li>");
            }
            html.raw("</ul>");
        }
        if kind.is_decision() {
            decision_notes(html, notes);
        }
    }
}

/// Adds when people look at the decisions again, the files that they are about, and what became of them.
fn decision_notes(html: &mut Html, notes: &[String]) {
    if notes.is_empty() {
        return;
    }
    html.raw("<h2>Notes on the decision</h2><ul class=\"items\">");
    for note in notes {
        html.raw("<li>").text(note).raw("</li>");
    }
    html.raw("</ul>");
}

fn cost(html: &mut Html, status: &Status) {
    let cost = &status.cost;
    if cost.total_calls == 0 {
        return;
    }
    html.raw("<h2>Cost</h2><p>").value(cost.total_calls);
    html.raw(if cost.total_calls == 1 { " call, " } else { " calls, " });
    html.value(cost.total_tokens).raw(" tokens");
    if cost.usd != Some(0.0) {
        html.raw(", ").text(&cost.money());
    }
    html.raw("</p>");
}
