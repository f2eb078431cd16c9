//! A phase that opens a sub-discussion.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::expr::TextTemplate;

/// The settings of `discuss:`. The phase opens a sub-discussion, runs it to its end, and uses its result.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discuss {
    /// Id of the template.
    pub pattern: String,
    /// The question, a MiniJinja template.
    pub topic: TextTemplate,
    /// Background for the participants, a MiniJinja template; may be empty.
    #[serde(default)]
    pub context: TextTemplate,
    /// Aliases or roles of this template; empty: the participants of the parent.
    #[serde(default)]
    pub participants: Vec<String>,
    /// Values of the pattern's parameters.
    #[serde(default)]
    pub set: IndexMap<String, Value>,
}

impl Discuss {
    /// Returns the parameters as text, with lists separated by commas.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (String, String)> {
        self.set.iter().map(|(name, value)| (name.clone(), value_text(value)))
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(value_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
