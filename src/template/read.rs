//! The templates that are bundled with the program, and the parsing of a file into a checked template.

use std::borrow::Cow;

use include_dir::{Dir, include_dir};

use super::check::check;
use super::schema::Template;
use super::summary::add_summaries;
use crate::yaml::{self, LoadError};

/// The reason why a template cannot be used, with file and line.
pub(crate) type TemplateError = LoadError;

impl Template {
    /// Parses and checks a template. `origin` is the name of the text in errors; `stem` is the file name without
    /// `.md`.
    ///
    /// # Errors
    /// Returns the first mistake: invalid YAML, an unknown key, a marker, role, phase or parameter that does not exist,
    /// an expression that does not compile, or a phase that cannot be reached or might never end.
    pub fn read(text: &str, origin: &str, stem: &str) -> Result<Self, TemplateError> {
        let front = yaml::front_matter(text).ok_or_else(|| {
            LoadError::new(
                origin,
                "a template must begin with YAML between two `---` lines, with `id` and `phases`",
            )
        })?;
        let mut template: Self = yaml::read_at(front.yaml, origin, front.yaml_line)?;
        let body = front.body.trim_start_matches(['\n', '\r']);
        template.body = with_title_expression(body).into_owned().into();
        add_summaries(&mut template);
        check(&mut template, stem).map_err(|wrong| {
            let (text, line) = if wrong.in_body {
                (front.body, front.body_line)
            } else {
                (front.yaml, front.yaml_line)
            };
            LoadError::at(origin, text, line, locate(text, &wrong.near), wrong.message)
        })?;
        Ok(template)
    }
}

/// Returns line and column of the last word that is found; each word is searched for after the one before.
fn locate(yaml: &str, near: &[String]) -> (usize, usize) {
    let mut at = 0;
    let mut found = None;
    for word in near {
        if let Some(place) = yaml[at..].find(word.as_str()) {
            at += place;
            found = Some(at);
        }
    }
    let Some(at) = found else { return (0, 0) };
    let before = &yaml[..at];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, yaml[line_start..at].chars().count() + 1)
}

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// Replaces the placeholder `{title}`, which other tools use, by the expression with the same meaning. As plain text it
/// would become the title of every discussion.
fn with_title_expression(body: &str) -> Cow<'_, str> {
    if !body.contains("{title}") {
        return Cow::Borrowed(body);
    }
    // Two braces already begin an expression or a literal of the template language.
    let marked = body.replace("{{title}}", "\0");
    Cow::Owned(marked.replace("{title}", "{{ title }}").replace('\0', "{{title}}"))
}

/// Returns file stem and text of each bundled template, sorted by name.
pub fn bundled() -> Vec<(String, &'static str)> {
    let mut files: Vec<_> = FOLDER
        .files()
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "md"))
        .filter_map(|file| {
            Some((file.path().file_stem()?.to_str()?.to_owned(), file.contents_utf8()?))
        })
        .collect();
    files.sort();
    files
}
