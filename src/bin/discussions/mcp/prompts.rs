//! One prompt for each pattern, for users who choose it from a menu.

use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;
use tokio::task::block_in_place;

use super::context::ServerContext;
use super::error::McpError;

/// Returns all prompts.
pub(super) fn all(door: &ServerContext) -> Result<Vec<Prompt>, McpError> {
    block_in_place(|| {
        let templates = door.open()?.templates();
        let usable = templates.into_iter().filter(|template| template.broken.is_none());
        let arguments = || {
            vec![
                PromptArgument::new("topic").with_description("The question").with_required(true),
                PromptArgument::new("context")
                    .with_description("Background information")
                    .with_required(false),
            ]
        };
        Ok(usable
            .map(|template| Prompt::new(template.id, Some(template.summary), Some(arguments())))
            .collect())
    })
}

/// Returns the text that the agent gets when the user chooses a prompt.
pub(super) fn one(
    door: &ServerContext,
    name: &str,
    arguments: Option<&JsonObject>,
) -> Result<GetPromptResult, ErrorData> {
    let known = all(door).map_err(|trouble| ErrorData::internal_error(trouble.message, None))?;
    if !known.iter().any(|prompt| prompt.name == name) {
        return Err(ErrorData::invalid_params(format!("there is no prompt named `{name}`"), None));
    }
    let given = |key: &str| {
        let given = arguments.and_then(|arguments| arguments.get(key)).and_then(Value::as_str);
        given.map(str::trim).filter(|text| !text.is_empty())
    };
    let topic = given("topic")
        .ok_or_else(|| ErrorData::invalid_params("the prompt needs a `topic`", None))?;
    let context = given("context").map_or_else(String::new, |it| format!("\n\nContext:\n\n{it}"));
    let text = format!(
        "Ask several models this question: call the tool `discuss` with the pattern `{name}`, and pass as \
         `context` all that they need to know to answer, because they see nothing else. If the state is `running`, call `continue`. \
         Then tell me the outcome, who disagrees and why, and what stays open.\n\nQuestion: {topic}{context}"
    );
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}
