//! Notes about decisions: when to look at them again, the files that they are about, and what became of them.

use serde_json::{Value, json};

use super::scenario::Scenario;
use super::schema::{errors, unknown_fields};

/// Returns a comment of an author.
fn said(name: &str, body: &str) -> String {
    format!("---\n\nName: {name}\n\n{body}\n\n---\n\n")
}

/// Returns a discussion that a person closed, with these comments above and below the closing.
fn closed(above: &str, below: &str) -> String {
    format!("# Sessions\n\n{above}<!-- STATUS: CLOSED, by: Rob -->\n\n{below}")
}

fn with(text: &str) -> Scenario {
    Scenario::new().file("discussions/sessions.md", text)
}

fn decided(scenario: &Scenario) -> Value {
    scenario.discussions(&["decisions", "--json"]).code(0).json()[0].clone()
}

#[test]
fn notes_are_not_the_text_of_an_unfinished_discussion() {
    let above =
        said("Mira", "We keep Redis.") + &said("Rob", "REVIEW-BY: 2027-06-01\n\nVOTE: READY");
    let scenario = with(&closed(&above, &said("Mira", "HINDSIGHT: held")));
    let result = scenario.discussions(&["result", "sessions", "--json"]).code(0).json();
    assert_eq!(result["outcome"]["text"], "**Mira**\n\nWe keep Redis.");
    assert_eq!(result["outcome"]["hindsight"][0]["result"], "held");
}

#[test]
fn notes_are_shown_wherever_a_decision_is_shown() {
    let decisions = "DECISION: sessions in Redis\n\nREVIEW-BY: 2027-06-01\n\nAFFECTS: `src/db/**`, `Cargo.toml`\n\n\
                     DECISION: they last an hour";
    let later = said(
        "Mira\n<!-- SAID at: 2026-08-01T10:00:00Z -->",
        "HINDSIGHT (D1): failed, since Redis lost them\n\nHINDSIGHT (D2): held",
    ) + &said("Rob", "HINDSIGHT: mixed");
    let scenario =
        with(&closed(&said("Rob\n<!-- SAID at: 2026-01-01T10:00:00Z -->", decisions), &later));
    let one = decided(&scenario);
    assert_eq!(one["at"], "2026-01-01T10:00:00Z", "notes do not make a decision newer");
    assert_eq!(one["reviewBy"], "2027-06-01");
    assert_eq!(one["affects"], json!(["src/db/**", "Cargo.toml"]));
    assert_eq!(one["decisions"][0]["reviewBy"], "2027-06-01");
    assert_eq!(one["decisions"][1].get("reviewBy"), None);
    let hindsight = json!([
        {"result": "failed", "text": "since Redis lost them", "by": "Mira", "at": "2026-08-01T10:00:00Z", "decision": "D1"},
        {"result": "held", "text": "", "by": "Mira", "at": "2026-08-01T10:00:00Z", "decision": "D2"},
        {"result": "mixed", "text": "", "by": "Rob", "at": null, "decision": null},
    ]);
    assert_eq!(one["hindsight"], hindsight);
    let result = scenario.discussions(&["result", "sessions", "--json"]).code(0).json();
    assert_eq!(result["outcome"]["hindsight"], hindsight);
    assert_eq!(result["outcome"]["reviewBy"], "2027-06-01");
    for command in [
        &["decisions"][..],
        &["result", "sessions"],
        &["status", "sessions"],
        &["export", "sessions", "--adr"],
        &["export", "sessions", "--html"],
    ] {
        let shown = scenario.discussions(command).code(0).stdout.replace('R', "r");
        for wanted in [
            "eview by 2027-06-01 (D1)",
            "src/db/**",
            "ailed (D1, Mira, 2026-08-01)",
            "redis lost them",
        ] {
            assert!(shown.contains(wanted), "{command:?} lacks {wanted}:\n{shown}");
        }
    }
    scenario.discussions(&["check", "sessions", "--strict"]).code(0);
}

