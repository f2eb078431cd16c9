//! Attacks that a check of a branch names, and honest work that it does not alarm about.

use super::gate_forge::{CACHING, FILE, Forge, OTHER, SESSIONS, alarms, assert_alarms, comment};
use super::scenario::Scenario;

#[track_caller]
fn assert_error(forge: &Forge, code: &str) {
    let run = forge.check();
    let expected = format!("error {code}");
    assert!(alarms(&run).contains(&expected), "{expected} is not in {}", run.stdout);
}

/// M1: written outside of the folder, and then moved in.
#[test]
fn votes_forged_outside_of_the_folder_are_named() {
    let plan = CACHING.replace("# Caching", "# Plan") + "<!-- STATUS: CLOSED, by: Lea -->\n";
    let mut forge = Forge::new();
    forge.pr("Eve", "notes", &[("notes/plan.md", Some(&plan))]);
    forge.pr("Eve", "move", &[("notes/plan.md", None), ("discussions/plan.md", Some(&plan))]);
    assert_error(&forge, "author-differs");
    let forged = CACHING.to_owned() + &comment("Rob", "VOTE: READY");
    let mut forge = Forge::new();
    forge.pr("Eve", "copy", &[("notes/caching.md", Some(&forged))]);
    let files =
        [("notes/caching.md", None), (FILE, None), ("discussions/cache.md", Some(&*forged))];
    forge.pr("Eve", "move", &files);
    assert_error(&forge, "author-differs");
}

fn flipped() -> (String, String) {
    let more =
        CACHING.to_owned() + &comment("Rob", "VOTE: READY") + &comment("Rob", "VOTE: REJECT");
    let swapped =
        CACHING.to_owned() + &comment("Rob", "VOTE: REJECT") + &comment("Rob", "VOTE: READY");
    (more, swapped)
}

/// M2: a merge commit that reorders.
#[test]
fn vote_flipped_by_a_reordering_merge_is_named() {
    let (more, swapped) = flipped();
    let mut forge = Forge::new();
    let main = forge.commit("Rob", "votes", &[(FILE, Some(&more))]);
    let side = forge.pr("Eve", "empty", &[]);
    forge.add("pr", "Eve", "merge", vec![side, main], &[(FILE, Some(&swapped))]);
    assert_error(&forge, "history-rewritten");
}

/// M3: with two merge bases, an old vote cannot be doubled.
#[test]
fn vote_doubled_with_two_merge_bases_is_named() {
    let mut forge = Forge::new();
    let begin = forge.commit("Rob", "x", &[("a.txt", Some("a"))]);
    let old = forge.commit_on("old", "Eve", "old", &[("b.txt", Some("b"))]);
    let main = forge.add("main", "Rob", "merge", vec![begin, old], &[("b.txt", Some("b"))]);
    let doubled = CACHING.to_owned() + &comment("Rob", "Not for ever.\n\nVOTE: CHANGES");
    forge.add("pr", "Eve", "merge", vec![main, old], &[(FILE, Some(&doubled))]);
    assert_error(&forge, "author-differs");
}

/// M4: a file name that is not UTF-8.
#[test]
fn discussion_with_a_name_of_other_bytes_is_an_error() {
    let mut forge = Forge::new();
    forge.pr("Eve", "rename", &[(FILE, None)]);
    let lossy = CACHING.replace(&comment("Mira", "Q: Who clears the cache?"), "");
    forge.file("100644", b"discussions/cach\xe9.md", &lossy);
    assert_error(&forge, "path-ambiguous");
    assert_error(&forge, "history-rewritten");
}

/// M5: what has no author.
#[test]
fn accepted_change_of_the_question_is_a_warning() {
    let asked = CACHING.replace("How long do we keep answers?", "Shall Eve get the password?");
    let mut forge = Forge::new();
    forge.pr("Eve", "typo", &[(FILE, Some(&asked))]);
    assert_error(&forge, "history-rewritten");
    let scenario = forge.build("pr");
    scenario.discussions(&["check", "--git", "--since", "main", "--accept", "--yes"]);
    scenario.git(&["commit", "-qnam", "accept"]);
    let run = scenario.discussions(&["check", "--git", "--since", "main"]).code(0);
    run.says("Eve accepts a change of the question").says("[change-accepted]");
}

