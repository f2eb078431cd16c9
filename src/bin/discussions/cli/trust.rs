//! Asks the user if project-defined commands may run, and stores the answer.

use discussions::view::{Foreign, visible_line};
use discussions::workspace::{Consents, Workspace};

use crate::cli::error::CommandError;
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// The number of bytes above which the user may not see the whole text.
const LONG: usize = 1000;

/// The number of rows after which the text above may have left the screen.
const MANY: usize = 15;

/// Returns the existing trust decisions. A read-only command continues even if they cannot be read.
pub(crate) fn trusted_so_far(shell: &mut Shell, workspace: &Workspace) -> Consents {
    match remembered_consents(shell, workspace, &workspace.providers().brought_along().foreign) {
        Ok(consents) => consents,
        Err(failure) => {
            failure.warn(&mut shell.ui);
            Consents::default()
        }
    }
}

/// Decides before the first call which commands of a run are trusted. Asks a user at a terminal, and prints which
/// commands are trusted or left out without a question. The run itself fails if a required command is not trusted.
pub(crate) fn settle(
    shell: &mut Shell,
    workspace: &Workspace,
    needed: &[Foreign],
) -> Result<Consents, CommandError> {
    let consents = ask_for(shell, workspace, needed)?;
    for foreign in needed.iter().filter(|foreign| !foreign.first) {
        if !consents.covers(&foreign.fingerprint) {
            let line = shell.notices.left_out(&foreign.provider, &place(foreign));
            line.into_iter().for_each(|line| shell.ui.note_wrapped(line));
        }
    }
    Ok(consents)
}

/// Returns the trust decisions about these commands. Asks about undecided ones first, if a user can be asked.
pub(crate) fn ask_for(
    shell: &mut Shell,
    workspace: &Workspace,
    needed: &[Foreign],
) -> Result<Consents, CommandError> {
    let mut consents = remembered_consents(shell, workspace, needed)?;
    if consents.are_for_all() {
        for foreign in needed {
            let line = shell.notices.trusted_by_environment(&foreign.provider, &place(foreign));
            line.into_iter().for_each(|line| shell.ui.note_wrapped(line));
        }
        return Ok(consents);
    }
    for foreign in needed {
        if consents.covers(&foreign.fingerprint) || !shell.ui.can_ask() {
            continue;
        }
        show(shell, foreign);
        if shell.ui.ask(Line::default().strong(format!("Trust {}?", foreign.provider))) {
            consents.agree(&foreign.fingerprint);
            if let Err(error) = workspace.providers().remember(foreign) {
                CommandError::from(error).warn(&mut shell.ui);
                shell.ui.warning("your answer is valid for this run only; the next run asks again");
            }
        }
    }
    Ok(consents)
}

/// Returns the existing trust decisions about these commands.
pub(crate) fn remembered_consents(
    shell: &mut Shell,
    workspace: &Workspace,
    foreign: &[Foreign],
) -> Result<Consents, CommandError> {
    let (all, unknown) = shell.outside.trusts_all();
    if all {
        return Ok(Consents::all());
    }
    if let Some(word) = unknown.filter(|_| !foreign.is_empty()) {
        let line = shell.notices.unknown_trust(&word);
        line.into_iter().for_each(|line| shell.ui.note_wrapped(line));
    }
    Ok(workspace.providers().remembered(foreign)?)
}

/// Returns the place of the definition.
pub(crate) fn place(foreign: &Foreign) -> String {
    format!("{}:{}", visible_line(&foreign.file), foreign.line)
}

/// Shows everything that the user is asked to trust.
pub(crate) fn show(shell: &mut Shell, foreign: &Foreign) {
    let also = if foreign.aliases.is_empty() {
        String::new()
    } else {
        format!(" (also {})", foreign.aliases.join(", "))
    };
    let place = place(foreign);
    shell.ui.insist_wrapped(
        Line::default()
            .strong(foreign.provider.as_str())
            .text(format!("{also} comes with this project; you may not have written it:")),
    );
    let mut row = |what: &str, text: &str| {
        shell.ui.insist(Line::default().faint(format!("  {what:<10} ")).text(one_line(text)));
    };
    for replaced in &foreign.replaces {
        row("instead of", replaced);
    }
    let facts = &foreign.facts;
    for fact in facts {
        row(fact.what, &fact.text);
    }
    for file in &foreign.files {
        let leads = file.target.as_ref().map_or_else(String::new, |to| format!(" -> {to}"));
        let what = "you are asked again if it changes, but not if a file that it loads changes";
        row("its file", &format!("{}{leads} ({what})", file.path));
    }
    row("defined in", &place);
    let length: usize = facts.iter().map(|fact| fact.text.len()).sum();
    if length > LONG || facts.len() > MANY {
        let advice = format!("this may not fit on your screen; read {place} before you answer");
        shell.ui.warning(advice);
    }
}

/// Returns a text on one line, so that it cannot imitate further lines.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}
