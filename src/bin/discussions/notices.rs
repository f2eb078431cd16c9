//! What is said once an invocation, before it happens: whose commands are run, and who is missing.

use std::collections::BTreeSet;
use std::path::Path;

use discussions::provider::{Kind, Layer, Registry};
use discussions::runner::PassedOver;

use crate::ui::{Line, spelt};

/// Remembers what was said.
#[derive(Debug, Default)]
pub(crate) struct Notices(BTreeSet<String>);

impl Notices {
    /// That a provider is a command which came with the project: whoever cloned it may not know. `folder` is the
    /// working folder.
    pub(crate) fn own_command(
        &mut self,
        registry: &Registry,
        provider: &str,
        folder: &Path,
    ) -> Option<Line> {
        let entry = registry.find(provider).ok()?;
        let (Kind::Command(line), Layer::Project(path)) = (&entry.definition.kind, &entry.origin)
        else {
            return None;
        };
        let path = spelt(path.strip_prefix(folder).unwrap_or(path));
        let name = entry.definition.name.as_str();
        self.once(format!("{name} is this project's own command: {line} ({path})"))
            .map(|text| Line::hint("note", text))
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
