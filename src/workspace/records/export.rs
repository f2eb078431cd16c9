//! The number and the file of a discussion's decision that is exported as a decision record.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::adr::RecordName;
use crate::boundary::create_folders;
use crate::store;
use crate::view;
use crate::workspace::environment::plain;
use crate::workspace::files::{files_below, files_in};
use crate::workspace::{Decisions, WorkspaceError};

impl Decisions<'_> {
    /// Returns the decision of a discussion as a record in the MADR 4 format. If `adr` in `discussions.yaml` names a
    /// folder, its title has the next free number there, and the file name for it is suggested. `number` asks for this
    /// number. `out` writes the record to a new file; its name may begin with the number.
    ///
    /// # Errors
    /// Fails like `Discussions::status`, if the number is taken, and if the file exists or cannot be written.
    pub fn decision_record(
        &self,
        name: &Path,
        number: Option<u32>,
        out: Option<&Path>,
    ) -> Result<view::NamedText, WorkspaceError> {
        let mut record = self.discussions().export(name, view::Export::Adr)?;
        let out = out.map(|out| plain(&self.setup.cwd.join(out)));
        let folder = match &out {
            Some(out) => out.parent().map(Path::to_owned),
            None => self.record_folders().into_iter().next(),
        };
        let named = out
            .as_ref()
            .and_then(|out| RecordName::of(&out.file_name()?.to_string_lossy())?.number);
        if let (Some(asked), Some(named)) = (number, named)
            && asked != named
        {
            return Err(WorkspaceError::refuse(format!(
                "the file name has the number {named}, not {asked}; give one number"
            )));
        }
        let number = match number.or(named) {
            Some(number) => Some(self.insist_free(number, folder.as_deref(), out.as_deref())?),
            None if out.is_some() => None,
            None => folder.as_deref().map(|folder| self.next_number(folder)).transpose()?,
        };
        if let Some(number) = number {
            // The front matter has no line that begins like a title.
            record.text = record.text.replacen("\n# ", &format!("\n# {number}. "), 1);
        }
        record.number = number;
        match (out, folder) {
            (Some(out), _) => {
                self.write_record(&out, &record.text)?;
                record.record_file = Some(self.exactly(&out));
            }
            (None, Some(folder)) => {
                let title = self.discussions().status(name)?.title;
                let file = number.map(|number| format!("{number:04}-{}.md", store::slug(&title)));
                record.record_file = file.map(|file| self.exactly(&folder.join(file)));
            }
            (None, None) => {}
        }
        Ok(record)
    }

    /// Returns the number if no file in the folder has it.
    fn insist_free(
        &self,
        number: u32,
        folder: Option<&Path>,
        out: Option<&Path>,
    ) -> Result<u32, WorkspaceError> {
        let files = match folder.filter(|folder| folder.is_dir()) {
            Some(folder) => {
                self.setup.insist_inside(folder)?;
                files_in(folder)?
            }
            None => Vec::new(),
        };
        let taken = numbers(files.into_iter().map(|file| file.path)).remove(&number);
        match taken {
            // The message about the file itself is clearer.
            Some(file) if Some(file.as_path()) != out => {
                let file = self.shown_path(&file);
                Err(WorkspaceError::refuse(format!(
                    "the number {number} is taken by {file}; choose another one"
                )))
            }
            _ => Ok(number),
        }
    }

    /// Returns the number behind the highest one in a folder; 1 if there is none.
    fn next_number(&self, folder: &Path) -> Result<u32, WorkspaceError> {
        self.setup.insist_inside(folder)?;
        let files = if folder.is_dir() { files_below(folder)? } else { Vec::new() };
        let numbers = numbers(files.into_iter().map(|file| file.path));
        Ok(numbers.last_key_value().map_or(0, |(number, _)| *number).saturating_add(1))
    }

    /// Writes a record to a file that does not exist yet.
    fn write_record(&self, path: &Path, text: &str) -> Result<(), WorkspaceError> {
        let is_markdown = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("md"));
        if !is_markdown {
            let file = self.shown_path(path);
            return Err(WorkspaceError::refuse(format!(
                "{file}: the name of a decision record ends in .md"
            )));
        }
        let folder = path.parent().unwrap_or(Path::new("/"));
        let place = self.place(folder)?;
        let real = place.real().join(path.file_name().unwrap_or_default());
        if real.symlink_metadata().is_ok() {
            return Err(WorkspaceError::existing_file(&self.shown_path(path)));
        }
        let failed = |source| WorkspaceError::unwritable_file(path, &source);
        create_folders(place.real()).map_err(failed)?;
        store::place(&real, text).map_err(failed)
    }
}

/// Returns the files with a number, by number; of two files with one number the first.
fn numbers(files: impl Iterator<Item = PathBuf>) -> BTreeMap<u32, PathBuf> {
    let mut numbers = BTreeMap::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if let Some(number) = RecordName::of(&name).and_then(|name| name.number) {
            numbers.entry(number).or_insert(file);
        }
    }
    numbers
}
