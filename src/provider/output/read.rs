//! The search for the answer in a program's output: in the whole output, or while the program still prints it.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::error::Category;

use super::shape::{Format, OutputPieces, OutputShape, OutputSum, Pointer};
use crate::provider::{ReportedUsd, Usage};

/// The content of a program's output.
#[derive(Debug, Default, PartialEq)]
pub(in crate::provider) struct Envelope {
    pub(in crate::provider) text: String,
    pub(in crate::provider) model: Option<String>,
    pub(in crate::provider) usage: Option<Usage>,
    pub(in crate::provider) usd: ReportedUsd,
    pub(in crate::provider) warnings: Vec<String>,
}

/// The reason why an output contains no answer.
#[derive(Debug, PartialEq)]
pub(in crate::provider) enum OutputError {
    /// The program reports a failure.
    Told {
        /// The program's own message.
        message: String,
        /// The whole record, which often says more than the message.
        record: String,
        /// The cost of the failed call in US dollars, if the program reports it.
        usd: Option<f64>,
    },
    /// The output ends before the answer is complete.
    Cut,
}

const PLAIN: &str = "the output does not have the configured format, so it was read as plain text";

impl OutputShape {
    /// Finds the answer in a program's output.
    ///
    /// Output that does not have the configured format is taken as the bare answer, with a warning: the output of a
    /// program may change with its next version.
    pub(in crate::provider) fn open(&self, printed: &str) -> Result<Envelope, OutputError> {
        let records = match self.format {
            Format::Text => {
                return match bare_error(printed) {
                    Some(trouble) => Err(trouble),
                    None => Ok(Envelope { text: printed.to_owned(), ..Envelope::default() }),
                };
            }
            Format::Json => match document(printed) {
                Ok(document) => vec![document],
                Err(Category::Eof) => return Err(OutputError::Cut),
                Err(_) => Vec::new(),
            },
            Format::Jsonl => printed
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .filter(Value::is_object)
                .collect(),
        };
        let known: Vec<&Value> = records.iter().filter(|record| self.knows(record)).collect();
        if known.is_empty() {
            // There are valid records, but none that we know: the program was cut off before the first word of its
            // answer.
            if self.format == Format::Jsonl && !records.is_empty() {
                return Err(OutputError::Cut);
            }
            if let Some(trouble) = bare_error(printed) {
                return Err(trouble);
            }
            let warnings = if printed.trim().is_empty() { vec![] } else { vec![PLAIN.to_owned()] };
            return Ok(Envelope { text: printed.to_owned(), warnings, ..Envelope::default() });
        }
        let text = self.text_of(&known);
        let ends = |record: &&&Value| !self.end.is_empty() && holds(&self.end, record);
        let end = known.iter().rev().find(ends);
        // If the end record reports no error, errors before it do not count: an agent may have recovered, for example
        // from a failed tool.
        let judged = end.map_or(known.as_slice(), std::slice::from_ref);
        if let Some(trouble) = judged.iter().find_map(|record| self.reported_error(record, &text)) {
            return Err(trouble);
        }
        if !self.end.is_empty() && end.is_none() {
            return Err(OutputError::Cut);
        }
        Ok(Envelope {
            text,
            model: last(&known, self.model.as_ref()).and_then(model_name),
            usage: self.usage_of(&known),
            usd: ReportedUsd::parse(last(&known, self.usd.as_ref())),
            warnings: Vec::new(),
        })
    }

    /// Returns whether a record says that the answer reached its maximum length.
    fn is_cut(&self, record: &Value) -> bool {
        !self.cut.is_empty() && holds(&self.cut, record)
    }

    /// Returns whether a record's text belongs to the answer.
    fn selects(&self, record: &Value) -> bool {
        holds(&self.select, record)
    }

    /// Returns whether the record has anything that the shape names.
    fn knows(&self, record: &Value) -> bool {
        let usage = [&self.usage.input, &self.usage.cached, &self.usage.output];
        [Some(&self.text), self.error.as_ref(), self.usd.as_ref(), self.model.as_ref()]
            .into_iter()
            .flatten()
            .chain(usage.into_iter().flat_map(|sum| &sum.0))
            .any(|pointer| pointer.find(record).is_some())
            || (!self.end.is_empty() && holds(&self.end, record))
    }

