//! Attacks on what counts that leave other people's words as they are: copies of a discussion, invented acceptances,
//! questions and settings changed below acts of others, invented runs, and words that only a branch had.

use sha2::{Digest as _, Sha256};

use super::gate_forge::{CACHING, FILE, Forge, OTHER, SESSIONS, alarms, assert_alarms, comment};

/// A hash of nothing that was ever there.
const NO_TEXT: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// A question that Eve asked and to which nobody else wrote a comment.
const TEA: &str = "# Tea\n\nTea for all?\n\n---\n";

#[track_caller]
fn assert_error(forge: &Forge, code: &str) {
    let run = forge.check();
    let expected = format!("error {code}");
    assert!(alarms(&run).contains(&expected), "{expected} is not in {}", run.stdout);
}

/// The copy continues the discussion, so that its votes are new below the other question.
#[test]
fn votes_of_a_copied_discussion_do_not_count_for_another_question() {
    let other = CACHING.replace("How long do we keep answers?", "Shall Eve get the password?");
    let mut forge = Forge::new();
    forge.pr("Eve", "copy", &[("discussions/zz.md", Some(CACHING)), (FILE, Some(&other))]);
    assert_error(&forge, "author-differs");
    // Main has the discussion at this path with another question.
    let asked = TEA.to_owned() + &comment("Rob", "VOTE: READY");
    let forged = asked.replace("Tea for all?", "The password for Eve?");
    let mut forge = Forge::new();
    forge.pr("Eve", "begin", &[("a.txt", Some("a"))]);
    forge.commit("Rob", "tea", &[("discussions/tea.md", Some(&asked))]);
    forge.pr("Eve", "tea", &[("discussions/tea.md", Some(&forged))]);
    assert_error(&forge, "author-differs");
}

