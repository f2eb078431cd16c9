//! A small JSON Schema validator that supports only the keywords of the program's own schemas.

use serde_json::Value;

/// Returns all violations of a schema by a value, each with its place.
pub(crate) fn errors(root: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect_errors(root, root, value, "$", &mut found);
    found
}

/// The keywords that a schema may use. The validator reports any other one, because it would not check it.
const KNOWN: [&str; 22] = [
    "$schema",
    "$ref",
    "$defs",
    "title",
    "description",
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "additionalProperties",
    "format",
    "minimum",
    "maximum",
    "default",
    "unevaluatedProperties",
    "prefixItems",
    "propertyNames",
];

fn collect_errors(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let Some(schema) = schema.as_object() else {
        if schema == &Value::Bool(false) {
            found.push(format!("{at}: must not be there"));
        }
        return;
    };
    for key in schema.keys().filter(|key| !KNOWN.contains(&key.as_str())) {
        found.push(format!("{at}: the schema says `{key}`, which nobody here judges"));
    }
    if let Some(Value::String(path)) = schema.get("$ref") {
        let name = path.strip_prefix("#").unwrap();
        collect_errors(root, root.pointer(name).expect(path), value, at, found);
    }
    let fits = |schema: &Value| {
        let mut inner = Vec::new();
        collect_errors(root, schema, value, at, &mut inner);
        inner
    };
    for (key, most) in [("anyOf", usize::MAX), ("oneOf", 1)] {
        let Some(Value::Array(ways)) = schema.get(key) else { continue };
        let results: Vec<_> = ways.iter().map(fits).collect();
        let fitting = results.iter().filter(|errors| errors.is_empty()).count();
        if fitting == 0 || fitting > most {
            found.push(format!("{at}: fits {fitting} of {key}: {results:?}"));
        }
    }
    if let Some(Value::Array(all)) = schema.get("allOf") {
        found.extend(all.iter().flat_map(fits));
    }
    if let Some(types) = schema.get("type") {
        let is = |name: &Value| match name.as_str().unwrap() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "string" => value.is_string(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("{other}"),
        };
        let any = types.as_array().map_or_else(|| is(types), |types| types.iter().any(is));
        if !any {
            found.push(format!("{at}: is {value}, not {types}"));
        }
    }
    if let Some(Value::Array(words)) = schema.get("enum")
        && !words.contains(value)
    {
        found.push(format!("{at}: {value} is none of {words:?}"));
    }
    if schema.get("const").is_some_and(|only| only != value) {
        found.push(format!("{at}: {value} is not {}", schema["const"]));
    }
    if let (Some(least), Some(number)) =
        (schema.get("minimum").and_then(Value::as_f64), value.as_f64())
        && number < least
    {
        found.push(format!("{at}: {number} is less than {least}"));
    }
    if let (Some(items), Value::Array(values)) = (schema.get("items"), value) {
        for (index, value) in values.iter().enumerate() {
            collect_errors(root, items, value, &format!("{at}[{index}]"), found);
        }
    }
    let Value::Object(fields) = value else { return };
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap()) {
            found.push(format!("{at}: lacks {name}"));
        }
    }
    let known = schema.get("properties").and_then(Value::as_object);
    for (name, value) in fields {
        let place = format!("{at}.{name}");
        match known.and_then(|known| known.get(name)) {
            Some(schema) => collect_errors(root, schema, value, &place, found),
            None => {
                if let Some(other) = schema.get("additionalProperties") {
                    collect_errors(root, other, value, &place, found);
                }
            }
        }
    }
}

/// Returns top-level fields of a document that its schema lacks; no reader could rely on undocumented fields.
pub(crate) fn unknown_fields(root: &Value, value: &Value) -> Vec<String> {
    let mut known = Vec::new();
    collect_names(root, root, &mut known);
    let fields = value.as_object().into_iter().flat_map(|fields| fields.keys().cloned());
    fields.filter(|name| !known.contains(name)).collect()
}

fn collect_names(root: &Value, schema: &Value, known: &mut Vec<String>) {
    known.extend(schema["properties"].as_object().into_iter().flat_map(|all| all.keys().cloned()));
    if let Some(path) = schema["$ref"].as_str() {
        collect_names(root, root.pointer(path.strip_prefix("#").unwrap()).expect(path), known);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for way in schema[key].as_array().into_iter().flatten() {
            collect_names(root, way, known);
        }
    }
}

#[test]
fn validator_finds_values_that_do_not_fit() {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"n": {"type": ["integer", "null"]}, "of": {"$ref": "#/$defs/of"}},
        "required": ["n"],
        "$defs": {"of": {"type": "array", "items": {"enum": ["a", "b"]}}},
    });
    let errors = |value| errors(&schema, &value).len();
    assert_eq!(errors(serde_json::json!({"n": null, "of": ["a"]})), 0);
    assert_eq!(errors(serde_json::json!({"of": ["c"]})), 2);
    assert_eq!(errors(serde_json::json!({"n": "1"})), 1);
    assert_eq!(unknown_fields(&schema, &serde_json::json!({"n": 1, "m": 2})), ["m"]);
}
