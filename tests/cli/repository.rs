//! `discussions init` and `discussions merge`

use super::scenario::Scenario;

#[test]
fn a_folder_becomes_a_project_and_its_repository_is_set_up() {
    let scenario = Scenario::new();
    scenario
        .discussions(&["init"])
        .code(0)
        .stdout("Created: discussions.yaml\n")
        .notes("this is no git repository");
    scenario.git(&["init", "-q"]);
    scenario
        .discussions(&["init", "--hook"])
        .code(0)
        .says("Added to .gitattributes: discussions/*.md merge=discussions eol=lf\n")
        .says("Created: .git/hooks/pre-commit\n");
    scenario.discussions(&["init", "--hook"]).code(0).stdout("Everything is set up already.\n");
    scenario.discussions(&["new", "A"]).code(0);
}

#[test]
fn two_branches_that_both_appended_merge_through_git() {
    let scenario = Scenario::with_discussion().on_path();
    scenario.git(&["init", "-q"]);
    scenario.discussions(&["init"]).code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]).git(&["branch", "other"]);
    scenario.discussions(&["comment", "caching", "From main."]).code(0);
    scenario.git(&["commit", "-qam", "Main"]).git(&["checkout", "-q", "other"]);
    scenario.discussions(&["comment", "caching", "From other.", "--as", "Ann"]).code(0);
    scenario.git(&["commit", "-qam", "Other"]).git(&["merge", "-q", "main", "-m", "Merge"]);
    let text = scenario.read("discussions/caching.md");
    assert!(text.contains("From main.") && text.contains("From other."), "{text}");
    assert!(!text.contains("<<<<<<<"), "{text}");
    scenario.discussions(&["check", "--strict"]).code(0);
}

#[test]
fn gits_own_files_are_no_place_for_a_project() {
    let scenario = Scenario::new();
    scenario.git(&["init", "-q", "--bare"]);
    scenario.discussions(&["init"]).code(3).stdout("").notes("no work tree").notes("in a clone");
    assert!(!scenario.path("discussions.yaml").exists());

    let scenario = Scenario::new();
    scenario.git(&["init", "-q"]);
    let run = scenario.program_under_test().arg("init").current_dir(scenario.path(".git")).output();
    assert_eq!(run.unwrap().status.code(), Some(3));
    assert!(!scenario.path(".git/discussions.yaml").exists());
}

#[test]
fn a_worktree_of_a_bare_repository_can_be_a_project() {
    let scenario = Scenario::new();
    scenario.git(&["init", "-q", "--bare"]);
    let empty = scenario.try_git(&["hash-object", "-w", "-t", "tree", "/dev/null"]).code(0).stdout;
    let begin = scenario.try_git(&["commit-tree", "-m", "Begin", empty.trim()]).code(0).stdout;
    scenario.git(&["worktree", "add", "-q", "-b", "talks", "tree", begin.trim()]);
    let run = scenario.program_under_test().arg("init").current_dir(scenario.path("tree")).output();
    assert_eq!(run.unwrap().status.code(), Some(0));
    assert!(scenario.path("tree/discussions.yaml").exists());
}

#[test]
fn edited_text_conflicts_loudly() {
    let base = "# A\n\nOld.\n\n---\n\nName: Rob\n\nHello.\n\n---\n";
    let scenario = Scenario::new()
        .file("base", base)
        .file("ours", &base.replace("Hello", "Hallo"))
        .file("theirs", &format!("{base}\nName: Ann\n\nMore.\n\n---\n"));
    scenario
        .discussions(&["merge", "base", "ours", "theirs", "talks/a.md"])
        .code(1)
        .notes("warning: talks/a.md: ");
    assert!(scenario.read("ours").contains("<<<<<<<"));
}

#[test]
fn completions_are_printed() {
    let scenario = Scenario::new();
    scenario.discussions(&["completions", "bash"]).code(0).says("_discussions");
    scenario.discussions(&["completions", "nosuch"]).code(2);
}