    fn text_of(&self, records: &[&Value]) -> String {
        let mut texts = records
            .iter()
            .filter(|record| holds(&self.select, record))
            .filter_map(|record| self.text.find(record)?.as_str());
        match self.pieces {
            OutputPieces::Last => texts.next_back().unwrap_or_default().to_owned(),
            OutputPieces::Joined => texts.collect(),
        }
    }

    fn reported_error(&self, record: &Value, text: &str) -> Option<OutputError> {
        let message = match self.error.as_ref()?.find(record)? {
            Value::Bool(true) if text.is_empty() => self.reason(record),
            Value::Bool(true) => text.to_owned(),
            Value::String(message) if !message.is_empty() => message.clone(),
            Value::Object(error) => match error.get("message").and_then(Value::as_str) {
                Some(message) => message.to_owned(),
                None => Value::Object(error.clone()).to_string(),
            },
            _ => return None,
        };
        let usd = self.usd.as_ref().and_then(|pointer| pointer.find(record));
        // Without an amount, the reservation counts.
        let usd = ReportedUsd::parse(usd).amount();
        Some(OutputError::Told { message, record: record.to_string(), usd })
    }

    /// Returns the reason in a record that reports a failure without a text.
    fn reason(&self, record: &Value) -> String {
        let found = self.reason.as_ref().and_then(|pointer| pointer.find(record)?.as_str());
        found.unwrap_or_default().to_owned()
    }

    fn usage_of(&self, records: &[&Value]) -> Option<Usage> {
        let count = |sum: &OutputSum| records.iter().rev().find_map(|record| add(sum, record));
        let usage = Usage {
            input_tokens: count(&self.usage.input)?,
            cached_input_tokens: count(&self.usage.cached).unwrap_or(0),
            output_tokens: count(&self.usage.output)?,
            ..Usage::default()
        };
        // A call with 0 tokens was not counted by the program; an estimate is closer to the truth.
        (usage.input_tokens + usage.output_tokens > 0).then_some(usage)
    }
}

/// Finds a bare error: a document that contains an error and no answer. Services send it through programs that still
/// exit with 0.
fn bare_error(printed: &str) -> Option<OutputError> {
    let record: Value = serde_json::from_str(printed.trim()).ok()?;
    let record = record.get(0).cloned().unwrap_or(record);
    let words = |error: &&Value| error.is_object() || error.is_string();
    let is_status = |key: &str| record[key].as_u64().is_some_and(|code| (400..600).contains(&code));
    let told = record.get("error").filter(words).or_else(|| record.get("detail").filter(words));
    // A status next to a message is an error too, whatever its key is called.
    let told =
        told.or_else(|| record.get("message").filter(|_| is_status("code") || is_status("status")));
    let error = told?;
    let said = |key: &str| record.get(key).is_some_and(|value| !value.is_null());
    if ["comment", "vote", "text", "content", "choices", "result"].iter().any(|key| said(key)) {
        return None;
    }
    let message = error.get("message").or(Some(error)).and_then(Value::as_str);
    let message = message.map_or_else(|| error.to_string(), str::to_owned);
    Some(OutputError::Told { message, record: record.to_string(), usd: None })
}

/// Parses the JSON document in `printed`, which may have other lines before it.
fn document(printed: &str) -> Result<Value, Category> {
    let start = if printed.trim_start().starts_with('{') {
        0
    } else {
        printed.rfind("\n{").ok_or(Category::Syntax)?
    };
    serde_json::from_str(&printed[start..]).map_err(|error| error.classify())
}

fn holds(wanted: &BTreeMap<Pointer, String>, record: &Value) -> bool {
    wanted.iter().all(|(pointer, text)| pointer.find(record).and_then(Value::as_str) == Some(text))
}

fn last<'v>(records: &[&'v Value], pointer: Option<&Pointer>) -> Option<&'v Value> {
    let pointer = pointer?;
    records.iter().rev().find_map(|record| pointer.find(record))
}

fn model_name(value: &Value) -> Option<String> {
    match value {
        Value::String(name) => Some(name.clone()),
        Value::Object(by_name) => by_name.keys().next().cloned(),
        _ => None,
    }
}

/// Returns the sum of the numbers at the pointers; `None` if the first pointer finds nothing.
fn add(sum: &OutputSum, record: &Value) -> Option<u64> {
    let mut numbers = sum.0.iter().map(|pointer| pointer.find(record).and_then(Value::as_u64));
    let first = numbers.next()??;
    Some(numbers.flatten().fold(first, u64::saturating_add))
}

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
mod live_tests;
#[cfg(test)]
mod tests;
