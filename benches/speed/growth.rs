//! Growth of time with size: no text that a file may hold should take time with the square of its size.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use discussions::store::{Writer, check, read};
use discussions::transcript::{Draft, Name, NewComment};

use super::measure::{Effort, Ratio, worked};
use super::process::{PROGRAM, git, processor_time};
use super::stage::Stage;
use super::table::{Outcome, Row};

/// How much more time a byte may take in a larger input than in the smallest.
const BOUND: f64 = 1.5;

/// How long to look at one size at least.
const LOOK: Duration = Duration::from_millis(300);

/// The sizes of discussions in kilobytes; the others are compared with the first.
const SIZES: [usize; 3] = [1_000, 4_000, 8_000];

const AGAINST: &str = "time per byte at 1 MB, the worst of 4 and 8 MB";

/// The most aliases of a head: it may have 50,000 values.
const MOST_ALIASES: usize = 45_000;

/// Sizes of discussions whose blocks are missing, in kilobytes.
const MISSING: [usize; 3] = [1_000, 4_000, 16_000];

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
    // Long enough that the largest has no more people than a head may name.
    ("participants in the head, with a vote each", |n| {
        let vote = |i| comment(&alias(i), &format!("{THOUGHT}\n\nVOTE: READY\n"));
        among(n, each(n, vote))
    }),
    ("participants in the head, and as many other people", |n| {
        among(n, each(n, |i| comment(&format!("Speaker {i}"), &format!("{THOUGHT}\n"))))
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
    ("everyone mentions everyone", |n| {
        among(n, each(n, |i| comment(&format!("Speaker {i}"), &format!("@all {THOUGHT}\n"))))
    }),
    ("supporters of one decision", |n| {
        let decided = comment("Rob", "DECISION: we do it\n");
        with(&[], decided + &each(n, |i| comment(&format!("P{i}"), "+1 D1\n")))
    }),
    ("votes, phases and resets", |n| {
        let vote = |i| comment(&format!("Person {i}"), "VOTE: READY\n");
        with(&[], each(n, |i| vote(i) + "\n<!-- PHASE: consensus_vote -->\n<!-- VOTE-RESET -->\n"))
    }),
    ("passes, each from another provider", |n| {
        let pass = |i| {
            format!(
                "<!-- PASS who: architect, turn: 1, at: 2026-11-20T10:01:21Z, provider: p{i} -->\n"
            )
        };
        with(&[], turn(1) + &each(n, pass))
    }),
    ("similar questions and answers without numbers", |n| {
        let lines = each(n, |i| format!("- Q: how fast is it {i}?\n- CONCERN: it is slow\n"));
        with(&[], comment("Rob", &(lines + &each(n, |i| format!("- A: how fast is it {i}\n")))))
    }),
    ("similar questions and equal answers without numbers", |n| {
        let lines = each(n, |i| format!("- Q: how fast is it {i}?\n"));
        with(&[], comment("Rob", &(lines + &"- A: how fast is it\n".repeat(n))))
    }),
    ("equal questions and equal answers without numbers", |n| {
        let lines = "- Q: how fast is it?\n".repeat(n);
        with(&[], comment("Rob", &(lines + &"- A: how fast is it\n".repeat(n))))
    }),
    ("similar questions and answers without numbers, in a script without spaces", |n| {
        let lines = each(n, |i| format!("- Q: 令牌的有效期是多久{i}？\n"));
        with(
            &[],
            comment("Rob", &(lines + &each(n, |i| format!("- A: 令牌的有效期是一小时{i}\n")))),
        )
    }),
];

/// What people say in inputs with many of them.
const THOUGHT: &str = "I read it twice and agree. I would begin with the smallest part now, and look again at the \
                       rest of it after the holidays.";

/// An alias of about 40 characters.
fn alias(number: usize) -> String {
    format!("participant-with-a-long-alias-of-{number:06}")
}

/// A discussion with a number of people in its head.
fn among(people: usize, rest: String) -> String {
    let aliases: Vec<String> = (1..=people).map(alias).collect();
    let aliases: Vec<&str> = aliases.iter().map(String::as_str).collect();
    with(&aliases, rest)
}

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
    let tiny = stage.write("tiny.md", &with(&[], comment("Rob", "Agreed.\n")));
    let people = move || {
        let texts = [4, 2, 1].map(|part| among(scaled(effort, MOST_ALIASES) / part, String::new()));
        let against = "time per byte at 0.5 MB, the worst of 1 and 2 MB";
        ("participants in the head", against, texts)
    };
    let others = INPUTS.iter().map(move |(what, input)| {
        (*what, AGAINST, SIZES.map(|kilobytes| of_size(*input, scaled(effort, kilobytes * 1_000))))
    });
    let states = std::iter::once_with(people).chain(others).map(move |(what, against, texts)| {
        let inputs = texts.map(|text| {
            let path = stage.write(&format!("{}.md", text.len()), &text);
            assert_is_read(what, &path);
            (path, text.len())
        });
        let paths = std::iter::once(tiny.as_path()).chain(inputs.iter().map(|(path, _)| &**path));
        let spent = quickest(effort, paths, |path| {
            let mut all = Duration::ZERO;
            let times = repeat(|| all += processor_time(&mut status(path)));
            all / times
        });
        let (start, spent) = (spent[0], &spent[1..]);
        let beyond = spent.iter().map(|spent| spent.saturating_sub(start));
        row(what, against, inputs.iter().map(|(_, bytes)| *bytes).zip(beyond))
    });
    states.chain(std::iter::once_with(move || missing(effort)))
}

