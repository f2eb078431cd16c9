//! Starts the real server, and sends it exactly the bytes that a test says.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::cli::Scenario;

/// Longer than any step takes; only a failing test waits this long.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A server that runs until it is dropped.
pub(super) struct Server<'s> {
    /// The folder of the server must outlive it.
    _scenario: &'s Scenario,
    child: Child,
    pub(super) port: u16,
    pub(super) key: String,
    cookie: OnceLock<String>,
}

impl<'s> Server<'s> {
    pub(super) fn open(scenario: &'s Scenario, args: &[&str]) -> Self {
        Self::of(scenario, scenario.program_under_test().arg("serve"), args)
    }

    /// A server that is started by another command of the scenario.
    pub(super) fn of(scenario: &'s Scenario, command: &mut Command, args: &[&str]) -> Self {
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap_or_else(|| {
            let mut wrong = String::new();
            child.stderr.take().unwrap().read_to_string(&mut wrong).unwrap();
            panic!("{line}{wrong}")
        });
        let (host, key) = address.split_once("/?token=").unwrap();
        let port = host.rsplit(':').next().unwrap().parse().unwrap();
        Self { _scenario: scenario, child, port, key: key.to_owned(), cookie: OnceLock::new() }
    }

    /// A server with a discussion `caching.md` and the mock as its provider.
    pub(super) fn with_mock(scenario: &'s Scenario) -> Self {
        Self::open(scenario, &["--provider", "mock"])
    }

    pub(super) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The cookie that a browser gets from the printed address.
    pub(super) fn cookie(&self) -> String {
        let given = self.cookie.get_or_init(|| {
            let (host, key) = (self.host(), &self.key);
            let welcome = self.raw(&format!("GET /?token={key} HTTP/1.1\nHost: {host}"), "");
            let line = welcome.is(303).header("set-cookie").unwrap().to_owned();
            line.split(';').next().unwrap().to_owned()
        });
        given.clone()
    }

    /// Sends these lines and this body, and returns the response.
    pub(super) fn raw(&self, head: &str, body: &str) -> Answer {
        let mut stream = self.connect();
        let length = body.len();
        let head = head.trim_end();
        let text = format!("{head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
        // A server that refuses a body need not read it.
        let _ = stream.write_all(text.replace('\n', "\r\n").replace("\r\r\n", "\r\n").as_bytes());
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
        Answer::of(&said)
    }

    /// Requests a page or a document like a browser with the cookie.
    pub(super) fn get(&self, path: &str) -> Answer {
        let (host, cookie) = (self.host(), self.cookie());
        self.raw(
            &format!(
                "GET {path} HTTP/1.1\nHost: {host}\nCookie: {cookie}\nSec-Fetch-Site: same-origin"
            ),
            "",
        )
    }

    /// Sends a form like a browser with the cookie.
    pub(super) fn post(&self, path: &str, form: &str) -> Answer {
        let (host, cookie) = (self.host(), self.cookie());
        self.raw(
            &format!(
                "POST {path} HTTP/1.1\nHost: {host}\nCookie: {cookie}\nOrigin: http://{host}\n\
                 Sec-Fetch-Site: same-origin\nContent-Type: application/x-www-form-urlencoded"
            ),
            form,
        )
    }

    /// Sends a request like a program, with or without a body.
    pub(super) fn api(&self, method: &str, path: &str, body: &str) -> Answer {
        let (host, key) = (self.host(), &self.key);
        self.raw(
            &format!(
                "{method} {path} HTTP/1.1\nHost: {host}\nAuthorization: Bearer {key}\n\
                 Content-Type: application/json"
            ),
            body,
        )
    }

    /// Opens the events of a path like a program.
    pub(super) fn events(&self, path: &str, last: Option<usize>) -> Stream {
        let last = last.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        self.stream(&format!("GET {path} HTTP/1.1\r\n{last}"), "")
    }

    /// Sends a request like a program and opens the events of the response.
    pub(super) fn post_stream(&self, path: &str, body: &str) -> Stream {
        self.stream(&format!("POST {path} HTTP/1.1\r\nContent-Type: application/json\r\n"), body)
    }

    fn stream(&self, head: &str, body: &str) -> Stream {
        let (host, key, length) = (self.host(), &self.key, body.len());
        let mut stream = self.connect();
        let text = format!(
            "{head}Host: {host}\r\nAuthorization: Bearer {key}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(text.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(lines.read_line(&mut head).unwrap() > 0, "{head}");
        }
        Stream { lines, head }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Repeats a request until the response satisfies the condition.
    pub(super) fn until(&self, path: &str, is_so: impl Fn(&Answer) -> bool) -> Answer {
        let begun = Instant::now();
        loop {
            let answer = self.get(path);
            if is_so(&answer) {
                return answer;
            }
            assert!(begun.elapsed() < PATIENCE, "{path}: {}", answer.body);
            std::thread::yield_now();
        }
    }

    /// The memory of the server in MB, if the system reports it.
    pub(super) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
    }

    /// Interrupts the server like Ctrl-C, and waits for its end.
    pub(super) fn stop(mut self) -> ExitStatus {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
        self.child.wait().unwrap()
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A complete response.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Answer {
    fn of(said: &[u8]) -> Self {
        let said = String::from_utf8_lossy(said);
        let (head, body) = said.split_once("\r\n\r\n").unwrap_or((&said, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    #[track_caller]
    pub(super) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.head, self.body);
        self
    }

    #[track_caller]
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// An event of a stream.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) name: String,
    pub(super) id: Option<usize>,
    pub(super) data: Value,
}

/// A stream of events.
pub(super) struct Stream {
    lines: BufReader<TcpStream>,
    pub(super) head: String,
}

impl Stream {
    /// Returns the next event, or `None` at the end of the stream.
    pub(super) fn next(&mut self) -> Option<Told> {
        let (mut name, mut id, mut data) = (String::new(), None, String::new());
        let begun = Instant::now();
        // Keep-alive comments are skipped.
        while begun.elapsed() < PATIENCE {
            let mut line = String::new();
            if self.lines.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let line = line.trim_end_matches(['\r', '\n']);
            // The last chunk is empty; the connection stays open after it.
            if line == "0" {
                return None;
            }
            if let Some(word) = line.strip_prefix("event: ") {
                name = word.to_owned();
            } else if let Some(word) = line.strip_prefix("id: ") {
                id = Some(word.parse().unwrap());
            } else if let Some(text) = line.strip_prefix("data: ") {
                data.push_str(text);
            } else if line.is_empty() && !name.is_empty() {
                return Some(Told { name, id, data: serde_json::from_str(&data).unwrap() });
            }
        }
        panic!("nothing more comes");
    }

    /// Returns the next event with this name.
    #[track_caller]
    pub(super) fn until(&mut self, name: &str) -> Told {
        loop {
            let told = self.next().unwrap_or_else(|| panic!("no `{name}` comes"));
            if told.name == name {
                return told;
            }
        }
    }

    /// Returns the next block that contains these words.
    #[track_caller]
    pub(super) fn block(&mut self, words: &str) -> Told {
        loop {
            let told = self.until("block");
            if told.data["html"].as_str().unwrap().contains(words) {
                return told;
            }
        }
    }
}
