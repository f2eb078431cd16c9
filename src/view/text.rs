//! The status of a text, for programs that keep discussions elsewhere than in files.

use std::sync::Arc;

use super::Status;
use crate::codes::ProblemCode;
use crate::engine::Snapshot;
use crate::participant::Roster;
use crate::problem::{Problem, Severity};
use crate::state::{Defaults, DiscussionConfig};
use crate::template::{Template, bundled};
use crate::transcript::{Alias, parse};

/// The built-in default participants.
const PARTICIPANTS: [&str; 3] = ["architect", "security", "pragmatist"];

/// The built-in default template.
pub(crate) const DEFAULT_TEMPLATE: &str = "feature";

/// Returns the participants that are used if nothing else names any.
pub(crate) fn default_participants() -> Vec<Alias> {
    PARTICIPANTS.iter().filter_map(|alias| Alias::parse(alias).ok()).collect()
}

impl Status {
    /// Returns the status of a text, by the bundled templates and personas. `file` is its path or name as people see it.
    ///
    /// Any text is a discussion; its problems are in [`Status::problems`].
    pub fn read(text: &str, file: &str) -> Self {
        let transcript = parse(text);
        let mut problems = Vec::new();
        let id = transcript.head.as_ref().and_then(|head| head.template.as_deref());
        let named = id.map(|id| (id, bundled_template(id)));
        if let Some((id, None)) = &named {
            let message = format!("no template `{id}` is bundled");
            let code = ProblemCode::TemplateUnknown;
            problems.push(Problem::new(Severity::Error, code, (1, 1), message));
        }
        let template = named.and_then(|(_, template)| template);
        let template = template
            .or_else(|| bundled_template(DEFAULT_TEMPLATE))
            .expect("a test reads every bundled template");
        let mut defaults = Defaults::default();
        if template.participants.default.is_empty() {
            defaults.participants = default_participants();
        }
        let roster = Arc::new(Roster::bundled());
        let config = DiscussionConfig::for_readers(
            &transcript,
            &template,
            &roster,
            &defaults,
            &mut problems,
        );
        let config = config
            .or_else(|_| DiscussionConfig::new(None, &template, &roster, &defaults))
            .expect("a bundled template fits its own defaults");
        Self::of(&Snapshot::with_problems(transcript, config, problems), file.to_owned(), None)
    }
}

fn bundled_template(id: &str) -> Option<Arc<Template>> {
    let (_, source) = bundled().into_iter().find(|(bundled, _)| bundled == id)?;
    Template::read(source, &format!("{id}.md"), id).ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_template_reads_a_text() {
        for (id, _) in bundled() {
            let text = format!("<!-- DISCUSSION\ntemplate: {id}\n-->\n\n# Tea\n");
            let status = Status::read(&text, "tea.md");
            assert_eq!((status.template, status.title.as_str()), (id, "Tea"));
        }
    }

    #[test]
    fn a_wrong_head_is_a_problem_and_the_text_is_read() {
        let head = "template: nowhere\nconsensus: {method: never}";
        let text = format!("<!-- DISCUSSION\n{head}\n-->\n\n# Tea\n");
        let status = Status::read(&text, "tea.md");
        assert_eq!((status.template.as_str(), status.title.as_str()), (DEFAULT_TEMPLATE, "Tea"));
        let codes: Vec<ProblemCode> = status.problems.iter().map(|one| one.code).collect();
        assert!(codes.contains(&ProblemCode::TemplateUnknown), "{codes:?}");
    }
}
