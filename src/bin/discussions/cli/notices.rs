//! What is said once an invocation, before it happens: what stands in for what, and who is missing.

use std::collections::BTreeSet;

use crate::cli::ui::Line;

/// Remembers what was said.
#[derive(Debug, Default)]
pub(crate) struct Notices(BTreeSet<String>);

impl Notices {
    /// That what a project defines runs without a question, because the environment says so.
    pub(crate) fn trusted_by_environment(&mut self, name: &str, place: &str) -> Option<Line> {
        self.once(format!(
            "this project defines {name} ({place}), and DISCUSSIONS_TRUST=all trusts it"
        ))
        .map(|text| Line::hint("note", text))
    }

    /// That the environment says something about trust which means nothing.
    pub(crate) fn unknown_trust(&mut self, word: &str) -> Option<Line> {
        self.once(format!("ignoring DISCUSSIONS_TRUST={word}: the only valid value is `all`"))
            .map(Line::warning)
    }

    /// That what nobody trusts is not called where others fail.
    pub(crate) fn left_out(&mut self, name: &str, place: &str) -> Option<Line> {
        self.once(format!(
            "{name} is not used as a fallback: this project defines it ({place}), and you do not trust it; to review \
             it: `discussions trust`"
        ))
        .map(|text| Line::hint("note", text))
    }

    /// What the project has put in the place of what comes with the program: nothing of it is run, but it is not
    /// what one knows by that name.
    pub(crate) fn stand_in(&mut self, what: &str, name: &str, file: &str) -> Option<Line> {
        self.once(format!("this project's {what} `{name}` ({file}) replaces the bundled one"))
            .map(|text| Line::hint("note", text))
    }

    /// That somebody else is asked in place of who was meant.
    pub(crate) fn passed_over(&mut self, who: &str, why: &str, instead: &str) -> Option<Line> {
        self.once(format!("using {instead} instead of {who}: {why}")).map(Line::warning)
    }

    /// That somebody who failed for good is not asked again by this run.
    pub(crate) fn stays_out(&mut self, who: &[String]) -> Option<Line> {
        self.once(format!(
            "skipped for the rest of this run: {}; once the cause is fixed, ask again with `discussions turn FILE {}`",
            who.join(", "),
            who.iter().map(|who| format!("@{who}")).collect::<Vec<_>>().join(" ")
        ))
        .map(Line::warning)
    }

    fn once(&mut self, text: String) -> Option<String> {
        self.0.insert(text.clone()).then_some(text)
    }
}
