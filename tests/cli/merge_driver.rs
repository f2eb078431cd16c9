//! The merge driver for git: files it cannot merge, a missing program, and failed writes.

use super::scenario::Scenario;

/// Creates the branches `main` and `other` with different versions of a file; `main` is checked out.
fn diverged_branches(scenario: Scenario, path: &str, [base, ours, theirs]: [&[u8]; 3]) -> Scenario {
    scenario.init_git();
    scenario.discussions(&["init"]).code(0);
    scenario.write(path, base);
    scenario.git(&["add", "-A"]).git(&["add", "-f", path]).git(&["commit", "-qm", "Begin"]);
    scenario.git(&["checkout", "-qb", "other"]);
    scenario.write(path, theirs);
    scenario.git(&["commit", "-qam", "Theirs"]).git(&["checkout", "-q", "main"]);
    scenario.write(path, ours);
    scenario.git(&["commit", "-qam", "Ours"]);
    scenario
}

const FILE: &str = "discussions/a.md";
const BASE: &[u8] = b"# A\n\n---\n\nName: Rob\n\nHello.\n\n---\n";
const OURS: &[u8] = b"# A\n\n---\n\nName: Rob\n\nHello.\n\n---\n\nName: Rob\n\nOur words.\n\n---\n";
const THEIRS: &[u8] =
    b"# A\n\n---\n\nName: Rob\n\nHello.\n\n---\n\nName: Ann\n\nTheir words.\n\n---\n";

/// Asserts that merging `other` gives one conflict that contains both sides.
#[track_caller]
fn assert_one_conflict(scenario: &Scenario, file: &str) {
    scenario.try_git(&["merge", "-q", "other"]).code(1);
    let bytes = std::fs::read(scenario.path(file)).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert_eq!(text.matches("<<<<<<<").count(), 1, "{text}");
    assert!(text.contains("Our words.") && text.contains("Their words."), "{text}");
    let status = scenario.try_git(&["status", "--porcelain", "--", file]).code(0).stdout;
    assert_eq!(status, format!("UU {file}\n"));
}

#[test]
fn git_merge_without_the_program_shows_conflicts() {
    assert_one_conflict(&diverged_branches(Scenario::new(), FILE, [BASE, OURS, THEIRS]), FILE);
}

#[test]
fn git_merges_without_the_program_if_no_conflict() {
    let scenario = Scenario::new();
    let ours = [b"# A\n\nMore.\n".as_slice(), &BASE[4..]].concat();
    let scenario = diverged_branches(scenario, FILE, [BASE, &ours, THEIRS]);
    scenario.git(&["merge", "-q", "-m", "Merge", "other"]);
    let text = scenario.read(FILE);
    assert!(text.contains("More.") && text.contains("Their words."), "{text}");
}

#[test]
fn merge_reports_renumbered_questions() {
    let side = |who: &str| format!("\nName: {who}\n\nQ: from {who}?\n\nA: Q1 so.\n\n---\n");
    let [ours, theirs] = ["Rob", "Ann"].map(|who| [BASE, side(who).as_bytes()].concat());
    let scenario = diverged_branches(Scenario::new().on_path(), FILE, [BASE, &ours, &theirs]);
    let stderr = scenario.try_git(&["merge", "-q", "-m", "Merge", "other"]).code(0).into_stderr();
    let first =
        scenario.read(FILE).contains("Name: Rob\n\nQ: from Rob?\n\nA: Q1 so.\n\n---\n\nName: Ann");
    let (first, second) = if first { ("Rob", "Ann") } else { ("Ann", "Rob") };
    let words = format!("23: Q1 was \"from {second}?\" and is now \"from {first}?\"");
    assert!(stderr.contains(&words) && stderr.matches(" was ").count() == 1, "{stderr}");
}

