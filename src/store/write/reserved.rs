//! Cost reservations of calls that have begun and are not recorded yet. Each is written before its
//! call starts, because a killed run records nothing, but its calls still have to be paid.

use std::io;

use serde::{Deserialize, Serialize};

use crate::boundary::{ProjectPlace, remove_file};
use crate::store::disk::{Disk as _, RealDisk, birth, read_private, write_once};
use crate::store::error::StoreError;
use crate::store::private_files::Sidecar;
use crate::transcript::{Alias, Time};

/// The maximum cost of one participant's calls in one turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reserved {
    /// The participant.
    pub(crate) who: Alias,
    /// Number of the turn.
    pub(crate) turn: u32,
    /// Time at which the turn was opened. If the line of this turn is removed, another turn can get
    /// its number.
    pub(crate) opened: Option<Time>,
    /// The provider that is called first.
    pub(crate) provider: String,
    /// Number of calls, including the one that begins.
    pub(crate) calls: u32,
    /// Maximum cost in US dollars; 0 if money is not limited.
    pub(crate) usd: f64,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
enum ReservationLine {
    /// A call begins.
    Begun {
        /// Identity of the private folder in which the line was written (see [`birth`]). Lines that
        /// were copied here with the discussion do not count.
        home: String,
        #[serde(flatten)]
        what: Reserved,
    },
    /// The cost of a participant's calls in a turn is recorded in the discussion.
    Recorded { who: Alias, turn: u32 },
}

/// The reservations of one discussion. Only the holder of its [`super::RunLock`] writes them.
#[derive(Clone, Debug)]
pub(crate) struct Reservations {
    sidecar: Sidecar,
}

impl Reservations {
    /// Returns the reservations of an existing discussion.
    ///
    /// # Errors
    /// Fails if the discussion is missing or not a regular file.
    pub(crate) fn of(place: &ProjectPlace) -> Result<Self, StoreError> {
        Ok(Self { sidecar: Sidecar::at(place)? })
    }

    /// Writes the reservation for a call that is about to begin.
    ///
    /// # Errors
    /// Fails if the disk fails.
    pub(crate) fn note(&self, what: Reserved) -> Result<(), StoreError> {
        let home = birth(&self.sidecar.folder).map_err(|source| self.failure(source))?;
        self.write(&ReservationLine::Begun { home, what })
    }

    /// Records that the discussion now contains the cost of these calls. [`Self::pending`] then
    /// omits their reservation.
    ///
    /// # Errors
    /// Fails if the disk fails.
    pub(crate) fn forget(&self, who: &Alias, turn: u32) -> Result<(), StoreError> {
        self.write(&ReservationLine::Recorded { who: who.clone(), turn })
    }

    /// Returns reservations of calls that are not recorded, in the order in which they began. Skips unreadable lines,
    /// which were never complete.
    pub(crate) fn pending(&self) -> Vec<Reserved> {
        if self.sidecar.insist_plain().is_err() {
            return Vec::new();
        }
        let Ok(bytes) = read_private(&self.sidecar.reserved()) else { return Vec::new() };
        let Ok(text) = String::from_utf8(bytes) else { return Vec::new() };
        let here = birth(&self.sidecar.folder).ok();
        let mut left: Vec<Reserved> = Vec::new();
        for line in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            let (who, turn) = match &line {
                ReservationLine::Begun { what, .. } => (&what.who, what.turn),
                ReservationLine::Recorded { who, turn } => (who, *turn),
            };
            left.retain(|known| (&known.who, known.turn) != (who, turn));
            match line {
                ReservationLine::Begun { home, what }
                    if Some(&home) == here.as_ref() && what.usd >= 0.0 =>
                {
                    left.push(what);
                }
                ReservationLine::Begun { .. } | ReservationLine::Recorded { .. } => {}
            }
        }
        left
    }

    /// Deletes all reservations.
    ///
    /// # Errors
    /// Fails if the disk fails.
    pub(crate) fn clear(&self) -> Result<(), StoreError> {
        match remove_file(&self.sidecar.reserved()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.failure(error)),
            _ => Ok(()),
        }
    }

    fn write(&self, line: &ReservationLine) -> Result<(), StoreError> {
        let json = serde_json::to_string(line).map_err(|error| self.failure(error.into()))?;
        let file = RealDisk.open_or_create(&self.sidecar.reserved());
        let file = file.map_err(|source| self.failure(source))?;
        // Begins with a line end, in case the line before was cut off.
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
        let reservations = Reservations::of(&ProjectPlace::follow(&path)).unwrap();
        reservations.sidecar.prepare().unwrap();
        (folder, reservations)
    }

    fn reserved(who: &str, calls: u32) -> Reserved {
        let who = Alias::parse(who).unwrap();
        let (turn, opened, provider) = (3, None, "fake".to_owned());
        Reserved { who, turn, opened, provider, calls, usd: 0.25 * f64::from(calls) }
    }

    #[test]
    fn unrecorded_reservations_are_left() {
        let (_folder, notes) = discussion();
        assert_eq!(notes.pending(), []);
        for (who, calls) in [("ada", 1), ("bob", 1), ("ada", 2)] {
            notes.note(reserved(who, calls)).unwrap();
        }
        assert_eq!(notes.pending(), [reserved("bob", 1), reserved("ada", 2)]);
        notes.forget(&Alias::parse("ada").unwrap(), 3).unwrap();
        assert_eq!(notes.pending(), [reserved("bob", 1)]);
        notes.clear().unwrap();
        notes.clear().unwrap();
        assert_eq!(notes.pending(), []);
    }

    #[test]
    fn cut_line_hides_no_other_line() {
        let (_folder, notes) = discussion();
        notes.note(reserved("ada", 1)).unwrap();
        let path = notes.sidecar.reserved();
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}{}", &whole[..whole.len() / 2])).unwrap();
        notes.note(reserved("bob", 1)).unwrap();
        assert_eq!(notes.pending(), [reserved("ada", 1), reserved("bob", 1)]);
    }

    #[test]
    fn reservations_of_another_folder_are_ignored() {
        let (_folder, notes) = discussion();
        notes.note(reserved("ada", 1)).unwrap();
        let ours = fs::read_to_string(notes.sidecar.reserved()).unwrap();
        let home = birth(&notes.sidecar.folder).unwrap();
        assert!(ours.contains(&home), "{ours}");
        fs::write(notes.sidecar.reserved(), ours.replace(&home, "elsewhere")).unwrap();
        assert_eq!(notes.pending(), []);
    }

    #[test]
    #[cfg(unix)]
    fn link_is_not_followed() {
        let (folder, notes) = discussion();
        let elsewhere = folder.path().join("elsewhere");
        notes.note(reserved("ada", 1)).unwrap();
        fs::rename(notes.sidecar.reserved(), &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, notes.sidecar.reserved()).unwrap();
        assert_eq!(notes.pending(), []);
    }
}
