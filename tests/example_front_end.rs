//! The example of a front end (`examples/watch.rs`) uses only the public interface of the library.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Once;

use crate::finished_run::{TWO, new};
use crate::project::Project;

/// Returns the path of the example program; cargo builds examples together with tests.
fn program() -> PathBuf {
    static BUILT: Once = Once::new();
    let beside = Path::new(env!("CARGO_BIN_EXE_discussions")).parent().unwrap();
    let program = beside.join("examples").join(format!("watch{}", std::env::consts::EXE_SUFFIX));
    // Cargo does not build it if the user names one test binary.
    BUILT.call_once(|| {
        if !program.exists() {
            let build = ["build", "--quiet", "--locked", "--example", "watch"];
            assert!(Command::new(env!("CARGO")).args(build).status().unwrap().success());
        }
    });
    program
}

fn example_command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(arguments).current_dir(folder);
    command
}

fn output_of(folder: &Path, arguments: &[&str]) -> String {
    let done = example_command(folder, arguments).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn example_shows_status_comments_and_runs_a_turn() {
    let project = Project::new();
    let path = project.create(&new("feature", &TWO, &[]));
    let folder = path.parent().unwrap();
    let name = path.file_stem().unwrap().to_str().unwrap();
    assert!(output_of(folder, &["status", name]).contains("OPEN, phase initial_feedback"));
    output_of(folder, &["say", name, "Rob", "Q: Who may see it? @architect"]);
    let told = output_of(folder, &["turn", name, "mock"]);
    let asks = told.find("asks architect, security").expect("a turn begins");
    let thinks = told.find("architect thinks (mock)").expect("somebody is asked");
    let answered = told.find("architect answered").expect("and answers");
    assert!(asks < thinks && thinks < answered, "{told}");
    assert!(told.contains("Q1 Who may see it?"), "{told}");
    assert!(project.read(&path).contains("Name: AI-Architect"));
}

#[test]
fn example_reports_changes_by_others_while_watching() {
    let project = Project::new();
    let path = project.create(&new("feature", &TWO, &[]));
    let (folder, name) = (path.parent().unwrap(), path.file_stem().unwrap().to_str().unwrap());
    let mut child =
        example_command(folder, &["watch", name, "2"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("watching "));
    output_of(folder, &["say", name, "Rob", "Measure first.\n\nVOTE: READY"]);
    assert_eq!(lines.next().unwrap().unwrap(), "Rob: Measure first.");
    assert_eq!(lines.next().unwrap().unwrap(), "Rob votes READY");
    assert!(child.wait().unwrap().success());
}

#[test]
fn example_stays_short() {
    let text = include_str!("../examples/watch.rs");
    assert!(text.lines().count() <= 130, "a front end on the door stays short");
}
