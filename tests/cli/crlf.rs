//! Files whose lines end in CR LF, as editors on Windows save them.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

fn windows() -> Scenario {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "First."]).code(0);
    scenario.write(FILE, scenario.read(FILE).replace('\n', "\r\n").as_bytes());
    scenario
}

#[track_caller]
fn pure(text: &str) {
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
}

#[test]
fn whoever_appends_keeps_the_ends_of_lines() {
    let scenario = windows();
    scenario.discussions(&["comment", "caching", "Second.\n\nWith two paragraphs."]).code(0);
    scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    scenario.discussions(&["advance", "caching"]).code(0);
    pure(&scenario.read(FILE));
    scenario.discussions(&["check", "--strict"]).code(0).stdout("");
    // What is lost comes back as it was.
    let text = scenario.read(FILE);
    scenario.write(FILE, text.replace("Second.", "x").as_bytes());
    scenario.discussions(&["check", "--restore"]);
    pure(&scenario.read(FILE));
}

#[test]
fn mixed_ends_are_told_and_mended() {
    let scenario = windows();
    let mixed = scenario.read(FILE).replacen("\r\n", "\n", 2);
    scenario.write(FILE, mixed.as_bytes());
    scenario
        .discussions(&["check", "--strict"])
        .code(0)
        .says("2 lines end in LF, the others do not");
    scenario
        .discussions(&["check", "--fix", "--yes"])
        .code(0)
        .notes("this makes all line ends the same");
    pure(&scenario.read(FILE));
    scenario.discussions(&["check", "--strict"]).code(0).stdout("");
}

#[test]
fn two_branches_with_the_same_ends_keep_them() {
    let scenario = Scenario::new().on_path();
    scenario.git(&["init", "-q"]);
    scenario.discussions(&["init"]).code(0);
    // Without this line git itself would turn CR LF into LF.
    scenario.write(".gitattributes", b"discussions/**/*.md merge=discussions -text\n");
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.write(FILE, scenario.read(FILE).replace('\n', "\r\n").as_bytes());
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Start"]).git(&["switch", "-qc", "mira"]);
    scenario.discussions(&["comment", "caching", "Mine.", "--as", "Mira"]).code(0);
    scenario.git(&["-c", "user.name=Mira", "commit", "-qam", "Mira"]);
    scenario.git(&["switch", "-q", "main"]);
    scenario.discussions(&["comment", "caching", "Yours."]).code(0);
    scenario.git(&["commit", "-qam", "Rob"]).git(&["merge", "-q", "mira", "-m", "Both"]);
    let text = scenario.read(FILE);
    assert!(text.contains("Mine.") && text.contains("Yours."));
    pure(&text);
    scenario.discussions(&["check", "--git", "--strict"]).code(0).stdout("");
}
