//! `discussions list`: columns, filters, order and times.

use super::scenario::{Scenario, keys};

#[test]
fn list_has_columns_and_filters_by_status() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["new", "Add search"]).code(0);
    scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    scenario.discussions(&["close", "add-search"]).code(0);
    let list = scenario.discussions(&["list", "--sort", "name"]).code(0);
    insta::assert_snapshot!(list.stdout, @r"
    NAME        TITLE       PHASE            STATUS  RESULT                     CHANGED
    add-search  Add search  First reactions  CLOSED  closed without a decision  just now
    caching     Caching     First reactions  OPEN                               just now
    ");
    scenario.discussions(&["list", "--status", "open"]).says("caching").stdout_lacks("add-search");
    scenario
        .discussions(&["list", "--status", "CLOSED"])
        .says("add-search")
        .stdout_lacks("caching");
    scenario.discussions(&["list", "--status", "maybe"]).code(2);
}

#[test]
fn json_has_the_documented_keys() {
    let scenario = Scenario::with_discussion();
    let list = scenario.discussions(&["list", "--json"]).code(0).json();
    assert_eq!(
        keys(&list[0]),
        [
            "file",
            "title",
            "template",
            "phase",
            "turn",
            "status",
            "tally",
            "decision",
            "standing",
            "inForce",
            "decidedBy",
            "decisions",
            "updated",
            "waitingFor",
            "due",
            "cost",
            "name",
            "created",
            "running",
            "parent"
        ]
    );
    assert_eq!(list[0]["file"], "discussions/caching.md");
    assert_eq!(list[0]["name"], "caching");
    assert_eq!(list[0]["outcome"], serde_json::Value::Null);
    assert_eq!(list[0]["waitingFor"], serde_json::json!(["architect", "security", "pragmatist"]));
    assert_eq!(list[0]["cost"]["totalCalls"], 0);
}

#[test]
fn handwritten_file_is_listed_and_unreadable_one_noted() {
    let by_hand = "# Notes\n\n---\n\nName: Rob\n\nText.\n\n---\n";
    let scenario = Scenario::with_discussion().file("discussions/notes.md", by_hand);
    scenario.giant("discussions/old/bad.md");
    scenario.write("discussions/.hidden.md", b"# Hidden\n");
    let list = scenario.discussions(&["list"]).code(0).says("Notes").stdout_lacks("Hidden");
    assert!(list.stderr().contains("bad.md: the file has 1025 MiB"), "{}", list.stderr());
}

#[test]
fn missing_default_folder_is_fine_but_a_wrong_one_is_not() {
    let scenario = Scenario::new();
    scenario
        .discussions(&["list"])
        .code(0)
        .stdout("")
        .notes("no discussions yet (folder discussions)");
    scenario.discussions(&["list", "--json"]).code(0).stdout("[]\n");
    scenario.discussions(&["list", "nowhere"]).code(3).notes("error: nowhere: no such folder");
}

#[test]
fn empty_list_message_fits_the_reason() {
    let scenario = Scenario::with_discussion();
    let closed = scenario.discussions(&["list", "--status", "closed"]).code(0).stdout("");
    assert_eq!(closed.stderr(), "no discussion in discussions has the status CLOSED\n");
    scenario.discussions(&["list", "--status", "consensus"]).notes(
        "has the status CONSENSUS; `discussions decisions` lists all decisions, also of closed discussions\n",
    );
    scenario.giant("discussions/caching.md");
    let bad = scenario.discussions(&["list"]).code(0).stdout("").notes("the file has 1025 MiB");
    assert!(!bad.stderr().contains("no discussion"), "{}", bad.stderr());
}

/// Returns a handwritten discussion with this creation time and these last entries.
fn handwritten_discussion(created: &str, last: &str) -> String {
    format!(
        "<!-- DISCUSSION\ntemplate: feature\ncreated: {created}\nparticipants: [architect, security]\n-->\n\n# T\n\n---\n\n{last}"
    )
}

fn turn_line(at: &str) -> String {
    format!("<!-- TURN: 1, asks: [architect], at: {at} -->\n\n---\n")
}

