//! Files of other programs in a project: found without following links, and written at once. An entry or an element is
//! added to JSON or TOML without losing comments and layout: editors write them into their settings, and reading and
//! writing such a file as plain values would lose them.
//!
//! A file may come with a foreign project, so an entry of our name may be anything. Only an entry that is equal to ours
//! counts as ours.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{
    CstContainerNode, CstInputValue, CstLeafNode, CstNode, CstObject, CstObjectProp, CstRootNode,
};
use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table, TomlError, Value as TomlValue};

use super::error::CommandError;
use crate::platform::use_shared_permissions;

/// A file of a project with its present text.
pub(super) struct ProjectFile<'n> {
    name: &'n str,
    path: PathBuf,
    text: String,
}

impl<'n> ProjectFile<'n> {
    /// Reads a file; a missing one is empty. Fails if a link on the way leads elsewhere, because the project's author may
    /// have created it.
    pub(super) fn open(folder: &Path, name: &'n str) -> Result<Self, CommandError> {
        let mut path = folder.to_owned();
        for part in Path::new(name) {
            path.push(part);
            if path.is_symlink() {
                return Err(CommandError::input(format!("{name}: a symbolic link is in the way"))
                    .help("edit the target of the link yourself, or remove the link"));
            }
        }
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| CommandError::io(format!("{name}: {error}")))?,
        };
        Ok(Self { name, path, text })
    }

    /// Returns true if the file exists.
    #[cfg(feature = "mcp")]
    pub(super) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Returns the present text.
    pub(super) fn present_text(&self) -> &str {
        &self.text
    }

    /// Writes the file atomically.
    pub(super) fn write(&self, text: &str) -> Result<(), CommandError> {
        let written = || -> io::Result<()> {
            let folder = self.path.parent().unwrap_or(Path::new("."));
            fs::create_dir_all(folder)?;
            let mut builder = tempfile::Builder::new();
            use_shared_permissions(&mut builder);
            let mut file = builder.tempfile_in(folder)?;
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            Ok(())
        };
        written().map_err(|error| CommandError::io(format!("{}: {error}", self.name)))
    }
}

/// The result of adding an entry to a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EntryAddition {
    /// There was no such entry: the whole text with the entry added.
    Added(String),
    /// The text already has this entry.
    Present,
    /// The text has another entry in its place: that entry, as it is written.
    Differs(String),
}

/// Returns a text with LF line ends, because a checkout may have changed them.
pub(super) fn with_lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Comments and a comma after the last value, as all these programs accept them; nothing else that is not JSON, so that
/// a file with an error is left alone.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Adds an entry to the object of this key.
///
/// # Errors
/// Fails if the text cannot be parsed, or if the value of the key is not an object.
pub(super) fn with_entry(
    before: &str,
    key: &str,
    name: &str,
    entry: &Value,
) -> Result<EntryAddition, String> {
    let root = parse(before)?;
    let no_object = || "not an object".to_owned();
    let top = root.object_value().ok_or_else(no_object)?;
    // Programs differ in which one of two equal keys counts.
    let objects = properties(&top, key);
    if objects.len() > 1 {
        return Ok(EntryAddition::Differs(texts(&objects)));
    }
    let entries = top.object_value_or_create(key).ok_or_else(no_object)?;
    Ok(match &properties(&entries, name)[..] {
        [] => {
            entries.append(name, input(entry));
            EntryAddition::Added(root.to_string())
        }
        [one] if one.value().is_some_and(|value| is_equal(&value, entry)) => EntryAddition::Present,
        others => EntryAddition::Differs(texts(others)),
    })
}

/// Returns all properties of an object that have this name.
fn properties(object: &CstObject, name: &str) -> Vec<CstObjectProp> {
    let mut properties = object.properties();
    properties.retain(|one| one.decoded_name().is_some_and(|known| known == name));
    properties
}

