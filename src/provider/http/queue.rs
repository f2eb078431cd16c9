//! So many at once to one service, and the others wait in the order in which they came.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Url;

/// A service, and how many may ask it at once.
type Door = (String, u32);

/// One line before each service: several definitions may mean the same one.
static QUEUES: LazyLock<Mutex<HashMap<Door, Arc<Semaphore>>>> = LazyLock::new(Mutex::default);

/// Somebody's turn, until it is dropped.
#[derive(Debug)]
pub struct Turn(
    #[expect(dead_code, reason = "held, never looked at")] Option<OwnedSemaphorePermit>,
);

/// Waits until fewer than `most` are asking the service.
pub(super) async fn turn(url: &Url, most: u32) -> Turn {
    let queue = {
        let mut queues = QUEUES.lock();
        let queue = queues
            .entry((url.host(), most))
            .or_insert_with(|| Arc::new(Semaphore::new(most.max(1) as usize)));
        Arc::clone(queue)
    };
    // It is never closed.
    Turn(queue.acquire_owned().await.ok())
}
