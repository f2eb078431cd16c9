//! `discussions status`

use std::collections::HashMap;
use std::path::PathBuf;

use anstyle::AnsiColor;
use discussions::view::{DecisionStatus, Severity, Status, visible_line};

use crate::cli::colours;
use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::{CommandHint, Shell};
use crate::cli::snippet::{clip, first_words};
use crate::cli::ui::{Line, Ui};
use crate::cli::words::{self, typed};

/// The maximum number of characters of a comment's first words; a narrow terminal reduces it.
const WORDS: usize = 72;

/// Show the current state of a discussion
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// Also show tasks, decisions, concerns, mentions, failures and cost
    #[arg(short, long)]
    verbose: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Shows the status.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let path = shell.discussion_in_any_state(&workspace, args.file.as_deref())?;
    let called = CommandHint::of(shell, &workspace, &path);
    let ui = &mut shell.ui;
    if args.json {
        ui.json(&workspace.discussions().status(&path)?);
        return Ok(Exit::Done);
    }
    let (document, found) = workspace.check().status_and_check(&path)?;
    brief(&document, ui);
    if args.verbose {
        more(&document, ui);
    } else {
        open_items(&document, ui);
    }
    let found = found.iter().flat_map(|one| &one.problems);
    if let Some(things) = counted(found.map(|problem| problem.severity)) {
        let check = format!("discussions check {}", typed(&visible_line(&document.file)));
        ui.note_wrapped(Line::from(format!("{things}: ")).whole(check));
    }
    words::steps::tell_next_step(ui, &called, &document.next);
    Ok(Exit::Done)
}

/// Counts errors and warnings in words, as a check does; `None` if there are none. Notes need no action.
fn counted(all: impl Iterator<Item = Severity>) -> Option<String> {
    let (mut errors, mut warnings) = (0, 0);
    all.for_each(|severity| match severity {
        Severity::Error => errors += 1,
        Severity::Warning => warnings += 1,
        Severity::Note => {}
    });
    let many = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        count => Some(format!("{count} {what}s")),
    };
    let words: Vec<String> =
        [many(errors, "error"), many(warnings, "warning")].into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn brief(document: &Status, ui: &mut Ui) {
    ui.wrapped("", Line::default().text("Discussion: ").strong(document.title.as_str()));
    ui.wrapped("", format!("Phase: {}", document.phase_title));
    ui.out(
        Line::default()
            .text("Status: ")
            .colour(colours::standing(document.status), document.status.as_str()),
    );
    for (fact, is_pressing) in document.facts() {
        let line = Line::default();
        ui.out(if is_pressing { line.colour(AnsiColor::Red, fact) } else { line.text(fact) });
    }
    for note in document.notes.lines() {
        ui.wrapped("", format!("Note: {note}"));
    }
    let room = ui.width().map_or(WORDS, |width| WORDS.min(width.saturating_sub(30).max(20)));
    // The last turn says little about a discussion that is over, because it may have asked only one participant.
    let is_over = document.status != DecisionStatus::Open;
    let participants = &document.participants;
    let asked = participants.iter().filter(|one| one.asked).count();
    let responded = participants.iter().filter(|one| one.asked && one.responded).count();
    ui.out("");
    ui.out(if is_over || document.turn == 0 {
        let wrote = participants.iter().filter(|one| one.last.is_some()).count();
        format!("Participants ({wrote} responded):")
    } else if responded == asked {
        format!("Participants ({responded} responded):")
    } else {
        format!("Participants ({responded} of {asked} responded in the last turn):")
    });
    for at in 0..document.participants.len() {
        ui.out(participant(document, at, room));
    }
    let votes: Vec<String> =
        document.tally.iter().map(|(option, count)| format!("{option}: {count}")).collect();
    // Without votes there is nothing to count.
    if document.tally.values().any(|count| *count > 0) {
        ui.out("");
        ui.out(format!("Votes: {}", votes.join(", ")));
        match document.consensus.share.as_deref() {
            _ if !document.consensus.is_ballot => ui.out("No ballot asked for these votes."),
            Some(share) => ui.wrapped("", format!("Share: {share}")),
            None => {}
        }
    }
    for line in verdict(document) {
        ui.wrapped("", line);
    }
    let proposals = document.decided.open_proposals();
    if proposals > 0 {
        let many =
            if proposals == 1 { "1 proposal".to_owned() } else { format!("{proposals} proposals") };
        let close = format!("discussions close {}", typed(&visible_line(&document.file)));
        let line = format!(
            "{many} (status -v lists them); closing adopts what people wrote or supported with `+1`: "
        );
        ui.wrapped("", Line::from(line).whole(close));
    }
    if !document.abstained.is_empty() {
        ui.out(format!("Abstained: {}", document.abstained.join(", ")));
    }
    conditions(document, ui);
    let open: Vec<_> = document.questions().iter().filter(|question| question.is_open()).collect();
    if !open.is_empty() {
        let known = by_name(document);
        ui.out("");
        ui.out(format!("Open Questions ({}):", open.len()));
        for question in open {
            let author = handle(question.author.as_str(), &known);
            let line = format!("Q: {} ({author})", question.text);
            let number = format!("  [{}{}]", question.label(), question.raised_words());
            ui.wrapped("  ", Line::default().text(line).faint(number));
        }
    }
}

