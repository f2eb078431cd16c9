//! What of a program's output is said to whoever watches, while it is still printed.

use serde_json::Value;

use super::shape::{Format, OutputShape};

/// A line longer than this is nobody's piece.
const LONGEST: usize = 1024 * 1024;

/// Takes output as it arrives and gives what of it is the answer.
#[derive(Debug)]
pub(in crate::provider) struct Live<'s> {
    shape: &'s OutputShape,
    /// A line whose end has not arrived.
    line: String,
    /// Bytes of the answer so far.
    said: usize,
    /// The program said that its answer got as long as it may.
    cut: bool,
}

impl<'s> Live<'s> {
    pub(in crate::provider) fn new(shape: &'s OutputShape) -> Self {
        Self { shape, line: String::new(), said: 0, cut: false }
    }

    /// Whether no more is to be said where an answer has at most so many bytes.
    pub(in crate::provider) fn is_full(&self, longest: usize) -> bool {
        self.cut || self.said > longest
    }

    /// The words of the answer that came with this.
    pub(in crate::provider) fn push(&mut self, printed: &str) -> String {
        let words = self.heard(printed);
        self.said += words.len();
        words
    }

    fn heard(&mut self, printed: &str) -> String {
        match self.shape.format {
            Format::Text => printed.to_owned(),
            // One document has no pieces.
            Format::Json => String::new(),
            Format::Jsonl => {
                let mut said = String::new();
                for part in printed.split_inclusive('\n') {
                    self.line.push_str(part);
                    if part.ends_with('\n') {
                        let line = std::mem::take(&mut self.line);
                        said.push_str(&self.words(&line));
                    } else if self.line.len() > LONGEST {
                        self.line.clear();
                    }
                }
                said
            }
        }
    }

    fn words(&mut self, line: &str) -> String {
        let Ok(record) = serde_json::from_str::<Value>(line) else { return String::new() };
        self.cut |= self.shape.is_cut(&record);
        let words = match &self.shape.piece {
            Some(piece) => piece.find(&record),
            None => self.shape.text.find(&record).filter(|_| self.shape.selects(&record)),
        };
        words.and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    fn all(shape: &str, printed: &str, size: usize) -> String {
        let shape: OutputShape = yaml::read(shape, "shape").unwrap();
        let mut live = Live::new(&shape);
        let chars: Vec<char> = printed.chars().collect();
        chars.chunks(size).map(|some| live.push(&some.iter().collect::<String>())).collect()
    }

    #[test]
    fn pieces_are_told_as_they_come_however_they_are_cut() {
        let printed = concat!(
            "{\"type\":\"system\"}\n{\"event\":{\"delta\":{\"text\":\"Caf\"}}}\nno json\n",
            "{\"event\":{\"delta\":{\"text\":\"é\"}}}\n{\"result\":\"Café\"}\n"
        );
        for size in [1, 5, 1000] {
            let shape = "{format: jsonl, text: /result, piece: /event/delta/text}";
            assert_eq!(all(shape, printed, size), "Café");
        }
    }

    #[test]
    fn where_nothing_else_is_a_piece_the_selected_texts_are() {
        let printed = "{\"t\":\"a\",\"say\":\"One.\"}\n{\"t\":\"b\",\"say\":\"no\"}\n";
        assert_eq!(all("{format: jsonl, text: /say, select: {/t: a}}", printed, 3), "One.");
        assert_eq!(all("{format: json, text: /say}", printed, 3), "");
        assert_eq!(all("{format: text}", "as it is", 3), "as it is");
    }
}
