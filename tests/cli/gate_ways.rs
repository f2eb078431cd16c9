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
    let commit = printed_commit(run.stderr()).unwrap_or_else(|| panic!("{}", run.stderr()));
    assert!(commit.contains("-m 'Recorded-for: Lea'"), "{commit}");
    assert!(commit.contains("-m 'Removes-Discussion: discussions/sessions.md'"), "{commit}");
    let done = scenario.command("sh").args(["-c", commit]).output().unwrap();
    assert!(done.status.success(), "{commit}");
    scenario.discussions(&since).code(0).says("[change-accepted]");
    scenario.discussions(&["check", "--git"]).code(0);
}

/// Returns the commit that a run of `--accept` prints.
fn printed_commit(stderr: &str) -> Option<&str> {
    let start = stderr.find("`git commit ")? + 1;
    let end = start + stderr[start..].find('`')?;
    Some(&stderr[start..end])
}

mod slow {
    use super::*;
    use crate::cli::gate_forge::alarms;

    /// A row of the table: what it is, and the files that Eve changes.
    type Row = (&'static str, Vec<(&'static str, Option<String>)>);

    fn rows() -> Vec<Row> {
        let add = |words: &str| CACHING.to_owned() + words;
        let said = |name: &str, words: &str| add(&comment(name, words));
        let one = |text: String| vec![(FILE, Some(text))];
        let rob = comment("Rob", "Not for ever.\n\nVOTE: CHANGES");
        let lea = comment("Lea", "Fine.\n\nVOTE: READY");
        let moved = CACHING.replace(&lea, "").replace(&rob, &format!("{lea}{rob}"));
        let below = SESSIONS.to_owned() + "\n---\n" + &rob;
        let page = || Some("# Page\n\nNothing.\n".to_owned());
        vec![
            ("changed", one(CACHING.replace("Not for ever.", "For ever."))),
            ("flipped", one(CACHING.replace("VOTE: CHANGES", "VOTE: READY"))),
            ("lost", one(CACHING.replace(&rob, ""))),
            ("moved", one(moved)),
            ("question", one(CACHING.replace("How long do we", "Must we ever"))),
            ("settings", one(CACHING.replace("[architect, security]", "[architect]"))),
            ("vote", one(said("Lea", "VOTE: REJECT"))),
            ("decision", one(said("Lea", "DECISION: for ever"))),
            (
                "withdrawal",
                vec![(
                    OTHER,
                    Some(SESSIONS.to_owned() + "\n---\n" + &comment("Mira", "WITHDRAWN: D1")),
                )],
            ),
            ("answer", one(said("Rob", "A: Q1 nobody"))),
            ("settled", one(said("Rob", "SETTLED: all"))),
            ("comment", one(said("Rob", "Well."))),
            ("status", one(add("<!-- STATUS: CLOSED, by: Lea -->\n"))),
            ("phase", one(add("<!-- PHASE: detailed_review, by: Lea -->\n"))),
            ("unknown", one(said("Zoe", "VOTE: READY"))),
            ("model", one(said("AI-Architect", "VOTE: READY"))),
            ("below", vec![(FILE, Some(CACHING.replace(&rob, ""))), (OTHER, Some(below))]),
            ("removed", vec![(OTHER, None)]),
            ("emptied", vec![(OTHER, Some(String::new()))]),
            ("page", vec![(OTHER, page())]),
            (
                "hidden",
                vec![(OTHER, None), ("discussions/.old/sessions.md", Some(SESSIONS.to_owned()))],
            ),
            ("outside", vec![(OTHER, None), ("notes/sessions.md", Some(SESSIONS.to_owned()))]),
            ("mine", vec![("discussions/mine.md", Some("# Mine?\n\nM?\n\n---\n".to_owned()))]),
            (
                "mine, kept",
                vec![(
                    "discussions/mine.md",
                    Some("# Mine?\n\nM?\n\n---\n".to_owned() + &comment("Eve", "Hm.")),
                )],
            ),
            (
                "mine, question",
                vec![("discussions/mine.md", Some("# Other?\n\nM?\n\n---\n".to_owned() + &lea))],
            ),
            ("part", vec![("part/discussions/part.md", Some("# Part?\n\nP?\n\n---\n".to_owned()))]),
        ]
    }

    /// Every row of the table whose way out is an acceptance or a line of a message: one command and one commit make the
    /// branch green, and main after a merge.
    #[test]
    #[ignore = "slow: starts git for each row of the table"]
    fn one_command_is_the_way_out_of_every_row() {
        let part = "# Part?\n\nP?\n\n---\n".to_owned() + &comment("Lea", "VOTE: READY");
        let mine = part.replace("# Part?\n\nP?", "# Mine?\n\nM?");
        for (row, files) in rows() {
            let mut forge = Forge::new();
            let of_part = [
                ("part/discussions.yaml", Some("")),
                ("part/discussions/part.md", Some(part.as_str())),
            ];
            forge.commit("Lea", "part", &of_part);
            if row.starts_with("mine") {
                forge.pr("Lea", "mine", &[("discussions/mine.md", Some(&mine))]);
            }
            let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_deref())).collect();
            forge.pr("Eve", "tidy", &files);
            let scenario = forge.build("pr");
            scenario.git(&["config", "user.name", "Eve"]);
            scenario.git(&["config", "user.email", "eve@example.org"]);
            let since = ["check", "--git", "--since", "main", "--json"];
            let before = alarms(&scenario.discussions(&since).with_any_code());
            assert!(!before.is_empty(), "{row} is seen");
            let accept = ["check", "--git", "--since", "main", "--accept", "--yes"];
            let run = scenario.discussions(&accept).with_any_code();
            let commit = printed_commit(run.stderr());
            let commit = commit.unwrap_or_else(|| panic!("{row}: {before:?} {}", run.stderr()));
            let done = scenario.command("sh").args(["-c", commit]).output().unwrap();
            assert!(done.status.success(), "{row}: {commit}");
            let after = alarms(&scenario.discussions(&since).with_any_code());
            let errors: Vec<&String> = after.iter().filter(|it| it.starts_with("error")).collect();
            assert!(errors.is_empty(), "{row}: {before:?} {after:?} {commit}");
            for merge in [
                &["merge", "-q", "--no-ff", "-m", "merge", "pr"][..],
                &["merge", "-q", "--ff-only", "pr"],
            ] {
                scenario.git(&["checkout", "-qB", "trunk", "main"]);
                scenario.git(merge);
                let main =
                    alarms(&scenario.discussions(&["check", "--git", "--json"]).with_any_code());
                assert!(
                    !main.iter().any(|it| it.starts_with("error")),
                    "{row} {merge:?}: {main:?}"
                );
            }
            drop(run);
        }
    }
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
