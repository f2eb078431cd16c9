//! Standard input and output, line by line. A message that is too long or that nobody can read is answered with an error:
//! the protocol's library would drop it, and the client would wait forever.

use rmcp::ErrorData;
use serde_json::{Map, Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader, DuplexStream,
    duplex, stdin, stdout,
};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;

use crate::cli::surrogates::replace_lone_surrogates;

/// The maximum size of a message in bytes. The protocol's library drops longer ones.
const LONGEST: usize = 16 << 20;
/// The size of the buffers between this module and the protocol's library, in bytes.
const BUFFER: usize = 64 << 10;
/// The maximum size of a message's member that is parsed, in bytes.
const MEMBER: usize = 1024;
/// The maximum number of error responses that wait to be written.
const ANSWERS: usize = 16;

/// Returns the streams that the protocol's library uses in place of standard input and output, and the task that
/// writes.
pub(super) fn pipes() -> ((DuplexStream, DuplexStream), JoinHandle<()>) {
    let ((read, requests), (answers, write)) = (duplex(BUFFER), duplex(BUFFER));
    let (refuse, refused) = channel(ANSWERS);
    tokio::spawn(forward(BufReader::with_capacity(BUFFER, stdin()), requests, refuse));
    let written = tokio::spawn(answer(BufReader::new(answers), refused, stdout()));
    ((read, write), written)
}

/// Forwards messages, and rejects those that are too long.
async fn forward(
    mut from: BufReader<impl AsyncRead + Unpin>,
    mut to: impl AsyncWrite + Unpin,
    refuse: Sender<Vec<u8>>,
) {
    let mut line = Vec::new();
    let mut members = Members::default();
    let mut length = 0_usize;
    loop {
        let piece = match from.fill_buf().await {
            Ok(piece) if !piece.is_empty() => piece,
            // The last line may have no line break.
            _ => break drop(to.write_all(&line).await),
        };
        let end = piece.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(piece.len(), |end| end + 1);
        members.read(&piece[..taken]);
        length = length.saturating_add(taken);
        if length <= LONGEST {
            line.extend_from_slice(&piece[..taken]);
        } else {
            line = Vec::new();
        }
        from.consume(taken);
        if end.is_none() {
            continue;
        }
        let refused = if length <= LONGEST {
            replace_lone_surrogates(&mut line);
            unreadable(&line, &members)
        } else {
            members.refusal()
        };
        if length <= LONGEST && refused.is_none() {
            if to.write_all(&line).await.is_err() {
                return;
            }
        } else if let Some(told) = refused
            && refuse.send(told).await.is_err()
        {
            return;
        }
        line.clear();
        (length, members) = (0, Members::default());
    }
}

/// Returns the error response to a line that is no message; `None` for a message, and for an empty line.
fn unreadable(line: &[u8], members: &Members) -> Option<Vec<u8>> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let error = match serde_json::from_slice::<Value>(line) {
        Err(error) => ErrorData::parse_error(format!("the message is no JSON: {error}"), None),
        Ok(Value::Object(message)) if is_message(&message) => return None,
        Ok(_) => {
            ErrorData::invalid_request("a message is an object with `jsonrpc` and `method`", None)
        }
    };
    let told =
        json!({"jsonrpc": "2.0", "id": members.id().unwrap_or(&Value::Null), "error": error});
    Some(format!("{told}\n").into_bytes())
}

/// Returns true for a request, a notification or a response.
fn is_message(message: &Map<String, Value>) -> bool {
    let is_request = message.get("method").is_some_and(Value::is_string);
    is_request || message.contains_key("result") || message.contains_key("error")
}

/// Writes responses, each as a whole line.
async fn answer(
    mut from: BufReader<impl AsyncRead + Unpin>,
    mut refused: Receiver<Vec<u8>>,
    mut to: impl AsyncWrite + Unpin,
) {
    let mut line = Vec::new();
    loop {
        let told = tokio::select! {
            // Cancelling the read is safe: the bytes that were read stay in `line`.
            read = from.read_until(b'\n', &mut line) => match read {
                Ok(count) if count > 0 => std::mem::take(&mut line),
                _ => return,
            },
            Some(told) = refused.recv() => told,
        };
        if to.write_all(&told).await.is_err() || to.flush().await.is_err() {
            return;
        }
    }
}

/// A parser for the outermost members of a message, except long ones.
#[derive(Default)]
struct Members {
    depth: usize,
    in_string: bool,
    escaped: bool,
    member: Vec<u8>,
    known: Map<String, Value>,
}