#[test]
fn authors_who_may_not_write_a_note_are_told() {
    let review = "DECISION: x\n\nREVIEW-BY: 2027-06-01\n\nAFFECTS: `a`";
    for (name, says, counts) in [
        ("Rob", review, true),
        ("AI-Moderator", review, true),
        ("AI-Architect", review, false),
        ("Agent", review, false),
    ] {
        let scenario = with(&closed(&said(name, says), ""));
        let check = scenario.discussions(&["check", "sessions"]).stdout;
        let one = decided(&scenario);
        assert_eq!(one.get("reviewBy").is_some(), counts, "{name}: {check}");
        assert_eq!(one.get("affects").is_some(), counts, "{name}: {check}");
        assert_eq!(check.contains("[marker-not-counted]"), !counts, "{name}: {check}");
    }
    for name in ["AI-Moderator", "AI-Architect", "Agent"] {
        let scenario = with(&closed(&said("Rob", "DECISION: x"), &said(name, "HINDSIGHT: held")));
        let check = scenario.discussions(&["check", "sessions"]);
        check.says("only a person may write `HINDSIGHT:`, so this line is ignored");
        assert_eq!(decided(&scenario).get("hindsight"), None, "{name}");
    }
}

#[test]
fn writer_of_a_text_needs_the_phase_key() {
    let text = |markers: &str| {
        let receipt = format!("<!-- REPLY turn: 1, provider: mock, markers: [{markers}] -->");
        let body = "DECISION: x\n\nREVIEW-BY: 2027-06-01\n\nAFFECTS: `a`\n\nHINDSIGHT: held";
        closed(&format!("---\n\nName: AI-Architect\n{receipt}\n\n{body}\n\n---\n\n"), "")
    };
    let one = decided(&with(&text("DECISION, REVIEW-BY, AFFECTS")));
    assert_eq!((&one["reviewBy"], &one["affects"]), (&json!("2027-06-01"), &json!(["a"])));
    assert_eq!(one.get("hindsight"), None);
    let one = decided(&with(&text("DECISION")));
    assert_eq!((one.get("reviewBy"), one.get("affects")), (None, None));
}