/// M6: control lines without a person.
#[test]
fn control_lines_without_a_person_or_a_run_are_errors() {
    for (lines, code) in [
        ("<!-- PHASE: detailed_review -->\n<!-- VOTE-RESET -->\n", "receipt-missing"),
        ("<!-- PHASE: initial_feedback, by: Rob -->\n<!-- VOTE-RESET -->\n", "author-differs"),
        ("<!-- STATUS: CLOSED -->\n", "receipt-missing"),
        ("<!-- PASS who: security, turn: 1, at: 2026-11-20T10:00:00Z -->\n", "receipt-missing"),
        ("<!-- CHILD-END file: x/y.md, calls: 1, status: CONSENSUS -->\n", "receipt-missing"),
    ] {
        let forged = CACHING.to_owned() + lines;
        let mut forge = Forge::new();
        forge.pr("Eve", "tidy", &[(FILE, Some(&forged))]);
        assert_error(&forge, code);
    }
    let forged = CACHING.to_owned() + &comment("Discussions", "DECISION: we ship it");
    let mut forge = Forge::new();
    forge.pr("Eve", "tidy", &[(FILE, Some(&forged))]);
    assert_alarms(&forge, &["warning receipt-missing"]);
}

/// M7: hidden from all lists.
#[test]
fn discussion_hidden_from_lists_is_an_error() {
    for path in ["discussions/.old/caching.md", "discussions/caching.sum.md", "archive/caching.md"]
    {
        let mut forge = Forge::new();
        forge.pr("Eve", "tidy", &[(FILE, None), (path, Some(CACHING))]);
        assert_alarms(&forge, &["error discussion-gone"]);
        forge.pr("Eve", &format!("so\n\nRemoves-Discussion: {FILE}"), &[]);
        assert_alarms(&forge, &[]);
    }
}

/// M8: a vote moved to another question.
#[test]
fn vote_moved_to_another_question_is_named() {
    let stolen =
        format!("# Shall Eve get the password?\n\n---\n{}", comment("Lea", "Fine.\n\nVOTE: READY"));
    let mut forge = Forge::new();
    let message = format!("tidy\n\nRemoves-Discussion: {FILE}");
    forge.pr("Eve", &message, &[(FILE, None), ("discussions/access.md", Some(&stolen))]);
    assert_error(&forge, "author-differs");
}

/// M9: words of models without a receipt.
#[test]
fn words_of_a_model_need_a_receipt() {
    for (words, expected) in [
        ("A: Q1 we do", "error receipt-missing"),
        ("DECISION: we ship it today", "error receipt-missing"),
        ("I see.", "warning receipt-missing"),
    ] {
        let forged = CACHING.to_owned() + &comment("AI-Security", words);
        let mut forge = Forge::new();
        forge.pr("Eve", "x", &[(FILE, Some(&forged))]);
        assert_alarms(&forge, &[expected]);
    }
}

/// M10: a template of the branch.
#[test]
fn template_that_changes_an_earlier_discussion_is_a_warning() {
    let template = include_str!("../../templates/dialogue.md");
    let template = template.replace("voting_mode: true", "voting_mode: false");
    let talk = CACHING.replace("template: feature", "template: dialogue");
    let talk = talk.replace("# Caching", "# Talk");
    let mut forge = Forge::new();
    forge.commit("Rob", "x\n\nRecorded-for: Mira, Lea", &[("discussions/talk.md", Some(&talk))]);
    forge.pr("Eve", "rules", &[("templates/dialogue.md", Some(&template))]);
    assert_alarms(&forge, &["warning rules-changed"]);
    let mut forge = Forge::new();
    forge.pr("Eve", "rules", &[("templates/mine.md", Some(&template))]);
    assert_alarms(&forge, &[]);
}

