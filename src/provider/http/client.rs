//! Sends one HTTP request over one connection: directly, or through a company's proxy if the
//! environment names one. A request to another machine is encrypted. No request is sent twice, and
//! no redirect is followed.

use std::io;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use percent_encoding::percent_decode_str;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, Error as TlsError, RootCertStore, crypto,
};

use super::Url;
use super::definition::{Secret, split_port};
use crate::provider::{CallError, Environment, FailureCode};

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

/// The default port of a proxy.
const PORT: u16 = 80;
/// The maximum size of a proxy's answer to `CONNECT`, in bytes.
const LONGEST_ANSWER: usize = 16 * 1024;

/// A proxy that opens connections to other machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proxy {
    host: String,
    port: u16,
    /// The name and password for the proxy, if it requires them.
    credentials: Option<String>,
}

impl Proxy {
    /// Returns the proxy for an address, if there is one. This machine is reached without a proxy.
    ///
    /// # Errors
    /// Returns a sentence for people if the environment names anything but a plain HTTP proxy.
    pub(super) fn towards(url: &Url, env: &Environment) -> Result<Option<Self>, String> {
        let said = |names: [&str; 2]| {
            let value = names.iter().find_map(|name| env.var(name)?.to_str());
            value.map(str::trim).filter(|value| !value.is_empty())
        };
        let named = [["HTTPS_PROXY", "https_proxy"], ["ALL_PROXY", "all_proxy"]];
        let Some(place) = named.into_iter().find_map(said) else { return Ok(None) };
        let spared = said(["NO_PROXY", "no_proxy"]).unwrap_or_default();
        if url.is_loopback() || !url.is_encrypted() || is_spared(url.place().0, spared) {
            return Ok(None);
        }
        Self::parse(place).map(Some)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            // The address may contain a password, so the message does not show it.
            let message = "cannot use the proxy in HTTPS_PROXY: write it as http://host:port; NO_PROXY lists the \
                           hosts that need no proxy";
            message.to_owned()
        };
        let rest = match text.split_once("://") {
            Some(("http", rest)) => rest,
            Some(_) => return Err(wrong()),
            None => text,
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (credentials, place) = match rest.rsplit_once('@') {
            Some((credentials, place)) => (Some(decoded(credentials).ok_or_else(wrong)?), place),
            None => (None, rest),
        };
        let (host, port) = split_port(place, PORT).ok_or_else(wrong)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self { host, port, credentials })
    }

    /// Returns the host and port of the proxy.
    pub(super) fn place(&self) -> (&str, u16) {
        (&self.host, self.port)
    }

    /// Asks the proxy to connect to an address. Everything that is sent afterwards goes to that address.
    ///
    /// # Errors
    /// Returns a sentence for people if the proxy refuses.
    pub(super) async fn open(&self, stream: &mut TcpStream, url: &Url) -> Result<(), String> {
        let (host, port) = url.place();
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        let mut ask = format!("CONNECT {host}:{port} HTTP/1.1\r\nhost: {host}:{port}\r\n");
        if let Some(credentials) = &self.credentials {
            let credentials = BASE64_STANDARD.encode(credentials);
            ask.push_str(&format!("proxy-authorization: Basic {credentials}\r\n"));
        }
        ask.push_str("\r\n");
        let broken = |_| "the proxy closed the connection".to_owned();
        stream.write_all(ask.as_bytes()).await.map_err(broken)?;
        let mut answer = Vec::new();
        // Read byte by byte, because everything after the blank line comes from the other machine.
        while !answer.ends_with(b"\r\n\r\n") {
            if answer.len() >= LONGEST_ANSWER {
                return Err("the answer of the proxy is too long".to_owned());
            }
            answer.push(stream.read_u8().await.map_err(broken)?);
        }
        let answer = String::from_utf8_lossy(&answer);
        match answer.split_whitespace().nth(1).unwrap_or_default() {
            "200" => Ok(()),
            "407" if self.credentials.is_some() => {
                Err("the proxy rejected the name and password in HTTPS_PROXY".to_owned())
            }
            "407" => {
                Err("the proxy needs a name and a password: http://name:password@host:port"
                    .to_owned())
            }
            status => Err(format!(
                "the proxy refused the connection ({})",
                super::response::short(status)
            )),
        }
    }
}

