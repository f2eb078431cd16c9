//! What calls may cost, noted before each is made: what a run that is killed had begun is recorded by the next one, so
//! that limits of calls and money hold over both.

use std::sync::Arc;

use super::Runner;
use super::answer::Answered;
use super::aside::aside;
use super::dispatch::Dispatcher;
use super::job::Job;
use crate::provider::{Book, CallError, FailureCode, NoteFuture, Paid};
use crate::store::{Reservations, Reserved};
use crate::transcript::{Draft, Name};
use crate::workspace::WorkspaceError;

/// What is recorded of a call whose end nobody saw.
pub(super) const KILLED: &str = "the run ended during this call, which counts at its maximum price";

/// The notes of what one participant's calls may come to.
#[derive(Debug)]
struct Notes {
    all: Reservations,
    begun: Reserved,
}

impl Book for Notes {
    fn note(&self, most: Paid) -> NoteFuture<'_> {
        let Paid { calls, usd } = most;
        let (all, what) = (self.all.clone(), Reserved { calls, usd, ..self.begun.clone() });
        Box::pin(async { aside(move || all.note(what)).await.map_err(|error| error.to_string()) })
    }
}

/// Where a job's calls are noted.
pub(super) fn book(all: &Reservations, job: &Job, provider: &str) -> Arc<dyn Book> {
    let (who, turn, opened) = (job.alias.clone(), job.turn, job.opened);
    let begun = Reserved { who, turn, opened, provider: provider.to_owned(), calls: 0, usd: 0.0 };
    Arc::new(Notes { all: all.clone(), begun })
}

impl Runner {
    /// Records what runs before this one began and did not live to record.
    pub(super) async fn count_killed(
        &self,
        run: &mut Dispatcher<'_>,
    ) -> Result<(), WorkspaceError> {
        let notes = self.workspace.open_with(run.path(), Reservations::of)?;
        let look = notes.clone();
        if aside(move || look.left().is_empty()).await {
            return Ok(());
        }
        // Whoever stops this run meanwhile is heard by the loop.
        let Some(locked) = self.locked(run.path(), run.given_up(), run.abort()).await else {
            return Ok(());
        };
        let (mut writer, snapshot) = locked?;
        if snapshot.state.closed {
            return Ok(());
        }
        let now = self.workspace.now();
        let left = self.workspace.reserved(run.path(), &snapshot).into_iter();
        let drafts: Vec<Draft> = left
            .filter_map(|one| {
                let name = Name::parse(snapshot.config.name_of(&one.who)).ok()?;
                Some(killed(name, one).draft(now))
            })
            .collect();
        aside(move || {
            if !drafts.is_empty() {
                writer.append(&drafts)?;
            }
            notes.clear()
        })
        .await?;
        Ok(())
    }
}

fn killed(name: Name, one: Reserved) -> Answered {
    let paid = (one.provider, Paid { calls: one.calls, usd: one.usd });
    let error = CallError::new(FailureCode::Stopped, KILLED);
    Answered::broken_off(one.who, name, one.turn, paid, error)
}
