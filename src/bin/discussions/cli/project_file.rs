//! Files of other programs in a project: found without following links, and written at once. An entry or an element is
//! added to JSON or TOML without losing comments and layout: editors write them into their settings, and reading and
//! writing such a file as plain values would lose them.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};
use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table, TomlError};

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

/// Returns the text with an entry added to the object of this key; `None` if the object already has an entry of that
/// name.
pub(super) fn with_entry(
    before: &str,
    key: &str,
    name: &str,
    entry: &Value,
) -> Result<Option<String>, String> {
    let root = parse(before)?;
    let no_object = || "not an object".to_owned();
    let top = root.object_value().ok_or_else(no_object)?;
    let entries = top.object_value_or_create(key).ok_or_else(no_object)?;
    if entries.get(name).is_some() {
        return Ok(None);
    }
    entries.append(name, input(entry));
    Ok(Some(root.to_string()))
}

/// Returns the text with a text added to the list of this key; `None` if the list already contains it.
#[cfg(feature = "lsp")]
pub(super) fn with_element(
    before: &str,
    key: &str,
    element: &str,
) -> Result<Option<String>, String> {
    let root = parse(before)?;
    let top = root.object_value().ok_or("not an object")?;
    let list = top.array_value_or_create(key).ok_or("not a list")?;
    let texts = list.elements().into_iter().filter_map(|one| one.as_string_lit());
    if texts.filter_map(|one| one.decoded_value().ok()).any(|one| one == element) {
        return Ok(None);
    }
    list.append(CstInputValue::String(element.to_owned()));
    Ok(Some(root.to_string()))
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

/// Returns a TOML text with a table added to the table of tables `parent`; `None` if it already has one of that name.
///
/// # Errors
/// Fails if the text is not TOML, or if `parent` is not a table.
pub(super) fn with_toml_table(
    before: &str,
    parent: &str,
    name: &str,
    table: Table,
) -> Result<Option<DocumentMut>, String> {
    let mut all: DocumentMut = before.parse().map_err(|error: TomlError| error.to_string())?;
    let tables = all.entry(parent).or_insert_with(|| {
        let mut tables = Table::new();
        tables.set_implicit(true);
        Item::Table(tables)
    });
    let tables = tables.as_table_like_mut().ok_or("not a table")?;
    if tables.contains_key(name) {
        return Ok(None);
    }
    tables.insert(name, Item::Table(table));
    Ok(Some(all))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(before: &str) -> Result<Option<String>, String> {
        with_entry(before, "servers", "ours", &json!({"command": "x", "args": ["y"]}))
    }

    #[test]
    fn comments_and_layout_stay_and_the_entry_is_added_last() {
        // The file has commas after last values, so the entry gets one too.
        let before = "// mine\n{\n\t\"theme\": \"dark\", // not light\n\t\"servers\": {\n\t\t/* old */\n\t\t\"other\": {\"url\": \"x\"}, // keep\n\t},\n}\n";
        let after = with(before).unwrap().unwrap();
        let entry = "\t\t\"ours\": {\n\t\t\t\"command\": \"x\",\n\t\t\t\"args\": [\"y\"],\n\t\t}";
        let wanted = before.replace("// keep\n", &format!("// keep\n{entry},\n"));
        assert_eq!(after, wanted);
        assert_eq!(with(&after).unwrap(), None, "once is enough");
    }

    #[test]
    fn missing_object_is_added_and_line_ends_stay() {
        let after = with("{\r\n  \"a\": 1 // one\r\n}\r\n").unwrap().unwrap();
        assert!(after.starts_with("{\r\n  \"a\": 1, // one\r\n  \"servers\": {\r\n"), "{after:?}");
        assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
        let read: Value = serde_json::from_str(&with("{}").unwrap().unwrap()).unwrap();
        assert_eq!(read, json!({"servers": {"ours": {"command": "x", "args": ["y"]}}}));
    }

    #[cfg(feature = "lsp")]
    #[test]
    fn list_gets_an_element_once_and_keeps_its_comments() {
        let with = |before: &str| with_element(before, "recommendations", "our.own");
        let before = "{\n  // ours\n  \"recommendations\": [\n    \"a.b\" // keep, \"}\"\n  ]\n}\n";
        let after = with(before).unwrap().unwrap();
        let wanted = "{\n  // ours\n  \"recommendations\": [\n    \"a.b\", // keep, \"}\"\n    \"our.own\"\n  ]\n}\n";
        assert_eq!(after, wanted);
        assert_eq!(with(&after).unwrap(), None, "once is enough");
        let nested = with("{\"x\": {\"recommendations\": []} /* a */ }").unwrap().unwrap();
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
