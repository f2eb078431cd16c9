//! Discussions within a discussion: opened, run on by the same loop, and closed with what they came to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Runner;
use super::aside::aside;
use super::dispatch::Dispatcher;
use super::mode::RunMode;
use super::options::{Limits, Settings};
use super::report::{Limit, Stopped};
use crate::engine::{ChildSpec, Decision, Snapshot, Stop, reported};
use crate::store::{RunLock, StoreError};
use crate::transcript::{ChildEnd, ChildFile, ChildLine, Control, Draft, Usd, inline};
use crate::view::ResultDocument;
use crate::workspace::{
    Ancestor, NestError, NoRoom, Within, Workspace, WorkspaceError, child_path,
};

/// What is said of a discussion that was asked for and may not be opened.
const REFUSED: &str = "REFUSED";

impl From<NoRoom> for Limit {
    fn from(why: NoRoom) -> Self {
        match why {
            NoRoom::Time => Self::Time,
            NoRoom::Calls => Self::Calls,
            NoRoom::Usd => Self::Usd,
        }
    }
}

impl Runner {
    /// The lock of the discussion above all others: all of a tree are run one after the other, so that what is counted
    /// over all of them is counted once. Whoever is asked there at this moment has their own run meanwhile.
    pub(super) async fn lock_above(&self, path: &Path) -> Result<Option<RunLock>, WorkspaceError> {
        let snapshot = self.workspace.snapshot(path)?;
        if snapshot.transcript.head.as_ref().is_none_or(|head| head.parent.is_none()) {
            return Ok(None);
        }
        let chain = self.workspace.chain(path, &snapshot)?;
        let Some(root) = chain.last().map(|root| root.path.clone()) else { return Ok(None) };
        let is_meanwhile = chain.get(1).is_some_and(|parent| parent.waits_for(&chain[0]));
        let workspace = Arc::clone(&self.workspace);
        let taken = aside(move || {
            workspace.open_with(&root, |root| match RunLock::take(root) {
                Err(StoreError::Running { .. }) if is_meanwhile => RunLock::take_within(root),
                taken => taken,
            })
        });
        Ok(Some(taken.await?))
    }

    /// Takes a discussion's own run lock.
    pub(super) async fn lock_run(&self, path: &Path) -> Result<RunLock, WorkspaceError> {
        let (workspace, path) = (Arc::clone(&self.workspace), path.to_owned());
        aside(move || workspace.open_with(&path, RunLock::take)).await
    }

    /// Has its parent take the result of a discussion that somebody opened who was asked there: they answer with it.
    pub(super) async fn tell_parent(
        &self,
        path: &Path,
        stopped: &Stopped,
    ) -> Result<(), WorkspaceError> {
        if !matches!(stopped, Stopped::Stop(Stop::Finished | Stop::Closed)) {
            return Ok(());
        }
        let snapshot = self.workspace.snapshot(path)?;
        let chain = self.workspace.chain(path, &snapshot)?;
        let [own, parent, ..] = &chain[..] else { return Ok(()) };
        let line = parent.line_of(own).filter(|line| line.by.is_some());
        let Some(file) = line.map(|line| line.file.clone()) else { return Ok(()) };
        let above = parent.path.clone();
        let drafts = self.ended(path, &file, None)?;
        let workspace = Arc::clone(&self.workspace);
        aside(move || {
            let mut writer = workspace.writer(&above)?;
            let now = workspace.exact(&writer.read()?)?;
            // Whoever else wrote its end meanwhile did the same.
            if now.state.is_open(&file) {
                writer.append(&drafts)?;
            }
            Ok(())
        })
        .await
    }

