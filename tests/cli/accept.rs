//! `discussions check --accept`: changes of older text that are meant.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// A repository with two comments of Rob's, committed.
fn repository() -> Scenario {
    let scenario = Scenario::new().on_path();
    scenario.git(&["init", "-q"]);
    scenario.discussions(&["init", "--hook"]).code(0);
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&["comment", "caching", "The password is hunter2."]).code(0);
    scenario
        .discussions(&["comment", "caching", "We cahce for one hour at most. VOTE: READY"])
        .code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Start"]);
    scenario
}

/// The file without the comment that holds these words.
fn without(text: &str, words: &str) -> String {
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

/// Everything that checks has nothing to say.
fn quiet(scenario: &Scenario) {
    told(scenario, "");
}

/// Everything that checks has nothing to say but who agreed that what Rob said was removed.
fn told(scenario: &Scenario, by: &str) {
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
        let warning = "accepts a change to what Rob wrote [change-accepted]";
        let fits = |line: &str| line.ends_with(&note) || is_git && line.ends_with(warning);
        let noted = lines.inspect(|line| assert!(fits(line), "{args:?}: {line}"));
        let expected = usize::from(!by.is_empty()) + usize::from(is_git);
        assert_eq!(noted.count(), expected, "{args:?}: {}", run.stdout);
    }
}

/// The same commits from now on under this name.
fn commits_as(scenario: &Scenario, name: &str) {
    scenario.git(&["config", "user.name", name]);
}

fn clone(scenario: &Scenario) -> Scenario {
    let other = Scenario::new().on_path();
    let from = scenario.path(".").canonicalize().unwrap();
    other.git(&["clone", "-q", from.to_str().unwrap(), "."]);
    other.discussions(&["init", "--hook"]).code(0);
    other
}

