//! The types of the documents in TypeScript.

use std::fmt::Write as _;

use super::types::{Field, Shape, Type, Types};

const HEAD: &str = "// The JSON documents of the program. UPDATE_BINDINGS=1 cargo test --test it bindings writes this file.\n";

/// Returns the text of the declarations.
pub(super) fn declarations(types: &Types) -> String {
    let mut text = HEAD.to_owned();
    for (name, named) in &types.named {
        text.push('\n');
        text.push_str(&comment("", &named.doc));
        match &named.shape {
            Shape::Record(fields) => text.push_str(&interface(name, fields)),
            Shape::Alias(meaning) => {
                let _ = writeln!(text, "export type {name} = {};", value(meaning));
            }
            Shape::Union(members) => {
                let members: Vec<String> = members.iter().map(value).collect();
                let _ = writeln!(text, "export type {name} =\n  | {};", members.join("\n  | "));
            }
        }
    }
    text.push_str("\n/** The documents by the name that `discussions schema` lists. */\nexport interface Documents {\n");
    for (name, document) in &types.documents {
        let _ = writeln!(text, "  {}: {};", key(name), value(document));
    }
    text.push_str("}\n");
    text
}

fn interface(name: &str, fields: &[Field]) -> String {
    let mut text = format!("export interface {name} {{\n");
    for field in fields {
        text.push_str(&comment("  ", &field.doc));
        let mark = if field.is_required { "" } else { "?" };
        let _ = writeln!(text, "  {}{mark}: {};", key(&field.key), value(&field.value));
    }
    text.push_str("}\n");
    text
}

fn value(value: &Type) -> String {
    match value {
        Type::Text => "string".to_owned(),
        Type::Integer | Type::Number => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Words(words) => {
            words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" | ")
        }
        Type::List(item) => format!("Array<{}>", self::value(item)),
        Type::Map(item) => format!("Record<string, {}>", self::value(item)),
        Type::Nullable(item) => format!("{} | null", self::value(item)),
        Type::Named(name) => name.clone(),
    }
}

fn key(key: &str) -> String {
    if key.contains('-') { format!("{key:?}") } else { key.to_owned() }
}

fn comment(indent: &str, doc: &str) -> String {
    if doc.is_empty() {
        String::new()
    } else {
        format!("{indent}/** {} */\n", doc.replace("*/", "*\\/"))
    }
}
