//! How a discussion's result is shown.

use discussions::view::DiscussionResult;
use serde::Serialize;

use crate::cli::live::Form;
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Writes the one document; behind events it is one more line.
pub(crate) fn json(shell: &mut Shell, form: Form, document: &impl Serialize) {
    if form.events { shell.ui.json_line(document) } else { shell.ui.json(document) }
}

/// Shows a result to people: the text first, then how it came about.
pub(crate) fn tell(shell: &mut Shell, result: &DiscussionResult, verbose: bool) {
    if verbose {
        for round in &result.rounds {
            shell.ui.out(Line::default().strong(format!("Round {}", round.round_number)));
            shell.ui.out("");
            for response in &round.responses {
                let mut line = Line::default().strong(&response.provider);
                if let Some(role) = &response.role {
                    line = line.faint(format!(" ({role})"));
                }
                if let Some(vote) = &response.vote {
                    line = line.text(format!(" votes {vote}"));
                }
                shell.ui.out(line);
                shell.ui.out("");
                let error = response.error.as_ref().map(|error| format!("No answer: {error}"));
                shell.ui.out(error.as_deref().unwrap_or(response.content.trim_end()));
                shell.ui.out("");
            }
        }
    }
    let by = result.consensus.synthesizer.as_ref().map(|who| format!(" by {who}"));
    let heading = format!("Synthesis{}", by.unwrap_or_default());
    shell.ui.out(Line::default().strong(heading));
    shell.ui.out("");
    let text = result.synthesis.trim_end();
    shell.ui.out(if text.is_empty() { "Nobody wrote one." } else { text });
    shell.ui.out("");
    tally(shell, result);
    for dissent in &result.consensus.dissent {
        field(shell, "Dissent", &format!("{}: {}", dissent.provider, dissent.position));
    }
    let reached = if result.consensus.reached { "reached" } else { "not reached" };
    let degraded = if result.consensus.degraded { ", degraded" } else { "" };
    field(shell, "Consensus", &format!("{reached}{degraded} ({})", result.consensus.method));
    if !result.failed_providers.is_empty() {
        field(shell, "Failed", &result.failed_providers.join(", "));
    }
    if result.metadata.early_exit.triggered {
        let skipped = result.metadata.early_exit.skipped.join(", ");
        field(shell, "Not asked", &format!("{skipped}; their votes could change nothing"));
    }
    field(shell, "File", &result.file);
}

fn tally(shell: &mut Shell, result: &DiscussionResult) {
    let Some(voting) = &result.voting_results else { return };
    let counts: Vec<String> =
        voting.votes.iter().map(|(option, count)| format!("{option}: {count}")).collect();
    let winner = match (&voting.winner, voting.tied) {
        (_, true) => "; a tie".to_owned(),
        (winner, _) if winner.is_empty() => String::new(),
        (winner, _) => match result.consensus.agreement_score {
            Some(share) => format!("; {winner} has {:.0} % of the weighted votes", share * 100.0),
            None => format!("; {winner} leads"),
        },
    };
    field(shell, "Votes", &format!("{}{winner}", counts.join(", ")));
}

fn field(shell: &mut Shell, name: &str, text: &str) {
    shell.ui.wrapped("", Line::default().faint(format!("{name}: ")).text(text));
}
