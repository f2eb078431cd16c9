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
            "DISCUSSIONS_TRUST=all: {name} is this project's own ({place}), and is trusted"
        ))
        .map(|text| Line::hint("note", text))
    }

    /// That the environment says something about trust which means nothing.
    pub(crate) fn unknown_trust(&mut self, word: &str) -> Option<Line> {
        self.once(format!("DISCUSSIONS_TRUST={word} means nothing; only `all` does"))
            .map(Line::warning)
    }

    /// That what nobody trusts is not called where others fail.
    pub(crate) fn left_out(&mut self, name: &str, place: &str) -> Option<Line> {
        self.once(format!(
            "{name} is not asked where others fail: it is this project's own ({place}), and not trusted; \
             `discussions trust` shows what it runs, and asks"
        ))
        .map(|text| Line::hint("note", text))
    }

    /// What the project has put in the place of what comes with the program: nothing of it is run, but it is not
    /// what one knows by that name.
    pub(crate) fn stand_in(&mut self, what: &str, name: &str, file: &str) -> Option<Line> {
        self.once(format!(
            "the {what} `{name}` ({file}) is this project's own, in place of the bundled one"
        ))
        .map(|text| Line::hint("note", text))
    }

    /// That somebody else is asked in place of who was meant.
    pub(crate) fn passed_over(&mut self, who: &str, why: &str, instead: &str) -> Option<Line> {
        self.once(format!("{who} cannot be asked, {instead} is instead: {why}")).map(Line::warning)
    }

    /// That somebody who failed for good is not asked again by this run.
    pub(crate) fn stays_out(&mut self, who: &[String]) -> Option<Line> {
        self.once(format!(
            "left out for the rest of this run: {}; asking again now would not help; `discussions turn FILE {}` asks \
             again when that is mended",
            who.join(", "),
            who.iter().map(|who| format!("@{who}")).collect::<Vec<_>>().join(" ")
        ))
        .map(Line::warning)
    }

    fn once(&mut self, text: String) -> Option<String> {
        self.0.insert(text.clone()).then_some(text)
    }
}
