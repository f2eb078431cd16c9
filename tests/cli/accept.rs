//! `discussions check --accept`: accepting intended changes of older text.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// A repository with two committed comments by Rob.
fn repository() -> Scenario {
    let scenario = Scenario::new().on_path();
    scenario.init_git();
    scenario.discussions(&["init", "--hook"]).code(0);
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&["comment", "caching", "The password is hunter2."]).code(0);
    scenario
        .discussions(&["comment", "caching", "We cahce for one hour at most. VOTE: READY"])
        .with_warnings()
        .code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Start"]);
    scenario
}

/// Removes the comment that contains these words.
fn remove_comment_with(text: &str, words: &str) -> String {
    let parts: Vec<&str> = text.split("---\n").filter(|part| !part.contains(words)).collect();
    let text = parts.join("---\n");
    assert!(!text.contains(words));
    text
}

fn edit(scenario: &Scenario, change: impl Fn(String) -> String) {
    let text = scenario.read(FILE);
    let changed = change(text.clone());
    assert_ne!(text, changed);
    scenario.write(FILE, changed.as_bytes());
}

/// Asserts that no form of `check` reports anything.
fn assert_no_findings(scenario: &Scenario) {
    assert_only_acceptance_noted(scenario, "");
}

/// Asserts that every form of `check` reports only that `by` accepted the removal of Rob's comment.
fn assert_only_acceptance_noted(scenario: &Scenario, by: &str) {
    for args in [
        &["check"][..],
        &["check", "--strict"],
        &["check", "--git", "--strict"],
        &["check", "--staged", "--strict"],
    ] {
        let is_git = args.contains(&"--git") && !by.is_empty();
        let run = scenario.discussions(args).code(i32::from(is_git && args.contains(&"--strict")));
        let lines = run.stdout.lines().filter(|line| line.starts_with(FILE));
        let note =
            format!("note: {by} accepted that a comment by Rob was removed [change-accepted]");
        let warning =
            "accepts a change to what Rob wrote: it drops a comment of Rob [change-accepted]";
        let fits = |line: &str| line.ends_with(&note) || is_git && line.ends_with(warning);
        let noted = lines.inspect(|line| assert!(fits(line), "{args:?}: {line}"));
        let expected = usize::from(!by.is_empty()) + usize::from(is_git);
        assert_eq!(noted.count(), expected, "{args:?}: {}", run.stdout);
    }
}

/// Makes later commits under this name.
fn commits_as(scenario: &Scenario, name: &str) {
    let email = format!("{}@example.org", name.to_lowercase());
    scenario.git(&["config", "user.name", name]).git(&["config", "user.email", &email]);
}

fn clone(scenario: &Scenario) -> Scenario {
    let other = Scenario::new().on_path();
    let from = scenario.path(".").canonicalize().unwrap();
    other.git(&["clone", "-q", from.to_str().unwrap(), "."]);
    other.discussions(&["init", "--hook"]).code(0);
    other
}

/// Returns the text of all files in `.discussions/`.
fn private_files_text(scenario: &Scenario) -> String {
    let files = std::fs::read_dir(scenario.path("discussions/.discussions")).unwrap();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn acceptance_does_not_cover_later_changes() {
    let scenario = Scenario::new();
    scenario.init_git();
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&["comment", "caching", "VOTE: READY"]).code(0);
    let first = scenario.read(FILE);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Start"]);
    scenario.write(FILE, remove_comment_with(&first, "VOTE: READY").as_bytes());
    scenario.discussions(&["check", "--accept", "--yes"]).code(0);
    let accepted = scenario.read(FILE);
    scenario.git(&["commit", "-qam", "Without the vote"]);
    scenario.discussions(&["comment", "caching", "VOTE: READY"]).code(0);
    scenario.git(&["commit", "-qam", "The same words again"]);
    assert_no_findings(&scenario);
    scenario.write(FILE, accepted.as_bytes());
    scenario.git(&[
        "-c",
        "user.name=Ann",
        "-c",
        "user.email=ann@example.org",
        "commit",
        "-qnam",
        "Unseen",
    ]);
    scenario.discussions(&["check", "--git"]).code(1).says("[history-rewritten]");
}