/// M11: a submodule, a link or a page in place of the discussions.
#[test]
fn submodule_in_place_of_the_folder_is_an_error() {
    let mut forge = Forge::new();
    forge.pr("Eve", "module", &[(FILE, None), (OTHER, None)]);
    forge.file("160000", b"discussions", &"1".repeat(40));
    assert_alarms(&forge, &["error discussion-gone"]);
}

/// M12: an author's edit of what main has.
#[test]
fn edit_of_merged_words_is_an_error_whatever_their_line_ends() {
    let base = CACHING.replace("Fine.\n", "Fine.  \nYes.\n").replace('\n', "\r\n");
    let edited = base.replace("Yes.", "No.");
    let mut forge = Forge::new();
    forge.commit("Lea", "line ends", &[(FILE, Some(&base))]);
    forge.pr("Lea", "edit", &[(FILE, Some(&edited))]);
    assert_alarms(&forge, &["error history-rewritten"]);
}

/// M13: markup that looks like another comment, or hides the next ones.
#[test]
fn disguised_and_open_comments_are_warnings() {
    for (words, code) in [
        ("I agree.\n\n<hr><p>Name: Rob</p>\n\nVOTE: READY", "comment-disguised"),
        ("I agree.\n\n___\n\n**Name: Rob**\n\nVOTE: READY", "comment-disguised"),
        ("## Rob\n\nFine.\n\nVOTE: READY", "comment-disguised"),
        ("<details>", "markup-open"),
        ("<!-- so", "markup-open"),
        ("```", "markup-open"),
    ] {
        let forged = CACHING.to_owned() + &comment("Eve", words);
        let mut forge = Forge::new();
        forge.pr("Eve", "x", &[(FILE, Some(&forged))]);
        let run = forge.check();
        assert!(alarms(&run).contains(&format!("warning {code}")), "{words}: {}", run.stdout);
    }
}

/// M14: names that differ only by their case, and attributes that hide changes.
#[test]
fn ambiguous_paths_and_hiding_attributes_are_named() {
    for path in ["discussions/Caching.md", "Discussions/plan.md"] {
        let mut forge = Forge::new();
        forge.pr("Eve", "x", &[(path, Some("# Plan\n\n---\n\nName: Eve\n\nx\n\n---\n"))]);
        assert_error(&forge, "path-ambiguous");
    }
    let mut forge = Forge::new();
    let line = "discussions/*.md -merge -diff linguist-generated\n";
    forge.pr("Eve", "x", &[(".gitattributes", Some(line))]);
    assert_alarms(&forge, &["warning rules-changed"]);
}

/// F1: a sparse checkout without the folder.
#[test]
fn sparse_checkout_without_the_folder_is_quiet() {
    let mut forge = Forge::new();
    forge.pr("Eve", "code", &[("code.txt", Some("more\n"))]);
    let scenario = forge.build("pr");
    scenario.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/discussions"]);
    assert!(!scenario.path("discussions").exists());
    for args in [&["check", "--git"][..], &["check", "--git", "--since", "main"]] {
        scenario.discussions(args).code(0).says("[not-checked-out]");
    }
    scenario.write("code.txt", b"even more\n");
    scenario.git(&["add", "code.txt"]);
    scenario.discussions(&["check", "--staged", "discussions"]).code(0).stdout("");
}

/// F2: forges put a paragraph below the line that allows a removal. F14: a comma in a file name.
#[test]
fn removal_is_allowed_by_a_line_anywhere_in_a_message() {
    let mut forge = Forge::new();
    let message = format!(
        "Tidy (#1)\n\nRemoves-Discussion: {FILE}\n\nCo-authored-by: Mira <mira@example.org>"
    );
    forge.pr("Eve", &message, &[(FILE, None)]);
    let scenario = forge.build("pr");
    for args in
        [&["check", "--git", "--json"][..], &["check", "--git", "--since", "main", "--json"]]
    {
        assert_eq!(alarms(&scenario.discussions(args).code(0)), [""; 0]);
    }
    let comma = "discussions/a, b.md";
    let mut forge = Forge::new();
    forge.commit("Rob", "more", &[(comma, Some(CACHING.replace("# Caching", "# Comma").as_str()))]);
    forge.pr("Eve", "away", &[(comma, None)]);
    forge.pr("Eve", &format!("so\n\nRemoves-Discussion: {comma}"), &[]);
    assert_alarms(&forge, &[]);
}

