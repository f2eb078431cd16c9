//! What a turn would do, without doing it.

use std::path::Path;

use super::candidate::Candidate;
use super::choose::{PassedOver, names};
use super::error::RunError;
use super::{Runner, TurnOptions, question};
use crate::engine::{Continue, Situation, prompt, resume};
use crate::state::Charter;
use crate::transcript::{Alias, Control, Draft, append, parse};

/// What a turn would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The number of the turn that they would be asked in; that of the last one where nobody would be.
    pub turn: u32,
    /// Who would be asked, with whole prompts.
    pub calls: Vec<PlannedCall>,
    /// What would be appended before the first call.
    pub appended: String,
}

/// One call that would be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCall {
    /// Who.
    pub participant: Alias,
    /// The providers in order; the later ones only when the earlier fail.
    pub providers: Vec<String>,
    /// The one that would come first, were it installed.
    pub passed_over: Option<PassedOver>,
    /// The exact prompt.
    pub prompt: String,
}

impl Runner {
    /// Finds out what [`Runner::turn`] would do now. Nothing is written and nobody is asked.
    ///
    /// # Errors
    /// As [`Runner::turn`], but for calls.
    pub fn plan(&self, path: &Path, options: &TurnOptions) -> Result<Plan, RunError> {
        self.admit(options)?;
        let discussion = self.workspace.load(path)?;
        discussion.insist(&self.workspace)?;
        let decided = discussion.with(&self.workspace, |situation| -> Result<_, RunError> {
            match resume(situation, &options.request) {
                Continue::Nobody => Ok((Vec::new(), Some(Vec::new()))),
                Continue::Last(missing) => Ok((missing, None)),
                Continue::New(mut line) => {
                    let mut drafts = Vec::new();
                    if let (Some(text), Some(asker)) = (&options.request.ask, &options.asker) {
                        drafts.push(question(asker, text));
                    }
                    line.at = Some(self.workspace.now());
                    let asks = line.asks.clone();
                    drafts.push(Draft::Control(Control::Turn(line)));
                    Ok((asks, Some(drafts)))
                }
            }
        })??;
        let (asks, drafts) = decided;
        let appended = append(&discussion.document.text, drafts.as_deref().unwrap_or_default());
        // The prompts are those of the file as it will be.
        let text = format!("{}{appended}", discussion.document.text);
        let transcript = parse(&text);
        let defaults = self.workspace.defaults();
        let charter = Charter::new(
            transcript.head.as_ref(),
            &discussion.template,
            &self.workspace.setup.roster,
            &defaults,
        )
        .map_err(crate::workspace::WorkspaceError::from)?;
        let situation = Situation::new(&transcript, &charter);
        let calls = asks
            .iter()
            .map(|alias| self.planned(&situation, alias, options))
            .collect::<Result<_, _>>()?;
        let turn = situation.state.turns.last().map_or(0, |turn| turn.line.number);
        Ok(Plan { turn, calls, appended })
    }

    fn planned(
        &self,
        situation: &Situation<'_>,
        alias: &Alias,
        options: &TurnOptions,
    ) -> Result<PlannedCall, RunError> {
        let turn = &situation.state.turns[situation.state.turns.len() - 1];
        let chain = self.chain(situation, alias, &options.calls)?;
        Ok(PlannedCall {
            participant: alias.clone(),
            providers: names(chain.candidates.iter().map(Candidate::name)),
            passed_over: chain.passed_over,
            prompt: prompt(situation, turn, alias)?.text,
        })
    }
}
