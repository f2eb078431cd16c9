//! `discussions comment`: text, votes, authors, warnings and refusals.

use super::scenario::Scenario;

fn last_entry(scenario: &Scenario) -> serde_json::Value {
    let show = scenario.discussions(&["show", "caching", "--json"]).json();
    show["entries"].as_array().unwrap().last().unwrap().clone()
}

#[test]
fn text_comes_from_argument_standard_input_or_editor() {
    let scenario = Scenario::with_discussion()
        .program(
            "pen",
            "#!/bin/sh\nread -r first < \"$1\"\nprintf '%s and more\\n' \"$first\" > \"$1\"\n",
        )
        .env("EDITOR", "pen");
    scenario.discussions(&["comment", "caching", "- one\n- two"]).code(0);
    assert_eq!(last_entry(&scenario)["body"], "- one\n- two");
    scenario.discussions_with(&["comment", "caching", "-"], "From a pipe.\n").code(0);
    assert_eq!(last_entry(&scenario)["body"], "From a pipe.");
    scenario.discussions_with(&["comment", "caching"], "Without a dash.\n").code(0);
    assert_eq!(last_entry(&scenario)["body"], "Without a dash.");
    scenario.at_terminal(&["comment", "caching", "Draft", "--edit"], "").code(0);
    assert_eq!(last_entry(&scenario)["body"], "Draft and more");
    scenario.at_terminal(&["comment", "caching"], "").code(0);
    assert_eq!(last_entry(&scenario)["body"], "and more");
}

