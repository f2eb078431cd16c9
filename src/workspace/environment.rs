//! The inputs of a workspace from outside: the clock, the author's name, links and access to files.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Workspace;
use super::error::WorkspaceError;
use super::people::People;
use crate::boundary::ProjectPlace;
use crate::engine::Snapshot;
use crate::participant::ParticipantKind;
use crate::problem::Problem;
use crate::state::DiscussionConfig;
use crate::store::{self, Patience, Range, Receipt, Redaction, StoreError, Writer, user_name};
use crate::transcript::{Draft, Name, Time, Transcript, is_agent, parse, visible_line};

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Time;
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        time_of(SystemTime::now())
    }
}

/// Converts a system time. A time beyond the calendar, which only a broken clock or file has, becomes the last or first
/// representable time.
pub(super) fn time_of(at: SystemTime) -> Time {
    let since = at.duration_since(UNIX_EPOCH);
    let (seconds, nanos) = match since {
        Ok(after) => (i64::try_from(after.as_secs()).unwrap_or(i64::MAX), after.subsec_nanos()),
        Err(before) => {
            let before = before.duration();
            let whole = i64::try_from(before.as_secs()).map_or(i64::MIN, |seconds| -seconds);
            match Duration::from_secs(1)
                .checked_sub(Duration::from_nanos(before.subsec_nanos().into()))
            {
                Some(rest) if before.subsec_nanos() > 0 => {
                    (whole.saturating_sub(1), rest.subsec_nanos())
                }
                _ => (whole, 0),
            }
        }
    };
    let bounds = (Time::MIN_UTC, LAST);
    match Time::from_timestamp(seconds, nanos) {
        Some(time) => time.min(LAST),
        None if seconds < 0 => bounds.0,
        None => bounds.1,
    }
}

/// The last second that RFC 3339 can represent.
const LAST: Time = match Time::from_timestamp(253_402_300_799, 0) {
    Some(time) => time,
    None => Time::MAX_UTC,
};

/// A clock with a fixed time, for tests and reproducible files.
#[derive(Clone, Copy, Debug)]
pub struct FixedClock(pub Time);

impl Clock for FixedClock {
    fn now(&self) -> Time {
        self.0
    }
}

#[cfg(test)]
mod clock_tests {
    use super::*;

    #[test]
    fn time_after_the_calendar_is_its_last_second() {
        let after = |seconds| time_of(UNIX_EPOCH + Duration::from_secs(seconds)).to_rfc3339();
        assert_eq!(after(0), "1970-01-01T00:00:00+00:00");
        assert_eq!(after(1_795_000_000), "2026-11-18T11:06:40+00:00");
        // The year 262,200, and times up to the last that a system clock can represent.
        for seconds in [8_211_880_000_000, 1 << 60, (1 << 63) - 1] {
            assert_eq!(after(seconds), "9999-12-31T23:59:59+00:00");
        }
        let before = time_of(UNIX_EPOCH - Duration::from_millis(500));
        assert_eq!(before.timestamp_millis(), -500);
        assert_eq!(time_of(UNIX_EPOCH - Duration::from_secs(1 << 60)), Time::MIN_UTC);
    }
}

/// The author if no name can be found.
const NAMELESS: &str = "Human";

/// The variable that tells a model's program which participant it answers for.
const PARTICIPANT: &str = "DISCUSSIONS_PARTICIPANT";

/// The environment variables that hold the login name, depending on the system.
const LOGIN: [&str; 3] = ["USER", "LOGNAME", "USERNAME"];

