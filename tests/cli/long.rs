//! Comments in long discussions: the cost of one does not grow with the file.

use super::scenario::{Run, Scenario};

const FILE: &str = "discussions/caching.md";

/// A discussion of about so many bytes, all of them comments.
fn long(bytes: usize) -> Scenario {
    let scenario = Scenario::with_discussion();
    let comment = format!("---\n\nName: Ann\n\n{}\n\n", "One word more. ".repeat(250));
    let text = scenario.read(FILE) + &comment.repeat(bytes / comment.len() + 1) + "---\n";
    scenario.write(FILE, text.as_bytes());
    scenario
}

/// How many bytes a command reads, with all programs that it starts.
#[cfg(target_os = "linux")]
fn bytes_read(scenario: &Scenario, args: &[&str]) -> usize {
    let script = "\"$@\" > /dev/null 2>&1 || exit 1; cat /proc/$$/io";
    let mut command = scenario.command("/bin/sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_discussions")]).args(args);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{args:?} failed");
    let told = String::from_utf8(output.stdout).unwrap();
    let line = told.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap();
    line.trim().parse().unwrap()
}

const SPEAKING: [&[&str]; 4] = [
    &["comment", "caching", "Measure first."],
    &["comment", "caching", "Measure first.\n\nVOTE: READY"],
    &["vote", "caching", "ready"],
    &["answer", "caching", "Q1", "We do."],
];

#[test]
#[cfg(target_os = "linux")]
fn a_comment_in_a_long_file_reads_its_ends_only() {
    let scenario = long(24 << 20);
    for args in SPEAKING {
        let read = bytes_read(&scenario, args);
        assert!(read < 6 << 20, "{args:?} reads {read} bytes");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_comment_in_a_shorter_file_reads_it_once() {
    let size = 3 << 20;
    let scenario = long(size);
    let none = bytes_read(&scenario, &["--version"]);
    for args in &SPEAKING[..3] {
        // The writer looks at the last mebibyte for conflict marks.
        let read = bytes_read(&scenario, args) - none;
        assert!(read > size && read < 2 * size, "{args:?} reads {read} bytes");
    }
}

#[test]
fn what_the_end_of_a_long_file_shows_is_told() {
    let scenario = long(5 << 20);
    let said = scenario.discussions(&["comment", "caching", "Why, @nobdy?"]).code(0);
    said.stdout("Added comment from Rob.\n")
        .notes("no participant is called `@nobdy`")
        .notes("only its end was checked; to check all of it: `discussions check caching`");
    let json = scenario.discussions(&["vote", "caching", "READY", "--json"]).code(0).json();
    assert_eq!(json["endOnly"], true, "{json}");
    assert_eq!(json["vote"], "READY");
    assert_eq!(json["next"].as_array().unwrap().len(), 0);
    assert!(json.get("consensus").is_none());
    let status = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
    assert_eq!(status["votes"]["Rob"], "READY", "the vote stands in the file");
    scenario.discussions(&["vote", "caching", "blue"]).code(3).notes("`blue` is not an option");
    scenario.discussions(&["close", "caching"]).code(0);
    let closed = scenario.discussions(&["comment", "caching", "Too late."]).code(0);
    closed.notes("the discussion is closed");
}

#[test]
fn the_phase_of_a_long_file_says_what_may_be_voted_for_if_its_end_tells_it() {
    let scenario = Scenario::new();
    let new = &["new", "Caching", "--template", "voting", "--set", "options=Redis,Postgres"];
    scenario.discussions(new).code(0);
    let comment = format!("---\n\nName: Ann\n\n{}\n\n", "One word more. ".repeat(250));
    let text = scenario.read(FILE) + &comment.repeat(1400) + "---\n";
    scenario.write(FILE, text.as_bytes());
    scenario.discussions(&["vote", "caching", "postgres"]).code(0).stdout("Rob votes Postgres.\n");
    scenario.discussions(&["vote", "caching", "mysql"]).code(3);
}

/// Both sides appended, and git could not merge.
fn conflicting(scenario: &Scenario) -> Run {
    let text = scenario.read(FILE)
        + "<<<<<<< HEAD\n\nName: Ann\n\nYes.\n\n---\n=======\n\nName: Mira\n\nNo.\n\n---\n>>>>>>> main\n";
    scenario.write(FILE, text.as_bytes());
    let run = scenario.discussions(&["comment", "caching", "three"]).code(3);
    assert_eq!(scenario.read(FILE), text);
    run
}

#[test]
fn conflict_marks_at_the_end_of_a_long_file_are_seen() {
    conflicting(&long(5 << 20)).notes("the file has a merge conflict");
}

#[test]
fn a_run_asks_nobody_wherever_conflict_marks_stand() {
    let scenario = Scenario::with_discussion();
    let comment = format!("---\n\nName: Ann\n\n{}\n\n", "One word more. ".repeat(250));
    let marks = "---\n\nName: Ann\n\nYes.\n\n<<<<<<< HEAD\n---\n\nName: Mira\n\nNo.\n\n=======\n>>>>>>> main\n\n";
    let text = scenario.read(FILE) + "\n" + marks + &comment.repeat(400) + "---\n";
    scenario.write(FILE, text.as_bytes());
    for verb in ["run", "turn"] {
        let run = scenario.discussions(&[verb, "caching", "--provider", "mock"]).code(3);
        run.notes("the file has a merge conflict");
    }
    assert_eq!(scenario.read(FILE), text);
}
