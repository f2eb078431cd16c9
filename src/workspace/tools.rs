//! The commands of templates.

use thiserror::Error;

use super::Workspace;
use super::catalogue::CatalogueEntry;
use super::error::WorkspaceError;
use crate::config::ConfigScope;
use crate::duration::write;
use crate::provider::{
    LONGEST_TIMEOUT, Layer, ProviderName, RegistryEntry, SHORTEST_TIMEOUT, Timeout,
};
use crate::template::{Phase, Template};

/// The error that the command of a phase cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the command of the phase `{phase}` cannot be run: {reason}")]
pub struct ToolError {
    /// The phase.
    pub phase: String,
    /// The reason.
    pub reason: String,
}

impl Workspace {
    /// Returns the entry that runs the command of a phase; `None` if it has no command. A project-defined command needs
    /// trust, like a project-defined provider.
    ///
    /// # Errors
    /// Fails if the timeout is out of its limits.
    pub(crate) fn tool(
        &self,
        template: &Template,
        phase: &Phase,
    ) -> Result<Option<RegistryEntry>, WorkspaceError> {
        let Some(tool) = &phase.run else { return Ok(None) };
        let name: String = format!("{}.{}", template.id, phase.id).chars().take(60).collect();
        let name = ProviderName::parse(&name).or_else(|_| ProviderName::parse("template"))?;
        let bounds = |_| WorkspaceError::OutOfBounds {
            what: "the timeout of a command",
            bounds: format!(
                "from {} to {}, like `90s`",
                write(SHORTEST_TIMEOUT),
                write(LONGEST_TIMEOUT)
            ),
        };
        let timeout = tool.timeout.as_deref().map(Timeout::parse).transpose().map_err(bounds)?;
        let origin = match self
            .setup
            .templates
            .iter()
            .rfind(|it| it.path.file_stem().is_some_and(|stem| *stem == *template.id))
        {
            Some(layer) if layer.scope == ConfigScope::Project => {
                Layer::Project(layer.path.clone())
            }
            Some(layer) => Layer::User(layer.path.clone()),
            None => Layer::BuiltIn,
        };
        Ok(Some(RegistryEntry::tool(name, &tool.command, timeout.unwrap_or_default(), origin)))
    }

    /// Returns the commands of all phases of a template.
    pub(crate) fn tools_of(&self, template: &Template) -> Vec<RegistryEntry> {
        let tools = template.phases.iter().map(|phase| self.tool(template, phase));
        tools.filter_map(|tool| tool.ok().flatten()).collect()
    }

    /// Returns the commands of all readable templates.
    pub(crate) fn tools(&self) -> Vec<RegistryEntry> {
        let read = self.catalogue.entries().filter(|entry| entry.path.is_some());
        let templates = read.filter_map(|entry: &CatalogueEntry| entry.template().ok());
        templates.flat_map(|template| self.tools_of(&template)).collect()
    }
}
