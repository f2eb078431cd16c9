//! The browser's front end: how soon a page begins or is complete, and what many who look at once cost.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::corpus;
use super::measure::{Effort, Ratio, pairs_of, timed};
use super::stage::Stage;
use super::table::{Outcome, Row};

/// How many look at once.
const TABS: usize = 200;

/// The rows.
pub(crate) fn rows(effort: Effort) -> Vec<Row> {
    vec![first_byte(effort), first_page(effort), streams()]
}

/// A server that is stopped with it.
struct Server {
    child: Child,
    port: u16,
    key: String,
}

impl Server {
    fn begin(stage: &Stage) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_discussions"));
        command.args(["serve", "--provider", "mock"]).current_dir(stage.path(""));
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output is piped");
        BufReader::new(out).read_line(&mut line).expect("it says where it is");
        let (host, key) = line.trim().split_once("/?token=").expect("an address with its key");
        let port = host.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        Self { child, port, key: key.to_owned() }
    }

    /// Sends a request and gives what is read of the answer.
    fn ask(&self, method: &str, path: &str) -> TcpStream {
        let (port, key) = (self.port, &self.key);
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {key}\r\n\
             Connection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
        );
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        stream.write_all(head.as_bytes()).expect("it reads");
        stream
    }

    /// Its memory in kB, where the system tells.
    fn memory(&self) -> Option<f64> {
        let told = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = told.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Until the first byte of an answer.
fn byte(mut stream: TcpStream) {
    stream.read_exact(&mut [0]).expect("it answers");
}

fn first_byte(effort: Effort) -> Row {
    let stage = Stage::new();
    fs::create_dir(stage.path("discussions")).expect("the disk has room");
    let path = stage.write("discussions/long.md", &corpus::discussion(1_000_000, 1));
    let server = Server::begin(&stage);
    let by_hand = by_hand(path);
    let outcome = pairs_of(
        effort.times(60),
        || timed(|| byte(server.ask("GET", "/d/long"))),
        || {
            timed(|| {
                let mut stream = TcpStream::connect(("127.0.0.1", by_hand)).expect("it listens");
                stream.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("it reads");
                byte(stream);
            })
        },
    );
    Row {
        what: "first byte of the page of 1 MB",
        against: "a server of its own that reads the file and renders it with pulldown-cmark",
        outcome: Outcome::AtMost(outcome, 2.0),
    }
}

/// The page right after the start: no earlier request has read a discussion.
fn first_page(effort: Effort) -> Row {
    let stage = Stage::new();
    stage.written_discussions(effort);
    let page = || {
        let server = Server::begin(&stage);
        let mut answer = String::new();
        let took = timed(|| {
            answer.clear();
            server.ask("GET", "/").read_to_string(&mut answer).expect("it answers");
        });
        assert_eq!(answer.matches("<li class=").count(), 50, "{answer}");
        took
    };
    let list = || {
        let mut list = Command::new(env!("CARGO_BIN_EXE_discussions"));
        list.arg("list").current_dir(stage.path("")).stdin(Stdio::null()).stdout(Stdio::null());
        timed(|| assert!(list.status().is_ok_and(|it| it.success()), "it lists them"))
    };
    Row {
        what: "first page of `serve` over 2,000 written discussions, right after its start",
        against: "`list` over the same files, with the start of the program",
        outcome: Outcome::AtMost(pairs_of(effort.times(30), page, list), 1.0),
    }
}

/// A server that does the least: reads the file, renders it as Markdown, sends it. Ends with the process.
fn by_hand(path: PathBuf) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = listener.local_addr().expect("it has an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let _ = stream.read(&mut [0; 1024]);
            let text = fs::read_to_string(&path).expect("the file was just written");
            let mut page = String::new();
            pulldown_cmark::html::push_html(&mut page, pulldown_cmark::Parser::new(&text));
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", page.len());
            // Whoever asked has gone after the first byte.
            let _ =
                stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(page.as_bytes()));
        }
    });
    port
}

fn streams() -> Row {
    let stage = Stage::new();
    let six = "architect,security,pragmatist,product,quality,risk";
    let mut new = Command::new(env!("CARGO_BIN_EXE_discussions"));
    new.args(["new", "Caching", "-p", six]).current_dir(stage.path(""));
    assert!(new.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|it| it.success()));
    let of = |tabs: usize| {
        let server = Server::begin(&stage);
        let open: Vec<TcpStream> =
            (0..tabs).map(|_| server.ask("GET", "/d/caching/events")).collect();
        byte(server.ask("POST", "/api/discussions/caching/run"));
        let mut served = 0;
        for stream in open {
            stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit may be set");
            let mut lines = BufReader::new(stream).lines();
            served += usize::from(lines.any(|line| line.is_ok_and(|line| line == "event: block")));
        }
        assert_eq!(served, tabs, "everybody is told of the run");
        server.memory()
    };
    let outcome = match (of(TABS), of(0)) {
        (Some(many), Some(none)) => {
            eprintln!("{TABS} streams and a run of six: {:.1} MB in the server", many / 1024.0);
            Outcome::AtMost(Ratio::of(vec![many / none]), 3.0)
        }
        _ => Outcome::Skipped("this system does not tell a process's memory".to_owned()),
    };
    Row {
        what: "memory of `serve`, 200 open streams and a run of six",
        against: "the same run that nobody looks at",
        outcome,
    }
}
