//! Asks whether what a project brought along may be run, and remembers the answer.

use std::path::Path;

use discussions::provider::{Consents, Entry, Foreign};
use discussions::runner::Needed;
use discussions::workspace::Workspace;

use crate::cli::error::Failure;
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Bytes of what is shown beyond which it may not be seen whole.
const LONG: usize = 1000;

/// Rows beyond which what stands above them may have left the screen.
const MANY: usize = 15;

/// What is known to be trusted, without asking.
pub(crate) struct Trusted<'w> {
    workspace: &'w Workspace,
    consents: Consents,
}

impl Trusted<'_> {
    /// Whether this may be called; what cannot be read may not.
    pub(crate) fn covers(&self, entry: &Entry) -> bool {
        let Workspace { environment, setup, .. } = self.workspace;
        let foreign = entry.foreign(environment, setup.base());
        foreign.is_ok_and(|foreign| foreign.is_none_or(|foreign| self.consents.cover(&foreign)))
    }
}

/// Everything that the project brought along, and what of it cannot be read.
pub(crate) fn foreign(workspace: &Workspace) -> (Vec<Foreign>, Vec<Failure>) {
    let (mut all, mut broken) = (Vec::new(), Vec::new());
    for entry in workspace.registry.entries() {
        match entry.foreign(&workspace.environment, workspace.setup.base()) {
            Ok(foreign) => all.extend(foreign),
            Err(error) => broken.push(Failure::input(error.to_string())),
        }
    }
    (all, broken)
}

/// What is trusted already. Whoever only looks is not stopped by consents that cannot be read.
pub(crate) fn known<'w>(shell: &mut Shell, workspace: &'w Workspace) -> Trusted<'w> {
    let consents = match given(shell, &foreign(workspace).0) {
        Ok(consents) => consents,
        Err(failure) => {
            failure.warn(&mut shell.ui);
            Consents::default()
        }
    };
    Trusted { workspace, consents }
}

/// Settles, before anybody is asked, what of all that a run may call is trusted: asks a person at a terminal, says what
/// is trusted or left out without a question. What nothing goes without is refused by whoever runs it.
pub(crate) fn settle(
    shell: &mut Shell,
    workspace: &Workspace,
    needed: &[Needed],
) -> Result<Consents, Failure> {
    let foreign: Vec<&Foreign> = needed.iter().map(|needed| &needed.foreign).collect();
    let consents = ask_for(shell, workspace, &foreign)?;
    for Needed { foreign, first } in needed {
        if !first && !consents.cover(foreign) {
            let place = place(shell, foreign);
            let line = shell.notices.left_out(foreign, &place);
            line.into_iter().for_each(|line| shell.ui.note(line));
        }
    }
    Ok(consents)
}

/// What is trusted of these, after a person was asked about the rest, if one is there.
pub(crate) fn ask_for(
    shell: &mut Shell,
    workspace: &Workspace,
    foreign: &[&Foreign],
) -> Result<Consents, Failure> {
    let mut consents = given(shell, foreign.iter().copied())?;
    if consents.are_for_all() {
        for foreign in foreign {
            let place = place(shell, foreign);
            let line = shell.notices.trusted_by_environment(foreign, &place);
            line.into_iter().for_each(|line| shell.ui.note(line));
        }
        return Ok(consents);
    }
    for foreign in foreign {
        if consents.cover(foreign) || !shell.ui.can_ask() {
            continue;
        }
        show(shell, workspace, foreign);
        if shell.ui.ask(Line::default().strong(format!("Trust {}?", foreign.name()))) {
            consents.give(foreign);
            if let Err(failure) = keep(shell, workspace, foreign) {
                failure.warn(&mut shell.ui);
                shell.ui.warning("it holds for now, and is asked again next time");
            }
        }
    }
    Ok(consents)
}

/// What is trusted of these already.
pub(crate) fn given<'f>(
    shell: &mut Shell,
    foreign: impl IntoIterator<Item = &'f Foreign>,
) -> Result<Consents, Failure> {
    let mut consents = Consents::default();
    let (all, unknown) = shell.outside.trusts_all();
    if all {
        return Ok(Consents::all());
    }
    let ledger = shell.outside.ledger();
    for foreign in foreign {
        if let Some(word) = &unknown {
            let line = shell.notices.unknown_trust(word);
            line.into_iter().for_each(|line| shell.ui.note(line));
        }
        let Some(ledger) = &ledger else { continue };
        if ledger.is_within(&foreign.project) && !shell.outside.lives_in(&foreign.project) {
            return Err(Failure::input("what you trust would be kept within the project itself")
                .help("let DISCUSSIONS_STATE_DIR name a folder elsewhere"));
        }
        if ledger.has(foreign)? {
            consents.give(foreign);
        }
    }
    Ok(consents)
}

/// Remembers that this is trusted.
pub(crate) fn keep(shell: &Shell, workspace: &Workspace, foreign: &Foreign) -> Result<(), Failure> {
    let ledger = shell.outside.ledger().ok_or_else(|| {
        Failure::io("there is no folder to keep in what you trust; set DISCUSSIONS_STATE_DIR")
    })?;
    Ok(ledger.keep(foreign, &foreign.entry.definition.kind.runs(), workspace.now())?)
}

/// Where it is written.
pub(crate) fn place(shell: &Shell, foreign: &Foreign) -> String {
    format!("{}:{}", shell.shown(foreign.path()), foreign.entry.line)
}

/// Shows all that consent is about.
pub(crate) fn show(shell: &mut Shell, workspace: &Workspace, foreign: &Foreign) {
    let definition = &foreign.entry.definition;
    let aliases: Vec<&str> = definition.common.aliases.iter().map(|alias| alias.as_str()).collect();
    let also =
        if aliases.is_empty() { String::new() } else { format!(" (also {})", aliases.join(", ")) };
    let place = place(shell, foreign);
    shell.ui.note(
        Line::default()
            .strong(definition.common.name.as_str())
            .text(format!("{also} comes with this project; you may not have written it:")),
    );
    let mut row = |what: &str, text: &str| {
        shell.ui.note(Line::default().faint(format!("  {what:<10} ")).text(one_line(text)));
    };
    for replaced in &foreign.entry.replaces {
        row("instead of", &replaced.to_string());
    }
    let facts = foreign.facts(&workspace.environment);
    for fact in &facts {
        row(fact.what, &fact.text);
    }
    for file in &foreign.files {
        let path = file.path.strip_prefix(&foreign.project).unwrap_or(&file.path).display();
        let leads = match file.target.starts_with(&foreign.project) {
            true => String::new(),
            false => format!(" -> {}", file.target.display()),
        };
        let what = "a change of it is asked about, of what it loads is not";
        row("its file", &format!("{path}{leads} ({what})"));
    }
    row("defined in", &place);
    let length: usize = facts.iter().map(|fact| fact.text.len()).sum();
    if length > LONG || facts.len() > MANY {
        let advice =
            format!("that is more than may be seen at once; read {place} before you answer");
        shell.ui.warning(advice);
    }
}

/// A text that cannot end its line and go on as if it were another one.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

/// Whose consents are meant: the project around the working folder.
pub(crate) fn project(workspace: &Workspace) -> Result<&Path, Failure> {
    workspace.setup.project.as_ref().map(|project| project.root.as_path()).ok_or_else(|| {
        Failure::input("this folder belongs to no project, so there is nothing to trust")
    })
}