/// A comment author's name that git does not connect with the author of the commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedName {
    /// The author that git would record, `Name <address>`.
    pub author: String,
    /// The line of `discussions.yaml` that declares the comment's author and the author of the
    /// commits to be one person.
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
        let author = self.check().git_identity()?;
        let listed = self.setup.config.people.clone().unwrap_or_default();
        if People::new(&listed, "").is(name, &author) {
            return None;
        }
        // Before the first commit there is no range of commits, and so no `.mailmap` to read.
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

    /// Returns the name of the person who writes: the given name, or else the configured author,
    /// git's user, or the login name. `system` is called only if none of these gives a name. Unless
    /// the name is given, skips the names of programs, because the writer is a person.
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
            .or_else(|| person(nearest_name(&self.git_user()?)))
            .or_else(|| person(nearest_name(&by_login()?)))
            .or_else(|| person(nearest_name(&system()?)));
        Ok(found.map_or_else(|| NAMELESS.to_owned(), |name| name.to_string()))
    }

    /// Returns git's `user.name`, unless git must not be started.
    fn git_user(&self) -> Option<String> {
        self.uses_git.then(|| user_name(&self.setup.cwd)).flatten()
    }

    /// Ensures that a model's program writes only under its own name. A run tells each program that it starts which
    /// participant it answers for, in `DISCUSSIONS_PARTICIPANT`. Every command that writes under a participant's name
    /// must call this.
    ///
    /// # Errors
    /// Fails for the name of a person or of another participant.
    pub(crate) fn insist_on_own_name(&self, name: &Name) -> Result<(), WorkspaceError> {
        let Some(own) = self.variable(PARTICIPANT) else { return Ok(()) };
        let persona = self.setup.roster.by_name(name);
        let is_own = name.as_str().eq_ignore_ascii_case(&own)
            || persona
                .is_some_and(|it| it.kind != ParticipantKind::Human && it.alias.as_str() == own);
        // A model's program may also write as a coding agent that is no persona, because no person
        // has that name.
        if is_own || persona.is_none() && is_agent(name) {
            return Ok(());
        }
        Err(WorkspaceError::refuse(format!(
            "a program started to answer as `{own}` cannot act as {name} (DISCUSSIONS_PARTICIPANT is set); a person \
             can do this in their own shell, where the variable is not set"
        )))
    }

    /// Ensures that a model's program does not decide what only a person may decide.
    ///
    /// # Errors
    /// Fails if a model's program runs this command and the default author has another name than its participant.
    pub(super) fn insist_on_person(&self) -> Result<(), WorkspaceError> {
        self.insist_on_own_name(&name(&self.author(None, || None)?)?)
    }

    /// Returns the people in the configuration: `author:` and `people:`.
    pub(super) fn listed_people(&self) -> Vec<Name> {
        let config = &self.setup.config;
        let listed = config.people.iter().flat_map(|people| people.keys());
        config.author.iter().chain(listed).cloned().collect()
    }

    /// Returns the people known to git: its user, and the authors of the history. Reads them from
    /// git once, and only if a name is in doubt, because reading takes long in a large repository.
    pub(super) fn committers(&self) -> &[Name] {
        self.committers.get_or_init(|| {
            if !self.uses_git {
                return Vec::new();
            }
            let folder = &self.setup.cwd;
            let authors = Range::of(folder, None).map(|range| range.authors()).unwrap_or_default();
            let names = user_name(folder).into_iter().chain(authors.into_iter().map(|it| it.name));
            let names: HashSet<String> = names.collect();
            names.iter().filter_map(|name| nearest_name(name)).collect()
        })
    }

    /// Builds the snapshot of a transcript. If a name resembles a participant's, asks git whether a person has it.
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

/// Parses a name that the caller gave.
pub(super) fn name(text: &str) -> Result<Name, WorkspaceError> {
    Name::parse(text).map_err(|reason| WorkspaceError::invalid_name("a name", text, &reason))
}

/// Returns the name without the characters that the format does not allow: `Ann Lee (ops)` becomes `Ann Lee ops`.
pub(super) fn nearest_name(text: &str) -> Option<Name> {
    let allowed = |c: &char| Name::parse(&format!("a{c}a")).is_ok();
    Name::parse(&text.chars().filter(allowed).take(64).collect::<String>()).ok()
}

