//! The messages on standard input and output. A message that nobody can read is answered with an error, and the server goes
//! on: the protocol's library would end it.

use std::io::{self, BufRead, Read as _, Write as _, stdin, stdout};
use std::sync::mpsc::{Receiver, Sender};
use std::thread::{Builder, JoinHandle};

use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

use crate::cli::surrogates::replace_lone_surrogates;

/// The maximum size of a message in bytes. A longer one is skipped.
const MAX_MESSAGE_BYTES: u64 = 256 << 20;

/// One thing that was read.
#[derive(Debug)]
enum Incoming {
    /// A message of the protocol.
    Message(Message),
    /// The error response to something else.
    Refused(Value),
}

/// Something to write.
#[derive(Debug)]
pub(super) enum Outgoing {
    /// A message of the server.
    Message(Message),
    /// The error response to an unreadable message, which has no id.
    Refused(Value),
}

/// Starts the thread that reads messages from standard input until it ends. Answers to unreadable ones go to `refused`.
pub(super) fn read_messages(
    received: impl Fn(Message) -> bool + Send + 'static,
    closed: impl FnOnce() + Send + 'static,
    refused: Sender<Outgoing>,
) -> io::Result<JoinHandle<()>> {
    Builder::new().name("lsp-reader".to_owned()).spawn(move || {
        let mut input = stdin().lock();
        while let Ok(Some(incoming)) = next(&mut input) {
            let goes_on = match incoming {
                Incoming::Message(message) => {
                    let is_exit =
                        matches!(&message, Message::Notification(it) if it.method == "exit");
                    received(message) && !is_exit
                }
                Incoming::Refused(value) => refused.send(Outgoing::Refused(value)).is_ok(),
            };
            if !goes_on {
                break;
            }
        }
        closed();
    })
}

/// Starts the thread that writes messages to standard output.
pub(super) fn write_messages(outgoing: Receiver<Outgoing>) -> io::Result<JoinHandle<()>> {
    Builder::new().name("lsp-writer".to_owned()).spawn(move || {
        let mut output = stdout().lock();
        for one in outgoing {
            let written = match one {
                Outgoing::Message(message) => message.write(&mut output),
                Outgoing::Refused(value) => {
                    let text = value.to_string();
                    let head = format!("Content-Length: {}\r\n\r\n", text.len());
                    output
                        .write_all(head.as_bytes())
                        .and_then(|()| output.write_all(text.as_bytes()))
                        .and_then(|()| output.flush())
                }
            };
            if written.is_err() {
                return;
            }
        }
    })
}

/// Reads the next message; `None` at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = content_length(input)? else { return Ok(None) };
    let Some(length) = length else {
        return Ok(Some(refusal(
            ErrorCode::ParseError,
            "the header has no valid `Content-Length`",
        )));
    };
    if length > MAX_MESSAGE_BYTES {
        io::copy(&mut input.take(length), &mut io::sink())?;
        return Ok(Some(refusal(ErrorCode::ParseError, "the message is longer than 256 MiB")));
    }
    let mut text = Vec::new();
    input.take(length).read_to_end(&mut text)?;
    if (text.len() as u64) < length {
        return Ok(None);
    }
    replace_lone_surrogates(&mut text);
    let value: Value = match serde_json::from_slice(&text) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("the message is no JSON: {error}");
            return Ok(Some(refusal(ErrorCode::ParseError, &message)));
        }
    };
    Ok(Some(match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(message),
        Err(_) => refusal(ErrorCode::InvalidRequest, "this is no message of JSON-RPC"),
    }))
}

/// Reads a header and returns the length that it states: the outer `None` at the end of the input, the inner one for a
/// header without a length.
fn content_length(input: &mut impl BufRead) -> io::Result<Option<Option<u64>>> {
    let (mut length, mut is_begun) = (None, false);
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            // Blank lines between messages are no header.
            if is_begun {
                return Ok(Some(length));
            }
            continue;
        }
        is_begun = true;
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
}

/// Returns the error response to something that has no readable id.
fn refusal(code: ErrorCode, message: &str) -> Incoming {
    let error = json!({ "code": code as i32, "message": message });
    Incoming::Refused(json!({ "jsonrpc": "2.0", "id": null, "error": error }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(text: &[u8]) -> Vec<u8> {
        [format!("Content-Length: {}\r\n\r\n", text.len()).as_bytes(), text].concat()
    }

    #[test]
    fn unreadable_messages_are_answered_and_the_next_one_is_read() {
        let hover = br#"{"jsonrpc":"2.0","id":4,"method":"x","params":{"text":"\ud83d"}}"#;
        let mut bytes = Vec::new();
        for text in [&b"{}"[..], b"null", b"\xff\xfe", b"{\"a\":", hover] {
            bytes.extend(framed(text));
        }
        bytes.extend(b"Content-Length: many\r\n\r\n");
        bytes.extend(framed(br#"{"jsonrpc":"2.0","method":"exit"}"#));
        let mut input = bytes.as_slice();
        for code in [-32600, -32600, -32700, -32700] {
            let Some(Incoming::Refused(told)) = next(&mut input).unwrap() else { panic!("{code}") };
            assert_eq!((&told["error"]["code"], &told["id"]), (&json!(code), &Value::Null));
        }
        let Some(Incoming::Message(Message::Request(request))) = next(&mut input).unwrap() else {
            panic!("half of an emoji is replaced")
        };
        assert_eq!(request.params["text"], "\u{fffd}");
        assert!(matches!(next(&mut input).unwrap(), Some(Incoming::Refused(_))));
        assert!(matches!(next(&mut input).unwrap(), Some(Incoming::Message(_))));
        assert!(next(&mut input).unwrap().is_none());
    }

    #[test]
    fn enormous_length_reserves_no_memory() {
        let mut input = &b"Content-Length: 99999999999\r\n\r\n{}"[..];
        assert!(matches!(next(&mut input).unwrap(), Some(Incoming::Refused(_))));
        assert!(next(&mut input).unwrap().is_none());
    }
}
