//! Who the person is that writes.

use std::collections::HashSet;
use std::ffi::OsStr;

use super::Workspace;
use super::error::WorkspaceError;
use super::people::People;
use crate::engine::Snapshot;
use crate::participant::Kind;
use crate::problem::Problem;
use crate::state::DiscussionConfig;
use crate::store::{Range, user_name};
use crate::transcript::{Name, Transcript, is_agent, visible_line};

/// Who writes when nobody can be found out.
const NAMELESS: &str = "Human";

/// The variable that tells a model's program for whom it answers.
const PARTICIPANT: &str = "DISCUSSIONS_PARTICIPANT";

/// Where systems put the login name.
const LOGIN: [&str; 3] = ["USER", "LOGNAME", "USERNAME"];

/// A name that is written in and that git's author is not known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedName {
    /// The author that git would record, `Name <address>`.
    pub author: String,
    /// The line of `discussions.yaml` that says that they are one person.
    pub people: String,
}

impl Workspace {
    /// Compares the name of a comment with the author that git would record for it. Returns `None` if they fit, if the
    /// name is a model's, or without git: then nobody compares them later.
    pub fn unlisted(&self, name: &str) -> Option<UnlistedName> {
        let parsed = Name::parse(name).ok()?;
        if is_agent(&parsed) || self.setup.roster.by_name(&parsed).is_some() {
            return None;
        }
        let author = self.git_identity()?;
        let listed = self.setup.config.people.clone().unwrap_or_default();
        if People::new(&listed, "").is(name, &author) {
            return None;
        }
        // Before the first commit there is none.
        let range = Range::of(&self.setup.cwd, None);
        let mailmap = range.and_then(|range| range.trusted_text(".mailmap")).unwrap_or_default();
        if People::new(&listed, &mailmap).is(name, &author) {
            return None;
        }
        let mut addresses: Vec<String> = listed.get(&parsed).cloned().unwrap_or_default();
        addresses.push(author.email.clone());
        let addresses: Vec<String> = addresses.iter().map(|it| visible_line(it)).collect();
        Some(UnlistedName {
            author: visible_line(&format!("{} <{}>", author.name, author.email)),
            people: format!("people: {{{name}: [{}]}}", addresses.join(", ")),
        })
    }

    /// The name of the person who writes: the one that they give, else the configuration's, git's, that of the login;
    /// `system` is asked where nothing else tells. What is found is never the name of a program: who writes is a person.
    ///
    /// # Errors
    /// A given name that nobody can have.
    pub fn author(
        &self,
        given: Option<&str>,
        system: impl FnOnce() -> Option<String>,
    ) -> Result<String, WorkspaceError> {
        if let Some(given) = given {
            return Ok(name(given)?.to_string());
        }
        let by_login = || LOGIN.iter().find_map(|key| self.variable(key));
        let person = |name: Option<Name>| name.filter(|name| !is_agent(name));
        let found = person(self.setup.config.author.clone())
            .or_else(|| person(nearest_name(&user_name(&self.setup.cwd)?)))
            .or_else(|| person(nearest_name(&by_login()?)))
            .or_else(|| person(nearest_name(&system()?)));
        Ok(found.map_or_else(|| NAMELESS.to_owned(), |name| name.to_string()))
    }

    /// Insists that a model's program writes under its own name only. A run tells each program that it starts whom it
    /// answers for, in `DISCUSSIONS_PARTICIPANT`. Every command that writes in somebody's name has to call this.
    ///
    /// # Errors
    /// [`WorkspaceError::NotOwnName`] for a person's name, and for that of another participant.
    pub(crate) fn insist_on_own_name(&self, name: &Name) -> Result<(), WorkspaceError> {
        let Some(own) = self.variable(PARTICIPANT) else { return Ok(()) };
        let persona = self.setup.roster.by_name(name);
        let is_own = name.as_str().eq_ignore_ascii_case(&own)
            || persona.is_some_and(|it| it.kind != Kind::Human && it.alias.as_str() == own);
        // A coding agent's own name is no person's.
        if is_own || persona.is_none() && is_agent(name) {
            return Ok(());
        }
        Err(WorkspaceError::NotOwnName(own, name.clone()))
    }

    /// Insists that no model's program decides what only a person may decide.
    ///
    /// # Errors
    /// As [`Workspace::insist_on_own_name`] for the name of the person who would write here.
    pub(super) fn insist_on_person(&self) -> Result<(), WorkspaceError> {
        self.insist_on_own_name(&name(&self.author(None, || None)?)?)
    }

    /// Returns the people whom the configuration names: `author:` and `people:`.
    pub(super) fn listed_people(&self) -> Vec<Name> {
        let config = &self.setup.config;
        let listed = config.people.iter().flat_map(|people| people.keys());
        config.author.iter().chain(listed).cloned().collect()
    }

    /// Returns the people whom git knows: its user, and the authors of the history. Git is asked once, and only if a name
    /// is in doubt, since that takes long in a large repository.
    fn committers(&self) -> &[Name] {
        self.committers.get_or_init(|| {
            let folder = &self.setup.cwd;
            let authors = Range::of(folder, None).map(|range| range.authors()).unwrap_or_default();
            let names = user_name(folder).into_iter().chain(authors.into_iter().map(|it| it.name));
            let names: HashSet<String> = names.collect();
            names.iter().filter_map(|name| nearest_name(name)).collect()
        })
    }

    /// Folds a transcript. If a name is nearly a participant's, git says whether a person has it.
    pub(super) fn fold(
        &self,
        transcript: Transcript,
        config: DiscussionConfig,
        problems: Vec<Problem>,
    ) -> Snapshot {
        let read = Snapshot::with_problems(transcript, config, problems.clone());
        if read.state.doubted.is_empty() {
            return read;
        }
        let is_doubted = |name: &&Name| read.state.doubted.contains(name);
        let people: Vec<Name> = self.committers().iter().filter(is_doubted).cloned().collect();
        if people.is_empty() {
            return read;
        }
        let mut config = read.config.clone();
        config.known_people.extend(people);
        Snapshot::with_problems(read.transcript.clone(), config, problems)
    }

    fn variable(&self, key: &str) -> Option<String> {
        let value = self.environment.var(key).and_then(OsStr::to_str)?;
        Some(value.trim().to_owned()).filter(|value| !value.is_empty())
    }
}

/// Says that a model's program wanted to act as somebody else, and what helps.
pub(super) fn refusal(own: &str, name: &Name) -> String {
    format!(
        "a program started to answer as `{own}` cannot act as {name} (DISCUSSIONS_PARTICIPANT is set); a person can \
         do this in their own shell, where the variable is not set"
    )
}

/// A name as it is given.
pub(super) fn name(text: &str) -> Result<Name, WorkspaceError> {
    let refused = |reason| WorkspaceError::Name { what: "a name", asked: text.to_owned(), reason };
    Name::parse(text).map_err(refused)
}

/// A name without what the format does not allow in one: `Ann Lee (ops)` writes as `Ann Lee ops`.
pub(super) fn nearest_name(text: &str) -> Option<Name> {
    let allowed = |c: &char| Name::parse(&format!("a{c}a")).is_ok();
    Name::parse(&text.chars().filter(allowed).take(64).collect::<String>()).ok()
}
