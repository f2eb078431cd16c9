//! What the check of a history costs: a fixed number of processes of git, and time that grows with the history.

use super::gate_forge::{CACHING, FILE, Forge, comment};
use super::scenario::Scenario;

/// Returns a repository with this many discussions, each with a vote that its commit's author did not write.
fn many_discussions(count: usize) -> Forge {
    let mut forge = Forge::new();
    let all: Vec<(String, String)> = (0..count)
        .map(|number| {
            let text = CACHING.replace("# Caching", &format!("# Topic {number}"));
            (format!("discussions/{number}.md"), text)
        })
        .collect();
    let files: Vec<(&str, Option<&str>)> =
        all.iter().map(|(path, text)| (path.as_str(), Some(text.as_str()))).collect();
    forge.commit("Rob", "many", &files);
    forge
}

/// A lookup, the last commit, a tree, a log and the objects; the authors, since names are in doubt; for the files that
/// decisions affect, a lookup and a list.
#[test]
fn check_of_main_starts_a_fixed_number_of_processes_of_git() {
    for count in [2, 40] {
        let scenario = many_discussions(count).build("main").with_counted_git();
        let affects = CACHING.to_owned() + &comment("Rob", "DECISION: x\n\nAFFECTS: code.txt");
        scenario.write(FILE, affects.as_bytes());
        let calls = scenario.git_calls(&["check", "--git"]);
        assert!(calls.len() <= 9, "{count}: {calls:?}");
    }
}

/// A lookup, the commit, a merge base, two trees, a log and the objects; before an error also the authors and the older
/// versions.
#[test]
fn check_of_a_branch_starts_a_fixed_number_of_processes_of_git() {
    for count in [2, 40] {
        let mut forge = many_discussions(count);
        let forged = CACHING.to_owned() + &comment("Rob", "VOTE: READY");
        forge.pr("Eve", "own", &[("discussions/0.md", Some(&forged))]);
        forge.pr("Eve", "more", &[("discussions/1.md", Some(&forged)), (FILE, Some(&forged))]);
        let scenario = forge.build("pr").with_counted_git();
        let calls = scenario.git_calls(&["check", "--git", "--since", "main"]);
        assert!(calls.len() <= 9, "{count}: {calls:?}");
        scenario.git(&["checkout", "-q", "main"]);
        let calls = scenario.git_calls(&["check", "--git", "--since", "main~1"]);
        assert!(calls.len() <= 9, "{count}: {calls:?}");
    }
    let mut forge = Forge::new();
    forge.pr("Eve", "own", &[(FILE, Some(&(CACHING.to_owned() + &comment("Eve", "Fine."))))]);
    let scenario = forge.build("pr").with_counted_git();
    let calls = scenario.git_calls(&["check", "--git", "--since", "main"]);
    assert_eq!(calls.len(), 7, "{calls:?}");
}

/// One list of all journals that git tracks.
#[test]
fn check_of_discussions_with_journals_lists_them_once() {
    let scenario = Scenario::new();
    scenario.init_git();
    for title in ["One", "Two", "Three"] {
        scenario.discussions(&["new", title]).code(0);
        scenario.discussions(&["comment", &title.to_lowercase(), "Hello."]).code(0);
    }
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]);
    let scenario = scenario.with_counted_git();
    assert_eq!(scenario.git_calls(&["check"]), ["ls-files"]);
    assert_eq!(scenario.git_calls(&["check", "--git"]).len(), 6);
}

/// The user's name, and the author of the next commit.
#[test]
fn writing_commands_ask_git_twice() {
    let scenario = Scenario::with_discussion();
    scenario.init_git().git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]);
    scenario.discussions(&["comment", "caching", "Q: Why?"]).code(0);
    let scenario = scenario.with_counted_git();
    for args in [
        ["comment", "caching", "Hello."].as_slice(),
        &["vote", "caching", "READY"],
        &["answer", "caching", "Q1", "Because."],
        &["comment", "caching", "Hello.", "--as", "Rob"],
    ] {
        let calls = scenario.git_calls(args);
        assert!(calls.len() <= 2, "{args:?}: {calls:?}");
    }
}

mod slow {
    use super::*;

    /// Returns a branch with this many commits of one discussion; each adds a comment, or edits the last one.
    fn one_file(commits: usize, edits: bool) -> Scenario {
        let mut forge = Forge::new();
        let mut text = CACHING.to_owned();
        for number in 0..commits {
            let author = ["Rob", "Mira"][number / 2 % 2];
            if edits && number % 2 == 1 {
                text = text.replace(&format!("Thought {}.", number - 1), "Another thought.");
            } else {
                let words = format!("Thought {number}.\n\n{}", "It is not long. ".repeat(8));
                text.push_str(&comment(author, &words));
            }
            forge.pr(author, "say", &[(FILE, Some(&text))]);
        }
        forge.build("pr")
    }

    #[test]
    #[ignore = "slow: builds long histories"]
    fn work_grows_with_the_commits_of_a_file() {
        for (edits, check, most) in [
            // Each version has the bytes of the one before, which are compared but not parsed again.
            (false, ["check", "--git", "--since", "main"].as_slice(), 16.0),
            (false, &["check", "--git"], 16.0),
            // An edited version is parsed whole, and all versions have 64 times as many bytes.
            (true, &["check", "--git", "--since", "main"], 64.0),
        ] {
            let seconds = |commits: usize| one_file(commits, edits).processor_time(check);
            let (small, large) = (seconds(200), seconds(1_600));
            assert!(
                large < most * small,
                "{check:?}, edits {edits}: 200: {small:.2} s, 1600: {large:.2} s"
            );
        }
    }

    #[test]
    #[ignore = "slow: writes many files"]
    fn work_grows_with_the_files_of_a_ring_of_links() {
        let seconds = |files: usize, args: &[&str]| {
            let scenario = Scenario::new();
            for number in 0..files {
                let next = (number + 1) % files;
                let words = format!("DECISION: way {number}\n\nSUPERSEDES: t{next}.md#D1");
                let text = CACHING.replace("# Caching", &format!("# Topic {number}"))
                    + &comment("Rob", &words)
                    + "<!-- STATUS: CLOSED, by: Rob -->\n";
                scenario.write(&format!("discussions/t{number}.md"), text.as_bytes());
            }
            scenario.processor_time(args)
        };
        for args in [["check"].as_slice(), &["stats"], &["export", "--site", "public"]] {
            let (small, large) = (seconds(200, args), seconds(1_600, args));
            assert!(large < 16.0 * small, "{args:?}: 200: {small:.2} s, 1600: {large:.2} s");
        }
    }
}
