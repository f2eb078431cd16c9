//! The words of the protocol: reads the client's parameters, and builds the values of answers. Anything that does not fit
//! is `None`, because a client may send anything.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};

use super::text::{DocumentChange, DocumentPosition, IndexedText, PositionEncoding, TextRange};
use crate::platform::PATHS_HAVE_DRIVES;

/// The characters that a path in an address may not contain as they are.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}')
    .add(b':');

/// The abilities of a client, and the folders that it opened.
#[derive(Clone, Debug)]
pub(super) struct ClientFacts {
    /// The unit of positions.
    pub(super) encoding: PositionEncoding,
    /// The folders, in the client's order.
    pub(super) folders: Vec<PathBuf>,
    /// Completions may contain places for the cursor.
    pub(super) takes_snippets: bool,
    /// Symbols may contain others.
    pub(super) nests_symbols: bool,
    /// Quick fixes may be edits.
    pub(super) takes_actions: bool,
    /// Edits may name the version of their document.
    pub(super) takes_versions: bool,
    /// True if it can be asked to tell of changes of files.
    pub(super) watches_files: bool,
    /// Git may be started in these folders.
    pub(super) trusts: bool,
}

impl ClientFacts {
    /// Reads the parameters of `initialize`. Options can only narrow what the server does.
    pub(super) fn of(params: &Value) -> Self {
        let has = |pointer: &str| params.pointer(pointer).and_then(Value::as_bool) == Some(true);
        let offered = params.pointer("/capabilities/general/positionEncodings");
        let offered: Vec<&str> = offered
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let named = params.get("workspaceFolders").and_then(Value::as_array);
        let mut folders: Vec<PathBuf> = named.into_iter().flatten().filter_map(folder).collect();
        if folders.is_empty() {
            let root = params.get("rootUri").and_then(Value::as_str).and_then(path_of);
            let old = params.get("rootPath").and_then(Value::as_str).map(PathBuf::from);
            folders.extend(root.or(old).filter(|root| root.is_absolute()));
        }
        let actions = "/capabilities/textDocument/codeAction/codeActionLiteralSupport";
        let symbols = "/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport";
        Self {
            encoding: PositionEncoding::choose(&offered),
            folders,
            takes_snippets: has(
                "/capabilities/textDocument/completion/completionItem/snippetSupport",
            ),
            nests_symbols: has(symbols),
            takes_actions: params.pointer(actions).is_some_and(Value::is_object),
            takes_versions: has("/capabilities/workspace/workspaceEdit/documentChanges"),
            watches_files: has("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            trusts: params.pointer("/initializationOptions/trusted") != Some(&Value::Bool(false)),
        }
    }
}

/// Returns the path of a workspace folder.
pub(super) fn folder(folder: &Value) -> Option<PathBuf> {
    path_of(folder.get("uri")?.as_str()?)
}

/// Returns the path of a `file:` address.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest =
        uri.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:")).map(|_| &uri[5..])?;
    let rest = match rest.strip_prefix("//") {
        Some(rest) => &rest[rest.find('/')?..],
        None => rest,
    };
    let rest = rest.split(['?', '#']).next()?;
    let path = percent_decode_str(rest).decode_utf8().ok()?;
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    let path = PathBuf::from(if PATHS_HAVE_DRIVES { drive.unwrap_or(&path) } else { &path });
    // A path with a NUL byte names no file.
    (path.is_absolute() && !path.as_os_str().as_encoded_bytes().contains(&0)).then_some(path)
}

/// Returns the `file:` address of a path.
pub(super) fn uri_of(path: &Path) -> String {
    let path = path.to_string_lossy();
    let path = if PATHS_HAVE_DRIVES { path.replace('\\', "/") } else { path.into_owned() };
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", utf8_percent_encode(&path, ESCAPED))
}

/// Reads a position.
pub(super) fn position_of(value: &Value) -> Option<DocumentPosition> {
    let number = |key| usize::try_from(value.get(key)?.as_u64()?).ok();
    Some(DocumentPosition { line: number("line")?, character: number("character")? })
}

/// Reads a range.
pub(super) fn range_of(value: &Value) -> Option<TextRange> {
    Some(TextRange {
        start: position_of(value.get("start")?)?,
        end: position_of(value.get("end")?)?,
    })
}

/// Reads a change of a document.
pub(super) fn change_of(value: &Value) -> Option<DocumentChange> {
    let range = match value.get("range") {
        None | Some(Value::Null) => None,
        Some(range) => Some(range_of(range)?),
    };
    Some(DocumentChange { range, text: value.get("text")?.as_str()?.to_owned() })
}

