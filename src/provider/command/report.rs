//! Turns the result of a run into an answer or a failure.

use std::process::ExitStatus;
use std::time::Duration;

use super::CommandDefinition;
use super::session::{CommandRun, End};
use crate::platform;
use crate::provider::classify::{classify, failure};
use crate::provider::output::{Envelope, OutputError};
use crate::provider::sanitize_output::{is_no_text, plain};
use crate::provider::{CallError, FailureCode, ProviderName, Reply, Request};

/// The number of last lines to show when a program fails.
const SHOWN_LINES: usize = 8;
/// The maximum length of a failure's text, in characters.
const SHOWN_CHARS: usize = 600;
/// The maximum size of an error message on standard output, in bytes. Longer output of a failed program is an
/// unfinished answer.
const LONGEST_MESSAGE: usize = 1_000;

pub(super) fn report(
    name: &ProviderName,
    definition: &CommandDefinition,
    request: &Request<'_>,
    run: CommandRun,
) -> Result<Reply, CallError> {
    let (said, mut warnings) = plain(&run.stdout);
    let complaint = complaint(&run.stderr, [&request.prefix, request.tail, &said]);
    let left = left_behind(&run);
    let name = name.as_str();
    match run.end {
        End::Deadline => Err(timed_out(name, request.deadline, &complaint, left)),
        End::TooLong => Err(too_long(
            format!("{name} printed more than {} bytes and was stopped", definition.output_limit),
            left,
        )),
        End::Enough => Err(too_long(
            format!(
                "{name} was stopped: its answer is longer than the {} tokens reserved for it (`max_tokens` in its \
                 definition)",
                definition.longest_answer()
            ),
            left,
        )),
        End::Lost(error) => {
            Err(CallError::new(FailureCode::Exit, format!("cannot tell how {name} ended: {error}")))
        }
        End::Ended(status) => {
            let mut opened = definition.output.open(&said);
            if !status.success() {
                if !matches!(opened, Err(OutputError::Told { .. }))
                    && let Err(told @ OutputError::Told { .. }) =
                        definition.output.open(&plain(&run.stderr).0)
                {
                    // Some programs print their JSON to standard error if it reports a failure.
                    opened = Err(told);
                }
                return Err(failed(&how_it_ended(name, status), opened, &complaint));
            }
            if is_no_text(&run.stdout) {
                return Err(no_text(name));
            }
            let envelope = opened.map_err(|trouble| reported_failure(name, trouble, &complaint))?;
            if envelope.text.trim().is_empty() {
                return Err(empty(name, &complaint));
            }
            if is_failure(&envelope.text) {
                let message = format!("{name} reports: {}", short(envelope.text.trim()));
                return Err(failure(FailureCode::Exit, &envelope.text, message));
            }
            warnings.extend(envelope.warnings);
            warnings.extend(envelope.usd.warning(name));
            warnings.extend(left);
            Ok(Reply {
                text: envelope.text,
                model: envelope.model,
                usage: envelope.usage,
                usd: envelope.usd,
                finish: None,
                warnings,
            })
        }
    }
}

/// Returns the failure of a program that ended with a status other than 0. Its output is never an answer.
fn failed(how: &str, opened: Result<Envelope, OutputError>, complaint: &str) -> CallError {
    match opened {
        Err(OutputError::Told { message, record, usd }) => {
            let words = format!("{record}\n{complaint}");
            let message = format!("{how}: {}", short(&message));
            let mut failed = CallError { usd, ..failure(FailureCode::Exit, &words, message) };
            if failed.code == FailureCode::BudgetSpent {
                failed.message += "; it used all that was reserved for this call";
            }
            failed
        }
        Ok(envelope) if complaint.is_empty() || classify(complaint).is_none() => {
            let text = envelope.text.trim();
            let spoken = if text.len() <= LONGEST_MESSAGE { text } else { "" };
            let words = format!("{complaint}\n{spoken}");
            failure(FailureCode::Exit, &words, with(how, &words))
        }
        Ok(_) | Err(OutputError::Cut) => {
            failure(FailureCode::Exit, complaint, with(how, complaint))
        }
    }
}

/// Returns whether a program's output is not an answer but a single line that reports a known failure. If the line
/// is a model's real answer, the model is called again, but that costs less than a lost vote.
fn is_failure(text: &str) -> bool {
    let line = text.trim();
    let start = line.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let begins = ["error", "api error", "fatal"].iter().any(|word| {
        start.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
            && !start[word.len()..].starts_with(|c: char| c.is_alphanumeric())
    });
    begins && !line.contains('\n') && line.len() <= LONGEST_MESSAGE && classify(line).is_some()
}