#[test]
fn no_editor_opens_without_a_terminal() {
    let scenario = Scenario::with_discussion().env("EDITOR", "touch opened; true");
    let before = scenario.read("discussions/caching.md");
    for args in [&["comment", "caching"][..], &["comment", "caching", "-"]] {
        let run = scenario.discussions_with(args, " \n").code(2).stdout("");
        insta::allow_duplicates! {
            insta::assert_snapshot!(run.stderr(), @r#"
            error: the comment is empty: there is no text on standard input
            help: give TEXT, or pipe it in: echo "..." | discussions comment FILE -; to vote without text: discussions vote FILE VOTE
            "#);
        }
    }
    for args in [
        &["comment", "caching", "x", "--edit"][..],
        &["new", "Other", "--edit"],
        &["participants", "edit", "architect"],
    ] {
        scenario
            .discussions(args)
            .code(2)
            .stdout("")
            .notes("cannot open an editor without a terminal");
    }
    assert!(!scenario.path("opened").exists() && !scenario.path("discussions/other.md").exists());
    assert_eq!(scenario.read("discussions/caching.md"), before);
}

#[test]
fn failed_or_empty_edit_leaves_the_file_alone() {
    let scenario = Scenario::with_discussion().env("EDITOR", "false");
    let before = scenario.read("discussions/caching.md");
    let comment = |scenario: &Scenario| scenario.at_terminal(&["comment", "caching"], "");
    comment(&scenario).code(5).says("the editor `false` failed");
    let scenario = scenario.env("VISUAL", "true");
    comment(&scenario).code(3).says("the comment is empty");
    let scenario = scenario.env("VISUAL", "no-such-editor");
    comment(&scenario).code(5).says("help: set VISUAL or EDITOR");
    assert_eq!(scenario.read("discussions/caching.md"), before);
}

#[test]
fn vote_in_the_text_or_as_option_counts() {
    let scenario = Scenario::with_discussion();
    scenario
        .discussions(&["comment", "caching", "Fine.\n\nvote: ready."])
        .code(0)
        .notes("Vote: READY");
    assert_eq!(
        (&last_entry(&scenario)["body"], &last_entry(&scenario)["vote"]),
        (&"Fine.".into(), &"READY".into())
    );
    scenario.discussions(&["comment", "caching", "No.", "--vote", "reject"]).code(0);
    assert_eq!(last_entry(&scenario)["vote"], "REJECT");
}

#[test]
fn vote_without_text_needs_no_editor() {
    let scenario = Scenario::with_discussion().env("EDITOR", "false");
    scenario.discussions(&["comment", "caching", "--vote", "ready"]).code(0).says("votes READY");
    assert_eq!(last_entry(&scenario)["body"], "");
    scenario.discussions(&["comment", "caching", "--vote", "ready", "--edit"]).code(2);
}

#[test]
fn unclear_votes_are_kept_as_text_with_a_warning() {
    let scenario = Scenario::with_discussion();
    let text = "VOTE: READY\n\nOr rather\n\nVOTE: REJECT";
    scenario
        .discussions(&["comment", "caching", text])
        .code(0)
        .notes("different votes: READY and REJECT");
    let marked = "⟨quoted⟩ VOTE: READY\n\nOr rather\n\n⟨quoted⟩ VOTE: REJECT";
    assert_eq!(
        (&last_entry(&scenario)["body"], &last_entry(&scenario)["vote"]),
        (&marked.into(), &().into())
    );
    scenario
        .discussions(&["comment", "caching", "VOTE: PERHAPS"])
        .code(0)
        .notes("is not an option");
    scenario.discussions(&["check"]).code(0).says("[vote-in-body]");
}

#[test]
fn mistakes_are_reported_with_their_fix() {
    let scenario = Scenario::with_discussion();
    let before = scenario.read("discussions/caching.md");
    let error = |args: &[&str]| scenario.discussions(args).code(3).into_stderr();
    insta::assert_snapshot!(error(&["comment", "caching", " \n "]), @"error: there is nothing to write: the comment is empty");
    insta::assert_snapshot!(error(&["comment", "caching", "x", "--vote", "YES"]), @r"
    error: `YES` is not an option
    help: the options are: READY, CHANGES, REJECT
    ");
    insta::assert_snapshot!(error(&["comment", "caching", "VOTE: READY", "--vote", "reject"]), @"error: the vote is REJECT, but the text votes READY");
    insta::assert_snapshot!(error(&["comment", "caching", "x", "--as", "AI-Аrchitect"]), @r"
    error: the name `AI-Аrchitect` looks like participant AI-Architect, so it would not count
    help: choose another name with --as
    ");
    insta::assert_snapshot!(error(&["comment", "caching", "x", "--as", "a:b"]), @"error: `a:b` cannot be a name: `:` (U+003A) is not allowed in a name: use letters, digits, space, `.`, `_`, `-` and apostrophes");
    insta::assert_snapshot!(error(&["comment", "cacheing", "x"]), @r"
    error: cacheing: no such discussion
    help: did you mean `discussions/caching.md`?
    ");
    assert_eq!(scenario.read("discussions/caching.md"), before);
}

#[test]
fn author_comes_from_option_git_or_user() {
    let scenario = Scenario::with_discussion();
    let output_of = |args: &[&str]| scenario.discussions(args).code(0).stdout;
    assert_eq!(output_of(&["comment", "caching", "x"]), "Added comment from Rob.\n");
    assert_eq!(
        output_of(&["comment", "caching", "x", "--as", "Ann Lee"]),
        "Added comment from Ann Lee.\n"
    );
    assert_eq!(
        output_of(&["comment", "caching", "x", "--as", "@security"]),
        "Added comment from AI-Security.\n"
    );
    let without_git = Scenario::with_discussion().alone().env("USER", "o'brien");
    without_git.discussions(&["comment", "caching", "x"]).stdout("Added comment from o'brien.\n");
}

#[test]
#[cfg(unix)]
fn summary_replaces_a_symbolic_link_without_following_it() {
    let scenario = Scenario::with_discussion()
        .file("discussions.yaml", "output: {summary_files: true}\n")
        .file("mine", "keep me\n");
    let summary = scenario.path("discussions/caching.sum.md");
    std::os::unix::fs::symlink(scenario.path("mine"), &summary).unwrap();
    for _ in 0..2 {
        scenario.discussions(&["comment", "caching", "x"]).code(0);
        assert_eq!(scenario.read("mine"), "keep me\n");
        assert!(!summary.is_symlink());
        assert!(scenario.read("discussions/caching.sum.md").contains("Caching"));
    }
    let others = std::fs::read_dir(scenario.path("discussions")).unwrap();
    assert_eq!(others.count(), 3, "the discussion, its summary, the private folder");
}

#[test]
fn own_configured_author_wins_over_the_project() {
    let scenario = Scenario::with_discussion();
    scenario.write("discussions.yaml", b"author: Rob\n");
    scenario.write("../config/config.yaml", b"author: Mira\n");
    scenario.discussions(&["comment", "caching", "x"]).code(0).says("Added comment from Mira.");
}

#[test]
fn comment_in_another_name_is_noted_before_first_commit() {
    let scenario = Scenario::with_discussion();
    scenario.init_git();
    scenario
        .discussions(&["comment", "caching", "x", "--as", "Ann"])
        .code(0)
        .notes("people: {Ann: [rob@example.org]}");
}

#[test]
fn note_says_how_a_proposal_becomes_a_decision() {
    let scenario = Scenario::with_discussion();
    let state = ["comment", "caching", "DECISION: use the queue"];
    let run = scenario.discussions(&state).code(0);
    run.notes("D1 is a proposal: closing the discussion adopts it");
    scenario.discussions(&["close", "caching"]).code(0);
    let run = scenario.discussions(&["comment", "caching", "DECISION: use cron"]).code(0);
    run.notes("D2 is a proposal: closing the discussion adopts it; until then the outcome stays: decided by");
    let plain = scenario.discussions(&["comment", "caching", "Fine."]).code(0);
    assert!(!plain.stderr().contains("the outcome"), "{}", plain.stderr());
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn too_long_comment_is_refused() {
        let scenario = Scenario::with_discussion();
        let before = scenario.read("discussions/caching.md");
        let long = format!("{}VOTE: READY", "line of text\n".repeat(90_000));
        for vote in [&[][..], &["--vote", "READY"]] {
            let args = [&["comment", "caching", "-"], vote].concat();
            let refused = scenario.discussions_with(&args, &long).code(3).stdout("");
            insta::allow_duplicates! {
                insta::assert_snapshot!(refused.stderr(), @r"
            error: the comment has 1170011 bytes, but at most 1048576 are allowed
            help: move the long part to another file, and link to it
            ");
            }
        }
        assert_eq!(scenario.read("discussions/caching.md"), before);
        let most = format!("{}\n\nVOTE: READY", "x".repeat((1 << 20) - 13));
        scenario.discussions_with(&["comment", "caching", "-"], &most).code(0).notes("Vote: READY");
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn uncounted_lines_are_written_with_a_warning() {
        let scenario = Scenario::with_discussion();
        let warns = |text: &str| {
            let run = scenario.discussions(&["comment", "caching", text]).code(0);
            assert!(!last_entry(&scenario)["body"].is_null(), "{text}");
            let warnings = run.stderr().lines().filter(|line| !line.starts_with("next: "));
            warnings.collect::<Vec<_>>().join("\n")
        };
        insta::assert_snapshot!(warns("Why, @architekt? @nobody-at-all!"), @r"
    warning: no participant is called `@architekt`, so no model answers this mention; did you mean `@architect`?
    warning: no participant is called `@nobody-at-all`, so no model answers this mention
    ");
        insta::assert_snapshot!(warns("VOTE\u{FF1A}READY"), @"warning: line 1: this looks like a vote but is spelt with other characters, so it does not count; write `VOTE:` in plain letters");
        insta::assert_snapshot!(warns("Q\u{FF1A}how many rows?"), @"warning: `Q：` does not count, because its colon is another character; write `Q:`");
        insta::assert_snapshot!(warns("I like it. Q: how many rows?"), @"warning: `Q:` in the middle of a line does not count; start a new line with `Q:`");
        insta::assert_snapshot!(warns("- VOTE: READY"), @"warning: line 1: this vote does not count, because it is in a list; put it on its own line after a blank line");
        let next = "next: discussions turn caching    (asks each participant once)\nnext: discussions run caching    (asks until a person is needed)\n";
        scenario.discussions(&["comment", "caching", "I see."]).code(0).notes(next);
        // Lines that count cause no warning.
        for text in [
            "@architect, why?",
            "Q: how many rows?",
            "Rob says so. @security?",
            "mail rob@example.org",
        ] {
            assert_eq!(warns(text), "", "{text}");
        }
        scenario.discussions(&["close", "caching"]).code(0);
        insta::assert_snapshot!(warns("Too late?"), @"warning: the discussion is closed, so no participant will answer; to reopen it: `discussions reopen caching`");
    }
}
