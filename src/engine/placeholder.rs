//! Placeholders of a template that no person has filled in.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Snapshot;
use crate::template::Template;

/// A line that the template wrote into the discussion because it had no context, and that is still unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// Line number in the file, from 1.
    pub line: usize,
    /// The text of the line.
    pub text: String,
}

/// A sample context. A line that the template writes without a context, but not with this one, is a
/// placeholder.
const CONTEXT: &str = "## x\n\nx\n";

impl Snapshot {
    /// Returns the lines in emphasis that the template writes only if it has no context. Returns none once a person
    /// replaced one of them: that person has seen the others too.
    pub fn placeholders(&self) -> Vec<Placeholder> {
        let (standing, asked) = self.standing_placeholders();
        if standing.len() < asked { Vec::new() } else { standing }
    }

    /// Returns the placeholder lines that are still unchanged, even if a person replaced others.
    pub fn unfilled_placeholders(&self) -> Vec<Placeholder> {
        self.standing_placeholders().0
    }

    /// Returns the placeholder lines that are still unchanged, and the number of different lines that the template
    /// wrote.
    fn standing_placeholders(&self) -> (Vec<Placeholder>, usize) {
        let asked = placeholder_lines(self.template(), &self.config.parameters);
        let preamble = &self.transcript.preamble;
        let above = self.transcript.text[..preamble.start].matches('\n').count();
        let lines = self.transcript.preamble_text().lines().enumerate();
        let standing = lines.filter(|(_, line)| asked.contains(line.trim()));
        let standing = standing
            .map(|(index, line)| Placeholder {
                line: above + index + 1,
                text: line.trim().to_owned(),
            })
            .collect();
        (standing, asked.len())
    }
}

/// Returns the lines in emphasis that a template writes only without a context.
pub(crate) fn placeholder_lines(
    template: &Template,
    parameters: &Map<String, Value>,
) -> HashSet<String> {
    let params = minijinja::Value::from(minijinja::value::Serde(parameters));
    let render = |context: &str| {
        let names = minijinja::context! { title => "", context => context, material => "", params => params.clone() };
        template.body.render(names).unwrap_or_default()
    };
    let (bare, filled) = (render(""), render(CONTEXT));
    let filled: HashSet<&str> = filled.lines().map(str::trim).collect();
    let lines = bare.lines().map(str::trim);
    let asked = lines.filter(|line| is_emphasis(line) && !filled.contains(line));
    asked.map(str::to_owned).collect()
}

/// Returns true if a line or the text of a list item is entirely in emphasis.
fn is_emphasis(line: &str) -> bool {
    let text = line.strip_prefix("- ").unwrap_or(line);
    let text = text.strip_prefix("[ ] ").unwrap_or(text);
    text.len() > 2 && text.starts_with('_') && text.ends_with('_')
}