#[test]
fn file_that_is_not_utf8_is_merged_by_git() {
    let latin = |text: &[u8]| [b"\xe9\n".as_slice(), text].concat();
    let versions = [latin(BASE), latin(OURS), latin(THEIRS)];
    let [base, ours, theirs] = versions.each_ref().map(Vec::as_slice);
    let scenario = diverged_branches(Scenario::new().on_path(), FILE, [base, ours, theirs]);
    assert_one_conflict(&scenario, FILE);
}

#[test]
fn binary_file_is_a_conflict() {
    let versions: [&[u8]; 3] = [b"\xff\0a\n", b"\xff\0b\n", b"\xff\0c\n"];
    let scenario = diverged_branches(Scenario::new().on_path(), FILE, versions);
    scenario.try_git(&["merge", "-q", "other"]).code(1);
    let status = scenario.try_git(&["status", "--porcelain", "--", FILE]).code(0).stdout;
    assert_eq!(status, format!("UU {FILE}\n"));
}

#[test]
fn conflict_of_the_driver_names_the_file() {
    let with_comment = |words: &str| format!("# A\n\n---\n\nName: Rob\n\n{words}\n\n---\n");
    let (ours, theirs) = (with_comment("Our words."), with_comment("Their words."));
    let versions = [BASE, ours.as_bytes(), theirs.as_bytes()];
    let file = "discussions/what's new.md";
    let scenario = diverged_branches(Scenario::new().on_path(), file, versions);
    let run = scenario.try_git(&["merge", "-q", "other"]).code(1);
    let run = run.notes("discussions/what's new.md: one side changed older text");
    assert!(!run.stderr().contains(".merge_file"), "{}", run.stderr());
    let text = scenario.read(file);
    assert_eq!(text.matches("<<<<<<<").count(), 1, "{text}");
}

#[test]
fn discussions_in_deeper_folders_are_merged_too() {
    let file = "discussions/2026/a.md";
    let scenario = diverged_branches(Scenario::new().on_path(), file, [BASE, OURS, THEIRS]);
    scenario.git(&["merge", "-q", "-m", "Merge", "other"]);
    let text = scenario.read(file);
    assert!(text.contains("Our words.") && text.contains("Their words."), "{text}");
}

#[test]
fn summary_files_are_ignored_and_merge_without_conflict() {
    let yaml = "output: {summary_files: true}\n";
    let scenario = Scenario::new().on_path().file("discussions.yaml", yaml);
    scenario.init_git();
    scenario
        .discussions(&["init"])
        .code(0)
        .says("Added to .gitignore: discussions/**/*.sum.md    (summaries are written anew");
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.git(&["add", "-A"]);
    let files = scenario.try_git(&["ls-files"]).code(0).stdout;
    assert!(files.contains("discussions/caching.md\n") && !files.contains(".sum.md"), "{files}");

    let file = "discussions/a.sum.md";
    let versions: [&[u8]; 3] = [b"Turns: 0.\n", b"Turns: 1.\n", b"Turns: 2.\n"];
    let scenario = diverged_branches(Scenario::new().on_path(), file, versions);
    scenario.git(&["merge", "-q", "-m", "Merge", "other"]);
    assert_eq!(scenario.read(file), "Turns: 1.\n");
}

#[test]
fn failed_write_leaves_our_version_intact() {
    let scenario = Scenario::new();
    for (name, bytes) in [("base", BASE), ("ours", OURS), ("theirs", THEIRS)] {
        scenario.write(name, bytes);
    }
    // With a file size limit of 0 every write fails; the trap keeps the signal from killing the program.
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" merge base ours theirs";
    let program = env!("CARGO_BIN_EXE_discussions");
    let run = scenario.command("/bin/sh").args(["-c", script, program]).output().unwrap();
    assert_eq!(run.status.code(), Some(5), "{run:?}");
    assert_eq!(scenario.read("ours").as_bytes(), OURS);
    assert_eq!(std::fs::read_dir(scenario.path("")).unwrap().count(), 3, "nothing is left behind");
}
