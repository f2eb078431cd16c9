//! The schemas of Agent Plugins and of the MCP Registry, and a linter for plugins. All are in one package of PyPI.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::source;

/// Runs a program, and asserts that it finds nothing.
fn passes(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{command:?}: {said} {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Finds a schema of the package below the folder of an environment.
fn schema(environment: &Path, name: &str) -> PathBuf {
    let libraries = fs::read_dir(environment.join("lib")).unwrap();
    let mut found =
        libraries.map(|it| it.unwrap().path().join("site-packages/skillsaw/schemas").join(name));
    found.find(|path| path.exists()).unwrap_or_else(|| panic!("the package has no {name}"))
}

#[test]
#[ignore = "needs packages of PyPI: SKILLSAW names the folder of a virtual environment with tests/agents/requirements.txt"]
fn schemas_and_linter_accept_every_generated_file() {
    let Some(environment) = std::env::var_os("SKILLSAW").map(PathBuf::from) else {
        eprintln!("skipped: SKILLSAW names no environment with the schemas of plugins");
        return;
    };
    let programs = environment.join("bin");
    // The linter also reads other files of a repository, so it gets a copy of the generated ones.
    let copy = tempfile::tempdir().unwrap();
    for (name, text) in source::files() {
        let path = copy.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    for (file, name) in [
        ("plugin/plugin.json", "agent_plugins/v1_0_0/plugin.schema.json"),
        ("plugin/mcp.json", "agent_plugins/v1_0_0/mcp.schema.json"),
        ("server.json", "mcp_registry/v2025_12_11/server.schema.json"),
    ] {
        let schema = schema(&environment, name);
        let mut check = Command::new(programs.join("check-jsonschema"));
        passes(check.arg("--schemafile").arg(schema).arg(copy.path().join(file)));
    }
    passes(Command::new(programs.join("skillsaw")).arg("lint").arg(copy.path()));
}
