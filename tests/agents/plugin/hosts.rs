//! The real `claude` and `codex` read the catalogues, install the plugin into an empty home, and start its server in the
//! project.

use serde_json::{Value, json};

use super::root;
use crate::agents::clients;
use crate::cli::scenario::Scenario;

/// The commands of the docs that install the plugin in a program.
fn documented(program: &str) -> Vec<String> {
    let page = include_str!("../../../docs/agents.md");
    let start = format!("`{program} plugin ");
    let mut found = Vec::new();
    for (at, _) in page.match_indices(&start) {
        found.push(page[at + 1..].split('`').next().unwrap().to_owned());
    }
    assert!(!found.is_empty(), "docs/agents.md installs nothing in {program}");
    found
}

/// Runs a command line as the docs have it, with this clone instead of the public repository. Returns its output.
#[track_caller]
fn run(scenario: &Scenario, line: &str) -> String {
    let clone = root().to_str().unwrap();
    let repository = env!("CARGO_PKG_REPOSITORY").strip_prefix("https://github.com/").unwrap();
    let words: Vec<&str> =
        line.split(' ').map(|word| if word == repository { clone } else { word }).collect();
    let output = scenario.command(words[0]).args(&words[1..]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}\n{said}\n{stderr}");
    said
}

/// A scenario with an empty home, in which the programs of npm and ours are in PATH.
fn scenario(program: &str) -> Option<Scenario> {
    let programs = std::env::var("AGENTS").expect("AGENTS names the folder of the programs");
    if !std::path::Path::new(&programs).join(program).exists() {
        eprintln!("skipped: {program} with the plugin");
        return None;
    }
    let path = std::env::var("PATH").unwrap();
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_discussions")).parent().unwrap();
    let path = format!("{}:{programs}:{path}", own.display());
    Some(Scenario::new().env("PATH", &path).env("DISABLE_AUTOUPDATER", "1"))
}

#[test]
#[ignore = "needs the programs of npm: AGENTS names the folder of their commands"]
fn claude_validates_installs_and_connects_the_plugin() {
    let Some(scenario) = scenario("claude") else { return };
    for folder in [root().to_owned(), root().join("plugin")] {
        let folder = folder.to_str().unwrap();
        let checked = run(&scenario, &format!("claude plugin validate --strict {folder}"));
        assert!(checked.contains("Validation passed"), "{checked}");
    }
    for line in documented("claude") {
        run(&scenario, &line);
    }
    let servers = run(&scenario, "claude mcp list");
    let line = servers.lines().find(|line| line.starts_with("plugin:discussions:")).unwrap();
    assert!(line.contains("discussions mcp") && line.contains("Connected"), "{line}");
}

#[test]
#[ignore = "needs the programs of npm: AGENTS names the folder of their commands"]
fn codex_installs_the_plugin_and_starts_its_server_in_the_project() {
    let Some(scenario) = scenario("codex") else { return };
    for line in documented("codex") {
        run(&scenario, &line);
    }
    let servers = run(&scenario, "codex mcp list --json");
    let servers: Value = serde_json::from_str(&servers).unwrap();
    let server = &servers[0];
    assert_eq!((&server["name"], &server["enabled"]), (&json!("discussions"), &json!(true)));
    assert_eq!(server["tool_timeout_sec"], 300.0, "{server:#}");
    let start = &server["transport"];
    assert_eq!(start["command"], "discussions");
    // The folder of the session; a folder of Codex's cache would hold the discussions.
    assert_eq!(start["cwd"], Value::Null, "{server:#}");
    let keys = start["env_vars"].as_array().unwrap();
    assert!(keys.contains(&json!("OPENAI_API_KEY")), "{server:#}");
}

#[test]
#[ignore = "needs the programs of npm: AGENTS names the folder of their commands"]
fn tools_of_the_installed_plugin_write_into_the_project() {
    for program in ["claude", "codex"] {
        let Some(_) = scenario(program) else { continue };
        clients::discusses(program, |scenario| {
            for line in documented(program) {
                run(scenario, &line);
            }
            clients::set_up_with_plugin(scenario, program)
        });
    }
}

#[test]
#[ignore = "needs the programs of npm: AGENTS names the folder of their commands"]
fn opencode_connects_to_the_server_that_init_configured() {
    let Some(scenario) = scenario("opencode") else { return };
    // Settings with comments, as people have them.
    scenario.write("opencode.jsonc", b"{\n  // quiet\n  \"autoupdate\": false\n}\n");
    scenario.discussions(&["init", "--agent", "opencode"]).code(0);
    let servers = run(&scenario, "opencode mcp list");
    let line = servers.lines().find(|line| line.contains("discussions")).unwrap();
    assert!(line.contains("connected"), "{servers}");
}
