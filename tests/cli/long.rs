//! Comments in long discussions: the cost of a comment does not grow with the file.

use super::scenario::{Run, Scenario};

const FILE: &str = "discussions/caching.md";

/// Returns a discussion with comments of about this many bytes in total.
fn long_discussion(bytes: usize) -> Scenario {
    let scenario = Scenario::with_discussion();
    let comment = format!("---\n\nName: Ann\n\n{}\n\n", "One word more. ".repeat(250));
    let text = scenario.read(FILE) + &comment.repeat(bytes / comment.len() + 1) + "---\n";
    scenario.write(FILE, text.as_bytes());
    scenario
}

/// Returns how many bytes a command reads, including all programs that it starts.
#[cfg(target_os = "linux")]
fn bytes_read(scenario: &Scenario, args: &[&str]) -> usize {
    let script = "\"$@\" > /dev/null 2>&1 || exit 1; cat /proc/$$/io";
    let mut command = scenario.command("/bin/sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_discussions")]).args(args);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{args:?} failed");
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap();
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
fn comment_reads_only_the_ends_of_a_long_file() {
    let scenario = long_discussion(24 << 20);
    for args in SPEAKING {
        let read = bytes_read(&scenario, args);
        assert!(read < 6 << 20, "{args:?} reads {read} bytes");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn comment_reads_a_shorter_file_once() {
    let size = 3 << 20;
    let scenario = long_discussion(size);
    let none = bytes_read(&scenario, &["--version"]);
    for args in &SPEAKING[..3] {
        // The writer also reads the last mebibyte, to find conflict marks.
        let read = bytes_read(&scenario, args) - none;
        assert!(read > size && read < 2 * size, "{args:?} reads {read} bytes");
    }
}

#[test]
fn comment_in_a_long_file_checks_only_its_end() {
    let scenario = long_discussion(5 << 20);
    let comment = scenario.discussions(&["comment", "caching", "Why, @nobdy?"]).code(0);
    comment
        .stdout("Added comment from Rob.\n")
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
fn vote_options_of_a_long_file_come_from_its_phase() {
    let scenario = Scenario::new();
    let new = &["new", "Caching", "--template", "voting", "--set", "options=Redis,Postgres"];
    scenario.discussions(new).code(0);
    let comment = format!("---\n\nName: Ann\n\n{}\n\n", "One word more. ".repeat(250));
    let text = scenario.read(FILE) + &comment.repeat(1400) + "---\n";
    scenario.write(FILE, text.as_bytes());
    scenario.discussions(&["vote", "caching", "postgres"]).code(0).stdout("Rob votes Postgres.\n");
    scenario.discussions(&["vote", "caching", "mysql"]).code(3);
}

/// Appends conflict marks of git around two comments, then runs `comment`, which must be refused.
fn comment_into_conflict(scenario: &Scenario) -> Run {
    let text = scenario.read(FILE)
        + "<<<<<<< HEAD\n\nName: Ann\n\nYes.\n\n---\n=======\n\nName: Mira\n\nNo.\n\n---\n>>>>>>> main\n";
    scenario.write(FILE, text.as_bytes());
    let run = scenario.discussions(&["comment", "caching", "three"]).code(3);
    assert_eq!(scenario.read(FILE), text);
    run
}

#[test]
fn conflict_marks_at_the_end_of_a_long_file_are_found() {
    comment_into_conflict(&long_discussion(5 << 20)).notes("the file has a merge conflict");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn run_refuses_conflict_marks_anywhere_in_the_file() {
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
}
