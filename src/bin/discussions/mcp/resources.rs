//! Discussions as resources: `discussion:///{name}`, their results as `discussion:///{name}/result`, and statistics as
//! `discussions:///stats`.

use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use tokio::task::block_in_place;

use super::context::ServerContext;
use super::error::McpError;
use super::status;

const SCHEME: &str = "discussion:///";
const RESULT: &str = "/result";
/// The resource with the outcomes and costs of all discussions.
const STATS: &str = "discussions:///stats";

/// Returns all discussions, each as its file.
pub(super) fn all(door: &ServerContext) -> Result<Vec<Resource>, McpError> {
    block_in_place(|| {
        let list = door.open()?.list(None)?;
        let one = |name: String, title: String| {
            Resource::new(format!("{SCHEME}{}", encoded(&name)), name)
                .with_title(title)
                .with_mime_type("text/markdown")
        };
        let stats = Resource::new(STATS, "stats")
            .with_title("Outcomes and costs of all discussions")
            .with_mime_type("application/json");
        let all = list.discussions.into_iter().map(|listed| one(listed.name, listed.title));
        Ok(all.chain([stats]).collect())
    })
}

/// Returns the URI templates of discussions and results.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let of = |uri: String, name: &str, what: &str, kind: &str| {
        ResourceTemplate::new(uri, name).with_description(what).with_mime_type(kind)
    };
    vec![
        of(format!("{SCHEME}{{name}}"), "discussion", "The file of a discussion", "text/markdown"),
        of(
            format!("{SCHEME}{{name}}{RESULT}"),
            "result",
            "The outcome of a discussion",
            "application/json",
        ),
    ]
}

/// Returns the content of one resource.
pub(super) fn read(door: &ServerContext, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let none = |why: String| ErrorData::resource_not_found(why, None);
    if uri == STATS {
        let stats = block_in_place(|| Ok(door.open()?.stats(None)?));
        let stats = stats.map_err(|trouble: McpError| none(trouble.message))?;
        let json = serde_json::to_string_pretty(&stats).map_err(|error| none(error.to_string()))?;
        let content = ResourceContents::text(json, uri).with_mime_type("application/json");
        return Ok(ReadResourceResult::new(vec![content]));
    }
    let rest =
        uri.strip_prefix(SCHEME).ok_or_else(|| none(format!("{uri} is not a discussion")))?;
    let (name, of_result) = match rest.strip_suffix(RESULT) {
        Some(name) => (name, true),
        None => (rest, false),
    };
    let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy();
    let (text, kind) = block_in_place(|| {
        let workspace = door.open()?;
        let path = door.find(&workspace, &name)?;
        if !of_result {
            return Ok((status::text(&workspace, &path)?, "text/markdown"));
        }
        let told = status::standing(&workspace, &path)?;
        let json = serde_json::to_string_pretty(&told)
            .map_err(|error| McpError::input(error.to_string()))?;
        Ok((json, "application/json"))
    })
    .map_err(|trouble: McpError| none(trouble.message))?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(kind)]))
}

fn encoded(name: &str) -> String {
    percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC)
        .to_string()
        .replace("%2D", "-")
        .replace("%5F", "_")
}
