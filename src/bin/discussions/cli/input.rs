//! Texts that somebody brings along.

use std::io::Read as _;
use std::path::Path;

use discussions::boundary;
use discussions::store::{self, StoreError};

use crate::cli::error::Failure;
use crate::cli::ui::spelt;

/// A text from a file or standard input.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::InvalidData | std::io::ErrorKind::NotFound => {
            Failure::input(format!("{}: cannot be read: {error}", spelt(path)))
        }
        _ => Failure::file(path, "read", &error),
    };
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(failed)?;
        return Ok(text);
    }
    // In a clone a link may stand for a file of the user's own, and what is read here is sent to models.
    boundary::insist(&std::path::absolute(path).map_err(failed)?, |_, _| None)
        .map_err(|outside| Failure::input(outside.to_string()))?;
    let bytes = std::fs::metadata(path).map_err(failed)?.len();
    if bytes > store::LARGEST {
        return Err(StoreError::TooLarge { path: path.to_owned(), bytes }.into());
    }
    std::fs::read_to_string(path).map_err(failed)
}