fn hash_of(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns an `ACCEPTED` line by Eve with the new text of a change.
fn accepted(was: &str, now: &str, of: &str) -> String {
    let now = hash_of(now);
    format!("<!-- ACCEPTED was: {was}, after: start, now: {now}, of: {of}, by: Eve -->\n\n---\n")
}

/// A line accepts a change that was made, and its new text stands in the same name.
#[test]
fn acceptance_of_no_change_explains_no_new_words() {
    for (words, text) in [
        (comment("Rob", "VOTE: READY"), "Name: Rob\n\nVOTE: READY"),
        (
            "<!-- STATUS: CLOSED, by: Rob -->\n\n---\n".to_owned(),
            "<!-- STATUS: CLOSED, by: Rob -->",
        ),
    ] {
        let forged = CACHING.to_owned() + &words + &accepted(NO_TEXT, text, "Eve");
        let mut forge = Forge::new();
        forge.pr("Eve", "small", &[(FILE, Some(&forged))]);
        assert_error(&forge, "author-differs");
    }
    // Eve takes back her own comment, and says that Rob's vote is its new text.
    let own = CACHING.to_owned() + &comment("Eve", "Hm.");
    let was = hash_of("Name: Eve\n\nHm.");
    let forged = CACHING.to_owned()
        + &comment("Rob", "VOTE: READY")
        + &accepted(&was, "Name: Rob\n\nVOTE: READY", "Eve");
    let mut forge = Forge::new();
    forge.commit("Eve", "hm", &[(FILE, Some(&own))]);
    forge.pr("Eve", "small", &[(FILE, Some(&forged))]);
    assert_error(&forge, "author-differs");
}

/// Who closed a discussion decided about its question, also without a comment.
#[test]
fn question_changed_below_the_act_of_another_is_an_error() {
    for act in ["<!-- STATUS: CLOSED, by: Lea -->\n", "<!-- PHASE: detailed_review, by: Lea -->\n"]
    {
        let decided = TEA.to_owned() + &comment("Eve", "DECISION: yes") + act;
        let changed = decided.replace("Tea for all?", "The password for Eve?");
        let mut forge = Forge::new();
        forge.commit("Eve", "tea", &[("discussions/tea.md", Some(TEA))]);
        let message = "close\n\nRecorded-for: Eve";
        forge.commit("Lea", message, &[("discussions/tea.md", Some(&decided))]);
        forge.pr("Eve", "typo", &[("discussions/tea.md", Some(&changed))]);
        assert_alarms(&forge, &["error history-rewritten"]);
    }
}

/// A run consists of answers with receipts, or of failures, and never speaks for a person.
#[test]
fn invented_run_does_not_end_a_phase() {
    let lines = "<!-- PHASE: initial_feedback, by: Rob -->\n<!-- VOTE-RESET -->\n";
    let child = "<!-- CHILD file: caching/x.md, at: 2026-11-20T10:00:00Z -->\n";
    let x = "# X\n\nX?\n\n---\n".to_owned() + &comment("Eve", "hi");
    let forged = CACHING.to_owned() + child + "\n" + lines;
    let mut forge = Forge::new();
    let files = [(FILE, Some(forged.as_str())), ("discussions/caching/x.md", Some(&x))];
    forge.pr("Eve", "part", &files);
    assert_error(&forge, "author-differs");
    let asking = CACHING.replace("[architect, security]", "[rob, security]");
    let forged = asking.clone() + "<!-- TURN: 1, asks: [rob] -->\n\n" + lines;
    let mut forge = Forge::new();
    forge.commit("Rob", "ask", &[(FILE, Some(&asking))]);
    forge.pr("Eve", "part", &[(FILE, Some(&forged))]);
    assert_error(&forge, "author-differs");
}

/// What only the branch has is somebody's too.
#[test]
fn topic_of_a_branch_changed_below_the_words_of_another_is_an_error() {
    let file = "discussions/tea.md";
    let voted = TEA.to_owned() + &comment("Rob", "VOTE: READY");
    let changed = voted.replace("Tea for all?", "The password for Eve?");
    let settled = format!("<!-- DISCUSSION\nconsensus: {{human_required: false}}\n-->\n\n{voted}");
    for (files, author, expected) in [
        (vec![(file, Some(changed.as_str()))], "Eve", &["error history-rewritten"][..]),
        (vec![(file, Some(settled.as_str()))], "Eve", &["error history-rewritten"]),
        // Below another topic at another path, the vote is new, too.
        (
            vec![(file, None), ("discussions/t.md", Some(changed.as_str()))],
            "Eve",
            &["error author-differs", "error history-rewritten"],
        ),
        (vec![(file, Some(changed.as_str()))], "Rob", &[]),
        (vec![(file, None), ("discussions/t.md", Some(voted.as_str()))], "Eve", &[]),
    ] {
        let mut forge = Forge::new();
        forge.pr("Eve", "tea", &[(file, Some(TEA))]);
        forge.pr("Rob", "vote", &[(file, Some(&voted))]);
        forge.pr(author, "change", &files);
        assert_alarms(&forge, expected);
    }
}

/// An equal block in another discussion is not the removed one, and acts are words too.
#[test]
fn removed_words_of_a_branch_are_counted_by_discussion() {
    let vote = comment("Rob", "VOTE: CHANGES");
    let (one, two) = (TEA.to_owned(), TEA.replace("Tea", "Rum"));
    let (one_voted, two_voted) = (one.clone() + &vote, two.clone() + &vote);
    let (file, other) = ("discussions/tea.md", "discussions/rum.md");
    let mut forge = Forge::new();
    forge.pr("Eve", "begin", &[(file, Some(&one)), (other, Some(&two))]);
    forge.pr("Rob", "vote", &[(file, Some(&one_voted)), (other, Some(&two_voted))]);
    forge.pr("Eve", "tidy", &[(file, Some(&one))]);
    assert_error(&forge, "history-rewritten");
    // The other discussion, with an equal vote, goes on in the same commit.
    let more = two_voted.clone() + &comment("Eve", "See the other one.");
    let mut forge = Forge::new();
    forge.commit("Rob", "begin", &[(file, Some(&one)), (other, Some(&two_voted))]);
    forge.pr("Rob", "vote", &[(file, Some(&one_voted))]);
    forge.pr("Eve", "tidy", &[(file, Some(&one)), (other, Some(&more))]);
    assert_error(&forge, "history-rewritten");
    let reopened = SESSIONS.to_owned() + "<!-- STATUS: OPEN, by: Rob -->\n";
    let mut forge = Forge::new();
    forge.pr("Rob", "open", &[(OTHER, Some(&reopened))]);
    forge.pr("Eve", "tidy", &[(OTHER, Some(SESSIONS))]);
    assert_error(&forge, "history-rewritten");
}

/// GitHub lists the messages that it squashes.
#[test]
fn line_of_a_squashed_message_in_a_list_counts() {
    let voted = CACHING.to_owned() + &comment("Mira", "VOTE: READY");
    let mut forge = Forge::new();
    let message =
        "Tidy (#3)\n\n* Recorded-for: Mira\n\n* Removes-Discussion: discussions/sessions.md";
    forge.pr("Eve", message, &[(FILE, Some(&voted)), (OTHER, None)]);
    assert_alarms(&forge, &[]);
}

/// A link to a page outside of the folder is a discussion in all lists.
#[test]
fn discussion_behind_a_link_is_judged_like_a_file() {
    let plan = TEA.to_owned() + &comment("Rob", "VOTE: READY");
    let link = |forge: &mut Forge| forge.file("120000", b"discussions/plan.md", "../notes/plan.md");
    let mut forge = Forge::new();
    forge.pr("Eve", "plan", &[("notes/plan.md", Some(&plan))]);
    link(&mut forge);
    assert_alarms(&forge, &["error author-differs"]);
    let run = forge.build("pr").discussions(&["check", "--git", "--json"]).code(0);
    assert_eq!(alarms(&run), ["warning author-differs"], "{}", run.stdout);
    // The page behind the link of main is changed.
    let flipped = plan.replace("READY", "REJECT");
    let mut forge = Forge::new();
    forge.commit("Rob", "plan", &[("notes/plan.md", Some(&plan))]);
    link(&mut forge);
    forge.pr("Eve", "plan", &[("notes/plan.md", Some(&flipped))]);
    assert_error(&forge, "history-rewritten");
    let run = forge.build("pr").discussions(&["check", "--git", "--json"]).code(1);
    assert!(alarms(&run).contains(&"error history-rewritten".to_owned()), "{}", run.stdout);
    // A link in place of a discussion stays an error, and Rob's own page behind a link is quiet.
    let mut forge = Forge::new();
    forge.pr("Eve", "move", &[("notes/plan.md", Some(CACHING)), (FILE, None)]);
    forge.file("120000", FILE.as_bytes(), "../notes/plan.md");
    assert_alarms(&forge, &["error discussion-gone"]);
    let mut forge = Forge::new();
    forge.pr("Rob", "plan", &[("notes/plan.md", Some(&plan))]);
    link(&mut forge);
    assert_alarms(&forge, &[]);
}

/// Rob's closing line decides about nothing that was inserted above it later.
#[test]
fn decision_inserted_above_an_older_act_is_named() {
    let status = "<!-- STATUS: CLOSED, by: Mira -->";
    for words in ["DECISION: Eve gets the password", "DECISION: on paper (replaces D1)"] {
        let inserted = comment("Eve", words) + "\n" + status;
        let mut forge = Forge::new();
        forge.pr("Eve", "note", &[(OTHER, Some(&SESSIONS.replace(status, &inserted)))]);
        let run = forge.check();
        assert!(alarms(&run).contains(&"warning answer-moved".to_owned()), "{}", run.stdout);
        if words.contains("replaces") {
            assert!(alarms(&run).contains(&"warning decision-ended".to_owned()), "{}", run.stdout);
        }
    }
    // Mira closes again herself.
    let closed = SESSIONS.to_owned()
        + "<!-- STATUS: OPEN, by: Mira -->\n\n---\n"
        + &comment("Mira", "DECISION: in memory")
        + "<!-- STATUS: CLOSED, by: Mira -->\n";
    let mut forge = Forge::new();
    forge.pr("Mira", "more", &[(OTHER, Some(&closed))]);
    assert_alarms(&forge, &[]);
}

/// A link in a file that nobody touched leads to another discussion.
#[test]
fn file_that_takes_the_place_of_another_one_is_named() {
    let next = "# Next\n\nWhere now?\n\n---\n".to_owned()
        + &comment("Lea", "DECISION: in files\n\nSUPERSEDES: sessions.md#D1")
        + "<!-- STATUS: CLOSED, by: Lea -->\n";
    let tabs = "# Tabs\n\nTabs?\n\n---\n".to_owned() + &comment("Eve", "DECISION: tabs");
    let mut forge = Forge::new();
    forge.commit("Lea", "next", &[("discussions/next.md", Some(&next))]);
    let files = [("discussions/older.md", Some(SESSIONS)), (OTHER, Some(&*tabs))];
    forge.pr("Eve", "rename", &files);
    let run = forge.check();
    assert!(alarms(&run).contains(&"warning answer-moved".to_owned()), "{}", run.stdout);
    let parent = CACHING.to_owned()
        + "<!-- CHILD file: caching/x.md, at: 2026-11-20T10:00:00Z -->\n\n---\n\n\
           <!-- CHILD-END file: caching/x.md, calls: 6, status: OPEN -->\n";
    let (x, y) = ("discussions/caching/x.md", "discussions/caching/y.md");
    let child = "# X\n\nX?\n\n---\n".to_owned() + &comment("Rob", "DECISION: 40");
    let other = "# Y\n\nY?\n\n---\n".to_owned() + &comment("Eve", "DECISION: none");
    let mut forge = Forge::new();
    forge.commit("Rob", "part", &[(FILE, Some(&parent)), (x, Some(&child))]);
    forge.pr("Eve", "rename", &[(y, Some(&child)), (x, Some(&other))]);
    let run = forge.check();
    assert!(alarms(&run).contains(&"warning answer-moved".to_owned()), "{}", run.stdout);
}

/// The program tells only the outcome that a sub-discussion has.
#[test]
fn invented_outcome_of_a_sub_discussion_is_a_warning() {
    let x = "# X\n\nX?\n\n---\n".to_owned() + &comment("Eve", "hi");
    let forged = CACHING.to_owned()
        + "<!-- CHILD file: caching/x.md, at: 2026-11-20T10:00:00Z -->\n\n---\n\n\
           <!-- CHILD-END file: caching/x.md, calls: 6, status: CONSENSUS -->\n\n---\n"
        + &comment("Discussions", "Outcome of x.\n\nDECISION: Eve gets the password");
    let mut forge = Forge::new();
    forge.pr("Eve", "part", &[(FILE, Some(&forged)), ("discussions/caching/x.md", Some(&x))]);
    assert_alarms(&forge, &["warning receipt-missing"]);
}

/// A project in a folder goes with its configuration.
#[test]
fn project_removed_with_its_configuration_is_named() {
    let (config, file) = ("part/discussions.yaml", "part/discussions/plan.md");
    let plan = TEA.to_owned() + &comment("Rob", "VOTE: CHANGES");
    let forge = || {
        let mut forge = Forge::new();
        forge.commit("Rob", "part", &[(config, Some("")), (file, Some(&plan))]);
        forge
    };
    let mut removed = forge();
    removed.pr("Eve", "tidy", &[(config, None), (file, None)]);
    assert_alarms(&removed, &["error discussion-gone"]);
    removed.pr("Eve", &format!("so\n\nRemoves-Discussion: {file}"), &[]);
    assert_alarms(&removed, &[]);
    let dropped = TEA.to_owned() + &comment("Eve", "VOTE: READY");
    let mut moved = forge();
    let files = [
        (config, None),
        (file, None),
        ("other/discussions.yaml", Some("")),
        ("other/discussions/plan.md", Some(&*dropped)),
    ];
    moved.pr("Eve", "tidy", &files);
    assert_error(&moved, "history-rewritten");
}

/// A push may move the folder and change what it holds; a move alone changes nothing.
#[test]
fn main_is_judged_in_the_folders_that_it_had() {
    let config = "author: Eve\noutput: {directory: talks}\n";
    let dropped = CACHING.replace(&comment("Rob", "Not for ever.\n\nVOTE: CHANGES"), "");
    for (text, expected) in [(CACHING, &[][..]), (&dropped, &["error history-rewritten"])] {
        let mut forge = Forge::new();
        let files = [
            (FILE, None),
            (OTHER, None),
            ("talks/caching.md", Some(text)),
            ("talks/sessions.md", Some(SESSIONS)),
            ("discussions.yaml", Some(config)),
        ];
        forge.commit("Eve", "move", &files);
        let run = forge.build("main").discussions(&["check", "--git", "--json"]).with_any_code();
        assert_eq!(alarms(&run), expected, "{}", run.stdout);
        drop(run.code(i32::from(!expected.is_empty())));
    }
}

/// An equal vote in another discussion does not forgive the loss of this one.
#[test]
fn vote_lost_on_main_is_counted_by_discussion() {
    let vote = comment("Rob", "VOTE: REJECT");
    let (one, two) = (CACHING.to_owned() + &vote, TEA.to_owned() + &vote);
    let mut forge = Forge::new();
    forge.commit("Rob", "votes", &[(FILE, Some(&one)), ("discussions/tea.md", Some(&two))]);
    forge.commit("Eve", "tidy", &[(FILE, Some(CACHING))]);
    let run = forge.build("main").discussions(&["check", "--git", "--json"]).code(1);
    assert_eq!(alarms(&run), ["error history-rewritten"], "{}", run.stdout);
}

/// An author splits a discussion: what they wrote goes with them.
#[test]
fn own_comment_moved_to_another_discussion_is_quiet() {
    let own = comment("Eve", "Another thing.");
    let before = CACHING.to_owned() + &own;
    let mut forge = Forge::new();
    forge.commit("Eve", "say", &[(FILE, Some(&before))]);
    let new = "# New\n\n---\n".to_owned() + &own;
    forge.pr("Eve", "split", &[(FILE, Some(CACHING)), ("discussions/new.md", Some(&new))]);
    assert_alarms(&forge, &[]);
}

/// Git drops an apostrophe at the end of a name; the count does not.
#[test]
fn two_spellings_of_a_voter_are_a_warning() {
    let voted =
        CACHING.to_owned() + &comment("Eve", "VOTE: READY") + &comment("Eve'", "VOTE: READY");
    let mut forge = Forge::new();
    forge.pr("Eve", "vote", &[(FILE, Some(&voted))]);
    assert_alarms(&forge, &["warning name-lookalike"]);
}

/// Git would take the tag, which a branch can bring.
#[test]
fn tag_that_shadows_the_branch_is_an_error() {
    let mut forge = Forge::new();
    forge.pr("Eve", "x", &[("a.txt", Some("a"))]);
    let scenario = forge.build("pr");
    scenario.git(&["tag", "main"]);
    let run = scenario.discussions(&["check", "--git", "--since", "main"]).with_any_code();
    assert!(run.stderr().contains("is a tag and a branch"), "{}", run.stderr());
    drop(run.code(3));
    scenario.discussions(&["check", "--git", "--since", "refs/heads/main"]).code(0);
}

/// Attributes hide changes by any pattern, and by a macro; without the driver, git merges lines.
#[test]
fn attributes_of_any_pattern_and_a_lost_driver_are_named() {
    let driver = "discussions/*.md merge=discussions\n";
    for (before, after) in [
        ("", "[attr]quiet -diff -merge\ndiscussions/caching.[m]? quiet\n"),
        ("", "discussions/caching.[m]? -diff\n"),
        (driver, "# none\n"),
    ] {
        let mut forge = Forge::with(".gitattributes", before);
        forge.pr("Eve", "attributes", &[(".gitattributes", Some(after))]);
        assert_alarms(&forge, &["warning rules-changed"]);
    }
    // Also without the file.
    let mut forge = Forge::with(".gitattributes", driver);
    forge.pr("Eve", "attributes", &[(".gitattributes", None)]);
    assert_alarms(&forge, &["warning rules-changed"]);
    let other = "assets/*.bin filter=lfs diff=lfs merge=lfs -text\nassets/** -diff\n";
    for quiet in ["*.md merge=discussions\n", &format!("{driver}{other}")] {
        let mut forge = Forge::with(".gitattributes", driver);
        forge.pr("Eve", "attributes", &[(".gitattributes", Some(quiet))]);
        assert_alarms(&forge, &[]);
    }
}

/// Eve may end a phase, but not above what others wrote since.
#[test]
fn phase_inserted_above_older_words_is_a_warning() {
    let phase = "<!-- PHASE: detailed_review, by: Eve -->\n<!-- VOTE-RESET -->\n\n---\n";
    let appended = CACHING.to_owned() + phase;
    let mira = comment("Mira", "Q: Who clears the cache?");
    let inserted = CACHING.replace(&mira, &format!("{phase}{mira}"));
    for (text, expected) in [(&appended, &[][..]), (&inserted, &["warning votes-reset"])] {
        let mut forge = Forge::new();
        forge.pr("Eve", "advance", &[(FILE, Some(text))]);
        assert_alarms(&forge, expected);
    }
}

/// The message names the act that ended the decision, and its line; the text of the decision is still there.
#[test]
fn ended_decision_names_the_act_that_ended_it() {
    let mut forge = Forge::new();
    let reopened = SESSIONS.to_owned() + "\n<!-- STATUS: OPEN, by: Eve -->\n";
    forge.pr("Eve", "reopen", &[(OTHER, Some(&reopened))]);
    let run = forge.check();
    assert!(!run.stdout.contains("its text is gone"), "{}", run.stdout);
    assert!(
        run.stdout.contains("since line 20 is `<!-- STATUS: OPEN, by: Eve -->`"),
        "{}",
        run.stdout
    );
}