/// Returns whether a host needs no proxy. The list contains hosts, domain suffixes, or `*`.
fn is_spared(host: &str, list: &str) -> bool {
    list.split([',', ' ']).map(str::trim).filter(|one| !one.is_empty()).any(|one| {
        let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
        let place = match one.rsplit_once(':') {
            // In an IPv6 address without brackets, no port follows the last colon.
            Some((place, port))
                if is_port(port) && (!place.contains(':') || place.ends_with(']')) =>
            {
                place
            }
            _ => one,
        };
        let name = place.trim_start_matches('[').trim_end_matches(']');
        let name = name.trim_start_matches("*.").trim_start_matches('.').to_ascii_lowercase();
        one == "*" || host == name || host.ends_with(&format!(".{name}"))
    })
}

/// Decodes percent encoding: `%41` stands for `A`.
fn decoded(text: &str) -> Option<String> {
    let is_escape =
        |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    // `percent_decode_str` keeps an invalid escape unchanged, so a password that contains one would be wrong.
    let is_written = text.split('%').skip(1).all(is_escape);
    let mut text = percent_decode_str(text).decode_utf8().ok()?.into_owned();
    if !text.contains(':') {
        text.push(':');
    }
    (is_written && !text.contains(char::is_control)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn towards(url: &str, vars: &[(&str, &str)]) -> Result<Option<Proxy>, String> {
        let env = Environment::new(vars.iter().copied(), None, "/tmp".into());
        Proxy::towards(&Url::parse(url).unwrap(), &env)
    }

    #[test]
    fn environment_selects_the_proxy_and_its_exceptions() {
        let api = "https://api.example.org/v1/";
        let found = |vars: &[(&str, &str)]| {
            towards(api, vars).unwrap().map(|proxy| (proxy.host, proxy.port))
        };
        let own = ("HTTPS_PROXY", "http://proxy.local:3128/");
        assert_eq!(found(&[own]), Some(("proxy.local".to_owned(), 3128)));
        assert_eq!(found(&[("all_proxy", "proxy.local")]), Some(("proxy.local".to_owned(), 80)));
        assert_eq!(found(&[("HTTP_PROXY", "http://proxy.local:1")]), None);
        for none in
            ["*", "example.org", ".example.org", "a.b, api.example.org:443", "*.example.org"]
        {
            assert_eq!(found(&[own, ("NO_PROXY", none)]), None, "{none}");
        }
        for other in ["ample.org", "other.example.org", ""] {
            assert!(found(&[own, ("NO_PROXY", other)]).is_some(), "{other}");
        }
        assert_eq!(towards("http://127.0.0.1:8000/", &[own]), Ok(None), "this machine is near");
    }

    #[test]
    fn unsupported_proxy_is_refused_without_its_password() {
        for text in
            ["socks5://me:secret@p:1080", "https://p:1", "http://p:x", "http://a%zz@p", "http://"]
        {
            let error = towards("https://a.org/", &[("HTTPS_PROXY", text)]).unwrap_err();
            assert!(error.contains("HTTPS_PROXY") && !error.contains("secret"), "{text}: {error}");
        }
        let named = towards("https://a.org/", &[("HTTPS_PROXY", "http://me:se%40cret@p:1")]);
        assert_eq!(named.unwrap().unwrap().credentials.as_deref(), Some("me:se@cret"));
    }

    #[test]
    fn credentials_are_percent_decoded() {
        for (text, meant) in
            [("me:pw", "me:pw"), ("me", "me:"), ("a%3Ab:c%25", "a:b:c%"), ("me:p@ss", "me:p@ss")]
        {
            let place = format!("http://{text}@p:1");
            let proxy = towards("https://a.org/", &[("HTTPS_PROXY", &place)]).unwrap().unwrap();
            assert_eq!(proxy.credentials.as_deref(), Some(meant));
        }
        for wrong in ["a%", "a%4", "a%4g", "a%+1", "a%ff", "a%0A"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numeric_address_is_excepted_only_exactly_or_by_a_star() {
        let own = ("HTTPS_PROXY", "http://proxy.local:3128/");
        for (url, list) in [
            ("https://10.1.2.3/", "10.1.2.3"),
            ("https://10.1.2.3:8443/", "10.1.2.3:8443"),
            ("https://10.1.2.3/", "*"),
            ("https://[2001:db8::1]/", "2001:db8::1"),
            ("https://[2001:db8::1]/", "[2001:db8::1]:443"),
            ("https://[2001:db8::1]/", "*"),
        ] {
            assert_eq!(towards(url, &[own, ("no_proxy", list)]), Ok(None), "{url} {list}");
        }
        let other = towards("https://[2001:db8::1]/", &[own, ("NO_PROXY", "2001:db8::2")]);
        assert!(other.unwrap().is_some());
    }
}
