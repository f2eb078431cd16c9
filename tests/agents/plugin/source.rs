//! The text of every generated file.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// The name of the plugin, of its server and of its catalogues.
const NAME: &str = "discussions";
const TITLE: &str = "Discussions";
const VERSION: &str = env!("CARGO_PKG_VERSION");
const DESCRIPTION: &str = env!("CARGO_PKG_DESCRIPTION");
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const LICENSE: &str = env!("CARGO_PKG_LICENSE");
const AUTHOR: &str = "The discussions contributors";

/// The folder of the plugin in the portable format, which Claude Code reads too.
const PORTABLE: &str = "plugin";
/// The folder of the plugin for Codex. Codex would start the server of a portable plugin in the plugin's own folder.
const CODEX: &str = ".agents/plugins/discussions";

const SKILL: &str = include_str!("../../../src/bin/discussions/cli/agents/skill.md");

/// The commands: skills that only the user starts.
pub(super) const COMMANDS: [(&str, &str); 4] = [
    ("ask", include_str!("../../../src/bin/discussions/cli/agents/commands/ask.md")),
    (
        "second-look",
        include_str!("../../../src/bin/discussions/cli/agents/commands/second-look.md"),
    ),
    ("recall", include_str!("../../../src/bin/discussions/cli/agents/commands/recall.md")),
    ("review", include_str!("../../../src/bin/discussions/cli/agents/commands/review.md")),
];

/// Tells Codex that only the user starts a command.
const CODEX_POLICY: &str = "policy:\n  allow_implicit_invocation: false\n";

/// The name of the repository without the host, as people type it.
fn short_repository() -> &'static str {
    REPOSITORY.strip_prefix("https://github.com/").unwrap()
}

/// The name in the MCP Registry.
pub(super) fn registry_name() -> String {
    let (owner, name) = short_repository().split_once('/').unwrap();
    format!("io.github.{owner}/{name}")
}

fn keywords() -> Vec<String> {
    let manifest: toml_edit::DocumentMut = include_str!("../../../Cargo.toml").parse().unwrap();
    let keywords = manifest["package"]["keywords"].as_array().unwrap();
    keywords.iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// The variables that hold keys of model services. Codex passes only variables that are named.
fn key_variables() -> Vec<String> {
    let presets = include_str!("../../../src/provider/presets.yaml");
    let mut keys: Vec<String> = Vec::new();
    for key in presets.lines().filter_map(|line| line.trim().strip_prefix("key: ")) {
        if !keys.iter().any(|known| known == key) {
            keys.push(key.to_owned());
        }
    }
    keys
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap() + "\n"
}

/// Returns the part that all manifests of the plugin share.
fn manifest(first: Value) -> Value {
    let mut all = json!({});
    let rest = json!({
        "name": NAME,
        "version": VERSION,
        "description": DESCRIPTION,
        "author": {"name": AUTHOR, "url": REPOSITORY},
        "homepage": REPOSITORY,
        "repository": REPOSITORY,
        "license": LICENSE,
        "keywords": keywords(),
    });
    for part in [first, rest] {
        all.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
    }
    all
}

fn schema(name: &str) -> Value {
    json!({"$schema": format!("https://agent-plugins.org/schemas/1.0.0/{name}.schema.json")})
}

fn server(first: Value, last: Value) -> Value {
    let mut server = first;
    for part in [json!({"command": NAME, "args": ["mcp"]}), last] {
        server.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
    }
    json!({NAME: server})
}

/// Claude Code also starts language servers, so an agent that edits a discussion sees at once what `check` would report.
/// The portable format and Codex have no place for one.
fn claude_manifest() -> Value {
    let mut all = manifest(json!({}));
    if super::root().join("src/bin/discussions/cli/verbs/lsp.rs").exists() {
        let server = json!({
            "command": NAME, "args": ["lsp"], "extensionToLanguage": {".md": "markdown"},
        });
        all["lspServers"] = json!({NAME: server});
    }
    all
}

fn codex_manifest() -> Value {
    let mut all = manifest(json!({}));
    let own = json!({
        "skills": "./skills/",
        "mcpServers": "./.mcp.json",
        "interface": {
            "displayName": TITLE,
            "shortDescription": "Recall decisions, and get a second look from another model",
            "longDescription": DESCRIPTION,
            "developerName": AUTHOR,
            "category": "Productivity",
            "capabilities": ["Read", "Write"],
            "websiteURL": REPOSITORY,
        },
    });
    all.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
    all
}

/// The entry of the MCP Registry. It names no package: a client would start one of that name without an installation,
/// and nobody owns the names yet.
fn registry_entry() -> Value {
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": registry_name(),
        "title": TITLE,
        "description": DESCRIPTION,
        "repository": {"url": REPOSITORY, "source": "github"},
        "websiteUrl": REPOSITORY,
        "version": VERSION,
    })
}