fn texts(properties: &[CstObjectProp]) -> String {
    properties.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns true if a node has this value, with every name once.
fn is_equal(node: &CstNode, wanted: &Value) -> bool {
    match (node, wanted) {
        (CstNode::Container(CstContainerNode::Object(object)), Value::Object(wanted)) => {
            let is_once = |(name, value): (&String, &Value)| {
                matches!(&properties(object, name)[..], [one]
                    if one.value().is_some_and(|node| is_equal(&node, value)))
            };
            object.properties().len() == wanted.len() && wanted.iter().all(is_once)
        }
        (CstNode::Container(CstContainerNode::Array(array)), Value::Array(wanted)) => {
            let elements = array.elements();
            elements.len() == wanted.len()
                && elements.iter().zip(wanted).all(|(node, value)| is_equal(node, value))
        }
        (CstNode::Leaf(CstLeafNode::StringLit(text)), Value::String(wanted)) => {
            text.decoded_value().is_ok_and(|text| text == *wanted)
        }
        (CstNode::Leaf(CstLeafNode::BooleanLit(value)), Value::Bool(wanted)) => {
            value.value() == *wanted
        }
        (CstNode::Leaf(CstLeafNode::NumberLit(number)), Value::Number(wanted)) => {
            number.to_string() == wanted.to_string()
        }
        _ => false,
    }
}

/// Adds a text to the list of this key.
///
/// # Errors
/// Fails if the text cannot be parsed, or if the value of the key is not a list.
#[cfg(feature = "lsp")]
pub(super) fn with_element(
    before: &str,
    key: &str,
    element: &str,
) -> Result<EntryAddition, String> {
    let root = parse(before)?;
    let top = root.object_value().ok_or("not an object")?;
    let lists = properties(&top, key);
    if lists.len() > 1 {
        return Ok(EntryAddition::Differs(texts(&lists)));
    }
    let list = top.array_value_or_create(key).ok_or("not a list")?;
    let texts = list.elements().into_iter().filter_map(|one| one.as_string_lit());
    if texts.filter_map(|one| one.decoded_value().ok()).any(|one| one == element) {
        return Ok(EntryAddition::Present);
    }
    list.append(CstInputValue::String(element.to_owned()));
    Ok(EntryAddition::Added(root.to_string()))
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    CstRootNode::parse(text, &OPTIONS).map_err(|error| error.to_string())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(map) => CstInputValue::Object(
            map.iter().map(|(key, value)| (key.clone(), input(value))).collect(),
        ),
    }
}

/// The result of adding a table to a TOML document.
pub(super) enum TableAddition {
    /// There was no such table: the document with the table added.
    Added(DocumentMut),
    /// The document already has this table.
    Present(DocumentMut),
    /// The document has another table in its place, which is shown as JSON.
    Differs(String),
}

/// Adds a table to the table of tables `parent` of a TOML text.
///
/// # Errors
/// Fails if the text is not TOML, or if `parent` is not a table.
pub(super) fn with_toml_table(
    before: &str,
    parent: &str,
    name: &str,
    table: Table,
) -> Result<TableAddition, String> {
    let mut all: DocumentMut = before.parse().map_err(|error: TomlError| error.to_string())?;
    let tables = all.entry(parent).or_insert_with(|| {
        let mut tables = Table::new();
        tables.set_implicit(true);
        Item::Table(tables)
    });
    let tables = tables.as_table_like_mut().ok_or("not a table")?;
    let table = Item::Table(table);
    match tables.get(name).map(json_of_toml) {
        None => {
            tables.insert(name, table);
            Ok(TableAddition::Added(all))
        }
        Some(known) if known == json_of_toml(&table) => Ok(TableAddition::Present(all)),
        Some(known) => Ok(TableAddition::Differs(format!("{parent}.{name} = {known}"))),
    }
}

/// Returns the values of a part of a TOML document, without comments and layout.
fn json_of_toml(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => json_of_toml_value(value),
        Item::Table(table) => {
            table.iter().map(|(key, item)| (key.to_owned(), json_of_toml(item))).collect()
        }
        Item::ArrayOfTables(tables) => {
            tables.iter().map(|table| json_of_toml(&Item::Table(table.clone()))).collect()
        }
    }
}

