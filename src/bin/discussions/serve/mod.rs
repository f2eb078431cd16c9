//! The browser's front end: pages that work without a script, what happens while it happens, an interface for programs.

mod alive;
mod api;
mod connections;
mod dialogue;
mod earlier;
mod events;
mod forms;
mod guard;
mod house;
mod key;
mod openapi;
mod page;
mod picture;
mod refusal;
mod room;
mod tale;
mod words;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, Query, State as Shared};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use discussions::runner::RunRequest;
use discussions::view::Standing;
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::spawn_blocking;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::UnboundedReceiverStream;

use self::api::{Asked, asked};
use self::connections::Limits;
use self::house::House;
use self::key::Key;
use self::page::{Draft, Home, Html, Scene};
use self::picture::Picture;
use self::refusal::{Refusal, Wanted};
use self::room::Sight;
use crate::cli::error::{Exit, Failure};
use crate::cli::interrupt;
use crate::cli::shell::Shell;
use crate::cli::verbs::serve::Args;

/// How long answers may still be sent once the server ends.
const PATIENCE: Duration = Duration::from_secs(2);

/// The usual port.
const PORT: u16 = 8640;

/// How many ports from there on are tried.
const TRIED: u16 = 20;

/// Bytes of the longest body.
const LONGEST_BODY: usize = 1 << 20;

/// Serves until somebody stops it.
pub(crate) fn serve(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    if args.listen.is_unspecified() {
        return Err(Failure::usage(format!(
            "cannot serve on {}: give a concrete address",
            args.listen
        ))
        .help("name the address at which others reach this machine: --listen 192.168.1.10"));
    }
    let workspace = shell.workspace()?;
    let author = shell.author(&workspace, None)?;
    if let Some(provider) = &args.provider {
        workspace.insist_on_provider(provider)?;
    }
    let request = RunRequest {
        provider: args.provider.clone(),
        max_usd: args.max_usd,
        ..RunRequest::guarded()
    };
    let outside = shell.outside.clone();
    let key = Key::new()
        .map_err(|error| Failure::io(format!("cannot generate a session key: {error}")))?;
    interrupt::finished(async {
        let (listener, listens) = listen(args.listen, args.port).await.map_err(|(at, error)| {
            Failure::io(format!("cannot listen on {at}: {error}"))
                .help("choose another port with --port, or another address with --listen")
        })?;
        if args.port.is_none() && listens.port() != PORT {
            let port = listens.port();
            shell.ui.note(format!("Port {PORT} is in use, so this server uses port {port}."));
        }
        let house = House::new(outside, (key, listens), author, request);
        let house = Arc::new(house);
        shell.ui.out(format!("{}/?token={}", house.address(), house.key.words()));
        if !listens.ip().is_loopback() {
            shell.ui.warning(
                "other machines can reach this address and nothing is encrypted: anyone who reads the key can do here what you can",
            );
        }
        if args.open {
            open(&house, shell);
        }
        let closing = Arc::clone(&house);
        interrupt::on_signal(move || closing.close());
        let (app, closed) = (router(&house), Arc::clone(&house));
        let over = Arc::clone(&house);
        let late = async move {
            over.closed().await;
            tokio::time::sleep(PATIENCE).await;
        };
        let serving = connections::answer(listener, app, Limits::of_process(), async move {
            closed.closed().await;
        });
        tokio::select! {
            () = serving => {}
            // Who stops in the middle of a request or of an answer holds up nobody.
            () = late => {}
        }
        house.quiet().await;
        Ok::<(), Failure>(())
    })??;
    shell.ui.note("Stopped. Answers so far are kept.");
    Ok(Exit::Done)
}

/// Listens at the port that was asked for; without one at the usual one, the next that is free or any.
async fn listen(
    address: IpAddr,
    port: Option<u16>,
) -> Result<(TcpListener, SocketAddr), (SocketAddr, io::Error)> {
    let ports = match port {
        Some(port) => vec![port],
        None => (PORT..PORT + TRIED).chain([0]).collect(),
    };
    let mut failed = None;
    for port in ports {
        let at = SocketAddr::new(address, port);
        match TcpListener::bind(at).await.and_then(|listener| {
            let listens = listener.local_addr()?;
            Ok((listener, listens))
        }) {
            Ok(listens) => return Ok(listens),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => failed = Some((at, error)),
            Err(error) => return Err((at, error)),
        }
    }
    Err(failed.unwrap_or_else(|| (SocketAddr::new(address, PORT), io::ErrorKind::AddrInUse.into())))
}

/// Opens the browser with a ticket instead of the key, which others could read in the list of processes.
fn open(house: &House, shell: &mut Shell) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let opened = house.key.new_ticket().ok().map(|ticket| {
        Command::new(opener)
            .arg(format!("{}/?token={ticket}", house.address()))
            // From the root a relative entry of `PATH` names nothing that came with a project.
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    });
    if !matches!(opened, Some(Ok(_))) {
        shell.ui.warning(format!("cannot open a browser with {opener}; open the address yourself"));
    }
}