/// Prints the open tasks, concerns and other items without a list of their own.
fn open_items(document: &Status, ui: &mut Ui) {
    for (kind, items) in document.items.lists().filter(|(kind, _)| !kind.is_shown_apart()) {
        let open = items.iter().filter(|one| one.is_open()).map(|one| {
            let whose = one.assignee.as_deref().map_or_else(String::new, |who| format!(", {who}"));
            format!("{}: {}{whose}{}", one.label(), one.text, one.raised_words())
        });
        section(ui, &format!("Open {}", kind.title()), open);
    }
}

/// Returns the line of a participant: the last answer, or the reason why there is none.
fn participant(document: &Status, at: usize, room: usize) -> Line {
    let one = &document.participants[at];
    let line = Line::default().text("  ").strong(one.name.as_str()).text(": ");
    let Some(said) = &one.last else {
        return match one.failure() {
            Some((code, message)) => line
                .colour(AnsiColor::Yellow, "failed")
                .text(format!(" ({code}): {}", clip(message, room))),
            None if one.silence.is_some() => line.faint("nothing to add"),
            None => line.faint("no answer yet"),
        };
    };
    // A vote is shown with the text that gave its reason, even if there are later comments.
    let words = first_words(one.reason.as_ref().unwrap_or(said), room);
    let line = match &one.vote {
        Some(vote) if words.is_empty() => line.styled(colours::vote(vote), vote),
        Some(vote) => line.styled(colours::vote(vote), vote).text(" - ").text(words),
        None if words.is_empty() => line.faint("(no text)"),
        None => line.text(words),
    };
    match one.failure() {
        Some((code, _)) => line.colour(AnsiColor::Yellow, format!("  [failed later: {code}]")),
        None => line,
    }
}

/// Prints the conditions, if a ballot is over or blocks.
fn conditions(document: &Status, ui: &mut Ui) {
    if document.conditions.is_empty() || !document.consensus.missing.is_empty() {
        return;
    }
    ui.out("");
    ui.out(format!("Conditions ({}):", document.conditions.len()));
    for one in &document.conditions {
        let words = first_words(&one.text, 4 * WORDS);
        let said = if words.is_empty() { String::new() } else { format!(" - {words}") };
        let line = Line::default().strong(one.participant.as_str());
        let line = line.text(format!(": {}{said}", one.vote));
        ui.wrapped("  ", line.faint(format!("  (line {})", one.line)));
    }
}

/// Returns how the outcome stands, with the decisions in force or the answer; without one, what the votes lack.
fn verdict(document: &Status) -> Vec<Line> {
    let (consensus, decided) = (&document.consensus, &document.decided);
    let degraded = if consensus.degraded { " (not all participants answered)" } else { "" };
    if !decided.is_open() {
        let mut words = decided.words().to_owned();
        words.replace_range(..1, &words[..1].to_uppercase());
        let mut lines = vec![Line::default().strong(format!("{words}{degraded}"))];
        let standing = decided.standing_ones().map(|one| match one.number {
            Some(_) => Line::from(one.labelled()),
            None => Line::from(format!("Decision: {}", one.text)),
        });
        lines.extend(standing);
        return lines;
    }
    if consensus.human_required {
        let leads = consensus.outcome.as_ref().map(|outcome| format!("{outcome} leads, but "));
        let leads = leads.unwrap_or_default();
        let line = format!("No consensus yet: {leads}a person has to vote{degraded}");
        return vec![Line::from(line)];
    }
    Vec::new()
}

