//! The interface for programs. Its documents are those of the command line. Its OpenAPI description
//! is generated from their types.

use std::sync::Arc;

use axum::extract::{Path, State as Shared};
use axum::response::{IntoResponse as _, Response};
use discussions::workspace::Workspace;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::actions::{AdvanceForm, CommentForm, RunForm, RunStatus};
use super::app::AppState;
use super::dialogue::Wish;
use super::page::{self, Answer, ListAddress};
use super::request::{ApiError, Client, QueryOf, ResponseFormat, document, parse_query};

/// The maximum number of past decisions in a response.
const RECALLED: usize = 5;

pub(super) async fn list(Shared(house): Shared<Arc<AppState>>) -> Response {
    document(house.blocking(|workspace| Ok(workspace.discussions().list(None)?.discussions)).await)
}

pub(super) async fn decisions(Shared(house): Shared<Arc<AppState>>) -> Response {
    document(
        house.blocking(|workspace| Ok(workspace.decisions().list_decisions(None)?.decided)).await,
    )
}

/// The words of a search.
#[derive(Deserialize)]
pub(super) struct Sought {
    q: String,
}

pub(super) async fn search(
    Shared(house): Shared<Arc<AppState>>,
    sought: QueryOf<Sought>,
) -> Response {
    let done = async {
        let Sought { q } = parse_query(sought)?;
        house
            .blocking(move |workspace| {
                Ok(workspace.discussions().search(&workspace.discussions().searching(q))?.found)
            })
            .await
    };
    document(done.await)
}

/// Returns past decisions that are similar to a question.
pub(super) async fn recall(
    Shared(house): Shared<Arc<AppState>>,
    client: Client,
    sought: QueryOf<Sought>,
) -> Response {
    let done = async {
        let Sought { q } = parse_query(sought)?;
        let question = q.clone();
        let found = house
            .blocking(move |workspace| workspace.decisions().recall(&question, RECALLED, None));
        Ok::<_, ApiError>((q, found.await?))
    };
    match (done.await, client.wanted) {
        (Ok((q, found)), ResponseFormat::Page) => page::recall_page(&q, &found).into_response(),
        (done, wanted) => match done {
            Ok((_, found)) => document(Ok(found)),
            Err(refusal) => refusal.answer(wanted),
        },
    }
}

/// Returns the outcomes and costs of all discussions.
pub(super) async fn stats(
    Shared(house): Shared<Arc<AppState>>,
    client: Client,
    address: QueryOf<ListAddress>,
) -> Response {
    let stats = house.blocking(|workspace| workspace.discussions().stats(None)).await;
    if client.wanted == ResponseFormat::Json {
        return document(stats);
    }
    let page = stats.and_then(|stats| page::stats_page(&stats, &parse_query(address)?));
    page.map_or_else(|refusal| refusal.answer(ResponseFormat::Page), Answer::into_response)
}

pub(super) async fn show(
    Shared(house): Shared<Arc<AppState>>,
    Path(name): Path<String>,
) -> Response {
    document(
        house.with_discussion(&name, |workspace, path| workspace.discussions().show(&path)).await,
    )
}

pub(super) async fn status(
    Shared(house): Shared<Arc<AppState>>,
    Path(name): Path<String>,
) -> Response {
    document(
        house.with_discussion(&name, |workspace, path| workspace.discussions().status(&path)).await,
    )
}

pub(super) async fn result(
    Shared(house): Shared<Arc<AppState>>,
    Path(name): Path<String>,
) -> Response {
    document(
        house.with_discussion(&name, |workspace, path| workspace.discussions().result(&path)).await,
    )
}

/// The place of schemas in the document.
const SCHEMAS: &str = "#/components/schemas/";

/// A route.
struct Operation {
    method: &'static str,
    path: &'static str,
    says: &'static str,
    /// The type of the request's body.
    takes: Option<&'static str>,
    /// The document in the response; `None` means a stream of events.
    gives: Option<&'static str>,
}

/// All routes.
const WAYS: &[Operation] = &[
    way(
        "get",
        "/api/discussions",
        "All discussions, most recently changed first",
        None,
        Some("list"),
    ),
    way("get", "/api/decisions", "Decisions, newest first", None, Some("decisions")),
    way("get", "/api/search", "Search all discussions for words (parameter q)", None, Some("any")),
    way(
        "get",
        "/api/recall",
        "Past decisions similar to a question (parameter q)",
        None,
        Some("recall"),
    ),
    way("get", "/api/stats", "Outcomes and costs of all discussions", None, Some("stats")),
    way("get", "/api/discussions/{name}", "A discussion, entry by entry", None, Some("show")),
    way("get", "/api/discussions/{name}/status", "Status of a discussion", None, Some("status")),
    way("get", "/api/discussions/{name}/result", "Outcome of a discussion", None, Some("result")),
    way(
        "get",
        "/api/discussions/{name}/events",
        "Stream of events, starting at Last-Event-ID or `from` (byte offset in the file)",
        None,
        None,
    ),
    way(
        "post",
        "/api/discussions/{name}/comments",
        "Add a comment, vote, or both",
        Some("Said"),
        Some("comment"),
    ),
    way(
        "post",
        "/api/discussions/{name}/turn",
        "Run one turn: ask each participant once",
        Some("Go"),
        Some("Running"),
    ),
    way("post", "/api/discussions/{name}/run", "Run turn by turn", Some("Go"), Some("Running")),
    way("post", "/api/discussions/{name}/stop", "Stop the run", None, Some("Running")),
    way(
        "post",
        "/api/discussions/{name}/advance",
        "Go to the next phase, or to a named one",
        Some("Onward"),
        Some("advance"),
    ),
    way("post", "/api/discussions/{name}/close", "Close the discussion", None, Some("close")),
    way("post", "/api/discussions/{name}/reopen", "Reopen the discussion", None, Some("reopen")),
    way(
        "post",
        "/api/discussion",
        "Two models discuss a question; the response streams events, and disconnecting stops the run",
        Some("Wish"),
        None,
    ),
];

