//! A small judge of JSON Schema: what the program's own schemas use, and nothing that they do not.

use serde_json::Value;

/// All ways in which a value is not as a schema says, each with its place.
pub(crate) fn errors(root: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    judge(root, root, value, "$", &mut found);
    found
}

/// What a schema may say. Whoever reads on passes over the rest, so the rest must not matter.
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

fn judge(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
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
        judge(root, root.pointer(name).expect(path), value, at, found);
    }
    let fits = |schema: &Value| {
        let mut inner = Vec::new();
        judge(root, schema, value, at, &mut inner);
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
            judge(root, items, value, &format!("{at}[{index}]"), found);
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
            Some(schema) => judge(root, schema, value, &place, found),
            None => {
                if let Some(other) = schema.get("additionalProperties") {
                    judge(root, other, value, &place, found);
                }
            }
        }
    }
}

/// Fields of a document, at its own level, that its schema does not know: nobody could rely on them.
pub(crate) fn unknown_fields(root: &Value, value: &Value) -> Vec<String> {
    let mut known = Vec::new();
    names(root, root, &mut known);
    let fields = value.as_object().into_iter().flat_map(|fields| fields.keys().cloned());
    fields.filter(|name| !known.contains(name)).collect()
}

fn names(root: &Value, schema: &Value, known: &mut Vec<String>) {
    known.extend(schema["properties"].as_object().into_iter().flat_map(|all| all.keys().cloned()));
    if let Some(path) = schema["$ref"].as_str() {
        names(root, root.pointer(path.strip_prefix("#").unwrap()).expect(path), known);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for way in schema[key].as_array().into_iter().flatten() {
            names(root, way, known);
        }
    }
}

#[test]
fn what_does_not_fit_is_found() {
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
