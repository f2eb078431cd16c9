//! Pages about earlier decisions and about statistics.

use axum::response::Html as Answer;
use discussions::view::{Recalled, Stats};

use super::frame::{Frame, frame_page};
use super::html::Html;
use crate::cli::amounts::{money_or_unknown, seconds};
use crate::cli::words;

/// Returns the page with the earlier decisions similar to a question, the nearest first.
pub(in crate::serve) fn recall_page(question: &str, found: &[Recalled]) -> Answer<String> {
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>Past decisions</h1>");
    form(&mut main, question);
    if found.is_empty() {
        main.raw("<p>No past decision is similar to this question.</p>");
    }
    main.raw("<ul class=\"all\">");
    for one in found {
        main.raw("<li><a href=\"").way(&one.name).raw("\">").text(&one.title).raw("</a> <small>");
        main.text(one.at.get(..10).unwrap_or_default()).raw("</small><br>");
        main.text(&words::outcome(&one.decision)).raw("</li>");
    }
    main.raw("</ul></div>");
    finish_page("Past decisions", &main)
}

/// Adds the form for the question.
pub(super) fn form(main: &mut Html, question: &str) {
    main.raw("<form action=\"/recall\" class=\"row before\"><label>Search past decisions <input name=\"q\" required");
    main.raw(" maxlength=\"500\" placeholder=\"your question, in any words\" value=\"")
        .text(question);
    main.raw("\"></label> <button>Search</button></form>");
}

/// Returns the page with the outcomes of all discussions, by pattern and by provider, and the dissent that later
/// decisions adopted.
pub(in crate::serve) fn stats_page(stats: &Stats) -> Answer<String> {
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>Statistics</h1><p class=\"faint\">in ");
    main.text(&stats.folder).raw("</p>");
    let all = (stats.by_pattern.len() > 1).then_some(("all", &stats.all));
    let rows = stats.by_pattern.iter().map(|(name, one)| (name.as_str(), one)).chain(all);
    let rows = rows.map(|(name, one)| {
        let outcomes = one.outcomes.iter().map(|(status, count)| format!("{status}: {count}"));
        [
            name.to_owned(),
            one.discussions.to_string(),
            outcomes.collect::<Vec<_>>().join(", "),
            one.calls.to_string(),
            seconds(one.ms),
            money_or_unknown(one.usd),
        ]
    });
    let rows = rows.collect();
    table(&mut main, ["Pattern", "Count", "Outcome", "Calls", "Time", "Cost"], rows);
    let rows: Vec<[String; 6]> = (stats.by_provider.iter())
        .map(|(name, one)| {
            [
                name.clone(),
                one.asked.to_string(),
                one.failed.to_string(),
                one.calls.to_string(),
                seconds(one.ms),
                money_or_unknown(one.usd),
            ]
        })
        .collect();
    table(&mut main, ["Provider", "Asked", "Failed", "Calls", "Time", "Cost"], rows);
    let rows = stats.dissent.iter();
    let rows = rows
        .map(|(name, one)| [name.clone(), one.dissented.to_string(), one.adopted.to_string()])
        .collect();
    table(&mut main, ["Dissent", "Decisions", "Adopted later"], rows);
    for reason in &stats.unreadable {
        main.raw("<p role=\"alert\">").text(&reason.message).raw("</p>");
    }
    main.raw("</div>");
    finish_page("Statistics", &main)
}

/// Adds a table; nothing without rows.
fn table<const N: usize>(main: &mut Html, head: [&'static str; N], rows: Vec<[String; N]>) {
    if rows.is_empty() {
        return;
    }
    main.raw("<table><tr>");
    for word in head {
        main.raw("<th scope=\"col\">").raw(word).raw("</th>");
    }
    main.raw("</tr>");
    for row in rows {
        main.raw("<tr>");
        for cell in row {
            main.raw("<td>").text(&cell).raw("</td>");
        }
        main.raw("</tr>");
    }
    main.raw("</table>");
}

fn finish_page(title: &str, main: &Html) -> Answer<String> {
    let frame = Frame { title, here: None, refresh: false, is_live: false };
    Answer(frame_page(&frame, main))
}
