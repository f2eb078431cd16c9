//! Shows project-defined commands that the user does not trust, and explains how to trust them.

use discussions::view::Foreign;

use super::html::Html;

/// Returns a description of all commands. There is no button to trust them, because it would be clicked too
/// easily, and people other than the user could click it too.
pub(super) fn foreign_definitions(all: &[Foreign]) -> Html {
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
