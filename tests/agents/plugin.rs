//! The plugin for coding agents and its catalogues: every file is generated from the texts of `init --agent` and from
//! Cargo.toml. `UPDATE_PLUGIN=1` writes the files anew.

mod checks;
mod hosts;
mod linters;
mod source;

use std::fs;
use std::path::Path;

/// The folders that hold generated files only.
const FOLDERS: [&str; 3] = ["plugin", ".claude-plugin", ".agents"];

/// The repository's root.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn plugin_files_are_the_generated_ones() {
    let wanted = source::files();
    if std::env::var_os("UPDATE_PLUGIN").is_some() {
        FOLDERS
            .iter()
            .for_each(|folder| fs::remove_dir_all(root().join(folder)).unwrap_or_default());
        for (name, text) in &wanted {
            let path = root().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    let again = "write the files anew: UPDATE_PLUGIN=1 cargo test --test it agents::plugin";
    for (name, text) in &wanted {
        let there = fs::read_to_string(root().join(name)).unwrap_or_default();
        assert_eq!(&there, text, "{name} differs from its source; {again}");
    }
    let there = FOLDERS.iter().flat_map(|folder| crate::tracked::below(folder));
    let unknown: Vec<_> = there.filter(|name| !wanted.contains_key(*name)).collect();
    assert!(unknown.is_empty(), "no source generates {unknown:?}; {again}");
}

#[test]
fn skill_of_the_plugin_is_the_one_that_init_writes() {
    let scenario = crate::cli::Scenario::new();
    scenario.discussions(&["init", "--agent", "codex"]).code(0);
    let files = source::files();
    for folder in ["plugin", ".agents/plugins/discussions"] {
        let skill = &files[&format!("{folder}/skills/discussions/SKILL.md")];
        assert_eq!(skill, &scenario.read(".agents/skills/discussions/SKILL.md"), "{folder}");
    }
}