/// Returns the address of the document that the parameters are about.
pub(super) fn uri_in(params: &Value) -> Option<&str> {
    params.get("textDocument")?.get("uri")?.as_str()
}

/// Returns the version of the document that the parameters are about; 0 if there is none.
pub(super) fn version_in(params: &Value) -> i64 {
    params.pointer("/textDocument/version").and_then(Value::as_i64).unwrap_or_default()
}

/// Builds a position.
pub(super) fn position(at: DocumentPosition) -> Value {
    json!({ "line": at.line, "character": at.character })
}

/// Builds a range.
pub(super) fn range(range: TextRange) -> Value {
    json!({ "start": position(range.start), "end": position(range.end) })
}

/// Builds a location in a document.
pub(super) fn location(uri: &str, place: TextRange) -> Value {
    json!({ "uri": uri, "range": range(place) })
}

/// Builds an edit.
pub(super) fn edit(place: TextRange, new: &str) -> Value {
    json!({ "range": range(place), "newText": new })
}

/// Builds an edit of one document, for its version if the client can compare that.
pub(super) fn document_edit(
    facts: &ClientFacts,
    uri: &str,
    version: i64,
    edits: Vec<Value>,
) -> Value {
    if facts.takes_versions {
        let document = json!({ "uri": uri, "version": version });
        json!({ "documentChanges": [{ "textDocument": document, "edits": edits }] })
    } else {
        json!({ "changes": { uri: edits } })
    }
}

/// Builds a diagnostic. Its severity is 1 for an error, 2 for a warning, and 3 for information.
pub(super) fn diagnostic(place: TextRange, severity: u8, code: &str, message: &str) -> Value {
    let mut value = json!({
        "range": range(place),
        "severity": severity,
        "source": "discussions",
        "message": message,
    });
    if !code.is_empty() {
        value["code"] = json!(code);
    }
    value
}

/// Builds the capabilities of this server.
pub(super) fn capabilities(encoding: PositionEncoding) -> Value {
    json!({
        "positionEncoding": encoding.as_str(),
        "textDocumentSync": {
            "openClose": true,
            "change": 2,
            "willSaveWaitUntil": true,
            "save": { "includeText": false },
        },
        "completionProvider": { "triggerCharacters": ["@", " ", ":"] },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "inlayHintProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "workspace": {
            "workspaceFolders": { "supported": true, "changeNotifications": true },
        },
    })
}

/// Returns the line of a place in a text, from the first character to the last visible one.
pub(super) fn whole_line(text: &IndexedText, line: usize) -> TextRange {
    let start = DocumentPosition { line, character: 0 };
    let bytes = text.line_bytes(line).unwrap_or(0..0);
    TextRange { start, end: text.position(bytes.end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn addresses_of_files_become_paths_and_back() {
        for (uri, path) in [
            ("file:///a/b%20c.md", "/a/b c.md"),
            ("file://localhost/a.md", "/a.md"),
            ("FILE:///%C3%A9.md", "/é.md"),
            ("file:///a%23b.md#part", "/a#b.md"),
        ] {
            assert_eq!(path_of(uri), Some(PathBuf::from(path)), "{uri}");
            assert_eq!(path_of(&uri_of(Path::new(path))), Some(PathBuf::from(path)), "{uri}");
        }
        for uri in [
            "untitled:Untitled-1",
            "git:/a.md",
            "file:",
            "file://host",
            "file:a.md",
            "é",
            "file:///%00",
        ] {
            assert_eq!(path_of(uri), None, "{uri}");
        }
    }

    #[test]
    fn options_only_narrow() {
        let facts = |options: Value| ClientFacts::of(&json!({ "initializationOptions": options }));
        assert!(facts(Value::Null).trusts);
        assert!(facts(json!({ "path": "/bin/sh", "trusted": "no" })).trusts);
        assert!(!facts(json!({ "trusted": false })).trusts);
    }

    #[test]
    fn malformed_parameters_are_none() {
        assert_eq!(position_of(&json!({ "line": -1, "character": 0 })), None);
        assert_eq!(position_of(&json!({ "line": 1.5, "character": 0 })), None);
        assert!(change_of(&json!({ "range": { "start": 1 }, "text": "" })).is_none());
        assert!(change_of(&json!({ "range": null, "text": "" })).is_some());
        assert_eq!(uri_in(&json!([])), None);
        assert_eq!(version_in(&json!(null)), 0);
    }
}
