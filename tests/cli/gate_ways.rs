//! The way out of an alarm, decisions that end, and odd shapes of a history.

use super::gate_forge::{CACHING, FILE, Forge, OTHER, SESSIONS, alarms, assert_alarms, comment};

/// What is red gets green with one new commit: on the branch, and on main after a merge of any kind.
#[test]
fn one_command_and_one_commit_make_a_red_branch_green() {
    let changed = CACHING.replace("Not for ever.", "For ever.") + &comment("Lea", "VOTE: REJECT");
    let mut forge = Forge::new();
    forge.pr("Eve", "tidy", &[(FILE, Some(&changed)), (OTHER, None)]);
    let scenario = forge.build("pr");
    let since = ["check", "--git", "--since", "main"];
    scenario.discussions(&since).code(1);
    let mut accept = since.to_vec();
    accept.extend(["--accept", "--yes"]);
    let run = scenario.discussions(&accept).code(1);
    let start = run.stderr().find("`git commit ").unwrap_or_else(|| panic!("{}", run.stderr())) + 1;
    let end = start + run.stderr()[start..].find('`').unwrap();
    let commit = &run.stderr()[start..end];
    assert!(commit.contains("-m 'Recorded-for: Lea'"), "{commit}");
    assert!(commit.contains("-m 'Removes-Discussion: discussions/sessions.md'"), "{commit}");
    let done = scenario.command("sh").args(["-c", commit]).output().unwrap();
    assert!(done.status.success(), "{commit}");
    scenario.discussions(&since).code(0).says("[change-accepted]");
    scenario.discussions(&["check", "--git"]).code(0);
}

/// A decision that was in force ends, in its own file or by another one.
#[test]
fn ended_decision_is_named_with_who_decided_it() {
    let withdrawn = format!("{SESSIONS}\n---\n{}", comment("Eve", "WITHDRAWN: D1"));
    let mut forge = Forge::new();
    forge.pr("Eve", "x", &[(OTHER, Some(&withdrawn))]);
    let run = forge.check();
    assert!(alarms(&run).contains(&"warning decision-ended".to_owned()), "{}", run.stdout);
    assert!(run.stdout.contains("decided by Mira"), "{}", run.stdout);
    let typo = "# Typo in the readme?\n\n---\n".to_owned()
        + &comment("Eve", "DECISION: fix the typo\n\nSUPERSEDES: sessions.md#D1")
        + "<!-- STATUS: CLOSED, by: Eve -->\n";
    let mut forge = Forge::new();
    forge.pr("Eve", "x", &[("discussions/typo.md", Some(&typo))]);
    let run = forge.check();
    assert!(alarms(&run).contains(&"warning decision-ended".to_owned()), "{}", run.stdout);
    assert!(run.stdout.contains("discussions/typo.md replaces it"), "{}", run.stdout);
}

/// A project in a folder of the repository is checked from the top, too.
#[test]
fn projects_below_the_working_folder_are_checked() {
    let mut forge = Forge::new();
    let file = "part/discussions/caching.md";
    let text = CACHING.replace("# Caching", "# Part");
    forge.commit("Rob", "part", &[("part/discussions.yaml", Some("")), (file, Some(&text))]);
    let forged = text.clone() + &comment("Rob", "VOTE: READY");
    forge.pr("Eve", "x", &[(file, Some(&forged))]);
    let run = forge.check();
    assert!(alarms(&run).contains(&"error author-differs".to_owned()), "{}", run.stdout);
    assert!(run.stdout.contains("\"part/discussions/caching.md\""), "{}", run.stdout);
}

/// An octopus adds what one of its parents has.
#[test]
fn octopus_adds_nothing_of_its_own() {
    let voted = CACHING.to_owned() + &comment("Lea", "VOTE: REJECT");
    let mut forge = Forge::new();
    let main = forge.commit("Rob", "x", &[("a.txt", Some("a"))]);
    let one = forge.add("one", "Lea", "vote", vec![main], &[(FILE, Some(&voted))]);
    let two = forge.add("two", "Rob", "y", vec![main], &[("b.txt", Some("b"))]);
    let files = [(FILE, Some(voted.as_str())), ("b.txt", Some("b"))];
    forge.add("pr", "Eve", "octopus", vec![main, one, two], &files);
    assert_alarms(&forge, &[]);
}
