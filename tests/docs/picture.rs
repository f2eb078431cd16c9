//! `docs/picture.svg`: a discussion in a terminal that is stopped with Ctrl-C and continued by the next run.
//!
//! The program and the terminal are real. The models are scripted, and times are replaced by those of real models.

mod film;
mod terminal;

use std::sync::LazyLock;

use regex::Regex;

use self::film::Film;
use self::terminal::{Program, Speech, Terminal};
use super::drawing::insist_current;
use crate::cli::Scenario;

const CREATE: [&str; 8] = [
    "new",
    "Which primary key for new tables?",
    "--template",
    "voting",
    "--set",
    "options=UUIDv7,bigint",
    "-p",
    "architect=claude-opus,security=codex,pragmatist=gemini-flash",
];
const CREATE_TYPED: &str = "discussions new \"Which primary key for new tables?\" --template voting \\\r\n  \
    --set options=UUIDv7,bigint -p architect=claude-opus,security=codex,pragmatist=gemini-flash";
const RUN_TYPED: &str = "discussions run";

/// Scripted models in place of the models that the picture names: each prints what the test writes to a pipe.
const SPEAK: &str = "#!/bin/sh\ncat > /dev/null\nexec cat \"$SPEECHES/$DISCUSSIONS_PARTICIPANT\"\n";
const MODELS: [(&str, &str); 3] = [
    ("claude-opus", "{input: 5, output: 25}"),
    ("codex", "{input: 2, output: 10}"),
    ("gemini-flash", "{input: 0.3, output: 2.5}"),
];

/// The time of each call, and of the calls of each run, in the order in which the picture shows them.
const CALL_TIMES: [(&str, &str); 4] = [
    ("AI-Architect", "9.7 s"),
    ("AI-Security", "12 s"),
    ("AI-Pragmatist", "7.8 s"),
    ("AI-Moderator", "14 s"),
];
const RUN_TIMES: [&str; 2] = ["13 s", "22 s"];

const ARCHITECT: (f64, &str) = (
    0.0198,
    "Devices create records offline, so the key is made there. UUIDv7 needs no coordination and keeps new rows \
     together.\n\nCONFIDENCE: 0.9\n\nVOTE: UUIDv7\n",
);
const SECURITY: (f64, &str) = (
    0.0094,
    "A v7 key tells everyone when its record was made. That cannot be taken back; bigint with a public alias says \
     less.\n\nCONFIDENCE: 0.6\n\nVOTE: bigint\n",
);
const PRAGMATIST: (f64, &str) = (
    0.0021,
    "We wrote the mapping from temporary keys once, for photographs. Never again: 5.8 GB of disk is cheap.\n\n\
     CONFIDENCE: 0.85\n\nVOTE: UUIDv7\n",
);
const MODERATOR: (f64, &str) = (
    0.0312,
    "UUIDv7 for every new table. The device makes the key; `created_at` comes from the server.\n\n\
     DECISION: UUIDv7, with `created_at` from the server\n",
);

/// A folder with the scripted models, and the pipes that they read.
fn stage() -> Scenario {
    let scenario = Scenario::new().program("speak", SPEAK).env("TERM", "xterm-256color");
    let speeches = scenario.path("../speeches");
    std::fs::create_dir(&speeches).unwrap();
    for who in ["architect", "security", "pragmatist", "moderator"] {
        let made = scenario.command("mkfifo").arg(speeches.join(who)).status().unwrap();
        assert!(made.success(), "mkfifo: {made}");
    }
    let providers: String = MODELS
        .iter()
        .map(|(name, price)| {
            format!(
                "  - name: {name}\n    command: speak\n    price: {price}\n    output: {{format: jsonl, text: /text, \
                 piece: /piece, usd: /usd, usage: {{input: /in, output: /out}}}}\n"
            )
        })
        .collect();
    scenario
        .file("../config/providers.yaml", &format!("providers:\n{providers}"))
        .file("discussions.yaml", "providers: {default: claude-opus}\n")
        .env("SPEECHES", speeches.to_str().unwrap())
}

/// A live line: its spinner, and the seconds of its call.
static SPINNER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("^[\u{2800}-\u{28ff}] (AI-\\w+  [\\w-]+  )\\d+s").unwrap());
static CALL_TIME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"  \d+(?:\.\d)? s  ").unwrap());
static RUN_TIME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"calls · \d+(?:\.\d)? s").unwrap());

/// Makes a row equal on every machine: the spinner and all times.
fn without_variations(row: &str, seconds: usize) -> String {
    let row = SPINNER.replace(row, |found: &regex::Captures<'_>| {
        let glyph = ['⠙', '⠚', '⠒', '⠲', '⠴', '⠤'][seconds % 6];
        format!("{glyph} {}{seconds}s", &found[1])
    });
    let called = CALL_TIMES.iter().find(|(name, _)| row.contains('✓') && row.contains(name));
    match called {
        Some((_, took)) => CALL_TIME.replace(&row, format!("  {took}  ")).into_owned(),
        None => row.into_owned(),
    }
}

/// The scene while it is recorded.
struct Recording {
    scenario: Scenario,
    terminal: Terminal,
    film: Film,
    runs: usize,
}

impl Recording {
    /// Adds a shot of the screen; `seconds` is the time since the start of the calls in progress.
    fn shot(&mut self, lasts_ms: u32, seconds: usize) {
        let rows = self.with_fixed_times(self.terminal.rows(), seconds);
        self.film.shot(lasts_ms, rows);
    }

    /// Adds a shot of the screen while a person is at the prompt.
    fn prompt_shot(&mut self, lasts_ms: u32) {
        let rows = self.with_fixed_times(self.terminal.rows_with_cursor(), 0);
        self.film.shot(lasts_ms, rows);
    }

