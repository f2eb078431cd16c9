//! Finds YAML between two `---` lines at the top of a Markdown file.

/// The parts of a Markdown file with front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrontMatter<'t> {
    /// The YAML between the two `---` lines.
    pub yaml: &'t str,
    /// Line of the file where `yaml` begins, counted from 1; for [`read_at`](super::read_at).
    pub yaml_line: usize,
    /// The text after the closing line.
    pub body: &'t str,
    /// Line of the file where `body` begins, counted from 1.
    pub body_line: usize,
}

/// Splits a Markdown file at its front matter; none if it does not begin with a `---` line (after a BOM), or if no
/// second one closes it.
pub(crate) fn front_matter(text: &str) -> Option<FrontMatter<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_rule(line))?;
    let start = first.len();
    let mut end = start;
    for (count, line) in lines.enumerate() {
        if is_rule(line) {
            return Some(FrontMatter {
                yaml: &text[start..end],
                yaml_line: 2,
                body: &text[end + line.len()..],
                body_line: count + 3,
            });
        }
        end += line.len();
    }
    None
}

fn is_rule(line: &str) -> bool {
    line.trim_end() == "---"
}