fn json_of_toml_value(value: &TomlValue) -> Value {
    match value {
        TomlValue::String(text) => text.value().as_str().into(),
        TomlValue::Integer(number) => (*number.value()).into(),
        TomlValue::Float(number) => (*number.value()).into(),
        TomlValue::Boolean(value) => (*value.value()).into(),
        TomlValue::Datetime(time) => time.value().to_string().into(),
        TomlValue::Array(values) => values.iter().map(json_of_toml_value).collect(),
        TomlValue::InlineTable(table) => {
            table.iter().map(|(key, value)| (key.to_owned(), json_of_toml_value(value))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(before: &str) -> Result<EntryAddition, String> {
        with_entry(before, "servers", "ours", &json!({"command": "x", "args": ["y"]}))
    }

    fn added(addition: Result<EntryAddition, String>) -> String {
        match addition {
            Ok(EntryAddition::Added(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn comments_and_layout_stay_and_the_entry_is_added_last() {
        // The file has commas after last values, so the entry gets one too.
        let before = "// mine\n{\n\t\"theme\": \"dark\", // not light\n\t\"servers\": {\n\t\t/* old */\n\t\t\"other\": {\"url\": \"x\"}, // keep\n\t},\n}\n";
        let after = added(with(before));
        let entry = "\t\t\"ours\": {\n\t\t\t\"command\": \"x\",\n\t\t\t\"args\": [\"y\"],\n\t\t}";
        let wanted = before.replace("// keep\n", &format!("// keep\n{entry},\n"));
        assert_eq!(after, wanted);
        assert_eq!(with(&after), Ok(EntryAddition::Present), "once is enough");
    }

    #[test]
    fn only_an_equal_entry_is_ours() {
        let ours = r#"{"servers": {"ours": {"args": ["\u0079"], "command": "x"}}}"#;
        assert_eq!(with(ours), Ok(EntryAddition::Present));
        for entry in [
            r#""ours": {"command": "sh", "args": ["y"]}"#,
            r#""ours": {"command": "x", "args": ["y", "z"]}"#,
            r#""ours": {"command": "x"}"#,
            r#""ours": {"command": "x", "args": ["y"], "env": {"A": "b"}}"#,
            r#""ours": {"command": "sh", "command": "x", "args": ["y"]}"#,
            r#""ours": {"command": "x", "command": "x"}"#,
            r#""our\u0073": null"#,
            r#""ours": "x""#,
        ] {
            let file = format!("{{\"servers\": {{{entry}}}}}");
            assert_eq!(with(&file), Ok(EntryAddition::Differs(entry.to_owned())));
        }
        // Programs differ in which one of two equal keys counts.
        let two = r#"{"servers": {"ours": {"command": "x", "args": ["y"]}, "ours": 1}}"#;
        assert!(matches!(with(two), Ok(EntryAddition::Differs(_))));
        let two = r#"{"servers": {"ours": {"command": "x", "args": ["y"]}}, "servers": {}}"#;
        assert!(matches!(with(two), Ok(EntryAddition::Differs(_))));
    }

    #[test]
    fn missing_object_is_added_and_line_ends_stay() {
        let after = added(with("{\r\n  \"a\": 1 // one\r\n}\r\n"));
        assert!(after.starts_with("{\r\n  \"a\": 1, // one\r\n  \"servers\": {\r\n"), "{after:?}");
        assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
        let read: Value = serde_json::from_str(&added(with("{}"))).unwrap();
        assert_eq!(read, json!({"servers": {"ours": {"command": "x", "args": ["y"]}}}));
    }

    #[cfg(feature = "lsp")]
    #[test]
    fn list_gets_an_element_once_and_keeps_its_comments() {
        let with = |before: &str| with_element(before, "recommendations", "our.own");
        let before = "{\n  // ours\n  \"recommendations\": [\n    \"a.b\" // keep, \"}\"\n  ]\n}\n";
        let after = added(with(before));
        let wanted = "{\n  // ours\n  \"recommendations\": [\n    \"a.b\", // keep, \"}\"\n    \"our.own\"\n  ]\n}\n";
        assert_eq!(after, wanted);
        assert_eq!(with(&after), Ok(EntryAddition::Present), "once is enough");
        let nested = added(with("{\"x\": {\"recommendations\": []} /* a */ }"));
        let read: Value = serde_json::from_str(&nested.replace("/* a */", "")).unwrap();
        assert_eq!(read, json!({"x": {"recommendations": []}, "recommendations": ["our.own"]}));
        for wrong in ["[]", "{", "{\"recommendations\": 1}", "x"] {
            assert!(with(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn unreadable_file_is_an_error() {
        let deep = "[".repeat(200_000);
        for before in [
            "{\"a\": 1",
            "[]",
            "{\"servers\": []}",
            "{\"servers\": null}",
            "// no value",
            "{a: 1}",
            "{} {}",
            &deep,
        ] {
            assert!(with(before).is_err(), "{}", before.get(..20).unwrap_or(before));
        }
    }
}
