//! `discussions init` and `discussions merge`: setting up a repository, and merging through git.

use super::scenario::Scenario;

#[test]
fn init_creates_a_project_and_sets_up_its_repository() {
    let scenario = Scenario::new();
    scenario
        .discussions(&["init"])
        .code(0)
        .stdout("Created: discussions.yaml\n")
        .notes("this is not a git repository");
    scenario.init_git();
    scenario
        .discussions(&["init", "--hook"])
        .code(0)
        .says(
            "Added to .gitattributes: discussions/**/*.md merge=discussions eol=lf    (git merges",
        )
        .says("Created: .git/hooks/pre-commit\n");
    scenario.discussions(&["init", "--hook"]).code(0).stdout("Everything is set up already.\n");
    scenario.discussions(&["new", "A"]).code(0);
}

#[test]
fn branches_that_both_append_merge_through_git() {
    let scenario = Scenario::with_discussion().on_path();
    scenario.init_git();
    scenario.discussions(&["init"]).code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]).git(&["branch", "other"]);
    scenario.discussions(&["comment", "caching", "From main."]).code(0);
    scenario.git(&["commit", "-qam", "Main"]).git(&["checkout", "-q", "other"]);
    scenario
        .discussions(&["comment", "caching", "From other.", "--as", "Ann"])
        .with_warnings()
        .code(0);
    scenario.git(&["commit", "-qam", "Other"]).git(&["merge", "-q", "main", "-m", "Merge"]);
    let text = scenario.read("discussions/caching.md");
    assert!(text.contains("From main.") && text.contains("From other."), "{text}");
    assert!(!text.contains("<<<<<<<"), "{text}");
    scenario.discussions(&["check", "--strict"]).code(0);
}

/// Returns the `merge` attribute that git has for a file.
fn merge_attribute(scenario: &Scenario, path: &str) -> String {
    let output = scenario.try_git(&["check-attr", "-z", "merge", "--", path]).code(0).stdout;
    output.split('\0').nth(2).unwrap().to_owned()
}

#[test]
fn folder_name_that_git_files_cannot_express_is_refused() {
    let scenario = Scenario::new().file("discussions.yaml", "output: {directory: \"a\\nb\"}\n");
    scenario.init_git();
    scenario.discussions(&["init"]).code(5).notes("set another folder");
    assert!(!scenario.path(".gitattributes").exists());
}

#[test]
fn top_level_discussions_do_not_affect_pages_in_subfolders() {
    let scenario = Scenario::new().file("discussions.yaml", "output: {directory: .}\n");
    scenario.init_git();
    scenario.discussions(&["init"]).code(0);
    assert_eq!(merge_attribute(&scenario, "a.md"), "discussions");
    assert_eq!(merge_attribute(&scenario, "docs/guide.md"), "unspecified");
}

#[test]
fn overriding_attribute_line_is_reported_until_removed() {
    let ours = "discussions/**/*.md merge=discussions eol=lf";
    let scenario = Scenario::new().file(".gitattributes", &format!("{ours}\n*.md merge=union\n"));
    scenario.init_git();
    for _ in 0..2 {
        scenario
            .discussions(&["init"])
            .code(0)
            .stdout_lacks("Everything")
            .notes("it reports `merge: union` for discussions/x.md")
            .notes(&format!("overrides this one of .gitattributes: {ours}"))
            .notes("make it the last line of .gitattributes that matches");
    }
    scenario.write(".gitattributes", format!("*.md merge=union\n{ours}\n").as_bytes());
    scenario.write("discussions/.gitattributes", b"*.md -merge\n");
    scenario.discussions(&["init"]).code(0).notes("it reports `merge: unset`");
    std::fs::remove_file(scenario.path("discussions/.gitattributes")).unwrap();
    scenario.discussions(&["init"]).code(0).stdout("Everything is set up already.\n");
}

#[test]
fn init_is_refused_inside_of_a_git_directory() {
    let scenario = Scenario::new();
    scenario.git(&["init", "-q", "--bare"]);
    scenario
        .discussions(&["init"])
        .code(3)
        .stdout("")
        .notes("without a work tree")
        .notes("in a clone");
    assert!(!scenario.path("discussions.yaml").exists());

    let scenario = Scenario::new();
    scenario.init_git();
    let run = scenario.program_under_test().arg("init").current_dir(scenario.path(".git")).output();
    assert_eq!(run.unwrap().status.code(), Some(3));
    assert!(!scenario.path(".git/discussions.yaml").exists());
}

#[test]
fn worktree_of_a_bare_repository_can_be_a_project() {
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
fn merge_of_edited_text_is_a_conflict() {
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
fn partial_clone_is_reported_and_hides_no_other_problem() {
    let scenario = Scenario::with_discussion();
    scenario.init_git().git(&["config", "uploadpack.allowFilter", "true"]);
    for text in ["One.", "Two."] {
        scenario.discussions(&["comment", "caching", text]).code(0);
        scenario.git(&["add", "-A"]).git(&["commit", "-qm", text]);
    }
    let from = format!("file://{}", scenario.path("").display());
    scenario.git(&["clone", "-q", "--filter=blob:none", &from, "partial"]);
    scenario.write("partial/discussions/b.md", b"# B\n\n<!-- TURN: x -->\n");
    let check = scenario.discussions(&["check", "--git", "partial/discussions"]).code(1);
    check.says("this partial clone").says("[unchecked]").says("[control-malformed]");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn discussions_in_folders_of_any_name_are_merged_by_the_program() {
        let names =
            ["talks", "a b", "a[b]", "#x", "!x", "[attr]x", "q?*", r"b\c", "it's", "\"", "-x", "ä"];
        for name in names {
            let yaml = format!("output: {{directory: {}}}\n", serde_json::json!(name));
            let scenario = Scenario::new().file("discussions.yaml", &yaml);
            scenario.init_git();
            let run = scenario.discussions(&["init", "--hook"]).code(0);
            let is_next = |line: &str| line.starts_with("next: ");
            assert!(run.stderr().lines().all(is_next), "{name}: {}", run.stderr());
            for path in ["a.md", "deeper/a.md"] {
                assert_eq!(
                    merge_attribute(&scenario, &format!("{name}/{path}")),
                    "discussions",
                    "{name}"
                );
            }
            assert_eq!(merge_attribute(&scenario, "README.md"), "unspecified", "{name}");
            scenario
                .discussions(&["init", "--hook"])
                .code(0)
                .stdout("Everything is set up already.\n");
            let ignored = scenario.try_git(&["check-ignore", "-q", &format!("./{name}/a.sum.md")]);
            ignored.code(0);
        }
    }
}
