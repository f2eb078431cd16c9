//! `check --git --since`: a branch keeps every earlier discussion, and adds no comments in another person's name.

mod slow;

use super::scenario::{Run, Scenario};
use super::template::Template;

const FILE: &str = "discussions/base.md";

/// Creates a repository in which Rob voted REJECT and Mallory works on a branch; it has no journal, like a clone in CI.
fn base() -> Scenario {
    static TEMPLATE: Template = Template::new(|| base_with(|_| {}));
    TEMPLATE.copy()
}

fn base_with(set_up: impl Fn(&Scenario)) -> Scenario {
    let scenario = Scenario::new().on_path();
    scenario.init_git();
    scenario.discussions(&["init"]).code(0);
    scenario.discussions(&["new", "Base", "-p", "architect,security"]).code(0);
    scenario.discussions(&["new", "Other"]).code(0);
    scenario.discussions(&["vote", "base", "REJECT", "Not before the audit."]).code(0);
    set_up(&scenario);
    commit(&scenario, "base");
    std::fs::remove_dir_all(scenario.path("discussions/.discussions")).unwrap();
    scenario.git(&["config", "user.name", "Mallory"]);
    scenario.git(&["config", "user.email", "mallory@example.org"]);
    scenario.git(&["switch", "-qc", "pr"]);
    scenario
}

fn commit(scenario: &Scenario, message: &str) {
    scenario.git(&["add", "-A"]).git(&["commit", "-qnm", message]);
}

fn commit_as_rob_from_now_on(scenario: &Scenario) {
    scenario.git(&["config", "--unset", "user.name"]);
    scenario.git(&["config", "--unset", "user.email"]);
}

fn check_branch(scenario: &Scenario) -> Run {
    scenario.discussions(&["check", "--git", "--since", "main"])
}

fn append(scenario: &Scenario, text: &str) {
    let before = scenario.read(FILE);
    scenario.write(FILE, (before + text).as_bytes());
}

fn change_vote_to_ready(scenario: &Scenario) {
    let text = scenario.read(FILE);
    assert!(text.contains("VOTE: REJECT"));
    scenario.write(FILE, text.replace("VOTE: REJECT", "VOTE: READY").as_bytes());
}

#[test]
fn folder_renamed_with_its_configuration_is_a_rename() {
    let scenario = base();
    scenario.git(&["mv", "discussions", "talks"]);
    scenario.write("discussions.yaml", b"output: {directory: talks}\n");
    commit(&scenario, "Rename the folder");
    let run = check_branch(&scenario).code(0);
    assert!(!run.stdout.contains("error") && !run.stdout.contains("warning"), "{}", run.stdout);
    assert!(run.stdout.contains("[rules-changed]"), "{}", run.stdout);
    // Without the configuration, a moved file has left the folder of discussions.
    let scenario = base();
    scenario.git(&["mv", "discussions/base.md", "base.md"]);
    commit(&scenario, "Move one out");
    check_branch(&scenario).code(1).says("[discussion-gone]");
}

#[test]
fn emptied_discussion_with_removal_trailer_is_a_note() {
    let scenario = base();
    scenario.write(FILE, b"");
    commit(&scenario, "Empty\n\nRemoves-Discussion: discussions/base.md");
    check_branch(&scenario).code(0).says("note: commit").says("[discussion-gone]");
}

#[test]
fn vote_appended_to_comment_of_another_person_is_an_error() {
    let scenario = base_with(|scenario| append(scenario, "\nName: Rob\n\nWait"));
    append(&scenario, " a bit.\n\nVOTE: READY\n");
    commit(&scenario, "wip");
    check_branch(&scenario).code(1).says("[author-differs]");
}

#[test]
fn persona_of_the_branch_does_not_hide_a_person() {
    let scenario = base();
    scenario.write(
        "participants/rob.yaml",
        b"name: Rob\nalias: rob\ndescription: x\npersonality: You are Rob.\n",
    );
    append(
        &scenario,
        "\nName: Rob\n<!-- REPLY turn: 1, at: 2026-11-20T10:00:00Z, provider: mock -->\n\nVOTE: READY\n\n---\n",
    );
    commit(&scenario, "wip");
    check_branch(&scenario).code(1).says("[author-differs]");
}

#[test]
fn vote_doubled_by_a_merge_is_an_error() {
    let scenario = base();
    append(&scenario, "\nName: Mallory\n\nx\n\n---\n");
    commit(&scenario, "x");
    scenario.git(&["switch", "-q", "main"]).git(&["switch", "-qc", "side"]);
    append(&scenario, "\nName: Mallory\n\ny\n\n---\n");
    commit(&scenario, "y");
    scenario.try_git(&["merge", "-q", "--no-commit", "pr"]);
    append(&scenario, "\nName: Rob\n\nNot before the audit.\n\nVOTE: REJECT\n\n---\n");
    commit(&scenario, "merge");
    check_branch(&scenario).code(1).says("[author-differs]");
}

#[test]
fn comment_dropped_by_git_checkout_is_a_warning() {
    let scenario = base();
    scenario.discussions(&["comment", "base", "Never committed."]).code(0);
    scenario.git(&["checkout", "-q", "--", "discussions"]);
    scenario
        .discussions(&["check"])
        .code(0)
        .says("warning: ")
        .says("never committed")
        .says("--restore")
        .says("--accept");
    scenario.discussions(&["check", "--restore"]).code(0);
    assert!(scenario.read(FILE).contains("Never committed."));
}

#[test]
fn staged_vote_in_another_name_is_a_warning() {
    let scenario = base();
    append(&scenario, "\nName: Rob\n\nVOTE: READY\n\n---\n");
    scenario.git(&["add", "-A"]);
    scenario
        .discussions(&["check", "--staged"])
        .code(0)
        .says("warning: the staged change by Mallory <mallory@example.org> adds")
        .says("[author-differs]");
}

#[test]
fn vote_in_another_name_is_noted_with_the_people_line() {
    let scenario = base();
    scenario
        .discussions(&["vote", "base", "READY", "--as", "Rob"])
        .code(0)
        .notes("people: {Rob: [mallory@example.org]}");
    scenario.write("discussions.yaml", b"people: {Rob: [mallory@example.org]}\n");
    let run = scenario.discussions(&["vote", "base", "READY", "--as", "Rob"]).code(0);
    assert!(!run.stderr().contains("people:"), "{}", run.stderr());
    let run = scenario.discussions(&["comment", "base", "x"]).code(0);
    assert!(!run.stderr().contains("people:"), "{}", run.stderr());
}

#[test]
fn receipts_without_a_journal_are_noted() {
    let scenario = base();
    let answer = "\nName: AI-Security\n<!-- REPLY turn: 1, at: 2026-11-20T10:00:00Z, provider: codex -->\n\nFine.\n\n---\n";
    append(&scenario, answer);
    commit(&scenario, "answers");
    let run = check_branch(&scenario).code(0);
    assert_eq!(run.stdout.matches("[receipt-unknown]").count(), 1, "{}", run.stdout);
    scenario.discussions(&["comment", "base", "x"]).code(0);
    commit(&scenario, "x");
    check_branch(&scenario).code(0).says("1 answer was not recorded by the program in this folder");
}
