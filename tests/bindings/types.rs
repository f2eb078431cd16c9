//! The types of the program's JSON documents, read from their schemas.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// The type of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Text,
    Integer,
    Number,
    Boolean,
    /// One of these words.
    Words(Vec<String>),
    List(Box<Type>),
    /// An object with any keys.
    Map(Box<Type>),
    /// Null, or a value of this type.
    Nullable(Box<Type>),
    Named(String),
}

/// A key of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) key: String,
    pub(super) doc: String,
    pub(super) value: Type,
    pub(super) is_required: bool,
}

/// The content of a named type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Record(Vec<Field>),
    /// Another name for a type, such as a list of words.
    Alias(Type),
    /// One of several types.
    Union(Vec<Type>),
}

/// A type with a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedType {
    pub(super) doc: String,
    pub(super) shape: Shape,
}

/// All types, and the documents by name.
#[derive(Debug, Default)]
pub(super) struct Types {
    pub(super) named: BTreeMap<String, NamedType>,
    pub(super) documents: BTreeMap<String, Type>,
}

impl Types {
    /// Reads the schemas of all documents, by name.
    pub(super) fn of<'a>(schemas: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        let mut types = Self::default();
        for (document, schema) in schemas {
            let schema = schema.as_object().expect(document);
            for (name, schema) in
                schema.get("$defs").and_then(Value::as_object).into_iter().flatten()
            {
                types.add(name, schema);
            }
            let value = if schema.contains_key("items") {
                types.value("", &Value::Object(schema.clone()))
            } else {
                let name = schema["title"].as_str().expect(document);
                let mut alone = schema.clone();
                alone.retain(|key, _| !["$schema", "$defs", "title"].contains(&key.as_str()));
                types.add(name, &Value::Object(alone));
                Type::Named(name.to_owned())
            };
            types.documents.insert(document.to_owned(), value);
        }
        types
    }

    /// Adds a named type. Documents share types, so a known name must have the same content.
    fn add(&mut self, name: &str, schema: &Value) {
        let shape = self.shape(name, schema);
        let new = NamedType { doc: doc(schema), shape };
        let old = self.named.entry(name.to_owned()).or_insert_with(|| new.clone());
        assert_eq!(*old, new, "two types are named {name}");
    }

    fn shape(&mut self, name: &str, schema: &Value) -> Shape {
        let Some(ways) = ways(schema).filter(|ways| !are_words(ways) && !has_null(ways)) else {
            let is_record =
                schema["type"] == "object" && !schema["additionalProperties"].is_object();
            return if is_record {
                Shape::Record(self.fields(name, schema))
            } else {
                Shape::Alias(self.value(name, schema))
            };
        };
        let shared = self.fields(name, schema);
        let members = ways.iter().map(|way| {
            if way["type"] != "object" {
                return self.value(name, way);
            }
            let member = member_name(name, way);
            let mut fields = shared.clone();
            for own in self.variant(&member, way) {
                // The variant says more about a shared key, such as the one value that it has.
                match fields.iter_mut().find(|field| field.key == own.key) {
                    Some(field) => field.value = own.value,
                    None => fields.push(own),
                }
            }
            let new = NamedType { doc: doc(way), shape: Shape::Record(fields) };
            assert!(self.named.get(&member).is_none_or(|old| *old == new), "{member}");
            self.named.insert(member.clone(), new);
            Type::Named(member)
        });
        Shape::Union(members.collect())
    }

    /// Returns the fields of a variant. If the variant has variants itself, returns the fields of all of them.
    fn variant(&mut self, name: &str, schema: &Value) -> Vec<Field> {
        let mut fields = self.fields(name, schema);
        let Some(ways) = ways(schema) else { return fields };
        let all: Vec<Vec<Field>> = ways.iter().map(|way| self.fields(name, way)).collect();
        for field in all.iter().flatten() {
            let is_required = all
                .iter()
                .all(|fields| fields.iter().any(|one| one.key == field.key && one.is_required));
            match fields.iter_mut().find(|one| one.key == field.key) {
                None => fields.push(Field { is_required, ..field.clone() }),
                Some(Field { value: Type::Words(known), .. }) => {
                    let Type::Words(words) = &field.value else { panic!("{name}.{}", field.key) };
                    known.extend(words.iter().cloned());
                }
                Some(_) => {}
            }
        }
        fields
    }

    fn fields(&mut self, name: &str, schema: &Value) -> Vec<Field> {
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let field = |(key, schema): (&String, &Value)| Field {
            key: key.clone(),
            doc: doc(schema),
            value: self.value(&format!("{name}{}", capital(key)), schema),
            is_required: required.contains(&key.as_str()),
        };
        properties.iter().map(field).collect()
    }

    /// Returns the type of a value. `name` is for the type of an object that has no name in the schema.
    fn value(&mut self, name: &str, schema: &Value) -> Type {
        if let Some(path) = schema["$ref"].as_str() {
            return Type::Named(path.trim_start_matches("#/$defs/").to_owned());
        }
        if let Some(word) = schema["const"].as_str() {
            return Type::Words(vec![word.to_owned()]);
        }
        if let Some(words) = schema["enum"].as_array() {
            return Type::Words(
                words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            );
        }
        if let Some(ways) = ways(schema) {
            if are_words(ways) {
                let word = |way: &Value| way["const"].as_str().unwrap_or_default().to_owned();
                return Type::Words(ways.iter().map(word).collect());
            }
            let [only, null] = ways.as_slice() else { panic!("{name}: {schema}") };
            assert_eq!(null["type"], "null", "{name}");
            return Type::Nullable(Box::new(self.value(name, only)));
        }
        if let Some([only, null]) = schema["type"].as_array().map(Vec::as_slice) {
            assert_eq!(null, "null", "{name}");
            let mut plain = schema.clone();
            plain["type"] = only.clone();
            return Type::Nullable(Box::new(self.value(name, &plain)));
        }
        match schema["type"].as_str() {
            Some("string") => Type::Text,
            Some("integer") => Type::Integer,
            Some("number") => Type::Number,
            Some("boolean") => Type::Boolean,
            Some("array") => Type::List(Box::new(self.value(name, &schema["items"]))),
            Some("object") if schema["additionalProperties"].is_object() => {
                Type::Map(Box::new(self.value(name, &schema["additionalProperties"])))
            }
            Some("object") => {
                self.add(name, schema);
                Type::Named(name.to_owned())
            }
            _ => panic!("{name}: the generator does not know {schema}"),
        }
    }
}

/// Returns the alternatives of a schema.
fn ways(schema: &Value) -> Option<&Vec<Value>> {
    schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array())
}

fn are_words(ways: &[Value]) -> bool {
    ways.iter().all(|way| way["const"].is_string())
}

fn has_null(ways: &[Value]) -> bool {
    ways.iter().any(|way| way["type"] == "null")
}

/// Returns the description as one line.
fn doc(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the name of one alternative of a union: after the word that marks it, or after its only key.
fn member_name(union: &str, way: &Value) -> String {
    let properties = way["properties"].as_object().expect(union);
    let word = properties.values().find_map(|schema| schema["const"].as_str());
    let word = word.or_else(|| properties.keys().next().map(String::as_str)).expect(union);
    let word: String = word.split(['.', '-', '_']).map(capital).collect();
    if union == "Event" { format!("{word}Event") } else { format!("{union}{word}") }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
