//! An encrypted service behind a company's proxy, with a certificate authority of the test.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned, crypto};

use crate::cli::Scenario;
use crate::fake::stream;
use crate::recordings::CHAT;

/// The key of the model, which must not appear anywhere.
const KEY: &str = "sk-planted-7d1e";
/// The password that the proxy receives, and the part of it that must not appear anywhere.
const PASSWORD: &str = "pw-planted-33c1";
/// `me:pw-planted-33c1` as it is sent.
const CREDENTIALS: &str = "bWU6cHctcGxhbnRlZC0zM2Mx";

/// A certificate authority, and the certificate of a service with this name.
fn authority(name: &str) -> (String, Arc<ServerConfig>) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = params.self_signed(&key).unwrap();
    let issuer = Issuer::new(params, key);
    let own = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    let certificate = params.signed_by(&own, &issuer).unwrap();
    let secret = PrivateKeyDer::try_from(own.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], secret)
        .unwrap();
    (root.pem(), Arc::new(config))
}

/// A proxy that accepts clients with the password, the service behind it, and the requests that each received.
struct Way {
    port: u16,
    root: String,
    proxy: Receiver<String>,
    service: Receiver<String>,
}

impl Way {
    fn to(name: &str) -> Self {
        let (root, config) = authority(name);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let ((to_proxy, proxy), (to_service, service)) = (channel(), channel());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                if has_password(&stream, &to_proxy) {
                    answer(stream, &config, &to_service);
                }
            }
        });
        Self { port, root, proxy, service }
    }

    fn scenario(&self, password: &str, believed: bool) -> Scenario {
        let own = "providers:\n  - {name: own, api: openai, model: m, url: 'https://api.example.org/v1/', key: MY_KEY, retries: 0}\n";
        let scenario = Scenario::with_discussion()
            .env("MY_KEY", KEY)
            .env("HTTPS_PROXY", &format!("http://me:{password}@127.0.0.1:{}", self.port))
            .file("discussions.yaml", "author: Rob\nproviders: {default: own, fallback: []}\n");
        scenario.write("../config/providers.yaml", own.as_bytes());
        scenario.write("../root.pem", self.root.as_bytes());
        let root = scenario.path("../root.pem").display().to_string();
        if believed { scenario.env("SSL_CERT_FILE", &root) } else { scenario }
    }
}

fn has_password(stream: &TcpStream, told: &Sender<String>) -> bool {
    let mut asked = String::new();
    // Nothing may follow before the tunnel is open.
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    for line in lines.take_while(|line| !line.is_empty()) {
        asked.push_str(&line);
        asked.push('\n');
    }
    let known = asked.contains(CREDENTIALS);
    let _ = told.send(asked);
    let status: &[u8] = if known {
        b"HTTP/1.1 200 Connection established\r\n\r\n"
    } else {
        b"HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n"
    };
    let mut stream = stream;
    stream.write_all(status).is_ok() && known
}

fn answer(stream_: TcpStream, config: &Arc<ServerConfig>, told: &Sender<String>) {
    let connection = ServerConnection::new(Arc::clone(config)).unwrap();
    let mut reader = BufReader::new(StreamOwned::new(connection, stream_));
    let (mut asked, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).is_err() || line.is_empty() {
            return;
        }
        asked.push_str(&line);
        match line.trim_end().split_once(": ") {
            Some(("content-length", value)) => length = value.parse().unwrap(),
            Some(_) => {}
            None if line.trim_end().is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    asked.push_str(&String::from_utf8_lossy(&body));
    let _ = told.send(asked);
    let out = reader.get_mut();
    let _ = out.write_all(&stream(CHAT, 1000));
    out.conn.send_close_notify();
    let _ = out.flush();
}

#[test]
fn only_the_service_reads_text_sent_through_a_proxy() {
    let way = Way::to("api.example.org");
    let scenario = way.scenario(PASSWORD, true);
    let run = scenario.discussions(&["turn", "caching", "@architect"]).code(0);
    assert!(scenario.read("discussions/caching.md").contains("<!-- REPLY"), "{}", run.stderr());
    let proxy: Vec<String> = way.proxy.try_iter().collect();
    let wanted = format!(
        "CONNECT api.example.org:443 HTTP/1.1\nhost: api.example.org:443\nproxy-authorization: Basic {CREDENTIALS}\n"
    );
    assert_eq!(proxy, [wanted], "neither key nor prompt");
    let service: Vec<String> = way.service.try_iter().collect();
    assert_eq!(service.len(), 1);
    assert!(service[0].starts_with("POST /v1/chat/completions HTTP/1.1"), "{}", service[0]);
    assert!(service[0].contains(&format!("authorization: Bearer {KEY}")), "{}", service[0]);
    assert!(!service[0].contains("proxy-authorization"), "{}", service[0]);
}

#[test]
fn service_with_a_wrong_certificate_gets_no_key() {
    for (name, believed, said) in [
        ("api.example.org", false, "unknown certificate authority"),
        ("other.example.org", true, "its certificate is for another host name"),
    ] {
        let way = Way::to(name);
        let scenario = way.scenario(PASSWORD, believed);
        let run = scenario.discussions(&["turn", "caching", "@architect"]).with_warnings().code(4);
        assert!(run.stderr().contains(said), "{}", run.stderr());
        assert!(run.stderr().contains("(unreachable)"), "{}", run.stderr());
        assert_eq!(way.service.try_iter().count(), 0, "nothing was sent to it");
    }
}

#[test]
fn proxy_password_appears_in_no_error() {
    let way = Way::to("api.example.org");
    let wrong = "wrong-planted-90aa";
    let scenario = way.scenario(wrong, true);
    let mut said = String::new();
    for args in [
        &["turn", "caching", "@architect"][..],
        &["turn", "caching", "@security", "--json"],
        &["turn", "caching", "@pragmatist", "--events", "-v"],
        &["discuss", "Which?", "--json"],
        &["providers", "check", "own", "--ping"],
        &["providers", "list", "--json"],
    ] {
        // Most of them fail, each in its way; what they print counts here.
        let run = scenario.discussions(args).with_any_code().with_warnings();
        said.push_str(&run.stdout);
        said.push_str(run.stderr());
    }
    assert!(said.contains("the proxy rejected the name and password"), "{said}");
    assert!(said.contains("HTTPS_PROXY"), "{said}");
    said.push_str(&scenario.read("discussions/caching.md"));
    let shown: Vec<String> = way.proxy.try_iter().collect();
    let sent = shown[0].split("Basic ").nth(1).unwrap().trim().to_owned();
    assert!(!said.contains(wrong) && !said.contains(&sent) && !said.contains(KEY), "{said}");
}
