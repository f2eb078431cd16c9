//! Compares ARCHITECTURE.md with the sources.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use super::tree::{Source, root, sources};

const PAGE: &str = include_str!("../../ARCHITECTURE.md");

/// Words that pure code must not contain.
const WORLD: [&str; 14] = [
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "SystemTime",
    "Instant",
    "Utc::now",
    "Local::now",
    "tokio",
    "rand::",
    "println!",
    "print!(",
];

/// The lines of a section.
fn section(title: &str) -> impl Iterator<Item = &'static str> {
    let mut lines = PAGE.lines().skip_while(move |line| *line != format!("## {title}"));
    assert!(lines.next().is_some(), "no section `{title}`");
    lines.take_while(|line| !line.starts_with("## "))
}

/// The texts in backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The rows of a section's tables: the module in the first cell, and the words of the second.
fn modules(title: &str) -> BTreeMap<String, Vec<String>> {
    let rows = section(title).filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let (module, rest) = row.split_once('`').unwrap();
        (module.to_owned(), quoted(rest))
    })
    .collect()
}

/// The rows of the import table for modules, or for submodules such as `store/merge`.
fn imports_table(rooms: bool) -> BTreeMap<String, Vec<String>> {
    let mut rows = modules("What may import what");
    rows.retain(|name, _| name.contains('/') == rooms);
    rows
}

/// The top-level modules of the library.
fn library() -> BTreeSet<String> {
    sources("src").iter().filter_map(Source::module).collect()
}

#[test]
fn every_path_that_is_named_exists() {
    let path = Regex::new(r"^[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*/?$").unwrap();
    let rooms = imports_table(true);
    let named = quoted(PAGE).into_iter().filter(|word| word.contains('/') && path.is_match(word));
    for name in named.filter(|word| !rooms.contains_key(word)) {
        assert!(
            crate::tracked::has(&name),
            "ARCHITECTURE.md names {name}, which git does not track"
        );
    }
}

#[test]
fn every_module_is_in_the_map_and_in_the_table_of_imports() {
    let map: BTreeSet<String> =
        modules("Code map").into_keys().filter(|name| !name.contains('/')).collect();
    assert_eq!(map, library());
    let table: BTreeSet<String> = imports_table(false).into_keys().collect();
    assert_eq!(table, library());
}

#[test]
fn modules_import_what_the_table_says_and_nothing_else() {
    let allowed = imports_table(false);
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources("src") {
        let Some(module) = source.module() else { continue };
        for other in source.imports().into_iter().filter(|other| *other != module) {
            assert!(
                allowed[&module].contains(&other),
                "{}: `{module}` may not import `{other}`",
                source.path
            );
            used.entry(module.clone()).or_default().insert(other);
        }
    }
    for (module, others) in allowed {
        let used = used.remove(&module).unwrap_or_default();
        let idle: Vec<_> = others.iter().filter(|other| !used.contains(*other)).collect();
        assert!(idle.is_empty(), "`{module}` does not import {idle:?}: strike it from the table");
    }
}

/// Elsewhere, a second system would have no second implementation.
#[test]
fn only_the_platform_files_know_the_operating_system() {
    let systems = "unix|windows|target_os|target_family|target_vendor|discussions_portable";
    let known = Regex::new(&format!(
        r"\bcfg(?:_attr)?!?\([^\n]*\b(?:{systems})\b|\bstd::os::|\bsignal::unix\b|\b(?:libc|nix|rustix|signal_hook|winapi_util)::"
    ))
    .unwrap();
    let is_platform =
        |path: &str| path.starts_with("src/platform/") || path == "src/bin/discussions/platform.rs";
    let mut platforms = 0;
    for source in sources("src") {
        match known.find(&source.code) {
            Some(found) if !is_platform(&source.path) => {
                panic!("{}: move `{}` to `platform`", source.path, found.as_str())
            }
            found => platforms += usize::from(found.is_some()),
        }
    }
    assert_eq!(platforms, 4, "the two modules of the library, their `mod.rs`, and the program's");
}

#[test]
fn imports_form_no_circle() {
    let mut left = modules("What may import what");
    while !left.is_empty() {
        let free: Vec<String> = left
            .iter()
            .filter(|(_, others)| !others.iter().any(|other| left.contains_key(other)))
            .map(|(module, _)| module.clone())
            .collect();
        assert!(!free.is_empty(), "a circle among {:?}", left.keys());
        left.retain(|module, _| !free.contains(module));
    }
}

