//! Decision records of other tools: read by `decisions`, `recall`, `search` and `check`, and numbered by `export`.

use super::scenario::Scenario;

const CLOSED: &str = "# Keep wish lists\n\nCustomers ask for lists.\n\n---\n\nName: Rob\n\nDECISION: keep wish lists in MongoDB\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n";

/// The records in `tests/cases/adr`: MADR 2, 3 and 4, and adr-tools.
const RECORDS: [(&str, &str); 9] = [
    ("0001-record-decisions.md", include_str!("../cases/adr/0001-record-decisions.md")),
    ("0002-send-mail-at-once.md", include_str!("../cases/adr/0002-send-mail-at-once.md")),
    (
        "0003-keep-carts-in-postgresql.md",
        include_str!("../cases/adr/0003-keep-carts-in-postgresql.md"),
    ),
    ("0004-expire-carts-never.md", include_str!("../cases/adr/0004-expire-carts-never.md")),
    ("0005-send-mail-from-a-queue.md", include_str!("../cases/adr/0005-send-mail-from-a-queue.md")),
    ("0006-expire-carts.md", include_str!("../cases/adr/0006-expire-carts.md")),
    ("0007-use-one-date-format.md", include_str!("../cases/adr/0007-use-one-date-format.md")),
    ("0008-sell-vouchers.md", include_str!("../cases/adr/0008-sell-vouchers.md")),
    ("adr-template.md", include_str!("../cases/adr/adr-template.md")),
];

fn shop() -> Scenario {
    let scenario = Scenario::new()
        .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
        .file("discussions.yaml", "adr: [docs/adr]\n");
    std::fs::create_dir_all(scenario.path("docs/adr")).unwrap();
    std::fs::create_dir_all(scenario.path("discussions")).unwrap();
    for (name, text) in RECORDS {
        scenario.write(&format!("docs/adr/{name}"), text.as_bytes());
    }
    scenario.file("discussions/wish-lists.md", CLOSED)
}

#[test]
fn decisions_shows_records_beside_discussions() {
    let scenario = shop();
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    let all = log.as_array().unwrap();
    let live: Vec<u64> = all
        .iter()
        .filter(|one| one["inForce"] == true)
        .filter_map(|one| one["record"]["number"].as_u64())
        .collect();
    assert_eq!(live, [6, 5, 3, 1, 7], "newest first; no day comes last");
    assert_eq!(all.len(), 8, "the proposal and the template are no decisions: {log:#}");
    let carts = all.iter().find(|one| one["record"]["number"] == 6).unwrap();
    assert_eq!(carts["file"], "docs/adr/0006-expire-carts.md");
    assert_eq!(carts["record"]["deciders"][1], "Dora (support)");
    assert_eq!(carts["replaces"][0]["file"], "docs/adr/0004-expire-carts-never.md");
    let shown = scenario.discussions(&["decisions"]).code(0);
    let shown = shown.says("Expire carts after 90 days").says("keep wish lists in MongoDB");
    shown.says("replaced by docs/adr/0006-expire-carts").says("not in force");
    let below = scenario.discussions(&["decisions", "docs", "--json"]).code(0).json();
    assert_eq!(below.as_array().unwrap().len(), 7);
    scenario.discussions(&["list", "--json"]).code(0).stdout_lacks("docs/adr");
}

#[test]
fn recall_and_search_find_records() {
    let scenario = shop();
    let found = scenario.discussions(&["recall", "Where should carts be kept?"]).code(0);
    found.says("PostgreSQL").says("2021-09-01").stdout_lacks("keep all carts");
    let json = scenario.discussions(&["recall", "sending receipts", "--json"]).code(0).json();
    assert_eq!(json[0]["file"], "docs/adr/0005-send-mail-from-a-queue.md", "{json:#}");
    assert_eq!(json.as_array().unwrap().len(), 1, "the replaced one is left out: {json:#}");
    let late = ["recall", "sending receipts", "--since", "2023-01-01"];
    scenario.discussions(&late).code(1);
    let places = scenario.discussions(&["search", "worker", "--json"]).code(0).json();
    assert_eq!((&places[0]["line"], &places[0]["kind"]), (&17.into(), &"decision".into()));
    scenario.discussions(&["search", "personal data"]).code(0).says("0006-expire-carts");
    scenario.discussions(&["search", "worker", "--kind", "question"]).code(1);
    scenario.discussions(&["new", "Where do carts live?", "--recall"]).code(0);
    let made = scenario.read("discussions/where-do-carts-live.md");
    let link = "[Keep carts in PostgreSQL](../docs/adr/0003-keep-carts-in-postgresql.md)";
    assert!(made.contains(link), "{made}");
}

#[test]
fn check_reports_records_with_file_and_line() {
    let scenario = shop();
    let fine = scenario.discussions(&["check", "--strict"]).code(0);
    fine.says("docs/adr/0007-use-one-date-format.md:4:1").says("no clear meaning");
    scenario.write("docs/adr/0005-again.md", b"# 5. Again\n\n## Status\n\nAccepted\n");
    scenario.write(
        "docs/adr/0009-x.md",
        b"# 9. X\n\n## Status\n\nSuperceded by [12. Y](0012-y.md)\n\n## Decision\n\nSee [z](0013-z.md).\n",
    );
    scenario.write("docs/adr/0010-picture.md", b"\x89PNG\r\n\0\0");
    let wrong = scenario.discussions(&["check"]).code(0);
    let wrong = wrong.says("docs/adr/0005-send-mail-from-a-queue.md:1:1").says("[number-taken]");
    let wrong = wrong.says("docs/adr/0009-x.md:5:1").says("docs/adr/0012-y.md");
    let wrong = wrong.says("docs/adr/0009-x.md:9:5").says("docs/adr/0013-z.md");
    wrong.says("docs/adr/0010-picture.md").says("it is skipped");
    scenario.discussions(&["check", "--strict"]).code(1);
    let one = scenario.discussions(&["check", "discussions/wish-lists.md"]).code(0);
    one.stdout_lacks("docs/adr");
}

