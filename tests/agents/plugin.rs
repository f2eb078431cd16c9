//! The plugin for coding agents and its catalogues: every file is generated from the texts of `init --agent` and from
//! Cargo.toml. `UPDATE_PLUGIN=1` writes the files anew.

mod checks;
mod hosts;
mod linters;
mod source;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The folders that hold generated files only.
const FOLDERS: [&str; 3] = ["plugin", ".claude-plugin", ".agents"];

/// The repository's root.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Collects the files below a folder, by path below the root.
fn files_below(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.insert(path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned());
        }
    }
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
    let mut there = BTreeSet::new();
    FOLDERS.iter().for_each(|folder| files_below(&root().join(folder), &mut there));
    let unknown: Vec<_> = there.into_iter().filter(|name| !wanted.contains_key(name)).collect();
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