/// What stands in the private files.
fn remembered(scenario: &Scenario) -> String {
    let files = std::fs::read_dir(scenario.path("discussions/.discussions")).unwrap();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn a_removal_is_accepted_once_for_everybody() {
    let scenario = repository();
    let colleague = clone(&scenario);
    edit(&scenario, |text| without(&text, "hunter2"));
    scenario
        .discussions(&["check"])
        .code(1)
        .says("is no longer in the file")
        .says("check --accept");
    // Nobody is there to ask.
    scenario
        .discussions(&["check", "--accept"])
        .code(2)
        .notes("-The password is hunter2.")
        .notes("--yes");
    assert!(remembered(&scenario).contains("hunter2"));
    scenario
        .discussions(&["check", "--accept", "--yes"])
        .code(0)
        .notes("-The password is hunter2.")
        .notes("accepted 1 change")
        .notes("git history and other clones may still have it");
    assert!(!remembered(&scenario).contains("hunter2"));
    assert!(!scenario.read(FILE).contains("hunter2"));
    scenario.git(&["commit", "-qam", "Without the password"]);
    quiet(&scenario);
    let text = scenario.read(FILE);
    scenario.discussions(&["check", "--accept", "--yes"]).code(0).notes("nothing to accept");
    assert_eq!(scenario.read(FILE), text);

    colleague.git(&["pull", "-q"]);
    quiet(&colleague);
    let fresh = clone(&scenario);
    quiet(&fresh);
    // What comes later goes on as ever.
    commits_as(&fresh, "Mira");
    fresh.discussions(&["comment", "caching", "Good."]).code(0);
    quiet(&fresh);
    // Nobody puts back what was agreed to be gone.
    scenario.discussions(&["check", "--restore"]).code(0);
    assert_eq!(scenario.read(FILE), text);
}

#[test]
fn whoever_wrote_what_a_colleague_removed_forgets_it_too() {
    let scenario = repository();
    let colleague = clone(&scenario);
    commits_as(&colleague, "Mira");
    edit(&colleague, |text| without(&text, "hunter2"));
    // This clone's journal knows nothing of it, its git does.
    colleague.discussions(&["check", "--git"]).code(1);
    colleague.discussions(&["check", "--accept", "--yes", "--as", "Mira"]).code(0);
    colleague.git(&["commit", "-qam", "Without the password"]);
    told(&colleague, "Mira");
    let from = colleague.path(".").canonicalize().unwrap();
    scenario.git(&["pull", "-q", from.to_str().unwrap(), "main"]);
    // Whose words they were in this folder is told, whatever a line in the file says.
    scenario
        .discussions(&["check"])
        .code(0)
        .says("[block-dropped]")
        .says("not written in this folder");
    assert!(remembered(&scenario).contains("hunter2"));
    scenario
        .discussions(&["check", "--accept"])
        .code(0)
        .notes("deleted the local copy of text that others agreed to remove");
    assert!(!remembered(&scenario).contains("hunter2"));
    told(&scenario, "Mira");
}

#[test]
fn edits_that_were_committed_one_after_the_other_are_accepted_together() {
    let scenario = repository();
    edit(&scenario, |text| text.replace("cahce", "chace"));
    scenario.git(&["commit", "-qnam", "A typo"]);
    edit(&scenario, |text| text.replace("chace", "cache").replace("# Caching", "# Caching, again"));
    scenario.git(&["commit", "-qnam", "Another"]);
    scenario.discussions(&["check"]).code(0).says("[own-edit]");
    scenario.discussions(&["check", "--git"]).code(1).says("[history-rewritten]");
    scenario
        .discussions(&["check", "--accept", "--yes"])
        .code(0)
        .notes("+We cache for one hour at most.");
    quiet(&scenario);
    scenario.git(&["commit", "-qam", "Accepted"]);
    quiet(&scenario);
    quiet(&clone(&scenario));
    // The new words are watched as the old ones were.
    let text = scenario.read(FILE);
    edit(&scenario, |text| without(&text, "We cache"));
    scenario.discussions(&["check"]).code(1).says("We cache for one hour");
    scenario.write(FILE, text.as_bytes());
    quiet(&scenario);
}

#[test]
fn what_was_accepted_covers_nothing_that_happens_later() {
    let scenario = Scenario::new();
    scenario.git(&["init", "-q"]);
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&["comment", "caching", "VOTE: READY"]).code(0);
    let first = scenario.read(FILE);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Start"]);
    scenario.write(FILE, without(&first, "VOTE: READY").as_bytes());
    scenario.discussions(&["check", "--accept", "--yes"]).code(0);
    let accepted = scenario.read(FILE);
    scenario.git(&["commit", "-qam", "Without the vote"]);
    scenario.discussions(&["comment", "caching", "VOTE: READY"]).code(0);
    scenario.git(&["commit", "-qam", "The same words again"]);
    quiet(&scenario);
    scenario.write(FILE, accepted.as_bytes());
    scenario.git(&["commit", "-qnam", "Unseen"]);
    scenario.discussions(&["check", "--git"]).code(1).says("[history-rewritten]");
}

#[test]
fn moving_and_restoring_are_accepted_too() {
    let scenario = repository();
    let before = scenario.read(FILE);
    edit(&scenario, |text| without(&text, "hunter2"));
    scenario.git(&["commit", "-qnam", "Lost"]);
    scenario.discussions(&["check", "--restore"]).code(0);
    scenario.git(&["commit", "-qam", "Put back"]);
    scenario.discussions(&["check", "--git"]).code(1);
    scenario.discussions(&["check", "--accept", "--yes"]).code(0);
    scenario.git(&["commit", "-qam", "Accepted"]);
    quiet(&scenario);
    quiet(&clone(&scenario));

    let scenario = Scenario::new().on_path();
    scenario.git(&["init", "-q"]);
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
    quiet(&scenario);
}

#[test]
fn a_discussion_that_was_away_for_a_while_is_accepted() {
    let scenario = repository();
    let text = scenario.read(FILE);
    scenario.git(&["rm", "-q", "--cached", FILE]).git(&["commit", "-qnm", "Away"]);
    scenario.write(FILE, text.as_bytes());
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Back"]);
    scenario.discussions(&["check", "--git"]).code(1).says("removed the file");
    scenario.discussions(&["check", "--accept", "--yes"]).code(0);
    scenario.git(&["commit", "-qam", "Accepted"]);
    quiet(&scenario);
}