fn readme() -> String {
    let repository = short_repository();
    let mut commands = String::new();
    for (name, text) in COMMANDS {
        let description = text.lines().find_map(|line| line.strip_prefix("description: ")).unwrap();
        commands.push_str(&format!("| `/discussions:{name}` | {description} |\n"));
    }
    format!(
        "# {TITLE}, a plugin for coding agents

{DESCRIPTION}.

The plugin starts `discussions mcp`, so install the program first: [how to install it]({REPOSITORY}#install). It stores
everything in Markdown files in your project, and sends the texts of a discussion only to the models that you have set up.

| in Claude Code | |
|---|---|
{commands}
The skill tells the agent when to recall a decision, when to ask for a second look, and when not to ask.

| agent | how to install the plugin |
|---|---|
| Claude Code | `claude plugin marketplace add {repository}`, then `claude plugin install {NAME}@{NAME}` |
| Codex | `codex plugin marketplace add {repository}`, then `codex plugin add {NAME}@{NAME}` |
| others | this folder is in the format Agent Plugins 1.0 |

[Agents]({REPOSITORY}/blob/main/docs/agents.md) has the details. The files here are generated; change their sources.
"
    )
}

/// Adds the skill and the commands of a plugin.
fn add_skills(folder: &str, files: &mut BTreeMap<String, String>) {
    let path = |name: &str, file: &str| format!("{folder}/skills/{name}/{file}");
    files.insert(path(NAME, "SKILL.md"), SKILL.to_owned());
    for (name, text) in COMMANDS {
        files.insert(path(name, "SKILL.md"), text.to_owned());
        files.insert(path(name, "agents/openai.yaml"), CODEX_POLICY.to_owned());
    }
}

/// Returns every generated file, by path below the root.
pub(super) fn files() -> BTreeMap<String, String> {
    let none = || json!({});
    let mut portable_servers = schema("mcp");
    portable_servers["mcpServers"] = server(json!({"type": "stdio"}), none());
    let codex_server =
        server(none(), json!({"env_vars": key_variables(), "tool_timeout_sec": 300}));
    let claude_catalogue = json!({
        "name": NAME,
        "owner": {"name": AUTHOR},
        "description": DESCRIPTION,
        "plugins": [{"name": NAME, "source": format!("./{PORTABLE}"), "description": DESCRIPTION}],
    });
    let codex_catalogue = json!({
        "name": NAME,
        "interface": {"displayName": TITLE},
        "plugins": [{
            "name": NAME,
            "source": {"source": "local", "path": format!("./{CODEX}")},
            "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
            "category": "Productivity",
        }],
    });
    let documents = [
        (".claude-plugin/marketplace.json".to_owned(), claude_catalogue),
        (".agents/plugins/marketplace.json".to_owned(), codex_catalogue),
        ("server.json".to_owned(), registry_entry()),
        (format!("{PORTABLE}/plugin.json"), manifest(schema("plugin"))),
        (format!("{PORTABLE}/mcp.json"), portable_servers),
        (format!("{PORTABLE}/.claude-plugin/plugin.json"), claude_manifest()),
        (format!("{PORTABLE}/.mcp.json"), json!({"mcpServers": server(none(), none())})),
        (format!("{CODEX}/.codex-plugin/plugin.json"), codex_manifest()),
        (format!("{CODEX}/.mcp.json"), json!({"mcpServers": codex_server})),
    ];
    let mut files: BTreeMap<String, String> =
        documents.into_iter().map(|(name, value)| (name, pretty(&value))).collect();
    files.insert(format!("{PORTABLE}/README.md"), readme());
    add_skills(PORTABLE, &mut files);
    add_skills(CODEX, &mut files);
    files
}
