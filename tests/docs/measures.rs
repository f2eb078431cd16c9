//! Counts what ARCHITECTURE.md states about the size of the public interface.

use std::collections::BTreeSet;

use regex::Regex;

use super::tree::sources;

const PAGE: &str = include_str!("../../ARCHITECTURE.md");

/// The ceiling in the second column of a row of the measures.
fn ceiling(measure: &str) -> usize {
    let row = PAGE.lines().find(|line| line.starts_with(&format!("| {measure} |")));
    let cell = row.and_then(|row| row.split('|').nth(2)).unwrap_or_else(|| panic!("{measure}"));
    cell.trim().parse().unwrap_or_else(|_| panic!("{measure}: {cell}"))
}

#[track_caller]
fn holds(measure: &str, names: &BTreeSet<String>) {
    let (count, ceiling) = (names.len(), ceiling(measure));
    assert!(count <= ceiling, "{measure}: {count}, at most {ceiling}: {names:#?}");
}

/// The names at the ends of a `use` tree, each with its path.
fn leaves(prefix: &str, tree: &str, names: &mut BTreeSet<String>) {
    let tree = tree.trim();
    if let Some(inner) = tree.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let (mut depth, mut start) = (0, 0);
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    if !inner[start..at].trim().is_empty() {
                        leaves(prefix, &inner[start..at], names);
                    }
                    start = at + 1;
                }
                _ => {}
            }
        }
    } else if let Some((first, rest)) = tree.split_once("::") {
        leaves(&format!("{prefix}::{first}"), rest, names);
    } else {
        names.insert(format!("{prefix}::{tree}").replace("::self", ""));
    }
}

/// Whether a path ends in the name of a type.
fn is_type(path: &str) -> bool {
    path.rsplit("::").next().is_some_and(|last| last.starts_with(char::is_uppercase))
}

/// Collects the names of the library that a front end uses: in imports and in full paths.
fn collect_imports(code: &str, names: &mut BTreeSet<String>) {
    let used = Regex::new(r"(?s)\buse discussions::(.*?);").unwrap();
    for found in used.captures_iter(code) {
        leaves("discussions", &found[1], names);
    }
    let whole = Regex::new(r"\bdiscussions(?:::\w+)+").unwrap();
    for found in whole.find_iter(&used.replace_all(code, "")) {
        names.insert(found.as_str().to_owned());
    }
    // Names behind a module or a star would not be counted, so they are not allowed.
    let is_module = |name: &str| name.split("::").count() < 3 && !is_type(name);
    let hidden = |name: &&String| name.ends_with('*') || is_module(name) || name.contains(" as ");
    assert_eq!(names.iter().find(hidden), None);
}

#[test]
fn import_counts_of_front_ends_stay_within_the_ceilings() {
    let folders = sources("src/bin/discussions").into_iter().fold(
        std::collections::BTreeMap::<String, BTreeSet<String>>::new(),
        |mut folders, source| {
            let rest = source.path.trim_start_matches("src/bin/discussions/");
            let folder = rest.split_once('/').map_or("cli", |(folder, _)| folder);
            collect_imports(&source.code, folders.entry(folder.to_owned()).or_default());
            folders
        },
    );
    for (folder, names) in folders {
        holds(&format!("names that `src/bin/discussions/{folder}/` imports"), &names);
    }
}

#[test]
fn import_count_of_the_example_front_end_stays_within_its_ceiling() {
    let mut names = BTreeSet::new();
    collect_imports(include_str!("../../examples/watch.rs"), &mut names);
    holds("names that `examples/watch.rs` imports", &names);
}

/// The names that a module re-exports publicly, and the items that it declares itself.
fn exported(path: &str, names: &mut BTreeSet<String>) {
    let code = sources("src").into_iter().find(|source| source.path == path).unwrap().code;
    let used = Regex::new(r"(?ms)^(#\[cfg\([^\n]*\n)?pub use (.*?);").unwrap();
    for found in used.captures_iter(&code) {
        // What only the tests of this repository see is hidden.
        if found.get(1).is_none_or(|when| !when.as_str().contains("discussions_sealed")) {
            leaves(path, &found[2], names);
        }
    }
    let item =
        Regex::new(r"(?m)^pub (?:const |async )*(?:fn|struct|enum|trait|const|static|type) (\w+)");
    for found in item.unwrap().captures_iter(&code) {
        names.insert(format!("{path}::{}", &found[1]));
    }
}

/// The items of the library that are public and not hidden, each with the file that exports it.
fn public_items() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for module in
        ["codes/mod", "duration", "runner/mod", "view/mod", "workspace/mod", "discussion/mod"]
    {
        exported(&format!("src/{module}.rs"), &mut names);
    }
    names
}

/// The hidden modules and items compile for a front end too; `.ci/run` lints the program without them.
#[test]
fn front_ends_import_only_public_items() {
    let item = |name: &str| {
        let exported = name.rsplit(" as ").next().unwrap();
        exported.rsplit("::").next().unwrap().to_owned()
    };
    let public: BTreeSet<(String, String)> = public_items()
        .iter()
        .map(|name| (name.split(['/', '.']).nth(1).unwrap().to_owned(), item(name)))
        .collect();
    let mut names = BTreeSet::new();
    for source in sources("src/bin/discussions").iter().chain(&sources("examples")) {
        collect_imports(&source.code, &mut names);
    }
    let mut hidden = names.clone();
    hidden.retain(|name| {
        let parts: Vec<&str> = name.split("::").skip(1).collect();
        match parts[..] {
            // An item that `lib.rs` exports from one of its modules.
            [item] => !public.iter().any(|(_, known)| known == item),
            [module, item, ..] => !public.contains(&(module.to_owned(), item.to_owned())),
            [] => true,
        }
    });
    assert!(names.len() > 50, "only {} names were found", names.len());
    assert!(hidden.is_empty(), "these are hidden: {hidden:?}");
}

#[test]
fn one_place_decides_whether_consensus_is_reached() {
    let judged = Regex::new(r"\breached\s*(?:=|\|=|&=)[^=>]").unwrap();
    let library = sources("src").into_iter().filter(|source| source.module().is_some());
    let places: Vec<String> =
        library.filter(|source| judged.is_match(&source.code)).map(|source| source.path).collect();
    let other: Vec<_> = places
        .iter()
        // Decides inside one ballot whether its votes suffice.
        .filter(|path| !["src/engine/consensus.rs", "src/state/tally.rs"].contains(&path.as_str()))
        .collect();
    assert!(other.is_empty(), "{other:?}");
    assert!(places.contains(&"src/engine/consensus.rs".to_owned()));
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: reads the types of the whole library"]
    fn public_items_stay_within_their_ceiling() {
        holds("public items of the library", &public_items());
    }
}
