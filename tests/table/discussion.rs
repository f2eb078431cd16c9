//! Builds the text of a discussion block by block and reads its state.

use discussions::engine::Snapshot;
use discussions::participant::{PersonaOrigin, PersonaSource, Roster};
use discussions::state::Defaults;
use discussions::template::{Template, bundled};
use std::sync::Arc;

/// The text of a discussion, and the template and personas of its reader.
#[derive(Clone)]
pub(super) struct Discussion {
    template: Arc<Template>,
    roster: Arc<Roster>,
    pub(super) text: String,
}

impl Discussion {
    /// A discussion with this template and head lines.
    pub(super) fn new(template: &str, head: &str) -> Self {
        let (_, text) = bundled().into_iter().find(|(id, _)| id == template).unwrap();
        Self::of(text, template, head)
    }

    /// A discussion with its own template.
    pub(super) fn of(text: &str, template: &str, head: &str) -> Self {
        Self {
            template: Template::read(text, template, template).unwrap().into(),
            roster: Roster::bundled().into(),
            text: format!(
                "<!-- DISCUSSION\ntemplate: {template}\n{head}\n-->\n\n# Queue or cron?\n\n---\n"
            ),
        }
    }

    /// A feature discussion of three, in the phase in which votes decide.
    pub(super) fn vote() -> Self {
        let head = "participants: [architect, security, pragmatist]\nbackground: [researcher]\nconsensus: {human_required: false}";
        Self::new("feature", head).line("PHASE: consensus_vote").line("VOTE-RESET")
    }

    /// Adds a persona that the reader knows besides the bundled ones.
    pub(super) fn knowing(mut self, yaml: &str) -> Self {
        Arc::make_mut(&mut self.roster).layer([PersonaSource {
            origin: PersonaOrigin::Bundled,
            shown: "extra.yaml".into(),
            text: yaml.into(),
        }]);
        self
    }

    /// Adds a control line.
    pub(super) fn line(mut self, line: &str) -> Self {
        self.text.push_str(&format!("\n<!-- {line} -->\n\n---\n"));
        self
    }

    /// Adds a comment as a person writes it.
    pub(super) fn says(mut self, name: &str, body: &str) -> Self {
        self.text.push_str(&format!("\nName: {name}\n\n{body}\n\n---\n"));
        self
    }

    /// Adds a model's answer.
    pub(super) fn replies(mut self, name: &str, body: &str) -> Self {
        let reply = "<!-- REPLY turn: 1, provider: p, tokens: 10/5, usd: 0.5, calls: 2 -->";
        self.text.push_str(&format!("\nName: {name}\n{reply}\n\n{body}\n\n---\n"));
        self
    }

    /// Adds votes, one comment each.
    pub(super) fn votes(self, votes: &[(&str, &str)]) -> Self {
        votes
            .iter()
            .fold(self, |discussion, (name, vote)| discussion.says(name, &format!("VOTE: {vote}")))
    }

    /// Reads the discussion.
    pub(super) fn look<T>(&self, look: impl FnOnce(&Snapshot) -> T) -> T {
        let defaults = Defaults::default();
        look(&Snapshot::read(&self.text, &self.template, &self.roster, &defaults).unwrap())
    }

    /// Names and votes that count.
    pub(super) fn ballot(&self) -> Vec<(String, String)> {
        self.look(|it| {
            let votes = it.state.ballot.votes.iter();
            votes.map(|vote| (vote.name.to_string(), vote.choice.to_string())).collect()
        })
    }

    /// Codes of the problems.
    pub(super) fn problems(&self) -> Vec<&'static str> {
        self.look(|it| it.state.problems.iter().map(|problem| problem.code.as_str()).collect())
    }
}
