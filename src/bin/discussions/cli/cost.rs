//! Prints the expected cost before a run, and the share of cached prompts after it.

use std::path::Path;
use std::sync::Arc;

use discussions::runner::Work;
use discussions::view::Ran;
use discussions::workspace::Workspace;

use crate::cli::error::CommandError;
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Returns lines about the usual and the maximum cost of a run, to be printed before any provider is called.
pub(crate) fn forecast_lines(
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
) -> Result<Vec<Line>, CommandError> {
    let Work::Run(request) = work else { return Ok(Vec::new()) };
    let ahead = workspace.forecast(path, work)?;
    let mut told: Vec<Line> =
        ahead.moved.iter().map(|moved| Line::hint("note", moved.as_str())).collect();
    if ahead.calls == 0 || !ahead.may_cost() {
        return Ok(told);
    }
    let limit = match (request.max_usd, ahead.unpriced.is_empty()) {
        (Some(limit), _) => format!("the run spends at most ${limit:.2}"),
        (None, true) => "--max-usd sets a limit".to_owned(),
        (None, false) => "--max-calls sets a limit".to_owned(),
    };
    told.push(Line::hint("note", format!("{}; {limit}", ahead.sentence())));
    Ok(told)
}

/// Prints the share of the prompts that came from caches, if a provider reported it.
pub(crate) fn cached(shell: &mut Shell, ran: &Ran) {
    let (Some(real), Some(possible)) = (ran.cost.cached_share, ran.cost.cacheable_share) else {
        return;
    };
    if real > 0.0 || possible > 0.0 {
        let (real, possible) = (real * 100.0, possible * 100.0);
        shell.ui.hint(
            "cache",
            format!(
                "{real:.0} % of the prompts came from caches; {possible:.0} % had been sent before"
            ),
        );
    }
}
