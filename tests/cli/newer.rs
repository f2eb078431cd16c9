//! Files of newer versions of the program: they are read, but not written if a tally could be wrong.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

#[test]
fn control_line_of_a_newer_version_is_kept_and_noted() {
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
    // A known control line in the wrong place, or a comment of another program, is not taken for a newer line.
    for line in ["<!-- REPLY turn: 1 -->", "<!-- prettier-ignore -->"] {
        scenario.write(FILE, format!("{text}\n---\n\n{line}\n").as_bytes());
        scenario.discussions(&["check", "caching"]).code(1).says("[stray]");
    }
}

/// Returns a discussion with this line in its head, and its text.
fn discussion_with_head_line(key: &str) -> (Scenario, String) {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "Fine. VOTE: READY"]).with_warnings().code(0);
    let text =
        scenario.read(FILE).replacen("<!-- DISCUSSION\n", &format!("<!-- DISCUSSION\n{key}\n"), 1);
    scenario.write(FILE, text.as_bytes());
    (scenario, text)
}

#[test]
fn file_with_the_current_format_causes_no_message() {
    let (scenario, _) = discussion_with_head_line("format: 1");
    scenario.discussions(&["check", "caching", "--accept", "--yes"]).code(0);
    scenario.discussions(&["check", "caching"]).code(0).stdout("");
    scenario.discussions(&["comment", "caching", "More."]).code(0);
}

#[test]
fn refused_comment_is_printed_back() {
    let (scenario, _) = discussion_with_head_line("format: 2");
    let run = scenario.discussions_with(&["comment", "caching", "-"], "What I\nthought.\n").code(3);
    run.notes("your comment was not saved").notes("What I\nthought.");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn file_of_a_newer_format_is_read_but_not_written() {
        // In the second head, only the format number is readable.
        for key in ["format: 2", "format: 2\nparticipants: {of: the, future: true}"] {
            let (scenario, text) = discussion_with_head_line(key);
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
                let run = scenario.discussions(args).with_any_code();
                assert_eq!(scenario.read(FILE), text, "{args:?}");
                if args[0] != "check" {
                    let run = run.code(3);
                    // A run may also be refused because the head cannot be read.
                    assert!(
                        run.stderr().contains("needs format 2") || run.stderr().contains("head"),
                        "{}",
                        run.stderr()
                    );
                }
            }
            scenario.discussions(&["show", "caching"]).code(0).says("Fine.");
            scenario.discussions(&["status", "caching"]).code(0);
            scenario
                .discussions(&["check", "caching"])
                .with_any_code()
                .says("needs format 2")
                .says("[format-newer]");
        }
    }
}
