//! `discussions stats`

use std::path::PathBuf;

use discussions::view::visible_line;

use crate::cli::amounts::{money_or_unknown, seconds};
use crate::cli::error::{CommandError, Exit};
use crate::cli::rows::Column;
use crate::cli::shell::Shell;
use crate::cli::ui::spelt;
use crate::cli::words;

/// Show the outcomes and the cost of all discussions
///
/// By pattern: outcomes, success rate, calls, time and cost, and how decisions held. By provider: questions and
/// failures. Also shows whose dissent a later decision adopted.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder; by default the folder of discussions
    dir: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

const PATTERNS: [Column; 7] = [
    Column::fixed("PATTERN"),
    Column::whole("COUNT", 0),
    Column::words("OUTCOMES", 3, 48),
    Column::whole("SUCCESS", 1),
    Column::whole("CALLS", 2),
    Column::whole("TIME", 4),
    Column::whole("COST", 2),
];

const PROVIDERS: [Column; 6] = [
    Column::fixed("PROVIDER"),
    Column::whole("ASKED", 0),
    Column::whole("FAILED", 0),
    Column::whole("CALLS", 2),
    Column::whole("TIME", 3),
    Column::whole("COST", 1),
];

const DISSENT: [Column; 3] =
    [Column::fixed("DISSENT"), Column::whole("DECISIONS", 0), Column::whole("ADOPTED LATER", 0)];

/// The results of decisions, in the order of the columns.
pub(crate) const HINDSIGHT_WORDS: [&str; 3] = ["held", "mixed", "failed"];

const HINDSIGHT: [Column; 4] = [
    Column::fixed("HINDSIGHT"),
    Column::whole("HELD", 0),
    Column::whole("MIXED", 0),
    Column::whole("FAILED", 0),
];

/// Shows the statistics.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    if let Some(dir) = args.dir.as_ref().filter(|dir| !shell.outside.folder.join(dir).is_dir()) {
        return Err(CommandError::input(format!("{}: no such folder", spelt(dir))));
    }
    let stats = workspace.discussions().stats(args.dir.as_deref())?;
    for reason in &stats.unreadable {
        shell.ui.warning(words::help::mended(&reason.message, reason.fix));
    }
    if args.json {
        shell.ui.json(&stats);
        return Ok(Exit::Done);
    }
    if stats.all.discussions == 0 {
        shell.ui.note(format!("no discussions yet (folder {})", visible_line(&stats.folder)));
        return Ok(Exit::Done);
    }
    let all = (stats.by_pattern.len() > 1).then_some(("all", &stats.all));
    let patterns: Vec<_> =
        stats.by_pattern.iter().map(|(name, one)| (name.as_str(), one)).chain(all).collect();
    let rows = patterns.iter().map(|(name, one)| {
        let outcomes = one.outcomes.iter().map(|(status, count)| format!("{status}: {count}"));
        vec![
            visible_line(name),
            one.discussions.to_string(),
            outcomes.collect::<Vec<_>>().join(", "),
            share(one.success_rate),
            one.calls.to_string(),
            seconds(one.ms),
            money_or_unknown(one.usd),
        ]
    });
    shell.ui.rows(&PATTERNS, rows.collect());
    let judged = patterns.iter().filter(|(_, one)| !one.hindsight.is_empty());
    let rows: Vec<Vec<String>> = judged
        .map(|(name, one)| {
            let counts = HINDSIGHT_WORDS.map(|word| one.hindsight.get(word).copied().unwrap_or(0));
            [visible_line(name)].into_iter().chain(counts.map(|it| it.to_string())).collect()
        })
        .collect();
    if !rows.is_empty() {
        shell.ui.out("");
        shell.ui.rows(&HINDSIGHT, rows);
    }
    if !stats.by_provider.is_empty() {
        shell.ui.out("");
        let rows = stats.by_provider.iter().map(|(name, one)| {
            vec![
                visible_line(name),
                one.asked.to_string(),
                format!("{} ({})", one.failed, share(one.failure_rate)),
                one.calls.to_string(),
                seconds(one.ms),
                money_or_unknown(one.usd),
            ]
        });
        shell.ui.rows(&PROVIDERS, rows.collect());
    }
    if !stats.dissent.is_empty() {
        shell.ui.out("");
        let rows = stats.dissent.iter().map(|(name, one)| {
            vec![visible_line(name), one.dissented.to_string(), one.adopted.to_string()]
        });
        shell.ui.rows(&DISSENT, rows.collect());
    }
    Ok(Exit::Done)
}

fn share(rate: Option<f64>) -> String {
    rate.map_or_else(|| "-".to_owned(), |rate| format!("{:.0} %", rate * 100.0))
}
