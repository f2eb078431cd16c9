//! The list of tools, with names, descriptions, parameters and results, as JSON Schemas for strict clients: one type
//! for each value, no formats that only Rust knows, and no references.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::Allowed;
use super::places::{Listing, ToolPlaces};
use super::results::ToolResult;

/// Returns all tools, or only the reading ones if nothing else is allowed.
pub(super) fn all(allowed: Allowed) -> Vec<Tool> {
    let mut tools = Vec::new();
    if !allowed.read_only {
        tools.push(asks::<DiscussParams>(
            "discuss",
            "Get a second look at a hard question: without `pattern`, one AI model answers, a model of another vendor checks \
             the answer, and proved errors are corrected (pattern `second-look`, about 4 calls). Other patterns debate or vote. \
             Only `topic` is required. May take minutes: with state `running` call `continue`. With state `your_turn` answer \
             the prompt of the result with `say`, then `continue`.",
        ));
        tools.push(asks::<ReviewParams>(
            "review",
            "Have several personas review a file, or changes that are committed or not: verdict, ratings, findings, what to do. \
             Changes no file but its own record.",
        ));
        tools.push(asks::<ContinueParams>(
            "continue",
            "Continue a discussion, or wait for one that is running. You never pay twice for an answer in the file, \
             even after a crash. Stop when the state is `done`, or when `Next` says that a person must act.",
        ));
        tools.push(writes::<Say>(
            "say",
            "Add a comment to a discussion, or your answer and vote as participant `me`. Calls no model; `continue` does. To \
             ask a person, begin a line with `Q: @name`, for example `Q: @tess Ship on Monday?`; to ask a participant, mention \
             its @alias. A line `DECISION: ...` proposes; only people and ballots decide.",
        ));
        tools.push(writes::<RecordParams>(
            "record",
            "Record a decision that your user has made in this chat, in one call. Calls no model. It is written as a proposal; \
             the result has the one command with which your user makes it a decision.",
        ));
    }
    tools.push(reads::<Show>(
        "show",
        "Show the status and outcome of a discussion: state, phase, for whom it waits; with `since` also its comments.",
    ));
    tools.push(reads::<SearchParams>(
        "search",
        "Find words in earlier discussions; decisions come first. Search before you ask again.",
    ));
    tools.push(reads::<RecallParams>(
        "recall",
        "Find past decisions about the files you work on, or similar to a question, in any words; best give both. Call it \
         before you plan or change files. Finds decisions in force, and marked answers without a vote.",
    ));
    tools.push(reads::<ListParams>(
        "list",
        "All discussions, with their status, decision and for whom they wait: those with a decision to review first, then \
         newest first.",
    ));
    if allowed.structured {
        tools = tools.into_iter().map(with_output_schema).collect();
    }
    tools
}

/// Adds the schema of the results to the tools that return nothing else. `discuss`, `review`, `continue`, `say` and
/// `record` return what `show` returns.
fn with_output_schema(tool: Tool) -> Tool {
    let schema = match tool.name.as_ref() {
        "show" => output_schema::<ToolResult>(),
        "recall" => output_schema::<ToolPlaces>(),
        "list" => output_schema::<Listing>(),
        _ => return tool,
    };
    tool.with_raw_output_schema(Arc::new(schema))
}

fn tool<T: JsonSchema>(name: &'static str, what: &'static str) -> Tool {
    Tool::new(name, what, Arc::new(input_schema::<T>()))
}

/// Returns a tool that calls models. It adds to a file and removes nothing.
fn asks<T: JsonSchema>(name: &'static str, what: &'static str) -> Tool {
    let hints = ToolAnnotations::new();
    let hints = hints.read_only(false).destructive(false).idempotent(false).open_world(true);
    tool::<T>(name, what).with_annotations(hints)
}

/// Returns a tool that only adds a comment.
fn writes<T: JsonSchema>(name: &'static str, what: &'static str) -> Tool {
    let hints = ToolAnnotations::new();
    let hints = hints.read_only(false).destructive(false).idempotent(false).open_world(false);
    tool::<T>(name, what).with_annotations(hints)
}

