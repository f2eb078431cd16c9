//! Texts that the user passes: a context, an artifact, a definition.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::Workspace;
use super::error::WorkspaceError;
use crate::boundary::Purpose;
use crate::store::{LARGEST, StoreError};
use crate::transcript::{BODY_LIMIT, visible_line};

impl Workspace {
    /// Returns the text of a file that the user named. Also reads pipes, up to a limit.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not text, for a link out of its project or a device, and for a text that
    /// is too long or contains secrets.
    pub fn material(&self, path: &Path) -> Result<String, WorkspaceError> {
        let unread = |source| WorkspaceError::Unread { path: path.to_owned(), source };
        let endless = || WorkspaceError::Endless { path: path.to_owned() };
        // A link in a clone may lead to a file of the user's own, and this text is sent to models.
        let place = self.place_of_material(path)?;
        let found = match fs::symlink_metadata(place.real()) {
            Ok(found) => found,
            // Shells name their pipes with links that lead to no path: `/dev/fd/63`.
            Err(_) if is_link_of_process(path) => {
                let found = path.metadata().map_err(unread)?;
                if !is_pipe(&found) {
                    return Err(endless());
                }
                return self.text_of(File::open(path).map_err(unread)?, path);
            }
            Err(error) => return Err(unread(error)),
        };
        if found.is_file() && found.len() > LARGEST {
            let bytes = found.len();
            return Err(StoreError::TooLarge { path: path.to_owned(), bytes }.into());
        }
        if is_pipe(&found) {
            return self.text_of(place.open(Purpose::ReadPipe).map_err(unread)?.0, path);
        }
        if !(found.is_file() || found.is_dir()) {
            return Err(endless());
        }
        let (file, found) = place.open(Purpose::Read).map_err(unread)?;
        if !(found.is_file() || found.is_dir()) {
            return Err(endless());
        }
        self.text_of(file, path)
    }

    fn text_of(&self, file: File, path: &Path) -> Result<String, WorkspaceError> {
        let unread = |source| WorkspaceError::Unread { path: path.to_owned(), source };
        let what = visible_line(&path.to_string_lossy());
        let text = bounded(file, &what);
        let text = text.map_err(|failed| match failed {
            WorkspaceError::Io(source) => unread(source),
            other => other,
        })?;
        self.clear_file(path, &text)
    }
}

/// The maximum number of bytes that are read from a text. It is high enough for the error of an honest text to tell its
/// real length.
const MOST: usize = 16 * BODY_LIMIT;

/// Reads the text of a source that may never end, such as standard input. Errors call it `what`.
///
/// # Errors
/// [`WorkspaceError::Io`] if it cannot be read or is not text; [`WorkspaceError::TooMuch`] if it is too long.
pub fn bounded(from: impl Read, what: &str) -> Result<String, WorkspaceError> {
    let mut bytes = Vec::new();
    from.take(MOST as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MOST {
        return Err(WorkspaceError::TooMuch { what: what.to_owned(), most: MOST });
    }
    let no_text =
        |_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    Ok(String::from_utf8(bytes).map_err(no_text)?)
}

/// Returns true if a path names an open file of this process.
fn is_link_of_process(path: &Path) -> bool {
    path == Path::new("/dev/stdin")
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc/self/fd")
}

#[cfg(unix)]
fn is_pipe(found: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    found.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}
