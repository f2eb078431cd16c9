//! The forms for a comment and for a new discussion.

use axum::response::Html as Answer;
use discussions::view::Status;

use super::html::{Frame, Html, frame_page};

/// The initial content of the form.
#[derive(Clone, Debug, Default)]
pub(in crate::serve) struct ComposerDraft {
    /// The author.
    pub(in crate::serve) author: String,
    /// The rejected text, which the user can edit.
    pub(in crate::serve) text: String,
    /// The vote that the user chose.
    pub(in crate::serve) vote: String,
    /// The reason for the rejection.
    pub(in crate::serve) refused: Option<String>,
}

/// Returns the form.
pub(in crate::serve) fn composer(name: &str, status: &Status, draft: &ComposerDraft) -> Html {
    let mut html = Html::default();
    html.raw("<form id=\"say\" class=\"composer\" method=\"post\" action=\"").way(name);
    html.raw("/comments\">");
    if let Some(why) = &draft.refused {
        html.raw("<p role=\"alert\" class=\"refused\">Not saved: ").inline(why).raw("</p>");
    }
    html.raw("<label for=\"text\">Add a comment</label>");
    html.raw("<textarea id=\"text\" name=\"text\" rows=\"6\" placeholder=\"Markdown. Q: asks a question, A: Q1 answers it, TODO: and DECISION: are listed, @name mentions a participant.\"");
    // The page is long, so a browser without scripts must jump to the rejected text.
    html.raw(if draft.refused.is_some() { " autofocus>\n" } else { ">\n" });
    html.text(&draft.text).raw("</textarea><ul id=\"names\" hidden>");
    let named =
        status.participants.iter().filter_map(|one| Some((one.alias.as_deref()?, &one.name)));
    for (alias, called) in named {
        html.raw("<li data-alias=\"").text(alias).raw("\">@").text(alias).raw(" <small>");
        html.text(called).raw("</small></li>");
    }
    html.raw("</ul><p class=\"row\"><label>As <input name=\"author\" maxlength=\"64\" value=\"");
    html.text(&draft.author).raw("\"></label><label");
    html.raw(if status.options.is_empty() { " hidden>" } else { ">" });
    html.raw("Vote <select id=\"vote\" name=\"vote\">").piece(&chosen(status, &draft.vote));
    html.raw("</select></label><button class=\"first\">Send</button>");
    html.raw("<span class=\"faint keys\">Ctrl+Enter: send · j, k: next, previous comment · n: next question</span></p>");
    html.raw("<p id=\"sent\" role=\"status\"></p></form>");
    html
}

/// Returns the options of the vote; an empty piece if no vote counts, now or later.
pub(in crate::serve) fn options(status: &Status) -> Html {
    chosen(status, "")
}

fn chosen(status: &Status, vote: &str) -> Html {
    let mut html = Html::default();
    if status.options.is_empty() {
        return html;
    }
    html.raw("<option value=\"\">none</option>");
    for option in &status.options {
        let is_chosen = option.eq_ignore_ascii_case(vote);
        html.raw(if is_chosen { "<option selected>" } else { "<option>" });
        html.text(option).raw("</option>");
    }
    html
}

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