/// Every way in.
fn router(house: &Arc<House>) -> Router {
    let shared = Arc::clone(house);
    Router::new()
        .route("/", get(home))
        .route("/recall", get(earlier::recall))
        .route("/stats", get(earlier::stats))
        .route("/new", get(forms::fresh).post(forms::begin))
        .route("/d/{name}", get(discussion))
        .route("/d/{name}/events", get(events::events))
        .route("/d/{name}/comments", post(forms::comment))
        .route("/d/{name}/vote", post(forms::comment))
        .route("/d/{name}/turn", post(forms::turn))
        .route("/d/{name}/run", post(forms::run))
        .route("/d/{name}/stop", post(forms::stop))
        .route("/d/{name}/advance", post(forms::advance))
        .route("/d/{name}/close", post(forms::close))
        .route("/d/{name}/reopen", post(forms::reopen))
        .route("/style.css", get(|| embedded("text/css; charset=utf-8", include_str!("style.css"))))
        .route(
            "/live.js",
            get(|| embedded("text/javascript; charset=utf-8", include_str!("live.js"))),
        )
        .route("/icon.svg", get(|| embedded("image/svg+xml", include_str!("icon.svg"))))
        .merge(api::router())
        .fallback(nowhere)
        .method_not_allowed_fallback(not_so)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}

async fn embedded(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind)], text).into_response()
}

async fn nowhere(request: axum::extract::Request) -> Response {
    let refusal = Refusal::new(StatusCode::NOT_FOUND, "nothing found at this address");
    refusal.answer(Wanted::of(&request))
}

async fn not_so(request: axum::extract::Request) -> Response {
    let message = format!("method {} not allowed", request.method());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message).answer(Wanted::of(&request))
}

async fn home(Shared(house): Shared<Arc<House>>) -> Response {
    let stopped = house.stopped();
    let read = house.aside(move |workspace| {
        let list = workspace.list(None)?;
        let named = |(path, why): (PathBuf, String)| (workspace.name(&path), why);
        let is_open = |name: &str| {
            let one = list.discussions.iter().find(|one| one.name == name);
            one.is_some_and(|one| matches!(one.status, Standing::Open | Standing::Blocked))
        };
        let stopped = stopped.into_iter().map(named).filter(|(name, _)| is_open(name));
        let stopped: Vec<_> = stopped.collect();
        Ok((list, stopped))
    });
    match read.await {
        Ok((list, stopped)) => {
            let home = Home { list: &list, author: &house.author, stopped: &stopped };
            page::home(&home).into_response()
        }
        Err(refusal) => refusal.answer(Wanted::Page),
    }
}

/// In which form somebody reads.
#[derive(Deserialize)]
struct Reads {
    /// Anything: only to follow what goes on.
    follow: Option<String>,
}

async fn discussion(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    reads: Asked<Reads>,
) -> Response {
    let page = async {
        let Query(Reads { follow }) = asked(reads)?;
        let draft = Draft { author: house.author.clone(), ..Draft::default() };
        drawn(&house, &name, follow.is_some(), draft).await
    };
    page.await.unwrap_or_else(|refusal| refusal.answer(Wanted::Page))
}

/// The page of a discussion, with what stands in its composer already.
async fn drawn(
    house: &Arc<House>,
    name: &str,
    follows: bool,
    draft: Draft,
) -> Result<Response, Refusal> {
    let find = house.found(name, |workspace, path| Ok((workspace.show(&path)?, path)));
    let (shown, path) = find.await?;
    let list = house.list().await?;
    let room = house.known_room(&path);
    let mut state = room.as_ref().map(|room| room.state().borrow().clone()).unwrap_or_default();
    if !state.is_running {
        state.price = house.price_of_next(&path, &shown).await;
    }
    let seen = room.map(|room| room.sight().borrow().clone());
    let name = name.to_owned();
    // However slowly it is read: what is drawn waits here, and holds up nobody.
    let (send, pieces) = unbounded_channel();
    let fails = send.clone();
    let drawing = spawn_blocking(move || {
        // What was drawn for others already need not be drawn again.
        let picture = match seen {
            Some(Sight::Seen(seen)) if seen.shown.text == shown.text => seen,
            _ => Arc::new(Picture::of(shown)),
        };
        let (picture, state, list) = (&*picture, &state, &*list);
        let scene = Scene { name: &name, picture, state, list, draft: &draft, follows };
        page::discussion(&scene, &mut |piece| send.send(Ok(piece)).is_ok());
    });
    // A page that breaks off has to be seen to.
    tokio::spawn(async move { drawing.await.map_err(|broken| fails.send(Err(broken))) });
    let pieces = UnboundedReceiverStream::new(pieces).map(|piece| piece.map(Html::done));
    Ok(page::Answer(Body::from_stream(pieces)).into_response())
}