#[test]
fn list_is_sorted_by_newest_date_in_file_or_of_file() {
    let now = "2026-11-20T12:00:00Z";
    let scenario = Scenario::new()
        .env("DISCUSSIONS_NOW", now)
        .file(
            "discussions/a.md",
            &handwritten_discussion("2026-11-01T10:00:00Z", &turn_line("2026-11-20T09:30:00Z")),
        )
        .file(
            "discussions/b.md",
            &handwritten_discussion("2026-11-02T10:00:00Z", &turn_line("2026-11-20T11:59:30Z")),
        )
        .file("discussions/c.md", &handwritten_discussion("2026-11-03T10:00:00Z", ""))
        .file(
            "discussions/d.md",
            &handwritten_discussion("2026-11-04T10:00:00Z", "Name: Rob\n\nMeasure.\n\n---\n"),
        );
    let file =
        std::fs::File::options().write(true).open(scenario.path("discussions/d.md")).unwrap();
    let then: chrono::DateTime<chrono::Utc> = "2026-11-20T11:15:00Z".parse().unwrap();
    file.set_modified(then.into()).unwrap();
    let rows = |args: &[&str]| -> Vec<(String, String)> {
        let list = scenario.discussions(args).code(0);
        let rows = list.stdout.lines().skip(1).map(|line| {
            let words: Vec<&str> = line.split("  ").map(str::trim).collect();
            (words[0].to_owned(), words.last().unwrap().to_string())
        });
        rows.collect()
    };
    let of = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
    };
    // A handwritten comment has no date, and the time of a file often comes from a copy.
    scenario.write("discussions/e.md", b"# E\n\n---\n\nName: Rob\n\nMeasure.\n\n---\n");
    let file =
        std::fs::File::options().write(true).open(scenario.path("discussions/e.md")).unwrap();
    file.set_modified(then.into()).unwrap();
    let by_time = of(&[
        ("b", "just now"),
        ("e", "45 min ago"),
        ("a", "2 h ago"),
        ("d", "16 days ago"),
        ("c", "17 days ago"),
    ]);
    assert_eq!(rows(&["list"]), by_time);
    std::fs::remove_file(scenario.path("discussions/e.md")).unwrap();
    let names = |args: &[&str]| rows(args).into_iter().map(|(name, _)| name).collect::<String>();
    assert_eq!(names(&["list", "--sort", "name"]), "abcd");
    assert_eq!(names(&["list", "--sort", "created"]), "dcba");
    scenario.discussions(&["close", "b"]).code(0);
    assert_eq!(names(&["list", "--sort", "status"]).chars().last(), Some('b'));
}

#[test]
fn waiting_option_lists_only_discussions_that_need_a_person() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["list", "--waiting"]).code(0).stdout("").notes("waits for a person");
    scenario.discussions(&["new", "Login"]).code(0);
    scenario.discussions(&["run", "login", "--provider", "mock"]).code(0);
    scenario.discussions(&["list", "--waiting"]).code(0).says("login").stdout_lacks("caching");
}

#[test]
fn closed_discussion_keeps_its_outcome() {
    let scenario = Scenario::new();
    scenario.discussions(&["new", "Login", "--run", "--provider", "mock"]).code(0);
    scenario.discussions(&["comment", "login", "Yes.", "--vote", "ready"]).code(0);
    scenario.discussions(&["close", "login"]).code(0);
    let list = scenario.discussions(&["list", "--json"]).code(0).json();
    assert_eq!(list[0]["status"], "CLOSED");
    assert!(list[0]["decision"].as_str().is_some_and(|text| !text.is_empty()), "{list}");
    assert_eq!(list[0]["waitingFor"], serde_json::json!([]));
    scenario.discussions(&["decisions"]).code(0).says("; login").says("just now");
}

#[test]
fn short_names_can_be_used_as_arguments() {
    let text = "# T\n\n---\n\nName: Rob\n\nText.\n\n---\n";
    let scenario = Scenario::new()
        .file("caching.md", text)
        .file("discussions/caching.md", text)
        .file("discussions/old/login.md", text)
        .file("discussions/-odd.md", text)
        .file("discussions/two words.md", text);
    let list = scenario.discussions(&["list", "--json"]).code(0).json();
    for one in list.as_array().unwrap() {
        let status = scenario.discussions(&["status", one["name"].as_str().unwrap(), "--json"]);
        assert_eq!(status.code(0).json()["file"], one["file"]);
    }
    let list = scenario.discussions(&["list"]).code(0).says("old/login ").says("'two words'");
    assert!(list.stdout.contains("discussions/caching.md"), "another one is called so here");
}

#[test]
fn undated_discussion_has_the_time_of_its_commit() {
    let scenario = Scenario::new();
    let old = "# Old\n\n---\n\nName: Ann\n\nBy hand.\n\n---\n";
    scenario.write("discussions/old.md", old.as_bytes());
    let date = "2026-02-03T04:05:06Z";
    scenario.init_git();
    scenario.git(&["add", "."]);
    let mut commit = scenario.command("git");
    commit.env("GIT_AUTHOR_DATE", date).env("GIT_COMMITTER_DATE", date);
    assert!(commit.args(["commit", "-qm", "One"]).status().unwrap().success());
    let updated = || scenario.discussions(&["list", "--json"]).code(0).json()[0]["updated"].clone();
    assert_eq!(updated(), date);
    // After a change since the commit, the time of the file counts.
    scenario.write("discussions/old.md", (old.to_owned() + "\nName: Bob\n\nMore.\n").as_bytes());
    assert_ne!(updated(), date);
    // A date anywhere in the file takes precedence.
    let dated = "\n---\n\nName: Mira\n<!-- SAID at: 2026-01-02T03:04:05Z -->\n\nHello.\n\n---\n";
    let text = format!("{old}{dated}\nName: Bob\n\nMore.\n\n---\n");
    scenario.write("discussions/old.md", text.as_bytes());
    assert_eq!(updated(), "2026-01-02T03:04:05Z");
}
