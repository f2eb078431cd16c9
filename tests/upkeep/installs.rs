//! Every package that the project's own scripts install has a fixed version, and CONTRIBUTING.md says who publishes it.

use std::collections::BTreeSet;

use regex::Regex;

use super::files::{File, files, read};

/// Folders with scripts and workflows that install packages.
const SCRIPTS: [&str; 7] =
    [".ci/", ".github/", "action.yml", "action/", "editors/", "packaging/", "tests/editors/"];

/// Whether a file is a script of a shell or a workflow. Scripts in other languages install from lists, which are checked.
fn is_script(file: &File) -> bool {
    let is_shell = |line: &str| line.starts_with("#!") && line.ends_with("sh");
    file.is_in(&SCRIPTS)
        && (file.path.ends_with(".yml") || file.text.lines().next().is_some_and(is_shell))
}

/// Returns the packages that the install commands of a script name, as they are written.
fn named_packages(script: &str) -> Vec<String> {
    let commands = Regex::new(
        r#"(?x)\b(?:
            (?P<install> npm\ (?:install|i|ci|add) | pip3?"?\ install | cargo\ (?:install|binstall)
                | uv\ tool\ install | uv\ pip\ install | pipx\ install | gem\ install | go\ install)
            | (?P<run> npx | uvx | pipx\ run | npm\ exec)
        )\s(?P<rest>[^\n]*)"#,
    )
    .unwrap();
    let code: Vec<&str> =
        script.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    let code = code.join("\n").replace("\\\n", " ");
    let mut packages = Vec::new();
    for found in commands.captures_iter(&code) {
        // A finished file is installed, and no registry is asked.
        let rest = &found["rest"];
        if ["--no-index", "--no-install", "--offline"].iter().any(|word| rest.contains(word)) {
            continue;
        }
        let words = arguments(rest);
        if found.name("install").is_some() {
            packages.extend(words);
        } else {
            // What follows the program are its own arguments.
            packages.extend(words.into_iter().take(1));
        }
    }
    packages
}

/// Returns the arguments of a command up to its end, without options and their values.
fn arguments(rest: &str) -> Vec<String> {
    let with_value =
        ["--prefix", "--root", "-r", "--requirement", "--target", "-d", "--dest", "--python", "-c"];
    let mut arguments = Vec::new();
    let mut words = rest.split_whitespace();
    while let Some(mut word) = words.next() {
        if [";", "&&", "||", "|", "}", ")", ">", "2>&1"].contains(&word) || word.starts_with('>') {
            break;
        }
        let is_value = with_value.contains(&word);
        if is_value {
            word = words.next().unwrap_or_default();
        }
        let bare = word.trim_matches(['"', '\'', ';', ')', '`']);
        if !is_value && !bare.starts_with('-') && !bare.is_empty() {
            arguments.push(bare.to_owned());
        }
        if word.ends_with([';', ')']) {
            break;
        }
    }
    arguments
}

/// Whether an argument names a version, a file, or a list whose file is checked.
fn is_fixed(argument: &str) -> bool {
    let version = Regex::new(r"(?:==|.@)\d+\.\d+\.\d+[\w.-]*$").unwrap();
    let is_path = argument.starts_with(['.', '/', '$']) && !argument.contains('@');
    version.is_match(argument) || is_path || argument == "$@"
}

/// Returns the packages of a requirements.txt or a package.json with their versions.
fn listed_packages(file: &File) -> Option<Vec<(String, String)>> {
    let name = file.name();
    if name.starts_with("requirements") && name.ends_with(".txt") {
        let lines = file.text.lines().map(|line| line.split(" #").next().unwrap().trim());
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '-']));
        return Some(
            lines
                .map(|line| {
                    let line =
                        line.split(';').next().unwrap().split(" --hash=").next().unwrap().trim();
                    let (name, version) = line.split_once("==").unwrap_or((line, "none"));
                    (name.split('[').next().unwrap().to_owned(), version.to_owned())
                })
                .collect(),
        );
    }
    if name != "package.json" {
        return None;
    }
    let manifest = file.json();
    let mut packages = Vec::new();
    for kind in ["dependencies", "devDependencies", "optionalDependencies"] {
        for (name, version) in manifest[kind].as_object().into_iter().flatten() {
            packages.push((name.clone(), version.as_str().unwrap_or_default().to_owned()));
        }
    }
    Some(packages)
}

#[test]
fn install_commands_name_versions() {
    let mut loose = Vec::new();
    for file in files().iter().filter(|file| is_script(file)) {
        let packages = named_packages(&file.text).into_iter();
        let found = packages.filter(|argument| !is_fixed(argument));
        loose.extend(found.map(|argument| format!("{}: {argument}", file.path)));
    }
    assert!(loose.is_empty(), "these name no version:\n{}", loose.join("\n"));
}

#[test]
fn tool_of_a_release_has_the_version_of_the_tests() {
    let files = files();
    let listed = |path: &str| {
        let file = files.iter().find(|file| file.path.ends_with(path)).unwrap();
        listed_packages(file).unwrap()
    };
    let all = listed("packaging/requirements.txt");
    for package in listed("packaging/requirements-build.txt") {
        assert!(all.contains(&package), "{package:?}");
    }
}

#[test]
fn lists_of_packages_name_versions() {
    let exact = Regex::new(r"^\d+(?:\.\d+)+(?:[.-]?\w+)*$").unwrap();
    let mut loose = Vec::new();
    for file in files() {
        for (name, version) in listed_packages(&file).into_iter().flatten() {
            if !exact.is_match(&version) {
                loose.push(format!("{}: {name} {version}", file.path));
            }
        }
    }
    assert!(loose.is_empty(), "these are no exact versions:\n{}", loose.join("\n"));
}

#[test]
fn contributing_says_who_publishes_each_package() {
    let page = read("CONTRIBUTING.md");
    let mut names = BTreeSet::new();
    for file in files() {
        let own = |name: &str| name == "discussions" || name.starts_with("@discussions-md/");
        let listed = listed_packages(&file).into_iter().flatten();
        names.extend(listed.map(|(name, _)| name).filter(|name| !own(name)));
        if is_script(&file) {
            let fixed = named_packages(&file.text).into_iter().filter(|word| !word.contains('$'));
            names.extend(fixed.filter_map(|word| {
                let (name, _) = word.split_once("==").or_else(|| word.rsplit_once('@'))?;
                Some(name.to_owned())
            }));
        }
    }
    let silent: Vec<&String> =
        names.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(silent.is_empty(), "CONTRIBUTING.md does not say who publishes {silent:?}");
}

#[test]
fn loose_packages_are_found_in_scripts() {
    let script = "npm install --prefix \"$x\" --silent \\\n  left-pad@2 @a/b@1.2.3 \"$n@22.1.0\" || true\n\
        pip install -r list.txt ruff\nif pip install -r \"$list\"; then\n  # npm install comment\n(cargo install --locked shear)\n\
        npx cowsay@1.2.3 hello\nuvx --offline --from ./x.whl y\nnpm install \"$@\"; echo done\n";
    let packages = named_packages(script);
    let wanted = ["left-pad@2", "@a/b@1.2.3", "$n@22.1.0", "ruff", "shear", "cowsay@1.2.3", "$@"];
    assert_eq!(packages, wanted);
    let loose: Vec<&String> = packages.iter().filter(|word| !is_fixed(word)).collect();
    assert_eq!(loose, ["left-pad@2", "ruff", "shear"]);
}
