//! The protocol's own inspector as a client; it checks schemas strictly.

use serde_json::Value;

use crate::cli::Scenario;

/// Runs the inspector; returns `None` if it is not installed.
fn run_inspector(scenario: &Scenario, inspector: &str, args: &[&str]) -> Value {
    let output = scenario
        .command("node")
        .arg(inspector)
        .args(["--cli", env!("CARGO_BIN_EXE_discussions"), "mcp", "--structured"])
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {output:?}"))
}

#[test]
#[ignore = "needs npm's @modelcontextprotocol/inspector: INSPECTOR names its program"]
fn inspector_reports_no_errors() {
    let Ok(inspector) = std::env::var("INSPECTOR") else {
        eprintln!("skipped: INSPECTOR does not name the inspector's program");
        return;
    };
    let path = std::env::var("PATH").unwrap();
    let scenario = Scenario::new().env("PATH", &path);
    let tools = run_inspector(&scenario, &inspector, &["--strict", "--method", "tools/list"]);
    assert_eq!(tools["tools"].as_array().map(Vec::len), Some(9));
    let call = [
        "--method",
        "tools/call",
        "--tool-name",
        "discuss",
        "--tool-arg",
        "topic=Redis?",
        "--tool-arg",
        "provider=mock",
    ];
    let told = run_inspector(&scenario, &inspector, &call);
    assert_eq!(told["structuredContent"]["state"], "done", "{told:#}");
    assert!(
        run_inspector(&scenario, &inspector, &["--method", "resources/list"])["resources"]
            .is_array()
    );
    assert!(
        run_inspector(&scenario, &inspector, &["--method", "prompts/list"])["prompts"].is_array()
    );
}
