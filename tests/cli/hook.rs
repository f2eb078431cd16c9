//! The pre-commit hook that `discussions init --hook` writes.

use super::scenario::Scenario;

fn repository() -> Scenario {
    let scenario = Scenario::new().on_path();
    scenario.init_git();
    scenario
}

#[test]
fn hook_passes_in_a_repository_without_discussions() {
    let scenario = repository();
    scenario.discussions(&["init", "--hook"]).code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "The first of all"]);
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "A discussion"]);
    scenario.git(&["checkout", "-q", "--orphan", "pages"]).git(&["rm", "-rqf", "."]);
    scenario.write("index.html", b"<p>Pages</p>\n");
    scenario.git(&["add", "index.html"]).git(&["commit", "-qm", "A branch without discussions"]);
    scenario.discussions(&["check", "nowhere"]).code(3).notes("no such discussion");
}

#[test]
fn lost_comment_stops_the_commit() {
    let scenario = repository();
    scenario.discussions(&["init", "--hook"]).code(0);
    scenario.discussions(&["new", "Caching"]).code(0);
    let before = scenario.read("discussions/caching.md");
    scenario.discussions(&["comment", "caching", "Measure first."]).code(0);
    scenario.write("discussions/caching.md", before.as_bytes());
    scenario.git(&["add", "-A"]);
    scenario.try_git(&["commit", "-qm", "Lossy"]).code(1).notes("[block-dropped]");
}

#[test]
fn line_for_an_existing_hook_works_anywhere_in_it() {
    let scenario = repository();
    let hook = ".git/hooks/pre-commit";
    scenario.discussions(&["init", "--hook"]).code(0);
    scenario.write(hook, b"#!/bin/sh\n# discussions check --staged 'discussions'\n");
    let line = "[ ! -d 'discussions' ] || discussions check --staged 'discussions' || exit 1";
    scenario.discussions(&["init", "--hook"]).code(0).notes(line);
    scenario.write(hook, format!("#!/bin/sh\n{line}\ntouch went-on\n").as_bytes());
    scenario.discussions(&["init", "--hook"]).code(0).stdout("Everything is set up already.\n");
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Without discussions"]);
    assert!(scenario.path("went-on").exists());
}

#[test]
fn shared_hooks_folder_is_left_alone() {
    let scenario = repository();
    let shared = scenario.path("../shared hooks");
    let set = |value: &str| {
        scenario.git(&["config", "--global", "core.hooksPath", value]);
    };
    for value in [shared.to_str().unwrap(), "/dev/null"] {
        set(value);
        scenario
            .discussions(&["init", "--hook"])
            .code(0)
            .stdout_lacks("Everything")
            .notes("no hook was written: `core.hooksPath` is ")
            .notes("git config --local core.hooksPath '<root>");
    }
    assert!(!shared.exists());
    // A link to the shared folder counts as shared, too.
    std::fs::create_dir(&shared).unwrap();
    std::os::unix::fs::symlink(&shared, scenario.path("hooks")).unwrap();
    set("hooks");
    scenario.discussions(&["init", "--hook"]).code(0).notes("no hook was written");
    assert_eq!(std::fs::read_dir(&shared).unwrap().count(), 0);
    // The command from the help message works.
    let own = scenario.path(".git/hooks");
    scenario.git(&["config", "--local", "core.hooksPath", own.to_str().unwrap()]);
    scenario.discussions(&["init", "--hook"]).code(0).says("Created: .git/hooks/pre-commit\n");
}

#[test]
fn hook_is_written_in_the_work_tree_or_main_repository() {
    let scenario = repository();
    scenario.git(&["config", "core.hooksPath", ".githooks"]);
    scenario.discussions(&["init", "--hook"]).code(0).says("Created: .githooks/pre-commit\n");

    let scenario = repository();
    scenario.git(&["commit", "-q", "--allow-empty", "-m", "Begin"]);
    scenario.git(&["worktree", "add", "-q", "../linked", "-b", "linked"]);
    let linked = scenario.path("../linked");
    let run = scenario.program_under_test().args(["init", "--hook"]).current_dir(linked).output();
    let told = String::from_utf8(run.unwrap().stderr).unwrap();
    assert!(told.lines().all(|line| line.starts_with("next: ")), "{told}");
    assert!(scenario.path(".git/hooks/pre-commit").exists());
}

#[test]
fn hook_that_is_a_link_or_a_pipe_is_not_written() {
    let scenario = repository();
    scenario.git(&["config", "core.hooksPath", ".githooks"]);
    std::fs::create_dir(scenario.path(".githooks")).unwrap();
    let (hook, outside) = (scenario.path(".githooks/pre-commit"), scenario.path("../outside"));
    std::os::unix::fs::symlink(&outside, &hook).unwrap();
    scenario.discussions(&["init", "--hook"]).code(5).notes("is a broken link");
    assert!(!outside.exists());
    std::fs::remove_file(&hook).unwrap();
    assert!(scenario.command("mkfifo").arg(&hook).status().unwrap().success());
    scenario.discussions(&["init", "--hook"]).code(5).notes("is not a regular file");
    std::fs::remove_file(&hook).unwrap();
}
