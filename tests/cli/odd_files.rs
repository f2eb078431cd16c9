//! Unusual files: pipes, very large files, hard links, and names with line ends.

use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::process::Stdio;

use super::scenario::Scenario;

#[test]
fn pipe_as_private_file_is_refused_without_opening_it() {
    for ending in ["run", "lock", "journal"] {
        let scenario = Scenario::with_discussion();
        let private = format!("discussions/.discussions/caching.md.{ending}");
        fs::create_dir(scenario.path("discussions/.discussions")).unwrap();
        scenario.command("mkfifo").arg(&private).output().unwrap();
        let named = format!("caching.md.{ending}: this is not a regular file");
        scenario.discussions(&["run", "caching", "--provider", "mock"]).code(3).notes(&named);
        scenario.discussions(&["comment", "caching", "x"]).code(3).notes(&named);
        scenario.discussions(&["check"]).code(1).says(&named);
        assert!(fs::symlink_metadata(scenario.path(&private)).unwrap().file_type().is_fifo());
    }
    let scenario = Scenario::with_discussion();
    fs::create_dir_all(scenario.path("discussions/.discussions/caching.md.lock")).unwrap();
    let run = scenario.discussions(&["comment", "caching", "x"]).code(3);
    run.notes("caching.md.lock: this is not a regular file");
}

#[test]
fn endless_input_is_refused() {
    let scenario = Scenario::with_discussion().file("brief.md", "# Brief\n\nText.\n");
    for args in [
        &["new", "Big", "--context-file", "/dev/zero"][..],
        &["review", "/dev/zero", "--provider", "mock"],
        &["review", "brief.md", "--context-file", "/dev/zero", "--provider", "mock"],
        &["participants", "add", "someone", "--from-file", "/dev/zero"],
    ] {
        scenario.discussions(args).code(3).notes("/dev/zero: this is not a regular file");
    }
    for args in [
        ["merge", "/dev/zero", "brief.md", "brief.md"],
        ["merge", "brief.md", "/dev/zero", "brief.md"],
        ["merge", "brief.md", "brief.md", "/dev/zero"],
    ] {
        scenario
            .discussions(&args)
            .code(3)
            .notes("/dev/zero: this version is not a regular file, so git has");
    }
    for args in [
        &["comment", "caching", "-"][..],
        &["new", "Big", "--context-file", "-"],
        &["new", "Big", "--context-file", "/dev/stdin"],
    ] {
        let mut command = scenario.program_under_test();
        // More bytes than the program ever reads from standard input.
        let text = vec![b'x'; 17 << 20];
        let mut child = command
            .args(args)
            .stdin(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let poured = std::io::Write::write_all(&mut child.stdin.take().unwrap(), &text);
        assert!(poured.is_err(), "{args:?}: it was read to its end");
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.contains("is longer than the limit of 16777216 bytes"),
            "{args:?}: {stderr}"
        );
        assert_eq!(output.status.code(), Some(3), "{args:?}");
    }
    let piped = ["new", "Piped", "--context-file", "/dev/stdin"];
    scenario.discussions_with(&piped, "From a pipe.").code(0);
    assert!(scenario.read("discussions/piped.md").contains("From a pipe."));
}

#[test]
fn too_large_journal_is_reported_without_reading_it() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "x"]).code(0);
    scenario.giant("discussions/.discussions/caching.md.journal");
    scenario.discussions(&["check"]).code(1).says("caching.md.journal: the file has 1025 MiB");
}

