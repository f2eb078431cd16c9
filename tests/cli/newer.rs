//! Files of newer versions of the program: read and kept, and never written to where a tally would be wrong.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

#[test]
fn a_control_line_of_a_newer_version_is_kept_and_named_as_one() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "Fine."]).code(0);
    let text = scenario.read(FILE) + "\n<!-- AFFECTS path: \"src/a.rs\" -->\n";
    scenario.write(FILE, text.as_bytes());
    let check = scenario.discussions(&["check", "caching", "--strict"]).code(0);
    let check = check.says("did a newer version write it?").says("[control-unknown]");
    check.stdout_lacks("[stray]").stdout_lacks("Name: You");
    scenario.discussions(&["comment", "caching", "More."]).code(0);
    assert!(scenario.read(FILE).starts_with(&text));
    let status = scenario.discussions(&["show", "caching", "--json"]).json();
    let comments = status["entries"].as_array().unwrap().iter();
    assert_eq!(comments.filter(|entry| entry["kind"] == "comment").count(), 2);
    // What this program knows, in the wrong place, is no line of a newer one; nor is another program's.
    for line in ["<!-- REPLY turn: 1 -->", "<!-- prettier-ignore -->"] {
        scenario.write(FILE, format!("{text}\n---\n\n{line}\n").as_bytes());
        scenario.discussions(&["check", "caching"]).says("[stray]");
    }
}

/// A discussion whose head needs a newer format.
fn newer(key: &str) -> (Scenario, String) {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "Fine. VOTE: READY"]).code(0);
    let text =
        scenario.read(FILE).replacen("<!-- DISCUSSION\n", &format!("<!-- DISCUSSION\n{key}\n"), 1);
    scenario.write(FILE, text.as_bytes());
    (scenario, text)
}

#[test]
fn a_file_of_a_newer_format_is_read_and_nothing_is_written_to_it_or_paid_for() {
    // Of the second head nothing but the number can be read.
    for key in ["format: 2", "format: 2\nparticipants: {of: the, future: true}"] {
        let (scenario, text) = newer(key);
        for args in [
            &["comment", "caching", "More."][..],
            &["vote", "caching", "ready"],
            &["turn", "caching", "--provider", "mock"],
            &["run", "caching", "--provider", "mock"],
            &["advance", "caching"],
            &["close", "caching"],
            &["check", "caching", "--fix", "--yes"],
            &["check", "caching", "--accept", "--yes"],
        ] {
            let run = scenario.discussions(args);
            assert_eq!(scenario.read(FILE), text, "{args:?}");
            if args[0] != "check" {
                let run = run.code(3);
                // A head that cannot be read refuses runs of its own accord.
                assert!(
                    run.stderr.contains("needs format 2") || run.stderr.contains("head"),
                    "{}",
                    run.stderr
                );
            }
        }
        scenario.discussions(&["show", "caching"]).code(0).says("Fine.");
        scenario.discussions(&["status", "caching"]).code(0);
        scenario.discussions(&["check", "caching"]).says("needs format 2").says("[format-newer]");
    }
}

#[test]
fn a_file_of_this_format_says_so_without_a_word() {
    let (scenario, _) = newer("format: 1");
    scenario.discussions(&["check", "caching", "--accept", "--yes"]).code(0);
    scenario.discussions(&["check", "caching"]).code(0).stdout("");
    scenario.discussions(&["comment", "caching", "More."]).code(0);
}

#[test]
fn a_refused_comment_is_printed_back() {
    let (scenario, _) = newer("format: 2");
    let run = scenario.discussions_with(&["comment", "caching", "-"], "What I\nthought.\n").code(3);
    run.notes("your comment was not saved").notes("What I\nthought.");
}
