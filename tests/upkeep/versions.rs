//! One version of the program, in every file that states it: Cargo.toml says which.

use regex::Regex;
use serde_json::Value;

use super::files::{File, files, first, package, read};

/// Names of JSON files that describe a package, a plugin or a catalogue.
const MANIFESTS: [&str; 4] = ["marketplace.json", "package.json", "plugin.json", "server.json"];

/// Collects the versions that a manifest states: its own, those of the packages and plugins it lists, and those of our
/// packages that it needs.
fn stated_versions(value: &Value, versions: &mut Vec<String>) {
    let own = [&value["version"], &value["metadata"]["version"]];
    versions.extend(own.iter().filter_map(|version| version.as_str()).map(str::to_owned));
    for list in ["packages", "plugins"] {
        for entry in value[list].as_array().into_iter().flatten() {
            versions.extend(entry["version"].as_str().map(str::to_owned));
        }
    }
    for kind in ["dependencies", "optionalDependencies", "peerDependencies"] {
        for (name, version) in value[kind].as_object().into_iter().flatten() {
            if name == "discussions" || name.starts_with("@discussions-md/") {
                versions.push(version.as_str().unwrap_or_default().to_owned());
            }
        }
    }
}

#[test]
fn manifests_state_the_version_of_the_crate() {
    let version = package("version");
    let mut wrong = Vec::new();
    for file in files().iter().filter(|file| MANIFESTS.contains(&file.name())) {
        let mut versions = Vec::new();
        stated_versions(&file.json(), &mut versions);
        let other = versions.into_iter().filter(|stated| *stated != version);
        wrong.extend(other.map(|stated| format!("{}: {stated}", file.path)));
    }
    assert!(wrong.is_empty(), "not {version}:\n{}", wrong.join("\n"));
}

#[test]
fn stated_versions_are_found_in_every_place() {
    let manifest = serde_json::json!({
        "version": "1",
        "metadata": {"version": "2"},
        "packages": [{"version": "3"}],
        "plugins": [{"version": "4"}, {}],
        "optionalDependencies": {"@discussions-md/linux-x64": "5", "left-pad": "6"},
    });
    let mut versions = Vec::new();
    stated_versions(&manifest, &mut versions);
    assert_eq!(versions, ["1", "2", "3", "4", "5"]);
}

#[test]
fn other_files_state_the_version_of_the_crate() {
    let version = package("version");
    let pattern = r#"(?m)^name = "discussions"\nversion = "([^"]+)""#;
    assert_eq!(first(pattern, &read("Cargo.lock")), Some(version.clone()));
    let minor = version.rsplit_once('.').unwrap().0;
    assert!(read("SECURITY.md").contains(&format!("| {minor} | yes |")), "SECURITY.md: {minor}");
    for file in files() {
        let stated = match file.path.as_str() {
            // Either maturin takes the version from Cargo.toml, or the file states it.
            "pyproject.toml" if file.text.contains("dynamic = [\"version\"") => None,
            "pyproject.toml" => first(r#"(?m)^version = "([^"]+)""#, &file.text),
            "packaging/deb/changelog" => first(r"^discussions \(([^)~+-]+)", &file.text),
            _ => None,
        };
        assert_eq!(stated.unwrap_or_else(|| version.clone()), version, "{}", file.path);
    }
}

/// Names with a version, as commands and files of packages have them: `discussions==0.1.0`, `discussions_0.1.0_amd64.deb`.
#[test]
fn pages_and_workflows_name_packages_of_the_current_version() {
    let version = package("version");
    let named = Regex::new(r"\bdiscussions(?:@v?|==|_|-)(\d+\.\d+\.\d+)").unwrap();
    let is_read = |file: &&File| {
        file.path.ends_with(".md") && !file.is_in(&["tests/", "examples/"])
            || file.is_in(&[".github/", "action.yml", "docs/"])
    };
    let all = files();
    let mut wrong = Vec::new();
    for file in all.iter().filter(is_read) {
        for found in named.captures_iter(&file.text).filter(|found| found[1] != version) {
            wrong.push(format!("{}: {}", file.path, &found[0]));
        }
    }
    assert!(wrong.is_empty(), "not {version}:\n{}", wrong.join("\n"));
}

#[test]
fn changelog_follows_keep_a_changelog() {
    let text = read("CHANGELOG.md");
    let head = Regex::new(r"(?m)^## (.*)$").unwrap();
    let released = Regex::new(r"^\[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d{2}-\d{2}$").unwrap();
    let heads: Vec<&str> =
        head.captures_iter(&text).map(|found| found.get(1).unwrap().as_str()).collect();
    assert_eq!(heads.first(), Some(&"[Unreleased]"), "changes are collected here first");
    let versions: Vec<[u32; 3]> = heads[1..]
        .iter()
        .map(|head| {
            let found = released.captures(head).unwrap_or_else(|| panic!("`## {head}`"));
            [1, 2, 3].map(|group| found[group].parse().unwrap())
        })
        .collect();
    assert!(versions.is_sorted_by(|newer, older| newer > older), "newest first: {versions:?}");
    let kind = Regex::new(r"(?m)^### (.*)$").unwrap();
    let kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    for found in kind.captures_iter(&text) {
        assert!(kinds.contains(&&found[1]), "`### {}` is none of {kinds:?}", &found[1]);
    }
    // Each version leads to its changes, which needs an address at the end of the page.
    for head in &heads {
        let name = head.split(']').next().unwrap().trim_start_matches('[');
        let link = format!("\n[{name}]: {}/", package("repository"));
        assert!(text.contains(&link), "no link `[{name}]: ...` at the end");
    }
}

#[test]
fn changelog_has_the_version_of_the_crate() {
    let (text, version) = (read("CHANGELOG.md"), package("version"));
    let is_released = text.contains(&format!("\n## [{version}] - "));
    let is_next = text.contains(&format!("What {version} will hold."));
    assert!(is_released != is_next, "{version}: released {is_released}, next {is_next}");
}

#[test]
fn oldest_rust_is_the_same_everywhere() {
    let rust = package("rust-version");
    let page = read("CONTRIBUTING.md");
    assert!(page.contains(&format!("Rust {rust} or newer")), "CONTRIBUTING.md");
    let mut wrong = Vec::new();
    let named = Regex::new(r"\bRust (1\.\d+)").unwrap();
    for file in files().iter().filter(|file| file.path == "README.md" || file.is_in(&["docs/"])) {
        for found in named.captures_iter(&file.text).filter(|found| found[1] != rust) {
            wrong.push(format!("{}: {}", file.path, &found[0]));
        }
    }
    assert!(wrong.is_empty(), "not {rust}:\n{}", wrong.join("\n"));
    let workflow = read(".github/workflows/ci.yml");
    let job = workflow.split("\n  oldest-rust:\n").nth(1).expect("a job oldest-rust");
    assert_eq!(first(r#"RUSTUP_TOOLCHAIN: "([^"]+)""#, job), Some(rust));
}