    /// The line with which a discussion within this one begins, where it may. One that a participant asks for and that
    /// may not be opened is over with that: no model's words keep a discussion from going on.
    pub(super) fn open_child(
        &self,
        run: &Dispatcher<'_>,
        snapshot: &Snapshot,
        spec: &ChildSpec,
    ) -> Result<Result<Vec<Draft>, Limit>, WorkspaceError> {
        if let Some(limit) = run.turn_limit() {
            return Ok(Err(limit));
        }
        let chain = self.workspace.chain(run.path(), snapshot)?;
        let file = self.workspace.child_file(&chain[0], spec).ok_or_else(|| {
            let (file, parent) = (spec.topic.clone(), self.workspace.shown(run.path()));
            NestError::Other { file, parent }
        })?;
        let (turn, by) = (spec.turn, spec.by.clone());
        let at = Some(self.workspace.now());
        let line = ChildLine { turn, by, file: file.clone(), at };
        let begins = Draft::Control(Control::Child(line));
        let why = match self.may_open(run, &chain, spec) {
            Ok(Ok(())) => return Ok(Ok(vec![begins])),
            Ok(Err(why)) if spec.by.is_none() => return Ok(Err(why.into())),
            Err(error) if spec.by.is_none() => return Err(error),
            Ok(Err(why)) => why.to_string(),
            Err(error) => error.to_string(),
        };
        let end = ChildEnd { file, calls: 0, usd: None, status: REFUSED.to_owned() };
        let text = format!("**{}** was not discussed: {}", inline(&spec.topic), inline(&why));
        Ok(Ok([begins, Draft::Control(Control::ChildEnd(end))]
            .into_iter()
            .chain(reported(text))
            .collect()))
    }

    /// Whether a discussion can be made, and has anything to spend.
    fn may_open(
        &self,
        run: &Dispatcher<'_>,
        chain: &[Ancestor],
        spec: &ChildSpec,
    ) -> Result<Result<(), NoRoom>, WorkspaceError> {
        let within = self.within(run, chain, spec)?;
        // What could not be made is refused before anything says that it was begun.
        self.workspace.child_text(&chain[0], spec, &within)?;
        Ok(within.insist_on_room(self.workspace.now()))
    }

    /// Runs a discussion within this one to its end, and records that. Gives why the run stops, where it does.
    pub(super) async fn run_child(
        &self,
        run: &mut Dispatcher<'_>,
        snapshot: &Snapshot,
        file: &ChildFile,
    ) -> Result<Option<Stopped>, WorkspaceError> {
        let path = child_path(run.path(), file);
        if path.symlink_metadata().is_ok() {
            self.workspace.insist_on_child(run.path(), &path)?;
        } else if let Some(limit) = self.make_child(run, snapshot, file, &path)? {
            return Ok(Some(Stopped::Limit(limit)));
        }
        let stopped = self.go_within(run, path.clone()).await?;
        let limit = match stopped {
            Stopped::Stop(Stop::Finished | Stop::Closed) => None,
            Stopped::Aborted => return Ok(Some(Stopped::Aborted)),
            // The child's own head allows nothing more, whatever its parent may still spend: no later run of the parent
            // could finish it. The parent takes what there is and goes on.
            Stopped::Limit(limit) if self.is_used_up(&path, limit, &run.left())? => Some(limit),
            stopped => {
                let file = self.workspace.exactly(&path);
                return Ok(Some(Stopped::Within { file, stopped: Box::new(stopped) }));
            }
        };
        let drafts = self.ended(&path, file, limit)?;
        let locked = self.locked(run.path(), run.given_up(), run.abort()).await;
        let Some(locked) = locked else { return Ok(Some(Stopped::Aborted)) };
        let (mut writer, now) = locked?;
        // Whoever else wrote its end meanwhile did the same.
        if now.state.open_child().is_some_and(|child| child.line.file == *file) {
            aside(move || writer.append(&drafts)).await?;
        }
        Ok(None)
    }

    /// Whether a limit in the discussion's own head stopped it for good. A limit of this run alone does not: the next
    /// run goes on.
    fn is_used_up(&self, path: &Path, limit: Limit, left: &Limits) -> Result<bool, WorkspaceError> {
        let own = self.workspace.own_budget(path, &self.workspace.exact_at(path)?)?;
        Ok(match limit {
            Limit::Calls => own.calls == Some(0),
            Limit::Usd => {
                let run = left.max_usd.unwrap_or(f64::INFINITY);
                own.usd.is_some_and(|own| own <= run)
            }
            Limit::Time => own.until.is_some_and(|until| until <= self.workspace.now()),
            Limit::Turns | Limit::Price => false,
        })
    }

