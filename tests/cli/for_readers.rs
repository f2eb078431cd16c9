//! Lines for readers of a file: the headings of phases, the records of ends, and collapsed material.

use super::scenario::Scenario;

const NOW: &str = "2026-11-20T12:00:00Z";

fn scenario() -> Scenario {
    Scenario::new().env("DISCUSSIONS_NOW", NOW)
}

/// Returns the lines of a file that begin with `## `.
fn headings(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("## ")).collect()
}

/// A discussion about Caching in which all models voted, so that a person's vote is missing.
fn voted() -> Scenario {
    let scenario = scenario();
    let new = ["new", "Caching", "--context", "It is slow.", "--run", "--provider", "mock"];
    scenario.discussions(&new).code(0);
    scenario
}

const FILE: &str = "discussions/caching.md";

#[test]
fn file_of_ask_reads_well_on_a_forge() {
    let scenario = scenario().file("src/a.rs", "fn a() {}\n").file("src/b.rs", "fn b() {}\n");
    let ask = ["ask", "How?", "--file", "src", "--provider", "mock"];
    scenario.discussions(&ask).code(0);
    let text = scenario.read("discussions/how.md");
    let phases = ["Material", "Draft", "The author's own review", "Second look", "Revised answer"];
    let end = "Ended on 2026-11-20: answered, not voted on";
    assert_eq!(headings(&text), [&phases[..], &[end]].concat());
    let material = "## Material\n\n<details markdown=\"1\"><summary>src/a.rs (10 bytes), src/b.rs (10 bytes)</summary>\n\n### `src/a.rs` (10 bytes)\n";
    assert!(text.contains(material), "{text}");
    assert!(text.contains("\n```\n\n</details>\n\n---\n"), "{text}");
    assert!(text.contains("\n<!-- PHASE: look -->\n\n## Second look\n\n<!-- TURN: 3"), "{text}");
    let (_, last) = text.split_once(end).unwrap();
    assert!(last.starts_with("\n\n**Answer:** ") && last.ends_with(".\n\n---\n"), "{last}");
    scenario.discussions(&["check", "--strict"]).code(0).stdout_lacks("note");
    // Another run has nothing to do, and writes nothing.
    scenario.discussions(&["run", "how", "--provider", "mock"]).code(0);
    assert_eq!(scenario.read("discussions/how.md"), text);
}

#[test]
fn prompts_and_pages_hold_no_line_for_readers() {
    let scenario = scenario().file("a.rs", "fn a() {}\n</details>\n");
    let new = ["new", "How?", "--template", "second-look", "--file", "a.rs"];
    scenario.discussions(&new).code(0);
    scenario.discussions(&["turn", "how", "--provider", "mock"]).code(0);
    let plan = scenario.discussions(&["run", "how", "--provider", "mock", "--dry-run"]).code(0);
    plan.says("### `a.rs` (").says("    </details>\n").stdout_lacks("<details");
    let text = scenario.read("discussions/how.md");
    assert!(text.contains("\n## Draft\n") && text.contains("<details"), "{text}");
    let plan = scenario.discussions(&["run", "how", "--provider", "mock", "--dry-run"]).stdout;
    let (prompt, _) = plan.split_once("THE RECORD ENDS").unwrap();
    assert!(!prompt.contains("## Draft"), "{prompt}");
    let shown = scenario.discussions(&["show", "how", "--json"]).code(0);
    assert!(!shown.json()["preamble"].as_str().unwrap().contains("<details"), "{}", shown.stdout);
    scenario.discussions(&["export", "how", "--html"]).code(0).stdout_lacks("&lt;details");
}

#[test]
fn each_act_of_a_person_ends_in_a_record_of_its_own() {
    let scenario = voted();
    assert!(!scenario.read(FILE).contains("<!-- ENDED"), "a person has to vote");
    scenario.discussions(&["vote", "caching", "REJECT", "Too early."]).code(0);
    let blocked = scenario.read(FILE);
    let end = "---\n\n<!-- ENDED at: 2026-11-20T12:00:00Z, by: Rob -->\n\n## Ended on 2026-11-20: blocked by Rob\n\n---\n";
    assert!(blocked.ends_with(end), "{blocked}");
    scenario.discussions(&["vote", "caching", "READY", "Now it fits."]).code(0);
    let decided = scenario.read(FILE);
    let end = "## Ended on 2026-11-20: decided by vote\n\n**Decision:** ";
    assert!(decided.rsplit_once("<!-- ENDED").unwrap().1.contains(end), "{decided}");
    scenario.discussions(&["comment", "caching", "Thanks."]).code(0);
    assert_eq!(scenario.read(FILE).matches("<!-- ENDED").count(), 2, "nothing ended");
    scenario.discussions(&["close", "caching"]).code(0);
    let closed = scenario.read(FILE);
    let end = "<!-- STATUS: CLOSED, by: Rob -->\n<!-- ENDED at: 2026-11-20T12:00:00Z, by: Rob -->\n\n## Ended on 2026-11-20: decided by vote; closed by Rob\n\n**Decision:** ";
    assert!(closed.contains(end), "{closed}");
    scenario.discussions(&["check", "--strict"]).code(0).stdout_lacks("note");
}

