//! Discussions that were renamed, moved or removed in git.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";
const OTHER: &str = "discussions/caches.md";

fn repository() -> Scenario {
    let scenario = Scenario::new().on_path();
    scenario.init_git();
    scenario.discussions(&["init", "--hook"]).code(0);
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario
        .discussions(&["comment", "caching", "Fine.\n\nVOTE: READY", "--as", "Ann"])
        .with_warnings()
        .code(0);
    scenario.git(&["add", "-A"]).git(&["-c", "user.name=Ann", "commit", "-qm", "Start"]);
    scenario.discussions(&["new", "Other"]).code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Another"]).git(&["tag", "base"]);
    scenario
}

/// Clones the repository; a clone has the git history but no journal.
fn clone(scenario: &Scenario) -> Scenario {
    let other = Scenario::new().on_path();
    let from = scenario.path(".").canonicalize().unwrap();
    other.git(&["clone", "-q", from.to_str().unwrap(), "."]);
    other
}

/// Changes Ann's vote from READY to REJECT.
fn reverse_vote(text: &str) -> String {
    let changed = text.replace("VOTE: READY", "VOTE: REJECT");
    assert_ne!(text, changed);
    changed
}

const ALL: [&[&str]; 2] = [&["check", "--git"], &["check", "--git", "--since", "base"]];