#[test]
fn notes_belong_to_the_decision_that_they_name_or_to_the_one_above() {
    let first = "REVIEW-BY: 2031-01-01\n\nDECISION: a\n\nREVIEW-BY: 2032-01-01\n\nDECISION: b\n\n\
                 **REVIEW-BY (D1):** 2033-01-01\n\nAFFECTS (D2): `b`";
    let scenario = with(&closed(&said("Rob", first), &said("Rob", "REVIEW-BY (D2): 2034-01-01")));
    let one = decided(&scenario);
    let days = |one: &Value| {
        let days = one["decisions"].as_array().unwrap().iter();
        days.map(|it| it["reviewBy"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(days(&one), [json!("2033-01-01"), json!("2034-01-01")]);
    assert_eq!(one["reviewBy"], "2031-01-01");
    assert_eq!(one["decisions"][1]["affects"], json!(["b"]));
    let check = scenario.discussions(&["check", "sessions"]).code(0);
    check.says("two lines `REVIEW-BY:`").says("[marker-twice]");
    let replaced =
        said("Rob", "DECISION: c (replaces D1)") + &said("Rob", "REVIEW-BY (D1): 2035-01-01");
    scenario.write("discussions/sessions.md", closed(&said("Rob", first), &replaced).as_bytes());
    assert_eq!(days(&decided(&scenario)), [Value::Null, Value::Null, Value::Null]);
    scenario.discussions(&["check", "sessions"]).says("D1 is no longer in force");
}

#[test]
fn superseding_from_another_discussion_clears_the_date() {
    let old =
        said("Rob", "DECISION: a\n\nREVIEW-BY: 2031-01-01\n\nDECISION: b\n\nREVIEW-BY: 2032-01-01");
    let new = closed(&said("Rob", "DECISION: c\n\nSUPERSEDES: sessions.md#D1"), "");
    let scenario = with(&closed(&old, "")).file("discussions/new.md", &new);
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    let old = log.as_array().unwrap().iter().find(|one| one["name"] == "sessions").unwrap();
    assert_eq!(old["reviewBy"], "2032-01-01");
    assert_eq!(old["decisions"][0].get("reviewBy"), None);
}

#[test]
fn wrong_notes_are_reported_with_their_place() {
    let stars = "*".repeat(10_000);
    let many: Vec<String> = (0..150).map(|at| format!("`f{at}`")).collect();
    for (body, line, wanted) in [
        ("REVIEW-BY: soon", 7, "this is not a date; write it like 2027-06-01 [date-unreadable]"),
        ("REVIEW-BY: 2027-02-30", 7, "the day 2027-02-30 does not exist"),
        ("REVIEW-BY: 2027-06-01 or 2027-07-01", 7, "these are two dates"),
        ("REVIEW-BY (D9): 2027-06-01", 7, "there is no decision D9 above [decision-unknown]"),
        ("REVIEW-BY (Redis): 2027-06-01", 7, "the brackets name no single decision"),
        ("REVIEW-BY: 2027-06-01\n\nREVIEW-BY: 2028-06-01", 9, "[marker-twice]"),
        ("DECIDE-BY (D1): 2027-06-01", 7, "about the whole discussion"),
        ("HINDSIGHT: wonderful", 7, "write `HINDSIGHT: held`, `failed` or `mixed`"),
        ("HINDSIGHT: held", 7, "the discussion had not ended yet"),
        ("AFFECTS: src/db/**", 7, "put each pattern in backticks [pattern-bare]"),
        ("AFFECTS:", 7, "this names no file"),
        (&format!("AFFECTS: `{stars}`"), 7, "this pattern has 10000 bytes and is ignored"),
        (&format!("AFFECTS: {}", many.join(" ")), 7, "a decision has at most 100 patterns"),
    ] {
        let scenario = with(&format!("# Sessions\n\n{}", said("Rob", body)));
        let check = scenario.discussions(&["check", "sessions"]).stdout;
        assert!(check.contains(wanted), "{wanted}:\n{check}");
        assert!(check.contains(&format!("sessions.md:{line}:")), "{line}:\n{check}");
    }
    let scenario = with(&format!("# Sessions\n\n{}", said("Rob", "AFFECTS: `a`, b")));
    scenario.discussions(&["check", "sessions"]).says("sessions.md:7:15");
}

#[test]
fn review_by_writes_an_absolute_date() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "Fine.", "--review-by", "2099-06-01"]).code(0);
    let text = scenario.read("discussions/caching.md");
    assert!(text.contains("Fine.\n\nREVIEW-BY: 2099-06-01\n"), "{text}");
    scenario.discussions(&["vote", "caching", "ready", "--review-by", "6 months"]).code(0);
    scenario.discussions(&["comment", "caching", "--review-by", "2098-06-01"]).code(0);
    let status = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
    assert_eq!(
        (&status["reviewBy"], &status["votes"]["Rob"]),
        (&json!("2098-06-01"), &json!("READY"))
    );
    let before = scenario.read("discussions/caching.md");
    for wrong in ["2020-01-01", "soon", "2099-02-30", ""] {
        let told =
            scenario.discussions(&["comment", "caching", "Later.", "--review-by", wrong]).code(2);
        told.notes("write a date like 2027-06-01");
        scenario.discussions(&["vote", "caching", "ready", "--review-by", wrong]).code(2);
    }
    assert_eq!(scenario.read("discussions/caching.md"), before);
}

#[test]
fn comment_says_at_once_that_a_note_does_not_count() {
    let scenario = Scenario::with_discussion();
    scenario
        .discussions(&["comment", "caching", "HINDSIGHT: held"])
        .code(0)
        .notes("had not ended yet");
    scenario
        .discussions(&["comment", "caching", "Review-by: 2099-01-01"])
        .code(0)
        .notes("`REVIEW-BY:`");
}

