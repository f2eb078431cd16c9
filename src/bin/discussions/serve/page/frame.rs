//! What stands around every page.

use discussions::view::List;

use super::home::row;
use super::html::Html;

/// How many discussions the side names.
const NAMED: usize = 40;

/// What a page is framed with.
pub(super) struct Frame<'f> {
    pub(super) title: &'f str,
    /// The discussion that is looked at.
    pub(super) here: Option<&'f str>,
    /// All discussions, where they stand at the side.
    pub(super) list: Option<&'f List>,
    /// Something goes on, which a page without scripts shows only when it is asked for again. Never where something may
    /// be half written.
    pub(super) refresh: bool,
    /// What happens is told while it happens.
    pub(super) is_live: bool,
}

pub(super) fn framed(frame: &Frame<'_>, main: &Html) -> String {
    let mut page = above(frame);
    page.piece(main).raw(BELOW);
    page.done()
}

/// What stands below the main part.
pub(super) const BELOW: &str = "</main></body></html>\n";

/// What stands above the main part.
pub(super) fn above(frame: &Frame<'_>) -> Html {
    let mut page = Html::default();
    page.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .raw("<meta name=\"color-scheme\" content=\"light dark\">")
        .raw("<link rel=\"stylesheet\" href=\"/style.css\"><link rel=\"icon\" href=\"/icon.svg\">");
    if frame.refresh {
        page.raw("<meta http-equiv=\"refresh\" content=\"4\">");
    }
    if frame.is_live {
        page.raw("<script src=\"/live.js\" defer></script>");
    }
    page.raw("<title>").text(frame.title).raw(" · discussions</title></head><body");
    page.raw(if frame.list.is_some() && frame.here.is_some() { " class=\"room\">" } else { ">" });
    page.raw("<nav aria-label=\"Discussions\"><p class=\"home\"><a href=\"/\">discussions</a></p>");
    if let Some(list) = frame.list {
        page.raw("<ul>");
        for one in list.discussions.iter().take(NAMED) {
            row(&mut page, one, frame.here == Some(one.name.as_str()));
        }
        page.raw("</ul>");
        if list.discussions.len() > NAMED {
            let more = list.discussions.len() - NAMED;
            page.raw("<p><a href=\"/\">").value(more).raw(" more</a></p>");
        }
    }
    page.raw("</nav><main>");
    page
}
