//! Slow tests of `gate.rs`.

use super::*;

#[test]
#[ignore = "slow: checks many histories of git"]
fn acceptance_in_another_name_is_not_honoured() {
    let scenario = base();
    scenario.git(&["config", "user.name", "Rob"]);
    change_vote_to_ready(&scenario);
    scenario.discussions(&["check", "base", "--accept", "--yes"]).code(0);
    scenario.git(&["config", "user.name", "Mallory"]);
    commit(&scenario, "fix typo");
    check_branch(&scenario).code(1).says("[author-differs]").says("[history-rewritten]");
    // A vote in another name stays an error, even if Mallory accepts the change herself.
    let scenario = base();
    change_vote_to_ready(&scenario);
    scenario.discussions(&["check", "base", "--accept", "--yes"]).code(0);
    commit(&scenario, "fix typo");
    check_branch(&scenario)
        .code(1)
        .says("adds a vote in the name of Rob")
        .stdout_lacks("[history-rewritten]");
    // For other text, her own acceptance is honoured; the report names the author of the text.
    let scenario = base_with(|scenario| append(scenario, "\nName: Rob\n\nWe cahce.\n\n---\n"));
    scenario.write(FILE, scenario.read(FILE).replace("cahce", "cache").as_bytes());
    scenario.discussions(&["check", "base", "--accept", "--yes"]).code(0);
    commit(&scenario, "fix typo");
    let run = check_branch(&scenario).code(0).says("accepts a change to what Rob wrote");
    assert!(!run.stdout.contains("[history-rewritten]"), "{}", run.stdout);
}

#[test]
#[ignore = "slow: checks many histories of git"]
fn honest_histories_are_not_flagged() {
    let assert_not_flagged = |scenario: &Scenario, what: &str| {
        let run = check_branch(scenario).code(0);
        let flagged = ["error: ", "warning: "].iter().any(|it| run.stdout.contains(it));
        assert!(!flagged, "{what}: {}", run.stdout);
    };
    let vote = "\nName: Mallory\n\nVOTE: READY\n\n---\n";
    // Two votes of her own, because the ballot is repeated.
    let scenario = base();
    append(&scenario, vote);
    commit(&scenario, "vote");
    append(&scenario, vote);
    commit(&scenario, "vote again");
    assert_not_flagged(&scenario, "own votes");
    // Another person merges two branches that both appended.
    let two_branches = || {
        let scenario = base();
        append(&scenario, vote);
        commit(&scenario, "vote");
        scenario.git(&["switch", "-q", "main"]);
        commit_as_rob_from_now_on(&scenario);
        scenario.git(&["switch", "-qc", "rob"]);
        append(&scenario, "\nName: Rob\n\nI see.\n\nVOTE: READY\n\n---\n");
        commit(&scenario, "rob votes");
        scenario
    };
    let scenario = two_branches();
    scenario.git(&["-c", "user.name=Lea", "merge", "-q", "--no-edit", "pr"]);
    assert_not_flagged(&scenario, "merge");
    let scenario = two_branches();
    scenario.git(&["-c", "user.name=Lea", "rebase", "-q", "pr"]);
    assert_not_flagged(&scenario, "rebase");
    let scenario = two_branches();
    scenario.git(&["cherry-pick", "pr"]);
    assert_not_flagged(&scenario, "cherry-pick");
    // Git's default message for a squash names the authors.
    let scenario = two_branches();
    scenario.git(&["switch", "-qc", "squash", "main"]);
    scenario.git(&["merge", "-q", "--squash", "pr"]);
    scenario.git(&["commit", "-qn", "--no-edit"]);
    assert_not_flagged(&scenario, "squash");
    // A bot commits answers of models and the phase change that follows.
    let scenario = base();
    append(
        &scenario,
        "<!-- TURN: 1, asks: [security], at: 2026-11-20T10:00:00Z -->\n\n---\n\nName: AI-Security\n\
         <!-- REPLY turn: 1, at: 2026-11-20T10:00:00Z, provider: mock -->\n\nFine.\n\nVOTE: READY\n\n---\n\n\
         <!-- PHASE: consensus_vote -->\n<!-- VOTE-RESET -->\n",
    );
    commit(&scenario, "answers");
    assert_not_flagged(&scenario, "bot");
    // Another person renames the discussion, first without and then with a vote of their own.
    let scenario = base();
    scenario.git(&["mv", FILE, "discussions/renamed.md"]);
    commit(&scenario, "rename");
    assert_not_flagged(&scenario, "rename");
    let scenario = base();
    append(&scenario, vote);
    scenario.git(&["mv", FILE, "discussions/renamed.md"]);
    commit(&scenario, "rename and vote");
    assert_not_flagged(&scenario, "rename with a vote");
    // A removal that its commit message declares.
    let scenario = base();
    scenario.git(&["rm", "-q", FILE]);
    commit(&scenario, "remove\n\nRemoves-Discussion: discussions/base.md");
    assert_not_flagged(&scenario, "removal");
}

