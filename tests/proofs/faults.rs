//! Model programs that misbehave in every way: the turn ends in time, the answers of others are kept, no partial answer
//! is recorded as complete, and no process stays behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use discussions::provider::{Consents, Environment};
use discussions::runner::{Abort, RunOptions, Runner};
use discussions::transcript::{Control, EntryKind, parse};
use discussions::view::{CallFailure, CallOutcome, EventKind};
use discussions::workspace::{FixedClock, NewDiscussion, Surroundings, Workspace};

const SIX: [&str; 6] =
    ["architect", "security", "pragmatist", "perfectionist", "designer", "moderator"];

/// The expected entry for the misbehaving program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// A failure with this code.
    Failed(&'static str),
    /// Exactly this answer: the program printed it completely.
    Answered(&'static str),
}
use Ends::{Answered, Failed};

struct Fault {
    name: &'static str,
    /// The script of the program; `alive` records a process that must not outlive the turn.
    script: &'static str,
    ends: Ends,
}

const WHOLE: &str = "Whole.";

const FAULTS: &[Fault] = &[
    Fault { name: "exit code", script: "echo Whole.; exit 3", ends: Failed("exit") },
    Fault { name: "empty", script: "cat >/dev/null", ends: Failed("empty") },
    Fault { name: "hangs before", script: "sleep 600", ends: Failed("timeout") },
    Fault {
        name: "hangs in the answer",
        script: "printf Half; sleep 600",
        ends: Failed("timeout"),
    },
    Fault {
        name: "hangs after the answer",
        script: "echo Whole.; sleep 600",
        ends: Failed("timeout"),
    },
    Fault { name: "dies in the middle", script: "printf Half; kill -9 $$", ends: Failed("exit") },
    Fault {
        name: "10 MB flood",
        script: "head -c 10000000 /dev/zero | tr '\\000' x",
        ends: Failed("output_too_long"),
    },
    Fault {
        name: "bytes that are not UTF-8",
        script: "cat >/dev/null; printf 'caf\\351 au lait\\n'",
        ends: Answered("caf\u{FFFD} au lait"),
    },
    Fault {
        name: "NUL and escape codes",
        script: "cat >/dev/null; printf 'a\\000b \\033[31mred\\033[0m \\033]0;title\\007end\\n'",
        ends: Answered("ab red end"),
    },
    Fault {
        name: "deaf to SIGTERM",
        script: "trap '' TERM HUP INT; printf Half; while :; do sleep 600 & alive; wait; done",
        ends: Failed("timeout"),
    },
    Fault {
        name: "grandchild in the background",
        script: "sleep 600 & alive; cat >/dev/null; echo Whole.",
        ends: Answered(WHOLE),
    },
    Fault {
        name: "setsid grandchild",
        script: "setsid sh -c 'echo $$ >>\"$PIDS.escaped\"; exec sleep 600' & while ! [ -s \"$PIDS.escaped\" ]; do sleep 0.01; done; cat >/dev/null; echo Whole.",
        ends: Answered(WHOLE),
    },
    Fault { name: "never reads standard input", script: "echo Whole.", ends: Answered(WHOLE) },
    Fault {
        name: "rate limit with retry-after",
        script: "echo '429 Too Many Requests, try again in 600s' >&2; exit 1",
        ends: Failed("rate_limited"),
    },
    Fault {
        name: "rate limit without retry-after",
        script: "echo '429 Too Many Requests' >&2; exit 1",
        ends: Failed("rate_limited"),
    },
    Fault {
        name: "spend limit",
        script: "echo 'Credit balance is too low' >&2; exit 1",
        ends: Failed("spend_limit"),
    },
    Fault {
        name: "overloaded",
        script: "echo 'API Error: 529 Overloaded' >&2; exit 1",
        ends: Failed("overloaded"),
    },
    Fault {
        name: "500",
        script: "echo 'API Error: 500 Internal server error' >&2; exit 1",
        ends: Failed("server"),
    },
    Fault {
        name: "cut stream",
        script: "printf Half; echo 'stream disconnected before completion' >&2; exit 1",
        ends: Failed("cut_stream"),
    },
    Fault {
        name: "slow drip",
        script: "while :; do printf x; sleep 0.1; done",
        ends: Failed("timeout"),
    },
];

#[test]
fn fault_of_one_program_does_not_lose_answers_of_others() {
    prove_at_once(FAULTS.iter().step_by(5));
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts seven programs for each fault"]
    fn each_fault_of_one_program_does_not_lose_answers_of_others() {
        prove_at_once(FAULTS);
    }
}

/// Runs a turn for each fault, all at once, so that they wait for their deadlines together.
fn prove_at_once<'f>(faults: impl IntoIterator<Item = &'f Fault>) {
    std::thread::scope(|scope| {
        for fault in faults {
            scope.spawn(move || prove(fault, &SIX[..1], Duration::from_secs(3), None));
        }
    });
}

#[test]
#[ignore = "full form: cargo prove faults"]
fn turn_ends_in_time_if_one_or_all_of_six_programs_fail() {
    for fault in FAULTS {
        for (who, faulty) in [("first", &SIX[..1]), ("middle", &SIX[3..4]), ("all", &SIX[..])] {
            let deadline = Duration::from_secs(2);
            let took = prove(fault, faulty, deadline, Some(Duration::from_secs(1)));
            println!("{} ({who} of six): over after {:.2} s", fault.name, took.as_secs_f64());
        }
    }
}

