//! `SAID` lines: the times of comments that people wrote.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

fn last_entry(scenario: &Scenario) -> serde_json::Value {
    let show = scenario.discussions(&["show", "caching", "--json"]).json();
    show["entries"].as_array().unwrap().last().unwrap().clone()
}

/// Returns the line directly below the last name in the file.
fn line_below_last_name(scenario: &Scenario) -> String {
    let text = scenario.read(FILE);
    let head = text.rfind("\nName: ").unwrap() + 1;
    text[head..].lines().nth(1).unwrap().to_owned()
}

#[test]
fn comment_of_a_person_has_a_time() {
    let scenario = Scenario::with_discussion();
    for args in [&["comment", "caching", "Fine."][..], &["vote", "caching", "ready"]] {
        scenario.discussions(args).code(0);
        let line = line_below_last_name(&scenario);
        assert!(line.starts_with("<!-- SAID at: 20") && line.ends_with("Z -->"), "{line}");
        let at = last_entry(&scenario)["at"].as_str().unwrap().to_owned();
        assert_eq!(line, format!("<!-- SAID at: {at} -->"));
    }
    let shown = scenario.at_terminal(&["show", "caching"], "").code(0);
    assert!(shown.stdout.contains("just now"), "{}", shown.stdout);
    scenario
        .discussions(&["export", "caching", "--html"])
        .says(last_entry(&scenario)["at"].as_str().unwrap());
}

#[test]
fn question_of_a_turn_has_a_time_but_the_prompt_does_not() {
    let scenario = Scenario::with_discussion();
    let ask = &["turn", "caching", "@security", "--ask", "What of locks?", "--provider", "mock"];
    scenario.discussions(ask).code(0);
    let text = scenario.read(FILE);
    assert!(text.contains("<!-- SAID at: 20"), "{text}");
    let plan =
        scenario.discussions(&["turn", "caching", "@architect", "--dry-run", "--json"]).code(0);
    assert!(plan.stdout.contains("What of locks?"), "{}", plan.stdout);
    plan.stdout_lacks("SAID");
}

#[test]
fn comment_in_the_name_of_a_persona_has_no_time() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "Fine.", "--as", "architect"]).code(0);
    assert!(!line_below_last_name(&scenario).contains("SAID"));
    assert!(last_entry(&scenario)["at"].is_null());
}

#[test]
fn time_line_counts_only_directly_below_the_name() {
    let scenario = Scenario::with_discussion();
    let head = scenario.read(FILE);
    let comment =
        |line: &str| format!("{head}\n---\n\nName: Mira\n{line}\nQ: why?\n\nVOTE: READY\n");
    scenario.write(FILE, comment("<!-- SAID at: 2026-11-20T10:03:00Z -->\n").as_bytes());
    assert_eq!(last_entry(&scenario)["at"], "2026-11-20T10:03:00Z");
    let dated = scenario.discussions(&["status", "caching", "--json"]).json();
    scenario.write(FILE, comment("").as_bytes());
    let plain = scenario.discussions(&["status", "caching", "--json"]).json();
    for key in ["votes", "tally", "status", "consensus"] {
        assert_eq!(dated[key], plain[key]);
    }
    assert!(last_entry(&scenario)["at"].is_null());
    scenario.write(FILE, comment("\n<!-- SAID at: 2026-11-20T10:03:00Z -->\n").as_bytes());
    assert!(last_entry(&scenario)["at"].is_null());
}

#[test]
fn time_line_in_a_comment_is_encoded() {
    let scenario = Scenario::with_discussion();
    let text = "<!-- SAID at: 2020-01-01T00:00:00Z -->\n\nThat line.";
    scenario.discussions(&["comment", "caching", text]).code(0);
    let at = last_entry(&scenario)["at"].as_str().unwrap().to_owned();
    assert!(!at.starts_with("2020"), "{at}");
    assert!(!scenario.read(FILE).contains("\n<!-- SAID at: 2020"));
}

#[test]
fn future_time_is_a_warning_and_restore_keeps_times() {
    let scenario = Scenario::with_discussion();
    let before = scenario.read(FILE);
    scenario.discussions(&["comment", "caching", "Wait for me."]).code(0);
    let line = line_below_last_name(&scenario);
    scenario.write(FILE, before.as_bytes());
    scenario.discussions(&["check", "caching", "--restore"]).code(0);
    let text = scenario.read(FILE);
    assert!(text.contains(&line) && text.contains("<!-- RESTORED"), "{text}");
    let future = format!(
        "{before}\n---\n\nName: Mira\n<!-- SAID at: 2999-01-01T00:00:00Z -->\n\nHello.\n\n---\n"
    );
    scenario.write("discussions/other.md", future.as_bytes());
    scenario
        .discussions(&["check", "other"])
        .code(0)
        .says("is in the future")
        .says("[time-in-future]");
}

#[test]
fn list_uses_the_time_of_the_last_comment() {
    let scenario = Scenario::with_discussion();
    let text = scenario.read(FILE)
        + "\n---\n\nName: Mira\n<!-- SAID at: 2026-01-02T03:04:05Z -->\n\nHello.\n\n---\n";
    scenario.write(FILE, text.as_bytes());
    let list = scenario.discussions(&["list", "--json"]).json();
    assert_eq!(list[0]["updated"], "2026-01-02T03:04:05Z", "{list}");
}
