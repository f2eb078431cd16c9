//! The pages. The server renders them completely, so that they work without a script. Later changes are rendered by the
//! same functions. A page also shows project-defined commands that the user does not trust, and explains how to trust
//! them.

mod block;
mod forms;
mod home;
mod html;
mod links;
mod panel;
mod text_review;

pub(super) use axum::response::Html as Answer;
use discussions::view::Foreign;
pub(super) use forms::{ComposerDraft, NewDiscussionForm, composer, fresh, options};

use super::live::{LiveRunState, RenderedDiscussion};
pub(super) use block::{block, colour};
pub(super) use home::{Home, ListAddress, home, recall_page, side_list, stats_page};
use html::{Frame, frame_page};
pub(super) use html::{Html, encoded};
pub(super) use links::PageLinks;
pub(super) use panel::{outcome, panel, still_panel};

/// The data of a discussion's page.
pub(super) struct PageContext<'s> {
    /// The name in the address.
    pub(super) name: &'s str,
    pub(super) picture: &'s RenderedDiscussion,
    pub(super) state: &'s LiveRunState,
    pub(super) draft: &'s ComposerDraft,
    /// True if the page is read-only: it has no form with text that could be lost, so a browser
    /// without scripts can reload it.
    pub(super) follows: bool,
}

/// The minimum number of bytes in a piece of a page that is sent.
const PIECE: usize = 32 << 10;

/// Renders the page of one discussion piece by piece: the browser can show the top before the comments are rendered.
/// `send` returns false if the client has disconnected.
pub(super) fn discussion(scene: &PageContext<'_>, send: &mut impl FnMut(Html) -> bool) {
    let PageContext { name, picture, state, draft, follows } = scene;
    let shown = &picture.shown;
    let mut main = html::page_head(&Frame {
        title: &shown.title,
        here: Some(name),
        refresh: *follows && state.is_running,
        is_live: !follows,
    });
    main.raw("<header class=\"top\"><h1 id=\"title\">")
        .piece(&heading(picture))
        .raw("</h1></header>");
    main.raw("<section id=\"outcome\">").piece(&outcome(picture)).raw("</section>");
    main.raw("<aside id=\"panel\" aria-label=\"Status\">");
    let notes = shown.status.notes.lines();
    main.piece(&panel(name, picture, state, &notes)).raw("</aside>");
    main.raw("<div class=\"record\"><section id=\"context\">")
        .markdown(below_title(&shown.preamble), 0);
    main.raw("</section><section id=\"record\" aria-label=\"Comments\" data-offset=\"");
    main.value(picture.end()).raw("\" data-events=\"").way(name).raw("/events\">");
    if !send(std::mem::take(&mut main)) {
        return;
    }
    for (_, _, block) in picture.blocks_after(0) {
        main.piece(block);
        if main.as_str().len() >= PIECE && !send(std::mem::take(&mut main)) {
            return;
        }
    }
    main.raw("</section><section id=\"live\" aria-label=\"Answers in progress\"></section>");
    main.raw("<p id=\"news\" class=\"unseen\" aria-live=\"polite\"></p>");
    if *follows {
        main.raw("<p><a class=\"button\" href=\"").way(name).raw("#say\">Add a comment</a></p>");
    } else {
        if state.is_running {
            main.raw("<noscript><p><a href=\"").way(name).raw("?follow=1#live\">");
            main.raw("Follow new answers</a> on a page that reloads itself</p></noscript>");
        }
        main.piece(&composer(name, &shown.status, draft));
    }
    main.raw("</div>").raw(html::BELOW);
    send(main);
}

/// Returns the title as the page shows it.
pub(super) fn heading(picture: &RenderedDiscussion) -> Html {
    let mut html = Html::default();
    html.inline(&picture.shown.title);
    html
}

/// The content of an error page.
pub(super) struct ErrorPage<'s> {
    pub(super) title: &'s str,
    pub(super) message: &'s str,
    pub(super) help: Option<&'s str>,
    /// Project-defined commands that the user does not trust.
    pub(super) foreign: &'s [Foreign],
    /// The text that the user wrote.
    pub(super) kept: Option<&'s str>,
    /// The discussion from which the request came.
    pub(super) from: Option<&'s str>,
}

