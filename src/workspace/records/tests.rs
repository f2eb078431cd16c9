use std::fmt::Write as _;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::workspace::{Surroundings, Workspace};

/// A project with records in `docs/adr`.
struct Project(tempfile::TempDir);

impl Project {
    fn new(records: &[(&str, &str)]) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(project.folder().join("docs/adr")).unwrap();
        fs::write(project.folder().join("discussions.yaml"), "adr: [docs/adr]\n").unwrap();
        for (name, text) in records {
            fs::write(project.folder().join("docs/adr").join(name), text).unwrap();
        }
        project
    }

    fn folder(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    fn workspace(&self) -> Workspace {
        let folder = self.folder();
        Workspace::open(Surroundings::new(folder.clone(), [], None, folder)).unwrap()
    }

    fn messages(&self) -> Vec<String> {
        let checked = self.workspace().check().check_files(&[], false).unwrap();
        let lines = checked.iter().flat_map(|one| {
            let said = one.problems.iter();
            said.map(|it| format!("{}:{}: {} [{}]", one.file, it.line, it.message, it.code))
        });
        lines.collect()
    }

    /// Returns the numbers of the records in force.
    fn in_force(&self) -> Vec<u32> {
        let log = self.workspace().decisions().list_decisions(None).unwrap();
        let live = log.decided.iter().filter(|one| one.facts.in_force);
        let mut live: Vec<u32> = live.filter_map(|one| one.record.as_ref()?.number).collect();
        live.sort_unstable();
        live
    }
}

fn record(title: &str, status: &str) -> String {
    format!("# {title}\n\nDate: 2024-03-12\n\n## Status\n\n{status}\n\n## Decision\n\nDo it.\n")
}

#[test]
fn five_thousand_records_are_read_once_each_and_followed_in_linear_steps() {
    let project = Project::new(&[]);
    let count = 5_000;
    for number in 1..=count {
        let mut status = "Accepted\n".to_owned();
        // A long chain: each record replaces the one before.
        if number > 1 {
            let _ = write!(status, "\nSupersedes ADR-{:04}\n", number - 1);
        }
        let name = format!("docs/adr/{number:04}-x.md");
        fs::write(project.folder().join(name), record("X", &status)).unwrap();
    }
    let (workspace, reads) = (project.workspace(), AtomicUsize::new(0));
    let records = workspace.decisions().records_with(|path| {
        reads.fetch_add(1, Ordering::Relaxed);
        workspace.decisions().read_record(path)
    });
    assert_eq!((reads.into_inner(), records.found.len()), (count, count));
    let followed: usize = (0..count).map(|at| records.relations.replaces(at).len()).sum();
    assert_eq!(followed, count - 1);
    let live: Vec<usize> = (0..count).filter(|at| records.in_force(*at)).collect();
    assert_eq!(live, [count - 1]);
    let folders = workspace.decisions().record_folders();
    let problems = workspace.check().record_problems(&records, &folders);
    assert!(problems.iter().all(Vec::is_empty));
}

#[test]
fn replaced_records_are_not_in_force() {
    let project = Project::new(&[
        ("0001-a.md", &record("1. A", "Accepted")),
        ("0002-b.md", &record("2. B", "Accepted\n\nSupersedes [1. A](0001-a.md)")),
        ("0003-c.md", &record("3. C", "Proposed\n\nSupersedes [2. B](0002-b.md)")),
        ("0004-d.md", &record("4. D", "Superceded by [2. B](0002-b.md)")),
        ("0005-e.md", &record("5. E", "Rejected")),
        ("0006-f.md", "# F\n\n## Decision\n\nNo status.\n"),
        ("README.md", "# Records\n"),
    ]);
    assert_eq!(project.in_force(), [2], "a proposal replaces nothing");
    let log = project.workspace().decisions().list_decisions(None).unwrap();
    let one = |number: u32| {
        let mut all = log.decided.iter();
        all.find(|it| it.record.as_ref().is_some_and(|it| it.number == Some(number))).unwrap()
    };
    assert_eq!(one(1).replaced_by[0].file, "docs/adr/0002-b.md");
    assert_eq!(one(2).replaces.len(), 2);
    assert_eq!(
        (one(2).at.as_str(), one(4).facts.words()),
        ("2024-03-12T00:00:00Z", "replaced by docs/adr/0002-b")
    );
    assert_eq!(one(6).record.as_ref().unwrap().status, None);
    assert_eq!(log.decided.len(), 4, "neither a proposal nor a rejected record is decided");
    assert_eq!(project.messages(), [""; 0]);
    assert_eq!(project.workspace().discussions().list(None).unwrap().discussions.len(), 0);
}