#[test]
fn rooms_of_the_store_import_what_the_table_says_and_nothing_else() {
    let allowed = imports_table(true);
    let rooms: BTreeSet<String> = std::fs::read_dir(root().join("src/store"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| format!("store/{}", path.file_name().unwrap().to_str().unwrap()))
        .collect();
    assert_eq!(allowed.keys().cloned().collect::<BTreeSet<_>>(), rooms);
    let mut used: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for source in sources("src/store").iter().filter(|source| source.path != "src/store/mod.rs") {
        let own = rooms.iter().find(|room| source.path.starts_with(&format!("src/{room}/")));
        for name in source.names_in("store") {
            let other = format!("store/{name}");
            let (path, is_room) = (&source.path, rooms.contains(&other));
            if !is_room {
                let beside = root().join(format!("src/{other}.rs")).is_file();
                assert!(beside, "{path}: say in which room or file `{name}` is");
                assert!(own.is_none_or(|own| own != "store/merge"), "{path}: `{name}` is not pure");
            } else if let Some(own) = own.filter(|own| **own != other) {
                assert!(allowed[own].contains(&other), "{path}: `{own}` may not import `{other}`");
                used.entry(own).or_default().insert(other);
            } else {
                assert!(own.is_some(), "{path}: stands beside the rooms and imports `{other}`");
            }
        }
    }
    for (room, others) in &allowed {
        let used = used.remove(room.as_str()).unwrap_or_default();
        let idle: Vec<_> = others.iter().filter(|other| !used.contains(*other)).collect();
        assert!(idle.is_empty(), "`{room}` does not import {idle:?}: strike it from the table");
    }
}

#[test]
fn files_of_the_runner_import_only_files_before_them() {
    let page = std::fs::read_to_string(root().join("src/runner/mod.rs")).unwrap();
    let comment = page.lines().map_while(|line| line.strip_prefix("//!")).collect::<String>();
    let (_, order) = comment.split_once("Each file imports only files before it:").unwrap();
    let order = quoted(order.split_once('.').unwrap().0);
    let import = Regex::new(r"\bsuper::(\w+)").unwrap();
    let mut files = BTreeSet::new();
    for source in sources("src/runner") {
        let name = source.path.trim_start_matches("src/runner/").trim_end_matches(".rs").to_owned();
        if name == "mod" {
            continue;
        }
        let place = order.iter().position(|known| *known == name);
        let place = place.unwrap_or_else(|| panic!("src/runner/mod.rs does not name `{name}`"));
        for found in import.captures_iter(&source.code) {
            let before = order[..place].iter().any(|known| *known == found[1]);
            assert!(before, "src/runner/{name}.rs may not import `{}`", &found[1]);
        }
        files.insert(name);
    }
    assert_eq!(files, order.into_iter().collect(), "files that src/runner/mod.rs names");
}

#[test]
fn merge_module_is_pure() {
    let pure = pure();
    let own = BTreeSet::from(["store".to_owned()]);
    for source in sources("src/store/merge") {
        // `use std::{..}` could import anything.
        for word in WORLD.iter().chain(&["std::time", "std::{"]) {
            assert!(!source.code.contains(word), "{}: pure code says `{word}`", source.path);
        }
        for module in source.imports().difference(&own) {
            assert!(pure.contains(module), "{}: `{module}` is not pure", source.path);
        }
    }
}

/// The modules that exist without the feature `runtime`.
fn pure() -> BTreeSet<String> {
    let lib = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let plain = Regex::new(r"(?m)^(#\[cfg\([^\n]*\n)?(?:pub )?mod (\w+);").unwrap();
    plain
        .captures_iter(&lib)
        .filter(|found| found.get(1).is_none_or(|when| !when.as_str().contains("\"runtime\"")))
        .map(|found| found[2].to_owned())
        .collect()
}

#[test]
fn pure_modules_touch_no_file_clock_or_environment() {
    let line = section("What may import what").collect::<Vec<_>>().join(" ");
    let said = line.split("The pure modules are").nth(1).unwrap().split(':').next().unwrap();
    let said: BTreeSet<String> = quoted(said).into_iter().collect();
    assert_eq!(said, pure());
    for source in sources("src") {
        if source.module().is_some_and(|module| said.contains(&module)) {
            for word in WORLD {
                assert!(!source.code.contains(word), "{}: pure code says `{word}`", source.path);
            }
        }
    }
}

/// Imports can rename; clippy checks the meaning.
#[test]
fn clippy_holds_the_pure_part_to_rules_of_its_own() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let pass = "CLIPPY_CONF_DIR=.ci/pure cargo clippy --locked --quiet --lib --no-default-features";
    assert!(read(".ci/run").contains(pass));
    let rules = read(".ci/pure/clippy.toml");
    for world in ["env", "fs", "io", "net", "process", "thread", "time"] {
        assert!(rules.contains(&format!("\"std::{world}::")), "{world}");
    }
}

