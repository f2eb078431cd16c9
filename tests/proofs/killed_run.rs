//! Runs that are killed at every step: the next run has the same result and repeats no call.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use discussions::provider::scripted::Script;
use discussions::provider::{
    Availability, CallFuture, Environment, Provider, ProviderName, Request, Scripted,
};
use discussions::runner::{Abort, RunOptions, Runner};
use discussions::transcript::{EntryKind, Time, parse};
use discussions::workspace::{Clock, NewDiscussion, Surroundings, Workspace};

use super::child::{command, given};

/// Answers that contain all that any phase may demand.
const ANSWERS: &str = r####"
answers:
  - {phase: discuss, turn: 1, participant: architect, text: "It hangs on this.\n\n- DISCUSS: How many do we expect? [few, many]"}
  - {phase: check, text: "We agree.\n\nCONFIDENCE: 90\n\nSOLUTION: Use the queue.\n\nVOTE: YES"}
  - {phase: draft, participant: author, text: "Use the queue."}
  - {phase: review, participant: author, text: "Use the queue, with two workers."}
  - {phase: look, text: "### Finding 1\n\n> two workers\n\nProof: three jobs a minute need three.\n\nInstead: three workers"}
  - {phase: revise, participant: author, text: "Use the queue, with three workers."}
  - {phase: perspectives, participant: product, text: "STRENGTH: clear\n\nSUGGESTION: add metrics\n\nRATING: 4\n\nRISK: low"}
  - {text: "My reasons, in short.\n\nCONCERN: it may grow\n\nDECISION: use the queue\n\nRATING: 4\n\nRISK: low\n\nCONFIDENCE: 0.8\n\nVOTE: READY"}
"####;

const THREE: &[&str] = &["architect", "security", "pragmatist"];
const FOUR: &[&str] = &["product", "technical", "quality", "risk"];

/// Lets participants request sub-discussions. Interrupted calls count, so the limit is generous.
const OPEN: &str = "nesting: {depth: 1, pattern: voting}\nlimits: {max_calls: 60}\n";

/// Every bundled pattern, its participants, and more lines of its head.
const PATTERNS: &[(&str, &[&str], &str)] = &[
    ("feature", THREE, ""),
    ("code-review", THREE, ""),
    ("architecture-decision", THREE, ""),
    ("synthesis", THREE, ""),
    ("round-robin", THREE, ""),
    ("debate", THREE, ""),
    ("critique", THREE, ""),
    ("voting", THREE, ""),
    ("dialogue", &["architect", "security"], ""),
    ("artifact-review", FOUR, ""),
    ("second-look", &["author", "reviewer", "security"], ""),
    ("solo", &["author"], ""),
    // Sub-discussions of a phase and of a participant: several files, one result.
    ("decision-record", THREE, ""),
    ("round-robin", THREE, OPEN),
];

#[test]
fn run_killed_at_some_steps_has_the_same_result() {
    prove("voting", THREE, "", 23);
    prove("solo", &["author"], "", 17);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: kills many runs"]
    fn run_of_five_patterns_killed_at_some_steps_has_the_same_result() {
        prove("voting", THREE, "", 7);
        prove("second-look", &["author", "reviewer", "security"], "", 11);
        prove("solo", &["author"], "", 7);
        prove("decision-record", THREE, "", 23);
        prove("round-robin", THREE, OPEN, 29);
    }
}

#[test]
#[ignore = "full form: cargo prove killed_run"]
fn run_of_each_pattern_killed_at_every_step_has_the_same_result() {
    for (template, participants, more) in PATTERNS {
        let steps = prove(template, participants, more, 1);
        println!(
            "{template} {more:?}: killed at each of {steps} steps, each time the same result, nobody asked twice"
        );
    }
}

/// Kills a run at its first step, then `stride` steps later, and so on; returns the number of steps.
fn prove(template: &str, participants: &[&str], more: &str, stride: u64) -> u64 {
    let whole = Course::new(template, participants, more);
    let steps = whole.run_until(u64::MAX).expect("nobody kills this one");
    assert!(
        more.is_empty() || whole.files().len() == 2,
        "{template}: nothing was opened within it"
    );
    let expected = whole.blocks();
    for step in (1..=steps).step_by(usize::try_from(stride).unwrap()) {
        let course = Course::new(template, participants, more);
        assert_eq!(course.run_until(step), None, "{template}: not killed at step {step}");
        let recorded = course.recorded_answers();
        let asked_before = course.calls().len();
        course.run_until(u64::MAX).expect("nobody kills this one");
        for call in &course.calls()[asked_before..] {
            assert!(!recorded.contains(call), "{template}, step {step}: {call} was asked again");
        }
        // Interrupted calls count whenever calls are limited, which is the case in every tree.
        let is_interrupted = |call: &&String| !recorded.contains(*call);
        let broken_off = course.calls()[..asked_before].iter().filter(is_interrupted).count();
        assert!(
            whole.files().len() == 1 || course.interrupted_calls() >= broken_off,
            "{template}, step {step}: {broken_off} calls were broken off, {} are counted",
            course.interrupted_calls(),
        );
        // A sub-discussion gets what the tree has not used, and the interrupted calls are used.
        for (less, most) in course.child_limits().into_iter().zip(whole.child_limits()) {
            let fits = less <= most && less + course.interrupted_calls() >= most;
            assert!(fits, "{template}, step {step}: {less} calls of {most} are left within it");
        }
        assert_eq!(course.blocks(), expected, "{template}, killed at step {step}");
    }
    steps
}

