//! The workflows of the forge: what they may do, what they use, and that they check what `.ci/run` checks.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::Value;

use super::files::{File, files, first, read};

/// The one workflow that `dist` writes.
const GENERATED: &str = ".github/workflows/release.yml";

fn workflows() -> Vec<File> {
    files().into_iter().filter(|file| file.is_in(&[".github/workflows/"])).collect()
}

fn parse(file: &File) -> Value {
    serde_yaml::from_str(&file.text).unwrap_or_else(|error| panic!("{}: {error}", file.path))
}

/// Returns the steps of all jobs.
fn steps(workflow: &Value) -> Vec<&Value> {
    let jobs = workflow["jobs"].as_object().unwrap().values();
    jobs.flat_map(|job| job["steps"].as_array().into_iter().flatten()).collect()
}

#[test]
fn workflows_begin_with_few_permissions() {
    for file in workflows().iter().filter(|file| file.path != GENERATED) {
        let permissions = &parse(file)["permissions"];
        let is_small = permissions
            .as_object()
            .is_some_and(|all| all.values().all(|permission| permission == "read"));
        assert!(is_small, "{}: permissions: {permissions}", file.path);
    }
}

#[test]
fn checkouts_keep_no_credentials() {
    for file in workflows() {
        let workflow = parse(&file);
        for step in steps(&workflow) {
            let is_checkout =
                step["uses"].as_str().is_some_and(|uses| uses.starts_with("actions/checkout@"));
            // The tap is another repository, which `dist` writes to.
            if is_checkout && step["with"]["repository"].is_null() {
                assert_eq!(step["with"]["persist-credentials"], false, "{}: {step}", file.path);
            }
        }
    }
}

/// A tag of an action may be moved to other code, a hash may not.
#[test]
fn actions_are_pinned_by_hash() {
    let uses = Regex::new(r"(?m)^\s*(?:- )?uses: *(\S+)(?: # (\S+))?").unwrap();
    let pinned = Regex::new(r"^([\w.-]+/[\w./-]+)@([0-9a-f]{40})$").unwrap();
    let mut hashes = BTreeMap::<String, BTreeMap<String, String>>::new();
    let all = files();
    for file in all.iter().filter(|file| file.is_in(&[".github/", "action.yml"])) {
        for found in uses.captures_iter(&file.text) {
            if found[1].starts_with("./") {
                continue;
            }
            let parts = pinned.captures(&found[1]);
            let parts = parts.unwrap_or_else(|| panic!("{}: {}", file.path, &found[1]));
            let version = found.get(2).map_or("", |version| version.as_str());
            // `dist` writes no comments.
            let says = file.path == GENERATED || version.starts_with('v');
            assert!(says, "{}: {} has no comment `# vN`", file.path, &found[1]);
            hashes
                .entry(parts[1].to_owned())
                .or_default()
                .insert(parts[2].to_owned(), file.path.clone());
        }
    }
    let mixed: Vec<_> = hashes.iter().filter(|(_, hashes)| hashes.len() > 1).collect();
    assert!(mixed.is_empty(), "one hash for each action: {mixed:#?}");
    assert!(hashes.contains_key("actions/checkout"));
}

#[test]
fn pull_requests_run_everything_and_build_on_each_system() {
    let file = workflows().into_iter().find(|file| file.path.ends_with("/ci.yml")).unwrap();
    let workflow = parse(&file);
    let runs = |command: &str| steps(&workflow).into_iter().any(|step| step["run"] == command);
    assert!(runs(".ci/run") && runs("cargo build --locked") && runs("cargo test --locked"));
    let runners = workflow["jobs"]["systems"]["strategy"]["matrix"]["runner"].as_array().unwrap();
    for system in ["macos-", "windows-"] {
        let is_there = |runner: &Value| runner.as_str().unwrap().starts_with(system);
        assert!(runners.iter().any(is_there), "{system}: {runners:?}");
    }
}

#[test]
fn release_is_made_by_the_installed_dist() {
    let version = first(r#"cargo-dist-version = "([^"]+)""#, &read("dist-workspace.toml"));
    let version = version.unwrap();
    let tools = read(".ci/requirements.txt");
    assert!(tools.contains(&format!("astral-dev-toolchain-cargo-dist=={version}\n")), "{version}");
    assert!(read(GENERATED).contains(&format!("/download/v{version}/")), "{version}");
    for job in ["packages", "publish"] {
        assert!(read("dist-workspace.toml").contains(&format!("\"./{job}\"")), "{job}");
        read(&format!(".github/workflows/{job}.yml"));
    }
}

#[test]
fn foreign_programs_run_last() {
    let run = read(".ci/run");
    assert_eq!(run.lines().last(), Some(".ci/foreign"));
    for part in ["packaging/test", "action/test", "tests/editors/run"] {
        assert!(read(".ci/foreign").contains(part), "{part}");
    }
}
