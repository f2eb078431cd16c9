//! Runs that go on inside the server, whoever waits for them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use discussions::runner::{AbortHandle, Progress, Run, RunRequest};
use discussions::view::Ran;
use discussions::workspace::{Consents, Workspace};
use tokio::sync::{broadcast, watch};

use super::purse::Purse;
use super::trouble::Trouble;
use super::words;

/// What is kept for whoever is slow to read what happened.
const TOLD: usize = 256;

/// How a run ended.
pub(super) type Ended = Result<Ran, Trouble>;

/// A run, as somebody sees it who waits for it.
#[derive(Clone)]
pub(super) struct Going {
    abort: AbortHandle,
    told: broadcast::Sender<String>,
    progress: watch::Receiver<Progress>,
    ended: watch::Receiver<Option<Ended>>,
}

impl Going {
    /// What happens from now on, a sentence each.
    pub(super) fn told(&self) -> broadcast::Receiver<String> {
        self.told.subscribe()
    }

    /// Stops it: running calls end, and no further one begins.
    pub(super) fn stop(&self) {
        self.abort.abort();
    }

    /// How far it is.
    pub(super) fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    /// Waits for its end. None where it vanished without one.
    pub(super) async fn ended(&mut self) -> Option<Ended> {
        self.ended.wait_for(Option::is_some).await.ok()?.clone()
    }
}

/// All that run now, one a file.
pub(super) struct Runs {
    going: Mutex<HashMap<PathBuf, Going>>,
    purse: Mutex<Purse>,
}

impl Runs {
    pub(super) fn new(max_usd: Option<f64>) -> Self {
        Self { going: Mutex::default(), purse: Mutex::new(Purse::new(max_usd)) }
    }

    /// The run of a file, if one goes on.
    pub(super) fn of(&self, path: &Path) -> Option<Going> {
        lock(&self.going).get(path).cloned()
    }

    /// Begins one, or gives that which goes on. Must be called within a tokio runtime.
    pub(super) fn start(
        self: &Arc<Self>,
        workspace: &Arc<Workspace>,
        path: &Path,
        request: RunRequest,
        consents: Consents,
    ) -> Result<Going, Trouble> {
        let mut all = lock(&self.going);
        if let Some(going) = all.get(path) {
            return Ok(going.clone());
        }
        let taken = lock(&self.purse).take(request.max_usd);
        let request = RunRequest { max_usd: taken, ..request };
        let run = workspace.run(path, request, consents).map_err(|error| {
            lock(&self.purse).put_back(taken, 0.0);
            Trouble::from(error)
        })?;
        let (told, _) = broadcast::channel(TOLD);
        let (far, progress) = watch::channel(run.progress());
        let (over, ended) = watch::channel(None);
        let going = Going { abort: run.abort_handle(), told: told.clone(), progress, ended };
        all.insert(path.to_owned(), going.clone());
        let (runs, path) = (Arc::clone(self), path.to_owned());
        tokio::spawn(async move {
            let ended = followed(run, &told, &far).await;
            let spent = ended
                .as_ref()
                .map_or(taken.unwrap_or_default(), |ran| ran.cost.usd.unwrap_or_default());
            lock(&runs.purse).put_back(taken, spent);
            lock(&runs.going).remove(&path);
            over.send_replace(Some(ended));
        });
        Ok(going)
    }

    /// Stops all that run: their process groups end, their files keep what was answered.
    pub(super) async fn end_all(&self) {
        let all: Vec<Going> = lock(&self.going).values().cloned().collect();
        for going in &all {
            going.abort.abort();
        }
        for mut going in all {
            going.ended().await;
        }
    }
}

/// Tells what happens, until the end.
async fn followed(
    mut run: Run,
    told: &broadcast::Sender<String>,
    far: &watch::Sender<Progress>,
) -> Ended {
    while let Some(event) = run.next().await {
        far.send_replace(run.progress());
        if let Some(sentence) = words::event(&event) {
            // Nobody waiting is no reason to stop.
            let _ = told.send(sentence);
        }
    }
    Ok(run.end().await?)
}

/// A panic elsewhere leaves what is kept here whole.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
