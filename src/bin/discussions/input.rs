//! Texts that somebody brings along.

use std::io::Read as _;
use std::path::Path;

use crate::error::Failure;

/// A text from a file or standard input.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::InvalidData | std::io::ErrorKind::NotFound => {
            Failure::input(format!("{}: cannot be read: {error}", path.display()))
        }
        _ => Failure::file(path, "read", &error),
    };
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(failed)?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(failed)
}
