//! How time grows with size: what somebody may fill a file with must not take time with the square of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use discussions::store::{Writer, check, read};
use discussions::transcript::{Draft, Name, NewComment};

use super::measure::{Effort, Ratio, worked};
use super::reading::status;
use super::stage::Stage;
use super::table::{Outcome, Row};

/// How much more time a byte may take in the largest input than in the smallest.
const BOUND: f64 = 1.5;

/// How long to look at one size at least.
const LOOK: Duration = Duration::from_millis(300);

/// What each size is compared with, and the others, in megabytes.
const SIZES: [usize; 3] = [1, 4, 16];

const AGAINST: &str = "time per byte at 1 MB, the worst of 4 and 16 MB";

/// A discussion of one head and one kind of line, by the number of these.
type Input = (&'static str, fn(usize) -> String);

const INPUTS: &[Input] = &[
    ("`TURN` and `FAILED` pairs", |n| with(&[], each(n, |i| turn(i) + &failed(i)))),
    ("`TURN` lines", |n| with(&[], each(n, turn))),
    ("people with one vote each", |n| {
        with(&[], each(n, |i| comment(&format!("Person {i}"), "VOTE: READY\n")))
    }),
    ("people with look-alike names", |n| {
        with(&[], each(n, |i| comment(&format!("Рersоn {i}"), "Agreed.\n")))
    }),
    ("participants in the head", |n| {
        let aliases: Vec<String> = (0..n).map(|i| format!("person{i}")).collect();
        let aliases: Vec<&str> = aliases.iter().map(String::as_str).collect();
        with(&aliases, String::new())
    }),
    ("participants in the head, with a vote each", |n| {
        let aliases: Vec<String> = (0..n).map(|i| format!("person{i}")).collect();
        let named: Vec<&str> = aliases.iter().map(String::as_str).collect();
        with(&named, each(n, |i| comment(&format!("person{i}"), "VOTE: READY\n")))
    }),
    ("link definitions", |n| {
        let lines = each(n, |i| format!("[a{i}]: http://example.org/{i}\n"));
        with(&[], comment("Rob", &format!("@architect [a1]\n\n{lines}")))
    }),
    ("`TODO` and `DONE` pairs", |n| {
        let pair = |i| format!("- TODO: write part {i}\n- DONE: write part {i}\n");
        with(&[], comment("Rob", &each(n, pair)))
    }),
    ("mentions", |n| {
        with(&[], each(n, |i| comment(&format!("P{i}"), &format!("@architect @p{} @x\n", i / 2))))
    }),
    ("everybody calls everybody", |n| {
        let aliases: Vec<String> = (0..n).map(|i| format!("person{i}")).collect();
        let named: Vec<&str> = aliases.iter().map(String::as_str).collect();
        with(&named, each(n, |i| comment(&format!("Caller {i}"), "@all\n")))
    }),
    ("supporters of one decision", |n| {
        let decided = comment("Rob", "DECISION: we do it\n");
        with(&[], decided + &each(n, |i| comment(&format!("P{i}"), "+1 D1\n")))
    }),
    ("votes, phases and resets", |n| {
        let vote = |i| comment(&format!("Person {i}"), "VOTE: READY\n");
        with(&[], each(n, |i| vote(i) + "\n<!-- PHASE: consensus_vote -->\n<!-- VOTE-RESET -->\n"))
    }),
    ("passes through a provider each", |n| {
        let pass = |i| {
            format!(
                "<!-- PASS who: architect, turn: 1, at: 2026-11-20T10:01:21Z, provider: p{i} -->\n"
            )
        };
        with(&[], turn(1) + &each(n, pass))
    }),
    ("questions and unnumbered answers alike", |n| {
        let lines = each(n, |i| format!("- Q: how fast is it {i}?\n- CONCERN: it is slow\n"));
        with(&[], comment("Rob", &(lines + &each(n, |i| format!("- A: how fast is it {i}\n")))))
    }),
    ("the same in a script without blanks", |n| {
        let lines = each(n, |i| format!("- Q: 令牌的有效期是多久{i}？\n"));
        with(
            &[],
            comment("Rob", &(lines + &each(n, |i| format!("- A: 令牌的有效期是一小时{i}\n")))),
        )
    }),
];

fn with(participants: &[&str], rest: String) -> String {
    let participants = match participants {
        [] => "architect, security".to_owned(),
        some => some.join(", "),
    };
    format!(
        "<!-- DISCUSSION\ntemplate: feature\ncreated: 2026-11-20T10:00:00Z\nparticipants: [{participants}]\n-->\n\n# T\n\n---\n{rest}"
    )
}

fn each(n: usize, line: impl Fn(usize) -> String) -> String {
    (1..=n).map(line).collect()
}

fn comment(name: &str, body: &str) -> String {
    format!("\nName: {name}\n\n{body}\n---\n")
}

fn turn(number: usize) -> String {
    format!("\n<!-- TURN: {number}, asks: [architect], at: 2026-11-20T10:01:00Z -->\n")
}

fn failed(number: usize) -> String {
    format!(
        "<!-- FAILED who: architect, turn: {number}, at: 2026-11-20T10:01:21Z, code: timeout, retryable: true, message: \"no answer\" -->\n"
    )
}

/// The rows, each as it is asked for: all of them take minutes.
pub(crate) fn rows(effort: Effort) -> impl Iterator<Item = Row> {
    let stage = Stage::new();
    let workspace = stage.workspace();
    let states = INPUTS.iter().map(move |(what, input)| {
        let paths = sizes(effort).map(|bytes| {
            let text = of_size(*input, bytes);
            (stage.write(&format!("{bytes}.md"), &text), text.len())
        });
        row(what, effort, &paths, |path| status(&workspace, path))
    });
    states.chain(std::iter::once_with(move || missing(effort)))
}

/// How many bytes each input has.
fn sizes(effort: Effort) -> [usize; 3] {
    SIZES.map(|size| size * if effort.quick { 100_000 } else { 1_000_000 })
}

/// An input of about so many bytes.
fn of_size(input: fn(usize) -> String, bytes: usize) -> String {
    let (few, many) = (input(1_000).len(), input(3_000).len());
    input(bytes * 2_000 / (many - few))
}

/// Compares the processor's time per byte of larger inputs with that of the smallest: of each size the quickest of
/// several goes, in turns, since whatever else the machine does only ever adds to a time.
fn row(
    what: &'static str,
    effort: Effort,
    inputs: &[(PathBuf, usize)],
    mut work: impl FnMut(&Path),
) -> Row {
    let mut quickest = vec![Duration::MAX; inputs.len()];
    for _ in 0..effort.times(3) {
        for ((path, _), quickest) in inputs.iter().zip(&mut quickest) {
            // Small ones several times, since the processor's time is counted in steps of milliseconds.
            let (start, mut times) = (Instant::now(), 0);
            let all = worked(|| {
                while times == 0 || start.elapsed() < LOOK {
                    work(path);
                    times += 1;
                }
            });
            *quickest = (all / times).min(*quickest);
        }
    }
    let per_byte = |index: usize| quickest[index].as_secs_f64() / inputs[index].1 as f64;
    let ratios = (1..inputs.len()).map(|index| per_byte(index) / per_byte(0));
    let seconds: Vec<String> =
        quickest.iter().map(|time| format!("{:.3}", time.as_secs_f64())).collect();
    eprintln!("{what}: {} s", seconds.join(", "));
    Row { what, against: AGAINST, outcome: Outcome::AtMost(Ratio::worst(ratios), BOUND) }
}

/// Blocks that the journal knows, that a commit holds, and that the file lost.
fn missing(effort: Effort) -> Row {
    let what = "`check`, all blocks of the journal missing";
    let stage = Stage::new();
    let inputs: Option<Vec<(PathBuf, usize)>> =
        sizes(effort).into_iter().map(|bytes| lost(&stage, bytes)).collect();
    let Some(inputs) = inputs else {
        let outcome = Outcome::Skipped("`git` is not on PATH".to_owned());
        return Row { what, against: AGAINST, outcome };
    };
    row(what, effort, &inputs, |path| {
        let text = read(path).expect("the file was just written").text;
        assert!(!check(path, &text).expect("the journal can be read").is_empty());
    })
}

/// A discussion in a repository of its own that lost everything, about so many bytes; none without git.
fn lost(stage: &Stage, bytes: usize) -> Option<(PathBuf, usize)> {
    let folder = stage.path(&format!("lost{bytes}"));
    std::fs::create_dir(&folder).expect("the folder is new");
    let path = folder.join("a.md");
    std::fs::write(&path, "# T\n").expect("the disk has room");
    let name = Name::parse("Rob").expect("a name");
    let drafts: Vec<Draft> = (0..bytes / 500)
        .map(|i| Draft::Comment(NewComment::by(name.clone(), format!("Thought {i}. ").repeat(10))))
        .collect();
    let mut writer = Writer::lock(&path, Duration::from_secs(10)).expect("nobody else writes");
    writer.append(&drafts).expect("the disk has room");
    let size = std::fs::metadata(&path).map_or(bytes, |found| found.len() as usize);
    let commit = ["-c", "user.name=R", "-c", "user.email=r@example.org", "commit", "-qm", "all"];
    for arguments in [&["init", "-q"][..], &["add", "a.md"], &commit] {
        let git =
            Command::new("git").current_dir(&folder).args(arguments).stdin(Stdio::null()).status();
        if !git.is_ok_and(|status| status.success()) {
            return None;
        }
    }
    std::fs::write(&path, "# T\n").expect("the disk has room");
    Some((path, size))
}
