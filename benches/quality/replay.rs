//! Replays recorded answers through the engine: a discussion of its own for every question, in which each seat says what
//! its model said.

use std::collections::HashSet;
use std::sync::Arc;

use discussions::provider::{
    Availability, CallFuture, Environment, Provider, ProviderName, Reply, Request,
};
use discussions::runner::{Abort, RunOptions, Runner};
use discussions::view::discussion_result;
use discussions::workspace::{FixedClock, NewDiscussion, Surroundings, Workspace};
use parking_lot::Mutex;

/// The personas that sit where the models do; the first decides ties.
pub(crate) const SEATS: [&str; 7] =
    ["architect", "security", "pragmatist", "designer", "quality", "risk", "product"];

/// How a ballot is held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// In waves that spare what can change nothing.
    pub(crate) waves: bool,
    /// The agreement that is enough, 0.5 to 1.
    pub(crate) threshold: f64,
}

/// What a seat says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vote {
    pub(crate) letter: u8,
    /// How sure it says it is; none: nothing.
    pub(crate) confidence: Option<f64>,
}

/// What a question came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// What won; none: a tie that nobody decided.
    pub(crate) winner: Option<u8>,
    pub(crate) tied: bool,
    /// Seats that were asked for a vote.
    pub(crate) asked: usize,
}

/// Says what its seat says, and keeps who was asked.
struct Recorded {
    name: ProviderName,
    votes: Mutex<Vec<Vote>>,
    asked: Mutex<HashSet<String>>,
}

impl Provider for Recorded {
    fn name(&self) -> &ProviderName {
        &self.name
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        let who = request.context.participant.as_str();
        let seat = SEATS.iter().position(|seat| *seat == who).unwrap_or(0);
        let vote = self.votes.lock()[seat];
        let letter = char::from(vote.letter);
        let text = if request.context.phase == "ballot" {
            self.asked.lock().insert(who.to_owned());
            let sure =
                vote.confidence.map(|it| format!("CONFIDENCE: {it}\n\n")).unwrap_or_default();
            format!("So.\n\n{sure}VOTE: {letter}")
        } else {
            format!("So.\n\nDECISION: {letter}")
        };
        Box::pin(std::future::ready(Ok(Reply { text, ..Reply::default() })))
    }

    fn availability(&self, _env: &Environment) -> Availability {
        Availability::Ready { through: None }
    }
}

/// A folder in which questions are put.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
    workspace: Arc<Workspace>,
    provider: Arc<Recorded>,
    runtime: tokio::runtime::Runtime,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let here = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = tempfile::tempdir_in(here).expect("a folder can be made below target/");
        let templates = folder.path().join("templates");
        std::fs::create_dir(&templates).expect("the disk has room");
        std::fs::write(templates.join("ballot.md"), include_str!("ballot.md"))
            .expect("the disk has room");
        std::fs::write(folder.path().join("discussions.yaml"), "author: Rob\n")
            .expect("the disk has room");
        let own = folder.path().to_owned();
        let environment = Environment::new([("PATH", "/nowhere")], None, own.clone());
        let clock = Arc::new(FixedClock("2026-11-20T10:00:00Z".parse().expect("a time")));
        let surroundings = Surroundings { folder: own, user_folder: None, environment, clock };
        let workspace =
            Arc::new(Workspace::open(surroundings).expect("the configuration is sound"));
        let name = ProviderName::parse("recorded").expect("a name");
        let provider = Recorded { name, votes: Mutex::default(), asked: Mutex::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime can be made");
        Self { folder, workspace, provider: Arc::new(provider), runtime }
    }

    /// Puts one question to as many seats as there are votes.
    pub(crate) fn put(&self, number: u32, options: u8, votes: &[Vote], rules: Rules) -> Outcome {
        *self.provider.votes.lock() = votes.to_vec();
        self.provider.asked.lock().clear();
        let letters: Vec<String> =
            (b'A'..b'A' + options).map(|letter| char::from(letter).to_string()).collect();
        let set = |name: &str, value: String| (name.to_owned(), value);
        let new = NewDiscussion {
            title: format!("Question {number}"),
            template: Some("ballot".to_owned()),
            participants: SEATS[..votes.len()].iter().map(|&seat| seat.to_owned()).collect(),
            parameters: vec![
                set("options", letters.join(",")),
                set("early_exit", rules.waves.to_string()),
                set("early_exit_threshold", rules.threshold.to_string()),
            ],
            ..NewDiscussion::default()
        };
        let path = self.workspace.discussions().create(&new).expect("the template is sound");
        let runner =
            Runner::new(Arc::clone(&self.workspace)).with_provider(Arc::clone(&self.provider) as _);
        let options = RunOptions {
            provider: Some("recorded".to_owned()),
            ..RunOptions::with_default_limits()
        };
        let mut none = |_| {};
        let work = options;
        let run = runner.execute(&path, &work, &mut none, Abort::never());
        self.runtime.block_on(run).expect("everybody answers");
        let snapshot = self.workspace.snapshot(&path).expect("the file can be read");
        let results = discussion_result(&snapshot, "", None).voting_results;
        let results = results.expect("a ballot was held");
        let asked = self.provider.asked.lock().len();
        // One file a question would slow down whatever looks at the folder.
        let _ = std::fs::remove_dir_all(self.folder.path().join("discussions"));
        Outcome { winner: results.winner.bytes().next(), tied: results.tied, asked }
    }
}
