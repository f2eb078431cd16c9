//! Prints results and events as JSON.

use std::borrow::Cow;
use std::io::{self, Write as _};

use discussions::view::visible;
use serde::Serialize;

use super::Ui;
use crate::cli::json::OutputRequest;

impl Ui {
    /// Returns true if a JSON document was printed; a failure then prints no second one.
    pub(crate) fn has_told(&self) -> bool {
        self.told
    }

    /// Prints the result as one JSON document.
    pub(crate) fn json(&mut self, document: &impl Serialize) {
        match serde_json::to_string_pretty(document) {
            Ok(json) => {
                self.told = true;
                self.write_json(json);
            }
            Err(error) => self.failed = Some(io::Error::other(error)),
        }
    }

    /// Prints the result in the wanted form; nothing if that is text, which the caller prints.
    pub(crate) fn json_as(&mut self, wanted: OutputRequest, document: &impl Serialize) {
        match wanted {
            OutputRequest::Words => {}
            OutputRequest::Document => self.json(document),
            OutputRequest::Lines => self.json_line(document),
        }
    }

    /// Prints the result as one line, after events.
    pub(crate) fn json_line(&mut self, document: &impl Serialize) {
        self.event(document);
        self.told = true;
    }

    /// Prints an event as one line of JSON, immediately.
    pub(crate) fn event(&mut self, document: &impl Serialize) {
        match serde_json::to_string(document) {
            Ok(json) => {
                self.write_json(json);
                let _ = self.out.flush();
            }
            Err(error) => self.failed = Some(io::Error::other(error)),
        }
    }

    fn write_json(&mut self, mut json: String) {
        json.push('\n');
        // The escaped text cannot control a terminal, so it needs no filter.
        if self.failed.is_none() {
            let mut out: &io::Stdout = self.out.as_inner();
            self.failed = out.write_all(escaped(&json).as_bytes()).err();
        }
    }
}

/// Escapes all characters that could control a terminal. They occur only in strings, where JSON allows escapes.
fn escaped(json: &str) -> Cow<'_, str> {
    // Line ends and indentation come from the document itself.
    if matches!(visible(json), Cow::Borrowed(_)) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 64);
    let (mut one, mut units) = ([0; 4], [0; 2]);
    for c in json.chars() {
        if *visible(c.encode_utf8(&mut one)) == *c.encode_utf8(&mut [0; 4]) {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_codes_are_escaped_in_json() {
        assert_eq!(escaped("\"\u{9b}\u{202e}\u{e0041}\""), r#""\u009b\u202e\udb40\udc41""#);
        let back: String = serde_json::from_str(&escaped("\"\u{9b}\u{e0041}\"")).unwrap();
        assert_eq!(back, "\u{9b}\u{e0041}");
    }
}