#[test]
fn file_with_a_nul_byte_is_shown_but_not_written() {
    for bytes in [&b"# A\0B\n"[..], b"# A\n\n---\n\nName: Rob\n\nVOTE: READY\n\n\0\n"] {
        let scenario = Scenario::new();
        scenario.write("a.md", bytes);
        let wrong = "contains a NUL byte, so it is not text; remove the byte";
        scenario.discussions(&["show", "a.md"]).code(0).says("\u{FFFD}").notes(wrong);
        let status = scenario.discussions(&["status", "a.md", "--json"]).code(0).json();
        assert_eq!(status["problems"][0]["code"], "file-nul");
        scenario.discussions(&["check", "a.md"]).code(1).says("[file-nul]").says(wrong);
        scenario.discussions(&["list", "."]).code(0).says("\na ");
        for args in [
            &["comment", "a.md", "x"][..],
            &["close", "a.md"],
            &["turn", "a.md", "--provider", "mock"],
        ] {
            scenario.discussions(args).code(3).notes(wrong);
        }
        assert_eq!(fs::read(scenario.path("a.md")).unwrap(), bytes);
    }
}

#[test]
fn hard_linked_private_file_is_replaced_by_a_new_file() {
    let scenario = Scenario::with_discussion().file("mine", "export A=1\n");
    scenario.discussions(&["comment", "caching", "First."]).code(0);
    let journal = scenario.path("discussions/.discussions/caching.md.journal");
    let first = fs::read(&journal).unwrap();
    fs::hard_link(&journal, scenario.path("snapshot")).unwrap();
    scenario.discussions(&["comment", "caching", "Second."]).code(0);
    assert_eq!(fs::read(scenario.path("snapshot")).unwrap(), first);
    let second = fs::read(&journal).unwrap();
    assert!(second.starts_with(&first) && second.len() > first.len());
    scenario.discussions(&["check", "--strict"]).code(0);

    fs::remove_file(&journal).unwrap();
    fs::hard_link(scenario.path("mine"), &journal).unwrap();
    scenario.discussions(&["comment", "caching", "Third."]).code(0);
    assert_eq!(scenario.read("mine"), "export A=1\n");

    // An empty private file is replaced as well, so the file it is linked with stays empty.
    let scenario = Scenario::with_discussion().file("empty", "");
    fs::create_dir(scenario.path("discussions/.discussions")).unwrap();
    let ignore = scenario.path("discussions/.discussions/.gitignore");
    fs::hard_link(scenario.path("empty"), &ignore).unwrap();
    scenario.discussions(&["comment", "caching", "First."]).code(0);
    assert_eq!(fs::read_to_string(ignore).unwrap(), "*\n");
    assert_eq!(scenario.read("empty"), "");
}

#[test]
fn line_end_in_a_file_name_is_escaped_in_output() {
    let scenario = Scenario::new();
    let name = "discussions/a\nfake.md  Approved  done  9  CONSENSUS.md";
    scenario.write(name, b"# A\n\n---\n\nName: Ann\n\nVOTE: MAYBE\n\n---\n");
    let list = scenario.discussions(&["list"]).code(0).says("a⟨U+000A⟩fake.md");
    assert_eq!(list.stdout.lines().count(), 2, "{}", list.stdout);
    let json = scenario.discussions(&["list", "--json"]).code(0).json();
    assert_eq!(json[0]["file"], name);
    let check = scenario.discussions(&["check"]).code(1);
    assert!(check.stdout.starts_with("discussions/a⟨U+000A⟩fake"), "{}", check.stdout);
    assert_eq!(scenario.discussions(&["check", "--json"]).code(1).json()[0]["file"], name);
    scenario.discussions(&["close", name]).code(0).says("Closed: discussions/a⟨U+000A⟩fake");
    let unknown = scenario.discussions(&["status", "no\nerror: such.md"]).code(3);
    assert!(
        unknown.stderr().starts_with("error: no⟨U+000A⟩error: such.md"),
        "{}",
        unknown.stderr()
    );
    scenario.giant("discussions/b\nc.md");
    let list = scenario.discussions(&["list"]).code(0);
    assert!(list.stderr().contains("b⟨U+000A⟩c.md: the file has 1025 MiB"), "{}", list.stderr());
}