#[test]
fn discussion_replaces_a_record() {
    let project = Project::new(&[("0001-a.md", &record("1. A", "Accepted"))]);
    assert_eq!(project.in_force(), [1]);
    fs::create_dir(project.folder().join("discussions")).unwrap();
    let text = "# A again\n\n---\n\nName: Rob\n\nDECISION: do B\n\nSUPERSEDES: ../docs/adr/0001-a.md\n\n---\n\n\
                <!-- STATUS: CLOSED, by: Rob -->\n";
    fs::write(project.folder().join("discussions/a.md"), text).unwrap();
    assert_eq!(project.in_force(), [0; 0]);
    assert_eq!(project.messages(), [""; 0]);
}

#[test]
fn collisions_dead_links_and_circles_are_reported_with_their_place() {
    let project = Project::new(&[
        ("0001-a.md", &record("1. A", "Accepted\n\nSupersedes [2](0002-b.md)")),
        ("0002-b.md", &record("2. B", "Accepted\n\nSupersedes [1](0001-a.md)")),
        ("0003-c.md", &record("3. C", "Accepted\n\nSupersedes [9](0009-none.md) and ADR-0003")),
        (
            "0003-d.md",
            &record(
                "3. D",
                "Accepted (supersedes ADR-0077)\n\nSee [x](0010-x.md) and [r](README.md).",
            ),
        ),
        ("0004-e.md", &record("4. E", "Superseded by ADR-0003")),
        ("0005-f.md", &record("5. F", "Supersedes [itself](0005-f.md)")),
        ("README.md", "# Records\n"),
    ]);
    insta::assert_snapshot!(project.messages().join("\n"), @r"
    docs/adr/0001-a.md:9: these records replace each other in a circle; correct one of the references: docs/adr/0001-a.md, docs/adr/0002-b.md [link-contradicted]
    docs/adr/0003-c.md:9: there is no decision record docs/adr/0009-none.md [link-broken]
    docs/adr/0003-d.md:1: the number 3 is taken by docs/adr/0003-c.md; give one of the two files another number [number-taken]
    docs/adr/0003-d.md:7: there is no decision record 77 [link-broken]
    docs/adr/0003-d.md:9: there is no file docs/adr/0010-x.md [link-broken]
    docs/adr/0004-e.md:7: several decision records have the number 3; name the file [link-broken]
    docs/adr/0005-f.md:7: the status `Supersedes itself` is unknown, so this record is not in force; known are accepted, proposed, rejected, deprecated and superseded [value-unreadable]
    docs/adr/0005-f.md:7: this record names itself, which is ignored [link-broken]
    ");
}

#[test]
fn binary_large_and_foreign_files_are_skipped_with_a_message() {
    let project = Project::new(&[("0001-a.md", &record("1. A", "Accepted"))]);
    let adr = project.folder().join("docs/adr");
    fs::write(adr.join("0002-binary.md"), [b'#', b' ', 0, 0xFF]).unwrap();
    fs::write(adr.join("0003-large.md"), vec![b'a'; (1 << 20) + 1]).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", adr.join("0004-link.md")).unwrap();
    let log = project.workspace().decisions().list_decisions(None).unwrap();
    assert_eq!(log.decided.len(), 1);
    let said: Vec<&str> = log.unreadable.iter().map(|it| it.message.as_str()).collect();
    assert!(said[0].contains("0002-binary.md: this file is not text in UTF-8"), "{said:?}");
    assert!(said[1].contains("0003-large.md: this is larger"), "{said:?}");
    #[cfg(unix)]
    assert!(said[2].contains("leads outside the project"), "{said:?}");
    let search = project
        .workspace()
        .discussions()
        .search(&project.workspace().discussions().searching("root"))
        .unwrap();
    assert_eq!(search.total, 0);
}

#[test]
fn missing_and_foreign_folders_are_reported() {
    let project = Project::new(&[]);
    let yaml = "adr: [docs/none, ../elsewhere, docs/adr, docs]\n";
    fs::write(project.folder().join("discussions.yaml"), yaml).unwrap();
    fs::write(project.folder().join("docs/adr/0001-a.md"), record("A", "Accepted")).unwrap();
    let log = project.workspace().decisions().list_decisions(None).unwrap();
    assert_eq!(log.decided.len(), 1, "a file in two folders is read once");
    let said: Vec<&str> = log.unreadable.iter().map(|it| it.message.as_str()).collect();
    assert!(said[0].contains("no such folder") && said[1].contains("outside"), "{said:?}");
}
