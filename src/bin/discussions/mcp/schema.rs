//! JSON Schemas for strict clients: one type for each value, no formats that only Rust knows, and no references.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Returns the schema of a tool's parameters.
pub(super) fn input_schema<T: JsonSchema>() -> Map<String, Value> {
    strict(
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true),
        of::<T>,
    )
}

/// Returns the schema of a tool's result.
pub(super) fn output_schema<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    strict(settings.with(|settings| settings.inline_subschemas = true), of::<T>)
}

fn of<T: JsonSchema>(settings: SchemaSettings) -> Value {
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

fn strict(settings: SchemaSettings, of: fn(SchemaSettings) -> Value) -> Map<String, Value> {
    let mut schema = of(settings);
    tidy(&mut schema);
    match schema {
        Value::Object(mut map) => {
            for key in ["$schema", "title", "description"] {
                map.remove(key);
            }
            map
        }
        _ => Map::new(),
    }
}

/// Removes formats that only Rust knows, and `null` from the types of optional values.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.get("format").is_some_and(Value::is_string) {
                map.remove("format");
            }
            if let Some(Value::Array(kinds)) = map.get_mut("type") {
                kinds.retain(|kind| kind != "null");
                if let [one] = kinds.as_slice() {
                    let one = one.clone();
                    map.insert("type".to_owned(), one);
                }
            }
            if let Some(Value::Array(ways)) = map.get_mut("anyOf") {
                ways.retain(|way| way.get("type") != Some(&Value::from("null")));
                if let [Value::Object(one)] = ways.as_slice() {
                    let one = one.clone();
                    map.remove("anyOf");
                    one.into_iter().for_each(|(key, value)| {
                        map.entry(key).or_insert(value);
                    });
                }
            }
            if let Some(Value::Array(values)) = map.get_mut("enum") {
                values.retain(|value| !value.is_null());
            }
            if map.get("default").is_some_and(Value::is_null) {
                map.remove("default");
            }
            map.values_mut().for_each(tidy);
        }
        Value::Array(all) => all.iter_mut().for_each(tidy),
        _ => {}
    }
}