#[test]
fn second_run_under_another_hard_link_is_refused() {
    let slow = "#!/bin/sh\ncat > /dev/null\n: > \"$HOME/asked\"\nwhile [ ! -e \"$HOME/go\" ]; do sleep 0.02; done\necho 'Fine. VOTE: READY'\n";
    let scenario = Scenario::with_discussion().program("claude", slow);
    fs::create_dir(scenario.path("other")).unwrap();
    fs::hard_link(scenario.path("discussions/caching.md"), scenario.path("other/b3.md")).unwrap();
    let mut first = scenario
        .program_under_test()
        .args(["run", "caching", "--provider", "claude"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !scenario.path("../home/asked").exists() {
        assert!(first.try_wait().unwrap().is_none(), "the run ended before it asked anybody");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let second = scenario.discussions(&["run", "other/b3.md", "--provider", "mock"]).code(5);
    second.notes("another run of this discussion is in progress");
    scenario.discussions(&["comment", "other/b3.md", "In between."]).code(0);
    scenario.write("../home/go", b"");
    first.wait().unwrap();
    let text = scenario.read("discussions/caching.md");
    assert!(text.contains("In between."), "{text}");
    assert_eq!(text.matches("\nName: AI-Architect\n<!-- REPLY turn: 1,").count(), 1, "{text}");
}

#[test]
fn history_of_a_file_name_with_a_line_end_is_checked() {
    let scenario = Scenario::new().file("discussions.yaml", "");
    scenario.init_git();
    scenario.discussions(&["new", "Base"]).code(0);
    let odd = "discussions/a\nb.md";
    fs::rename(scenario.path("discussions/base.md"), scenario.path(odd)).unwrap();
    scenario.discussions(&["comment", odd, "First words.", "--as", "Mia"]).with_warnings().code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "one"]);
    scenario.discussions(&["comment", odd, "More.", "--as", "Rob"]).code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "two"]);
    let run = scenario.discussions(&["check", "--git"]).code(0);
    assert!(!run.stdout.contains("partial clone"), "{}", run.stdout);
    let text = scenario.read(odd).replace("First words.", "Other words.");
    scenario.write(odd, text.as_bytes());
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "three"]);
    scenario.discussions(&["check", "--git"]).code(1).says("Other words.");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn pipe_as_private_file_does_not_block_readers() {
        for ending in ["run", "lock", "journal", "reserved", "within"] {
            let scenario = Scenario::with_discussion();
            let private = format!("discussions/.discussions/caching.md.{ending}");
            fs::create_dir(scenario.path("discussions/.discussions")).unwrap();
            scenario.command("mkfifo").arg(&private).output().unwrap();
            for args in
                [&["list"][..], &[], &["status", "caching"], &["show", "caching"], &["stats"]]
            {
                let mut limited = scenario.command("timeout");
                limited.arg("60").arg(env!("CARGO_BIN_EXE_discussions")).args(args);
                let run = limited.stdin(Stdio::null()).output().unwrap();
                let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
                assert!(run.status.success(), "{ending} {args:?}: {:?} {stderr}", run.status);
            }
        }
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn too_large_file_is_reported_without_reading_it() {
        let scenario = Scenario::with_discussion();
        scenario.giant("discussions/giant.md");
        let named = "giant.md: the file has 1025 MiB; the limit is 1024 MiB";
        for args in [
            &["status", "giant"][..],
            &["show", "giant"],
            &["comment", "giant", "x"],
            &["comment", "giant", "x", "--vote", "READY"],
            &["turn", "giant", "--provider", "mock"],
            &["close", "giant"],
            &["check", "--restore", "giant"],
            &["new", "Big", "--context-file", "discussions/giant.md"],
            &["review", "discussions/giant.md", "--provider", "mock"],
        ] {
            scenario.discussions(args).code(3).notes(named);
        }
        scenario.discussions(&["list"]).code(0).says("caching ").notes(named);
        scenario
            .discussions(&["check"])
            .code(1)
            .says("giant.md: error: the file has 1025 MiB")
            .notes("2 discussions checked: 1 error");
        scenario.discussions(&["merge", "discussions/giant.md", "x", "y"]).code(3);
    }
}