#[test]
fn circle_of_records_is_reported_once() {
    let scenario = shop();
    for (number, other) in [(20, 21), (21, 22), (22, 20)] {
        let text = format!("# X\n\n* Status: accepted, supersedes ADR-{other:04}\n");
        scenario.write(&format!("docs/adr/{number:04}-x.md"), text.as_bytes());
    }
    let run = scenario.discussions(&["check"]).code(0);
    assert_eq!(run.stdout.matches("in a circle").count(), 1, "{}", run.stdout);
    scenario.discussions(&["decisions"]).code(0);
}

#[test]
fn export_takes_the_next_free_number() {
    let scenario = shop();
    let run = scenario.discussions(&["export", "wish-lists", "--adr"]).code(0);
    let run = run.says("\n# 9. Keep wish lists\n");
    run.notes("docs/adr/0009-keep-wish-lists.md");
    assert!(!scenario.path("docs/adr/0009-keep-wish-lists.md").exists(), "it is only suggested");
    let json = scenario.discussions(&["export", "wish-lists", "--adr", "--json"]).code(0).json();
    assert_eq!(
        (&json["number"], &json["recordFile"]),
        (&9.into(), &"docs/adr/0009-keep-wish-lists.md".into())
    );
    let given = ["export", "wish-lists", "--adr", "--number"];
    scenario.discussions(&[&given[..], &["42"]].concat()).code(0).says("\n# 42. Keep wish lists\n");
    let taken = scenario.discussions(&[&given[..], &["3"]].concat());
    taken.code(3).notes("the number 3 is taken by docs/adr/0003-keep-carts-in-postgresql.md");
    scenario.discussions(&["export", "wish-lists", "--html", "--number", "3"]).code(2);
    let plain = Scenario::new().file("discussions/wish-lists.md", CLOSED);
    plain.discussions(&["export", "wish-lists", "--adr"]).code(0).says("\n# Keep wish lists\n");
}

#[test]
fn export_writes_a_new_file_and_never_replaces_one() {
    let scenario = shop();
    let out = |file: &str| scenario.discussions(&["export", "wish-lists", "--adr", "--out", file]);
    out("docs/adr/0012-lists.md").code(0).stdout("Created: docs/adr/0012-lists.md\n");
    let made = scenario.read("docs/adr/0012-lists.md");
    assert!(made.contains("\n# 12. Keep wish lists\n"), "{made}");
    out("docs/adr/0012-lists.md").code(3).notes("already exists");
    out("docs/adr/0003-lists.md").code(3).notes("the number 3 is taken");
    assert_eq!(scenario.read("docs/adr/0012-lists.md"), made);
    let both = ["export", "wish-lists", "--adr", "--out", "docs/adr/0013-l.md", "--number", "14"];
    scenario.discussions(&both).code(3).notes("the file name has the number 13, not 14");
    out("lists.txt").code(3).notes("ends in .md");
    out("elsewhere/lists.md").code(0);
    assert!(scenario.read("elsewhere/lists.md").contains("\n# Keep wish lists\n"));
}

#[test]
fn exported_record_is_read_again_as_what_it_is() {
    let scenario = shop();
    let vote = ["--pattern", "voting", "--provider", "mock", "-o", "Queue,Cron", "-q"];
    scenario.discussions(&[&["discuss", "Queue or cron?"][..], &vote].concat()).code(0);
    let out = ["export", "queue-or-cron", "--adr", "--out", "docs/adr/0012-queue.md"];
    scenario.discussions(&out).code(0);
    let log = scenario.discussions(&["decisions", "docs", "--json"]).code(0).json();
    let again = log.as_array().unwrap().iter().find(|one| one["record"]["number"] == 12).unwrap();
    assert_eq!((&again["title"], &again["decision"]), (&"Queue or cron?".into(), &"Queue".into()));
    assert_eq!((&again["record"]["status"], &again["inForce"]), (&"accepted".into(), &true.into()));
    assert_eq!(again["at"], "2026-11-20T00:00:00Z");
    let checked = scenario.discussions(&["check"]).code(0);
    checked.stdout_lacks("0012-queue.md");
}

#[test]
fn hostile_records_change_no_terminal() {
    let scenario = shop();
    let text = "# 20. \u{1b}[31mred\u{202e}\n\n* Status: acc\u{1b}[2Jepted\n* Date: \u{1b}]0;x\u{7}\n\n## Decision\n\n\u{1b}[5mblink\n";
    scenario.write("docs/adr/0020-x.md", text.as_bytes());
    for args in [&["decisions"][..], &["check"], &["recall", "blink red"], &["search", "blink"]] {
        let run = scenario.discussions(args);
        assert!(!run.stdout.contains('\u{1b}') && !run.stderr().contains('\u{1b}'), "{args:?}");
        assert!(!run.stdout.contains('\u{202e}'), "{args:?}");
    }
}
