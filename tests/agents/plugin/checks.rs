//! Checks of our own: the closed lists of keys of each format, limits of texts, and no path of a machine. CI also runs the
//! formats' schemas and the programs themselves, where it can install them.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::root;
use super::source::{self, COMMANDS};

fn document(name: &str) -> Value {
    serde_json::from_str(&source::files()[name]).unwrap()
}

/// Asserts that an object has the required keys, and no key that is not in one of the lists.
#[track_caller]
fn keys(value: &Value, required: &[&str], optional: &[&str]) {
    let there: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = required.iter().chain(optional).copied().collect();
    assert!(there.is_subset(&known), "unknown keys: {:?}", there.difference(&known));
    assert!(required.iter().all(|key| there.contains(key)), "{required:?} in {there:?}");
}

#[test]
fn portable_manifest_and_servers_have_the_keys_of_agent_plugins_1_0() {
    let manifest = document("plugin/plugin.json");
    let optional = [
        "version",
        "description",
        "author",
        "homepage",
        "repository",
        "license",
        "keywords",
        "extensions",
    ];
    keys(&manifest, &["$schema", "name"], &optional);
    keys(&manifest["author"], &[], &["name", "email", "url"]);
    let text = |key: &str| manifest[key].as_str().unwrap();
    assert_eq!(text("$schema"), "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json");
    let name = regex::Regex::new(r"^[a-z0-9]+([.-][a-z0-9]+)*$").unwrap();
    assert!(name.is_match(text("name")) && text("name").len() <= 64);
    let servers = document("plugin/mcp.json");
    keys(&servers, &["$schema", "mcpServers"], &[]);
    assert_eq!(servers["$schema"], "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json");
    let server = &servers["mcpServers"]["discussions"];
    keys(server, &["type", "command"], &["args", "env", "cwd"]);
    assert_eq!(server["type"], "stdio");
}

#[test]
fn catalogues_have_the_keys_that_claude_and_codex_know() {
    let claude = document(".claude-plugin/marketplace.json");
    keys(&claude, &["name", "owner", "plugins"], &["description"]);
    keys(&claude["plugins"][0], &["name", "source"], &["description"]);
    let codex = document(".agents/plugins/marketplace.json");
    keys(&codex, &["name", "interface", "plugins"], &[]);
    keys(&codex["plugins"][0], &["name", "source", "policy", "category"], &[]);
    for (source, manifest) in [
        (&claude["plugins"][0]["source"], ".claude-plugin/plugin.json"),
        (&codex["plugins"][0]["source"]["path"], ".codex-plugin/plugin.json"),
    ] {
        let folder = source.as_str().unwrap().strip_prefix("./").unwrap();
        assert!(source::files().contains_key(&format!("{folder}/{manifest}")), "{folder}");
    }
    let claude = document("plugin/.claude-plugin/plugin.json");
    let optional = [
        "version",
        "description",
        "author",
        "homepage",
        "repository",
        "license",
        "keywords",
        "lspServers",
    ];
    keys(&claude, &["name"], &optional);
    let codex = document(".agents/plugins/discussions/.codex-plugin/plugin.json");
    let optional = [
        "version",
        "description",
        "author",
        "homepage",
        "repository",
        "license",
        "keywords",
        "interface",
    ];
    keys(&codex, &["name", "skills", "mcpServers"], &optional);
    // Codex would take a manifest of the portable format instead, and start the server in the plugin's folder.
    assert!(!source::files().contains_key(".agents/plugins/discussions/plugin.json"));
}

#[test]
fn registry_entry_has_the_required_keys_and_lengths() {
    let entry = document("server.json");
    let optional = ["$schema", "title", "repository", "websiteUrl"];
    keys(&entry, &["name", "description", "version"], &optional);
    let length = |key: &str| entry[key].as_str().unwrap().chars().count();
    assert!((1..=100).contains(&length("description")), "{}", length("description"));
    assert!((1..=100).contains(&length("title")) && (3..=200).contains(&length("name")));
    keys(&entry["repository"], &["url", "source"], &["id", "subfolder"]);
}