#[test]
fn hook_stops_removing_all_discussions() {
    let scenario = repository();
    scenario.git(&["rm", "-rq", "discussions"]);
    let _ = std::fs::remove_dir_all(scenario.path("discussions"));
    scenario.try_git(&["commit", "-qm", "Away"]).code(1).notes("[discussion-gone]");
    scenario.git(&["commit", "-qnm", "Away"]);
    scenario.write("x.txt", b"x\n");
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Something else"]);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn edit_before_a_rename_is_reported() {
        let scenario = repository();
        scenario.write(FILE, reverse_vote(&scenario.read(FILE)).as_bytes());
        scenario.git(&["commit", "-qnam", "Edited"]);
        scenario.git(&["mv", FILE, OTHER]).git(&["commit", "-qnm", "Another name"]);
        for args in ALL {
            let run = clone(&scenario).discussions(args).code(1);
            run.says("discussions/caches.md: error: commit ").says("(Edited) changed or removed");
        }
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn hook_and_history_check_agree_on_an_edited_vote() {
        let scenario = repository();
        scenario.write(FILE, reverse_vote(&scenario.read(FILE)).as_bytes());
        scenario.git(&["add", "-A"]);
        scenario
            .discussions(&["check", "--staged"])
            .code(1)
            .says("error: ")
            .says("[history-rewritten]");
        scenario.discussions(&["check", "--git"]).code(1).says("[history-rewritten]");
        scenario.try_git(&["commit", "-qm", "Edited"]).code(1).notes("[history-rewritten]");
        scenario.git(&["config", "user.name", "Ann"]);
        scenario.discussions(&["check", "--accept", "--yes", "--as", "Ann"]).code(0);
        scenario.git(&["add", "-A"]);
        scenario.discussions(&["check", "--staged", "--strict"]).code(0).stdout("");
        scenario.git(&["commit", "-qm", "Edited"]);
        clone(&scenario).discussions(&["check", "--git", "--strict"]).code(0).stdout("");
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn moved_out_discussion_is_an_error_without_a_trailer() {
        let scenario = repository();
        std::fs::create_dir(scenario.path("archive")).unwrap();
        scenario.git(&["mv", FILE, "archive/caching.md"]);
        scenario.try_git(&["commit", "-qm", "Archived"]).code(1).notes("[discussion-gone]");
        scenario.git(&["commit", "-qnm", "Archived"]);
        for args in ALL {
            clone(&scenario).discussions(args).code(1).says("no longer in the discussions folder");
        }
        let meant = "Archived\n\nRemoves-Discussion: discussions/caching.md";
        scenario.git(&["commit", "-qn", "--amend", "-m", meant]);
        for args in ALL {
            clone(&scenario)
                .discussions(args)
                .code(0)
                .says("note: discussions/caching.md was moved out");
        }
        let scenario = repository();
        std::fs::create_dir(scenario.path("archive")).unwrap();
        scenario.git(&["mv", FILE, "archive/caching.md"]);
        scenario.write(
            "archive/caching.md",
            reverse_vote(&scenario.read("archive/caching.md")).as_bytes(),
        );
        scenario.git(&["add", "-A"]).git(&["commit", "-qnm", "Archived"]);
        for args in ALL {
            clone(&scenario)
                .discussions(args)
                .code(1)
                .says("discussions/caching.md: error: commit ");
        }
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn removed_discussion_is_an_error_without_a_trailer() {
        let scenario = repository();
        scenario.git(&["rm", "-q", FILE]);
        let gone = "discussions/caching.md: error: ";
        scenario.discussions(&["check", "--staged"]).code(1).says(gone).says("1 comment;");
        scenario.discussions(&["check", "--git"]).code(1).says(gone);
        // The pre-commit hook stops the removal.
        scenario.try_git(&["commit", "-qm", "Away"]).code(1).notes("[discussion-gone]");
        scenario.git(&["commit", "-qnm", "Away"]);
        for args in ALL {
            clone(&scenario)
                .discussions(args)
                .code(1)
                .says(gone)
                .says("(Away) removed this discussion, and with it 1 comment")
                .says("`Removes-Discussion: discussions/caching.md`");
        }
        let message = "Away\n\nRemoves-Discussion: discussions/caching.md";
        scenario.git(&["commit", "-qn", "--amend", "-m", message]);
        for args in ALL {
            clone(&scenario)
                .discussions(args)
                .code(0)
                .says("note: commit ")
                .says("as its message says");
        }
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn rename_alone_is_no_finding() {
        let scenario = repository();
        scenario.git(&["mv", FILE, OTHER]);
        scenario.discussions(&["check", "--staged", "--strict"]).code(0).stdout("");
        scenario.git(&["commit", "-qm", "Another name"]);
        scenario.discussions(&["comment", "caches", "On it goes."]).code(0);
        scenario.git(&["commit", "-qam", "More"]);
        for args in ALL {
            clone(&scenario).discussions(args).code(0).stdout("");
        }
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn rename_does_not_hide_an_edited_vote() {
        // The rename happens in one commit, as removal and addition in two, or as a copy before the removal.
        for way in 0..3 {
            let scenario = repository();
            let text = reverse_vote(&scenario.read(FILE));
            if way == 1 {
                scenario.git(&["rm", "-q", FILE]).git(&["commit", "-qnm", "Away"]);
            }
            std::fs::create_dir_all(scenario.path("discussions")).unwrap();
            scenario.write(OTHER, text.as_bytes());
            if way == 2 {
                scenario.git(&["add", "-A"]).git(&["commit", "-qnm", "A copy"]);
            }
            let _ = std::fs::remove_file(scenario.path(FILE));
            scenario.git(&["add", "-A"]);
            if way == 0 {
                scenario.discussions(&["check", "--staged"]).code(1).says("[history-rewritten]");
                scenario.discussions(&["check", "--git"]).code(1).says("[history-rewritten]");
            }
            scenario.git(&["commit", "-qnm", "Another name"]);
            for args in ALL {
                let run = clone(&scenario).discussions(args).code(1);
                let run = run.says("discussions/caches.md: error: commit ");
                let run = run.says("-VOTE: READY").says("+VOTE: REJECT");
                assert_eq!(
                    run.stdout.matches("[history-rewritten]").count(),
                    1,
                    "{way}: {}",
                    run.stdout
                );
            }
            // Rob may accept the change, and every clone sees that.
            let agreed = clone(&scenario);
            agreed.discussions(&["check", "--accept", "--yes", "--as", "Rob"]).code(0);
            agreed.git(&["commit", "-qam", "Accepted"]);
            for (args, code) in ALL.into_iter().zip([0, 1]) {
                // On a branch, a vote in Ann's name stays an error, even if Rob accepts the change.
                let run = agreed.discussions(args).code(code);
                let run = run.says("adds a vote in the name of Ann");
                run.says("note: Rob accepted that a comment by Ann was changed [change-accepted]");
            }
        }
    }
}
