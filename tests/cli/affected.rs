//! Decisions about files (`AFFECTS:`): `decisions --for`, `decisions --diff`, and the patterns in `check`.

use super::scenario::{Run, Scenario};
use super::schema::errors;
use super::template::Template;

/// A discussion that a person closed, with these lines.
fn closed(title: &str, says: &str) -> String {
    format!("# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n")
}

/// A repository with decisions about the database, all Rust files, and the whole project.
fn project() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let base = closed(
            "Database",
            "DECISION: use PostgreSQL\n\nAFFECTS: `src/db/**`, `Cargo.toml`\n\nDECISION: no ORM\n\nAFFECTS: `src/models/`",
        );
        let rust = closed("Rust", "DECISION: no unsafe\n\nAFFECTS: `*.rs`, `!gen.rs`");
        let none = closed("Names", "DECISION: short names");
        let scenario = Scenario::new()
            .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
            .file("discussions/database.md", &base)
            .file("discussions/rust.md", &rust)
            .file("discussions/names.md", &none)
            .file("src/db/schema.sql", "create table a ();\n")
            .file("src/models/user.py", "x = 1\n")
            .file("src/gen.rs", "\n")
            .file("src/main.rs", "fn main() {}\n")
            .file("Cargo.toml", "[package]\n");
        scenario.init_git().git(&["add", "-A"]).git(&["commit", "-qm", "Base"]);
        scenario
    });
    TEMPLATE.copy()
}

fn names(run: Run) -> Vec<String> {
    let log = run.code(0).json();
    let mut names: Vec<String> = log
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// Checks a document against its schema.
fn assert_valid(scenario: &Scenario, name: &str, document: &serde_json::Value) {
    let schema = scenario.discussions(&["schema", name]).code(0).json();
    assert_eq!(errors(&schema, document), Vec::<String>::new());
}

#[test]
fn decisions_are_found_by_the_files_that_they_affect() {
    let scenario = project();
    let found = |paths: &[&str]| {
        let line = [&["decisions", "--json", "--for"], paths].concat();
        names(scenario.discussions(&line))
    };
    assert_eq!(found(&["src/db/schema.sql"]), ["database"]);
    assert_eq!(found(&["src/main.rs"]), ["rust"]);
    assert_eq!(found(&["src/gen.rs"]), Vec::<String>::new());
    assert_eq!(found(&["src/db/gone/old.sql"]), ["database"], "the file need not exist");
    assert_eq!(found(&["src/models"]), ["database"], "a folder stands for its files");
    assert_eq!(found(&["."]), ["database", "rust"]);
    assert_eq!(found(&["README.md"]), Vec::<String>::new());
    assert_eq!(found(&["README.md", "Cargo.toml", "src/main.rs"]), ["database", "rust"]);
    let log = scenario.discussions(&["decisions", "--for", "src/main.rs", "--json"]).code(0).json();
    assert_valid(&scenario, "decisions", &log);
    scenario
        .discussions(&["decisions", "--for", "README.md"])
        .notes("no decision in force matches");
    let outside = scenario.discussions(&["decisions", "--for", "/etc/passwd"]).code(3);
    outside.notes("a file must be in the project");
}

#[test]
fn paths_start_from_the_working_folder() {
    let scenario = project();
    let mut command = scenario.program_under_test();
    command.current_dir(scenario.path("src/db"));
    let output = command.args(["decisions", "--for", "schema.sql", "../main.rs"]).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("use PostgreSQL") && shown.contains("no unsafe"), "{shown}");
}

#[test]
fn replaced_decision_affects_no_files() {
    let scenario = project();
    let new = closed("SQLite", "DECISION: use SQLite\n\nSUPERSEDES: database.md#D1");
    scenario.write("discussions/sqlite.md", new.as_bytes());
    let found = |path: &str| names(scenario.discussions(&["decisions", "--json", "--for", path]));
    assert_eq!(found("Cargo.toml"), Vec::<String>::new());
    assert_eq!(found("src/models/user.py"), ["database"], "D2 is in force");
}

