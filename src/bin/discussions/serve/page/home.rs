//! Pages about many discussions: the waiting steps and the list, earlier decisions, statistics.

use axum::response::Html as Answer;
use discussions::view::{List, Listed, Recalled, Stats, Waiting};

use super::html::{Frame, Html, frame_page};
use crate::cli::amounts::{money_or_unknown, seconds};
use crate::cli::verbs::stats::HINDSIGHT_WORDS;
use crate::cli::words as told;
use crate::cli::words::ago;
use crate::serve::words;

/// The data of the first page.
pub(in crate::serve) struct Home<'h> {
    pub(in crate::serve) list: &'h List,
    /// The name of the reader.
    pub(in crate::serve) author: &'h str,
    /// The name of each discussion whose last run stopped at a limit or an error, with the reason.
    pub(in crate::serve) stopped: &'h [(String, String)],
}

/// Returns the first page.
pub(in crate::serve) fn home(home: &Home<'_>) -> Answer<String> {
    let Home { list, author, stopped } = *home;
    let mut main = Html::default();
    main.raw("<div class=\"record\"><header class=\"row heading\"><h1>Discussions</h1>");
    main.raw("<a class=\"button first\" href=\"/new\">New discussion</a></header>");
    due(&mut main, list);
    waiting(&mut main, home);
    for unreadable in &list.unreadable {
        main.raw("<p role=\"alert\">").text(&unreadable.message).raw("</p>");
    }
    if list.discussions.is_empty() {
        main.raw("<p>No discussions yet.</p>");
    } else {
        let has_due = list.discussions.iter().any(|one| !one.due.is_empty());
        let is_first = list.waiting.is_empty() && stopped.is_empty() && !has_due;
        main.raw(if is_first { "<ul class=\"all\">" } else { "<h2>All</h2><ul class=\"all\">" });
        due_first(list).into_iter().for_each(|one| row(&mut main, one, false));
        main.raw("</ul>");
    }
    recall_form(&mut main, "");
    main.raw("<p><a href=\"/stats\">Statistics</a></p><p class=\"faint\">In ");
    main.text(&list.folder).raw(", as ").text(author).raw("</p></div>");
    let frame = Frame { title: "All", here: None, refresh: false, is_live: false };
    Answer(frame_page(&frame, &main))
}

/// Returns the discussions, those with a decision to look at again first.
fn due_first(list: &List) -> Vec<&Listed> {
    let mut all: Vec<&Listed> = list.discussions.iter().collect();
    // The sort is stable, so the others stay in the order of the list.
    all.sort_by_key(|one| one.first_due());
    all
}

/// Adds the decisions to look at again; nothing if there is none.
fn due(main: &mut Html, list: &List) {
    let mut all = due_first(list);
    all.retain(|one| !one.due.is_empty());
    if all.is_empty() {
        return;
    }
    main.raw("<h2>Decisions to review</h2><ul class=\"all waits\">");
    for one in all {
        main.raw("<li><a href=\"").way(&one.name).raw("\">").inline(&one.title).raw("</a>");
        for review in &one.due {
            main.raw("<small>").text(&told::review_day(&review.review_by, review.days));
            let what = review.decision.as_deref().map(|it| format!("{it}: ")).unwrap_or_default();
            main.raw(" · ").inline(&format!("{what}{}", review.text)).raw("</small>");
        }
        main.raw("</li>");
    }
    main.raw("</ul>");
}

/// Adds the steps that wait for the reader, then those that wait for others.
fn waiting(main: &mut Html, home: &Home<'_>) {
    let Home { list, author, stopped } = *home;
    let (own, others): (Vec<&Waiting>, Vec<&Waiting>) =
        list.waiting.iter().partition(|one| words::waits_for(one, author));
    let sentence = |one: &&Waiting| (one.name.clone(), words::waiting(one, author));
    let own: Vec<_> = own.iter().map(sentence).chain(stopped.iter().cloned()).collect();
    awaited(main, "Waiting for you", &own, list);
    awaited(main, "Waiting for others", &others.iter().map(sentence).collect::<Vec<_>>(), list);
}