/// Runs one turn; returns its duration. With `slack` it may exceed the deadline by that much.
fn prove(fault: &Fault, faulty: &[&str], deadline: Duration, slack: Option<Duration>) -> Duration {
    let project = Project::new(fault, faulty);
    let start = Instant::now();
    let warned = project.turn(deadline);
    let took = start.elapsed();
    let name = fault.name;
    if let Some(slack) = slack {
        assert!(took <= deadline + slack, "{name}: took {took:?} of {deadline:?}");
    }

    let text = fs::read_to_string(&project.path).unwrap();
    for alias in SIX {
        let expected = if faulty.contains(&alias) { fault.ends } else { Answered("Heard.") };
        assert_eq!(entry_of(&text, alias), Some(expected.to_owned()), "{name}, {alias}:\n{text}");
    }
    let shown = |c: char| !c.is_control() || c == '\n';
    assert!(text.chars().all(shown), "{name}: control characters in the file");

    assert_eq!(
        project.living_processes("pids"),
        Vec::<String>::new(),
        "{name}: a process stayed behind"
    );
    for escaped in project.living_processes("pids.escaped") {
        assert!(warned.contains(&escaped), "{name}: {escaped} is not named in {warned:?}");
        std::process::Command::new("kill").args(["-9", &escaped]).status().unwrap();
    }
    took
}

impl Ends {
    fn to_owned(self) -> (bool, String) {
        match self {
            Failed(code) => (false, code.to_owned()),
            Answered(body) => (true, body.to_owned()),
        }
    }
}

/// Returns whether a participant answered, and the text or the failure's code.
fn entry_of(text: &str, alias: &str) -> Option<(bool, String)> {
    let mut found = None;
    for entry in parse(text).entries {
        let this = match &entry.kind {
            EntryKind::Comment(comment)
                if comment.name.as_str().eq_ignore_ascii_case(&format!("AI-{alias}")) =>
            {
                assert!(comment.acknowledged(), "line {}: a partial answer", entry.line);
                (true, comment.body())
            }
            EntryKind::Control(Control::Failed(failed)) if failed.who.as_str() == alias => {
                (false, failed.code.clone())
            }
            _ => continue,
        };
        assert!(found.is_none(), "{alias} stands there twice:\n{text}");
        found = Some(this);
    }
    found
}

/// A discussion of six, in which some programs misbehave.
struct Project {
    folder: tempfile::TempDir,
    /// The folder of the user's own, in which calls get temporary folders.
    _own: tempfile::TempDir,
    path: PathBuf,
    workspace: Arc<Workspace>,
}

impl Project {
    fn new(fault: &Fault, faulty: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let here = folder.path().display();
        write("discussions.yaml", "author: Rob\n");
        write("fault.sh", fault.script);
        write(
            "program.sh",
            &format!(
                "PIDS={here}/pids\nexport PIDS\nalive() {{ echo $! >>\"$PIDS\"; }}\necho $$ >>\"$PIDS\"\n\
                 case \" {} \" in\n*\" $DISCUSSIONS_PARTICIPANT \"*) . {here}/fault.sh ;;\n*) cat >/dev/null; echo Heard. ;;\nesac\n",
                faulty.join(" ")
            ),
        );
        write(
            "providers.yaml",
            &format!("providers:\n  - {{name: fake, command: sh {here}/program.sh}}\n"),
        );
        let own = tempfile::tempdir().unwrap();
        let workspace = Arc::new(workspace(folder.path(), own.path()));
        let new = NewDiscussion {
            title: "Faults".into(),
            // Longer than a pipe buffer, for programs that do not read.
            context: Some("Many words. ".repeat(20_000)),
            participants: SIX.iter().map(|&name| name.into()).collect(),
            ..NewDiscussion::default()
        };
        let path = workspace.discussions().create(&new).unwrap();
        Self { folder, _own: own, path, workspace }
    }

    /// Runs one turn; returns all warnings.
    fn turn(&self, deadline: Duration) -> String {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let options = RunOptions { provider: Some("fake".into()), ..RunOptions::next_turn() };
        let mut warned = String::new();
        let mut observer = |event: discussions::view::Event| {
            if let EventKind::AnswerEnd { notes, outcome, .. } = event.kind {
                warned.push_str(&notes.join("\n"));
                if let CallOutcome::Failed { error: CallFailure { message, .. } } = outcome {
                    warned.push_str(&message);
                }
            }
        };
        let runner = Runner::new(Arc::clone(&self.workspace))
            .with_consents(Consents::all())
            .with_call_timeout(deadline);
        let work = options;
        let turn = runner.execute(&self.path, &work, &mut observer, Abort::never());
        let report = runtime.block_on(turn).unwrap();
        assert_eq!(report.calls.len(), 6);
        warned
    }

    /// Returns the recorded processes that still live, after a moment for those that are ending.
    fn living_processes(&self, file: &str) -> Vec<String> {
        let pids = fs::read_to_string(self.folder.path().join(file)).unwrap_or_default();
        let lives = |pid: &&str| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            // The state follows the name, which may contain anything.
            stat.rsplit(") ")
                .next()
                .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
        };
        for _ in 0..20 {
            if file == "pids" && pids.lines().any(|pid| lives(&pid)) {
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        pids.lines().filter(lives).map(str::to_owned).collect()
    }
}

fn workspace(folder: &Path, own: &Path) -> Workspace {
    let path = std::env::var("PATH").unwrap_or_default();
    let environment = Environment::new([("PATH", path)], None, own.to_owned());
    let clock = Arc::new(FixedClock("2026-11-20T10:00:00Z".parse().unwrap()));
    let folder = folder.to_owned();
    Workspace::open(Surroundings { folder, user_folder: None, environment, clock }).unwrap()
}