/// F3 and F4: a squash under another author, which only a later commit can explain.
#[test]
fn later_commit_explains_a_squash_of_a_forge() {
    let voted = CACHING.to_owned() + &comment("Lea", "VOTE: REJECT");
    let mut forge = Forge::new();
    forge.pr("Mira", "Lea's vote (#2)", &[(FILE, Some(&voted))]);
    assert_alarms(&forge, &["error author-differs"]);
    forge.pr("Mira", "explain\n\nRecorded-for: Lea", &[]);
    assert_alarms(&forge, &[]);
}

/// F5: the topic is described after `new`.
#[test]
fn topic_may_change_before_anybody_spoke() {
    let topic = SESSIONS.split("\nName: Mira").next().unwrap();
    let mut forge = Forge::new();
    forge.commit("Eve", "new", &[("discussions/new.md", Some(topic))]);
    forge.pr(
        "Eve",
        "describe",
        &[("discussions/new.md", Some(&topic.replace("live?", "live, and why?")))],
    );
    assert_alarms(&forge, &[]);
    let scenario = forge.build("pr");
    assert_eq!(alarms(&scenario.discussions(&["check", "--git", "--json"]).code(0)), [""; 0]);
}

/// F7: added and taken back by the author within one branch.
#[test]
fn words_added_and_taken_back_on_a_branch_are_quiet() {
    let voted = CACHING.to_owned() + &comment("Eve", "VOTE: READY");
    let mut forge = Forge::new();
    forge.pr(
        "Eve",
        "vote",
        &[
            (FILE, Some(&voted)),
            ("discussions/new.md", Some("# New\n\n---\n\nName: Eve\n\nx\n\n---\n")),
        ],
    );
    forge.pr("Eve", "not so", &[(FILE, Some(CACHING)), ("discussions/new.md", None)]);
    assert_alarms(&forge, &[]);
    // Somebody else must not remove what its author added.
    let mut forge = Forge::new();
    forge.pr(
        "Lea",
        "vote",
        &[(FILE, Some(&(CACHING.to_owned() + &comment("Lea", "VOTE: REJECT"))))],
    );
    forge.pr("Eve", "tidy", &[(FILE, Some(CACHING))]);
    assert_alarms(&forge, &["error history-rewritten"]);
}

/// F8: a revert brings back what main had.
#[test]
fn reverted_removal_brings_words_back() {
    let voted = CACHING.to_owned() + &comment("Mira", "VOTE: REJECT");
    let mut forge = Forge::new();
    forge.commit("Mira", "vote", &[(FILE, Some(&voted))]);
    forge.commit("Mira", "Revert", &[(FILE, Some(CACHING))]);
    forge.pr("Rob", "Revert the revert", &[(FILE, Some(&voted))]);
    assert_alarms(&forge, &["warning history-inserted"]);
}

/// F9 and F10: a byte order mark and blank lines.
#[test]
fn byte_order_mark_and_blank_lines_are_quiet() {
    for text in [
        format!("\u{feff}{CACHING}"),
        CACHING.replace("\n\nHow", "\n\n\n\nHow"),
        CACHING.replace('\n', "\r\n"),
    ] {
        let mut forge = Forge::new();
        forge.pr("Eve", "format", &[(FILE, Some(&text))]);
        assert_alarms(&forge, &[]);
    }
}