/// Adds each discussion once, with all that it waits for; nothing if there is none.
fn awaited(main: &mut Html, title: &'static str, all: &[(String, String)], list: &List) {
    if all.is_empty() {
        return;
    }
    main.raw("<h2>").raw(title).raw("</h2><ul class=\"all waits\">");
    let named = |one: &&Listed| all.iter().any(|(name, _)| *name == one.name);
    for one in list.discussions.iter().filter(named) {
        main.raw("<li><a href=\"").way(&one.name).raw("#say\">").inline(&one.title).raw("</a>");
        for (_, why) in all.iter().filter(|(name, _)| *name == one.name) {
            main.raw("<small>").inline(why).raw("</small>");
        }
        main.raw("</li>");
    }
    main.raw("</ul>");
}

/// The number of discussions in the list beside a page.
const NAMED: usize = 40;

/// Returns the list beside the page of the discussion `here`.
pub(in crate::serve) fn side_list(list: &List, here: &str) -> Answer<String> {
    let mut html = Html::default();
    html.raw("<ul>");
    let shown = due_first(list).into_iter().take(NAMED);
    shown.for_each(|one| row(&mut html, one, one.name == here));
    html.raw("</ul>");
    if list.discussions.len() > NAMED {
        let more = list.discussions.len() - NAMED;
        html.raw("<p><a href=\"/\">").value(more).raw(" more</a></p>");
    }
    Answer(html.into_string())
}

/// Adds a discussion and its status.
fn row(page: &mut Html, one: &Listed, is_here: bool) {
    page.raw("<li class=\"").text(&one.status.as_str().to_lowercase());
    page.raw("\"><a href=\"").way(&one.name);
    page.raw(if is_here { "\" aria-current=\"page\">" } else { "\">" }).inline(&one.title);
    page.raw("</a><small>").text(&one.status.as_str().to_lowercase());
    if let Some(at) = &one.updated {
        page.raw(" · <time datetime=\"").text(at).raw("\">").text(&ago(one.age, at)).raw("</time>");
    }
    if one.running {
        page.raw(" · running");
    }
    if one.waits_for_people {
        page.raw(" · waiting for a person");
    }
    if !one.due.is_empty() {
        page.raw(" · to review");
    }
    if let Some(day) = &one.decide_by {
        page.raw(" · ").text(&day.words());
    }
    if let Some(outcome) = &one.outcome {
        page.raw(" · ").inline(&told::outcome(outcome));
    }
    page.raw("</small></li>");
}

/// Returns the page with the earlier decisions similar to a question, the nearest first.
pub(in crate::serve) fn recall_page(question: &str, found: &[Recalled]) -> Answer<String> {
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>Past decisions</h1>");
    recall_form(&mut main, question);
    if found.is_empty() {
        main.raw("<p>No past decision is similar to this question.</p>");
    }
    main.raw("<ul class=\"all\">");
    for one in found {
        main.raw("<li><a href=\"").way(&one.name).raw("\">").text(&one.title).raw("</a> <small>");
        main.text(one.at.get(..10).unwrap_or_default()).raw("</small><br>");
        main.text(&told::outcome(&one.decision)).raw("</li>");
    }
    main.raw("</ul></div>");
    finish_page("Past decisions", &main)
}

/// Adds the form for the question.
fn recall_form(main: &mut Html, question: &str) {
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
    let rows = stats.by_pattern.iter().map(|(name, one)| (name.as_str(), one)).chain(all);
    let judged = rows.filter(|(_, one)| !one.hindsight.is_empty());
    let rows = judged.map(|(name, one)| {
        let count = |word| one.hindsight.get(word).copied().unwrap_or(0).to_string();
        let [held, mixed, failed] = HINDSIGHT_WORDS.map(count);
        [name.to_owned(), held, mixed, failed]
    });
    table(&mut main, ["Hindsight", "Held", "Mixed", "Failed"], rows.collect());
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