/// One discussion that is run, perhaps several times.
struct Course {
    folder: tempfile::TempDir,
    path: PathBuf,
}

impl Course {
    fn new(template: &str, participants: &[&str], more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("discussions.yaml"), "author: Rob\n").unwrap();
        let set: &[(&str, &str)] = match template {
            "artifact-review" => &[("artifact", "spec.md"), ("artifact_sha256", "0")],
            _ => &[],
        };
        let new = NewDiscussion {
            title: "Queue or cron?".into(),
            template: Some(template.into()),
            context: Some("We poll every minute.".into()),
            participants: participants.iter().map(|&name| name.into()).collect(),
            parameters: set.iter().map(|&(name, value)| (name.into(), value.into())).collect(),
            ..NewDiscussion::default()
        };
        let steps = Arc::new(Steps { taken: AtomicU64::new(0), last: u64::MAX });
        let path = workspace(folder.path(), steps).discussions().create(&new).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen("-->\n", &format!("{more}-->\n"), 1)).unwrap();
        Self { folder, path }
    }

    /// Runs in a process that dies at a step; returns the number of steps if it did not die.
    fn run_until(&self, last: u64) -> Option<u64> {
        let output = command("run")
            .env("FOLDER", self.folder.path())
            .env("FILE", &self.path)
            .env("LAST", last.to_string())
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let steps = told.lines().find_map(|line| line.strip_prefix("STEPS ")?.parse().ok());
        assert_eq!(steps.is_some(), output.status.success(), "{told}");
        steps
    }

    /// Turn and participant of each call, in order.
    fn calls(&self) -> Vec<String> {
        let log = fs::read_to_string(self.folder.path().join("asked.log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    /// Participant and turn of each recorded answer.
    fn recorded_answers(&self) -> HashSet<String> {
        let answers = self.files().into_iter().flat_map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let file = stem(&path);
            parse(&text).entries.into_iter().filter_map(move |entry| {
                let EntryKind::Comment(comment) = entry.kind else { return None };
                let turn = comment.reply.as_ref().filter(|_| comment.acknowledged())?.turn?;
                let name = comment.name.as_str().to_lowercase();
                Some(format!("{file} {} {turn}", name.trim_start_matches("ai-")))
            })
        });
        answers.collect()
    }

    /// The files of the discussion and its sub-discussions.
    fn files(&self) -> Vec<PathBuf> {
        let within = fs::read_dir(self.path.with_extension("")).into_iter().flatten();
        let within = within.map(|entry| entry.unwrap().path());
        let is_discussion = |path: &PathBuf| path.extension().is_some_and(|it| it == "md");
        std::iter::once(self.path.clone()).chain(within.filter(is_discussion)).collect()
    }

    /// The blocks of each file. Answers of one parallel turn arrive in any order.
    fn blocks(&self) -> Vec<String> {
        let mut blocks: Vec<String> = Vec::new();
        for path in self.files() {
            let (text, file) = (fs::read_to_string(&path).unwrap(), stem(&path));
            let all = text.split("\n---\n").filter_map(without_interruptions);
            // An interruption below a heading had a blank line above it.
            blocks.extend(all.map(|block| format!("{file}: {}", block.trim_end())));
        }
        blocks.sort();
        blocks
    }

    /// The number of calls that the heads of the sub-discussions allow.
    fn child_limits(&self) -> Vec<usize> {
        let texts = self.files().into_iter().map(|path| fs::read_to_string(path).unwrap());
        let heads = texts.filter(|text| is_sub_discussion(text));
        heads.map(|text| limit(&text).expect("it has a limit").1).collect()
    }

    /// The number of counted calls that were interrupted.
    fn interrupted_calls(&self) -> usize {
        let count = |path| {
            let text = fs::read_to_string(path).unwrap();
            let calls = |line: &str| {
                let (_, calls) = line.split_once(", calls: ")?;
                calls.split(|it: char| !it.is_ascii_digit()).next()?.parse::<usize>().ok()
            };
            let lines = text.lines().filter(is_interrupted);
            lines.map(|line| calls(line).unwrap_or(1)).sum::<usize>()
        };
        self.files().into_iter().map(count).sum()
    }
}

fn is_interrupted(line: &&str) -> bool {
    line.starts_with("<!-- FAILED ") && line.contains(", code: stopped, ")
}

