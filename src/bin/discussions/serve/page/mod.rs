//! The pages: drawn here, whole and without a script; what changes later is drawn by the same functions.

mod block;
mod composer;
mod earlier;
mod foreign;
mod frame;
mod fresh;
mod home;
mod html;
mod panel;

pub(super) use axum::response::Html as Answer;

pub(super) use block::{block, colour};
pub(super) use composer::{Draft, composer, options};
pub(super) use earlier::{counted, recalled};
pub(super) use fresh::{Fresh, fresh};
pub(super) use home::{Home, home, side_list};
pub(super) use html::{Html, encoded};
pub(super) use panel::{outcome, panel};

use self::frame::{Frame, framed};
use super::picture::Picture;
use super::room::State;
use discussions::view::Foreign;

/// What a discussion's page is drawn from.
pub(super) struct Scene<'s> {
    /// The name in the address.
    pub(super) name: &'s str,
    pub(super) picture: &'s Picture,
    pub(super) state: &'s State,
    pub(super) draft: &'s Draft,
    /// It is only read, and asked for again by a browser without scripts: nothing is written there that could be lost.
    pub(super) follows: bool,
}

/// How long a piece of a page is at least, in bytes, before it is sent.
const PIECE: usize = 32 << 10;

/// The page of one discussion, piece by piece: what stands on top is shown before what was said is drawn. `send` says
/// whether anybody still reads.
pub(super) fn discussion(scene: &Scene<'_>, send: &mut impl FnMut(Html) -> bool) {
    let Scene { name, picture, state, draft, follows } = scene;
    let shown = &picture.shown;
    let mut main = frame::above(&Frame {
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
    main.piece(&panel(name, picture, state)).raw("</aside>");
    main.raw("<div class=\"record\"><section id=\"context\">")
        .markdown(below_title(&shown.preamble), 0);
    main.raw("</section><section id=\"record\" aria-label=\"Comments\" data-offset=\"");
    main.value(picture.end()).raw("\" data-events=\"").way(name).raw("/events\">");
    if !send(std::mem::take(&mut main)) {
        return;
    }
    for (_, _, block) in picture.behind(0) {
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
    main.raw("</div>").raw(frame::BELOW);
    send(main);
}

/// The title as the page shows it.
pub(super) fn heading(picture: &Picture) -> Html {
    let mut html = Html::default();
    html.inline(&picture.shown.title);
    html
}

/// Why there is no page.
pub(super) struct Sorry<'s> {
    pub(super) title: &'s str,
    pub(super) message: &'s str,
    pub(super) help: Option<&'s str>,
    /// What would have to be agreed to.
    pub(super) foreign: &'s [Foreign],
    /// What somebody wrote.
    pub(super) kept: Option<&'s str>,
    /// The discussion that they come from.
    pub(super) from: Option<&'s str>,
}

/// A page that says why there is no other.
pub(super) fn sorry(sorry: &Sorry<'_>) -> Answer<String> {
    let Sorry { title, message, help, foreign, kept, from } = *sorry;
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>").text(title).raw("</h1><p role=\"alert\">").text(message);
    main.raw("</p>");
    if let Some(help) = help {
        main.raw("<p class=\"help\">").text(help).raw("</p>");
    }
    main.piece(&foreign::shown(foreign));
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
    Answer(framed(&frame, &main))
}

/// A page that says what became of a comment, where that is not what was expected.
pub(super) fn noted(name: &str, anchor: &str, notes: &[String]) -> Answer<String> {
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>Saved, with notes</h1><ul>");
    for note in notes {
        main.raw("<li>").text(note).raw("</li>");
    }
    main.raw("</ul><p><a href=\"").way(name).raw("#").text(anchor).raw("\">Back</a></p></div>");
    let frame = Frame { title: "Saved", here: None, refresh: false, is_live: false };
    Answer(framed(&frame, &main))
}

/// A page that asks whether a turn or a run may cost so much; `action` is the last part of the form's path.
pub(super) fn priced(name: &str, action: &'static str, price: &str) -> Answer<String> {
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>Start this run?</h1><p>").text(price);
    main.raw(". You are asked once for each discussion.</p><form method=\"post\" action=\"");
    main.way(name).raw("/").raw(action);
    main.raw("\"><p class=\"row\"><input type=\"hidden\" name=\"agreed\" value=\"yes\">");
    main.raw("<button class=\"first\">Start</button> <a href=\"").way(name);
    main.raw("\">Back</a></p></form></div>");
    let title = "Start this run?";
    let frame = Frame { title, here: None, refresh: false, is_live: false };
    Answer(framed(&frame, &main))
}

/// What stands below the title, which the page shows by itself.
fn below_title(preamble: &str) -> &str {
    let mut rest = preamble;
    while let Some((line, behind)) = rest.split_once('\n') {
        if line.starts_with("# ") {
            return behind;
        }
        rest = behind;
    }
    if rest.starts_with("# ") { "" } else { preamble }
}