/// Returns the failure that the output reports although the program exited with 0.
fn reported_failure(name: &str, trouble: OutputError, complaint: &str) -> CallError {
    match trouble {
        OutputError::Told { message, record, usd } => {
            let message = format!("{name} reports: {}", short(&message));
            CallError { usd, ..failure(FailureCode::Exit, &record, message) }
        }
        OutputError::Cut => failure(
            FailureCode::CutStream,
            complaint,
            with(&format!("the answer from {name} is incomplete"), complaint),
        ),
    }
}

fn empty(name: &str, complaint: &str) -> CallError {
    let what = format!("{name} exited normally but gave no answer");
    failure(FailureCode::Empty, complaint, with(&what, complaint))
}

fn no_text(name: &str) -> CallError {
    CallError::new(
        FailureCode::Unreadable,
        format!("the output of {name} is not text: more than a tenth of it is NUL or not UTF-8"),
    )
}

fn too_long(mut message: String, left: Option<String>) -> CallError {
    if let Some(left) = left.filter(|_| !platform::ENDS_GROUPS) {
        message.push_str("; ");
        message.push_str(&left);
    }
    CallError::new(FailureCode::OutputTooLong, message)
}

fn timed_out(name: &str, deadline: Duration, complaint: &str, left: Option<String>) -> CallError {
    let seconds = deadline.as_secs_f64();
    let mut message = with(&format!("{name} timed out after {seconds:.1} s"), complaint);
    if let Some(left) = left {
        message.push_str("; ");
        message.push_str(&left);
    }
    CallError::new(FailureCode::Timeout, message)
}

fn how_it_ended(name: &str, status: ExitStatus) -> String {
    if let Some(signal) = platform::ending_signal(status) {
        return format!("{name} was killed by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("{name} exited with code {code}"),
        None => format!("{name} failed"),
    }
}

/// Returns the warning about processes that the program started and that may still run.
fn left_behind(run: &CommandRun) -> Option<String> {
    let detached = run.detached.join(" and ");
    let ended =
        (!detached.is_empty()).then(|| format!("{detached} detached itself and was stopped"));
    let holders = match run.holders.join(" and ") {
        holders if holders.is_empty() => "a process".to_owned(),
        holders => holders,
    };
    let left = run
        .abandoned
        .then(|| format!("{holders} detached itself, keeps the output open and is still running"));
    let was_stopped = matches!(run.end, End::Deadline | End::TooLong | End::Enough);
    let unknown = (was_stopped && !platform::ENDS_GROUPS)
        .then(|| "programs that it started may still run: this system cannot end them".to_owned());
    let all: Vec<String> = [ended, left, unknown].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// Returns the lines of standard error that explain the failure. Many programs also print the prompt and the answer
/// there. These lines say nothing about the failure, so they are dropped.
fn complaint(stderr: &[u8], known: [&str; 3]) -> String {
    let (words, _) = plain(stderr);
    let mut lines: Vec<&str> = Vec::new();
    for line in words.lines().rev().map(str::trim) {
        let echo = || known.iter().flat_map(|text| text.lines()).any(|other| other.trim() == line);
        let says_nothing = !line.contains(char::is_alphanumeric);
        if says_nothing || is_stack(line) || lines.last() == Some(&line) || echo() {
            continue;
        }
        lines.push(line);
        if lines.len() == SHOWN_LINES {
            break;
        }
    }
    lines.reverse();
    lines.join("\n")
}

/// Returns whether a line belongs to a JavaScript or Rust stack trace.
fn is_stack(line: &str) -> bool {
    line.starts_with("at ")
        || line == "Stack backtrace:"
        || line.split_once(": ").is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}

fn with(what: &str, words: &str) -> String {
    match short(words) {
        words if words.is_empty() => what.to_owned(),
        words => format!("{what}: {words}"),
    }
}

/// Returns the words on one line. Of a longer text only the last [`SHOWN_CHARS`] characters are kept.
fn short(words: &str) -> String {
    let lines: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let line = lines.join(" / ");
    let count = line.chars().count();
    if count <= SHOWN_CHARS {
        return line;
    }
    format!("…{}", line.chars().skip(count - SHOWN_CHARS).collect::<String>())
}
