//! Who a line speaks for, and what an inserted line does to older ones.

use super::gate_forge::{CACHING, FILE, Forge, OTHER, SESSIONS, alarms, assert_alarms, comment};

/// Eve once committed under another name with the same address, and votes under both.
#[test]
fn votes_under_two_names_of_one_address_are_a_warning() {
    let mut forge = Forge::with(".mailmap", "Evelyn <eve@example.org> <eve@example.org>\n");
    let text =
        CACHING.to_owned() + &comment("Eve", "VOTE: READY") + &comment("Evelyn", "VOTE: READY");
    forge.pr("Eve", "vote", &[(FILE, Some(&text))]);
    assert_alarms(&forge, &["warning name-lookalike"]);
}

/// A status above older votes takes them out of the count.
#[test]
fn status_inserted_above_older_votes_is_a_warning() {
    let mira = comment("Mira", "Q: Who clears the cache?");
    let status = "<!-- STATUS: CLOSED, by: Eve -->\n\n---\n";
    let mut forge = Forge::new();
    forge.pr("Eve", "close", &[(FILE, Some(&CACHING.replace(&mira, &format!("{status}{mira}"))))]);
    let run = forge.check();
    assert!(alarms(&run).contains(&"warning votes-reset".to_owned()), "{}", run.stdout);
    assert!(run.stdout.contains("Lea"), "{}", run.stdout);
}

/// A status above the one that decided makes its author the one who decided.
#[test]
fn decision_taken_over_by_an_inserted_act_is_a_warning() {
    let status = "<!-- STATUS: CLOSED, by: Mira -->\n";
    let text =
        SESSIONS.replace(status, &format!("<!-- STATUS: CLOSED, by: Eve -->\n\n---\n{status}"));
    let mut forge = Forge::new();
    forge.pr("Eve", "close", &[(OTHER, Some(&text))]);
    let run = forge.check();
    assert_eq!(alarms(&run), ["warning answer-moved"], "{}", run.stdout);
    assert!(run.stdout.contains("decided by Mira, now counts as decided by Eve"), "{}", run.stdout);
}

/// An answer without a number takes the question that fits best, also an inserted one.
#[test]
fn answer_without_a_number_that_takes_an_inserted_question_is_a_warning() {
    let file = "discussions/t.md";
    let start = "# Root?\n\nWho?\n\n---\n".to_owned() + &comment("Lea", "Q: Shall Eve get root?");
    let answer = comment("Mira", "A: No, never.");
    let inserted = comment("Eve", "Q: Does anyone object? No, never?");
    let mut forge = Forge::new();
    forge.commit("Mira", "t\n\nRecorded-for: Lea", &[(file, Some(&format!("{start}{answer}")))]);
    forge.pr("Eve", "ask", &[(file, Some(&format!("{start}{inserted}{answer}")))]);
    let run = forge.check();
    assert_eq!(alarms(&run), ["warning answer-moved"], "{}", run.stdout);
    assert!(
        run.stdout.contains("`Q: Does anyone object? No, never?` counts as closed"),
        "{}",
        run.stdout
    );
}

/// A message removes a discussion, and its words stand below another question.
#[test]
fn words_below_another_question_are_a_warning_also_if_a_message_removes_theirs() {
    let words = comment("Rob", "Yes, do it now.");
    let mut forge = Forge::new();
    forge.commit(
        "Rob",
        "t",
        &[("discussions/t.md", Some(&format!("# Tea?\n\nT?\n\n---\n{words}")))],
    );
    let other = format!("# Root for Eve?\n\nR?\n\n---\n{words}");
    let message = "tidy\n\nRemoves-Discussion: discussions/t.md";
    forge.pr("Eve", message, &[("discussions/t.md", None), ("discussions/r.md", Some(&other))]);
    assert_alarms(&forge, &["warning history-inserted"]);
}

/// Words that their author took back return with a concern.
#[test]
fn returned_concern_is_a_warning() {
    let concern = CACHING.to_owned() + &comment("Rob", "CONCERN: it may be stale");
    let mut forge = Forge::new();
    forge.commit("Rob", "concern", &[(FILE, Some(&concern))]);
    forge.commit("Rob", "not", &[(FILE, Some(CACHING))]);
    forge.pr("Eve", "back", &[(FILE, Some(&concern))]);
    assert_alarms(&forge, &["warning history-inserted"]);
}

/// Some systems take the long s for an s.
#[test]
fn path_that_folds_to_another_one_is_an_error() {
    let mut forge = Forge::new();
    forge.pr("Eve", "x", &[("di\u{17f}cu\u{17f}\u{17f}ions/caching.md", Some("# X\n"))]);
    assert_alarms(&forge, &["error path-ambiguous"]);
}

/// A merge that changes the question of a discussion that only the branch has.
#[test]
fn question_changed_in_a_merge_is_an_error() {
    let file = "discussions/t.md";
    let ours = "# Tea?\n\nGreen?\n\n---\n".to_owned() + &comment("Rob", "VOTE: READY");
    let other = ours.replace("# Tea?", "# Root for Eve?");
    let mut forge = Forge::new();
    let base = forge.commit("Lea", "code", &[("a.txt", Some("a"))]);
    let one = forge.add("pr", "Rob", "t", vec![base], &[(file, Some(&ours))]);
    let two = forge.add("side", "Lea", "side", vec![base], &[("b.txt", Some("b"))]);
    forge.add("pr", "Eve", "merge", vec![one, two], &[(file, Some(&other)), ("b.txt", Some("b"))]);
    let run = forge.check();
    assert!(alarms(&run).contains(&"error history-rewritten".to_owned()), "{}", run.stdout);
}

/// On main, an acceptance counts whoever committed it, with a note if that was somebody else.
#[test]
fn acceptance_in_another_name_is_noted_on_main() {
    let mut forge = Forge::new();
    let line = format!(
        "<!-- ACCEPTED was: {}, after: start, of: Rob, by: Rob -->\n\n---\n",
        "1".repeat(64)
    );
    forge.commit("Eve", "accept", &[(FILE, Some(&format!("{CACHING}{line}")))]);
    let run = forge.build("main").discussions(&["check", "--git", "--json"]).with_any_code();
    assert_eq!(alarms(&run), [""; 0], "{}", run.stdout);
    assert!(run.stdout.contains("adds an `ACCEPTED` line in the name of Rob"), "{}", run.stdout);
}