/// Returns whether this is the head of a sub-discussion.
fn is_sub_discussion(text: &str) -> bool {
    text.starts_with("<!-- DISCUSSION\n") && text.contains("\nparent: ")
}

/// Returns the line that limits the calls of a head, and the limit.
fn limit(head: &str) -> Option<(&str, usize)> {
    let line = head.lines().find(|line| line.starts_with("limits: {max_calls: "))?;
    Some((line, line.split(|it: char| !it.is_ascii_digit()).find_map(|it| it.parse().ok())?))
}

/// Returns the block as it would be without interruptions. A killed run leaves only its count of interrupted calls. A
/// sub-discussion is limited to as many calls fewer, and its calls are in the prompts of the parent, whose size is
/// recorded in tokens.
fn without_interruptions(block: &str) -> Option<String> {
    let mut lines = block.lines().filter(|line| !line.is_empty()).peekable();
    if lines.peek().is_some() && lines.all(|line| is_interrupted(&line)) {
        return None;
    }
    let left = limit(block).filter(|_| is_sub_discussion(block)).map(|(line, _)| line);
    let lines = block.lines().filter(|line| !is_interrupted(line) && Some(*line) != left);
    let lines = lines.map(|line| match line.split_once(", calls: ") {
        Some((before, after)) if line.starts_with("<!-- CHILD-END ") => {
            format!("{before}{}\n", after.trim_start_matches(|it: char| it.is_ascii_digit()))
        }
        _ if line.starts_with("<!-- REPLY ") => {
            let fields = line.split(", ").filter(|field| !field.starts_with("tokens: ~"));
            format!("{}\n", fields.collect::<Vec<_>>().join(", "))
        }
        _ => format!("{line}\n"),
    });
    Some(lines.collect())
}

/// A file and its folder: a sub-discussion may have the file name of its parent.
fn stem(path: &Path) -> String {
    let folder = path.parent().unwrap().file_name().unwrap();
    format!("{}/{}", folder.display(), path.file_name().unwrap().display())
}

/// The steps of a run: each look at the clock, each event, the start and end of each call. The process dies at the last
/// one.
struct Steps {
    taken: AtomicU64,
    last: u64,
}

impl Steps {
    fn take(&self) {
        if self.taken.fetch_add(1, Ordering::SeqCst) + 1 < self.last {
            return;
        }
        // SIGKILL from outside: nothing is flushed and nothing is dropped.
        Command::new("sh").args(["-c", "kill -9 $PPID"]).status().unwrap();
        std::process::abort();
    }
}

struct Ticking(Arc<Steps>);

impl Clock for Ticking {
    fn now(&self) -> Time {
        self.0.take();
        "2026-11-20T10:00:00Z".parse().unwrap()
    }
}

/// A scripted provider that records the participant of each call.
struct Watched {
    scripted: Scripted,
    log: PathBuf,
    steps: Arc<Steps>,
}

impl Provider for Watched {
    fn name(&self) -> &ProviderName {
        self.scripted.name()
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            let mut log = OpenOptions::new().append(true).create(true).open(&self.log).unwrap();
            let (file, who) = (stem(&request.context.file), &request.context.participant);
            writeln!(log, "{file} {who} {}", request.context.turn).unwrap();
            self.steps.take();
            let reply = self.scripted.call(request).await;
            self.steps.take();
            reply
        })
    }

    fn availability(&self, env: &Environment) -> Availability {
        self.scripted.availability(env)
    }
}

fn workspace(folder: &Path, steps: Arc<Steps>) -> Workspace {
    let environment = Environment::new(
        [("PATH", "/nowhere"), ("OLLAMA_HOST", "127.0.0.1:1")],
        None,
        folder.to_owned(),
    );
    let clock = Arc::new(Ticking(steps));
    let folder = folder.to_owned();
    Workspace::open(Surroundings { folder, user_folder: None, environment, clock }).unwrap()
}

/// Runs in the child process.
pub(super) fn run() {
    let folder = PathBuf::from(given("FOLDER"));
    let last = given("LAST").parse().unwrap();
    let steps = Arc::new(Steps { taken: AtomicU64::new(0), last });
    let provider = Watched {
        scripted: Scripted::new(
            ProviderName::parse("script").unwrap(),
            Script::read(ANSWERS, "answers.yaml").unwrap(),
        ),
        log: folder.join("asked.log"),
        steps: Arc::clone(&steps),
    };
    let runner = Runner::new(Arc::new(workspace(&folder, Arc::clone(&steps))))
        .with_provider(Arc::new(provider));
    let mut observer = |_| steps.take();
    // The clock is fixed: the duration of an answer is in the file and therefore in the next prompt.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    let options =
        RunOptions { provider: Some("script".into()), ..RunOptions::with_default_limits() };
    let path = PathBuf::from(given("FILE"));
    runtime.block_on(runner.execute(&path, &options, &mut observer, Abort::never())).unwrap();
    println!("\nSTEPS {}", steps.taken.load(Ordering::SeqCst));
}