#[test]
#[ignore = "slow: checks many histories of git"]
fn model_vote_without_receipt_and_vote_reset_are_errors() {
    let scenario = base();
    append(&scenario, "\nName: AI-Security\n\nFine.\n\nVOTE: READY\n\n---\n");
    commit(&scenario, "wip");
    check_branch(&scenario).code(1).says("[receipt-missing]");
    // An agent votes through a tool, which records no receipt.
    let scenario = base();
    append(&scenario, "\nName: agent\n\nFine.\n\nVOTE: READY\n\n---\n");
    commit(&scenario, "wip");
    check_branch(&scenario).code(0).says("adds a vote of agent without a receipt");
    let scenario = base();
    append(&scenario, "<!-- VOTE-RESET -->\n");
    commit(&scenario, "wip");
    let run = check_branch(&scenario).code(1).says("[votes-reset]");
    assert!(
        run.stdout.contains("Mallory") && run.stdout.contains("votes of Rob"),
        "{}",
        run.stdout
    );
}

#[test]
#[ignore = "slow: checks many histories of git"]
fn own_journal_reports_edit_accepted_by_another_person() {
    let scenario = Scenario::new().on_path();
    scenario.init_git();
    scenario.discussions(&["init"]).code(0);
    scenario.discussions(&["new", "Base"]).code(0);
    scenario.discussions(&["vote", "base", "REJECT", "Not before the audit."]).code(0);
    commit(&scenario, "base");
    let origin = format!("file://{}", scenario.path(".").canonicalize().unwrap().display());
    let other = Scenario::new();
    other.git(&["clone", "-q", &origin, "."]).git(&["config", "user.name", "Mira"]);
    change_vote_to_ready(&other);
    other.discussions(&["check", "base", "--accept", "--yes"]).code(0);
    commit(&other, "change");
    let theirs = format!("file://{}", other.path(".").canonicalize().unwrap().display());
    scenario.git(&["pull", "-q", &theirs, "HEAD"]);
    scenario
        .discussions(&["check"])
        .code(0)
        .says("[block-edited]")
        .says("not written in this folder");
    scenario.discussions(&["check", "--accept", "--yes"]).code(0);
    let run = scenario.discussions(&["check"]).code(0);
    assert!(!run.stdout.contains("[block-edited]"), "{}", run.stdout);
}

#[test]
#[ignore = "slow: checks many histories of git"]
fn people_and_mailmap_of_the_branch_are_not_trusted() {
    for (file, text) in [
        ("discussions.yaml", "people: {Rob: [mallory@example.org]}\n"),
        (".mailmap", "Rob <mallory@example.org>\n"),
    ] {
        let scenario = base();
        scenario.write(file, text.as_bytes());
        append(&scenario, "\nName: Rob\n\nVOTE: READY\n\n---\n");
        commit(&scenario, "wip");
        check_branch(&scenario)
            .code(1)
            .says("[author-differs]")
            .says(&format!("this branch changes {file}"));
        // The base commit, with which the branch is compared, is trusted.
        let scenario = base_with(|scenario| scenario.write(file, text.as_bytes()));
        append(&scenario, "\nName: Rob\n\nVOTE: READY\n\n---\n");
        commit(&scenario, "wip");
        let run = check_branch(&scenario).code(0);
        assert!(!run.stdout.contains("[author-differs]"), "{file}: {}", run.stdout);
    }
    // If `people` lists a name, only its addresses count as that person, not the name in git.
    let people = b"people: {Rob: [rob@work.example]}\n";
    let scenario = base_with(|scenario| scenario.write("discussions.yaml", people));
    scenario.git(&["config", "user.name", "Rob"]);
    append(&scenario, "\nName: Rob\n\nVOTE: READY\n\n---\n");
    commit(&scenario, "wip");
    check_branch(&scenario).code(1).says("[author-differs]");
}

