//! What is said once an invocation, before it happens: what stands in for what, and who is missing.

use std::collections::BTreeSet;

use discussions::config::Scope;
use discussions::engine::Snapshot;
use discussions::participant::{Origin, Roster};
use discussions::provider::Foreign;
use discussions::template::bundled;
use discussions::view::PassedOver;
use discussions::workspace::Workspace;

use crate::cli::ui::Line;

/// Remembers what was said.
#[derive(Debug, Default)]
pub(crate) struct Notices(BTreeSet<String>);

impl Notices {
    /// That what a project defines runs without a question, because the environment says so.
    pub(crate) fn trusted_by_environment(
        &mut self,
        foreign: &Foreign,
        place: &str,
    ) -> Option<Line> {
        let name = foreign.name();
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
    pub(crate) fn left_out(&mut self, foreign: &Foreign, place: &str) -> Option<Line> {
        let name = foreign.name();
        self.once(format!(
            "{name} is not asked where others fail: it is this project's own ({place}), and not trusted; \
             `discussions trust` shows what it runs, and asks"
        ))
        .map(|text| Line::hint("note", text))
    }

    /// What the project has put in the place of what comes with the program: nothing of it is run, but it is not
    /// what one knows by that name.
    pub(crate) fn stand_ins(&mut self, workspace: &Workspace, snapshot: &Snapshot) -> Vec<Line> {
        let id = &snapshot.template().id;
        let mut found = Vec::new();
        let own = workspace.setup.templates.iter().rfind(|layer| {
            layer.scope == Scope::Project
                && layer.path.file_stem().is_some_and(|stem| *stem == **id)
        });
        if let Some(layer) = own
            && bundled().iter().any(|(known, _)| known == id)
        {
            found.push(format!("the template `{id}` ({})", layer.shown));
        }
        let config = &snapshot.config;
        let mut seats: Vec<_> = config.seats().chain(config.roles.values().flatten()).collect();
        seats.sort();
        seats.dedup();
        let of_project = seats.into_iter().filter_map(|alias| {
            let member = config.roster().resolve(alias.as_str()).ok()?;
            let Origin::Project(path) = &member.origin else { return None };
            Some((alias, workspace.setup.shown(path)))
        });
        let of_project: Vec<_> = of_project.collect();
        if !of_project.is_empty() {
            let known = Roster::bundled();
            let stand_ins = of_project.iter().filter(|(alias, _)| known.by_alias(alias).is_some());
            found
                .extend(stand_ins.map(|(alias, shown)| format!("the persona `{alias}` ({shown})")));
        }
        let lines = found.into_iter().filter_map(|what| {
            self.once(format!("{what} is this project's own, in place of the bundled one"))
        });
        lines.map(|text| Line::hint("note", text)).collect()
    }

    /// That somebody else is asked in place of who was meant.
    pub(crate) fn passed_over(&mut self, missing: &PassedOver, instead: &str) -> Option<Line> {
        let PassedOver { provider, reason, fix } = missing;
        self.once(format!("{provider} cannot be asked, {instead} is instead: {reason}; {fix}"))
            .map(Line::warning)
    }

    fn once(&mut self, text: String) -> Option<String> {
        self.0.insert(text.clone()).then_some(text)
    }
}
