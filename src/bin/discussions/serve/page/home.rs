//! All discussions.

use axum::response::Html as Answer;
use discussions::view::{List, Listed};

use super::earlier;
use super::frame::{Frame, framed};
use super::html::Html;
use crate::cli::words;

/// The page of all discussions.
pub(in crate::serve) fn home(list: &List) -> Answer<String> {
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>Discussions</h1><p class=\"faint\">in ");
    main.text(&list.folder).raw("</p>");
    let waiting: Vec<&Listed> =
        list.discussions.iter().filter(|one| one.waits_for_people).collect();
    if !waiting.is_empty() {
        main.raw("<h2>Waiting for people</h2>");
        table(&mut main, &waiting);
    }
    if list.discussions.is_empty() {
        main.raw(
            "<p>There is none yet. Begin one below, or with <code>discussions new</code>.</p>",
        );
    } else {
        main.raw("<h2>All</h2>");
        table(&mut main, &list.discussions.iter().collect::<Vec<_>>());
    }
    earlier::form(&mut main, "");
    main.raw("<p><a href=\"/stats\">What they came to, and what they cost</a></p>");
    for unreadable in &list.unreadable {
        main.raw("<p role=\"alert\">").text(&unreadable.message).raw("</p>");
    }
    main.raw(
        "<h2>A new question</h2><form method=\"post\" action=\"/new\" class=\"composer\">\
         <label>Topic <input name=\"topic\" required maxlength=\"5000\"></label>\
         <label>What one has to know <textarea name=\"context\" rows=\"5\"></textarea></label>\
         <p class=\"row\"><label>Form <input name=\"pattern\" placeholder=\"synthesis\"></label>\
         <button>Begin</button></p></form></div>",
    );
    let frame = Frame { title: "All", here: None, list: None, refresh: false, is_live: false };
    Answer(framed(&frame, &main))
}

fn table(main: &mut Html, rows: &[&Listed]) {
    main.raw("<ul class=\"all\">");
    for one in rows {
        row(main, one, false);
    }
    main.raw("</ul>");
}

/// One discussion with where it stands.
pub(super) fn row(page: &mut Html, one: &Listed, is_here: bool) {
    page.raw("<li class=\"").text(&one.status.as_str().to_lowercase());
    page.raw("\"><a href=\"").way(&one.name);
    page.raw(if is_here { "\" aria-current=\"page\">" } else { "\">" }).text(&one.title);
    page.raw("</a><small>").text(&one.status.as_str().to_lowercase());
    if one.running {
        page.raw(" · running");
    }
    if one.waits_for_people {
        page.raw(" · waits for a person");
    }
    if let Some(outcome) = &one.outcome {
        page.raw(" · ").text(&words::outcome(outcome));
    }
    page.raw("</small></li>");
}
