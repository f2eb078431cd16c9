//! The frame around every page.

use super::html::Html;

/// The settings of a page's frame.
pub(super) struct Frame<'f> {
    pub(super) title: &'f str,
    /// The discussion of the page.
    pub(super) here: Option<&'f str>,
    /// Reload the page, because a run is in progress and a browser without scripts gets no updates. Never set on a page
    /// where the user may be writing.
    pub(super) refresh: bool,
    /// The page gets live updates.
    pub(super) is_live: bool,
}

pub(super) fn frame_page(frame: &Frame<'_>, main: &Html) -> String {
    let mut page = page_head(frame);
    page.piece(main).raw(BELOW);
    page.into_string()
}

/// The markup below the main part.
pub(super) const BELOW: &str = "</main></body></html>\n";

/// Returns the markup above the main part.
pub(super) fn page_head(frame: &Frame<'_>) -> Html {
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
    page.raw(if frame.here.is_some() { " class=\"room\">" } else { ">" });
    page.raw("<nav aria-label=\"Discussions\"><p class=\"home\"><a href=\"/\">discussions</a></p>");
    if let Some(here) = frame.here {
        // The script loads the list after the page: reading all discussions takes longer than reading this one.
        page.raw("<div id=\"others\" data-here=\"").text(here).raw("\"></div>");
    }
    page.raw("</nav><main>");
    page
}
