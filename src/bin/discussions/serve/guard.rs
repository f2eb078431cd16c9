//! The checks of every request before it is processed: the host, the origin, and the key, which is new at each start.
//! Every response gets security headers.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, LOCATION,
    ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use parking_lot::Mutex;
use percent_encoding::percent_decode_str;
use sha2::{Digest as _, Sha256};
use tokio::time::timeout;

use super::LONGEST_BODY;
use super::app::AppState;
use super::connections::Connection;
use super::request::{ApiError, ResponseFormat};

/// The content security policy of a page: it may load only what comes from this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Checks a request, and adds the security headers to the response.
pub(super) async fn guard(
    State(house): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let wanted = ResponseFormat::of(&request);
    let answer = match admit(&house, &request) {
        Ok(Admitted::Guest) if !is_text(request.uri().path()) => {
            let refusal = ApiError::new(StatusCode::NOT_FOUND, "nothing found at this address");
            refusal.answer(wanted)
        }
        Ok(Admitted::Guest) => {
            mark_key_shown(&request);
            match whole(request).await {
                Ok(request) => next.run(request).await,
                Err(refusal) => refusal.answer(wanted),
            }
        }
        Ok(Admitted::AtTheDoor(answer)) => {
            mark_key_shown(&request);
            answer
        }
        Err(refusal) => refusal.answer(wanted),
    };
    dressed(answer)
}

/// The time limit for a request's body.
const BODY: Duration = Duration::from_secs(30);

/// Records that a request's connection has shown the key.
fn mark_key_shown(request: &Request) {
    if let Some(connection) = request.extensions().get::<Connection>() {
        connection.showed_key();
    }
}

/// Waits for the whole body of a request, up to the time limit.
async fn whole(request: Request) -> Result<Request, ApiError> {
    let (head, body) = request.into_parts();
    let body = timeout(BODY, to_bytes(body, LONGEST_BODY)).await.map_err(|_| {
        ApiError::new(StatusCode::REQUEST_TIMEOUT, "the request did not arrive within 30 s")
    })?;
    let too_long = |_| ApiError::unread(StatusCode::PAYLOAD_TOO_LARGE, String::new());
    Ok(Request::from_parts(head, body.map_err(too_long)?.into()))
}

/// Returns true if a path is UTF-8. No other path exists here.
fn is_text(path: &str) -> bool {
    percent_decode_str(path).decode_utf8().is_ok()
}

/// The kind of an admitted request.
enum Admitted {
    /// A request with the key.
    Guest,
    /// A request with the key in its address; the response removes it from there.
    AtTheDoor(Response),
}

fn admit(house: &AppState, request: &Request) -> Result<Admitted, ApiError> {
    let headers = request.headers();
    let host = one(headers, &HOST).unwrap_or_default();
    if !house.is_called(host) {
        return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, "unknown host in request")
            .help(format!("open {}", house.address())));
    }
    if headers.contains_key("sec-fetch-site")
        && !matches!(one(headers, "sec-fetch-site"), Some("same-origin" | "none"))
    {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "another site sent this request").help(
            format!("type the address yourself, or open it from the terminal: {}", house.address()),
        ));
    }
    let origin = format!("http://{host}");
    let is_ours = one(headers, &ORIGIN) == Some(origin.as_str());
    if headers.contains_key(ORIGIN) && !is_ours {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "another site sent this request"));
    }
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD);
    if let Some(bearer) = one(headers, &AUTHORIZATION) {
        let scheme = bearer.split_once(' ');
        let is_bearer = |scheme: &str| scheme.eq_ignore_ascii_case("bearer");
        let given = scheme.filter(|(scheme, _)| is_bearer(scheme)).map_or("", |(_, key)| key);
        return if house.key.is(given) { Ok(Admitted::Guest) } else { Err(no_key(house)) };
    }
    if let Some(token) = token(request).filter(|_| is_safe) {
        return if house.key.opens(&token) {
            Ok(Admitted::AtTheDoor(welcome(house, request)))
        } else {
            Err(no_key(house))
        };
    }
    if !cookies(headers, &house.cookie()).any(|given| house.key.is_cookie(given)) {
        return Err(no_key(house));
    }
    // Browsers send the cookie with every form, even with a form of a page from another port of
    // this machine.
    if !is_safe && !is_ours {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "the request does not say which site sent this form",
        ));
    }
    Ok(Admitted::Guest)
}

fn no_key(house: &AppState) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "the key is missing or belongs to an earlier start of the server")
        .help(format!(
            "open the address that the server printed at its start ({}/?token=...); programs send the header \
             Authorization: Bearer KEY",
            house.address()
        ))
}

/// Moves the key from the address, where others could see it, into a cookie that scripts cannot read.
fn welcome(house: &AppState, request: &Request) -> Response {
    let secret = house.key.cookie();
    let cookie = format!("{}={secret}; HttpOnly; SameSite=Strict; Path=/", house.cookie());
    // The path must stay on this server: `//elsewhere` would lead to another one, and browsers take `\` for `/`.
    let path = format!("/{}", request.uri().path().trim_start_matches(['/', '\\']));
    (StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, path)]).into_response()
}

fn token(request: &Request) -> Option<String> {
    let query = request.uri().query()?;
    query.split('&').find_map(|pair| pair.strip_prefix("token=")).map(str::to_owned)
}

/// Returns a header that occurs exactly once.
fn one(headers: &HeaderMap, name: impl AsRef<str>) -> Option<&str> {
    let mut all = headers.get_all(name.as_ref()).iter();
    let first = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(first)
}

fn cookies<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(move |(key, _)| *key == name).map(|(_, value)| value)
}

