//! Flags that several commands share: the working folder and the terminal, JSON output, the limits of a run, what
//! models may read, extra material, and the parent of a sub-discussion.

use std::path::PathBuf;
use std::time::Duration;

use anstream::ColorChoice;
use clap::{ArgMatches, ValueEnum};
use discussions::duration::parse;
use discussions::runner::{PreparedRun, RunOptions};
use discussions::workspace::{Sources, Workspace};

use super::environment::CallingTurn;
use crate::cli::environment;
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Flags that every command takes.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArgs {
    /// Work in this folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(crate) folder: Option<PathBuf>,
    /// When to use colours
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        global = true,
        hide_short_help = true
    )]
    pub(crate) color: Colour,
    /// How to show progress
    #[arg(
        long,
        value_name = "HOW",
        value_enum,
        default_value_t,
        global = true,
        hide_short_help = true
    )]
    pub(crate) progress: DisplayChoice,
    /// Print only the result, warnings and errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal that supports colours, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also in pipes and files
    Always,
    /// No colours
    Never,
}

/// The display of progress while models answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DisplayChoice {
    /// Live lines on a terminal, plain lines elsewhere
    #[default]
    Auto,
    /// One line of text for each answer
    Plain,
    /// No progress
    None,
}

impl Colour {
    /// Applies the choice to all later output, including the messages of the command line parser.
    pub(crate) fn hold(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }

    /// Returns the choice on a command line that cannot be parsed.
    pub(crate) fn from_raw_args(words: &[String]) -> Self {
        let after = |at: usize| words.get(at + 1).map(String::as_str);
        let found = words.iter().enumerate().find_map(|(at, word)| match word.as_str() {
            "--color" => after(at),
            word => word.strip_prefix("--color="),
        });
        found.and_then(|word| Self::from_str(word, true).ok()).unwrap_or_default()
    }
}

impl GlobalArgs {
    /// Returns true if lines may be redrawn. A user who wants no colour gets no other terminal codes either.
    pub(crate) fn may_move(&self) -> bool {
        self.color != Colour::Never
            && self.progress == DisplayChoice::Auto
            && !self.quiet
            && environment::knows_codes()
    }
}

/// The form of output that the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputRequest {
    /// Text for people.
    Words,
    /// One JSON document.
    Document,
    /// Lines of JSON: one event each, and the document as the last line.
    Lines,
}

/// Returns the form that the flags of the command ask for, at any depth of subcommands.
pub(crate) fn requested_output(matches: &ArgMatches) -> OutputRequest {
    let is_set = |flag: &str| matches.try_get_one::<bool>(flag).ok().flatten() == Some(&true);
    match (is_set("events"), is_set("json"), matches.subcommand()) {
        (true, ..) => OutputRequest::Lines,
        (_, true, _) => OutputRequest::Document,
        (.., Some((_, below))) => requested_output(below),
        (.., None) => OutputRequest::Words,
    }
}

/// Returns the form that a command line asks for although it cannot be parsed.
pub(crate) fn wanted_by(words: &[String]) -> OutputRequest {
    let has = |flag: &str| words.iter().take_while(|word| *word != "--").any(|word| word == flag);
    match (has("--events"), has("--json")) {
        (true, _) => OutputRequest::Lines,
        (_, true) => OutputRequest::Document,
        _ => OutputRequest::Words,
    }
}

/// The sources that models may read.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(next_help_heading = "What models may access")]
pub(crate) struct SightArgs {
    /// Let agent programs read the files of this project
    #[arg(long)]
    look: bool,
    /// Let agent programs search the web
    #[arg(long)]
    web: bool,
}

impl SightArgs {
    /// Adds the permissions to a run.
    pub(crate) fn of_run(self, request: RunOptions) -> RunOptions {
        RunOptions { look: self.look, web: self.web, ..request }
    }
}

/// The limits of every run.
#[derive(Debug, clap::Args)]
pub(crate) struct SpendArgs {
    /// Maximum cost in US dollars; by default no limit
    #[arg(long, value_name = "X", value_parser = dollars)]
    max_usd: Option<f64>,
    /// With a money limit, also ask providers whose price is unknown
    #[arg(long)]
    unpriced: bool,
    /// Maximum time, for example 90s, 10m or 1h; by default no limit
    #[arg(long, value_name = "D", value_parser = parse)]
    timeout: Option<Duration>,
}

impl SpendArgs {
    /// Adds the limits to a run.
    pub(crate) fn of_run(self, request: RunOptions) -> RunOptions {
        let Self { max_usd, unpriced, timeout } = self;
        RunOptions { max_usd, unpriced, timeout, ..request }
    }
}

/// Returns lines that name the participants with and without access, to be printed before the first call.
pub(crate) fn access_notes(prepared: &PreparedRun, options: &RunOptions) -> Vec<Line> {
    if !options.has_tools() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    let all = prepared.tool_access();
    for (asked, web, what) in [
        (options.look, false, "read the files of this project"),
        (options.web, true, "search the web"),
    ] {
        if !asked {
            continue;
        }
        let (mut able, mut unable) = (Vec::new(), Vec::new());
        for seat in &all {
            let may = if web { seat.web } else { seat.look };
            let told = format!("{} ({})", seat.participant, seat.provider);
            if may { able.push(told) } else { unable.push(told) }
        }
        let (able, unable) = (able.join(", "), unable.join(", "));
        lines.push(Line::hint(
            "note",
            match (able.is_empty(), unable.is_empty()) {
                (true, _) => format!("no participant can {what}: {unable}"),
                (false, true) => format!("allowed to {what}: {able}"),
                (false, false) => format!("allowed to {what}: {able}; not able to: {unable}"),
            },
        ));
    }
    lines
}

