//! A company's proxy in front of a service.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use super::KEY;
use super::fake::{Fake, stream};
use super::recordings::CHAT;
use crate::cli::scenario::Scenario;

/// A proxy that sends this response, and the request lines that it received.
fn proxy(answer: &'static str) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let reader = BufReader::new(stream.try_clone().unwrap());
            for line in reader.lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
                let _ = sender.send(line);
            }
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (port, lines)
}

fn scenario(place: &str) -> Scenario {
    let own = "providers:\n  - {name: own, api: openai, model: m, url: 'https://api.example.org/v1/', key: MY_KEY, retries: 0}\n";
    let scenario = Scenario::with_discussion()
        .env("MY_KEY", KEY)
        .env("HTTPS_PROXY", place)
        .file("discussions.yaml", "author: Rob\nproviders: {default: own, fallback: []}\n");
    scenario.write("../config/providers.yaml", own.as_bytes());
    scenario
}

#[test]
fn proxy_sees_neither_key_nor_text() {
    let (port, lines) = proxy("HTTP/1.1 403 Forbidden\r\n\r\n");
    let run = scenario(&format!("http://me:pw@127.0.0.1:{port}"))
        .discussions(&["turn", "caching", "@architect"])
        .code(4);
    assert!(run.stderr().contains("the proxy refused the connection (403)"), "{}", run.stderr());
    let asked: Vec<String> = lines.try_iter().collect();
    assert_eq!(
        asked,
        [
            "CONNECT api.example.org:443 HTTP/1.1",
            "host: api.example.org:443",
            "proxy-authorization: Basic bWU6cHc="
        ]
    );
    assert!(!run.stderr().contains("me:pw"), "{}", run.stderr());
    let (port, _lines) = proxy("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    let run = scenario(&format!("127.0.0.1:{port}"))
        .discussions(&["turn", "caching", "@architect"])
        .code(4);
    assert!(run.stderr().contains("the proxy needs a name and a password"), "{}", run.stderr());
}

#[test]
fn unusable_proxy_is_refused_with_the_variable_name() {
    let scenario = scenario("socks5://127.0.0.1:1080");
    let run = scenario.discussions(&["turn", "caching", "@architect"]).code(4);
    assert!(
        run.stderr().contains("HTTPS_PROXY") && run.stderr().contains("http://host:port"),
        "{}",
        run.stderr()
    );
    let check = scenario.discussions(&["providers", "check", "own"]).code(4);
    assert!(check.stdout.contains("cannot use the proxy in HTTPS_PROXY"), "{}", check.stdout);
}

#[test]
fn local_addresses_bypass_the_proxy() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let scenario = scenario("http://127.0.0.1:1");
    let near =
        format!("providers:\n  - {{name: own, api: openai, model: m, url: '{}'}}\n", fake.url());
    scenario.write("../config/providers.yaml", near.as_bytes());
    scenario.discussions(&["turn", "caching", "@architect"]).code(0);
    assert_eq!(fake.requests().len(), 1);
}