#[test]
fn day_for_the_decision_is_shown_where_the_discussion_waits_for_people() {
    let scenario = Scenario::new();
    scenario.discussions(&["new", "Caching", "--decide-by", "2099-12-01"]).code(0);
    assert!(scenario.read("discussions/caching.md").contains("\ndecide_by: 2099-12-01\n"));
    let wanted = "decide by 2099-12-01 (";
    scenario.discussions(&["comment", "caching", "Q: which store? @rob"]).with_warnings().code(0);
    scenario.discussions(&["status", "caching"]).code(0).says(wanted).says("days left");
    scenario.discussions(&[]).code(0).says(wanted);
    let list = scenario.discussions(&["list", "--json"]).code(0).json();
    assert_eq!(list[0]["decideBy"]["date"], "2099-12-01");
    assert_eq!(list[0]["decideBy"]["overdue"], false);
    let tally = |scenario: &Scenario| {
        scenario.discussions(&["status", "caching", "--json"]).code(0).json()["tally"].clone()
    };
    let before = tally(&scenario);
    scenario.discussions(&["comment", "caching", "DECIDE-BY: 2020-01-01"]).with_warnings().code(0);
    let status = scenario.discussions(&["status", "caching"]).code(0);
    status.says("decide by 2020-01-01").says("days overdue");
    assert_eq!(tally(&scenario), before);
    scenario.discussions(&["close", "caching"]).code(0);
    scenario.discussions(&["status", "caching"]).code(0).stdout_lacks("decide by");
    scenario
        .discussions(&["new", "Late", "--decide-by", "2020-01-01"])
        .code(2)
        .notes("in the past");
}

#[test]
fn wrong_day_in_the_head_is_reported() {
    let head = "<!-- DISCUSSION\ntemplate: feature\ndecide_by: 2027-02-30\n-->\n\n";
    let scenario = with(&format!("{head}# Sessions\n\n{}", said("Rob", "Hm.")));
    let check = scenario.discussions(&["check", "sessions"]);
    check.says("sessions.md:3:1").says("`decide_by` in the head is ignored");
}

#[test]
fn documents_with_notes_fit_their_schemas() {
    let says = "DECISION: x\n\nREVIEW-BY: 2027-06-01\n\nAFFECTS: `a`\n\nDECIDE-BY: 2027-01-01";
    let open = format!("# Open\n\n{}", said("Rob", &format!("{says}\n\nQ: who pays? @mira")));
    let scenario = with(&closed(&said("Rob", says), &said("Rob", "HINDSIGHT: held")))
        .file("discussions/open.md", &open);
    for (schema, command) in [
        ("decisions", &["decisions"][..]),
        ("result", &["result", "sessions"]),
        ("status", &["status", "open"]),
        ("list", &["list"]),
        ("dashboard", &[]),
    ] {
        let document = scenario.discussions(&[command, &["--json"]].concat()).json();
        let schema = scenario.discussions(&["schema", schema]).code(0).json();
        assert_eq!(errors(&schema, &document), [""; 0], "{command:?}");
        assert_eq!(unknown_fields(&schema, &document), [""; 0], "{command:?}");
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn text_without_a_vote_takes_all_notes_and_is_shown_as_not_voted_on() {
        let scenario = Scenario::new();
        scenario
            .discussions(&[
                "discuss",
                "Queue or cron?",
                "--pattern",
                "synthesis",
                "--provider",
                "mock",
            ])
            .code(0);
        let name = "queue-or-cron";
        let note = "REVIEW-BY: 2099-06-01\n\nAFFECTS: `jobs/**`\n\nHINDSIGHT: held, after a year";
        scenario.discussions(&["comment", name, note]).code(0);
        let one = decided(&scenario);
        assert_eq!(one["status"], "ANSWERED");
        assert_eq!(one["hindsight"][0]["result"], "held");
        assert!(one["hindsight"][0]["at"].is_string(), "the program wrote the comment");
        assert_eq!(one["affects"], json!(["jobs/**"]));
        scenario
            .discussions(&["decisions"])
            .code(0)
            .says("review by 2099-06-01")
            .says("not voted on");
        scenario
            .discussions(&["result", name])
            .code(0)
            .says("review by 2099-06-01")
            .says("not voted on");
        scenario.discussions(&["export", name, "--html"]).code(0).says("not voted on");
        scenario
            .discussions(&["export", name, "--adr"])
            .code(0)
            .says("status: proposed")
            .says("Held");
    }
}