#[test]
fn library_prints_nothing_and_reads_the_machine_in_one_place() {
    let looks = ["env::var", "env::current", "env::temp"];
    let mut places = BTreeSet::new();
    for source in sources("src").iter().filter(|source| source.module().is_some()) {
        for word in ["println!", "print!(", "dbg!", "Utc::now"] {
            assert!(!source.code.contains(word), "{}: `{word}`", source.path);
        }
        if looks.iter().any(|word| source.code.contains(word)) {
            places.insert(source.path.clone());
        }
    }
    // The first is for `Discussion::open` and `Discussion::create`; everything else gets what it needs as arguments. Git
    // inherits the environment of the process, so its `PATH` is read and cleaned where git is started.
    let expected = ["src/workspace/machine.rs", "src/store/git/command.rs"].map(str::to_owned);
    assert_eq!(places, BTreeSet::from(expected));
}

/// The modules that programs see, and those that only tests see.
#[test]
fn modules_for_tests_are_hidden_and_checked_as_private_ones() {
    let lib = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let declared = Regex::new(r"(?m)^((?:#\[[^\n]*\n)*)pub mod (\w+);").unwrap();
    let (hidden, public): (Vec<_>, Vec<_>) =
        declared.captures_iter(&lib).partition(|found| found[1].contains("#[doc(hidden)]"));
    let names = |found: &[regex::Captures<'_>]| -> BTreeSet<String> {
        found.iter().map(|found| found[2].to_owned()).collect()
    };
    let expected = ["codes", "duration", "runner", "view", "workspace"].map(str::to_owned);
    assert_eq!(names(&public), BTreeSet::from(expected));
    assert!(hidden.len() > 10, "{:?}", names(&hidden));
    for found in hidden {
        let (attributes, name) = (&found[1], &found[2]);
        assert!(attributes.contains("not(discussions_sealed)"), "{name} is never private");
        let private = Regex::new(&format!(r"[ (]discussions_sealed\)+\]\nmod {name};")).unwrap();
        assert!(private.is_match(&lib), "{name}");
    }
    let run = std::fs::read_to_string(root().join(".ci/run")).unwrap();
    let sealed =
        "cargo clippy --locked --quiet --lib --bins -- -D warnings --cfg discussions_sealed";
    assert!(run.contains(sealed), "no step checks the program without the hidden modules");
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    for folder in ["src", "benches", "fuzz/fuzz_targets", "tests"] {
        for source in sources(folder) {
            assert!(
                source.lines <= 500,
                "{} has {} lines: split it by idea",
                source.path,
                source.lines
            );
        }
    }
}

#[test]
fn the_engine_knows_no_pattern_by_name() {
    // Two are also words of the template language: a key of results, and a consensus method.
    let words = ["synthesis", "voting"];
    let ids = discussions::template::bundled().into_iter().map(|(id, _)| id);
    let patterns: Vec<String> =
        ids.filter(|id| !words.contains(&id.as_str())).map(|id| format!("\"{id}\"")).collect();
    let knowing = ["engine", "state", "template", "result", "runner"];
    for source in sources("src") {
        let Some(module) = source.module().filter(|module| knowing.contains(&module.as_str()))
        else {
            continue;
        };
        for pattern in &patterns {
            assert!(
                !source.code.contains(pattern.as_str()),
                "{}: `{module}` knows {pattern}",
                source.path
            );
        }
    }
}

#[test]
fn git_is_started_in_one_place() {
    let start = Regex::new(r#"Command::new\(\s*"git|output\("git"#).unwrap();
    let places: Vec<String> = sources("src")
        .into_iter()
        .filter(|source| start.is_match(&source.code))
        .map(|source| source.path)
        .collect();
    assert_eq!(places, ["src/store/git/command.rs"]);
}
