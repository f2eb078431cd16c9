//! The requests of a client, read from their parameters.

use lsp_server::RequestId;
use serde_json::Value;

use super::DocumentQuery;
use super::convert::{position_of, range_of, uri_in};
use super::text::{DocumentPosition, TextRange};

/// Reads the id of a request.
pub(super) fn request_id(value: &Value) -> Option<RequestId> {
    serde_json::from_value(value.clone()).ok()
}

/// Returns the query of a method. The outer option is `None` for an unknown method, the inner one for parameters that do
/// not fit.
pub(super) fn query(method: &str, params: &Value) -> Option<Option<DocumentQuery>> {
    let at = || -> Option<DocumentPosition> { position_of(params.get("position")?) };
    let range = || -> Option<TextRange> { range_of(params.get("range")?) };
    let sign = params.pointer("/context/triggerCharacter").and_then(Value::as_str);
    let query = match method {
        "textDocument/completion" => {
            at().map(|at| DocumentQuery::Completion(at, matches!(sign, Some(" " | ":"))))
        }
        "textDocument/hover" => at().map(DocumentQuery::Hover),
        "textDocument/definition" => at().map(DocumentQuery::Definition),
        "textDocument/references" => at().map(DocumentQuery::References),
        "textDocument/inlayHint" => range().map(DocumentQuery::Hints),
        "textDocument/codeAction" => range().map(DocumentQuery::Actions),
        "textDocument/documentSymbol" => Some(DocumentQuery::Symbols),
        "textDocument/foldingRange" => Some(DocumentQuery::Folds),
        "textDocument/willSaveWaitUntil" => Some(DocumentQuery::WillSave),
        _ => return None,
    };
    Some(query.filter(|_| uri_in(params).is_some()))
}