impl Members {
    fn read(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.read_one(*byte));
    }

    fn read_one(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
        } else {
            match byte {
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                b'"' => self.in_string = true,
                _ => {}
            }
            let is_first = self.depth == 1 && byte == b'{' && self.member.is_empty();
            let is_last = self.depth == 0 && byte == b'}';
            if is_first || is_last || (self.depth == 1 && byte == b',') {
                return self.end_member();
            }
        }
        if self.depth <= 1 && self.member.len() < MEMBER {
            self.member.push(byte);
        }
    }

    fn end_member(&mut self) {
        let member = std::mem::take(&mut self.member);
        let whole = [b"{".as_slice(), &member, b"}"].concat();
        if let Ok(Value::Object(member)) = serde_json::from_slice(&whole) {
            self.known.extend(member);
        }
    }

    /// Returns the id of the message, if it was read.
    fn id(&self) -> Option<&Value> {
        self.known.get("id").filter(|id| id.is_string() || id.is_number())
    }

    /// Returns the error response to a request that is too long; `None` if the message is not a request.
    fn refusal(&self) -> Option<Vec<u8>> {
        let id = self.id()?;
        self.known.get("method")?;
        let most = LONGEST >> 20;
        let error =
            ErrorData::invalid_request(format!("the message is longer than {most} MiB"), None);
        let told = json!({"jsonrpc": "2.0", "id": id, "error": error});
        Some(format!("{told}\n").into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[tokio::test]
    async fn too_long_message_is_answered_and_the_next_one_read() {
        let long = "x".repeat(LONGEST);
        let requests = [
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"id":1,"text":"{long}"}}}}"#
            ),
            format!(r#"{{"params":{{"text":"{long}\"}}, {{"}},"method":"x","id":"last"}}"#),
            format!(r#"{{"method":"a/notification","params":"{long}"}}"#),
            r#"{"id":8,"method":"ping"}"#.to_owned(),
        ];
        let text = requests.join("\n");
        let (refuse, mut refused) = channel(ANSWERS);
        let mut passed = Vec::new();
        forward(BufReader::new(text.as_bytes()), &mut passed, refuse).await;
        assert_eq!(String::from_utf8(passed).unwrap(), r#"{"id":8,"method":"ping"}"#);
        for id in [json!(7), json!("last")] {
            let told: Value = serde_json::from_slice(&refused.recv().await.unwrap()).unwrap();
            assert_eq!(told["id"], id);
            assert_eq!(told["error"]["message"], "the message is longer than 16 MiB");
        }
        assert!(refused.recv().await.is_none());
    }

    #[tokio::test]
    async fn unreadable_message_is_answered_and_the_next_one_read() {
        let lines: [&[u8]; 6] = [
            b"{}",
            b"null",
            b"\xff\xfe",
            br#"{"jsonrpc":"2.0","id":3,"method":"x","#,
            b"",
            br#"{"jsonrpc":"2.0","id":4,"method":"say","params":{"text":"\ud83d"}}"#,
        ];
        let text = [lines.join(&b'\n'), b"\n".to_vec()].concat();
        let (refuse, mut refused) = channel(ANSWERS);
        let mut passed = Vec::new();
        forward(BufReader::new(text.as_slice()), &mut passed, refuse).await;
        let passed = String::from_utf8(passed).unwrap();
        let wanted = r#"{"jsonrpc":"2.0","id":4,"method":"say","params":{"text":"\ufffd"}}"#;
        assert_eq!(passed.trim(), wanted);
        for (code, id) in [
            (-32600, json!(null)),
            (-32600, json!(null)),
            (-32700, json!(null)),
            (-32700, json!(3)),
        ] {
            let told: Value = serde_json::from_slice(&refused.recv().await.unwrap()).unwrap();
            assert_eq!((&told["error"]["code"], &told["id"]), (&json!(code), &id), "{told}");
        }
        assert!(refused.recv().await.is_none());
    }

    #[tokio::test]
    async fn answers_are_written_in_whole_lines() {
        let (mut inner, outer) = duplex(64);
        let (refuse, refused) = channel(ANSWERS);
        let (mut heard, out) = duplex(1024);
        let writing = tokio::spawn(answer(BufReader::new(outer), refused, out));
        inner.write_all(b"half").await.unwrap();
        refuse.send(b"refused\n".to_vec()).await.unwrap();
        let mut first = [0; 8];
        heard.read_exact(&mut first).await.unwrap();
        assert_eq!(&first, b"refused\n");
        inner.write_all(b" and half\n").await.unwrap();
        drop((inner, refuse));
        let mut rest = String::new();
        heard.read_to_string(&mut rest).await.unwrap();
        assert_eq!(rest, "half and half\n");
        writing.await.unwrap();
    }
}
