use super::*;

/// Reads a record of `tests/cases/adr`.
macro_rules! case {
    ($name:literal) => {
        RecordName::of($name)
            .and_then(|name| read(include_str!(concat!("../../tests/cases/adr/", $name)), name))
    };
}

fn status_of(record: &Record) -> Option<&str> {
    record.status.as_ref().map(|status| status.words.as_str())
}

fn day(record: &Record) -> String {
    record.date.map(|date| date.to_string()).unwrap_or_default()
}

#[test]
fn record_of_adr_tools_is_read() {
    let record = case!("0005-send-mail-from-a-queue.md").unwrap();
    assert_eq!(record.title, "Send mail from a queue");
    assert_eq!((status_of(&record), day(&record).as_str()), (Some("Accepted"), "2022-03-12"));
    assert_eq!(record.decision, "The shop writes receipts to a queue, and a worker sends them.");
    let target = LinkTarget::File("0002-send-mail-at-once.md".to_owned());
    assert_eq!(record.links, [RecordLink { replaces: true, target, line: 9 }]);
    assert!(record.is_accepted() && record.problems.is_empty());
    assert_eq!(record.files.len(), 1, "a link in code is no link: {:?}", record.files);
    assert_eq!(record.text_lines.0, 16);
}

#[test]
fn record_that_was_superceded_names_its_successor() {
    let record = case!("0002-send-mail-at-once.md").unwrap();
    assert_eq!(record.kind(), Some(StatusKind::Superseded));
    assert_eq!(status_of(&record), Some("Superceded by 5. Send mail from a queue"));
    assert_eq!(day(&record), "2021-05-12");
    assert!(!record.links[0].replaces && !record.is_accepted());
}

#[test]
fn madr_2_is_read_from_the_list_below_the_title() {
    let record = case!("0003-keep-carts-in-postgresql.md").unwrap();
    assert_eq!((status_of(&record), day(&record).as_str()), (Some("accepted"), "2021-09-01"));
    assert_eq!(record.deciders, ["Ann Lee", "Bob"]);
    assert_eq!(record.chosen.as_deref(), Some("PostgreSQL"));
    assert!(record.links.is_empty(), "`Refined by` replaces nothing: {:?}", record.links);
    assert!(!record.text.contains("One system less"), "{}", record.text);
}

#[test]
fn madr_3_and_4_are_read_from_front_matter() {
    let old = case!("0004-expire-carts-never.md").unwrap();
    assert_eq!(old.links[0].target, LinkTarget::File("0006-expire-carts.md".to_owned()));
    assert_eq!(
        (old.links[0].line, old.deciders.as_slice()),
        (2, &["Ann Lee".to_owned(), "Carl".to_owned()][..])
    );
    let new = case!("0006-expire-carts.md").unwrap();
    assert_eq!((new.title.as_str(), new.title_line), ("Expire carts after 90 days", 10));
    assert_eq!(new.links, [RecordLink { replaces: true, target: LinkTarget::Number(4), line: 3 }]);
    assert_eq!(new.deciders, ["Ann Lee", "Dora (support)"]);
    let decision =
        "Chosen option: \"Delete after 90 days\", because the law asks for a short time.";
    assert_eq!(new.decision, decision);
    assert!(new.is_accepted() && !new.text.contains("two lines"), "{}", new.text);
    assert_eq!(new.files[0].line, 34);
}

#[test]
fn unclear_and_missing_days_are_notes() {
    let unclear = case!("0007-use-one-date-format.md").unwrap();
    assert_eq!((unclear.title.as_str(), unclear.date), ("Use one date format", None));
    assert!(unclear.is_accepted());
    let [problem] = &unclear.problems[..] else { panic!("{:?}", unclear.problems) };
    assert_eq!((problem.line, problem.severity), (4, crate::problem::Severity::Note));
    assert!(problem.message.contains("`03/04/2024` has no clear meaning"), "{}", problem.message);
    let missing = case!("0008-sell-vouchers.md").unwrap();
    assert_eq!((missing.title.as_str(), missing.is_decided()), ("Sell vouchers", false));
    assert!(missing.problems[0].message.contains("`2024-02-30` does not exist"));
    assert_eq!(missing.problems[0].line, 3);
}