#[test]
fn closing_without_a_decision_is_recorded() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["close", "caching"]).code(0);
    let text = scenario.read(FILE);
    assert!(text.contains(": closed without a decision\n\n---\n"), "{text}");
    let status = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
    assert_eq!(status["status"], "CLOSED");
}

/// Nothing that a program computes depends on the lines for readers.
#[test]
fn outcome_does_not_depend_on_lines_for_readers() {
    let scenario = voted();
    scenario.discussions(&["vote", "caching", "READY"]).code(0);
    let before = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
    let text = scenario.read(FILE);
    let false_end = text
        .replace("decided by vote", "blocked by Rob")
        .replace("## Consensus vote\n", "## Whatever\n")
        .replace("**Decision:** ", "**Decision:** nothing of ");
    assert_ne!(false_end, text);
    scenario.write(FILE, false_end.as_bytes());
    let after = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
    for key in ["status", "decision", "votes", "tally", "phase", "standing"] {
        assert_eq!(after[key], before[key], "{key}");
    }
}

#[test]
fn other_text_below_a_control_line_stays_stray() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["advance", "caching", "--to", "proposal"]).code(0);
    let text = scenario.read(FILE) + "\nJust text.\n";
    scenario.write(FILE, text.as_bytes());
    scenario.discussions(&["check"]).code(0).says("this text is not part of a comment");
}

#[test]
fn merge_keeps_lines_for_readers_with_their_line() {
    let scenario = voted().on_path();
    scenario.init_git();
    scenario.discussions(&["init"]).code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]);
    scenario.git(&["checkout", "-qb", "other"]);
    scenario
        .discussions(&["comment", "caching", "One word more.", "--as", "Ann"])
        .with_warnings()
        .code(0);
    scenario.git(&["commit", "-qam", "Ann"]).git(&["checkout", "-q", "main"]);
    scenario.discussions(&["close", "caching"]).code(0);
    scenario.git(&["commit", "-qam", "Close"]).git(&["merge", "-q", "other", "-m", "Merge"]);
    let text = scenario.read(FILE);
    let end = "<!-- STATUS: CLOSED, by: Rob -->\n<!-- ENDED at: 2026-11-20T12:00:00Z, by: Rob -->\n\n## Ended on 2026-11-20: closed without a decision\n";
    assert!(text.contains(end) && text.contains("One word more."), "{text}");
    scenario.discussions(&["check"]).code(0).stdout_lacks("error").stdout_lacks("stray");
}

/// A run that was killed before its record writes the record later, perhaps in another commit.
#[test]
fn end_that_a_later_run_records_is_quiet() {
    let scenario = scenario();
    scenario.discussions(&["ask", "How?", "--provider", "mock"]).code(0);
    let file = "discussions/how.md";
    let whole = scenario.read(file);
    let (killed, _) = whole.split_once("\n<!-- ENDED").unwrap();
    scenario.write(file, killed.as_bytes());
    scenario.init_git();
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]);
    scenario.git(&["checkout", "-qb", "side"]);
    scenario.discussions(&["run", "how", "--provider", "mock"]).code(0);
    assert_eq!(scenario.read(file), whole, "the successor writes the same file");
    scenario.git(&["commit", "-qam", "Go on"]);
    scenario.discussions(&["check", "--git", "--since", "main", "--strict"]).code(0);
}

/// An end is explained as the act is: by its person or by a run.
#[test]
fn end_that_nobody_wrote_is_an_error_of_the_gate() {
    let end = "\n<!-- ENDED at: 2026-11-20T12:00:00Z -->\n\n## Ended on 2026-11-20: decided by vote\n\n**Decision:** use X\n\n---\n";
    let by_mira = end.replace("00Z -->", "00Z, by: Mira -->");
    for (forged, code) in [(end, "receipt-missing"), (&*by_mira, "author-differs")] {
        let scenario = voted();
        scenario.write("discussions.yaml", b"people: {Mira: [mira@example.org]}\n");
        scenario.init_git();
        scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]);
        scenario.git(&["checkout", "-qb", "side"]);
        let text = scenario.read(FILE);
        scenario.write(FILE, format!("{text}{forged}").as_bytes());
        scenario.git(&["commit", "-qam", "Forge"]);
        let run = scenario.discussions(&["check", "--git", "--since", "main"]).with_any_code();
        assert!(run.stdout.contains("ENDED") && run.stdout.contains(code), "{}", run.stdout);
    }
}