/// F11: the address of a co-author that an earlier commit has.
#[test]
fn co_author_is_known_by_an_earlier_address() {
    let voted = CACHING.to_owned() + &comment("Mira", "VOTE: READY");
    let mut forge = Forge::new();
    let message = "minutes\n\nCo-authored-by: Mira Novak <mira@example.org>";
    forge.pr("Eve", message, &[(FILE, Some(&voted))]);
    assert_alarms(&forge, &[]);
}

/// F12: a discussion is split.
#[test]
fn split_discussion_is_at_most_a_warning() {
    let question = comment("Mira", "Q: Who clears the cache?");
    let mut forge = Forge::new();
    let split = format!("# Clearing\n\n---\n{question}");
    let files =
        [(FILE, Some(CACHING.replace(&question, ""))), ("discussions/clearing.md", Some(split))];
    let files: Vec<(&str, Option<&str>)> =
        files.iter().map(|(path, text)| (*path, text.as_deref())).collect();
    forge.pr("Eve", "split", &files);
    assert_alarms(&forge, &["warning history-inserted"]);
}

/// F13: another project's history is imported below a folder.
#[test]
fn imported_history_of_another_project_is_quiet() {
    let mut forge = Forge::new();
    let main = forge.commit("Rob", "x", &[("a.txt", Some("a"))]);
    let other = "# Other\n\n---\n\nName: Zoe\n\nVOTE: READY\n\n---\n";
    let foreign =
        forge.add("foreign", "Zoe", "squash", vec![], &[("discussions/other.md", Some(other))]);
    forge.add(
        "pr",
        "Eve",
        "subtree",
        vec![main, foreign],
        &[("vendor/discussions/other.md", Some(other))],
    );
    assert_alarms(&forge, &[]);
}

/// F15: a partial clone without trees.
#[test]
fn partial_clone_without_trees_names_the_command() {
    let mut forge = Forge::new();
    forge.pr("Eve", "code", &[("code.txt", Some("more\n"))]);
    let scenario = forge.build("pr");
    scenario.git(&["config", "uploadpack.allowFilter", "true"]);
    let from = format!("file://{}", scenario.path(".").canonicalize().unwrap().display());
    let clone = Scenario::new();
    clone.git(&["clone", "-q", "--filter=tree:0", "--no-checkout", "-b", "pr", &from, "."]);
    let run = clone.discussions(&["check", "--git", "--since", "origin/main"]).code(1);
    run.says("this partial clone").says("git fetch --refetch");
}

/// H1: before a commit, its message is unknown.
#[test]
fn hook_only_warns_of_a_removal() {
    let scenario = Forge::new().build("main");
    scenario.git(&["rm", "-q", FILE]);
    let run = scenario.discussions(&["check", "--staged", "--json"]).code(0);
    assert_eq!(alarms(&run), ["warning discussion-gone"]);
}

/// H2: the folder and its configuration are renamed together.
#[test]
fn hook_follows_a_renamed_folder() {
    let scenario = Forge::new().build("main");
    scenario.git(&["mv", "discussions", "talks"]);
    scenario.write("discussions.yaml", b"output: {directory: talks}\n");
    scenario.git(&["add", "-A"]);
    scenario.discussions(&["check", "--staged", "discussions", "--strict"]).code(0).stdout("");
    // The hook of an old clone names the old folder, and still checks the new one.
    scenario.git(&["commit", "-qnm", "rename"]);
    let file = "talks/caching.md";
    scenario.write(file, scenario.read(file).replace("READY", "REJECT").as_bytes());
    scenario.git(&["add", "-A"]);
    scenario.discussions(&["check", "--staged", "discussions"]).code(1).says("[history-rewritten]");
}

/// H3: the discussions are a submodule.
#[test]
fn hook_of_a_superproject_with_a_submodule_is_quiet() {
    let mut forge = Forge::with("discussions.yaml", "author: Eve\n");
    forge.commit("Eve", "module", &[(FILE, None), (OTHER, None)]);
    forge.file("160000", b"discussions", &"1".repeat(40));
    let scenario = forge.build("main");
    scenario.write("code.txt", b"more\n");
    scenario.git(&["add", "code.txt"]);
    let scenario = scenario.env("GIT_INDEX_FILE", ".git/index");
    scenario.discussions(&["check", "--staged", "discussions"]).code(0).stdout("");
}