/// Returns a repository with two branches; each changes the discussion, accepts the change and adds a comment.
fn branches_that_accept_changes(
    ours: impl Fn(String) -> String,
    theirs: impl Fn(String) -> String,
) -> Scenario {
    let scenario = repository();
    scenario.git(&["switch", "-qc", "other"]);
    for (branch, name, change) in
        [("other", "Mira", &theirs as &dyn Fn(String) -> String), ("main", "Rob", &ours)]
    {
        scenario.git(&["switch", "-q", branch]);
        edit(&scenario, change);
        scenario.discussions(&["check", "--accept", "--yes", "--as", name]).code(0);
        let words = format!("From {name}.");
        scenario.discussions(&["comment", "caching", &words, "--as", name]).with_warnings().code(0);
        let (author, email) =
            (format!("user.name={name}"), format!("user.email={name}@example.org"));
        scenario.git(&["-c", &author, "-c", &email, "commit", "-qnam", name]);
    }
    scenario
}

#[test]
fn different_acceptances_on_both_sides_are_merged() {
    let remove = |text: String| remove_comment_with(&text, "hunter2");
    let correct = |text: String| text.replace("cahce", "cache").replace("# Caching", "# Caches");
    let scenario = branches_that_accept_changes(remove, correct);
    scenario.git(&["merge", "-q", "-m", "Merge", "other"]);
    let text = scenario.read(FILE);
    assert!(text.contains("We cache for") && text.contains("# Caches"), "{text}");
    assert!(!text.contains("hunter2") && !text.contains("cahce"), "{text}");
    let run = scenario.discussions(&["check", "--git"]).code(0);
    assert!(
        run.stdout.contains("Mira accepted that a comment by Rob was changed"),
        "{}",
        run.stdout
    );
}

#[test]
fn comment_changed_differently_on_both_sides_is_a_conflict() {
    let scenario = branches_that_accept_changes(
        |text| text.replace("cahce", "cache"),
        |text| text.replace("cahce", "keep"),
    );
    scenario.try_git(&["merge", "-q", "-m", "Merge", "other"]).code(1);
    assert!(scenario.read(FILE).contains("<<<<<<<"));
}

#[test]
fn merge_with_unaccepted_edit_keeps_removed_text_out() {
    let scenario = branches_that_accept_changes(
        |text| remove_comment_with(&text, "hunter2"),
        |text| text.replace("# Caching", "# Caches"),
    );
    // A change without `--accept`.
    scenario.git(&["switch", "-q", "other"]);
    edit(&scenario, |text| text.replace("From Mira.", "From Mira!"));
    scenario.git(&["commit", "-qnam", "Changed"]);
    scenario.git(&["switch", "-q", "main"]).git(&["merge", "-q", "-m", "Merge", "other"]);
    assert!(!scenario.read(FILE).contains("hunter2"));
}

