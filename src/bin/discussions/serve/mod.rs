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

use std::net::SocketAddr;
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
use self::page::{Draft, Html, Scene};
use self::picture::Picture;
use self::refusal::{Refusal, Wanted};
use self::room::Sight;
use crate::cli::error::{Exit, Failure};
use crate::cli::interrupt;
use crate::cli::shell::Shell;
use crate::cli::verbs::serve::Args;

/// How long answers may still be sent once the server ends.
const PATIENCE: Duration = Duration::from_secs(2);

/// Bytes of the longest body.
const LONGEST_BODY: usize = 1 << 20;

/// Serves until somebody stops it.
pub(crate) fn serve(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    if args.listen.is_unspecified() {
        return Err(Failure::usage(format!(
            "{} is no address that a browser can name",
            args.listen
        ))
        .help("say under which address others find this machine: --listen 192.168.1.10"));
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
    let key =
        Key::new().map_err(|error| Failure::io(format!("there is no randomness: {error}")))?;
    interrupt::finished(async {
        let wanted = SocketAddr::new(args.listen, args.port.unwrap_or(0));
        let listener = TcpListener::bind(wanted).await.map_err(|error| {
            Failure::io(format!("cannot listen at {wanted}: {error}"))
                .help("--port names another port, --listen another address")
        })?;
        let listens = listener
            .local_addr()
            .map_err(|error| Failure::io(format!("cannot listen at {wanted}: {error}")))?;
        let house = House::new(outside, (key, listens), author, request);
        let house = Arc::new(house);
        shell.ui.out(format!("{}/?token={}", house.address(), house.key.words()));
        if !listens.ip().is_loopback() {
            shell.ui.warning(
                "other machines can reach this address, and nothing is encrypted: who reads the key may do all that you may here",
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
    shell.ui.note("Stopped. What was answered stays.");
    Ok(Exit::Done)
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
        shell
            .ui
            .warning(format!("no browser could be opened ({opener}); open the address yourself"));
    }
}

/// Every way in.
fn router(house: &Arc<House>) -> Router {
    let shared = Arc::clone(house);
    Router::new()
        .route("/", get(home))
        .route("/recall", get(earlier::recall))
        .route("/stats", get(earlier::stats))
        .route("/new", post(forms::begin))
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
    let refusal = Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this address");
    refusal.answer(Wanted::of(&request))
}

async fn not_so(request: axum::extract::Request) -> Response {
    let message = format!("{} is not what can be done here", request.method());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message).answer(Wanted::of(&request))
}

async fn home(Shared(house): Shared<Arc<House>>) -> Response {
    match house.aside(|workspace| workspace.list(None)).await {
        Ok(list) => page::home(&list).into_response(),
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
    let drawn = async {
        let Query(Reads { follow }) = asked(reads)?;
        let follows = follow.is_some();
        let find = house.found(&name, |workspace, path| Ok((workspace.show(&path)?, path)));
        let (shown, path) = find.await?;
        let list = house.list().await?;
        let room = house.known_room(&path);
        let state = room.as_ref().map(|room| room.state().borrow().clone()).unwrap_or_default();
        let seen = room.map(|room| room.sight().borrow().clone());
        let author = house.author.clone();
        let named = name.clone();
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
            let draft = Draft { author: &author };
            let scene = Scene { name: &named, picture, state, list, draft, follows };
            page::discussion(&scene, &mut |piece| send.send(Ok(piece)).is_ok());
        });
        // A page that breaks off has to be seen to.
        tokio::spawn(async move { drawing.await.map_err(|broken| fails.send(Err(broken))) });
        let pieces = UnboundedReceiverStream::new(pieces).map(|piece| piece.map(Html::done));
        Ok::<_, Refusal>(page::Answer(Body::from_stream(pieces)).into_response())
    };
    match drawn.await {
        Ok(page) => page,
        Err(refusal) => refusal.answer(Wanted::Page),
    }
}
