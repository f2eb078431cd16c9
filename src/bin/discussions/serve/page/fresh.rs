//! The form for a new discussion.

use axum::response::Html as Answer;

use super::frame::{Frame, frame_page};
use super::html::Html;

/// The content of the form, and the reason for a rejection.
#[derive(Clone, Debug, Default)]
pub(in crate::serve) struct NewDiscussionForm {
    pub(in crate::serve) topic: String,
    pub(in crate::serve) context: String,
    /// The chosen pattern; empty means `synthesis`.
    pub(in crate::serve) pattern: String,
    pub(in crate::serve) options: String,
    pub(in crate::serve) refused: Option<String>,
    /// Why the options were refused.
    pub(in crate::serve) options_refused: Option<String>,
}

/// The pattern that is selected by default.
const USUAL: &str = "synthesis";

/// Returns the page with the form. `patterns` are ids, each with its purpose.
pub(in crate::serve) fn fresh(
    form: &NewDiscussionForm,
    patterns: &[(String, String)],
) -> Answer<String> {
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>New discussion</h1>");
    if let Some(why) = &form.refused {
        main.raw("<p role=\"alert\" class=\"refused\">Not created: ").inline(why).raw("</p>");
    }
    main.raw("<form method=\"post\" action=\"/new\" class=\"composer\">");
    main.raw("<label>Question <input name=\"topic\" required maxlength=\"5000\"");
    main.raw(if form.options_refused.is_some() { " value=\"" } else { " autofocus value=\"" });
    main.text(&form.topic)
        .raw("\"></label><label>Context <small>background information, as Markdown</small>");
    main.raw("<textarea name=\"context\" rows=\"8\">\n")
        .text(&form.context)
        .raw("</textarea></label>");
    main.raw("<label>Pattern <select name=\"pattern\">");
    let chosen = if form.pattern.is_empty() { USUAL } else { &form.pattern };
    for (id, summary) in patterns {
        main.raw("<option value=\"").text(id);
        main.raw(if id == chosen { "\" selected>" } else { "\">" });
        main.text(id).raw(": ").text(summary).raw("</option>");
    }
    main.raw("</select></label><label>Options to vote on <small>separated by commas, for the pattern voting</small>");
    main.raw("<input name=\"options\" value=\"").text(&form.options);
    // The page is long, so the browser must jump to the refused field.
    let is_refused = form.options_refused.is_some();
    main.raw(if is_refused { "\" aria-invalid=\"true\" autofocus>" } else { "\">" });
    if let Some(why) = &form.options_refused {
        main.raw(" <span role=\"alert\" class=\"refused\">Not created: ")
            .inline(why)
            .raw("</span>");
    }
    main.raw("</label><p class=\"row\"><button class=\"first\">Create</button> <a href=\"/\">Cancel</a></p></form>");
    main.raw("<p class=\"faint\">This does not call a model. You start the run on the next page.</p></div>");
    let title = "New discussion";
    let frame = Frame { title, here: None, refresh: false, is_live: false };
    Answer(frame_page(&frame, &main))
}