fn reads<T: JsonSchema>(name: &'static str, what: &'static str) -> Tool {
    let hints = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
    tool::<T>(name, what).with_annotations(hints)
}

/// The provider, the waiting time and the limits of a tool call.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    pub(super) provider: Option<String>,
    pub(super) wait: Option<u32>,
    pub(super) max_calls: Option<u32>,
    pub(super) max_usd: Option<f64>,
}

/// The parameters of `discuss`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DiscussParams {
    /// The question, in one sentence
    pub(super) topic: String,
    /// second-look (default), solo, synthesis, round-robin, debate, critique, voting, dialogue, or one of the project's own
    pub(super) pattern: Option<String>,
    /// Personas (architect, security, ...), providers (claude, codex, ...), persona=provider, or `me`: you answer yourself, at no cost
    #[serde(default)]
    pub(super) participants: Vec<String>,
    pub(super) rounds: Option<u32>,
    /// synthesis, voting, moderator, unanimous or majority, instead of the pattern's own
    pub(super) consensus: Option<String>,
    /// With voting, required: the options to vote on, each as it should be shown
    #[serde(default)]
    pub(super) options: Vec<String>,
    /// Background information, as Markdown: participants see only this and `files`
    pub(super) context: Option<String>,
    /// If a discussion is asking you now: its file; the new one becomes its sub-discussion
    pub(super) within: Option<String>,
    /// With `within`: the turn in which you are asked
    pub(super) turn: Option<u32>,
    /// With `within`: your alias there
    #[serde(rename = "as")]
    pub(super) by: Option<String>,
    /// Files, folders or globs (src/**/*.rs) shown to all
    #[serde(default)]
    pub(super) files: Vec<String>,
    /// Provider for all participants, instead of their own
    pub(super) provider: Option<String>,
    /// Seconds to wait, 0 to 240 (default)
    pub(super) wait: Option<u32>,
    /// Maximum number of model calls
    pub(super) max_calls: Option<u32>,
    /// Maximum cost in US dollars; needs providers with a known price
    pub(super) max_usd: Option<f64>,
}

/// The parameters of `review`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewParams {
    /// File to review; or give `changes`
    pub(super) file: Option<String>,
    /// Changes to review: HEAD for what is not committed yet, or commits, for example main...HEAD
    pub(super) changes: Option<String>,
    /// artifact-review (default: several personas give ratings and findings) or second-look-review
    pub(super) pattern: Option<String>,
    /// File with its source, for example requirements
    pub(super) context: Option<String>,
    /// More files, folders or globs shown to all
    #[serde(default)]
    pub(super) files: Vec<String>,
    /// Personas that review; by default the pattern's own
    #[serde(default)]
    pub(super) perspectives: Vec<String>,
    /// Provider for all participants, instead of their own
    pub(super) provider: Option<String>,
    /// Seconds to wait, 0 to 240 (default)
    pub(super) wait: Option<u32>,
    pub(super) max_calls: Option<u32>,
    pub(super) max_usd: Option<f64>,
}

/// The parameters of `continue`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ContinueParams {
    /// The discussion: its file or name
    pub(super) discussion: String,
    /// Provider for all participants, instead of their own
    pub(super) provider: Option<String>,
    /// Seconds to wait, 0 to 240 (default)
    pub(super) wait: Option<u32>,
    pub(super) max_calls: Option<u32>,
    pub(super) max_usd: Option<f64>,
}

/// The parameters of `say`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Say {
    /// The discussion: its file or name
    pub(super) discussion: String,
    /// Markdown; `Q: @name ...` on a line of its own asks a person, @alias mentions a participant
    #[serde(default)]
    pub(super) text: String,
    /// Your vote, one of `options`
    pub(super) vote: Option<String>,
}

