//! Results and events as JSON.

use std::borrow::Cow;
use std::io::{self, Write as _};

use discussions::transcript::visible;
use serde::Serialize;

use super::Ui;
use crate::cli::json::Wanted;

impl Ui {
    /// Whether a JSON document went out: then a failure is no second one.
    pub(crate) fn has_told(&self) -> bool {
        self.told
    }

    /// The result as one JSON document.
    pub(crate) fn json(&mut self, document: &impl Serialize) {
        match serde_json::to_string_pretty(document) {
            Ok(json) => {
                self.told = true;
                self.write_json(json);
            }
            Err(error) => self.failed = Some(io::Error::other(error)),
        }
    }

    /// The same in the form that is wanted; nothing for people, who are told in words.
    pub(crate) fn json_as(&mut self, wanted: Wanted, document: &impl Serialize) {
        match wanted {
            Wanted::Words => {}
            Wanted::Document => self.json(document),
            Wanted::Lines => self.json_line(document),
        }
    }

    /// The same as one line, behind events.
    pub(crate) fn json_line(&mut self, document: &impl Serialize) {
        self.event(document);
        self.told = true;
    }

    /// Something that happened as one line of JSON, at once.
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
        // Nothing is left in it that a terminal would act on, so nothing is to be looked for.
        if self.failed.is_none() {
            let mut out: &io::Stdout = self.out.as_inner();
            self.failed = out.write_all(escaped(&json).as_bytes()).err();
        }
    }
}

/// JSON in which no character can act on a terminal; such ones only stand in strings, where they may be escaped.
fn escaped(json: &str) -> Cow<'_, str> {
    // Line ends and indentation are the document's own.
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
    fn no_escape_code_gets_through() {
        assert_eq!(escaped("\"\u{9b}\u{202e}\u{e0041}\""), r#""\u009b\u202e\udb40\udc41""#);
        let back: String = serde_json::from_str(&escaped("\"\u{9b}\u{e0041}\"")).unwrap();
        assert_eq!(back, "\u{9b}\u{e0041}");
    }
}
