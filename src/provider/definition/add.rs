//! Adds a definition to the text of a `providers.yaml` and keeps its other lines as they are.

use crate::provider::{Layer, ProviderName, ProviderNameError, Registry};
use crate::yaml::LoadError;

/// A new provider: its name, and its keys and values in the order in which they are written.
#[derive(Clone, Debug)]
pub(crate) struct NewProvider {
    name: ProviderName,
    keys: Vec<(&'static str, String)>,
}

impl NewProvider {
    /// Creates a provider with this name.
    ///
    /// # Errors
    ///
    /// Fails if the name is invalid.
    pub(crate) fn with_name(
        name: &str,
        keys: Vec<(&'static str, String)>,
    ) -> Result<Self, ProviderNameError> {
        Ok(Self { name: ProviderName::parse(name)?, keys })
    }

    /// Returns `text` with this definition at its end. `origin` is the name of the file in errors.
    ///
    /// # Errors
    ///
    /// Returns [`LoadError`] if the text cannot be read, already has a provider with this name, or is written so that
    /// nothing can be appended, or if the definition is invalid.
    pub(crate) fn added_to(&self, text: &str, origin: &str) -> Result<String, LoadError> {
        let own = |text: &str| -> Result<Registry, LoadError> {
            let mut registry = Registry::empty();
            registry.add(text, Layer::User(origin.into()))?;
            Ok(registry)
        };
        let before = own(text)?;
        if before.entries().iter().any(|entry| entry.definition.common.name == self.name) {
            let message = format!("the provider `{}` already exists", self.name);
            return Err(LoadError::new(origin, message));
        }
        let mut whole = text.trim_end().to_owned();
        if !whole.is_empty() {
            whole.push('\n');
        }
        if before.entries().is_empty() && !text.lines().any(|line| line.trim() == "providers:") {
            whole.push_str("providers:\n");
        }
        whole.push_str(&format!("  - name: {}\n", self.name));
        for (key, value) in &self.keys {
            whole.push_str(&format!("    {key}: {}\n", scalar(value)));
        }
        // The new lines are not in the file, so the error shows no line.
        let after = own(&whole).map_err(|error| LoadError {
            hint: error.hint,
            ..LoadError::new(&format!("provider `{}`", self.name), error.message)
        })?;
        if after.entries().len() != before.entries().len() + 1 {
            let message = "cannot append to this file; add the definition by hand".to_owned();
            return Err(LoadError::new(origin, message));
        }
        Ok(whole)
    }
}

/// Formats a value so that YAML reads it back as the same string: unquoted if that is unambiguous.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let bare = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain);
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    if bare && !words.contains(&text.to_ascii_lowercase().as_str()) {
        return text.to_owned();
    }
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(name: &str, keys: &[(&'static str, &str)]) -> NewProvider {
        let keys = keys.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        NewProvider::with_name(name, keys).unwrap()
    }

    #[test]
    fn definition_is_appended_and_nothing_else_changes() {
        let local = new(
            "local",
            &[("api", "openai"), ("url", "http://127.0.0.1:8000/v1/"), ("model", "qwen3")],
        );
        let first = local.added_to("", "p").unwrap();
        assert_eq!(
            first,
            "providers:\n  - name: local\n    api: openai\n    url: \"http://127.0.0.1:8000/v1/\"\n    model: qwen3\n"
        );
        let text = format!("# Mine.\n{first}\n\n");
        let second = new("b", &[("api", "groq")]).added_to(&text, "p").unwrap();
        assert_eq!(second, format!("# Mine.\n{first}  - name: b\n    api: groq\n"));
        assert!(local.added_to(&second, "p").unwrap_err().to_string().contains("already"));
        assert!(new("c", &[("api", "groq")]).added_to("# Nothing yet.\n", "p").is_ok());
        assert!(new("c", &[("api", "groq")]).added_to("providers:\n", "p").is_ok());
    }

    #[test]
    fn definition_that_cannot_be_written_or_read_is_refused() {
        for (text, keys) in [
            ("providers: [{name: a, api: groq}]\n", [("api", "groq")]),
            ("providers: []\n", [("api", "groq")]),
            ("providers:\n- name: a\n  api: groq\n", [("api", "groq")]),
            ("", [("api", "nobody")]),
            ("no yaml: [", [("api", "groq")]),
        ] {
            assert!(new("c", &keys).added_to(text, "p").is_err(), "{text}");
        }
        let error = new("c", &[("api", "nobody")]).added_to("", "p").unwrap_err();
        assert_eq!((error.line, &*error.source_line), (0, ""), "the file has no such line");
        assert!(error.to_string().starts_with("provider `c`: unknown api `nobody`; "), "{error}");
    }
}