#[test]
fn acceptance_line_in_a_comment_is_plain_text() {
    let line = "<!-- ACCEPTED was: 0000000000000000000000000000000000000000000000000000000000000000, after: [start] -->";
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", &format!("x\n\n---\n\n{line}")]).code(0);
    let shown = scenario.discussions(&["show", "caching", "--json"]).code(0).json();
    let kinds: Vec<_> =
        shown["entries"].as_array().unwrap().iter().map(|one| one["kind"].clone()).collect();
    assert!(!kinds.contains(&"accepted".into()), "{kinds:?}");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn accepted_removal_is_quiet_in_all_clones() {
        let scenario = repository();
        let colleague = clone(&scenario);
        edit(&scenario, |text| remove_comment_with(&text, "hunter2"));
        scenario
            .discussions(&["check"])
            .code(1)
            .says("is no longer in the file")
            .says("check --accept");
        // Without a terminal the program cannot ask for confirmation.
        scenario
            .discussions(&["check", "--accept"])
            .code(2)
            .notes("-The password is hunter2.")
            .notes("--yes");
        assert!(private_files_text(&scenario).contains("hunter2"));
        scenario
            .discussions(&["check", "--accept", "--yes"])
            .code(0)
            .notes("-The password is hunter2.")
            .notes("accepted 1 change")
            .notes("git history and other clones may still have it");
        assert!(!private_files_text(&scenario).contains("hunter2"));
        assert!(!scenario.read(FILE).contains("hunter2"));
        scenario.git(&["commit", "-qam", "Without the password"]);
        assert_no_findings(&scenario);
        let text = scenario.read(FILE);
        scenario.discussions(&["check", "--accept", "--yes"]).code(0).notes("nothing to accept");
        assert_eq!(scenario.read(FILE), text);

        colleague.git(&["pull", "-q"]);
        assert_no_findings(&colleague);
        let fresh = clone(&scenario);
        assert_no_findings(&fresh);
        // Later comments work as usual.
        commits_as(&fresh, "Mira");
        fresh.discussions(&["comment", "caching", "Good."]).code(0);
        assert_no_findings(&fresh);
        // `--restore` does not put back an accepted removal.
        scenario.discussions(&["check", "--restore"]).code(0);
        assert_eq!(scenario.read(FILE), text);
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn author_clone_deletes_text_that_colleague_removed() {
        let scenario = repository();
        let colleague = clone(&scenario);
        commits_as(&colleague, "Mira");
        edit(&colleague, |text| remove_comment_with(&text, "hunter2"));
        // The journal of this clone does not contain the comment, but its git history does.
        colleague.discussions(&["check", "--git"]).code(1);
        colleague.discussions(&["check", "--accept", "--yes", "--as", "Mira"]).code(0);
        colleague.git(&["commit", "-qam", "Without the password"]);
        assert_only_acceptance_noted(&colleague, "Mira");
        let from = colleague.path(".").canonicalize().unwrap();
        scenario.git(&["pull", "-q", from.to_str().unwrap(), "main"]);
        // This folder's journal knows the author, so the removal is reported although the file says it was accepted.
        scenario
            .discussions(&["check"])
            .code(0)
            .says("[block-dropped]")
            .says("not written in this folder");
        assert!(private_files_text(&scenario).contains("hunter2"));
        scenario
            .discussions(&["check", "--accept"])
            .code(0)
            .notes("deleted the local copy of text that others agreed to remove");
        assert!(!private_files_text(&scenario).contains("hunter2"));
        assert_only_acceptance_noted(&scenario, "Mira");
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn comment_removed_on_both_sides_stays_removed_after_merge() {
        let remove = |text: String| remove_comment_with(&text, "hunter2");
        let scenario = branches_that_accept_changes(remove, remove);
        scenario.git(&["merge", "-q", "-m", "Merge", "other"]);
        let text = scenario.read(FILE);
        assert!(text.contains("From Rob.") && text.contains("From Mira."), "{text}");
        assert!(!text.contains("hunter2") && !text.contains("<<<<<<<"), "{text}");
        // Rob removed his own comment, so his own acceptance counts first.
        let run = scenario.discussions(&["check", "--git", "--strict"]).code(0);
        run.says("note: Mira accepted that a comment by Rob was removed [change-accepted]");
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn moved_and_restored_comments_can_be_accepted() {
        let scenario = repository();
        let before = scenario.read(FILE);
        edit(&scenario, |text| remove_comment_with(&text, "hunter2"));
        scenario.git(&["commit", "-qnam", "Lost"]);
        scenario.discussions(&["check", "--restore"]).code(0);
        scenario.git(&["commit", "-qam", "Put back"]);
        // What is back in the last commit is forgiven.
        scenario.discussions(&["check", "--git"]).code(0);
        scenario.discussions(&["check", "--accept", "--yes"]).code(0);
        scenario.git(&["commit", "-qam", "Accepted", "--allow-empty"]);
        assert_no_findings(&scenario);
        assert_no_findings(&clone(&scenario));

        let scenario = Scenario::new().on_path();
        scenario.init_git();
        let parts: Vec<&str> = before.split("---\n").collect();
        scenario.write(FILE, before.as_bytes());
        scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Start"]);
        let mut moved = parts.clone();
        moved.swap(1, 2);
        scenario.write(FILE, moved.join("---\n").as_bytes());
        scenario.git(&["commit", "-qam", "The other way round"]);
        scenario.discussions(&["check", "--git"]).code(1);
        scenario.discussions(&["check", "--accept", "--yes"]).code(0).notes("is now here");
        scenario.git(&["commit", "-qam", "Accepted"]);
        assert_no_findings(&scenario);
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn older_branch_merges_without_findings_after_acceptance() {
        let scenario = repository();
        scenario.git(&["switch", "-qc", "mira"]);
        scenario
            .discussions(&["comment", "caching", "Measure first.", "--as", "Mira"])
            .with_warnings()
            .code(0);
        scenario.git(&[
            "-c",
            "user.name=Mira",
            "-c",
            "user.email=mira@example.org",
            "commit",
            "-qam",
            "Mira",
        ]);
        scenario.git(&["switch", "-q", "main"]);
        edit(&scenario, |text| remove_comment_with(&text, "hunter2"));
        scenario.discussions(&["check", "--accept", "--yes"]).code(0);
        scenario.git(&["commit", "-qam", "Without the password"]);
        let rebased = clone(&scenario);
        // A change accepted on one side applies to the other side in a merge.
        scenario.git(&["merge", "-q", "-m", "Merge", "mira"]);
        let text = scenario.read(FILE);
        assert!(text.contains("Measure first.") && !text.contains("hunter2"), "{text}");
        assert_no_findings(&scenario);
        assert_no_findings(&clone(&scenario));
        // A rebase puts Mira's commit after the accepted removal.
        commits_as(&rebased, "Mira");
        rebased.discussions(&["comment", "caching", "Later."]).code(0);
        rebased.git(&["commit", "-qam", "Later"]).git(&["pull", "-q", "--rebase=true"]);
        assert_no_findings(&rebased);
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn removed_and_readded_file_is_forgiven() {
        let scenario = repository();
        let text = scenario.read(FILE);
        scenario.git(&["rm", "-q", "--cached", FILE]).git(&["commit", "-qnm", "Away"]);
        scenario.write(FILE, text.as_bytes());
        scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Back"]);
        assert_no_findings(&scenario);
    }

    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn successive_committed_edits_are_accepted_together() {
        let scenario = repository();
        edit(&scenario, |text| text.replace("cahce", "chace"));
        scenario.git(&["commit", "-qnam", "A typo"]);
        edit(&scenario, |text| {
            text.replace("chace", "cache").replace("# Caching", "# Caching, again")
        });
        scenario.git(&["commit", "-qnam", "Another"]);
        scenario.discussions(&["check"]).code(0).says("[own-edit]");
        // Rob edits his own words, which no turn has seen.
        scenario.discussions(&["check", "--git"]).code(0).says("[own-edit]");
        scenario
            .discussions(&["check", "--accept", "--yes"])
            .code(0)
            .notes("+We cache for one hour at most.");
        assert_no_findings(&scenario);
        scenario.git(&["commit", "-qam", "Accepted"]);
        assert_no_findings(&scenario);
        assert_no_findings(&clone(&scenario));
        // The new text is protected like the old one.
        let text = scenario.read(FILE);
        edit(&scenario, |text| remove_comment_with(&text, "We cache"));
        scenario.discussions(&["check"]).code(1).says("We cache for one hour");
        scenario.write(FILE, text.as_bytes());
        assert_no_findings(&scenario);
    }
}