/// Replacements of a discussion that are errors, both committed and only staged.
#[test]
#[ignore = "slow: checks many histories of git"]
fn replaced_or_emptied_discussion_is_an_error() {
    let replace = |scenario: &Scenario, text: &str| scenario.write(FILE, text.as_bytes());
    let link = |scenario: &Scenario| {
        change_vote_to_ready(scenario);
        std::fs::rename(scenario.path(FILE), scenario.path("x.txt")).unwrap();
        std::os::unix::fs::symlink("../x.txt", scenario.path(FILE)).unwrap();
    };
    let folder = |scenario: &Scenario| {
        std::fs::remove_file(scenario.path(FILE)).unwrap();
        scenario.write("discussions/base.md/inner.txt", b"x\n");
    };
    type Change<'a> = (&'a str, &'a dyn Fn(&Scenario));
    let changes: [Change; 8] = [
        ("emptied", &|scenario| replace(scenario, "")),
        ("blank", &|scenario| replace(scenario, "\n \n")),
        ("page", &|scenario| replace(scenario, "# Readme\n\njust a page\n")),
        ("pointer", &|scenario| {
            replace(
                scenario,
                "version https://git-lfs.github.com/spec/v1\noid sha256:1234\nsize 12\n",
            );
        }),
        ("link", &link),
        ("folder", &folder),
        ("directory", &|scenario| {
            change_vote_to_ready(scenario);
            scenario.write("discussions.yaml", b"output: {directory: other}\n");
        }),
        ("subfolder", &|scenario| {
            change_vote_to_ready(scenario);
            scenario.write("discussions.yaml", b"output: {directory: discussions/sub}\n");
            std::fs::create_dir(scenario.path("discussions/sub")).unwrap();
            scenario.git(&["mv", "discussions/other.md", "discussions/sub/other.md"]);
        }),
    ];
    for (name, change) in changes {
        let scenario = base();
        change(&scenario);
        scenario.git(&["add", "-A"]);
        let run = scenario.discussions(&["check", "--staged"]);
        assert!(
            run.exit() == 1 && run.stdout.contains("[discussion-gone]"),
            "{name}: {}",
            run.stdout
        );
        commit(&scenario, "wip");
        let run = check_branch(&scenario);
        assert!(
            run.exit() == 1 && run.stdout.contains("[discussion-gone]"),
            "{name}: {}",
            run.stdout
        );
        // The first of two pull requests fails, even if a second one would hide the loss.
        scenario.discussions(&["check", "--git", "--since", "main", "discussions"]).code(1);
    }
}

#[test]
#[ignore = "slow: checks many histories of git"]
fn shallow_history_and_sparse_checkout_are_reported() {
    let scenario = base();
    append(&scenario, "\nName: Mallory\n\nx\n\n---\n");
    commit(&scenario, "x");
    let origin = format!("file://{}", scenario.path(".").canonicalize().unwrap().display());
    let shallow = Scenario::new();
    shallow.git(&["clone", "-q", "--depth", "1", &origin, "."]);
    shallow.discussions(&["check", "--git"]).code(1).says("warning: ").says("[history-shallow]");
    shallow.discussions(&["check", "--git", "--allow-shallow"]).code(0).says("[history-shallow]");
    let sparse = Scenario::new();
    sparse.git(&["clone", "-q", &origin, "."]).git(&["fetch", "-q", "origin", "main:main"]);
    sparse.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/discussions/base.md"]);
    assert!(!sparse.path(FILE).exists());
    check_branch(&sparse).code(0).says("[not-checked-out]").notes("2 discussions checked");
}