    fn make_child(
        &self,
        run: &Dispatcher<'_>,
        snapshot: &Snapshot,
        file: &ChildFile,
        path: &Path,
    ) -> Result<Option<Limit>, WorkspaceError> {
        let child = snapshot.state.children.iter().find(|child| child.line.file == *file);
        let spec = child.map(|child| snapshot.spec_of(child)).transpose()?.flatten();
        let spec = spec.ok_or_else(|| NestError::Gone {
            file: self.workspace.shown(path),
            parent: self.workspace.shown(run.path()),
        })?;
        let chain = self.workspace.chain(run.path(), snapshot)?;
        let within = self.within(run, &chain, &spec)?;
        if let Err(why) = within.insist_on_room(self.workspace.now()) {
            return Ok(Some(why.into()));
        }
        let text = self.workspace.child_text(&chain[0], &spec, &within)?;
        self.workspace.make_child(run.path(), file, &text)?;
        Ok(None)
    }

    /// What a discussion within this one gets of what is left: all but what its parent still needs itself.
    fn within(
        &self,
        run: &Dispatcher<'_>,
        chain: &[Ancestor],
        spec: &ChildSpec,
    ) -> Result<Within, WorkspaceError> {
        let (budget, parent) = (run.budget(), &chain[0].snapshot);
        let child = self.workspace.sketch(parent, spec).ok();
        let own = Workspace::calls_kept(parent, child.as_ref(), &budget)?;
        self.workspace.within(chain, spec, &budget, own)
    }

    /// The same loop on another file, out of the same purse.
    async fn go_within(
        &self,
        run: &mut Dispatcher<'_>,
        path: PathBuf,
    ) -> Result<Stopped, WorkspaceError> {
        let _alone = self.lock_run(&path).await?;
        let settings = Settings {
            mode: RunMode::run(run.waiting()),
            calls: run.options().clone(),
            limits: run.left(),
            checks_price: false,
        };
        let abort = run.abort();
        let report = self.run_locked(path, settings, run.observer(), abort).await?;
        let stopped = report.report.stopped.clone();
        run.spent_within(report);
        Ok(stopped)
    }

    /// Returns the lines that record a discussion's result in its parent. `limit`: the limit at which it ended.
    fn ended(
        &self,
        path: &Path,
        file: &ChildFile,
        limit: Option<Limit>,
    ) -> Result<Vec<Draft>, WorkspaceError> {
        let snapshot = self.workspace.exact_at(path)?;
        let cost = self.workspace.tree_cost(path, &snapshot);
        let status = Decision::of(&snapshot).status;
        let usd = Usd { amount: cost.usd, estimated: cost.estimated };
        let end = ChildEnd {
            file: file.clone(),
            calls: cost.calls,
            usd: Some(usd).filter(|usd| usd.amount > 0.0),
            status: status.as_str().to_owned(),
        };
        let shown = self.workspace.exactly(path);
        let result = ResultDocument::of(&snapshot, &shown)?;
        let outcome = result.outcome();
        let words = if outcome.text.trim().is_empty() {
            snapshot.synthesis().unwrap_or_default()
        } else {
            outcome.text.clone()
        };
        let mut text = format!(
            "**{}** was discussed in `{file}`: {}.",
            inline(&snapshot.state.title),
            status.as_str()
        );
        if let Some(limit) = limit {
            let what = match limit {
                Limit::Calls => "calls",
                Limit::Time => "time",
                Limit::Turns => "turns",
                Limit::Usd | Limit::Price => "money",
            };
            text.push_str(&format!(" It ended at its limit of {what}, before its last phase."));
        }
        let decision = outcome.decision.as_deref().filter(|decision| !words.contains(decision));
        let parts = decision.into_iter().chain([words.as_str()]).map(str::trim);
        for part in parts.filter(|part| !part.is_empty()) {
            text = format!("{text}\n\n{part}");
        }
        if !outcome.conditions.is_empty() {
            text.push_str("\n\nConditions:\n");
            for one in &outcome.conditions {
                text.push_str(&format!("\n- {} ({}): {}", one.participant, one.vote, one.text));
            }
        }
        let mut drafts = vec![Draft::Control(Control::ChildEnd(end))];
        drafts.extend(reported(text));
        Ok(drafts)
    }
}
