//! Splits the bytes of a stream into its JSON documents.

use serde_json::Value;

use super::wire::Framing;

/// The maximum size of one piece in bytes. A longer one is not part of an answer.
const LONGEST: usize = 4 * 1024 * 1024;

/// A decoder that takes bytes as they arrive, however they are split, and returns each piece as soon as it is complete.
#[derive(Debug)]
pub(super) struct StreamDecoder {
    framing: Framing,
    /// A line that has not ended yet.
    line: Vec<u8>,
    /// The data of an event that has not ended yet.
    data: String,
}

/// A JSON document, or an error if the piece is not JSON.
pub(super) type StreamPiece = Result<Value, UnreadablePiece>;

/// The error for a piece that is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnreadablePiece;

impl StreamDecoder {
    pub(super) fn new(framing: Framing) -> Self {
        Self { framing, line: Vec::new(), data: String::new() }
    }

    /// Returns the pieces that these bytes complete.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<StreamPiece> {
        let mut pieces = Vec::new();
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                pieces.extend(self.line(&String::from_utf8_lossy(&line)));
            } else if self.line.len() > LONGEST {
                self.line.clear();
                pieces.push(Err(UnreadablePiece));
            }
        }
        pieces
    }

    /// Returns the pieces that the end of the stream completes. The last line needs no line break.
    pub(super) fn end(mut self) -> Vec<StreamPiece> {
        let line = std::mem::take(&mut self.line);
        let last = self.line(&String::from_utf8_lossy(&line));
        // An event without its end was cut off. It counts only if it is still valid JSON.
        let rest = self.take().filter(Result::is_ok);
        last.into_iter().chain(rest).collect()
    }

    fn line(&mut self, line: &str) -> Option<StreamPiece> {
        let line = line.trim_end_matches(['\n', '\r']);
        match self.framing {
            Framing::Lines => read(line),
            Framing::Events if line.is_empty() => self.take(),
            Framing::Events => {
                if let Some(data) = line.strip_prefix("data:") {
                    if !self.data.is_empty() {
                        self.data.push('\n');
                    }
                    self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
                    if self.data.len() > LONGEST {
                        self.data.clear();
                        return Some(Err(UnreadablePiece));
                    }
                }
                None
            }
        }
    }

    fn take(&mut self) -> Option<StreamPiece> {
        read(&std::mem::take(&mut self.data))
    }
}

/// Parses a document. `[DONE]` only marks the end and returns `None`.
fn read(text: &str) -> Option<StreamPiece> {
    let text = text.trim();
    (!text.is_empty() && text != "[DONE]")
        .then(|| serde_json::from_str(text).map_err(|_| UnreadablePiece))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn all(framing: Framing, bytes: &[u8], cut: usize) -> Vec<StreamPiece> {
        let mut pieces = StreamDecoder::new(framing);
        let mut found: Vec<StreamPiece> =
            bytes.chunks(cut).flat_map(|some| pieces.push(some)).collect();
        found.extend(pieces.end());
        found
    }

    #[test]
    fn chunk_boundaries_do_not_change_the_documents() {
        let events = "event: a\r\ndata: {\"x\":\r\ndata: \"é\"}\r\n\r\n: still here\n\ndata:{\"y\":2}\n\ndata: [DONE]\n\n";
        let lines = "{\"x\":\"é\"}\n\n{\"y\":2}";
        for cut in 1..events.len() {
            let wanted = vec![Ok(json!({"x": "é"})), Ok(json!({"y": 2}))];
            assert_eq!(all(Framing::Events, events.as_bytes(), cut), wanted);
            assert_eq!(all(Framing::Lines, lines.as_bytes(), cut), wanted);
        }
    }

    #[test]
    fn incomplete_document_is_not_returned() {
        assert_eq!(all(Framing::Events, b"data: {\"x\":", 3), []);
        assert_eq!(all(Framing::Events, b"data: {\"x\":1}\n", 3), [Ok(json!({"x": 1}))]);
        assert_eq!(all(Framing::Events, b"data: no\n\n", 3), [Err(UnreadablePiece)]);
        assert_eq!(all(Framing::Lines, b"{\"x\":", 3), [Err(UnreadablePiece)]);
        assert_eq!(all(Framing::Events, b"{\"choices\":[]}", 3), []);
    }
}
