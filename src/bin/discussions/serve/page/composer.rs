//! The form for a comment.

use discussions::view::Status;

use super::html::Html;

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
