//! The types of the documents in Python: data classes, and `Literal`s for words.

use std::fmt::Write as _;

use super::types::{Field, NamedType, Shape, Type, Types};

/// The words of Python that cannot be names of fields.
const KEYWORDS: [&str; 12] =
    ["as", "class", "def", "from", "global", "import", "in", "is", "not", "or", "pass", "with"];

/// Names of the module that no type may have.
const TAKEN: [&str; 8] =
    ["Document", "Final", "Literal", "Mapping", "Optional", "Union", "Any", "List"];

const HEAD: &str = r#""""The JSON documents of the program. UPDATE_BINDINGS=1 cargo test --test it bindings writes this file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Optional, Union

from ._decoding import Document

__all__ = [
"#;

/// Returns the text of the module.
pub(super) fn module(types: &Types) -> String {
    let mut text = HEAD.to_owned();
    for name in types.named.keys() {
        assert!(!TAKEN.contains(&name.as_str()), "{name} is taken");
        let _ = writeln!(text, "    \"{name}\",");
    }
    text.push_str("]\n");
    for (name, named) in &types.named {
        if let Shape::Record(fields) = &named.shape {
            text.push_str(&class(name, &named.doc, fields));
        }
    }
    text.push('\n');
    for (name, named) in &types.named {
        text.push_str(&alias(name, named));
    }
    text
}

fn class(name: &str, doc: &str, fields: &[Field]) -> String {
    let doc = escape(if doc.is_empty() { "A part of a document." } else { doc });
    let mut text = format!(
        "\n\n@dataclass(eq=False, repr=False)\nclass {name}(Document):\n    \"\"\"{doc}\"\"\"\n"
    );
    if !fields.is_empty() {
        text.push('\n');
    }
    // A field with a default value cannot be above one without.
    let (first, later): (Vec<&Field>, Vec<&Field>) =
        fields.iter().partition(|field| default(field).is_none());
    for field in first.into_iter().chain(later) {
        let value = value(&field.value);
        let (value, default) = match default(field) {
            None => (value, ""),
            Some("None") if !matches!(field.value, Type::Nullable(_)) => {
                (format!("Optional[{value}]"), " = None")
            }
            Some("None") => (value, " = None"),
            Some("False") => (value, " = False"),
            Some("list") => (value, " = field(default_factory=list)"),
            Some(_) => (value, " = field(default_factory=dict)"),
        };
        let _ = writeln!(text, "    {}: {value}{default}", attribute(&field.key));
        if !field.doc.is_empty() {
            let _ = writeln!(text, "    \"\"\"{}\"\"\"", escape(&field.doc));
        }
    }
    text
}

/// Returns the default value of a key that may be absent. The program leaves out empty lists and false values.
fn default(field: &Field) -> Option<&'static str> {
    if field.is_required {
        return None;
    }
    Some(match field.value {
        Type::List(_) => "list",
        Type::Map(_) => "dict",
        Type::Boolean => "False",
        _ => "None",
    })
}

fn alias(name: &str, named: &NamedType) -> String {
    let meaning = match &named.shape {
        Shape::Record(_) => return String::new(),
        Shape::Alias(Type::Words(words)) => {
            format!("Literal[\n{}]", listed(words.iter().map(|word| quoted(word))))
        }
        Shape::Alias(other) => value(other),
        Shape::Union(members) => format!("Union[\n{}]", listed(members.iter().map(value))),
    };
    let doc = if named.doc.is_empty() {
        String::new()
    } else {
        format!("\"\"\"{}\"\"\"\n", escape(&named.doc))
    };
    format!("\n{name} = {meaning}\n{doc}")
}

fn listed(items: impl Iterator<Item = String>) -> String {
    items.map(|item| format!("    {item},\n")).collect()
}

fn value(value: &Type) -> String {
    match value {
        Type::Text => "str".to_owned(),
        Type::Integer => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Boolean => "bool".to_owned(),
        Type::Words(words) => {
            format!(
                "Literal[{}]",
                words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ")
            )
        }
        Type::List(item) => format!("list[{}]", self::value(item)),
        Type::Map(item) => format!("dict[str, {}]", self::value(item)),
        Type::Nullable(item) => format!("Optional[{}]", self::value(item)),
        Type::Named(name) => name.clone(),
    }
}

/// Returns the name of a key as Python writes names.
fn attribute(key: &str) -> String {
    let mut name = String::new();
    for letter in key.chars() {
        if letter.is_uppercase() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    if KEYWORDS.contains(&name.as_str()) { name + "_" } else { name }
}

fn quoted(word: &str) -> String {
    format!("{word:?}")
}

fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    if text.ends_with('"') { text + " " } else { text }
}
