//! Messages before the first call.

use std::path::Path;
use std::sync::Arc;

use discussions::runner::Work;
use discussions::view::{EventKind, Status};
use discussions::workspace::Workspace;

use crate::cli::error::CommandError;
use crate::cli::notices::Notices;
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Warns that the last line of the file is cut off.
pub(super) fn last_line_cut(
    shell: &mut Shell,
    workspace: &Workspace,
    path: &Path,
    status: &Status,
) {
    for problem in &status.problems {
        if problem.code.as_str() == "last-line-cut" {
            let file = workspace.shown_path(path);
            let place = format!("{file}:{}", problem.line);
            let file = shell_words::quote(&file).into_owned();
            shell.ui.warning(format!(
                "{place}: {}; it is ignored, and the next answer will mark it as truncated; to complete the line first: `discussions \
                 check --fix {file}`",
                problem.message
            ));
        }
    }
}

/// Prints the providers of the participants, if the user did not choose them.
pub(super) fn tell_deal(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
) -> Result<(), CommandError> {
    let deal = workspace.deal(path, work.provider())?;
    if !deal.is_empty() {
        let speaks = |(provider, seats): &(String, Vec<String>)| {
            format!("{provider} for {}", seats.join(", "))
        };
        let seats: Vec<String> = deal.iter().map(speaks).collect();
        shell.ui.hint("note", format!("providers: {}", seats.join("; ")));
    }
    Ok(())
}

/// Returns the message for an event before a call.
pub(super) fn notice_of_event(event: &EventKind, notices: &mut Notices) -> Option<Line> {
    match event {
        EventKind::TurnStart { left_out, .. } if !left_out.is_empty() => {
            notices.stays_out(left_out)
        }
        EventKind::AnswerStart { provider, passed_over, .. } => {
            let missing = passed_over.as_ref()?;
            notices.passed_over(&missing.provider, &missing.why(), provider)
        }
        _ => None,
    }
}

/// Returns a note that the context still has placeholders, to be printed before an answer costs anything.
pub(super) fn unwritten(workspace: &Workspace, path: &Path) -> Result<Option<Line>, CommandError> {
    Ok(workspace.unwritten(path)?.map(|(first, count)| {
        let place = format!("{}:{first}", workspace.shown_path(path));
        let others = match count {
            1 => "still contains a template placeholder".to_owned(),
            count => format!("and {} more lines still contain template placeholders", count - 1),
        };
        let text = format!("{place} {others}; write your own text there");
        Line::hint("note", Line::with_commands(text))
    }))
}

/// Prints which bundled templates and personas the project replaces.
pub(crate) fn stand_ins(
    shell: &mut Shell,
    workspace: &Workspace,
    path: &Path,
) -> Result<(), CommandError> {
    let Shell { ui, notices, .. } = shell;
    let lines = workspace.stand_ins(path)?;
    let lines = lines.iter().filter_map(|own| notices.stand_in(own.what, &own.name, &own.file));
    lines.for_each(|line| ui.note_wrapped(line));
    Ok(())
}
