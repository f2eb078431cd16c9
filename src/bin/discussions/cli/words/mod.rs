//! The library's data in the words of this program: fixes and next steps become commands and flags, and names are
//! quoted so that users can copy and type them.

use std::borrow::Cow;

use discussions::codes::{ErrorCode, Fix, StopCode};
use discussions::view::{NextStep, Why, visible_line};
use discussions::workspace::{Help, Unused};

use crate::cli::error::who_may;
use crate::cli::outcome::{all, finished};
use crate::cli::shell::CommandHint;
use crate::cli::ui::{Line, Ui};

/// The command that shows all providers.
const PROVIDERS: &str = "`discussions providers list` shows all";
/// The command that shows all templates.
const TEMPLATES: &str = "`discussions templates list` shows all";
/// The command that checks a chosen file or folder.
pub(crate) const CHECK: &str = "name a file or a folder: discussions check PATH";

/// Returns the words for a fix.
pub(crate) fn fix(fix: Fix) -> &'static str {
    match fix {
        Fix::Restore => {
            "`discussions check --restore` restores it, `discussions check --accept` accepts the change"
        }
        Fix::Accept => "`discussions check --accept` accepts it",
        Fix::AcceptPublished => "`discussions check --git --accept` accepts it",
        Fix::ExplainInMessage => {
            "`discussions check --git --accept` prints a commit with this line"
        }
        Fix::Mend => "`discussions check --fix` fixes it",
        Fix::Untrack => "remove it from git with `git rm --cached`, then commit",
        Fix::ListTemplates => TEMPLATES,
        Fix::ListParticipants => "`discussions participants list` shows all",
        Fix::ListProviders => PROVIDERS,
        Fix::AddParticipant => "`discussions participants add` adds another one",
        Fix::OwnFolder => {
            "to use a folder outside the project, set it in your own config.yaml or with --dir"
        }
    }
}

/// Returns the mention of a name; `human` stands for any person.
pub(crate) fn mention(who: &str) -> String {
    if who == "human" { "a person".to_owned() } else { format!("@{}", visible_line(who)) }
}

/// The name under which coding agents speak.
const PROGRAM: &str = "agent";

/// Returns the sentence that this author is not a person, so that the comment does not count as a person's.
pub(crate) fn not_a_person(author: &str) -> String {
    let who = if author.eq_ignore_ascii_case(PROGRAM) {
        "reserved for coding agents; this does not count as a person's comment"
    } else {
        "a persona that a model plays; this counts as a comment by the persona"
    };
    format!("{author} is {who}")
}

/// Returns an outcome for people. A fixed code such as `consensus_reached` becomes words.
pub(crate) fn outcome(outcome: &str) -> String {
    let is_word = outcome.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    visible_line(&if is_word { outcome.replace('_', " ") } else { outcome.to_owned() })
}

/// Returns the day by which a decision is to be reviewed, and the days that are left; they are negative after it.
pub(crate) fn review_day(day: &str, days: i64) -> String {
    let left = match days {
        0 => "today".to_owned(),
        1 => "1 day left".to_owned(),
        -1 => "1 day overdue".to_owned(),
        2.. => format!("{days} days left"),
        _ => format!("{} days overdue", days.unsigned_abs()),
    };
    format!("review by {day} ({left})")
}

/// Adds the fix to a message.
pub(crate) fn mended(message: &str, way: Option<Fix>) -> String {
    match way {
        Some(way) => format!("{message}; {}", fix(way)),
        None => message.to_owned(),
    }
}

