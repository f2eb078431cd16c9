//! How discussions begin: without a model, without a context, and in a repository that is set up.

use super::scenario::Scenario;

#[test]
fn question_without_a_model_leaves_no_folder() {
    let scenario = Scenario::new().alone();
    scenario.discussions(&["ask", "Why?"]).code(4);
    assert!(!scenario.path("discussions").exists());
    // A folder with other files stays.
    let scenario = Scenario::new().alone().file("discussions/x.md", "# X\n");
    scenario.discussions(&["ask", "Why?"]).code(4);
    assert!(scenario.path("discussions/x.md").exists());
}

#[test]
fn questions_to_the_author_are_in_no_file_of_one_command() {
    let scenario = Scenario::new();
    let discuss = ["discuss", "Use a queue?", "--pattern", "feature", "--provider", "mock"];
    scenario.discussions(&[&discuss[..], &["-c", "We need a queue."]].concat()).code(0);
    let text = scenario.read("discussions/use-a-queue.md");
    assert!(!text.contains("Not stated yet") && text.contains("We need a queue."), "{text}");
    let above = text.split("\n---\n").next().unwrap();
    assert!(above.ends_with("# Use a queue?\n\n## Context\n\nWe need a queue.\n"), "{above}");
    let new = ["new", "Sharding", "--run", "--provider", "mock"];
    let run = scenario.discussions(&new).code(0);
    run.notes("there is no context, so the participants know only the title");
    assert!(!scenario.read("discussions/sharding.md").contains("Not stated yet"));
    // A person can fill in the file of `new`, so it has the questions.
    scenario.discussions(&["new", "Login"]).code(0);
    assert!(scenario.read("discussions/login.md").contains("Not stated yet"));
}

#[test]
fn init_writes_only_for_tools_in_use_and_names_the_next_step() {
    let scenario = Scenario::new();
    scenario.init_git();
    let init = scenario.discussions(&["init"]).code(0);
    init.says("(git merges discussions comment by comment)\n").notes("next: git add ");
    assert!(!scenario.path(".prettierignore").exists() && !scenario.path(".editorconfig").exists());
    let scenario =
        Scenario::new().file("package.json", "{}").file(".editorconfig", "root = true\n");
    scenario.init_git();
    scenario.discussions(&["init"]).code(0);
    assert!(scenario.read(".prettierignore").contains("discussions/"));
    assert!(scenario.read(".editorconfig").contains("trim_trailing_whitespace = false"));
}

#[test]
fn recall_says_that_nothing_is_near() {
    let scenario = Scenario::new()
        .file("discussions/log.md", "# Which format has the log?\n\n---\n\nName: Rob\n\nDECISION: plain lines in the colour of the terminal\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n");
    let far = scenario.discussions(&["recall", "which colour is the logo"]).with_any_code();
    if !far.stdout.is_empty() {
        far.notes("no decision is close to this question");
    }
    let near = scenario.discussions(&["recall", "Which format has the log?"]).code(0);
    assert!(!near.stderr().contains("no decision is close"), "{}", near.stderr());
}

#[test]
fn misspelt_markers_are_notes_and_never_fail_a_strict_check() {
    let scenario = Scenario::with_discussion();
    let text = scenario.read("discussions/caching.md");
    let comment = "\nName: Rob\n\nDescision: use it\n\nREVIEW_BY: 2027-01-01\n\n    VOTE: READY\n\n--\n\nQuestion: who?\n\n---\n";
    scenario.write("discussions/caching.md", format!("{text}{comment}").as_bytes());
    let check = scenario.discussions(&["check", "--strict"]).code(0);
    check
        .says("write `DECISION:`")
        .says("write `REVIEW-BY:`")
        .says("four blanks")
        .says("a rule is `---`")
        .says("write `Q:`")
        .notes("0 errors, 0 warnings, 5 notes");
    let comment = ["comment", "caching", "Descision: use it"];
    scenario.discussions(&comment).with_warnings().code(0).notes("write `DECISION:`");
}

#[test]
fn hindsight_after_the_end_does_not_advise_to_reopen() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "DECISION: cache it"]).code(0);
    scenario.discussions(&["close", "caching"]).code(0);
    let run = scenario.discussions(&["comment", "caching", "HINDSIGHT: failed, it was slow"]);
    assert!(!run.code(0).stderr().contains("reopen"), "hindsight belongs after the end");
    let run = scenario.discussions(&["comment", "caching", "Too late?"]).with_warnings().code(0);
    run.notes("discussions reopen caching");
}

#[test]
fn status_shows_what_is_open_and_the_share_of_votes() {
    let scenario = Scenario::new();
    let new = ["new", "Caching", "--context", "Slow.", "--run", "--provider", "mock"];
    scenario.discussions(&new).code(0);
    let said = "TODO: measure it\n\nCONCERN: it may grow";
    scenario.discussions(&["comment", "caching", said]).code(0);
    let status = scenario.discussions(&["status", "caching"]).code(0);
    status
        .says("Open Tasks (1):\n")
        .says("T1: measure it")
        .says("Open Concerns (1):\n")
        .says("it may grow")
        .says("Share: 3 of 3 for READY, 100 %, needs 67 %\n");
    let early = Scenario::with_discussion();
    early.discussions(&["vote", "caching", "READY"]).with_any_code();
    early
        .discussions(&["status", "caching"])
        .code(0)
        .says("Votes: READY: 1, CHANGES: 0, REJECT: 0\nNo ballot asked for these votes.\n");
}
