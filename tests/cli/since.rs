//! `discussions check --git --since` and `--staged`: checking the commits of a branch and the git index.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

fn repository() -> Scenario {
    let scenario = Scenario::new().on_path();
    scenario.init_git();
    scenario.discussions(&["init", "--hook"]).code(0);
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&["comment", "caching", "We cahce for one hour."]).code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Start"]);
    scenario
}

fn replace(scenario: &Scenario, old: &str, new: &str) {
    let text = scenario.read(FILE);
    assert!(text.contains(old));
    scenario.write(FILE, text.replace(old, new).as_bytes());
}

#[test]
fn check_since_works_within_a_shallow_history() {
    let scenario = repository();
    replace(&scenario, "cahce", "cache");
    scenario.git(&["commit", "-qnam", "Long ago"]);
    scenario.discussions(&["comment", "caching", "New."]).code(0);
    scenario.git(&["commit", "-qnam", "New"]);
    let origin = format!("file://{}", scenario.path(".").canonicalize().unwrap().display());
    let shallow = Scenario::new();
    shallow.git(&["clone", "-q", "--depth", "2", &origin, "."]);
    shallow.discussions(&["check", "--git", "--since", "HEAD~1"]).code(0).stdout("");
    shallow
        .discussions(&["check", "--git", "--since", "HEAD~2"])
        .code(3)
        .notes("git has no commit");
}

#[test]
fn unstaged_comment_is_not_reported_as_lost() {
    let scenario = repository();
    scenario.discussions(&["comment", "caching", "Not to be committed yet."]).code(0);
    scenario.write("code.txt", b"x\n");
    scenario.git(&["add", "code.txt"]).git(&["commit", "-qm", "Code only"]);
    scenario.discussions(&["check", "--staged", "--strict"]).code(0).stdout("");
}

#[test]
fn check_staged_outside_of_a_repository_is_an_error() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["check", "--staged"]).code(3).notes("not in a git repository");
}

#[test]
fn own_edit_is_a_note_in_a_plain_check() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "We cahce."]).code(0);
    let file = "discussions/caching.md";
    let text = scenario.read(file).replace("cahce", "cache");
    scenario.write(file, text.as_bytes());
    scenario.discussions(&["check"]).code(0).says("note: ").says("[own-edit]");
}

#[test]
fn history_check_outside_of_a_repository_is_an_error() {
    let scenario = Scenario::with_discussion();
    for words in [&["check", "--git"][..], &["check", "--git", "caching"]] {
        scenario.discussions(words).code(3).notes("not in a git repository");
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn check_since_reports_only_what_a_branch_adds() {
        let scenario = repository();
        replace(&scenario, "cahce", "cache");
        scenario.write(
            FILE,
            (scenario.read(FILE) + "\n---\n\nName: Ann\n\nVOTE: MAYBE\n\n---\n").as_bytes(),
        );
        // Ann edits Rob's comment; editing her own would be allowed.
        scenario.git(&["-c", "user.name=Ann", "commit", "-qnam", "A typo, and what is no vote"]);
        scenario.git(&["tag", "base"]).git(&["switch", "-qc", "feature"]);
        std::fs::remove_dir_all(scenario.path("discussions/.discussions")).unwrap();
        scenario.discussions(&["comment", "caching", "New."]).code(0);
        scenario.git(&["commit", "-qnam", "A comment"]);
        scenario
            .discussions(&["check", "--git"])
            .code(1)
            .says("[history-rewritten]")
            .says("[vote-unknown]");
        scenario.discussions(&["check", "--git", "--since", "base"]).code(0).stdout("");
        scenario.discussions(&["check", "--git", "--since", "main"]).code(0).stdout("");
        replace(&scenario, "one hour", "two hours");
        scenario.git(&["commit", "-qnam", "Rewritten"]);
        let run = scenario.discussions(&["check", "--git", "--since", "base"]).code(1);
        assert_eq!(run.stdout.matches("[history-rewritten]").count(), 1, "{}", run.stdout);
        scenario
            .discussions(&["check", "--git", "--since", "nothing"])
            .code(3)
            .notes("git has no commit `nothing` here");
        scenario.discussions(&["check", "--git", "--since", "--all"]).code(2);
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn check_staged_reads_the_index_and_not_the_file() {
        let scenario = repository();
        let whole = scenario.read(FILE);
        let lossy = whole.split("Name: Rob").next().unwrap().to_owned();
        scenario.write(FILE, lossy.as_bytes());
        scenario.git(&["add", "-A"]);
        // The file is complete again, but the index is not.
        scenario.write(FILE, whole.as_bytes());
        scenario.discussions(&["check"]).code(0);
        scenario.discussions(&["check", "--staged"]).code(1).says("[block-dropped]");
        scenario.try_git(&["commit", "-qm", "Lossy"]).code(1).notes("[block-dropped]");
        // Now the index is complete and the file is not.
        scenario.git(&["add", "-A"]);
        scenario.discussions(&["comment", "caching", "A good one."]).code(0);
        scenario.git(&["add", "-A"]);
        scenario.write(FILE, lossy.as_bytes());
        scenario.discussions(&["check"]).code(1);
        scenario.git(&["commit", "-qm", "Whole"]);
        // `commit --all` uses a temporary index.
        scenario.try_git(&["commit", "-qam", "Lossy"]).code(1).notes("[block-dropped]");
    }
}
