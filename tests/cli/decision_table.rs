//! `decisions --write-readme`: the table of decisions in a page that belongs to people.

use super::scenario::Scenario;

const BEGIN: &str = "<!-- decisions:begin -->";
const END: &str = "<!-- decisions:end -->";
const README: &str = "discussions/README.md";

/// Returns a discussion that a person closed, with these lines.
fn closed(title: &str, says: &str) -> String {
    format!("# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n")
}

fn old_and_new() -> Scenario {
    let old = closed("Sessions", "DECISION: sessions in `Redis`");
    let new = closed("Sessions anew", "DECISION: in PostgreSQL\n\nSUPERSEDES: old.md#D1");
    Scenario::new().file("discussions/old.md", &old).file("discussions/new.md", &new)
}

#[test]
fn table_has_outcome_status_and_link_of_each_decision() {
    let scenario = old_and_new();
    let run = scenario.discussions(&["decisions", "--write-readme"]).code(0);
    run.stdout("Updated: discussions/README.md\n");
    let wanted = format!(
        "# Decisions\n\n{BEGIN}\n\n| Outcome | Date | Status | Discussion |\n|---|---|---|---|\n\
         | in PostgreSQL |  | in force, without consensus | [Sessions anew](new.md) |\n\
         | sessions in `Redis` |  | D1 replaced by [Sessions anew](new.md), without consensus | [Sessions](old.md) |\n\
         \n{END}\n"
    );
    assert_eq!(scenario.read(README), wanted);
    let again = scenario.discussions(&["decisions", "--write-readme"]).code(0);
    again.stdout("Unchanged: discussions/README.md\n");
    assert_eq!(scenario.read(README), wanted);
    let list = scenario.discussions(&["list", "--json"]).code(0).json();
    assert_eq!(list.as_array().unwrap().len(), 2, "the page is no discussion");
}

#[test]
fn text_of_people_stays_and_a_conflict_in_the_table_goes() {
    let scenario = old_and_new();
    scenario.write(README, format!("# Ours\r\n\r\n{BEGIN}\r\n{END}\r\n\r\nKeep me\r\n").as_bytes());
    scenario.discussions(&["decisions", "--write-readme"]).code(0);
    let clean = scenario.read(README);
    assert!(clean.starts_with(&format!("# Ours\r\n\r\n{BEGIN}\r\n\r\n| Outcome")), "{clean}");
    assert!(clean.ends_with(&format!("{END}\r\n\r\nKeep me\r\n")), "{clean}");
    assert_eq!(clean.matches('\n').count(), clean.matches("\r\n").count());
    let row = clean.lines().find(|line| line.contains("PostgreSQL")).unwrap();
    let conflict = format!("<<<<<<< HEAD\r\n{row}\r\n=======\r\n| other |\r\n>>>>>>> topic");
    scenario.write(README, clean.replace(row, &conflict).as_bytes());
    scenario.discussions(&["decisions", "--write-readme"]).code(0);
    assert_eq!(scenario.read(README), clean);
}

#[test]
fn branches_that_both_wrote_the_table_give_the_same_bytes() {
    let scenario = old_and_new();
    scenario.init_git();
    scenario.discussions(&["decisions", "--write-readme"]).code(0);
    scenario.git(&["add", "."]).git(&["commit", "--quiet", "-m", "begin"]);
    for (branch, title) in [("topic", "Apples"), ("main", "Avocados")] {
        if branch == "topic" {
            scenario.git(&["switch", "--quiet", "-c", "topic"]);
        } else {
            scenario.git(&["switch", "--quiet", "main"]);
        }
        let text = closed(title, &format!("DECISION: {title} it is"));
        scenario.write(&format!("discussions/{}.md", title.to_lowercase()), text.as_bytes());
        scenario.discussions(&["decisions", "--write-readme"]).code(0);
        scenario.git(&["add", "."]).git(&["commit", "--quiet", "-m", title]);
    }
    scenario.try_git(&["merge", "topic"]);
    assert!(scenario.read(README).contains("<<<<<<<"), "{}", scenario.read(README));
    scenario.discussions(&["decisions", "--write-readme"]).code(0);
    let merged = scenario.read(README);
    assert!(merged.contains("Apples it is") && merged.contains("Avocados it is"), "{merged}");
    assert!(!merged.contains("<<<<<<<"), "{merged}");
    std::fs::remove_file(scenario.path(README)).unwrap();
    scenario.discussions(&["decisions", "--write-readme"]).code(0);
    assert_eq!(scenario.read(README), merged);
}

#[test]
fn page_that_cannot_be_updated_is_refused_and_kept() {
    let discussion = "# Mine\n\n---\n\nName: Rob\n\nHello.\n\n---\n";
    for (page, wanted) in [
        (format!("<<<<<<< HEAD\n{BEGIN}\n{END}\n"), "README.md:1: this is a merge conflict"),
        (
            format!("x\n\n{BEGIN}\n| a |\n"),
            "README.md:3: this mark has no `<!-- decisions:end -->`",
        ),
        (format!("{END}\n"), "README.md:1: this mark has no `<!-- decisions:begin -->`"),
        (format!("{BEGIN}\n{END}\n{BEGIN}\n{END}\n"), "README.md:3: the page has two tables"),
        (discussion.to_owned(), "README.md:1: this is a discussion"),
    ] {
        let scenario = old_and_new();
        scenario.write(README, page.as_bytes());
        scenario.discussions(&["decisions", "--write-readme"]).code(3).notes(wanted);
        assert_eq!(scenario.read(README), page);
    }
    let scenario = old_and_new();
    scenario.write(README, b"# R\xff\n");
    scenario.discussions(&["decisions", "--write-readme"]).code(3).notes("UTF-8");
    Scenario::new().discussions(&["decisions", "--write-readme"]).code(3).notes("no such folder");
}

#[test]
fn foreign_titles_stay_in_their_cells() {
    let text = closed("A | B <!-- decisions:end --> [x](y)", "DECISION: use `a|b` | **now** @rob");
    let scenario = Scenario::new().file("discussions/a b|c.md", &text);
    scenario.discussions(&["decisions", "--write-readme"]).code(0);
    let page = scenario.read(README);
    let row = page.lines().find(|line| line.contains("now")).unwrap();
    assert_eq!(row.matches('|').count(), 5, "{row}");
    assert!(
        row.contains("\\*\\*now\\*\\* &#64;rob") && row.ends_with("](a%20b%7Cc.md) |"),
        "{row}"
    );
    scenario.discussions(&["decisions", "--write-readme"]).code(0).says("Unchanged");
}

#[test]
#[cfg(unix)]
fn link_out_of_the_project_is_not_written() {
    let scenario = old_and_new().file("discussions.yaml", "author: Rob\n");
    let outside = scenario.path("../outside.md");
    std::fs::write(&outside, "# Mine\n").unwrap();
    std::os::unix::fs::symlink(&outside, scenario.path(README)).unwrap();
    scenario.discussions(&["decisions", "--write-readme"]).code(3).notes("leads outside");
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "# Mine\n");
}