    /// Replaces all times, also those in the lines at the end of each run.
    fn with_fixed_times(&self, rows: Vec<String>, seconds: usize) -> Vec<String> {
        // Lines of earlier runs may have left the screen.
        let shown = rows.iter().filter(|row| RUN_TIME.is_match(row)).count();
        let mut times = RUN_TIMES[self.runs - shown..self.runs].iter();
        let rows =
            rows.iter().map(|row| match RUN_TIME.is_match(row).then(|| times.next()).flatten() {
                Some(took) => RUN_TIME.replace(row, format!("calls · {took}")).into_owned(),
                None => without_variations(row, seconds),
            });
        rows.collect()
    }

    /// Types a command after a prompt, a few letters at a time.
    fn types(&mut self, command: &str) {
        self.terminal.print("$ ");
        let letters: Vec<char> = command.chars().collect();
        for some in letters.chunks(4) {
            self.terminal.print(&some.iter().collect::<String>());
            self.prompt_shot(90);
        }
        self.prompt_shot(350);
        self.terminal.print("\r\n");
    }

    fn begin(&self, arguments: &[&str]) -> Program {
        Program::begin(&self.scenario, arguments)
    }

    fn speech(&self, who: &str) -> Speech {
        Speech::open(&self.scenario.path("../speeches").join(who))
    }
}

fn recorded() -> Film {
    let mut it =
        Recording { scenario: stage(), terminal: Terminal::new(), film: Film::default(), runs: 0 };
    it.film.caption("Three models vote on a question");
    it.terminal.print("$ ");
    it.prompt_shot(600);
    it.terminal.print("\r");
    it.types(CREATE_TYPED);
    let created = it.begin(&CREATE);
    assert_eq!(created.end(&mut it.terminal), 0);
    it.shot(900, 0);
    it.types(RUN_TYPED);
    stopped_run(&mut it);
    it.film.caption("Arrow up, Enter: the next run asks only the missing participant");
    it.terminal.print("$ ");
    it.prompt_shot(900);
    it.film.press(&["↑"]);
    it.terminal.print(RUN_TYPED);
    it.prompt_shot(1000);
    it.film.press(&["Enter"]);
    it.prompt_shot(500);
    it.terminal.print("\r\n");
    continued_run(&mut it);
    it.film.caption("Stopped after two answers; the next run asked only the missing participant");
    it.shot(8000, 0);
    it.film
}

/// Two of three participants answer, then the user presses Ctrl-C.
fn stopped_run(it: &mut Recording) {
    let mut run = it.begin(&["run"]);
    let live = ["AI-Architect  claude-opus", "AI-Security  codex", "AI-Pragmatist  gemini-flash"];
    run.wait_for(&mut it.terminal, &["turn 1 · 0 of 3", live[0], live[1], live[2]]);
    it.shot(500, 0);
    let (mut architect, mut security, mut pragmatist) =
        (it.speech("architect"), it.speech("security"), it.speech("pragmatist"));
    let drafts =
        ["Devices create records offline,", "A v7 key tells everyone", "We wrote the mapping"];
    architect.piece(drafts[0]);
    security.piece(drafts[1]);
    pragmatist.piece(drafts[2]);
    run.wait_for(&mut it.terminal, &["turn 1 · 0 of 3", drafts[0], drafts[1], drafts[2]]);
    it.shot(1100, 6);
    architect.end(ARCHITECT);
    run.wait_for(
        &mut it.terminal,
        &["turn 1 · 1 of 3", "✓ AI-Architect", "together.", drafts[1], drafts[2]],
    );
    it.shot(900, 10);
    pragmatist.piece(" from temporary keys once,");
    run.wait_for(&mut it.terminal, &["turn 1 · 1 of 3", drafts[1], "temporary keys once,"]);
    it.shot(700, 11);
    security.end(SECURITY);
    run.wait_for(
        &mut it.terminal,
        &["turn 1 · 2 of 3", "✓ AI-Security", "says less.", "temporary keys once,"],
    );
    it.shot(1100, 12);
    it.film.caption("Ctrl-C stops the run at any time; the answers so far are saved");
    it.film.press(&["Ctrl", "C"]);
    it.shot(900, 13);
    run.interrupt();
    assert_eq!(run.end(&mut it.terminal), 130);
    it.runs += 1;
    it.shot(2200, 0);
}

/// The missing participant answers, and the moderator explains the result.
fn continued_run(it: &mut Recording) {
    let mut run = it.begin(&["run"]);
    run.wait_for(&mut it.terminal, &["AI-Pragmatist  gemini-flash"]);
    it.shot(900, 0);
    let mut pragmatist = it.speech("pragmatist");
    pragmatist.piece("We wrote the mapping from temporary keys once,");
    run.wait_for(&mut it.terminal, &["temporary keys once,"]);
    it.shot(1100, 5);
    pragmatist.end(PRAGMATIST);
    run.wait_for(&mut it.terminal, &["✓ AI-Pragmatist", "AI-Moderator  claude-opus"]);
    it.shot(900, 1);
    let mut moderator = it.speech("moderator");
    moderator.piece("UUIDv7 for every new table.");
    run.wait_for(&mut it.terminal, &["UUIDv7 for every new table."]);
    it.shot(1000, 6);
    moderator.end(MODERATOR);
    assert_eq!(run.end(&mut it.terminal), 0);
    it.runs += 1;
}

#[test]
fn picture_shows_the_real_output() {
    let film = recorded();
    let picture = film.svg();
    assert!(picture.len() < 200_000, "{} bytes", picture.len());
    insist_current("docs/picture.svg", &picture, &film.last_screen());
}