#[test]
fn reasons_in_a_list_belong_to_the_decision() {
    let text = "# T\n\n## Decision Outcome\n\nChosen option: \"Tabs,\" because\n\n* they are short,\n* and old.\n\nMore.\n";
    let record = read(text, RecordName::of("0001-t.md").unwrap()).unwrap();
    let decision = "Chosen option: \"Tabs,\" because they are short, and old.";
    assert_eq!((record.decision.as_str(), record.chosen.as_deref()), (decision, Some("Tabs")));
}

#[test]
fn templates_and_pages_are_no_records() {
    assert_eq!(case!("adr-template.md"), None);
    let name = |name| RecordName::of(name).unwrap();
    let offers = "# T\n\n* Status: [proposed | accepted]\n";
    assert_eq!(read(offers, name("0001-t.md")), None);
    assert_eq!(read("# About these records\n\nText.\n", name("about.md")), None);
    assert!(read("# Use tabs\n\nStatus: accepted\n", name("use-tabs.md")).unwrap().is_accepted());
}

#[test]
fn foreign_and_broken_files_never_fail() {
    let name = RecordName::of("0001-x.md").unwrap();
    let record = |text: &str| read(text, name).unwrap();
    assert_eq!(record("").title, "");
    let broken = record("---\nstatus: {accepted\ndate: x\n---\n# T\n");
    assert!(broken.problems[0].message.starts_with("the front matter cannot be read"));
    assert_eq!(record("---\nstatus: accepted\n# T\n").status, None, "the front matter has no end");
    let list = record("---\nstatus: [accepted]\ndeciders: {a: b}\nnav_order: 7\n---\n# 1. T\n");
    assert!(list.is_accepted() && list.deciders.is_empty());
    assert_eq!(list.title, "T");
    assert_eq!(record("# 2024 - the plan\n").title, "2024 - the plan");
    assert_eq!(record("Title\n=====\n\nDate: 2024-03-12\n").title, "Title");
    let long = format!(
        "# {}\n\n## Status\n\n{}\n\n## Decision\n\n{}",
        "ä".repeat(5_000),
        "ö".repeat(900),
        "ü ".repeat(90_000)
    );
    let long = record(&long);
    assert!(long.title.chars().count() <= 201 && long.text.len() <= 8_000);
    let stars = format!("# T\n\nStatus: {}\n", "*".repeat(10_000));
    assert!(record(&stars).status.is_none() || !record(&stars).is_accepted());
    let brackets = format!("# T\n\nStatus: superseded by {}\n", "[".repeat(50_000));
    assert_eq!(record(&brackets).links, []);
}

#[test]
fn number_or_day_is_read_from_the_name() {
    let number = |name: &str| RecordName::of(name).and_then(|name| name.number);
    assert_eq!(number("0007-use-a-queue.md"), Some(7));
    assert_eq!(number("ADR-012_x.MD"), Some(12));
    assert_eq!(number("adr001-x.md"), Some(1));
    assert_eq!(number("7.md"), Some(7));
    for none in ["20240312-x.md", "2024-03-12-x.md", "7th-try.md", "x.md", "1234567-x.md"] {
        assert_eq!(number(none), None, "{none}");
        assert!(RecordName::of(none).is_some(), "{none}");
    }
    let day = |name: &str| RecordName::of(name).and_then(|name| name.date);
    let wanted = NaiveDate::from_ymd_opt(2024, 3, 12);
    assert_eq!(day("20240312-x.md"), wanted);
    assert_eq!(day("2024-03-12-x.md"), wanted);
    assert_eq!(day("20241399-x.md"), None);
}

#[test]
fn templates_and_indexes_are_no_records() {
    for name in ["README.md", "index.md", "adr-template.md", "0000-template.md", "a.png", ".md"] {
        assert_eq!(RecordName::of(name), None, "{name}");
    }
}