/// Returns an error's message and its help. Some help reads best as part of the message.
pub(crate) fn message_and_hint(message: String, ways: &[Help]) -> (String, Option<String>) {
    let (mut message, mut beside) = (message, Vec::new());
    for way in ways {
        match way {
            Help::GiveContext(left_out) => {
                message = format!("{} cannot review without --context-file", left_out.join(", "));
            }
            Help::GiveRole => message.push_str("; name one with --roles alias=role"),
            Help::GiveParameter(name) => message.push_str(&format!(": --set {name}=...")),
            Help::BeginProject => {
                message.push_str(": run `discussions init` to make this a project");
            }
            Help::EditParticipant(alias) => {
                let way = format!("; `discussions participants edit {alias}` changes it");
                message.push_str(&way);
            }
            Help::NameConsentFolder => message.push_str("; set DISCUSSIONS_STATE_DIR"),
            Help::RaiseLimit => message.push_str("; raise --max-usd"),
            Help::AllowUnpriced { price_can_be_set } => {
                let or = if *price_can_be_set { ", or set price: in providers.yaml" } else { "" };
                message.push_str(&format!("; add --unpriced{or}"));
            }
            Help::NameUserFolder => message.push_str("; set DISCUSSIONS_CONFIG_DIR"),
            way => beside.push(help(way)),
        }
    }
    (message, Some(beside.join("\nhelp: ")).filter(|help| !help.is_empty()))
}

/// The kinds of models, each with the way to get one, for users who have none.
pub(crate) const THREE_WAYS: [&str; 3] = [
    "a program: install claude, codex, gemini or opencode, and log in",
    "a key: set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY",
    "a local model: start Ollama, or name any server with `discussions providers add`",
];

/// The help after a command that needed a model.
const WAYS_TO_A_MODEL: &str = "any one of these will do:\n  \
    - log in to an installed program: `discussions doctor` lists them\n  \
    - install one: claude, codex, gemini or opencode (`npm install -g opencode-ai`; its provider `opencode-pickle` is free)\n  \
    - set a key in the environment, for example OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY\n  \
    - start Ollama, for models on this machine\n  \
    - use your own command: discussions providers add NAME --command LINE\n  \
    - try it with made-up answers: --provider mock";

fn help(way: &Help) -> String {
    match way {
        Help::Fix(way) => fix(*way).to_owned(),
        Help::Hint(hint) => hint.clone(),
        Help::Nearest(names) => did_you_mean(names),
        Help::ListParticipants => "`discussions participants list` lists the participants".to_owned(),
        Help::ListDiscussions => "`discussions list` lists the discussions".to_owned(),
        Help::ListParameters(template) => {
            format!("`discussions templates show {template}` shows its parameters")
        }
        Help::Phases(known) => format!("the phases are: {}", known.join(", ")),
        Help::Options(options) => format!("the options are: {}", options.join(", ")),
        Help::Permissions(path) => who_may(path),
        Help::TakeAway(path) => format!("look at {}, then remove it", path.display()),
        Help::Agree => {
            "to review and trust it: `discussions trust`; to use another provider: --provider".to_owned()
        }
        Help::KeepConsentsElsewhere => {
            "set DISCUSSIONS_STATE_DIR to another folder".to_owned()
        }
        Help::InstallProvider => WAYS_TO_A_MODEL.to_owned(),
        Help::ChooseProvider(ready) => {
            format!("these providers are available: {}; choose one with --provider", ready.join(", "))
        }
        Help::AskAlone => {
            "one participant alone answers with `discussions discuss --pattern solo`".to_owned()
        }
        Help::CloseOrGoBack => {
            "`discussions close FILE` ends the discussion, `discussions advance FILE --to PHASE` goes back".to_owned()
        }
        Help::Reopen => "`discussions reopen FILE` opens it again".to_owned(),
        Help::EndFirst => {
            "`discussions run FILE` continues it, `discussions close FILE` ends it".to_owned()
        }
        Help::Shorten => "move the long part to another file, and link to it".to_owned(),
        Help::OtherName => "choose another name with --as".to_owned(),
        Help::UseAlias(alias) => {
            format!("change `alias` in the file, or run: participants add {alias}")
        }
        Help::Kept(file) => format!(
            "the old version stays in use; your text is kept in {file} for the next edit"
        ),
        Help::TakeOutSecrets => {
            "remove it, or send it anyway with --allow-secrets".to_owned()
        }
        Help::CheckOut => {
            "run `discussions init` where the files are checked out: in a clone or a worktree"
                .to_owned()
        }
        Help::GiveContext(_)
        | Help::GiveRole
        | Help::GiveParameter(_)
        | Help::BeginProject
        | Help::EditParticipant(_)
        | Help::NameConsentFolder
        | Help::NameUserFolder
        | Help::RaiseLimit
        | Help::AllowUnpriced { .. } => String::new(),
    }
}

