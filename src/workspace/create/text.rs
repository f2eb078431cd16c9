//! The text below the head: the checked parameters and the rendered body of the template.

use minijinja::value::Serde;
use serde_json::{Map, Value};

use super::{CreateError, NewDiscussion};
use crate::similarity::suggest;
use crate::template::{Parameter, ParameterError, ParameterKind, Template};
use crate::transcript::{encode, heading, inline};

/// Switches that every discussion has, with any template: include dissent in the result, and continue if a provider
/// fails. Both are on by default.
const SWITCHES: [&str; 2] = ["include_dissent", "continue_on_provider_failure"];

/// Returns the definition of a parameter that is on or off.
fn switch() -> Parameter {
    let (default, help) = (Some(Value::from(true)), String::new());
    Parameter { kind: ParameterKind::Boolean, default, min: None, max: None, at_most: None, help }
}

/// Returns the given parameters, and the template's defaults for the rest.
pub(super) fn parameters(
    template: &Template,
    new: &NewDiscussion,
) -> Result<Map<String, Value>, CreateError> {
    let mut values = Map::new();
    for (name, text) in &new.parameters {
        if SWITCHES.contains(&name.as_str()) && !template.parameters.contains_key(name) {
            values.insert(name.clone(), switch().parse(name, text)?);
            continue;
        }
        let parameter = template.parameters.get(name).ok_or_else(|| {
            let known = template.parameters.keys().map(String::as_str);
            CreateError::UnknownParameter {
                template: template.id.clone(),
                asked: name.clone(),
                nearest: suggest(name, known).into_iter().map(str::to_owned).collect(),
            }
        })?;
        values.insert(name.clone(), parameter.parse(name, text)?);
    }
    for (name, parameter) in &template.parameters {
        if !values.contains_key(name) {
            let default =
                parameter.default.clone().ok_or_else(|| ParameterError::Missing(name.clone()))?;
            values.insert(name.clone(), default);
        }
    }
    Ok(values)
}

/// Renders the template's body. Encodes every text from outside before it inserts it.
pub(super) fn body(
    template: &Template,
    title: &str,
    context: Option<&str>,
    material: &str,
    parameters: &Map<String, Value>,
) -> Result<String, CreateError> {
    let safe = |value: &Value| -> Value {
        match value {
            Value::String(text) => inline(text).into(),
            Value::Array(items) => items
                .iter()
                .map(|item| item.as_str().map_or(item.clone(), |text| inline(text).into()))
                .collect(),
            other => other.clone(),
        }
    };
    let parameters: Map<String, Value> =
        parameters.iter().map(|(name, value)| (name.clone(), safe(value))).collect();
    let names = minijinja::context! {
        title => heading(title),
        context => context.map(encode).unwrap_or_default(),
        material => encode(material),
        params => minijinja::Value::from(Serde(&parameters)),
    };
    let rendered = template.body.render(names);
    let mut text = rendered.map_err(|error| CreateError::Body {
        template: template.id.clone(),
        reason: error.to_string(),
    })?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// Inserts one more section at the end of the text, before the rule that ends a template's body.
pub(super) fn with_section(body: String, section: &str) -> String {
    if section.is_empty() {
        return body;
    }
    let text = body.trim_end();
    let (text, rule) = match text.strip_suffix("\n---") {
        Some(above) => (above.trim_end(), "\n---\n"),
        None => (text, ""),
    };
    format!("{text}\n\n{}\n{rule}", encode(section))
}
