//! JSON Schemas of all documents, which programs may rely on.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use super::{
    Checked, Consent, Dashboard, Decided, Definition, Diagnosis, DiscussStepResult,
    DiscussionResult, Event, FileChange, Foreign, Found, Initialized, Listed, Made, Merged,
    NamedText, Personas, Planned, Provider, Ran, Recalled, ResultDocument, ReviewResult, Shown,
    SiteReport, Stats, Status, Template, Written,
};
use crate::codes::Refused;

/// A document's name, and the function that creates its schema.
type SchemaDocument = (&'static str, fn() -> Schema);

/// All documents.
pub(crate) const DOCUMENTS: &[SchemaDocument] = &[
    ("advance", of::<Written>),
    ("answer", of::<Written>),
    ("ask", of::<DiscussionResult>),
    ("check", of::<Vec<Checked>>),
    ("close", of::<Written>),
    ("comment", of::<Written>),
    ("dashboard", of::<Dashboard>),
    ("decisions", of::<Vec<Decided>>),
    ("decisions-write-readme", of::<FileChange>),
    ("discuss", of::<DiscussionResult>),
    ("discuss-step", of::<DiscussStepResult>),
    ("doctor", of::<Vec<Diagnosis>>),
    ("error", of::<Refused>),
    ("event", of::<Event>),
    ("export", of::<NamedText>),
    ("export-site", of::<SiteReport>),
    ("init", of::<Initialized>),
    ("list", of::<Vec<Listed>>),
    ("merge", of::<Merged>),
    ("new", of::<Made>),
    ("participants-add", of::<Definition>),
    ("participants-edit", of::<FileChange>),
    ("participants-list", of::<Personas>),
    ("participants-remove", of::<FileChange>),
    ("participants-show", of::<Definition>),
    ("plan", of::<Planned>),
    ("providers-add", of::<FileChange>),
    ("providers-check", of::<Vec<Diagnosis>>),
    ("providers-list", of::<Vec<Provider>>),
    ("providers-remove", of::<FileChange>),
    ("recall", of::<Vec<Recalled>>),
    ("reopen", of::<Written>),
    ("result", of::<ResultDocument>),
    ("review", of::<ReviewResult>),
    ("revisit", of::<Made>),
    ("run", of::<Ran>),
    ("search", of::<Vec<Found>>),
    ("show", of::<Shown>),
    ("stats", of::<Stats>),
    ("status", of::<Status>),
    ("templates-list", of::<Vec<Template>>),
    ("templates-show", of::<NamedText>),
    ("trust", of::<Vec<Foreign>>),
    ("trust-list", of::<Vec<Consent>>),
    ("turn", of::<Ran>),
    ("vote", of::<Written>),
];

/// Creates the schema of the JSON that the program writes, not of the JSON that it would accept.
fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_each_has_a_schema() {
        assert!(DOCUMENTS.is_sorted_by_key(|(name, _)| *name));
        for (name, schema) in DOCUMENTS {
            assert!(schema().get("$schema").is_some(), "{name}");
        }
    }
}
