//! `discussions` without a command: in a project the waiting steps, the open discussions and the last decisions;
//! elsewhere a short help.

use discussions::view::{ProviderState, visible_line};
use discussions::workspace::Workspace;

use super::list::waits_for;
use crate::cli::error::{CommandError, Exit};
use crate::cli::grammar;
use crate::cli::rows::Column;
use crate::cli::shell::Shell;
use crate::cli::snippet::clip;
use crate::cli::trust;
use crate::cli::ui::Line;
use crate::cli::words;
use crate::cli::words::{ago, typed, ways::Way};

/// The maximum number of open discussions.
const OPEN: usize = 10;
/// The maximum number of characters of a decision. It keeps the columns as narrow as those of `list` in a pipe.
const LONGEST: usize = 60;
/// The maximum number of discussions with decisions to look at again.
const DUE: usize = 10;
/// The maximum number of waiting steps.
const WAITING: usize = 10;

/// Returns true if any model may answer. Runs nothing.
fn has_model(workspace: &Workspace, shell: &mut Shell) -> bool {
    let trusted = trust::trusted_so_far(shell, workspace);
    let checked = workspace.providers().check_providers(None, &trusted).unwrap_or_default();
    // The mock is always ready, and it is no model.
    checked.iter().any(|one| {
        !matches!(one.state, ProviderState::Missing { .. } | ProviderState::Broken { .. })
            && one.name != "mock"
    })
}

/// Shows the dashboard.
pub(crate) fn run(json: bool, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let board = workspace.discussions().dashboard()?;
    if json {
        shell.ui.json(&board.unwrap_or_default());
        return Ok(Exit::Done);
    }
    let is_empty = board.as_ref().is_none_or(|board| board.discussions == 0);
    if is_empty && !has_model(&workspace, shell) {
        shell.ui.out("No discussions here yet, and no model to ask. Three ways to get one:");
        for way in words::THREE_WAYS {
            shell.ui.wrapped("  - ", way);
        }
        shell.ui.out("Or try it with made-up answers:");
        shell.ui.out("  discussions ask \"Redis or PostgreSQL?\" --provider mock");
        let way = |command: &str, purpose| Way::new(command.to_owned(), purpose);
        way("discussions doctor", "shows what is ready").tell(&mut shell.ui);
        way("discussions --help", "lists all commands").tell(&mut shell.ui);
        return Ok(Exit::Done);
    }
    let Some(board) = board else {
        shell.ui.page(grammar::command().render_help().to_string());
        return Ok(Exit::Done);
    };
    for reason in &board.unreadable {
        shell.ui.warning(words::help::mended(&reason.message, reason.fix));
    }
    if board.discussions == 0 {
        let folder = visible_line(&board.folder);
        shell.ui.out(format!("No discussions in {folder} yet."));
        let way = |command: &str, purpose| Way::new(command.to_owned(), purpose);
        way("discussions ask \"QUESTION\"", "asks a question").tell(&mut shell.ui);
        way("discussions new \"TITLE\"", "creates a discussion").tell(&mut shell.ui);
        return Ok(Exit::Done);
    }
    let mut first = true;
    let mut section = |shell: &mut Shell,
                       title: &str,
                       columns: &[Column],
                       rows: Vec<Vec<String>>,
                       more: usize| {
        if rows.is_empty() {
            return;
        }
        if !std::mem::take(&mut first) {
            shell.ui.out("");
        }
        shell.ui.out(Line::default().strong(title));
        shell.ui.rows(columns, rows);
        if more > 0 {
            let all = if title == DUE_TITLE { "decisions --due" } else { "list" };
            shell.ui.out(Line::default().faint(format!("and {more} more: discussions {all}")));
        }
    };
    let due = board.due.iter().take(DUE).map(|one| {
        let reviews = one.due.iter().map(|review| {
            let what = review.decision.as_deref().map(|it| format!("{it}: ")).unwrap_or_default();
            let day = words::review_day(&review.review_by, review.days);
            format!("{day} ({what}{})", clip(&review.text, LONGEST))
        });
        vec![typed(&one.name).into_owned(), reviews.collect::<Vec<_>>().join("; ")]
    });
    section(shell, DUE_TITLE, &TWO, due.collect(), board.due.len().saturating_sub(DUE));
    let waiting = board.waiting.iter().take(WAITING).map(|one| {
        let who: Vec<String> = one.who.iter().map(|who| words::mention(who)).collect();
        let (who, text) = (who.join(" "), one.text.as_deref().unwrap_or_default());
        let what = match (one.wanted.as_str(), one.question) {
            ("answer", Some(number)) => {
                let name = typed(&one.name);
                format!("{who} is asked Q{number}: {text} (discussions answer {name} Q{number} \"TEXT\")")
            }
            ("vote", _) => format!("{who} can vote: {text}"),
            ("nextPhase", _) => format!("{who} can end the phase: {text}"),
            ("conflict", _) => "resolve the merge conflict in the file".to_owned(),
            ("change", _) => {
                "no consensus; comment on what changed, then `run` to vote again".to_owned()
            }
            ("blocked", _) => format!("{text}; a person decides what happens"),
            ("closing", _) => {
                let name = typed(&one.name);
                format!("proposed after the end: {text} (discussions close {name} adopts it)")
            }
            _ => format!("{who} was mentioned"),
        };
        let day = one.decide_by.as_ref().map(|day| format!("; {}", day.words()));
        let what = what + &day.unwrap_or_default();
        vec![typed(&one.name).into_owned(), what]
    });
    let more = board.waiting.len().saturating_sub(WAITING);
    section(shell, "Waiting for you", &TWO, waiting.collect(), more);
    // A waiting discussion is open too, and is already shown above.
    let shown: Vec<&str> =
        board.waiting.iter().take(WAITING).map(|one| one.file.as_str()).collect();
    let others: Vec<_> =
        board.open.iter().filter(|one| !shown.contains(&one.file.as_str())).collect();
    let open = others.iter().take(OPEN).map(|one| {
        let next = match waits_for(one.running, &one.waiting_for) {
            who if who.is_empty() => "ready to run".to_owned(),
            who => who,
        };
        let age = ago(one.age, one.updated.as_deref().unwrap_or_default());
        vec![typed(&one.name).into_owned(), next, age]
    });
    section(
        shell,
        "Open discussions, and what is next",
        &THREE,
        open.collect(),
        others.len().saturating_sub(OPEN),
    );
    let decided = board.decided.iter().map(|one| {
        let mark = if one.facts.in_force { "" } else { " (answered, not voted on)" };
        let what = words::outcome(&one.facts.line().unwrap_or_default()) + mark;
        let what = clip(&what, LONGEST);
        vec![typed(&one.name).into_owned(), what, ago(one.age, &one.at)]
    });
    section(shell, "Recent decisions", &THREE, decided.collect(), 0);
    shell.merge_driver(&workspace, None);
    if let Some(one) = board.waiting.first() {
        let name = typed(&one.name);
        Way::new(format!("discussions status {name}"), "shows what to do").tell(&mut shell.ui);
    } else if let Some(one) = board.open.first() {
        Way::new(format!("discussions run {}", typed(&one.name)), "").tell(&mut shell.ui);
    }
    Ok(Exit::Done)
}

/// The title of the section of decisions to look at again.
const DUE_TITLE: &str = "Decisions to review";

const TWO: [Column; 2] = [Column::fixed(""), Column::flowing("")];
const THREE: [Column; 3] = [Column::fixed(""), Column::words("", 1, 60), Column::fixed("")];