#[test]
fn decisions_are_found_by_changed_files() {
    let scenario = project();
    let found =
        |range: &str| names(scenario.discussions(&["decisions", "--json", "--diff", range]));
    assert_eq!(found("HEAD"), Vec::<String>::new());
    scenario.write("src/main.rs", b"fn main() { }\n");
    assert_eq!(found("HEAD"), ["rust"], "a single commit is compared with the working tree");
    scenario.git(&["commit", "-qam", "Change"]).git(&["switch", "-qc", "branch", "HEAD~1"]);
    scenario.git(&["mv", "src/db/schema.sql", "schema.sql"]).git(&["commit", "-qm", "Move"]);
    assert_eq!(found("HEAD~1..HEAD"), ["database"], "the old name of a renamed file counts");
    scenario.git(&["mv", "schema.sql", "src/models/schema.sql"]).git(&["commit", "-qm", "Back"]);
    assert_eq!(found("HEAD~1..HEAD"), ["database"], "the new name of a renamed file counts");
    assert_eq!(found("main..HEAD"), ["database", "rust"]);
    assert_eq!(found("main...HEAD"), ["database"]);
    let unknown = scenario.discussions(&["decisions", "--diff", "nope..HEAD"]).code(3);
    unknown.notes("nope..HEAD: git cannot show these changes");
    let outside = Scenario::new().discussions(&["decisions", "--diff", "HEAD"]).code(3);
    outside.notes("only in a git repository");
}

#[test]
fn project_below_the_top_of_its_repository_has_its_own_root() {
    let scenario = Scenario::new()
        .file("app/discussions.yaml", "author: Rob\n")
        .file("app/discussions/a.md", &closed("A", "DECISION: a\n\nAFFECTS: `/src/`"))
        .file("app/src/x", "1\n")
        .file("src/x", "1\n");
    scenario.init_git().git(&["add", "-A"]).git(&["commit", "-qm", "Base"]);
    let found = |range: &str| {
        let mut command = scenario.program_under_test();
        command.current_dir(scenario.path("app"));
        let output = command.args(["decisions", "--diff", range]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    scenario.write("src/x", b"2\n");
    assert_eq!(found("HEAD"), "", "this file is outside of the project");
    scenario.write("app/src/x", b"2\n");
    assert!(found("HEAD").contains("a"), "{}", found("HEAD"));
}

#[test]
fn no_filter_of_a_clone_runs_for_a_list_of_changes() {
    let scenario = project();
    scenario.git(&["config", "filter.own.clean", "touch ran; cat"]);
    scenario.write(".gitattributes", b"*.rs filter=own\n");
    scenario.write("src/main.rs", b"fn main() { 1; }\n");
    scenario.discussions(&["decisions", "--diff", "HEAD"]).code(0);
    assert!(!scenario.path("ran").exists());
}

#[test]
fn no_filter_of_a_clone_runs_for_the_times_of_a_list() {
    let scenario = project();
    scenario.git(&["config", "filter.own.clean", "touch ran; cat"]);
    scenario.write(".gitattributes", b"*.md filter=own\n");
    let text = std::fs::read_to_string(scenario.path("discussions/database.md")).unwrap();
    scenario.write("discussions/database.md", format!("{text}\nMore.\n").as_bytes());
    scenario.discussions(&["list"]).code(0);
    assert!(!scenario.path("ran").exists());
}

#[test]
fn check_warns_about_patterns_that_are_invalid_or_match_nothing() {
    let scenario = project();
    let wrong =
        closed("Wrong", "DECISION: a\n\nAFFECTS: `src/{a`, `Cargo.toml`, `docs/**`, `ignored.txt`");
    scenario.write("discussions/wrong.md", wrong.as_bytes());
    scenario.write(".gitignore", b"ignored.txt\n");
    scenario.write("ignored.txt", b"x\n");
    let quick = scenario.discussions(&["check"]).code(0);
    let quick = quick
        .says("discussions/wrong.md:9:11: warning: this pattern is ignored, because it is invalid");
    quick.says("[pattern-invalid]").stdout_lacks("pattern-unmatched");
    let full = scenario.discussions(&["check", "--git"]).code(0);
    let full = full.says("[pattern-invalid]").says(
        "discussions/wrong.md:9:35: warning: no file of the project matches this pattern: docs/**",
    );
    let full =
        full.says("no file of the project matches this pattern: ignored.txt [pattern-unmatched]");
    assert_eq!(full.stdout.matches("pattern-unmatched").count(), 2, "{}", full.stdout);
    scenario.write("docs/new.md", b"New, and not in git yet.\n");
    scenario.discussions(&["check", "--git"]).stdout_lacks("this pattern: docs");
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "More"]);
    scenario.discussions(&["check", "--git", "--strict"]).code(1);
}
