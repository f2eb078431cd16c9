//! Finds the answer in a program's output while the program still prints it.

use serde_json::Value;

use super::shape::{Format, OutputShape};

/// The maximum length of a line in bytes. A longer one is not part of an answer.
const LONGEST: usize = 1024 * 1024;

/// A parser that takes output as it arrives and returns the parts that belong to the answer.
#[derive(Debug)]
pub(in crate::provider) struct LiveOutput<'s> {
    shape: &'s OutputShape,
    /// A line that has not ended yet.
    line: String,
    /// The number of bytes of the answer so far.
    said: usize,
    /// True if the program reported that its answer reached the maximum length.
    cut: bool,
}

impl<'s> LiveOutput<'s> {
    pub(in crate::provider) fn new(shape: &'s OutputShape) -> Self {
        Self { shape, line: String::new(), said: 0, cut: false }
    }

    /// Returns whether the answer has reached its maximum, which is `longest` bytes or the program's own limit.
    pub(in crate::provider) fn is_full(&self, longest: usize) -> bool {
        self.cut || self.said > longest
    }

    /// Returns the text of the answer in this piece of output.
    pub(in crate::provider) fn push(&mut self, printed: &str) -> String {
        let words = self.add_output(printed);
        self.said += words.len();
        words
    }

    fn add_output(&mut self, printed: &str) -> String {
        match self.shape.format {
            Format::Text => printed.to_owned(),
            // A single document has no pieces.
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
        let mut live = LiveOutput::new(&shape);
        let chars: Vec<char> = printed.chars().collect();
        chars.chunks(size).map(|some| live.push(&some.iter().collect::<String>())).collect()
    }

    #[test]
    fn pieces_are_reported_however_the_output_is_cut() {
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
    fn selected_texts_are_the_pieces_by_default() {
        let printed = "{\"t\":\"a\",\"say\":\"One.\"}\n{\"t\":\"b\",\"say\":\"no\"}\n";
        assert_eq!(all("{format: jsonl, text: /say, select: {/t: a}}", printed, 3), "One.");
        assert_eq!(all("{format: json, text: /say}", printed, 3), "");
        assert_eq!(all("{format: text}", "as it is", 3), "as it is");
    }
}