/// Returns an error page.
pub(super) fn error_page(sorry: &ErrorPage<'_>) -> Answer<String> {
    let ErrorPage { title, message, help, foreign, kept, from } = *sorry;
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>").text(title).raw("</h1><p role=\"alert\">").text(message);
    main.raw("</p>");
    if let Some(help) = help {
        main.raw("<p class=\"help\">").text(help).raw("</p>");
    }
    main.piece(&foreign_definitions(foreign));
    if let Some(kept) = kept {
        main.raw(
            "<p>Nothing was saved. Your text:</p><textarea rows=\"12\" aria-label=\"Your text\">\n",
        );
        main.text(kept).raw("</textarea>");
    }
    main.raw("<p class=\"row\">");
    if let Some(from) = from {
        main.raw("<a class=\"button\" href=\"").way(from).raw("\">Back</a> ");
    }
    main.raw("<a href=\"/\">All discussions</a></p></div>");
    let frame = Frame { title, here: None, refresh: false, is_live: false };
    Answer(frame_page(&frame, &main))
}

/// Returns a page about unexpected effects of a comment.
pub(super) fn notes_page(name: &str, anchor: &str, notes: &[String]) -> Answer<String> {
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>Saved, with notes</h1><ul>");
    for note in notes {
        main.raw("<li>").text(note).raw("</li>");
    }
    main.raw("</ul><p><a href=\"").way(name).raw("#").text(anchor).raw("\">Back</a></p></div>");
    let frame = Frame { title: "Saved", here: None, refresh: false, is_live: false };
    Answer(frame_page(&frame, &main))
}

/// Returns a page that asks the user to confirm the price of a turn or a run. `action` is the last part of the form's
/// path.
pub(super) fn price_page(name: &str, action: &'static str, price: &str) -> Answer<String> {
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>Start this run?</h1><p>").text(price);
    main.raw(". You are asked once for each discussion.</p><form method=\"post\" action=\"");
    main.way(name).raw("/").raw(action);
    main.raw("\"><p class=\"row\"><input type=\"hidden\" name=\"agreed\" value=\"yes\">");
    main.raw("<button class=\"first\">Start</button> <a href=\"").way(name);
    main.raw("\">Back</a></p></form></div>");
    let title = "Start this run?";
    let frame = Frame { title, here: None, refresh: false, is_live: false };
    Answer(frame_page(&frame, &main))
}

/// Returns the text below the title, because the page shows the title separately.
pub(super) fn below_title(preamble: &str) -> &str {
    let mut rest = preamble;
    while let Some((line, behind)) = rest.split_once('\n') {
        if line.starts_with("# ") {
            return behind;
        }
        rest = behind;
    }
    if rest.starts_with("# ") { "" } else { preamble }
}

/// Returns a description of all commands. There is no button to trust them: users would click it
/// too easily, and other people could click it too.
fn foreign_definitions(all: &[Foreign]) -> Html {
    let mut html = Html::default();
    if all.is_empty() {
        return html;
    }
    for foreign in all {
        html.raw("<h2>").text(&foreign.provider).raw("</h2><table class=\"foreign\">");
        let mut row = |what: &str, text: &str| {
            html.raw("<tr><th scope=\"row\">").text(what).raw("</th><td><code>").text(text);
            html.raw("</code></td></tr>");
        };
        row("defined in", &format!("{}:{}", foreign.file, foreign.line));
        if !foreign.aliases.is_empty() {
            row("also called", &foreign.aliases.join(", "));
        }
        foreign.replaces.iter().for_each(|replaced| row("replaces", replaced));
        foreign.facts.iter().for_each(|fact| row(fact.what, &fact.text));
        for file in &foreign.files {
            let leads = file.target.as_ref().map_or_else(String::new, |to| format!(" -> {to}"));
            row("project file", &format!("{}{leads}", file.path));
        }
        html.raw("</table>");
    }
    html.raw("<p>You may not have written this. To trust it, run this command in the project's folder:</p>");
    html.raw("<pre><code>discussions trust</code></pre><p>Then try again here.</p>");
    html
}
