//! The command of a phase: run with consent, as a provider's command is, and recorded as a comment.

use std::sync::Arc;

use tokio::time::{Instant, sleep_until};

use super::aside::aside;
use super::dispatch::Dispatcher;
use super::report::{Limit, Stopped};
use super::{FAR, Runner};
use crate::engine::{Snapshot, Step, next, reported};
use crate::provider::{CallContext, FailureCode, Reach, Request, TrustError};
use crate::transcript::{Alias, fenced, visible_line};
use crate::workspace::{ToolError, WorkspaceError};

impl Runner {
    /// Runs the command of the current phase and records what it printed. Gives why the run stops, where it does.
    pub(super) async fn run_tool(
        &self,
        run: &mut Dispatcher<'_>,
        snapshot: &Snapshot,
    ) -> Result<Option<Stopped>, WorkspaceError> {
        if let Some(limit @ Limit::Time) = run.turn_limit() {
            return Ok(Some(Stopped::Limit(limit)));
        }
        let phase = snapshot.phase();
        let Some(tool) = self.workspace.tool(snapshot.template(), phase)? else { return Ok(None) };
        let (env, project) = (&self.workspace.environment, self.workspace.setup.base());
        let trusted = self.consents.trust(&tool, env, project)?;
        let provider = trusted.open(env).map_err(TrustError::from)?;
        let failed = |reason: String| ToolError { phase: phase.id.clone(), reason };
        let participant = Alias::parse("template").map_err(|error| failed(error.to_string()))?;
        let context = CallContext {
            participant,
            phase: phase.id.clone(),
            turn: 0,
            file: run.path().clone(),
            temperature: None,
            reach: Reach::default(),
        };
        let request = Request {
            prefix: Arc::from(""),
            tail: "",
            context: &context,
            deadline: tool.definition.common.timeout.get(),
            longest: None,
            usd: None,
            on_text: None,
        };
        let end = run.deadline().unwrap_or_else(|| Instant::now() + FAR);
        let mut abort = run.abort();
        // Whoever drops the call ends what it started.
        let result = tokio::select! {
            biased;
            () = abort.set() => return Ok(Some(Stopped::Aborted)),
            result = provider.call(request) => result,
            () = sleep_until(end) => return Ok(Some(Stopped::Limit(Limit::Time))),
        };
        let words = phase.run.as_ref().map(|tool| shell_words::join(&tool.command));
        let words = visible_line(&words.unwrap_or_default());
        let text = match result {
            Ok(reply) => format!("Ran `{words}`:\n\n{}", fenced("text", &reply.text)),
            Err(error) => match error.code {
                FailureCode::NotInstalled
                | FailureCode::CannotStart
                | FailureCode::Misconfigured => {
                    return Err(failed(error.message).into());
                }
                FailureCode::Empty => format!("Ran `{words}`; it printed nothing."),
                _ => format!("Ran `{words}`, and it failed:\n\n{}", fenced("text", &error.message)),
            },
        };
        let locked = self.locked(run.path(), run.given_up(), run.abort()).await;
        let Some(locked) = locked else { return Ok(Some(Stopped::Aborted)) };
        let (mut writer, now) = locked?;
        // What people did meanwhile may have led on.
        if now.phase().id == phase.id
            && matches!(next(&now, now.state.turns.len())?, Step::Tool(_))
            && let Some(comment) = reported(text)
        {
            aside(move || writer.append(&[comment])).await?;
        }
        Ok(None)
    }
}
