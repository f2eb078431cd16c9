//! What calls may cost that were begun and of which nothing is recorded yet: noted before each is made, since a run that
//! is killed records nothing, and what it had begun is paid all the same.

use std::io;

use serde::{Deserialize, Serialize};

use crate::boundary::{Place, remove_file};
use crate::store::disk::{Disk as _, RealDisk, read_private, write_once};
use crate::store::error::StoreError;
use crate::store::identity::birth;
use crate::store::sidecar::Sidecar;
use crate::transcript::{Alias, Time};

/// What one participant's calls in one turn may come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reserved {
    /// Who is asked.
    pub(crate) who: Alias,
    /// The turn's number.
    pub(crate) turn: u32,
    /// When the turn was opened; another one can get its number where its line is taken back.
    pub(crate) opened: Option<Time>,
    /// Who is called first.
    pub(crate) provider: String,
    /// Calls, with the one that begins.
    pub(crate) calls: u32,
    /// US dollars at the most; 0 where money is not limited.
    pub(crate) usd: f64,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
enum Line {
    /// A call begins.
    Begun {
        /// The private folder that it was written in (see [`birth`]): what came with the files is not believed.
        home: String,
        #[serde(flatten)]
        what: Reserved,
    },
    /// What somebody's calls of a turn came to stands in the discussion.
    Recorded { who: Alias, turn: u32 },
}

/// The notes of one discussion. Only who holds its [`super::RunLock`] writes them.
#[derive(Clone, Debug)]
pub(crate) struct Reservations {
    sidecar: Sidecar,
}

impl Reservations {
    /// Those of an existing discussion.
    ///
    /// # Errors
    /// A discussion that is missing or no regular file.
    pub(crate) fn of(place: &Place) -> Result<Self, StoreError> {
        Ok(Self { sidecar: Sidecar::at(place)? })
    }

    /// Notes a call that is about to begin.
    ///
    /// # Errors
    /// Failures of the disk.
    pub(crate) fn note(&self, what: Reserved) -> Result<(), StoreError> {
        let home = birth(&self.sidecar.folder).map_err(|source| self.failure(source))?;
        self.write(&Line::Begun { home, what })
    }

    /// Forgets what is recorded in the discussion.
    ///
    /// # Errors
    /// Failures of the disk.
    pub(crate) fn recorded(&self, who: &Alias, turn: u32) -> Result<(), StoreError> {
        self.write(&Line::Recorded { who: who.clone(), turn })
    }

    /// What was begun and not recorded, in the order in which it began. What cannot be read was never whole.
    pub(crate) fn left(&self) -> Vec<Reserved> {
        if self.sidecar.insist_plain().is_err() {
            return Vec::new();
        }
        let Ok(bytes) = read_private(&self.sidecar.reserved()) else { return Vec::new() };
        let Ok(text) = String::from_utf8(bytes) else { return Vec::new() };
        let here = birth(&self.sidecar.folder).ok();
        let mut left: Vec<Reserved> = Vec::new();
        for line in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            let (who, turn) = match &line {
                Line::Begun { what, .. } => (&what.who, what.turn),
                Line::Recorded { who, turn } => (who, *turn),
            };
            left.retain(|known| (&known.who, known.turn) != (who, turn));
            match line {
                Line::Begun { home, what } if Some(&home) == here.as_ref() && what.usd >= 0.0 => {
                    left.push(what);
                }
                Line::Begun { .. } | Line::Recorded { .. } => {}
            }
        }
        left
    }

    /// Forgets everything.
    ///
    /// # Errors
    /// Failures of the disk.
    pub(crate) fn clear(&self) -> Result<(), StoreError> {
        match remove_file(&self.sidecar.reserved()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.failure(error)),
            _ => Ok(()),
        }
    }

    fn write(&self, line: &Line) -> Result<(), StoreError> {
        let json = serde_json::to_string(line).map_err(|error| self.failure(error.into()))?;
        let file = RealDisk.open_or_create(&self.sidecar.reserved());
        let file = file.map_err(|source| self.failure(source))?;
        // A line of its own, also behind one that was cut off.
        write_once(&RealDisk, &file, format!("\n{json}\n").as_bytes())
            .map_err(|failure| self.failure(failure.source))
    }

    fn failure(&self, source: io::Error) -> StoreError {
        let doing = "recording the cost reservation";
        StoreError::NotWritten { path: self.sidecar.file.clone(), doing, source }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn discussion() -> (tempfile::TempDir, Reservations) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, "# A\n").unwrap();
        let reservations = Reservations::of(&Place::follow(&path)).unwrap();
        reservations.sidecar.prepare().unwrap();
        (folder, reservations)
    }

    fn reserved(who: &str, calls: u32) -> Reserved {
        let who = Alias::parse(who).unwrap();
        let (turn, opened, provider) = (3, None, "fake".to_owned());
        Reserved { who, turn, opened, provider, calls, usd: 0.25 * f64::from(calls) }
    }

    #[test]
    fn what_was_begun_and_not_recorded_is_left() {
        let (_folder, notes) = discussion();
        assert_eq!(notes.left(), []);
        for (who, calls) in [("ada", 1), ("bob", 1), ("ada", 2)] {
            notes.note(reserved(who, calls)).unwrap();
        }
        assert_eq!(notes.left(), [reserved("bob", 1), reserved("ada", 2)]);
        notes.recorded(&Alias::parse("ada").unwrap(), 3).unwrap();
        assert_eq!(notes.left(), [reserved("bob", 1)]);
        notes.clear().unwrap();
        notes.clear().unwrap();
        assert_eq!(notes.left(), []);
    }

    #[test]
    fn a_line_that_was_cut_off_hides_no_other() {
        let (_folder, notes) = discussion();
        notes.note(reserved("ada", 1)).unwrap();
        let path = notes.sidecar.reserved();
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}{}", &whole[..whole.len() / 2])).unwrap();
        notes.note(reserved("bob", 1)).unwrap();
        assert_eq!(notes.left(), [reserved("ada", 1), reserved("bob", 1)]);
    }

    #[test]
    fn what_came_with_the_files_is_not_believed() {
        let (_folder, notes) = discussion();
        notes.note(reserved("ada", 1)).unwrap();
        let ours = fs::read_to_string(notes.sidecar.reserved()).unwrap();
        let home = birth(&notes.sidecar.folder).unwrap();
        assert!(ours.contains(&home), "{ours}");
        fs::write(notes.sidecar.reserved(), ours.replace(&home, "elsewhere")).unwrap();
        assert_eq!(notes.left(), []);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_not_followed() {
        let (folder, notes) = discussion();
        let elsewhere = folder.path().join("elsewhere");
        notes.note(reserved("ada", 1)).unwrap();
        fs::rename(notes.sidecar.reserved(), &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, notes.sidecar.reserved()).unwrap();
        assert_eq!(notes.left(), []);
    }
}
