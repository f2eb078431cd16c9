//! Entries for the menus of clients: discussions as resources (`discussion:///{name}`), their
//! results (`discussion:///{name}/result`), statistics (`discussions:///stats`), and one prompt for
//! each pattern.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, ReadResourceResult,
    Resource, ResourceContents, ResourceTemplate, Role,
};
use serde_json::Value;
use tokio::task::block_in_place;

use super::context::ServerContext;
use super::status;
use super::words::McpError;

const SCHEME: &str = "discussion:///";
const RESULT: &str = "/result";
/// The resource with the outcomes and costs of all discussions.
const STATS: &str = "discussions:///stats";

/// Returns all discussions, each as its file.
pub(super) fn all(door: &ServerContext) -> Result<Vec<Resource>, McpError> {
    block_in_place(|| {
        let list = door.open()?.discussions().list(None)?;
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
        let stats = block_in_place(|| Ok(door.open()?.discussions().stats(None)?));
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

/// Returns all prompts: one for each pattern that can be used, with what its tool needs.
pub(super) fn prompts(door: &ServerContext) -> Result<Vec<Prompt>, McpError> {
    let argument = |name: &str, what: &str, required| {
        PromptArgument::new(name).with_description(what).with_required(required)
    };
    let templates = block_in_place(|| Ok::<_, McpError>(door.open()?.templates()))?;
    let mut prompts = Vec::new();
    for template in templates.into_iter().filter(|template| template.broken.is_none()) {
        let mut arguments = Vec::new();
        if template.reviews {
            arguments.push(argument("topic", "The file or the commits to review", true));
        } else {
            arguments.push(argument("topic", "The question", true));
            arguments.push(argument("context", "Background information", false));
        }
        if template.takes_options {
            let needed = template.needs_options;
            arguments.push(argument(
                "options",
                "The options of the vote, with | between them",
                needed,
            ));
        }
        arguments.push(argument(
            "files",
            "Files that must be read, with blanks between them",
            false,
        ));
        prompts.push(Prompt::new(template.id, Some(template.summary), Some(arguments)));
    }
    Ok(prompts)
}

/// The last sentence of every prompt.
const REPORT: &str = "If the state is `running`, call `continue`. Then tell me the outcome, who disagrees and why, and what stays open.";

/// Returns the text that the agent gets when the user chooses a prompt: which tool to call, and how.
pub(super) fn prompt(
    door: &ServerContext,
    name: &str,
    arguments: Option<&JsonObject>,
) -> Result<GetPromptResult, ErrorData> {
    let known = block_in_place(|| Ok::<_, McpError>(door.open()?.templates()))
        .map_err(|trouble| ErrorData::internal_error(trouble.message, None))?;
    let mut usable = known.iter().filter(|template| template.broken.is_none());
    let Some(template) = usable.find(|template| template.id == name) else {
        return Err(ErrorData::invalid_params(format!("there is no prompt named `{name}`"), None));
    };
    let given = |key: &str| {
        let given = arguments.and_then(|arguments| arguments.get(key)).and_then(Value::as_str);
        given.map(str::trim).filter(|text| !text.is_empty())
    };
    let topic = given("topic")
        .ok_or_else(|| ErrorData::invalid_params("the prompt needs a `topic`", None))?;
    let files = match given("files") {
        Some(files) => format!(" Pass these as `files`: {files}."),
        None => " Name files that must be read as `files`.".to_owned(),
    };
    let text = if template.reviews {
        format!(
            "Have this reviewed: call the tool `review` with the pattern `{name}`, and with `file` if it is a file, or with \
             `changes` if it is a range of commits (`HEAD` for what is not committed).{files} {REPORT}\n\nReview: {topic}"
        )
    } else {
        let options = match given("options") {
            Some(options) => {
                let all = options.split('|').map(str::trim).filter(|option| !option.is_empty());
                let all: Vec<&str> = all.collect();
                let all = serde_json::to_string(&all).unwrap_or_default();
                format!(" Pass these `options`: {all}.")
            }
            None if template.needs_options => {
                " Pass as `options` the answers to vote on; ask me if they are not clear."
                    .to_owned()
            }
            None => String::new(),
        };
        let context =
            given("context").map_or_else(String::new, |it| format!("\n\nContext:\n\n{it}"));
        format!(
            "Get an answer to this question: call the tool `discuss` with the pattern `{name}`, and pass as `context` all \
             that a stranger needs to answer, because the participants see nothing else.{options}{files} {REPORT}\n\n\
             Question: {topic}{context}"
        )
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}
