//! Tests that need a real browser. They are ignored because not every machine has one; `.ci/foreign` installs it and runs
//! them.
//!
//! `BROWSER` is a folder in which `playwright-core` is installed (`tests/serve/browser/package.json`), `CHROMIUM` the
//! browser; `PICTURES=1` rewrites the pictures of `docs/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::server::Server;
use crate::cli::Scenario;

/// Returns the folder of scripts and the browser; prints a message and returns `None` if one of them is missing.
fn browser() -> Option<(PathBuf, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder =
        std::env::var_os("BROWSER").map_or_else(|| root.join("target/browser"), Into::into);
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let known = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].map(PathBuf::from);
    let chromium = named.into_iter().chain(known).find(|path| path.exists());
    match chromium.filter(|_| folder.join("node_modules/playwright-core").exists()) {
        Some(chromium) => Some((folder, chromium)),
        None => {
            println!(
                "skipped: how a page looks and behaves in a browser (needs Node, playwright-core and chromium-headless-shell)"
            );
            None
        }
    }
}

/// Runs a script of `tests/serve/browser/` and returns its output.
fn script(name: &str, args: &[&str]) -> Option<String> {
    let (folder, chromium) = browser()?;
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/browser").join(name);
    // Beside the packages, where a module searches for them.
    std::fs::copy(from, folder.join(name)).unwrap();
    let run =
        Command::new("node").arg(folder.join(name)).args(args).env("CHROMIUM", chromium).output();
    let run = run.unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    Some(said)
}

#[test]
#[ignore = "needs a browser"]
fn browser_shows_two_tabs_and_blocks_attack_and_foreign_site() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    let address = format!("http://{}/?token={}", server.host(), server.key);
    if let Some(said) = script("look.mjs", &[&address]) {
        assert_eq!(said.trim(), "ok");
    }
}

/// Returns a project with the discussions of `examples/`.
fn examples() -> Scenario {
    let scenario = Scenario::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for example in root.join("examples").read_dir().unwrap().flatten() {
        if example.path().extension().is_some_and(|kind| kind == "md") {
            let text = std::fs::read(example.path()).unwrap();
            let name = example.file_name().into_string().unwrap();
            scenario.write(&format!("discussions/{name}"), &text);
        }
    }
    scenario
}

#[test]
#[ignore = "needs a browser"]
fn site_fits_three_widths_from_a_folder_and_under_a_path() {
    let scenario = examples();
    scenario.discussions(&["export", "--site", "public"]).code(0);
    let folder = scenario.path("public").canonicalize().unwrap();
    let page = "d/feature-user-authentication.html";
    if let Some(said) = script("site.mjs", &[folder.to_str().unwrap(), "index.html", page]) {
        assert_eq!(said, "");
    }
}

#[test]
#[ignore = "needs a browser"]
fn page_fits_three_widths_in_light_and_dark() {
    let scenario = examples();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let server = Server::with_mock(&scenario);
    let address = format!("http://{}/?token={}", server.host(), server.key);
    let kept = tempfile::tempdir().unwrap();
    let wanted = std::env::var_os("PICTURES").is_some();
    let folder = if wanted { root.join("docs/serve") } else { kept.path().to_owned() };
    let path = "/d/feature-user-authentication";
    if let Some(said) = script("pictures.mjs", &[&address, path, folder.to_str().unwrap()]) {
        assert_eq!(said, "", "nothing goes beyond the edge");
        let pictures: Vec<_> = folder.read_dir().unwrap().flatten().collect();
        assert_eq!(pictures.len(), 6);
        for picture in pictures {
            let size = picture.metadata().unwrap().len();
            assert!((10_000..200_000).contains(&size), "{picture:?} has {size} bytes");
        }
    }
}

#[test]
#[ignore = "needs a browser"]
fn page_of_a_long_list_fits_three_widths() {
    let scenario = examples();
    for number in 1..=120 {
        let text = format!(
            "# Which queue, and how long does it keep what we send? {number}\n\n---\n\nName: Rob\n\nHm.\n\n---\n"
        );
        scenario.write(&format!("discussions/queue{number}.md"), text.as_bytes());
    }
    let server = Server::with_mock(&scenario);
    let address = format!("http://{}/?token={}", server.host(), server.key);
    let folder = tempfile::tempdir().unwrap();
    let args = [&address, "/?page=2", folder.path().to_str().unwrap()];
    if let Some(said) = script("pictures.mjs", &args) {
        assert_eq!(said, "", "nothing goes beyond the edge");
    }
}
