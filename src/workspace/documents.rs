//! What programs may rely on: the documents there are, and what stands in each.

use schemars::Schema;

use super::Workspace;
use crate::view::{documents, schema};

impl Workspace {
    /// The names of all JSON documents, sorted.
    pub fn documents() -> impl Iterator<Item = &'static str> {
        documents()
    }

    /// The JSON Schema of a document; none where no document is called so.
    pub fn schema(name: &str) -> Option<Schema> {
        schema(name)
    }
}
