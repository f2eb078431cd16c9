//! `export --adr`: the status of the record by the outcome, and what it leaves out.

use super::scenario::Scenario;

/// A discussion of people, written by hand.
fn by_hand(title: &str, body: &str) -> String {
    format!("# {title}\n\n{body}\n")
}

fn says(name: &str, text: &str) -> String {
    format!("\n---\n\nName: {name}\n\n{text}\n\n---\n")
}

const CLOSED: &str = "\n<!-- STATUS: CLOSED, by: Rob -->\n\n---\n";

fn record(scenario: &Scenario, name: &str) -> String {
    scenario.discussions(&["export", name, "--adr"]).code(0).stdout
}

#[test]
fn superseded_record_has_a_link_to_its_successor() {
    let old = by_hand("Where do files live?", &says("Rob", "DECISION: on a disk")) + CLOSED;
    let new = says("Rob", "DECISION: in a store\n\nSUPERSEDES: files.md#D1");
    let new = by_hand("It's a [store]: which?", &new) + CLOSED;
    let scenario =
        Scenario::new().file("discussions/files.md", &old).file("discussions/store.md", &new);
    let old = record(&scenario, "files");
    let link = "[It''s a store: which?](discussions/store.md)";
    assert!(old.starts_with(&format!("---\nstatus: 'superseded by {link}'\n")), "{old}");
    assert!(!old.contains("Chosen option"), "{old}");
    let link = link.replace("''", "'");
    let past = format!("\n* \"on a disk\": replaced by {link} (D1)\n");
    assert!(old.contains(&past), "{old}");
    let new = record(&scenario, "store");
    assert!(new.starts_with("---\nstatus: accepted\n"), "{new}");
    assert!(new.contains("\nChosen option: \"in a store\" (decided by Rob).\n"), "{new}");
}

#[test]
fn status_follows_the_outcome() {
    for (lines, status, chosen) in [
        (says("Rob", "DECISION: x"), "proposed", false),
        (says("Rob", "DECISION: x") + CLOSED, "accepted", true),
        (says("agent", "DECISION: x") + CLOSED, "rejected", false),
        (says("Rob", "DECISION: x") + CLOSED + &says("Rob", "WITHDRAWN: D1"), "deprecated", false),
        (says("Rob", "DECISION: x") + CLOSED + &says("agent", "WITHDRAWN: D1"), "accepted", true),
    ] {
        let scenario = Scenario::new().file("discussions/x.md", &by_hand("X", &lines));
        let record = record(&scenario, "x");
        assert!(record.starts_with(&format!("---\nstatus: {status}\n")), "{record}");
        assert_eq!(record.contains("Chosen option: \"x\""), chosen, "{record}");
    }
}

#[test]
fn record_has_a_date_and_sets_settled_concerns_apart() {
    let lines = says("Rob", "CONCERN: it is slow\n\nCONCERN: it is dear\n\nDECISION: x");
    let lines = lines + &says("Rob", "SETTLED: C1") + CLOSED;
    let scenario = Scenario::new().file("discussions/x.md", &by_hand("X", &lines));
    let record = record(&scenario, "x");
    let date = record.lines().find_map(|line| line.strip_prefix("date: ")).unwrap();
    assert!(date.len() == 10 && date.starts_with("20"), "{record}");
    assert!(record.contains("\n### Consequences\n\n* Bad, because it is dear\n\n"), "{record}");
    assert!(record.contains("\n* Concern, settled: it is slow\n"), "{record}");
}

#[test]
fn record_names_material_and_moves_options_out_of_the_context() {
    let context = "We have two servers.\n\n## Options\n\n### a table\n\n- slow\n\n### Redis\n\n- one more system";
    let scenario = Scenario::new().file("src/main.rs", "fn secret_of_the_copy() {}\n");
    let new = ["new", "Sessions", "-t", "architecture-decision", "--file", "src/main.rs"];
    scenario.discussions(&[&new[..], &["--context", context]].concat()).code(0);
    scenario.discussions(&["comment", "sessions", "DECISION: Redis"]).code(0);
    scenario.discussions(&["close", "sessions"]).code(0);
    let record = record(&scenario, "sessions");
    assert!(!record.contains("secret_of_the_copy"), "{record}");
    assert!(record.contains("\n* Material: `src/main.rs` (27 bytes)\n"), "{record}");
    assert!(!record.contains("The discussion below decides"), "{record}");
    let (context, rest) = record.split_once("## Considered Options").unwrap();
    assert!(!context.contains("slow"), "{record}");
    assert!(rest.starts_with("\n\n* a table\n* Redis\n"), "{record}");
    let section = "\n## Pros and Cons of the Options\n\n#### a table\n\n- slow\n";
    assert!(rest.contains(section), "{record}");
}
