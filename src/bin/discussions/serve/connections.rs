//! Connections: their maximum number, and the time limit for a request to arrive.
//!
//! A client without the key must not lock out a user who has it. So the head of a request must arrive soon, and
//! connections without the key are limited: a new one replaces the oldest. Some descriptors are reserved for files.

use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use crate::platform::open_file_limit;

/// The time limit for the head of a request, and for the wait between two requests of a connection.
const HEAD: Duration = Duration::from_secs(10);
/// The pause after the system refused a further connection.
const PAUSE: Duration = Duration::from_millis(100);
/// The maximum number of connections that have not shown the key.
const UNKNOWN: usize = 256;
/// The assumed number of descriptors if the system does not report it.
const DESCRIPTORS: usize = 256;
/// The number of equal shares of all descriptors. One share is the limit for connections without the key; another share
/// is reserved for files.
const PART: usize = 4;

/// The maximum numbers of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ConnectionLimits {
    /// Connections that have not shown the key.
    unknown: usize,
    /// All connections.
    all: usize,
}

impl ConnectionLimits {
    /// Returns the limits for the number of descriptors of this process.
    pub(super) fn of_process() -> Self {
        Self::of(open_file_limit().unwrap_or(DESCRIPTORS))
    }

    fn of(descriptors: usize) -> Self {
        let part = (descriptors / PART).max(1);
        Self { unknown: part.min(UNKNOWN), all: descriptors.saturating_sub(part).max(1) }
    }
}

/// The handle of a connection for its requests.
#[derive(Clone)]
pub(super) struct Connection {
    number: u64,
    open: Arc<OpenConnection>,
}

impl Connection {
    /// Records that a request had the key, so that this connection is not closed to make space for another one.
    pub(super) fn showed_key(&self) {
        self.open.entries.lock().unknown.remove(&self.number);
    }
}

/// All open connections.
struct OpenConnection {
    limits: ConnectionLimits,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    /// The number of the last connection.
    last: u64,
    count: usize,
    /// The signal that closes each connection without the key, the oldest first.
    unknown: BTreeMap<u64, Arc<Notify>>,
}

impl OpenConnection {
    /// Adds a connection. If there are too many, closes the oldest one without the key. Returns
    /// `None` if there are too many and all of them have shown the key.
    fn add(self: &Arc<Self>) -> Option<(Connection, Arc<Notify>)> {
        let mut entries = self.entries.lock();
        if entries.unknown.len() >= self.limits.unknown || entries.count >= self.limits.all {
            let (_, oldest) = entries.unknown.pop_first()?;
            oldest.notify_one();
        }
        entries.last += 1;
        entries.count += 1;
        let (number, closed) = (entries.last, Arc::new(Notify::new()));
        entries.unknown.insert(number, Arc::clone(&closed));
        Some((Connection { number, open: Arc::clone(self) }, closed))
    }

    fn remove(&self, number: u64) {
        let mut entries = self.entries.lock();
        entries.unknown.remove(&number);
        entries.count -= 1;
    }
}

/// Answers requests until `closed` completes, then waits for those in progress.
pub(super) async fn answer(
    listener: TcpListener,
    app: Router,
    limits: ConnectionLimits,
    closed: impl Future<Output = ()>,
) {
    let open = Arc::new(OpenConnection { limits, entries: Mutex::default() });
    let (ending, ends) = watch::channel(false);
    let mut all = JoinSet::new();
    tokio::pin!(closed);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut closed => break,
            Some(_) = all.join_next() => continue,
        };
        match accepted {
            Ok((stream, _)) => {
                if let Some((connection, dropped)) = open.add() {
                    all.spawn(one(stream, app.clone(), connection, dropped, ends.clone()));
                }
            }
            Err(error) if is_of_connection(&error) => {}
            // A descriptor may become free soon.
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
    drop(listener);
    ending.send_replace(true);
    while all.join_next().await.is_some() {}
}

/// Returns true if the client caused the failure.
fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers the requests of one connection.
async fn one(
    stream: TcpStream,
    app: Router,
    connection: Connection,
    dropped: Arc<Notify>,
    mut ends: watch::Receiver<bool>,
) {
    let known = connection.clone();
    let inner = TowerToHyperService::new(app);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(known.clone());
        inner.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let serving = http.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(serving);
    let is_over = tokio::select! {
        // A client that disconnects needs no report.
        _ = serving.as_mut() => true,
        () = dropped.notified() => true,
        () = async { drop(ends.wait_for(|ends| *ends).await) } => false,
    };
    if !is_over {
        serving.as_mut().graceful_shutdown();
        let _ = serving.await;
    }
    connection.open.remove(connection.number);
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::time::Instant;

    use super::*;

    /// Starts a server at which every request shows the key.
    async fn server(limits: ConnectionLimits) -> std::net::SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let known = |connection: axum::Extension<Connection>| async move {
            connection.showed_key();
            "known"
        };
        let app = Router::new().route("/", get(known)).route("/unknown", get(|| async { "who?" }));
        tokio::spawn(answer(listener, app, limits, std::future::pending()));
        address
    }

    async fn ask(stream: &mut TcpStream, path: &str) -> String {
        let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut said = vec![0; 4096];
        let count = stream.read(&mut said).await.unwrap_or(0);
        String::from_utf8_lossy(&said[..count]).into_owned()
    }

    /// Returns true if the server has closed a connection.
    async fn is_closed(stream: &mut TcpStream) -> bool {
        matches!(stream.read(&mut [0; 64]).await, Ok(0) | Err(_))
    }

    #[tokio::test(start_paused = true)]
    async fn request_head_must_arrive_within_ten_seconds() {
        let address = server(ConnectionLimits::of(1024)).await;
        for said in ["", "GET / HTTP/1.1\r\nHost: x\r\n"] {
            let began = Instant::now();
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(said.as_bytes()).await.unwrap();
            assert!(is_closed(&mut stream).await, "{said:?}");
            let waited = began.elapsed();
            assert!((HEAD..HEAD * 2).contains(&waited), "{said:?}: {waited:?}");
        }
    }

    #[tokio::test]
    async fn oldest_connection_without_the_key_is_replaced() {
        let address = server(ConnectionLimits::of(16)).await;
        let mut known = TcpStream::connect(address).await.unwrap();
        assert!(ask(&mut known, "/").await.ends_with("known"));
        let mut idle = Vec::new();
        for _ in 0..40 {
            idle.push(TcpStream::connect(address).await.unwrap());
        }
        let mut person = TcpStream::connect(address).await.unwrap();
        assert!(ask(&mut person, "/").await.ends_with("known"));
        assert!(ask(&mut known, "/").await.ends_with("known"), "it had shown the key");
        for old in &mut idle[..36] {
            assert!(is_closed(old).await);
        }
        assert!(ask(&mut idle[39], "/unknown").await.ends_with("who?"), "the last ones stay");
    }

    #[test]
    fn descriptors_are_reserved_for_files() {
        assert_eq!(ConnectionLimits::of(1024), ConnectionLimits { unknown: 256, all: 768 });
        assert_eq!(ConnectionLimits::of(128), ConnectionLimits { unknown: 32, all: 96 });
        assert_eq!(ConnectionLimits::of(1 << 20).unknown, 256);
        assert_eq!(ConnectionLimits::of(0), ConnectionLimits { unknown: 1, all: 1 });
    }
}
