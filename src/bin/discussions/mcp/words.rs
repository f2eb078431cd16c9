//! Messages about events, next steps and errors. A next step is named by the tool that does it.
//! Agents receive errors as results of tools, not as errors of the protocol.

use discussions::codes::{ErrorCode, Fix};
use discussions::runner::BeginError;
use discussions::view::{CallOutcome, Event, EventKind, NextStep, Verb, Why, visible_line};
use discussions::workspace::{Help, Unused, WorkspaceError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli;
use crate::cli::outcome;
use crate::cli::words;

/// Returns the message about a setting without effect.
pub(super) fn unused(unused: &Unused) -> String {
    match unused {
        Unused::Perspective { alias } => {
            format!("skipped {alias}: it needs `context` to review against")
        }
        Unused::Seat { alias, template, .. } => format!(
            "{alias} has no role in `{template}`: it speaks only when mentioned, or in a ballot"
        ),
        other => words::unused(other),
    }
}

/// Returns help for an error in terms of tools; `None` if the message of the command line names no command, so that it
/// fits here too.
pub(super) fn help(way: &Help) -> Option<&'static str> {
    Some(match way {
        Help::ListDiscussions => "`list` shows all discussions",
        // An agent cannot send secrets, so the message does not mention the option.
        Help::TakeOutSecrets => "remove it: secrets are not sent to models",
        Help::Fix(Fix::ListTemplates) => {
            "leave out `pattern` for second-look; the prompts of this server list all patterns"
        }
        Help::Fix(Fix::ListParticipants) | Help::ListParticipants => {
            "leave out `participants` to use those of the project; `me` is you"
        }
        Help::Fix(Fix::ListProviders) => "leave out `provider` to use each persona's own",
        Help::GiveParameter(_) | Help::ListParameters(_) => {
            "no tool sets this parameter; use another pattern"
        }
        Help::GiveContext(_) => "give its source, for example requirements, as `context`",
        Help::GiveRole => "no tool assigns roles; use another pattern",
        Help::Agree => {
            "a person can run `discussions trust` to see what it runs and to trust it; or name another `provider`"
        }
        Help::InstallProvider => {
            "a person must install or log in to a provider: `discussions doctor` lists them; `me` among the `participants` is you"
        }
        Help::AskAlone => "one participant alone answers with the pattern `solo`",
        Help::ChooseProvider(_) => "leave out `provider` to use those that are available",
        Help::Reopen => "a person can reopen it with `discussions reopen`",
        Help::EndFirst => "`run` continues it; a person can end it with `discussions close`",
        Help::CloseOrGoBack => {
            "a person can end it with `discussions close`, or go back with `discussions advance --to`"
        }
        _ => return None,
    })
}

/// Returns the message about an event, if a waiting person wants to know about it.
pub(super) fn event(event: &Event) -> Option<String> {
    let who = event.participant.as_deref().unwrap_or_default();
    let text = match &event.kind {
        EventKind::TurnStart { turn, title, asks, .. } => {
            format!("turn {turn}, {title}: asks {}", asks.join(", "))
        }
        EventKind::AnswerStart { provider, .. } => format!("{who} thinks ({provider})"),
        EventKind::AnswerEnd { outcome: CallOutcome::Failed { error }, .. } => {
            format!("{who} could not answer: {}", error.message)
        }
        EventKind::AnswerEnd { outcome, .. } => format!("{who} {}", outcome.as_str()),
        EventKind::Comment { name, .. } => format!("{name} commented"),
        EventKind::Vote { vote, .. } => format!("{who} votes {vote}"),
        EventKind::Phase { title, .. } => format!("phase {title} begins"),
        EventKind::Status { status, .. } => format!("the discussion is {status}"),
        EventKind::Note { message } | EventKind::Error { message, .. } => message.clone(),
        _ => return None,
    };
    Some(visible_line(&text))
}

