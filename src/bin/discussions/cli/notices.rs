//! Notices of fallbacks, replacements and missing participants. Each is printed before the event, at most once per
//! invocation.

use std::collections::BTreeSet;

use crate::cli::ui::Line;

/// The notices that were already printed.
#[derive(Debug, Default)]
pub(crate) struct Notices(BTreeSet<String>);

impl Notices {
    /// Returns the notice that a project-defined command runs without confirmation, because an environment variable
    /// allows it.
    pub(crate) fn trusted_by_environment(&mut self, name: &str, place: &str) -> Option<Line> {
        self.first_time(format!(
            "this project defines {name} ({place}), and DISCUSSIONS_TRUST=all trusts it"
        ))
        .map(|text| Line::hint("note", text))
    }

    /// Returns the warning that an environment variable has an unknown value.
    pub(crate) fn unknown_trust(&mut self, word: &str) -> Option<Line> {
        self.first_time(format!("ignoring DISCUSSIONS_TRUST={word}: the only valid value is `all`"))
            .map(Line::warning)
    }

    /// Returns the notice that an untrusted provider is not used as a fallback.
    pub(crate) fn left_out(&mut self, name: &str, place: &str) -> Option<Line> {
        self.first_time(format!(
            "{name} is not used as a fallback: this project defines it ({place}), and you do not trust it; to review \
             it: `discussions trust`"
        ))
        .map(|text| Line::hint("note", text))
    }

    /// Returns the notice that the project replaces a bundled template or persona. The notice is needed
    /// although a replacement runs no command, because users know the bundled one by that name.
    pub(crate) fn stand_in(&mut self, what: &str, name: &str, file: &str) -> Option<Line> {
        self.first_time(format!("this project's {what} `{name}` ({file}) replaces the bundled one"))
            .map(|text| Line::hint("note", text))
    }

    /// Returns the warning that another provider is called instead of the intended one.
    pub(crate) fn passed_over(&mut self, who: &str, why: &str, instead: &str) -> Option<Line> {
        self.first_time(format!("using {instead} instead of {who}: {why}")).map(Line::warning)
    }

    /// Returns the warning that participants that failed permanently are skipped for the rest of the run.
    pub(crate) fn stays_out(&mut self, who: &[String]) -> Option<Line> {
        self.first_time(format!(
            "skipped for the rest of this run: {}; once the cause is fixed, ask again with `discussions turn FILE {}`",
            who.join(", "),
            who.iter().map(|who| format!("@{who}")).collect::<Vec<_>>().join(" ")
        ))
        .map(Line::warning)
    }

    fn first_time(&mut self, text: String) -> Option<String> {
        self.0.insert(text.clone()).then_some(text)
    }
}