const fn way(
    method: &'static str,
    path: &'static str,
    says: &'static str,
    takes: Option<&'static str>,
    gives: Option<&'static str>,
) -> Operation {
    Operation { method, path, says, takes, gives }
}

/// Returns the description as OpenAPI 3.1.
pub(super) fn openapi_document() -> Value {
    let mut schemas = Map::new();
    for name in WAYS.iter().filter_map(|way| way.gives).chain(["error"]) {
        if let Some(schema) = Workspace::schema(name) {
            put(&mut schemas, name, schema);
        }
    }
    put(&mut schemas, "Said", of::<CommentForm>());
    put(&mut schemas, "Go", of::<RunForm>());
    put(&mut schemas, "Onward", of::<AdvanceForm>());
    put(&mut schemas, "Wish", of::<Wish>());
    put(&mut schemas, "Running", of::<RunStatus>());
    let mut paths = Map::new();
    for way in WAYS {
        let path = paths.entry(way.path).or_insert_with(|| json!({}));
        if let Some(path) = path.as_object_mut() {
            path.insert(way.method.to_owned(), operation(way));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "discussions", "version": env!("CARGO_PKG_VERSION") },
        "security": [{ "key": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas,
        },
    })
}

fn operation(way: &Operation) -> Value {
    let done = match way.gives {
        None => json!({ "text/event-stream": { "schema": { "type": "string" } } }),
        Some("any") => json!({ "application/json": { "schema": { "type": "object" } } }),
        Some(name) => json!({ "application/json": { "schema": reference(name) } }),
    };
    let mut operation = json!({
        "summary": way.says,
        "responses": {
            "200": { "description": "success", "content": done },
            "default": {
                "description": "error",
                "content": { "application/json": { "schema": reference("error") } },
            },
        },
    });
    let mut parameters: Vec<Value> = Vec::new();
    let parameter = |name: &str, place: &str| json!({ "name": name, "in": place, "required": true, "schema": { "type": "string" } });
    parameters.extend(way.path.contains("{name}").then(|| parameter("name", "path")));
    parameters.extend(way.path.ends_with("/search").then(|| parameter("q", "query")));
    operation["parameters"] = parameters.into();
    if let Some(takes) = way.takes {
        let content = json!({ "application/json": { "schema": reference(takes) } });
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    operation
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("{SCHEMAS}{name}") })
}

fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

/// Adds a schema and the schemas that it refers to, under names that no other schema has.
fn put(schemas: &mut Map<String, Value>, name: &str, schema: Schema) {
    let mut schema = schema.to_value();
    let within = schema.as_object_mut().and_then(|schema| {
        schema.remove("$schema");
        schema.remove("$defs")
    });
    point(&mut schema, name);
    schemas.insert(name.to_owned(), schema);
    for (key, mut value) in within.and_then(|all| all.as_object().cloned()).unwrap_or_default() {
        point(&mut value, name);
        schemas.insert(format!("{name}.{key}"), value);
    }
}

/// Changes references to the new places of their schemas.
fn point(value: &mut Value, name: &str) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(to)) = fields.get_mut("$ref")
                && let Some(key) = to.strip_prefix("#/$defs/")
            {
                *to = format!("{SCHEMAS}{name}.{key}");
            }
            fields.values_mut().for_each(|field| point(field, name));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| point(item, name)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(|to| Some(to.as_str()?.to_owned())));
                fields.values().for_each(|field| references(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_has_a_target() {
        let document = openapi_document();
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 50, "{}", found.len());
        for to in found {
            let pointer = to.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{to}");
        }
    }

    #[test]
    fn every_route_is_described() {
        let source = include_str!("mod.rs");
        let function = |name: &str| {
            source.split(name).nth(1).and_then(|rest| rest.split("\n}\n").next()).unwrap()
        };
        let quoted = |code: &str, before: &str| -> Vec<String> {
            let parts = code.split(before).skip(1);
            parts.filter_map(|rest| Some(rest.split('"').next()?.to_owned())).collect()
        };
        let mut routes = quoted(function("fn programs("), ".route(\"");
        let actions = quoted(function("fn actions_below("), "&at(\"");
        routes.extend(actions.iter().map(|action| format!("/api/discussions/{{name}}/{action}")));
        for route in routes.iter().filter(|route| !route.ends_with("openapi.json")) {
            assert!(WAYS.iter().any(|way| way.path == *route), "{route}");
        }
        assert_eq!(routes.len(), WAYS.len() + 1);
    }
}
