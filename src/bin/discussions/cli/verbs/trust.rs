//! `discussions trust`

use discussions::codes::ErrorCode;
use discussions::view::Foreign;
use discussions::workspace::Workspace;

use crate::cli::error::{CommandError, Exit};
use crate::cli::rows::Column;
use crate::cli::shell::Shell;
use crate::cli::trust;

/// Review the programs that this project runs, and trust them
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Trust all of them without asking
    #[arg(long, conflicts_with_all = ["list", "revoke"])]
    yes: bool,
    /// List what you trust, in all projects
    #[arg(long, conflicts_with = "revoke")]
    list: bool,
    /// Revoke all trust in this project
    #[arg(long)]
    revoke: bool,
    /// Print the result as JSON, without asking
    #[arg(long)]
    json: bool,
}

/// Reviews, lists or revokes trust.
pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    if args.list {
        let consents = Workspace::consents(shell.outside.state_folder())?;
        if args.json {
            shell.ui.json(&consents);
            return Ok(Exit::Done);
        }
        let rows =
            consents.into_iter().map(|one| vec![one.provider, one.project, one.at, one.runs]);
        shell.ui.rows(&COLUMNS, rows.collect());
        return Ok(Exit::Done);
    }
    let workspace = shell.asking_workspace()?;
    workspace.providers().insist_on_project()?;
    if args.revoke {
        let revoked = workspace.providers().revoke()?;
        if args.json {
            shell.ui.json(&revoked);
            return Ok(Exit::Done);
        }
        for one in &revoked {
            shell.ui.out(format!("No longer trusted: {}: {}", one.provider, one.runs));
        }
        if revoked.is_empty() {
            shell.ui.out("You trusted nothing in this project.");
        }
        return Ok(Exit::Done);
    }
    let all = workspace.providers().brought_along();
    for error in all.broken {
        shell.ui.warning(error);
    }
    let foreign = all.foreign;
    if args.json {
        return judged(shell, &workspace, foreign, args.yes);
    }
    if foreign.is_empty() {
        shell.ui.out("This project defines nothing that would run.");
        return Ok(Exit::Done);
    }
    agree(shell, &workspace, &foreign, args.yes)
}

/// Prints as JSON which definitions are trusted. With `yes`, trusts all of them first.
fn judged(
    shell: &mut Shell,
    workspace: &Workspace,
    mut all: Vec<Foreign>,
    yes: bool,
) -> Result<Exit, CommandError> {
    let before = trust::remembered_consents(shell, workspace, &all)?;
    for one in &mut all {
        one.trusted = Some(before.covers(&one.fingerprint));
        if yes && one.trusted != Some(true) {
            workspace.providers().remember(one)?;
            one.trusted = Some(true);
        }
    }
    shell.ui.json(&all);
    Ok(if all.iter().all(|one| one.trusted == Some(true)) { Exit::Done } else { Exit::No })
}

/// Asks about each new definition, unless `yes` trusts them all, and prints for each definition if it is trusted.
fn agree(
    shell: &mut Shell,
    workspace: &Workspace,
    foreign: &[Foreign],
    yes: bool,
) -> Result<Exit, CommandError> {
    let before = trust::remembered_consents(shell, workspace, foreign)?;
    let (old, new): (Vec<&Foreign>, Vec<&Foreign>) =
        foreign.iter().partition(|foreign| before.covers(&foreign.fingerprint));
    for foreign in old {
        let place = trust::place(foreign);
        shell.ui.out(format!("Already trusted: {} ({place})", foreign.provider));
    }
    let mut refused = 0;
    for foreign in new {
        trust::show(shell, foreign);
        let place = trust::place(foreign);
        let name = &foreign.provider;
        if yes || shell.ui.can_ask() && shell.ui.ask(format!("Trust {name}?")) {
            workspace.providers().remember(foreign)?;
            shell.ui.out(format!("Trusted: {name} ({place})"));
        } else {
            shell.ui.out(format!("Not trusted: {name} ({place})"));
            refused += 1;
        }
    }
    if refused > 0 && !yes && !shell.ui.can_ask() {
        let code = ErrorCode::NotTrusted.as_str();
        return Err(CommandError::input(format!("confirmation needs a terminal ({code})"))
            .help("`discussions trust --yes` trusts all that is shown"));
    }
    Ok(if refused > 0 { Exit::No } else { Exit::Done })
}

const COLUMNS: [Column; 4] = [
    Column::fixed("PROVIDER"),
    Column::flowing("PROJECT"),
    Column::whole("SINCE", 1),
    Column::flowing("RUNS"),
];