#[test]
fn nothing_generated_downloads_a_program() {
    for (path, text) in source::files() {
        for program in ["npx", "uvx", "pipx", "npm exec"] {
            assert!(!text.contains(program), "{path} starts {program}");
        }
    }
}

#[test]
fn packages_claim_the_name_of_the_registry_entry() {
    let name = source::registry_name();
    // The registry compares the name with the one in the packages: a key for npm, and for PyPI a comment that
    // `packaging/build` makes of this key.
    let package = fs::read_to_string(root().join("npm/package.json")).unwrap();
    let package: Value = serde_json::from_str(&package).unwrap();
    assert_eq!(package["mcpName"], name.as_str());
}

/// The keys between the `---` lines of a skill.
fn frontmatter(text: &str) -> Value {
    let (head, _) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    serde_yaml::from_str(head).unwrap()
}

#[test]
fn skills_follow_the_format_and_only_the_user_starts_commands() {
    let files = source::files();
    let skills: Vec<_> = files.iter().filter(|(name, _)| name.ends_with("/SKILL.md")).collect();
    assert_eq!(skills.len(), 2 * (COMMANDS.len() + 1));
    for (path, text) in skills {
        let head = frontmatter(text);
        keys(&head, &["name", "description"], &["argument-hint", "disable-model-invocation"]);
        let folder = path.rsplit('/').nth(1).unwrap();
        assert_eq!(head["name"], folder, "{path}");
        let length = head["description"].as_str().unwrap().chars().count();
        assert!((1..=1024).contains(&length), "{path}: {length}");
        assert!(text.lines().count() <= 60, "{path}: agents read it whole");
        let is_command = COMMANDS.iter().any(|(name, _)| *name == folder);
        assert_eq!(head["disable-model-invocation"] == true, is_command, "{path}");
        let policy = files.get(&path.replace("SKILL.md", "agents/openai.yaml"));
        assert_eq!(policy.is_some(), is_command, "{path}");
        let policy: Option<Value> = policy.map(|policy| serde_yaml::from_str(policy).unwrap());
        assert!(policy.is_none_or(|policy| policy["policy"]["allow_implicit_invocation"] == false));
    }
}

#[test]
fn skill_advises_recall_then_discuss_and_says_when_not_to_ask() {
    let skill = &source::files()["plugin/skills/discussions/SKILL.md"];
    let at = |words: &str| skill.find(words).unwrap_or_else(|| panic!("{words}"));
    assert!(at("call `recall` with the `files`") < at("Call `discuss`"));
    assert!(at("Call `discuss`") < at("# When not to ask"));
    assert!(skill.contains("`AFFECTS`"));
}

#[test]
fn files_name_tools_and_arguments_that_exist() {
    let tools = include_str!("../../../src/bin/discussions/mcp/tools.rs");
    let known = ["discuss", "review", "continue", "say", "show", "search", "recall", "list"];
    let called = regex::Regex::new(r"[Cc]all `([a-z]+)`").unwrap();
    for (path, text) in source::files().iter().filter(|(path, _)| path.ends_with(".md")) {
        for call in called.captures_iter(text) {
            assert!(known.contains(&&call[1]), "{path}: {}", &call[1]);
            assert!(tools.contains(&format!("\"{}\",", &call[1])), "{}", &call[1]);
        }
    }
}

#[test]
fn files_contain_no_path_of_a_machine() {
    let path = regex::Regex::new(r#"(?m)(^|[\s"'`=(])(/[A-Za-z]\w*/|[A-Z]:\\|~/)"#).unwrap();
    for (name, text) in source::files() {
        let found = path.find(&text).map(|found| found.as_str());
        assert_eq!(found, None, "{name}");
    }
}
