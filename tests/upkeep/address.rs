//! One address of the repository, in every file that names it: Cargo.toml says which.

use regex::Regex;

use super::files::{File, files, package};

/// The owner and the name at the end of the repository's address.
fn owner_and_name() -> (String, String) {
    let address = package("repository");
    let path = address.strip_prefix("https://github.com/").expect("an address on the forge");
    let (owner, name) = path.split_once('/').expect("an owner and a name");
    (owner.to_owned(), name.to_owned())
}

/// Returns patterns whose first group is the owner: in an address, in the name of the MCP server, in the scope of the npm
/// packages, in the tap, and in a use of the action.
fn places(name: &str) -> Vec<Regex> {
    let places = [
        // The end keeps addresses of other repositories apart, for example `.../discussions-archive`.
        format!(
            r#"(?:github|githubusercontent)\.com[:/]([\w.-]+)/(?:{name}|homebrew-tap)(?:\.git)?(?:[/#?"'`<>)\]\s,]|$)"#
        ),
        format!(r"\bio\.github\.([\w-]+)/{name}\b"),
        format!(r"@({name}[\w-]*)/[\w-]*(?:linux|darwin|win32)"),
        format!(r"\bbrew install ([\w-]+)/tap/{name}\b"),
        format!(r"\buses: ([\w.-]+)/{name}@"),
    ];
    places.iter().map(|place| Regex::new(place).unwrap()).collect()
}

/// Returns every wrong form of the address in a text.
fn wrong_addresses(text: &str, owner: &str, places: &[Regex]) -> Vec<String> {
    let mut wrong = Vec::new();
    for place in places {
        for found in place.captures_iter(text) {
            if &found[1] != owner {
                wrong.push(found[0].trim().to_owned());
            }
        }
    }
    wrong
}

#[test]
fn every_file_names_the_repository_of_the_crate() {
    let (owner, name) = owner_and_name();
    assert_eq!(package("homepage"), package("repository"));
    let places = places(&name);
    let mut wrong = Vec::new();
    // This file has wrong addresses on purpose.
    for file in files().iter().filter(|file| file.path != "tests/upkeep/address.rs") {
        let found = wrong_addresses(&file.text, &owner, &places).into_iter();
        wrong.extend(found.map(|address| format!("{}: {address}", file.path)));
    }
    assert!(wrong.is_empty(), "the owner is {owner}:\n{}", wrong.join("\n"));
}

#[test]
fn wrong_addresses_are_found_in_every_form() {
    let places = places("talks");
    let wrong = [
        "https://github.com/OWNER/talks",
        "git@github.com:other/talks.git",
        "https://raw.githubusercontent.com/other/talks/main/x",
        "brew tap https://github.com/other/homebrew-tap",
        "io.github.other/talks",
        "@talks/linux-x64",
        "brew install other/tap/talks",
        "uses: other/talks@v1",
    ];
    for text in wrong {
        assert_eq!(wrong_addresses(text, "talks-md", &places).len(), 1, "{text}");
    }
    let right = [
        "https://github.com/talks-md/talks",
        "https://github.com/talks-md/homebrew-tap",
        "https://github.com/orgs/community/talks/12",
        "https://github.com/other/talks-archive",
        "io.github.talks-md/talks",
        "@talks-md/linux-x64",
        "uses: talks-md/talks@v1",
    ];
    for text in right {
        assert_eq!(wrong_addresses(text, "talks-md", &places), [""; 0], "{text}");
    }
}

#[test]
fn packages_name_the_repository() {
    let address = package("repository");
    let is_published = |file: &&File| match file.name() {
        // Those of the tests are never published.
        "package.json" => file.json()["private"] != true,
        "pyproject.toml" | "server.json" => true,
        "plugin.json" => file.text.contains("\"version\""),
        _ => false,
    };
    let all = files();
    let silent: Vec<&str> = all
        .iter()
        .filter(is_published)
        .filter(|file| !file.text.contains(&address))
        .map(|file| file.path.as_str())
        .collect();
    assert!(silent.is_empty(), "these do not name {address}: {silent:?}");
}