/// Returns the aliases of all participants by name, in lower case. Of equal names, the first one counts.
fn by_name(document: &Status) -> HashMap<String, Option<&str>> {
    let mut known = HashMap::new();
    for one in &document.participants {
        known.entry(one.name.to_ascii_lowercase()).or_insert(one.alias.as_deref());
    }
    known
}

/// Returns `, raised 3 times` for a text that was raised more than once.
/// Returns the mention of a persona, or else the name.
fn handle(author: &str, known: &HashMap<String, Option<&str>>) -> String {
    known
        .get(&author.to_ascii_lowercase())
        .copied()
        .flatten()
        .map_or_else(|| author.to_owned(), |alias| format!("@{alias}"))
}

fn more(document: &Status, ui: &mut Ui) {
    let known = by_name(document);
    let answered = document.questions().iter().filter(|question| !question.is_open());
    section(
        ui,
        "Answered Questions",
        answered.map(|one| {
            format!("{}: {} ({})", one.label(), one.text, handle(one.author.as_str(), &known))
        }),
    );
    section(
        ui,
        "Tasks",
        document.tasks().iter().map(|task| {
            let whose = task.assignee.as_deref().map_or_else(String::new, |who| format!(", {who}"));
            let raised = task.raised_words();
            format!("{}: {} ({}{whose}{raised})", task.label(), task.text, task.status)
        }),
    );
    let numbered = document.decided.decisions.iter().filter(|one| one.number.is_some());
    section(
        ui,
        "Decisions",
        numbered.map(|one| {
            let with = if one.supporters.is_empty() {
                String::new()
            } else {
                format!(", supported by {}", one.supporters.join(", "))
            };
            let author = handle(&one.author, &known);
            format!("{} ({author}{with}): {}", one.labelled(), one.words())
        }),
    );
    for (title, items) in document.items.plain() {
        section(
            ui,
            title,
            items.iter().map(|one| {
                let closed =
                    if one.is_open() { String::new() } else { format!(", {}", one.words()) };
                let author = handle(one.author.as_str(), &known);
                let raised = one.raised_words();
                format!("{}: {} ({author}{closed}{raised})", one.label(), one.text)
            }),
        );
    }
    section(
        ui,
        "Unanswered mentions",
        document.pending_mentions.iter().map(|who| format!("@{who}")),
    );
    section(
        ui,
        "Failures",
        document
            .failures
            .iter()
            .map(|one| format!("{}: {} ({})", one.participant, clip(&one.message, 200), one.code)),
    );
    costs(ui, document);
}

fn costs(ui: &mut Ui, document: &Status) {
    let cost = &document.cost;
    if cost.total_calls == 0 {
        return;
    }
    ui.out("");
    ui.out("Cost (`~`: not reported, estimated):");
    let mut line = |name: &str, calls: u64, tokens: u64, money: String, estimated: bool| {
        let about = if estimated { "~" } else { "" };
        let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
        ui.wrapped("  ", format!("{name}: {calls}, {about}{tokens} tokens, {money}"));
    };
    for (name, one) in &cost.by_provider {
        let about = if one.estimated { "~" } else { "" };
        let money = match one.usd {
            Some(usd) if usd > 0.0 => format!("{about}${usd:.4}"),
            Some(_) => "$0".to_owned(),
            None => "price unknown".to_owned(),
        };
        line(name, one.calls, one.tokens, money, one.estimated);
    }
    if cost.by_provider.len() > 1 {
        line("all", cost.total_calls, cost.total_tokens, cost.money(), cost.estimated);
    }
}

fn section(ui: &mut Ui, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if !lines.is_empty() {
        ui.out("");
        ui.out(format!("{title} ({}):", lines.len()));
        for line in lines {
            ui.wrapped("  ", line);
        }
    }
}
