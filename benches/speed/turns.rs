//! Turns: what the runner adds to the slowest participant, and what prompts share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use discussions::provider::scripted::Script;
use discussions::provider::{
    Availability, CallFuture, Consents, Environment, Provider, ProviderName, Request, Scripted,
};
use discussions::runner::{Abort, RunOptions, RunReport, Runner};
use discussions::workspace::NewDiscussion;

use super::corpus::{self, Dice};
use super::measure::{Effort, Ratio};
use super::stage::Stage;
use super::table::{Outcome, Row};

const SIX: [&str; 6] =
    ["architect", "security", "pragmatist", "perfectionist", "designer", "moderator"];

/// The rows.
pub(crate) fn rows(effort: Effort) -> Vec<Row> {
    vec![six(effort), prefixes(effort)]
}

fn discussion(stage: &Stage) -> PathBuf {
    let new = NewDiscussion {
        title: "Add user authentication".to_owned(),
        context: Some("We need people to log in.".to_owned()),
        participants: SIX.map(str::to_owned).to_vec(),
        ..NewDiscussion::default()
    };
    stage.workspace().discussions().create(&new).expect("all of it is bundled")
}

/// One turn with a provider for everybody.
fn turn(
    runtime: &tokio::runtime::Runtime,
    runner: &Runner,
    path: &Path,
    provider: &str,
) -> RunReport {
    let options = RunOptions { provider: Some(provider.to_owned()), ..RunOptions::next_turn() };
    let mut observer = |_| {};
    let work = options;
    let turn = runner.execute(path, &work, &mut observer, Abort::never());
    runtime.block_on(turn).expect("the provider is there")
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads can be made")
}

/// How many milliseconds a turn of six programs takes beyond the second that each of them sleeps.
fn six(effort: Effort) -> Row {
    let stage = Stage::new();
    stage.write(
        "providers.yaml",
        "providers:\n  - {name: slow, command: sh -c 'sleep 1; echo Heard.'}\n",
    );
    let path = discussion(&stage);
    let runner = Runner::new(stage.workspace()).with_consents(Consents::all());
    let runtime = runtime();
    let more = (0..effort.times(12)).map(|_| {
        let start = Instant::now();
        let report = turn(&runtime, &runner, &path, "slow");
        let took = start.elapsed();
        assert_eq!(report.answered(), SIX.len(), "all six answer");
        took.saturating_sub(Duration::from_secs(1)).as_secs_f64() * 1_000.0
    });
    Row {
        what: "turn of six that each take a second",
        against: "milliseconds beyond that second",
        outcome: Outcome::AtMost(Ratio::of(more.collect()), 25.0),
    }
}

/// The share of the bytes of all prompts that an earlier prompt began with too: what caches of providers can reuse.
fn prefixes(effort: Effort) -> Row {
    let stage = Stage::new();
    let path = discussion(&stage);
    let provider = Arc::new(Listening { scripted: scripted(), prompts: Mutex::default() });
    let runner = Runner::new(stage.workspace());
    let (runtime, runner) = (runtime(), runner.with_provider(Arc::clone(&provider) as _));
    for _ in 0..if effort.quick { 10 } else { 50 } {
        turn(&runtime, &runner, &path, "script");
    }
    let prompts = provider.prompts.lock().expect("nobody panicked");
    let all: usize = prompts.iter().map(String::len).sum();
    let shared: usize = (1..prompts.len())
        .map(|index| {
            // Those of this turn and the last one are enough: what is older began the same or less.
            let earlier = &prompts[index.saturating_sub(2 * SIX.len())..index];
            earlier.iter().map(|earlier| common(earlier, &prompts[index])).max().unwrap_or(0)
        })
        .sum();
    Row {
        what: "prompts of a 50-turn discussion of six",
        against: "share that an earlier prompt began with",
        outcome: Outcome::AtLeast(Ratio::of(vec![shared as f64 / all as f64]), 0.95),
    }
}

fn common(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

/// A scripted provider that keeps every prompt.
struct Listening {
    scripted: Scripted,
    prompts: Mutex<Vec<String>>,
}

impl Provider for Listening {
    fn name(&self) -> &ProviderName {
        self.scripted.name()
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        self.prompts.lock().expect("nobody panicked").push(request.prompt());
        self.scripted.call(request)
    }

    fn availability(&self, env: &Environment) -> Availability {
        self.scripted.availability(env)
    }
}

/// Answers as long as those of models.
fn scripted() -> Scripted {
    let mut dice = Dice::new(5);
    let mut yaml = String::from("answers:\n");
    for alias in SIX {
        let mut body = String::new();
        corpus::body(&mut body, &mut dice, &mut Vec::new());
        let text = serde_json::to_string(&format!("{body}\n\nVOTE: CHANGES"));
        // A JSON string is YAML too.
        let text = text.expect("texts are JSON strings");
        yaml.push_str(&format!("  - {{participant: {alias}, text: {text}}}\n"));
    }
    let script = Script::read(&yaml, "script").expect("it was just written");
    Scripted::new(ProviderName::parse("script").expect("a name"), script)
}