/// W1: a merge that git could not finish alone.
#[test]
fn hook_compares_with_the_merged_commit_too() {
    let theirs = CACHING.to_owned() + &comment("Rob", "VOTE: READY");
    let mut forge = Forge::new();
    forge.pr("Eve", "code", &[("code.txt", Some("more\n"))]);
    forge.commit("Rob", "vote", &[(FILE, Some(&theirs))]);
    let scenario = forge.build("pr");
    scenario.git(&["merge", "-q", "--no-commit", "--no-ff", "main"]);
    scenario.discussions(&["check", "--staged", "--strict"]).code(0).stdout("");
}

/// W2 and F6: a shallow clone does not blame the commit at which it is cut off.
#[test]
fn boundary_of_a_shallow_clone_is_blamed_for_nothing() {
    let mut forge = Forge::new();
    forge.commit("Eve", "code", &[("code.txt", Some("more\n"))]);
    let scenario = forge.build("main");
    let from = format!("file://{}", scenario.path(".").canonicalize().unwrap().display());
    let clone = Scenario::new();
    clone.git(&["clone", "-q", "--depth", "1", &from, "."]);
    let run = clone.discussions(&["check", "--git", "--allow-shallow", "--json"]).code(0);
    assert_eq!(alarms(&run), ["warning history-shallow"]);
    let run = clone.discussions(&["check", "--git", "--json"]).code(1);
    assert_eq!(alarms(&run), ["error history-shallow"]);
}

/// W3: git drops a full stop at the end of a name.
#[test]
fn name_with_a_full_stop_is_its_author() {
    let said = CACHING.to_owned() + &comment("J. R. Smith Jr.", "VOTE: READY");
    let mut forge = Forge::new();
    forge.pr("J. R. Smith Jr", "vote", &[(FILE, Some(&said))]);
    assert_alarms(&forge, &[]);
}

/// W4: an agent's words are those of the commit's author.
#[test]
fn vote_of_an_agent_is_quiet() {
    let said = CACHING.to_owned() + &comment("agent", "VOTE: READY");
    let mut forge = Forge::new();
    forge.pr("Eve", "vote", &[(FILE, Some(&said))]);
    assert_alarms(&forge, &[]);
}

/// W5: a colleague's accepted correction is one warning.
#[test]
fn accepted_correction_by_a_colleague_is_one_warning() {
    let corrected = CACHING.replace("Not for ever.", "Not forever.");
    let mut forge = Forge::new();
    forge.pr("Eve", "typo", &[(FILE, Some(&corrected))]);
    let scenario = forge.build("pr");
    scenario.discussions(&["check", "--git", "--since", "main", "--accept", "--yes"]);
    scenario.git(&["commit", "-qnam", "accept"]);
    let run = scenario.discussions(&["check", "--git", "--since", "main", "--json"]).code(0);
    let problems = run.json();
    let warnings =
        problems.as_array().unwrap().iter().flat_map(|one| one["problems"].as_array().unwrap());
    assert_eq!(warnings.filter(|it| it["severity"] == "warning").count(), 1, "{}", run.stdout);
}

#[test]
fn listed_people_are_the_only_ones_who_accept() {
    let corrected = CACHING.replace("Not for ever.", "Not forever.");
    let mut forge = Forge::with("discussions.yaml", "people: {Rob: [rob@example.org]}\n");
    forge.pr("Eve", "typo", &[(FILE, Some(&corrected))]);
    let scenario = forge.build("pr");
    scenario
        .discussions(&["check", "--git", "--since", "main", "--accept", "--yes", "--as", "Eve"])
        .code(1);
    scenario.git(&["commit", "-qnam", "accept"]);
    let run = scenario.discussions(&["check", "--git", "--since", "main", "--json"]).code(1);
    assert_eq!(alarms(&run), ["error change-accepted"]);
}