#[test]
fn a_branch_that_went_on_meanwhile_is_merged_and_stays_quiet() {
    let scenario = repository();
    scenario.git(&["switch", "-qc", "mira"]);
    scenario.discussions(&["comment", "caching", "Measure first.", "--as", "Mira"]).code(0);
    scenario.git(&["-c", "user.name=Mira", "commit", "-qam", "Mira"]);
    scenario.git(&["switch", "-q", "main"]);
    edit(&scenario, |text| without(&text, "hunter2"));
    scenario.discussions(&["check", "--accept", "--yes"]).code(0);
    scenario.git(&["commit", "-qam", "Without the password"]);
    let rebased = clone(&scenario);
    // What was agreed to on one side is done on the other.
    scenario.git(&["merge", "-q", "-m", "Merge", "mira"]);
    let text = scenario.read(FILE);
    assert!(text.contains("Measure first.") && !text.contains("hunter2"), "{text}");
    quiet(&scenario);
    quiet(&clone(&scenario));
    // A rebase puts the same commit behind the other.
    commits_as(&rebased, "Mira");
    rebased.discussions(&["comment", "caching", "Later."]).code(0);
    rebased.git(&["commit", "-qam", "Later"]).git(&["pull", "-q", "--rebase=true"]);
    quiet(&rebased);
}

/// Two branches that each change the discussion, agree to it, and say something.
fn branches(ours: impl Fn(String) -> String, theirs: impl Fn(String) -> String) -> Scenario {
    let scenario = repository();
    scenario.git(&["switch", "-qc", "other"]);
    for (branch, name, change) in
        [("other", "Mira", &theirs as &dyn Fn(String) -> String), ("main", "Rob", &ours)]
    {
        scenario.git(&["switch", "-q", branch]);
        edit(&scenario, change);
        scenario.discussions(&["check", "--accept", "--yes", "--as", name]).code(0);
        let words = format!("From {name}.");
        scenario.discussions(&["comment", "caching", &words, "--as", name]).code(0);
        let author = format!("user.name={name}");
        scenario.git(&["-c", &author, "commit", "-qnam", name]);
    }
    scenario
}

#[test]
fn what_both_sides_removed_stays_away_when_they_are_merged() {
    let removed = |text: String| without(&text, "hunter2");
    let scenario = branches(removed, removed);
    scenario.git(&["merge", "-q", "-m", "Merge", "other"]);
    let text = scenario.read(FILE);
    assert!(text.contains("From Rob.") && text.contains("From Mira."), "{text}");
    assert!(!text.contains("hunter2") && !text.contains("<<<<<<<"), "{text}");
    told(&scenario, "Mira");
}

#[test]
fn different_agreements_of_both_sides_are_merged() {
    let removed = |text: String| without(&text, "hunter2");
    let edited = |text: String| text.replace("cahce", "cache").replace("# Caching", "# Caches");
    let scenario = branches(removed, edited);
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
fn what_the_sides_made_different_things_of_is_a_conflict() {
    let scenario =
        branches(|text| text.replace("cahce", "cache"), |text| text.replace("cahce", "keep"));
    scenario.try_git(&["merge", "-q", "-m", "Merge", "other"]).code(1);
    assert!(scenario.read(FILE).contains("<<<<<<<"));
}

#[test]
fn where_somebody_else_conflicts_what_was_removed_is_not_shown() {
    let scenario =
        branches(|text| without(&text, "hunter2"), |text| text.replace("# Caching", "# Caches"));
    // A change that nobody agreed to.
    scenario.git(&["switch", "-q", "other"]);
    edit(&scenario, |text| text.replace("From Mira.", "From Mira!"));
    scenario.git(&["commit", "-qnam", "Changed"]);
    scenario.git(&["switch", "-q", "main"]).git(&["merge", "-q", "-m", "Merge", "other"]);
    assert!(!scenario.read(FILE).contains("hunter2"));
}

#[test]
fn an_agreement_by_a_model_is_words() {
    let line = "<!-- ACCEPTED was: 0000000000000000000000000000000000000000000000000000000000000000, after: [start] -->";
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", &format!("x\n\n---\n\n{line}")]).code(0);
    let shown = scenario.discussions(&["show", "caching", "--json"]).code(0).json();
    let kinds: Vec<_> =
        shown["entries"].as_array().unwrap().iter().map(|one| one["kind"].clone()).collect();
    assert!(!kinds.contains(&"accepted".into()), "{kinds:?}");
}