#[test]
#[ignore = "slow: checks many histories of git"]
fn trailer_turns_the_error_into_a_note_with_the_committer() {
    for trailer in
        ["Recorded-for: Rob", "Co-authored-by: Rob <x@y>", "Co-authored-by: R <rob@example.org>"]
    {
        let people = "people: {Rob: [rob@example.org]}\n";
        let scenario = base_with(|scenario| scenario.write("discussions.yaml", people.as_bytes()));
        append(&scenario, "\nName: Rob\n\nVOTE: READY\n\n---\n");
        commit(&scenario, &format!("minutes\n\n{trailer}"));
        let run = check_branch(&scenario).code(0);
        let expected = "by Mallory <mallory@example.org> (minutes) records a vote of Rob";
        assert!(run.stdout.contains(expected), "{trailer}: {}", run.stdout);
        assert!(run.stdout.contains("note: "), "{}", run.stdout);
    }
}

#[test]
#[ignore = "slow: checks many histories of git"]
fn unseen_edit_of_own_comment_is_a_note() {
    let scenario = base();
    append(&scenario, "\nName: Mallory\n\nWe cahce.\n\n---\n");
    commit(&scenario, "comment");
    let text = scenario.read(FILE).replace("cahce", "cache");
    scenario.write(FILE, text.as_bytes());
    commit(&scenario, "typo");
    check_branch(&scenario).code(0).says("note: ").says("[own-edit]");
    scenario.discussions(&["check", "--git"]).code(0).says("[own-edit]");
    // After a turn or in the base commit, others have seen the comment, so an edit rewrites history.
    append(&scenario, "<!-- TURN: 1, asks: [security], at: 2026-11-20T10:00:00Z -->\n");
    commit(&scenario, "turn");
    let text = scenario.read(FILE).replace("We cache.", "We do not.");
    scenario.write(FILE, text.as_bytes());
    commit(&scenario, "edit");
    check_branch(&scenario).code(1).says("[history-rewritten]");
    let scenario = base();
    commit_as_rob_from_now_on(&scenario);
    let text = scenario.read(FILE).replace("the audit", "an audit");
    scenario.write(FILE, text.as_bytes());
    commit(&scenario, "edit of what main holds");
    check_branch(&scenario).code(1).says("[history-rewritten]");
}

#[test]
#[ignore = "slow: checks many histories of git"]
fn vote_or_control_line_in_a_known_name_is_an_error() {
    let vote = "\nName: Rob\n\nI approve.\n\nVOTE: READY\n\n---\n";
    let cases = [
        (vote, "a vote"),
        ("<!-- STATUS: CLOSED, by: Rob -->\n", "a `STATUS` line"),
        ("<!-- PHASE: consensus_vote, by: Rob -->\n", "a `PHASE` line"),
        ("\nName: Rob\n\nWITHDRAWN: D1\n\n---\n", "a withdrawal"),
        (
            "<!-- ACCEPTED was: abababababababababababababababababababababababababababababababab, after: [cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd], of: Rob, by: Rob -->\n",
            "an `ACCEPTED` line",
        ),
    ];
    for (text, what) in cases {
        let scenario = base();
        append(&scenario, text);
        commit(&scenario, "wip");
        let run = check_branch(&scenario).code(1);
        let expected = format!("adds {what} in the name of Rob");
        assert!(run.stdout.contains(&expected), "{what}: {}", run.stdout);
        // A check of the whole history only warns, so that old repositories do not start to fail.
        scenario
            .discussions(&["check", "--git"])
            .code(0)
            .says("warning: ")
            .says("[author-differs]");
        scenario.discussions(&["check", "--git", "--strict"]).code(1);
    }
    let scenario = base();
    append(&scenario, &vote.replace("Rob", "Lea"));
    commit(&scenario, "wip");
    check_branch(&scenario).code(0).says("warning: commit").says("in the name of Lea");
    let scenario = base();
    append(&scenario, "\nName: Rob\n\nNice.\n\n---\n");
    commit(&scenario, "wip");
    check_branch(&scenario).code(0).says("adds a comment in the name of Rob");
}
