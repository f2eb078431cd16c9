//! A local service that sends what a test says, byte for byte, and records requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    /// Method and path.
    pub(crate) line: String,
    /// Header names in lowercase.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
    /// The whole request as it arrived.
    pub(crate) raw: String,
}

impl ReceivedRequest {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// One step of a response.
pub(crate) enum Step {
    Send(Vec<u8>),
    /// Continues when the test says so.
    Await(Receiver<()>),
    /// Sends nothing more until the client closes the connection.
    Hang,
}

/// The response to one request; then the service closes the connection.
pub(crate) type Answer = Vec<Step>;

/// A service that runs until it is dropped.
pub(crate) struct Fake {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Fake {
    /// Answers each request with the steps that `answer` returns.
    pub(crate) fn new(
        answer: impl Fn(usize, &ReceivedRequest) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let (known, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                let (known, answer) = (Arc::clone(&known), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &known, answer.as_ref()));
            }
        });
        Self { port, requests }
    }

    /// Sends the same response to every request.
    pub(crate) fn repeating(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::new(move |_, _| vec![Step::Send(bytes.clone())])
    }

    /// The address of the service.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1/", self.port)
    }

    /// All requests so far.
    pub(crate) fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(
    mut stream: TcpStream,
    known: &Mutex<Vec<ReceivedRequest>>,
    answer: &(dyn Fn(usize, &ReceivedRequest) -> Answer + Send + Sync),
) {
    let Some(request) = read(&stream) else { return };
    let number = {
        let mut known = known.lock().unwrap();
        known.push(request.clone());
        known.len() - 1
    };
    for step in answer(number, &request) {
        match step {
            Step::Send(bytes) => {
                // The client may have closed the connection.
                if stream.write_all(&bytes).and_then(|()| stream.flush()).is_err() {
                    return;
                }
            }
            Step::Await(go) => {
                if go.recv().is_err() {
                    return;
                }
            }
            Step::Hang => {
                let _ = stream.read(&mut [0; 16]);
                return;
            }
        }
    }
}

fn read(stream: &TcpStream) -> Option<ReceivedRequest> {
    let mut reader = BufReader::new(stream);
    let mut raw = String::new();
    let mut headers = Vec::new();
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|&read| read > 0)?;
    raw.push_str(&line);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok().filter(|&read| read > 0)?;
        raw.push_str(&header);
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, value)| value.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    raw.push_str(&String::from_utf8_lossy(&body));
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(ReceivedRequest { line: line.trim_end().replace(" HTTP/1.1", ""), headers, body, raw })
}

/// A complete response with a status and a body.
pub(crate) fn plain(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}\r\n{body}").into_bytes()
}

/// The head of a streamed response.
pub(crate) const HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// The end of a streamed response.
pub(crate) const END: &str = "0\r\n\r\n";

/// One chunk of a stream.
pub(crate) fn chunk(text: &str) -> Vec<u8> {
    format!("{:x}\r\n{text}\r\n", text.len()).into_bytes()
}

/// A complete stream in chunks of this many bytes, rounded up to whole characters.
pub(crate) fn stream(text: &str, size: usize) -> Vec<u8> {
    let mut bytes = HEAD.as_bytes().to_vec();
    for piece in text.as_bytes().chunks(size) {
        bytes.extend(format!("{:x}\r\n", piece.len()).into_bytes());
        bytes.extend(piece);
        bytes.extend(b"\r\n");
    }
    bytes.extend(END.as_bytes());
    bytes
}
