//! Files whose lines end in CR LF, as editors on Windows save them.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

fn discussion_with_crlf() -> Scenario {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "First."]).code(0);
    scenario.write(FILE, scenario.read(FILE).replace('\n', "\r\n").as_bytes());
    scenario
}

#[track_caller]
fn assert_only_crlf(text: &str) {
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
}

#[test]
fn appending_keeps_crlf_line_ends() {
    let scenario = discussion_with_crlf();
    scenario.discussions(&["comment", "caching", "Second.\n\nWith two paragraphs."]).code(0);
    scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    scenario.discussions(&["advance", "caching"]).code(0);
    assert_only_crlf(&scenario.read(FILE));
    scenario.discussions(&["check", "--strict"]).code(0).stdout("");
    // A restored comment has CR LF again.
    let text = scenario.read(FILE);
    scenario.write(FILE, text.replace("Second.", "x").as_bytes());
    scenario.discussions(&["check", "--restore"]);
    assert_only_crlf(&scenario.read(FILE));
}

#[test]
fn mixed_line_ends_are_reported_and_fixed() {
    let scenario = discussion_with_crlf();
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
    assert_only_crlf(&scenario.read(FILE));
    scenario.discussions(&["check", "--strict"]).code(0).stdout("");
}

#[test]
fn merge_of_crlf_branches_keeps_crlf() {
    let scenario = Scenario::new().on_path();
    scenario.init_git();
    scenario.discussions(&["init"]).code(0);
    // Without this line git itself would turn CR LF into LF.
    scenario.write(".gitattributes", b"discussions/**/*.md merge=discussions -text\n");
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.write(FILE, scenario.read(FILE).replace('\n', "\r\n").as_bytes());
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Start"]).git(&["switch", "-qc", "mira"]);
    scenario.discussions(&["comment", "caching", "Mine.", "--as", "Mira"]).with_warnings().code(0);
    scenario.git(&["-c", "user.name=Mira", "commit", "-qam", "Mira"]);
    scenario.git(&["switch", "-q", "main"]);
    scenario.discussions(&["comment", "caching", "Yours."]).code(0);
    scenario.git(&["commit", "-qam", "Rob"]).git(&["merge", "-q", "mira", "-m", "Both"]);
    let text = scenario.read(FILE);
    assert!(text.contains("Mine.") && text.contains("Yours."));
    assert_only_crlf(&text);
    scenario.discussions(&["check", "--git", "--strict"]).code(0).stdout("");
}
