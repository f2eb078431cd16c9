//! Where one says something.

use discussions::view::Status;

use super::html::Html;

/// What stands in the composer already.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::serve) struct Draft<'d> {
    /// Who speaks.
    pub(in crate::serve) author: &'d str,
}

/// The form.
pub(in crate::serve) fn composer(name: &str, status: &Status, draft: &Draft<'_>) -> Html {
    let mut html = Html::default();
    html.raw("<form id=\"say\" class=\"composer\" method=\"post\" action=\"").way(name);
    html.raw("/comments\"><label for=\"text\">Say something</label>");
    html.raw("<textarea id=\"text\" name=\"text\" rows=\"6\" placeholder=\"Markdown. Q: asks, A: Q1 answers, TODO: and DECISION: are kept, @name calls.\"></textarea>");
    html.raw("<ul id=\"names\" hidden>");
    let named =
        status.participants.iter().filter_map(|one| Some((one.alias.as_deref()?, &one.name)));
    for (alias, called) in named {
        html.raw("<li data-alias=\"").text(alias).raw("\">@").text(alias).raw(" <small>");
        html.text(called).raw("</small></li>");
    }
    html.raw("</ul><p class=\"row\"><label>As <input name=\"author\" maxlength=\"64\" value=\"");
    html.text(draft.author).raw("\"></label><label>Vote <select id=\"vote\" name=\"vote\">");
    html.piece(&options(status)).raw("</select></label><button class=\"first\">Send</button>");
    html.raw("<span class=\"faint keys\">Ctrl+Enter sends · j k n move</span></p>");
    html.raw("<p id=\"sent\" role=\"status\"></p></form>");
    html
}

/// What may be voted for.
pub(in crate::serve) fn options(status: &Status) -> Html {
    let mut html = Html::default();
    html.raw("<option value=\"\">none</option>");
    for option in &status.options {
        html.raw("<option>").text(option).raw("</option>");
    }
    html
}
