//! Limits the number of concurrent calls to one service. Further calls wait in the order in which they came.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Url;

/// A service, and the maximum number of concurrent calls to it.
type QueueSlot = (String, u32);

/// One queue for each service, because several definitions may mean the same service.
static QUEUES: LazyLock<Mutex<HashMap<QueueSlot, Arc<Semaphore>>>> = LazyLock::new(Mutex::default);

/// A slot for one call. Dropping it frees the slot.
#[derive(Debug)]
pub struct QueueTurn(
    #[expect(dead_code, reason = "held, never looked at")] Option<OwnedSemaphorePermit>,
);

/// Waits until fewer than `most` calls to the service are running.
pub(super) async fn turn(url: &Url, most: u32) -> QueueTurn {
    let queue = {
        let mut queues = QUEUES.lock();
        let queue = queues
            .entry((url.host(), most))
            .or_insert_with(|| Arc::new(Semaphore::new(most.max(1) as usize)));
        Arc::clone(queue)
    };
    // Acquiring cannot fail, because the semaphore is never closed.
    QueueTurn(queue.acquire_owned().await.ok())
}