/// Returns the message about a next step. For a step that only a person may take, it names the command to type.
pub(super) fn next(step: &NextStep) -> String {
    let file = visible_line(&step.file);
    let who = step.arguments.participants.join(" and ");
    let typed = format!("`discussions {} {file}`", step.verb.as_str());
    let first = step.arguments.participants.first().map_or("NAME", String::as_str);
    let as_them = format!("`discussions comment {file} --as {first}`");
    let question = step.arguments.question_word();
    let answer = format!("`discussions answer {file} {question} \"TEXT\" --as {first}`");
    match (step.why, step.verb) {
        (Why::PeopleAreAsked, _) => {
            format!("a person must answer as {who} with {as_them}; then `continue`")
        }
        (Why::QuestionsToPerson, _) => {
            format!("{who} has a question to answer: a person uses {answer}; then `continue`")
        }
        (Why::AnswersAwaited, _) => {
            format!("people have open questions: {typed} --no-wait goes on without their answers")
        }
        (Why::PersonVotes, _) => format!("a person's vote is needed: `discussions vote {file}`"),
        (Why::PersonEndsPhase | Why::ConditionNotMet | Why::MentionsPending, Verb::Advance) => {
            format!("a person must go to the next phase with {typed}; then `continue`")
        }
        (Why::EndedWithoutConsensus, _) => {
            "no consensus: `say` what changed, then `continue` to vote again".to_owned()
        }
        (Why::Finished, _) => {
            let finished = outcome::finished(step);
            format!("{finished} To ask more: `say` with an @alias, then `continue`")
        }
        (Why::Closed, _) => format!("it is closed; a person can reopen it with {typed}"),
        (Why::NobodyToAsk, _) => "no participant is left to ask".to_owned(),
        (_, Verb::Turn | Verb::Run) => "`continue` to go on".to_owned(),
        (_, Verb::Comment) => "`say` adds a comment".to_owned(),
        (_, Verb::Advance | Verb::Close | Verb::Reopen) => format!("a person can run {typed}"),
    }
}

/// An error, and its fix if there is one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct McpError {
    /// The code; it never changes.
    pub(super) code: &'static str,
    /// The message.
    pub(super) message: String,
    /// The fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<String>,
    /// True if a retry may help.
    pub(super) retryable: bool,
}

impl McpError {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code: code.as_str(), message, help: None, retryable: code.retryable() }
    }

    pub(super) fn input(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidInput, message)
    }

    /// Returns the error for a changing tool on a read-only server.
    pub(super) fn read_only() -> Self {
        Self::new(
            ErrorCode::InvalidState,
            "this server is read-only: it was started with --read-only",
        )
        .help(
            "use `show`, `search`, `recall` or `list`; a person can restart it without --read-only",
        )
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl From<BeginError> for McpError {
    fn from(error: BeginError) -> Self {
        WorkspaceError::from(error).into()
    }
}

impl From<WorkspaceError> for McpError {
    fn from(error: WorkspaceError) -> Self {
        Self::from(&error)
    }
}

impl From<&WorkspaceError> for McpError {
    fn from(error: &WorkspaceError) -> Self {
        if let WorkspaceError::Outside(outside) = error {
            // An agent need not know the target of the link.
            let path = visible_line(&outside.path.to_string_lossy());
            return Self::input(format!("{path} is outside the project or the served folder"));
        }
        let ways = error.help();
        // An agent needs tools and arguments, not commands for a terminal.
        let (own, others): (Vec<Help>, Vec<Help>) =
            ways.iter().cloned().partition(|way| help(way).is_some());
        let (message, told) = cli::words::message_and_hint(error.message(), &others);
        let own = own.iter().filter_map(help).map(str::to_owned);
        let help: Vec<String> = told.into_iter().chain(own).collect();
        let help = Some(help.join("; ")).filter(|help| !help.is_empty());
        if let [Help::RaiseLimit | Help::AllowUnpriced { .. }] = ways.as_slice() {
            let help = "a person can restart the server with a higher --max-usd, or set `price` in providers.yaml";
            return Self::new(error.code(), error.message()).help(help);
        }
        Self { help, retryable: error.retryable(), ..Self::new(error.code(), message) }
    }
}
