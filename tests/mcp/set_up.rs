//! `init --agent`: adds lines to existing files and overwrites nothing.

use serde_json::Value;

use crate::cli::Scenario;

#[test]
fn each_agent_is_set_up_once_and_existing_lines_stay() {
    let scenario = Scenario::new()
        .file(".mcp.json", "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}}\n")
        .file(".codex/config.toml", "# mine\nmodel = \"gpt\"\n");
    for (agent, file, skill) in [
        ("claude", ".mcp.json", ".claude/skills/discussions/SKILL.md"),
        ("codex", ".codex/config.toml", ".agents/skills/discussions/SKILL.md"),
        ("gemini", ".gemini/settings.json", ".gemini/skills/discussions/SKILL.md"),
    ] {
        let run = scenario.discussions(&["init", "--agent", agent]).code(0);
        assert!(run.stdout.contains(&format!("Added to {file}: ")), "{}", run.stdout);
        assert!(scenario.read(skill).starts_with("---\nname: discussions\n"));
        let (told, own) = (scenario.read(file), "my own words\n");
        scenario.write(skill, own.as_bytes());
        scenario.discussions(&["init", "--agent", agent]).code(0);
        assert_eq!(scenario.read(file), told, "once is enough");
        assert_eq!(scenario.read(skill), own);
    }
    let json: Value = serde_json::from_str(&scenario.read(".mcp.json")).unwrap();
    assert_eq!(json["mcpServers"]["other"]["command"], "x");
    assert_eq!(json["mcpServers"]["discussions"]["args"][0], "mcp");
    let toml = scenario.read(".codex/config.toml");
    assert!(toml.starts_with("# mine\nmodel = \"gpt\"\n"), "{toml}");
    assert!(toml.contains("[mcp_servers.discussions]"), "{toml}");
}

#[test]
fn unreadable_file_is_left_alone_and_links_are_not_followed() {
    let odd = "{\"theme\": 1, // mine\n}\n";
    let scenario =
        Scenario::new().file(".gemini/settings.json", odd).file("elsewhere.json", "{}\n");
    let run = scenario.discussions(&["init", "--agent", "gemini"]).code(0);
    assert!(run.stderr.contains("add this line to it: {\"mcpServers\""), "{}", run.stderr);
    assert_eq!(scenario.read(".gemini/settings.json"), odd);
    std::os::unix::fs::symlink(scenario.path("elsewhere.json"), scenario.path(".mcp.json"))
        .unwrap();
    let run = scenario.discussions(&["init", "--agent", "claude"]).code(3);
    assert!(run.stderr.contains("a symbolic link is in the way"), "{}", run.stderr);
    assert_eq!(scenario.read("elsewhere.json"), "{}\n");
}