fn did_you_mean(nearest: &[String]) -> String {
    let names: Vec<String> =
        nearest.iter().take(3).map(|name| format!("`{}`", visible_line(name))).collect();
    format!("did you mean {}?", names.join(" or "))
}

/// Returns the reason why a discussion failed, with its code.
pub(crate) fn result(code: ErrorCode, message: &str, stopped: StopCode) -> String {
    let more = match (code, stopped) {
        (ErrorCode::CostBudgetExceeded, StopCode::MaxCalls) => {
            "; raise --max-calls, or `limits` in the discussion or in discussions.yaml"
        }
        (ErrorCode::CostBudgetExceeded, _) => {
            "; raise --max-usd; --unpriced also asks models of unknown price"
        }
        _ => "",
    };
    format!("{message}{more} ({})", code.as_str())
}

/// Returns a sentence about a setting without effect.
pub(crate) fn unused(unused: &Unused) -> String {
    match unused {
        Unused::Rounds { template } => {
            format!("`{template}` has only one round, so the number of rounds is ignored")
        }
        Unused::Perspective { alias } => {
            format!("{alias} is skipped: it needs --context-file")
        }
        Unused::Seat { alias, template, roles } => {
            let more = match roles.first() {
                Some(role) => format!("; to give it one: `discuss --roles {alias}={role}`"),
                None => String::new(),
            };
            format!(
                "{alias} has no speaking role in `{template}`, so it answers only mentions and ballots{more}"
            )
        }
    }
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Formats an age in seconds for people. An age above two months becomes the day of `at` (RFC 3339). Returns an empty
/// text if neither is known.
pub(crate) fn ago(seconds: Option<u64>, at: &str) -> String {
    match seconds {
        None => at.get(..10).unwrap_or_default().to_owned(),
        Some(age) if age < MINUTE => "just now".to_owned(),
        Some(age) if age < HOUR => format!("{} min ago", age / MINUTE),
        Some(age) if age < 2 * DAY => format!("{} h ago", age / HOUR),
        Some(age) if age < 60 * DAY => format!("{} days ago", age / DAY),
        Some(_) => at.get(..10).unwrap_or("long ago").to_owned(),
    }
}

/// Prints the next steps.
pub(crate) fn tell_next_step(ui: &mut Ui, called: &CommandHint, steps: &[NextStep]) {
    for step in steps {
        match in_words(step, called) {
            NextStepWords::Next(line) => ui.note_wrapped(Line::hint("next", line)),
            NextStepWords::Note(line) => ui.note_wrapped(line),
        }
    }
}

enum NextStepWords {
    Next(Line),
    Note(Line),
}

/// Returns the command first and its purpose after it, so that a user who copies the line copies a command.
fn in_words(step: &NextStep, called: &CommandHint) -> NextStepWords {
    let NextStep { verb, arguments, why, .. } = step;
    let who = &arguments.participants;
    let mentions: Vec<String> = who.iter().map(|who| format!("@{who}")).collect();
    let first = who.first().map_or("NAME", String::as_str);
    let phase = arguments.phase_title.as_deref().unwrap_or_default();
    // The library's verbs are spelt like the commands.
    let with = |more: &str| Line::default().whole(called.command(verb.as_str(), more));
    let command = with("");
    let other = |verb: &str, more: &str| Line::default().whole(called.command(verb, more));
    let why_so = |line: Line, why: String| line.text(format!("    ({why})"));
    NextStepWords::Next(match why {
        Why::StillToBeAsked => why_so(command, format!("{} not asked yet", mentions.join(" "))),
        Why::PhaseBegins => why_so(command, format!("enters {phase}")),
        Why::CommandRuns => why_so(command, format!("runs the command of {phase}")),
        Why::DiscussionWithin => why_so(command, "a sub-discussion is next".to_owned()),
        Why::TurnBegins => {
            command.text(", or ").then(other("run", "")).text(" to continue automatically")
        }
        Why::PeopleAreAsked => {
            why_so(with(&format!("--as {first}")), format!("{} to answer", all(who)))
        }
        Why::PersonEndsPhase => why_so(command, format!("a person must end the phase {phase}")),
        Why::ConditionNotMet => {
            command.text(format!(" for another turn of {phase}, or ")).then(other("advance", ""))
        }
        Why::CallsWait => why_so(command, format!("asks {}", mentioned(&mentions))),
        Why::EndedWithoutConsensus => Line::from("no consensus; comment on what changed with ")
            .then(command)
            .text(", then ")
            .then(other("run", ""))
            .text(" to vote again"),
        Why::NobodyVoted => why_so(command, "no votes were cast; asks again".to_owned()),
        Why::VoteAgain => why_so(command, "votes again on the new comments".to_owned()),
        Why::AnswersAwaited => command.text(" after the answer, or ").then(with("--no-wait")),
        Why::MentionsPending if verb.as_str() == "turn" => command
            .text(format!("    (asks {}), or ", mentioned(&mentions)))
            .then(other("advance", ""))
            .text(" to continue without an answer"),
        Why::MentionsPending => {
            why_so(command, format!("continues without {}", mentioned(&mentions)))
        }
        Why::PersonVotes => {
            let vote = arguments.vote.as_deref().unwrap_or_default();
            why_so(
                other("vote", &typed(vote)),
                "a person has to vote: this or another option".to_owned(),
            )
        }
        Why::Closed => {
            return NextStepWords::Note(
                Line::from("the discussion is closed; to reopen it: ").then(command),
            );
        }
        Why::Finished => {
            let text = format!("{}; to close it: ", finished(step).trim_end_matches('.'));
            return NextStepWords::Note(Line::from(text.as_str()).then(command));
        }
        Why::TooFewAnswered => {
            let text = "too few participants answered; to ask the others again: ";
            return NextStepWords::Note(Line::from(text).then(command));
        }
        Why::NobodyToAsk => {
            let text = "all participants have answered; to ask one again: ";
            return NextStepWords::Note(Line::from(text).then(with("@alias")));
        }
        Why::QuestionsToPerson => {
            let questions = match arguments.questions {
                Some(1) | None => "a question".to_owned(),
                Some(count) => format!("{count} questions"),
            };
            let text = format!("@{first} is asked {questions}: ");
            let more = format!("{} \"TEXT\" --as {}", arguments.question_word(), typed(first));
            return NextStepWords::Note(Line::from(text).then(other("answer", &more)));
        }
    })
}

/// Returns mentions, with the reason why they wait: `@a and @b, who were mentioned`.
fn mentioned(mentions: &[String]) -> String {
    let verb = if mentions.len() == 1 { "was" } else { "were" };
    format!("{}, who {verb} mentioned", all(mentions))
}

/// Quotes a name for a shell. Letters of any script need no quotes. Characters that would control a terminal are made
/// visible; such a name cannot be typed back.
pub(crate) fn typed(name: &str) -> Cow<'_, str> {
    let plain = |c: char| {
        if c.is_ascii() { is_plain(c) } else { !c.is_whitespace() && !c.is_control() }
    };
    if !name.is_empty() && name.chars().all(plain) {
        Cow::Borrowed(name)
    } else {
        let visible = visible_line(name);
        Cow::Owned(match shell_words::quote(&visible) {
            // `!` needs quotes only in a shell at a terminal.
            Cow::Borrowed(bare) => format!("'{bare}'"),
            Cow::Owned(quoted) => quoted,
        })
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_./:@%+,".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_uses_the_largest_fitting_unit() {
        let ago = |age| ago(Some(age), "2026-08-03T10:00:00Z");
        assert_eq!(
            [ago(0), ago(59), ago(60), ago(7_200)],
            ["just now", "just now", "1 min ago", "2 h ago"]
        );
        assert_eq!(
            [ago(47 * HOUR), ago(48 * HOUR), ago(61 * DAY)],
            ["47 h ago", "2 days ago", "2026-08-03"]
        );
    }

    #[test]
    fn only_words_that_a_shell_would_split_are_quoted() {
        assert_eq!(typed("認証-für"), "認証-für");
        assert_eq!(typed("a b"), "'a b'");
        assert_eq!(typed("a;b"), "'a;b'");
        assert_eq!(typed("!x"), "'!x'");
        assert!(!typed("a\nb").contains('\n'), "a name makes up no line");
    }
}
