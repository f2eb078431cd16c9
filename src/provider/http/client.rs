//! One HTTP request over one connection: encrypted if it goes to another machine, sent once, and never redirected.

use std::io;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, Error as TlsError, RootCertStore, crypto,
};

use super::Url;
use super::proxy::Proxy;
use super::secret::Secret;
use crate::provider::{CallError, FailureCode};

/// The maximum time for connecting to a service.
const CONNECT: Duration = Duration::from_secs(10);

/// An HTTP request.
pub(super) struct HttpRequest<'a> {
    pub(super) url: &'a Url,
    /// The path below the address.
    pub(super) path: String,
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// The header for the key, the text before the key in it, and the key.
    pub(super) key: Option<(&'static str, &'static str, &'a Secret)>,
    /// The JSON body. A request without a body is a GET.
    pub(super) body: Option<Vec<u8>>,
    /// The proxy to connect through.
    pub(super) proxy: Option<&'a Proxy>,
}

/// A response that is being received.
pub(super) struct ResponseStream {
    response: Response<Incoming>,
    /// The connection task; dropping it closes the connection.
    _connection: JoinSet<()>,
}

impl ResponseStream {
    pub(super) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    /// Returns the next bytes of the body, or `None` at its end.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, BrokenConnection> {
        loop {
            match self.response.body_mut().frame().await {
                None => return Ok(None),
                Some(Err(_)) => return Err(BrokenConnection),
                Some(Ok(frame)) => {
                    if let Ok(bytes) = frame.into_data() {
                        return Ok(Some(bytes));
                    }
                }
            }
        }
    }

    /// Returns the beginning of the body: at most `most` bytes, and fewer if the connection breaks.
    pub(super) async fn beginning(&mut self, most: usize) -> Vec<u8> {
        let mut body = Vec::new();
        while body.len() < most
            && let Ok(Some(bytes)) = self.next().await
        {
            body.extend_from_slice(&bytes[..bytes.len().min(most - body.len())]);
        }
        body
    }
}

/// The error for a connection that broke.
#[derive(Debug)]
pub(super) struct BrokenConnection;

impl HttpRequest<'_> {
    /// Sends the request. `who` is the provider's name in errors.
    pub(super) async fn send(self, who: &str) -> Result<ResponseStream, CallError> {
        let unreachable = |error: &dyn std::fmt::Display| {
            let host = self.url.host();
            let message = format!("cannot reach {who} at {host}: {error}");
            CallError::new(FailureCode::Unreachable, message)
        };
        let place = self.url.place();
        let first = self.proxy.map_or(place, Proxy::place);
        let mut stream = match timeout(CONNECT, TcpStream::connect(first)).await {
            Err(_) => return Err(unreachable(&"no response")),
            Ok(Err(error)) if self.proxy.is_some() => {
                let error = format!("the proxy from the environment: {}", plain(&error));
                return Err(unreachable(&error));
            }
            Ok(Err(error)) => return Err(unreachable(&plain(&error))),
            Ok(Ok(stream)) => stream,
        };
        if let Some(proxy) = self.proxy {
            match timeout(CONNECT, proxy.open(&mut stream, self.url)).await {
                Err(_) => return Err(unreachable(&"the proxy does not answer")),
                Ok(Err(error)) => return Err(unreachable(&error)),
                Ok(Ok(())) => {}
            }
        }
        let _ = stream.set_nodelay(true);
        let request = self.request().map_err(|error| {
            CallError::new(FailureCode::Misconfigured, format!("cannot call {who}: {error}"))
        })?;
        if !self.url.is_encrypted() {
            return exchange(TokioIo::new(stream), request).await.map_err(|()| broken(who));
        }
        let name = ServerName::try_from(place.0.to_owned()).map_err(|error| unreachable(&error))?;
        let tls = TLS.as_ref().map_err(|error| unreachable(error))?;
        let encrypted = TlsConnector::from(Arc::clone(tls)).connect(name, stream);
        let stream = match timeout(CONNECT, encrypted).await {
            Err(_) => return Err(unreachable(&"no response")),
            Ok(Err(error)) => return Err(unreachable(&not_believed(&error))),
            Ok(Ok(stream)) => stream,
        };
        exchange(TokioIo::new(stream), request).await.map_err(|()| broken(who))
    }

    fn request(&self) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
        let method = if self.body.is_some() { Method::POST } else { Method::GET };
        let mut request = Request::builder()
            .method(method)
            .uri(self.url.path(&self.path))
            .header("host", self.url.host())
            .header("accept", "text/event-stream, application/x-ndjson, application/json")
            .header("user-agent", concat!("discussions/", env!("CARGO_PKG_VERSION")))
            .header("connection", "close");
        if self.body.is_some() {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in self.headers {
            request = request.header(*name, *value);
        }
        if let Some((name, before, key)) = self.key {
            let mut value =
                hyper::header::HeaderValue::try_from(format!("{before}{}", key.reveal()))?;
            value.set_sensitive(true);
            request = request.header(name, value);
        }
        request.body(Full::new(self.body.clone().unwrap_or_default().into()))
    }
}

async fn exchange<S>(stream: S, request: Request<Full<Bytes>>) -> Result<ResponseStream, ()>
where
    S: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
{
    let (mut sender, connection) = http1::handshake(stream).await.map_err(|_| ())?;
    let mut running = JoinSet::new();
    running.spawn(async move {
        // Reading the body reports a broken connection.
        let _ = connection.await;
    });
    let response = sender.send_request(request).await.map_err(|_| ())?;
    Ok(ResponseStream { response, _connection: running })
}

/// Returns the error for a connection that broke after the request was sent. The service may have begun to answer.
fn broken(who: &str) -> CallError {
    let message = format!("the connection to {who} broke before an answer began");
    CallError::new(FailureCode::CutStream, message)
}

/// Returns the message of a system error, without the number that the system adds.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}

/// Returns the message for a failed TLS handshake: the client could not verify the server.
fn not_believed(error: &io::Error) -> String {
    let cause = error.get_ref().and_then(|error| error.downcast_ref::<TlsError>());
    match cause {
        Some(TlsError::InvalidCertificate(CertificateError::UnknownIssuer)) => {
            "unknown certificate authority; add it to the system store, or name its file in SSL_CERT_FILE"
                .to_owned()
        }
        Some(TlsError::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        )) => "its certificate is for another host name".to_owned(),
        Some(TlsError::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. },
        )) => "its certificate has expired, or the clock of this machine is wrong".to_owned(),
        _ => error.to_string(),
    }
}

/// The TLS settings. They accept the certificate authorities of the web and those of this machine's store.
static TLS: LazyLock<Result<Arc<ClientConfig>, String>> = LazyLock::new(|| {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    // Certificates of a company. One that cannot be parsed is ignored; it causes an error only if a server needs it.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
});
