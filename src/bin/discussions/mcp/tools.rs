//! The list of tools, with names, descriptions, parameters and results.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use schemars::JsonSchema;

use super::params::{
    ContinueParams, DiscussParams, ListParams, RecallParams, ReviewParams, Say, SearchParams, Show,
};
use super::results::{Listing, ToolPlaces, ToolResult};
use super::schema::{input_schema, output_schema};

/// Returns all tools, or only the reading ones if nothing else is allowed.
pub(super) fn all(read_only: bool) -> Vec<Tool> {
    let mut tools = Vec::new();
    if !read_only {
        tools.push(asks::<DiscussParams>(
            "discuss",
            "Ask several AI models a hard question; they debate it and give one answer: outcome, votes, dissent, open questions. \
             Only `topic` is required. May take minutes: with state `running` call `continue`. With state `your_turn` \
             answer `prompt` with `say`, then `continue`.",
        ));
        tools.push(asks::<ReviewParams>(
            "review",
            "Have several personas review a file or a diff: verdict, ratings, findings, what to do. Changes no file but its own record.",
        ));
        tools.push(asks::<ContinueParams>(
            "continue",
            "Continue a discussion, or wait for one that is running. You never pay twice for an answer in the file, \
             even after a crash.",
        ));
        tools.push(
            tool::<Say, ToolResult>(
                "say",
                "Add a comment to a discussion, or your answer and vote as participant `me`. Calls no model; `continue` does.",
            )
            .with_annotations(
                ToolAnnotations::new()
                    .read_only(false)
                    .destructive(false)
                    .idempotent(false)
                    .open_world(false),
            ),
        );
    }
    tools.push(reads::<Show, ToolResult>(
        "show",
        "Show the status and outcome of a discussion; with `since` also its comments.",
    ));
    tools.push(reads::<SearchParams, ToolPlaces>(
        "search",
        "Find words in earlier discussions; decisions come first. Search before you ask again.",
    ));
    tools.push(reads::<RecallParams, ToolPlaces>(
        "recall",
        "Find past decisions similar to a question, in any words. Replaced decisions are left out.",
    ));
    tools.push(reads::<ListParams, Listing>("list", "All discussions, newest first."));
    tools
}

fn tool<T: JsonSchema, G: JsonSchema>(name: &'static str, what: &'static str) -> Tool {
    Tool::new(name, what, Arc::new(input_schema::<T>()))
        .with_raw_output_schema(Arc::new(output_schema::<G>()))
}

/// Returns a tool that calls models. It adds to a file and removes nothing.
fn asks<T: JsonSchema>(name: &'static str, what: &'static str) -> Tool {
    let hints = ToolAnnotations::new();
    let hints = hints.read_only(false).destructive(false).idempotent(false).open_world(true);
    tool::<T, ToolResult>(name, what).with_annotations(hints)
}

fn reads<T: JsonSchema, G: JsonSchema>(name: &'static str, what: &'static str) -> Tool {
    let hints = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
    tool::<T, G>(name, what).with_annotations(hints)
}
