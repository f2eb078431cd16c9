//! The findings about the outcome, and what changed after them.

use discussions::view::TextFinding;

use super::html::Html;
use crate::serve::live::RenderedDiscussion;

/// Returns the review of the outcome; an empty piece if there is none.
pub(super) fn text_review(picture: &RenderedDiscussion) -> Html {
    let (mut html, review) = (Html::on(picture.links()), &picture.shown.review);
    if let Some(note) = review.opinion_note() {
        html.raw("<p class=\"faint\">").text(note).raw("</p>");
    }
    if !review.findings.is_empty() {
        html.raw("<h3>Findings</h3><ul class=\"items\">");
        for one in review.others() {
            html.raw("<li>");
            title(&mut html, one, picture);
            html.raw(" “").text(&one.short_quote()).raw("” ");
            origin(&mut html, one);
            html.raw("</li>");
        }
        html.raw("</ul>");
        review.declined().for_each(|one| declined(&mut html, one, picture));
    }
    changes(&mut html, picture);
    html
}

/// Adds number and state, with a link to the finding.
fn title(html: &mut Html, one: &TextFinding, picture: &RenderedDiscussion) {
    html.raw("<a href=\"#").text(picture.at_line(one.line).unwrap_or_default()).raw("\">Finding ");
    html.value(one.number).raw("</a>, ").raw(one.state.as_str());
}

/// Adds the reviewer, and the place in the material.
fn origin(html: &mut Html, one: &TextFinding) {
    html.raw("<small>").text(&one.name);
    if let Some(place) = one.place() {
        html.raw(", ").text(&place);
    }
    html.raw("</small>");
}

/// Adds a declined finding in full.
fn declined(html: &mut Html, one: &TextFinding, picture: &RenderedDiscussion) {
    html.raw("<section class=\"finding\"><h4>");
    title(html, one, picture);
    html.raw(" ");
    origin(html, one);
    html.raw("</h4><blockquote>").markdown(&one.quote, 3).raw("</blockquote>");
    html.markdown(&format!("Proof: {}", one.proof), 3);
    match one.instead.as_str() {
        "" => html.raw("<p>Instead: remove these words.</p>"),
        instead => {
            html.raw("<p>Instead:</p><blockquote>").markdown(instead, 3).raw("</blockquote>")
        }
    };
    html.raw("</section>");
}

/// Adds the changed places, with removed and added words marked.
fn changes(html: &mut Html, picture: &RenderedDiscussion) {
    let Some(revision) = &picture.shown.review.revision else { return };
    html.raw("<details class=\"changes\"><summary>What changed after the review</summary>");
    for place in &revision.places {
        html.raw("<p>");
        for part in place {
            match (part.is_removed(), part.is_added()) {
                (true, _) => html.raw("<del>").text(&part.text).raw("</del>"),
                (_, true) => html.raw("<ins>").text(&part.text).raw("</ins>"),
                _ => html.text(&part.text),
            };
        }
        html.raw("</p>");
    }
    html.raw("</details>");
}