/// The limits of one run; without them it ends where its template ends.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Maximum time of the whole run, for example 90s, 10m or 1h; by default no limit
    #[arg(long, value_name = "D", value_parser = parse)]
    timeout: Option<Duration>,
    /// Maximum cost in US dollars; by default no limit
    #[arg(long, value_name = "X", value_parser = dollars)]
    max_usd: Option<f64>,
    /// With a money limit, also ask providers whose price is unknown
    #[arg(long)]
    unpriced: bool,
    /// Maximum number of model calls, including retries; by default no limit
    #[arg(long, value_name = "N")]
    max_calls: Option<u32>,
    /// Maximum tokens per answer; by default as the provider's definition says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    /// Maximum time per call, from 5s to 1h
    #[arg(long, value_name = "D", value_parser = call_time)]
    provider_timeout: Option<Duration>,
}

impl LimitArgs {
    /// Returns a run request with these limits.
    pub(crate) fn request(&self, provider: Option<String>) -> RunOptions {
        RunOptions {
            provider,
            call_timeout: self.provider_timeout,
            max_calls: self.max_calls,
            max_tokens: self.max_tokens,
            max_usd: self.max_usd,
            unpriced: self.unpriced,
            timeout: self.timeout,
            ..RunOptions::default()
        }
    }
}

/// Parses an amount of money.
pub(crate) fn dollars(text: &str) -> Result<f64, String> {
    let amount: f64 = text.trim_start_matches('$').parse().map_err(|_| "write it as 1.50")?;
    (amount.is_finite() && amount >= 0.0)
        .then_some(amount)
        .ok_or_else(|| "must be 0 or more".to_owned())
}

/// Parses a time limit for one call, within the allowed range (the bounds of INV-DISC).
fn call_time(text: &str) -> Result<Duration, String> {
    RunOptions::call_timeout(parse(text)?)
}

/// Files and changes that go into the discussion.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Material")]
pub(crate) struct MaterialArgs {
    /// Include a file, a folder or a glob like 'src/**/*.rs'; can be repeated
    #[arg(long = "file", value_name = "GLOB")]
    files: Vec<String>,
    /// Include the changes of these commits, for example main...HEAD
    #[arg(long, value_name = "RANGE")]
    diff: Option<String>,
    #[command(flatten)]
    secrets: SecretArgs,
}

/// The user's permission to send secrets to models.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Material")]
pub(crate) struct SecretArgs {
    /// Also send credential files and text that looks like a key; by default both are refused
    #[arg(long)]
    allow_secrets: bool,
}

impl SecretArgs {
    /// Stores the permission to send secrets; must run before the workspace is opened.
    pub(crate) fn learn(self, shell: &mut Shell) {
        shell.outside.allows_secrets = self.allow_secrets;
    }
}

impl MaterialArgs {
    /// Stores the permission to send secrets; must run before the workspace is opened.
    pub(crate) fn learn(&self, shell: &mut Shell) {
        self.secrets.learn(shell);
    }
}

impl From<MaterialArgs> for Sources {
    fn from(MaterialArgs { files, diff, .. }: MaterialArgs) -> Self {
        Self { files, diff }
    }
}

/// Warns of each file that a folder or a pattern selected and that is omitted because it contains secrets.
pub(crate) fn warn_of_left_out(shell: &mut Shell, workspace: &Workspace, sources: &Sources) {
    // Errors are reported when the discussion is created.
    for why in workspace.left_out(sources).unwrap_or_default() {
        shell.ui.warning(why);
    }
}

/// The participant that opens a sub-discussion.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Sub-discussions")]
pub(crate) struct WithinArgs {
    /// The discussion that you are answering in; the new one becomes its sub-discussion
    #[arg(long, value_name = "FILE", requires_all = ["turn", "by"])]
    within: Option<PathBuf>,
    /// The number of the turn that you are answering in
    #[arg(long, value_name = "N", requires = "within")]
    turn: Option<u32>,
    /// Your alias in that turn
    #[arg(long = "as", id = "by", value_name = "ALIAS", requires = "within")]
    by: Option<String>,
}

impl WithinArgs {
    /// Uses the variables that the run set for this program if the flags are missing. Otherwise a participant could
    /// open a discussion during its call, and no budget would count the cost.
    pub(crate) fn learn(&mut self, shell: &Shell) {
        if self.within.is_none()
            && let Some(asked) = shell.outside.calling_turn()
        {
            (self.within, self.turn, self.by) =
                (Some(asked.file), Some(asked.turn), Some(asked.by));
        }
    }

    /// Returns the participant that opens the sub-discussion.
    pub(crate) fn calling_turn(&self) -> Option<CallingTurn> {
        Some(CallingTurn { file: self.within.clone()?, turn: self.turn?, by: self.by.clone()? })
    }
}
