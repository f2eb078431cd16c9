//! Shows the calls and the files that a command would make, without making them.

use discussions::view::{Planned, visible_line};

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Shows the planned calls, and the fallbacks of unavailable providers.
pub(crate) fn tell(shell: &mut Shell, plan: &Planned, json: bool) -> Result<Exit, CommandError> {
    for call in &plan.asks {
        let first = call.providers.first().map_or("", String::as_str);
        let Some(missing) = &call.passed_over else { continue };
        let line = shell.notices.passed_over(&missing.provider, &missing.why(), first);
        line.into_iter().for_each(|line| shell.ui.insist_wrapped(line));
    }
    if json {
        shell.ui.json(plan);
        return Ok(Exit::Done);
    }
    let file = visible_line(&plan.file);
    if plan.asks.is_empty() {
        shell.ui.out("No participant would be asked.");
    }
    for call in &plan.asks {
        let providers = call.providers.join(", then ");
        shell.ui.out(
            Line::default()
                .text("Would ask ")
                .strong(format!("@{}", call.participant))
                .text(format!(" through {providers}; the prompt has {} bytes:", call.prompt.len())),
        );
        shell.ui.out("");
        shell.ui.page(indented(&call.prompt));
        shell.ui.out("");
    }
    if plan.appends.is_empty() {
        shell.ui.out(format!("Nothing would be written to {file} before the answers."));
        return Ok(Exit::Done);
    }
    shell.ui.out(format!("Would write to {file} now:"));
    shell.ui.out("");
    for line in plan.appends.lines() {
        shell.ui.out(Line::default().colour(anstyle::AnsiColor::Green, format!("+{line}")));
    }
    Ok(Exit::Done)
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") })
        .collect()
}