impl Workspace {
    /// Waits for other writers, then returns the writer that may read and append.
    ///
    /// # Errors
    /// Fails if the file cannot be locked, is a link out of its project, contains a merge conflict,
    /// or needs a newer version of the program.
    pub(crate) fn writer(&self, path: &Path) -> Result<Writer, WorkspaceError> {
        self.patient_writer(path, self.lock_wait.into())
    }

    /// Returns a [`Self::writer`] with its own limit for the wait.
    pub(crate) fn patient_writer(
        &self,
        path: &Path,
        patience: Patience,
    ) -> Result<Writer, WorkspaceError> {
        let environment = self.call_environment().clone();
        let redaction = Redaction::new(move |text| environment.redact(text).into_owned());
        let lock = |place: &ProjectPlace| Writer::lock_at(place, patience.clone());
        let writer = self.open_with(path, lock)?.at(self.now()).redacting(redaction);
        // Between conflict marks, it is uncertain to which author a block belongs, and if it counts.
        match writer.conflict()? {
            Some(line) => Err(StoreError::Conflict { path: path.to_owned(), line }.into()),
            None => Ok(writer),
        }
    }

    /// Returns how long a run's writers wait for other writers: the usual time, or less if the run gives up.
    pub(crate) fn patience(&self, given_up: &Arc<AtomicBool>) -> Patience {
        Patience::unless(self.lock_wait, Arc::clone(given_up))
    }

    /// Removes a discussion that has no comments yet, for example if its run could not begin. It stays if it was
    /// changed in the meantime. Returns true if it was removed.
    ///
    /// # Errors
    /// Fails, and leaves the file, if it cannot be read or locked.
    pub fn take_back(&self, path: &Path) -> Result<bool, WorkspaceError> {
        let document = self.document(path)?;
        if !parse(&document.text).entries.is_empty() {
            return Ok(false);
        }
        let removed =
            self.open_with(path, |place| store::take_back(place, &document.text, self.lock_wait))?;
        let folder = path.parent().filter(|folder| {
            removed && **folder == self.output_directory() && **folder != self.setup.cwd
        });
        if let Some(folder) = folder {
            // The folder goes too if this discussion was the only file in it; otherwise this fails.
            let _ = std::fs::remove_dir(folder);
        }
        Ok(removed)
    }

    /// Appends blocks, all or none.
    ///
    /// # Errors
    /// Fails if the file cannot be written; then it contains none of them.
    pub(crate) fn append(&self, path: &Path, drafts: &[Draft]) -> Result<Receipt, WorkspaceError> {
        Ok(self.writer(path)?.append(drafts)?)
    }
}

/// Removes `.` and `..` from a path by its text alone, without resolving links.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.into_iter().collect()
}

/// Returns the link from a text in `folder` to a file; both paths are absolute.
pub(super) fn link_between(folder: &Path, file: &Path) -> String {
    let (folder, file) = (plain(folder), plain(file));
    let shared = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(file.components().skip(shared)).collect();
    let mut link = String::new();
    for c in way.to_string_lossy().chars() {
        match c {
            ' ' | '(' | ')' | '<' | '>' | '[' | ']' | '#' | '%' | '\\' | '`' => {
                link.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c if c.is_control() => link.push_str("%3F"),
            c => link.push(c),
        }
    }
    link
}

#[cfg(test)]
mod link_tests {
    use super::*;

    #[test]
    fn links_go_up_and_down_and_contain_no_markup() {
        let link = |folder: &str, file: &str| link_between(Path::new(folder), Path::new(file));
        assert_eq!(link("/p/discussions", "/p/discussions/a.md"), "a.md");
        assert_eq!(link("/p/discussions", "/p/old/x/../a b.md"), "../old/a%20b.md");
        assert_eq!(link("/p/x/./y", "/p/x/(1).md"), "../%281%29.md");
    }
}