/// Adds headers that forbid the browser everything that the response does not need.
fn dressed(mut answer: Response<Body>) -> Response {
    let is_stream = answer
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    let kept = if is_stream { "no-cache" } else { "no-store" };
    let headers = answer.headers_mut();
    let rules = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With `no-referrer`, browsers would send forms without an origin.
        (REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (CACHE_CONTROL, kept),
    ];
    for (name, value) in rules {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_stream {
        let name = HeaderName::from_static("x-accel-buffering");
        headers.insert(name, HeaderValue::from_static("no"));
    }
    answer
}

/// The number of random bytes in a key.
const STRENGTH: usize = 16;

/// The hash of a key. Hashes are compared instead of keys, so that the time of a comparison reveals nothing about the
/// key.
type Print = [u8; 32];

/// The key of a running server.
pub(super) struct SessionKey {
    /// The key as it is printed.
    words: String,
    print: Print,
    /// The cookie's value. It differs from the key, because browsers send the cookie to every other
    /// port of the machine.
    cookie: String,
    cookie_print: Print,
    /// The hash of a ticket that is valid once. The program starts a browser with the ticket instead of the key,
    /// because other users of the machine can read the address that a browser gets.
    ticket: Mutex<Option<Print>>,
}

impl SessionKey {
    /// Creates a new key.
    ///
    /// # Errors
    /// Fails if the system provides no random bytes.
    pub(super) fn new() -> Result<Self, getrandom::Error> {
        let (words, cookie) = (random()?, random()?);
        Ok(Self {
            print: print(&words),
            words,
            cookie_print: print(&cookie),
            cookie,
            ticket: Mutex::new(None),
        })
    }

    /// Returns the key as it is printed and sent.
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// Returns true if `given` is the key.
    pub(super) fn is(&self, given: &str) -> bool {
        print(given) == self.print
    }

    /// Returns the value of the cookie.
    pub(super) fn cookie(&self) -> &str {
        &self.cookie
    }

    /// Returns true if `given` is the value of the cookie.
    fn is_cookie(&self, given: &str) -> bool {
        print(given) == self.cookie_print
    }

    /// Returns true if `given` is the key or the ticket. A ticket is then used up.
    pub(super) fn opens(&self, given: &str) -> bool {
        self.is(given) || self.ticket.lock().take_if(|ticket| *ticket == print(given)).is_some()
    }

    /// Creates a ticket that is valid once; it replaces an earlier one.
    ///
    /// # Errors
    /// Fails like [`SessionKey::new`].
    pub(super) fn new_ticket(&self) -> Result<String, getrandom::Error> {
        let words = random()?;
        *self.ticket.lock() = Some(print(&words));
        Ok(words)
    }
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; STRENGTH];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn print(words: &str) -> Print {
    Sha256::digest(words).into()
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use discussions::runner::RunOptions;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::time::{Instant, sleep};

    use super::super::connections::{ConnectionLimits, answer};
    use super::super::router;
    use super::*;
    use crate::cli::environment::HostEnvironment;

    /// Starts the whole server, and returns its address and key.
    async fn server() -> (SocketAddr, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (outside, key) = (HostEnvironment::look(None).unwrap(), SessionKey::new().unwrap());
        let words = key.words().to_owned();
        let house = AppState::new(
            outside,
            (key, address),
            "Ann".to_owned(),
            RunOptions::with_default_limits(),
        );
        let app = router(&Arc::new(house));
        tokio::spawn(answer(listener, app, ConnectionLimits::of_process(), std::future::pending()));
        (address, words)
    }

    /// Sends the head of a request with a body of ten bytes, to an address that does not exist.
    async fn begin(address: SocketAddr, key: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /nothing HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\nContent-Length: 10\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream
    }

    async fn status(stream: &mut TcpStream) -> String {
        let mut said = [0; 4096];
        let count = stream.read(&mut said).await.unwrap();
        let said = String::from_utf8_lossy(&said[..count]).into_owned();
        said.lines().next().unwrap_or_default().to_owned()
    }

    #[tokio::test(start_paused = true)]
    async fn request_body_must_arrive_within_thirty_seconds() {
        let (address, key) = server().await;
        for pause in [None, Some(Duration::from_secs(7))] {
            let began = Instant::now();
            let mut stream = begin(address, &key).await;
            // A sender that continues slowly is treated like one that stops.
            if let Some(pause) = pause {
                for _ in 0..4 {
                    sleep(pause).await;
                    stream.write_all(b"x").await.unwrap();
                }
            }
            let status = status(&mut stream).await;
            assert_eq!(status, "HTTP/1.1 408 Request Timeout", "{pause:?}");
            let waited = began.elapsed();
            assert!((BODY..BODY + Duration::from_secs(1)).contains(&waited), "{waited:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn body_that_arrives_in_time_is_answered() {
        let (address, key) = server().await;
        let mut stream = begin(address, &key).await;
        for _ in 0..10 {
            sleep(Duration::from_secs(2)).await;
            stream.write_all(b"x").await.unwrap();
        }
        assert_eq!(status(&mut stream).await, "HTTP/1.1 404 Not Found");
    }

    #[test]
    fn key_always_opens_and_a_ticket_opens_once() {
        let key = SessionKey::new().unwrap();
        assert!(key.opens(key.words()) && key.opens(key.words()));
        assert!(key.is_cookie(key.cookie()) && !key.is_cookie(key.words()));
        assert!(!key.is(key.cookie()) && !key.opens(key.cookie()));
        assert!(!key.opens("") && !key.opens(&key.words()[1..]));
        let ticket = key.new_ticket().unwrap();
        assert!(!key.is(&ticket) && key.opens(&ticket) && !key.opens(&ticket));
    }
}