fn status(path: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["status", "--json"]).arg(path);
    command
}

/// The program ignores a head with too many values; the time for the rest of the file would say nothing.
fn assert_is_read(what: &str, path: &Path) {
    let told = status(path).output().expect("the program starts").stdout;
    assert!(!String::from_utf8_lossy(&told).contains("\"head-invalid\""), "{what}: head refused");
}

/// A number, or a tenth of it if the effort is small.
fn scaled(effort: Effort, number: usize) -> usize {
    if effort.quick { number / 10 } else { number }
}

/// An input of about so many bytes.
fn of_size(input: fn(usize) -> String, bytes: usize) -> String {
    let (few, many) = (input(1_000).len(), input(3_000).len());
    input(bytes * 2_000 / (many - few))
}

/// Does something for a while, since short times vary most. Returns how often.
fn repeat(mut work: impl FnMut()) -> u32 {
    let (start, mut times) = (Instant::now(), 0);
    while times == 0 || start.elapsed() < LOOK {
        work();
        times += 1;
    }
    times
}

/// Returns for each file the quickest of several measurements, in turns, because other work on the machine only ever
/// adds to a time.
fn quickest<'a>(
    effort: Effort,
    paths: impl Iterator<Item = &'a Path> + Clone,
    mut measure: impl FnMut(&Path) -> Duration,
) -> Vec<Duration> {
    let mut quickest = vec![Duration::MAX; paths.clone().count()];
    for _ in 0..effort.times(3) {
        for (path, quickest) in paths.clone().zip(&mut quickest) {
            *quickest = measure(path).min(*quickest);
        }
    }
    quickest
}

/// Compares the time per byte of larger inputs with that of the first. Each input has its bytes and its time.
fn row(
    what: &'static str,
    against: &'static str,
    inputs: impl Iterator<Item = (usize, Duration)>,
) -> Row {
    let (bytes, seconds): (Vec<usize>, Vec<f64>) =
        inputs.map(|(bytes, time)| (bytes, time.as_secs_f64())).unzip();
    let per_byte = |index: usize| seconds[index] / bytes[index] as f64;
    let ratios = (1..bytes.len()).map(|index| per_byte(index) / per_byte(0));
    let shown: Vec<String> = seconds.iter().map(|seconds| format!("{seconds:.3}")).collect();
    eprintln!("{what}: {} s", shown.join(", "));
    Row { what, against, outcome: Outcome::AtMost(Ratio::worst(ratios), BOUND) }
}

/// Blocks that the journal knows, that a commit holds, and that the file lost.
fn missing(effort: Effort) -> Row {
    let what = "`check`, all blocks of the journal missing";
    let against = "time per byte at 1 MB, the worst of 4 and 16 MB";
    let stage = Stage::new();
    let inputs: Option<Vec<(PathBuf, usize)>> = MISSING
        .into_iter()
        .map(|kilobytes| lost(&stage, scaled(effort, kilobytes * 1_000)))
        .collect();
    let Some(inputs) = inputs else {
        let outcome = Outcome::Skipped("`git` is not on PATH".to_owned());
        return Row { what, against, outcome };
    };
    let spent = quickest(effort, inputs.iter().map(|(path, _)| &**path), |path| {
        // Within one measurement, because the thread's time is counted in steps of milliseconds.
        let mut times = 0;
        let all = worked(|| {
            times = repeat(|| {
                let text = read(path).expect("the file was just written").text;
                assert!(!check(path, &text).expect("the journal can be read").is_empty());
            });
        });
        all / times
    });
    row(what, against, inputs.iter().map(|(_, bytes)| *bytes).zip(spent))
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
    let commands: [&[&str]; 3] = [&["init", "-q"], &["add", "a.md"], &["commit", "-qm", "all"]];
    if !commands.iter().all(|command| git(&folder, command)) {
        return None;
    }
    std::fs::write(&path, "# T\n").expect("the disk has room");
    Some((path, size))
}
