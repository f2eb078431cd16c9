//! The browser front end: pages that work without a script, live updates, and an interface for programs.

mod actions;
mod app;
mod connections;
mod dialogue;
mod dialogue_events;
mod discussion;
mod documents;
mod events;
mod guard;
mod live;
mod page;
mod request;
mod site;
mod words;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request, State as Shared};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use discussions::runner::RunOptions;
use tokio::net::TcpListener;

use self::app::AppState;
use self::connections::ConnectionLimits;
use self::guard::SessionKey;
use self::page::{Answer, Home, ListAddress};
use self::request::{ApiError, QueryOf, ResponseFormat, parse_query};
pub(crate) use self::site::export as export_site;
use crate::cli::error::{CommandError, Exit};
use crate::cli::interrupt;
use crate::cli::shell::Shell;
use crate::cli::verbs::serve::Args;
use crate::platform::browser_opener;

/// The time limit for responses in progress when the server shuts down.
const PATIENCE: Duration = Duration::from_secs(2);

/// The default port.
const PORT: u16 = 8640;

/// The number of ports to try, beginning with the default port.
const TRIED: u16 = 20;

/// The maximum number of bytes in a body.
const LONGEST_BODY: usize = 1 << 20;

/// Serves until the user stops the server.
pub(crate) fn serve(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    if args.listen.is_unspecified() {
        return Err(CommandError::usage(format!(
            "cannot serve on {}: give a concrete address",
            args.listen
        ))
        .help("name the address at which others reach this machine: --listen 192.168.1.10"));
    }
    let workspace = shell.workspace()?;
    let author = shell.author(&workspace, None)?;
    if let Some(provider) = &args.provider {
        workspace.providers().insist_on_provider(provider)?;
    }
    let request = RunOptions {
        provider: args.provider.clone(),
        max_usd: args.max_usd,
        ..RunOptions::with_default_limits()
    };
    let outside = shell.outside.clone();
    let key = SessionKey::new()
        .map_err(|error| CommandError::io(format!("cannot generate a session key: {error}")))?;
    interrupt::finished(async {
        let (listener, listens) = listen(args.listen, args.port).await.map_err(|(at, error)| {
            CommandError::io(format!("cannot listen on {at}: {error}"))
                .help("choose another port with --port, or another address with --listen")
        })?;
        if args.port.is_none() && listens.port() != PORT {
            let port = listens.port();
            shell.ui.note(format!("Port {PORT} is in use, so this server uses port {port}."));
        }
        let house = AppState::new(outside, (key, listens), author, request);
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
            over.wait_closed().await;
            tokio::time::sleep(PATIENCE).await;
        };
        let serving =
            connections::answer(listener, app, ConnectionLimits::of_process(), async move {
                closed.wait_closed().await;
            });
        tokio::select! {
            () = serving => {}
            // A client that stalls in the middle of a request or a response must not delay the end.
            () = late => {}
        }
        house.quiet().await;
        Ok::<(), CommandError>(())
    })??;
    shell.ui.note("Stopped. Answers so far are kept.");
    Ok(Exit::Done)
}

/// Listens at the requested port. If none was requested, tries the default port, then the ports
/// after it, then any free port.
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

/// Opens the browser with a ticket instead of the key, because other users could read the key in the process list.
fn open(house: &AppState, shell: &mut Shell) {
    let (opener, first) = browser_opener();
    let opened = house.key.new_ticket().ok().map(|ticket| {
        shell
            .outside
            .command_outside(opener)
            .args(first)
            .arg(format!("{}/?token={ticket}", house.address()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    });
    if !matches!(opened, Some(Ok(_))) {
        shell.ui.warning(format!("cannot open a browser with {opener}; open the address yourself"));
    }
}

/// Returns all routes.
fn router(house: &Arc<AppState>) -> Router {
    let shared = Arc::clone(house);
    Router::new()
        .route("/", get(home))
        .route("/list", get(discussion::list))
        .route("/recall", get(documents::recall))
        .route("/stats", get(documents::stats))
        .route("/new", get(actions::form).post(actions::create))
        .route("/d/{name}", get(discussion::discussion))
        .route("/d/{name}/vote", post(actions::comment))
        .merge(actions_below("/d/{name}"))
        .route("/style.css", get(|| embedded("text/css; charset=utf-8", include_str!("style.css"))))
        .route(
            "/live.js",
            get(|| embedded("text/javascript; charset=utf-8", include_str!("live.js"))),
        )
        .route("/icon.svg", get(|| embedded("image/svg+xml", include_str!("icon.svg"))))
        .merge(programs())
        .fallback(nowhere)
        .method_not_allowed_fallback(not_so)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(Arc::clone(&shared), after_change))
        .layer(from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}

/// Returns the routes of the actions on one discussion, for pages and for programs.
fn actions_below(discussion: &str) -> Router<Arc<AppState>> {
    let at = |action: &str| format!("{discussion}/{action}");
    Router::new()
        .route(&at("events"), get(events::events))
        .route(&at("comments"), post(actions::comment))
        .route(&at("turn"), post(actions::turn))
        .route(&at("run"), post(actions::run))
        .route(&at("stop"), post(actions::stop))
        .route(&at("advance"), post(actions::advance))
        .route(&at("close"), post(actions::close))
        .route(&at("reopen"), post(actions::reopen))
}

/// Returns the routes for programs. [`openapi`] describes each route, and a test compares the two.
fn programs() -> Router<Arc<AppState>> {
    Router::new()
        .route("/api/openapi.json", get(|| async { Json(documents::openapi_document()) }))
        .route("/api/discussion", post(dialogue::start))
        .route("/api/discussions", get(documents::list))
        .route("/api/decisions", get(documents::decisions))
        .route("/api/search", get(documents::search))
        .route("/api/recall", get(documents::recall))
        .route("/api/stats", get(documents::stats))
        .route("/api/discussions/{name}", get(documents::show))
        .route("/api/discussions/{name}/status", get(documents::status))
        .route("/api/discussions/{name}/result", get(documents::result))
        .merge(actions_below("/api/discussions/{name}"))
}

/// Drops the list that the server remembers after each request that may have changed a discussion, so that its sender
/// finds the change on the next page.
async fn after_change(
    Shared(house): Shared<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let may_change = !request.method().is_safe();
    let response = next.run(request).await;
    if may_change {
        house.forget_list();
    }
    response
}

async fn embedded(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind)], text).into_response()
}

async fn nowhere(request: Request) -> Response {
    let refusal = ApiError::new(StatusCode::NOT_FOUND, "nothing found at this address");
    refusal.answer(ResponseFormat::of(&request))
}

async fn not_so(request: Request) -> Response {
    let message = format!("method {} not allowed", request.method());
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message).answer(ResponseFormat::of(&request))
}

async fn home(Shared(house): Shared<Arc<AppState>>, address: QueryOf<ListAddress>) -> Response {
    let page = async {
        let address = parse_query(address)?;
        let list = house.list().await?;
        let is_open = |name: &str| {
            let one = list.discussions.iter().find(|one| one.name == name);
            one.is_some_and(|one| matches!(one.status.as_str(), "OPEN" | "BLOCKED"))
        };
        let mut stopped = house.stopped_runs().await?;
        stopped.retain(|(name, _)| is_open(name));
        page::home(&Home { list: &list, author: &house.author, stopped: &stopped }, &address)
    };
    page.await.map_or_else(|refusal| refusal.answer(ResponseFormat::Page), Answer::into_response)
}
