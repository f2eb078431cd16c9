//! The name under which a person writes.

use std::collections::HashSet;
use std::ffi::OsStr;

use super::Workspace;
use super::error::WorkspaceError;
use super::people::People;
use crate::engine::Snapshot;
use crate::participant::ParticipantKind;
use crate::problem::Problem;
use crate::state::DiscussionConfig;
use crate::store::{Range, user_name};
use crate::transcript::{Name, Transcript, is_agent, visible_line};

/// The author if no name can be found.
const NAMELESS: &str = "Human";

/// The variable that tells a model's program which participant it answers for.
const PARTICIPANT: &str = "DISCUSSIONS_PARTICIPANT";

/// The environment variables that hold the login name, depending on the system.
const LOGIN: [&str; 3] = ["USER", "LOGNAME", "USERNAME"];

/// A name under which comments are written and which git does not connect with the author of the commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedName {
    /// The author that git would record, `Name <address>`.
    pub author: String,
    /// The line of `discussions.yaml` that declares the two to be one person.
    pub people: String,
}

impl Workspace {
    /// Compares the name of a comment with the author that git would record for it. Returns `None` if they fit or if
    /// the name is a model's. Also returns `None` without git, because then no check compares them later.
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
        // Before the first commit there is no range.
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

    /// Returns the name of the person who writes: the given name, or else the configured author, git's user, or the
    /// login name. `system` is called only if none of these gives a name. A name that was found, not given, is never a
    /// program's, because the writer is a person.
    ///
    /// # Errors
    /// Fails if the given name is not a valid name.
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

    /// Ensures that a model's program writes only under its own name. A run tells each program that it starts which
    /// participant it answers for, in `DISCUSSIONS_PARTICIPANT`. Every command that writes under a participant's name
    /// must call this.
    ///
    /// # Errors
    /// [`WorkspaceError::NotOwnName`] for the name of a person or of another participant.
    pub(crate) fn insist_on_own_name(&self, name: &Name) -> Result<(), WorkspaceError> {
        let Some(own) = self.variable(PARTICIPANT) else { return Ok(()) };
        let persona = self.setup.roster.by_name(name);
        let is_own = name.as_str().eq_ignore_ascii_case(&own)
            || persona
                .is_some_and(|it| it.kind != ParticipantKind::Human && it.alias.as_str() == own);
        // A coding agent's own name does not belong to a person.
        if is_own || persona.is_none() && is_agent(name) {
            return Ok(());
        }
        Err(WorkspaceError::NotOwnName(own, name.clone()))
    }

    /// Ensures that a model's program does not decide what only a person may decide.
    ///
    /// # Errors
    /// [`WorkspaceError::NotOwnName`] if the name of the person who would write here is not the program's own.
    pub(super) fn insist_on_person(&self) -> Result<(), WorkspaceError> {
        self.insist_on_own_name(&name(&self.author(None, || None)?)?)
    }

    /// Returns the people in the configuration: `author:` and `people:`.
    pub(super) fn listed_people(&self) -> Vec<Name> {
        let config = &self.setup.config;
        let listed = config.people.iter().flat_map(|people| people.keys());
        config.author.iter().chain(listed).cloned().collect()
    }

    /// Returns the people known to git: its user, and the authors of the history. Reads them from git once, and only if
    /// a name is in doubt, because that takes long in a large repository.
    fn committers(&self) -> &[Name] {
        self.committers.get_or_init(|| {
            let folder = &self.setup.cwd;
            let authors = Range::of(folder, None).map(|range| range.authors()).unwrap_or_default();
            let names = user_name(folder).into_iter().chain(authors.into_iter().map(|it| it.name));
            let names: HashSet<String> = names.collect();
            names.iter().filter_map(|name| nearest_name(name)).collect()
        })
    }

    /// Builds the snapshot of a transcript. If a name is nearly a participant's, git tells if a person has it.
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

/// Returns the message that a model's program tried to act as another participant or person, with the fix.
pub(super) fn refusal(own: &str, name: &Name) -> String {
    format!(
        "a program started to answer as `{own}` cannot act as {name} (DISCUSSIONS_PARTICIPANT is set); a person can \
         do this in their own shell, where the variable is not set"
    )
}

/// Parses a name that the caller gave.
pub(super) fn name(text: &str) -> Result<Name, WorkspaceError> {
    let refused = |reason| WorkspaceError::Name { what: "a name", asked: text.to_owned(), reason };
    Name::parse(text).map_err(refused)
}

/// Returns the name without the characters that the format does not allow: `Ann Lee (ops)` becomes `Ann Lee ops`.
pub(super) fn nearest_name(text: &str) -> Option<Name> {
    let allowed = |c: &char| Name::parse(&format!("a{c}a")).is_ok();
    Name::parse(&text.chars().filter(allowed).take(64).collect::<String>()).ok()
}
