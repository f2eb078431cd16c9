//! A phase that opens a discussion of its own.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::expr::TextTemplate;

/// `discuss:`: the discussion that a phase opens within its own, runs to its end, and takes the result of.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discuss {
    /// Id of the template.
    pub pattern: String,
    /// The question: MiniJinja.
    pub topic: TextTemplate,
    /// What one has to know to answer: MiniJinja; empty is nothing.
    #[serde(default)]
    pub context: TextTemplate,
    /// Aliases, or roles of this template; empty: the participants of this discussion.
    #[serde(default)]
    pub participants: Vec<String>,
    /// Values of the pattern's parameters.
    #[serde(default)]
    pub set: IndexMap<String, Value>,
}

impl Discuss {
    /// The parameters as somebody would write them: lists with commas.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (String, String)> {
        self.set.iter().map(|(name, value)| (name.clone(), written(value)))
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(written).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