/// The parameters of `record`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordParams {
    /// The decision, in one sentence
    pub(super) decision: String,
    /// The question that it answers; required without `discussion`
    pub(super) topic: Option<String>,
    /// Why, and what else was considered, as Markdown
    #[serde(default)]
    pub(super) reasons: String,
    /// Files or folders that the decision is about: `recall` then finds it
    #[serde(default)]
    pub(super) files: Vec<String>,
    /// Instead of `topic`: the discussion to which the decision belongs
    pub(super) discussion: Option<String>,
}

/// The parameters of `show`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Show {
    /// The discussion: its file or name
    pub(super) discussion: String,
    /// Also the comments after this entry; 0: all that fit
    pub(super) since: Option<u32>,
}

/// The parameters of `search`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchParams {
    /// Words that must all occur in a discussion
    pub(super) words: String,
    /// title, outcome, comment, context, or a kind of item: decision, question, task, concern
    pub(super) kind: Option<String>,
    /// Author
    pub(super) by: Option<String>,
    /// A start date or a time span: 2026-11-20, 30d
    pub(super) since: Option<String>,
}

/// The parameters of `recall`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecallParams {
    /// The question, in any words; may be left out with `files`
    #[serde(default)]
    pub(super) question: String,
    /// Files or folders you work on, no patterns: decisions about them come first
    #[serde(default)]
    pub(super) files: Vec<String>,
    /// A start date or a time span: 2026-11-20, 30d
    pub(super) since: Option<String>,
}

/// The parameters of `list`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListParams {
    /// OPEN, CONSENSUS, ANSWERED, BLOCKED or CLOSED
    pub(super) status: Option<String>,
}

macro_rules! bounds {
    ($($kind:ty),*) => {$(
        impl $kind {
            /// Returns the provider, the waiting time and the limits of the call.
            pub(super) fn bounds(&self) -> Bounds {
                Bounds {
                    provider: self.provider.clone(),
                    wait: self.wait,
                    max_calls: self.max_calls,
                    max_usd: self.max_usd,
                }
            }
        }
    )*};
}
bounds!(DiscussParams, ReviewParams, ContinueParams);

/// Returns the schema of a tool's parameters.
fn input_schema<T: JsonSchema>() -> Map<String, Value> {
    strict(
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true),
        of::<T>,
    )
}

/// Returns the schema of a tool's result.
fn output_schema<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    strict(settings.with(|settings| settings.inline_subschemas = true), of::<T>)
}

fn of<T: JsonSchema>(settings: SchemaSettings) -> Value {
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

fn strict(settings: SchemaSettings, of: fn(SchemaSettings) -> Value) -> Map<String, Value> {
    let mut schema = of(settings);
    tidy(&mut schema);
    match schema {
        Value::Object(mut map) => {
            for key in ["$schema", "title", "description"] {
                map.remove(key);
            }
            map
        }
        _ => Map::new(),
    }
}

/// Removes formats that only Rust knows, and `null` from the types of optional values.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.get("format").is_some_and(Value::is_string) {
                map.remove("format");
            }
            if let Some(Value::Array(kinds)) = map.get_mut("type") {
                kinds.retain(|kind| kind != "null");
                if let [one] = kinds.as_slice() {
                    let one = one.clone();
                    map.insert("type".to_owned(), one);
                }
            }
            if let Some(Value::Array(ways)) = map.get_mut("anyOf") {
                ways.retain(|way| way.get("type") != Some(&Value::from("null")));
                if let [Value::Object(one)] = ways.as_slice() {
                    let one = one.clone();
                    map.remove("anyOf");
                    one.into_iter().for_each(|(key, value)| {
                        map.entry(key).or_insert(value);
                    });
                }
            }
            if let Some(Value::Array(values)) = map.get_mut("enum") {
                values.retain(|value| !value.is_null());
            }
            if map.get("default").is_some_and(Value::is_null) {
                map.remove("default");
            }
            map.values_mut().for_each(tidy);
        }
        Value::Array(all) => all.iter_mut().for_each(tidy),
        _ => {}
    }
}
