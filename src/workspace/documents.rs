//! The contract with programs: the names and the schemas of all JSON documents.

use schemars::Schema;

use super::Workspace;
use crate::view::{documents, schema};

impl Workspace {
    /// Returns the names of all JSON documents, sorted.
    pub fn documents() -> impl Iterator<Item = &'static str> {
        documents()
    }

    /// Returns the JSON Schema of a document; `None` for an unknown name.
    pub fn schema(name: &str) -> Option<Schema> {
        schema(name)
    }
}
