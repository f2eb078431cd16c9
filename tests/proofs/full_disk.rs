//! A full file system of 1 MiB.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::child;
use super::program::{command, comment, works, written_or_refused};

/// Mounts a small file system over a folder, in its own mount namespace, and runs the command after it.
const MOUNT: &str = r#"mount -t tmpfs -o size=1m,mode=0777 none "$0" && exec "$@""#;
const NAMESPACE: [&str; 5] = ["unshare", "--map-root-user", "--mount", "sh", "-c"];

#[test]
fn full_file_system_loses_nothing() {
    prove(1);
}

#[test]
#[ignore = "full form: cargo prove full_disk"]
fn full_file_system_loses_nothing_at_any_remaining_size() {
    prove(200);
}

fn prove(rounds: u64) {
    let folder = tempfile::tempdir().unwrap();
    let mount = |mut what: Command| {
        let words = std::iter::once(what.get_program()).chain(what.get_args());
        let words: Vec<_> = words.map(ToOwned::to_owned).collect();
        let variables: Vec<_> = what
            .get_envs()
            .map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)))
            .collect();
        what = Command::new(NAMESPACE[0]);
        what.args(&NAMESPACE[1..]).arg(MOUNT).arg(folder.path()).args(words);
        what.envs(variables.into_iter().filter_map(|(name, value)| Some((name, value?))));
        what
    };
    if !works(&mut mount(Command::new("true"))) {
        return;
    }
    let mut fill = child::command("fill");
    fill.env("FOLDER", folder.path()).env("ROUNDS", rounds.to_string());
    let output = mount(fill).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    told.lines().filter(|line| line.starts_with("full ")).for_each(|line| println!("{line}"));
}

/// Runs inside: fills the file system with comments, beside a ballast whose size differs in each round, until not even
/// the smallest one fits.
pub(super) fn fill() {
    let folder = env::var("FOLDER").unwrap();
    let rounds: usize = env::var("ROUNDS").unwrap().parse().unwrap();
    let (mut written, mut refused) = (0, 0);
    for round in 0..rounds {
        // From much space to almost none, in steps that are no multiple of a page.
        let ballast = 250_000 + 700_001 / rounds * round;
        let (more, less) = fill_once(Path::new(&folder), ballast);
        written += more;
        refused += less;
    }
    println!(
        "\nfull {rounds} times: {written} comments written, {refused} refused; earlier bytes identical, 0 false \
         acknowledgements"
    );
}

fn fill_once(folder: &Path, ballast: usize) -> (u64, u64) {
    let path = folder.join("a.md");
    let _ = fs::remove_dir_all(folder.join(".discussions"));
    fs::write(folder.join("ballast"), vec![b'x'; ballast]).unwrap();
    fs::write(&path, "# Full\n\nAlmost.\n").unwrap();
    let (mut written, mut refused) = (0, 0);
    for bytes in [40_000, 9_000, 2_000, 300, 1] {
        loop {
            let before = fs::read(&path).unwrap();
            let text = format!("{written} {}", "x".repeat(bytes));
            if !written_or_refused(folder, &before, &text, &comment(&[], folder, &text)) {
                refused += 1;
                break;
            }
            written += 1;
        }
    }
    // A new discussion, too, is complete or does not exist.
    let new = command(&[], folder).args(["new", "Another", "--dir", "."]).output().unwrap();
    assert!(new.status.success() || !folder.join("another.md").exists(), "{new:?}");
    let _ = fs::remove_file(folder.join("another.md"));

    fs::remove_file(folder.join("ballast")).unwrap();
    let before = fs::read(&path).unwrap();
    let output = comment(&[], folder, "There is room again.");
    assert!(written_or_refused(folder, &before, "There is room again.", &output), "{output:?}");
    fs::remove_file(&path).unwrap();
    (written, refused)
}
