//! Merge conflicts, and clones without the merge driver.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// Returns a discussion with conflict marks of git around the comments of both sides, and its text.
fn unmerged_file() -> (Scenario, String) {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "two"]).code(0);
    let text = scenario.read(FILE).replacen("Name: ", "<<<<<<< HEAD\nName: ", 1)
        + "=======\nName: Mira\n\none\n\n---\n>>>>>>> origin/main\n";
    scenario.write(FILE, text.as_bytes());
    (scenario, text)
}

#[test]
fn commands_refuse_a_file_with_a_conflict() {
    let (scenario, text) = unmerged_file();
    for args in [
        &["comment", "caching", "three"][..],
        &["vote", "caching", "ready"],
        &["turn", "caching", "--provider", "mock"],
        &["run", "caching", "--provider", "mock"],
        &["advance", "caching"],
        &["close", "caching"],
    ] {
        let run = scenario.discussions(args).code(3);
        run.notes("the file has a merge conflict");
        assert_eq!(scenario.read(FILE), text, "{args:?}");
    }
    let run =
        scenario.discussions_with(&["comment", "caching", "-"], "My long\nthought.\n").code(3);
    run.notes("your comment was not saved").notes("My long\nthought.");
}

#[test]
fn check_reports_only_the_conflict_and_no_next_step() {
    let (scenario, _) = unmerged_file();
    let check = scenario.discussions(&["check", "caching", "--json"]).code(1).json();
    let problems = check[0]["problems"].as_array().unwrap();
    assert!(!problems.is_empty());
    assert!(problems.iter().all(|problem| problem["code"] == "conflict"), "{check}");
    let status = scenario.discussions(&["status", "caching"]).code(0);
    assert!(!status.stderr().contains("next: "), "{}", status.stderr());
    let board = scenario.discussions(&[]).code(0).says("resolve the merge conflict in the file");
    assert!(!board.stderr().contains("discussions run"), "{}", board.stderr());
}

#[test]
fn quoted_conflict_marks_are_no_conflict() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x"]).code(0);
    scenario.discussions(&["comment", "caching", "More."]).code(0);
    scenario.discussions(&["check", "caching"]).code(0);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn clone_without_the_merge_driver_gets_a_warning() {
        let scenario = Scenario::with_discussion();
        scenario.init_git();
        let says = "this clone has no merge driver";
        let verbs = [
            &["comment", "caching", "x"][..],
            &["check"],
            &["run", "caching", "--provider", "mock"],
            &[],
        ];
        for args in verbs {
            let run = scenario.discussions(args);
            assert!(!run.stderr().contains(says), "nobody asked for a driver: {}", run.stderr());
        }
        scenario.write(".gitattributes", b"discussions/**/*.md merge=discussions eol=lf\n");
        for args in verbs {
            scenario.discussions(args).code(0).notes(says).notes("discussions init");
        }
        scenario.discussions(&["init"]).code(0);
        for args in verbs {
            let run = scenario.discussions(args);
            assert!(!run.stderr().contains(says), "{}", run.stderr());
        }
    }
}
