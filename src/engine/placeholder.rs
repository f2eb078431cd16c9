//! What a template left for people to fill in, and nobody did.

use std::collections::HashSet;

use super::Snapshot;

/// A line of the discussion's text that stands as its template wrote it, for want of a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The line in the file, from 1.
    pub line: usize,
    /// What it asks for, as it stands.
    pub text: String,
}

/// A context with sections of its own, which takes the place of all that a template would ask for.
const CONTEXT: &str = "## x\n\nx\n";

impl Snapshot {
    /// The lines, all in emphasis, that the template writes only where it is given no context; none once somebody
    /// replaced one of them, for then they have seen the others too.
    pub fn placeholders(&self) -> Vec<Placeholder> {
        let (standing, asked) = self.standing_placeholders();
        if standing.len() < asked { Vec::new() } else { standing }
    }

    /// The lines that still stand as the template wrote them, also if somebody replaced others.
    pub fn unfilled_placeholders(&self) -> Vec<Placeholder> {
        self.standing_placeholders().0
    }

    /// The lines that still stand as the template wrote them, and how many different ones it wrote.
    fn standing_placeholders(&self) -> (Vec<Placeholder>, usize) {
        let body = &self.template().body;
        let params = minijinja::Value::from(minijinja::value::Serde(&self.config.parameters));
        let render = |context: &str| {
            let names = minijinja::context! { title => "", context => context, material => "", params => params.clone() };
            body.render(names).unwrap_or_default()
        };
        let (bare, filled) = (render(""), render(CONTEXT));
        let filled: HashSet<&str> = filled.lines().map(str::trim).collect();
        let asked: HashSet<&str> = bare
            .lines()
            .map(str::trim)
            .filter(|line| is_emphasis(line) && !filled.contains(line))
            .collect();
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

/// Whether a line, or the list item that it is, is all in emphasis.
fn is_emphasis(line: &str) -> bool {
    let text = line.strip_prefix("- ").unwrap_or(line);
    let text = text.strip_prefix("[ ] ").unwrap_or(text);
    text.len() > 2 && text.starts_with('_') && text.ends_with('_')
}
