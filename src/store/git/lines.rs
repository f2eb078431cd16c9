//! The lines that tell git and formatters about the folder of discussions.

use std::fs;
use std::io;
use std::path::Path;

/// A line that a file at the top of the repository needs.
#[derive(Debug)]
pub(super) struct DiffLine {
    /// The file's name.
    pub(super) file: &'static str,
    /// The line.
    pub(super) text: String,
    /// The line that earlier versions of this program wrote.
    earlier: Option<String>,
}

/// Returns the attributes line for a folder. The folder is relative to the top of the tree; it is empty for the top.
pub(super) fn attributes(folder: &str) -> DiffLine {
    let line = |pattern: &str| format!("{} merge=discussions eol=lf", quoted(pattern));
    DiffLine {
        file: ".gitattributes",
        text: line(&pattern(folder, "*.md")),
        earlier: Some(line(&earlier(folder))),
    }
}

/// Returns the line that keeps formatters away from discussions: a reformatted comment differs from the text that was
/// acknowledged.
pub(super) fn unformatted(folder: &str) -> DiffLine {
    DiffLine {
        file: ".prettierignore",
        text: ignored(&pattern(folder, "*.md")),
        earlier: Some(ignored(&earlier(folder))),
    }
}

/// Returns the line that keeps summaries out of commits. They can be generated again; committed, they would cause merge
/// conflicts between branches.
pub(super) fn uncommitted(folder: &str) -> DiffLine {
    DiffLine { file: ".gitignore", text: ignored(&pattern(folder, "*.sum.md")), earlier: None }
}

impl DiffLine {
    /// Writes the line if it is missing, in place of the earlier line if there is one. Returns true if it was written.
    pub(super) fn write(&self, path: &Path) -> io::Result<bool> {
        // Git reads no attributes through a link, and this program writes nothing through one.
        match fs::symlink_metadata(path) {
            Ok(found) if !found.is_file() => {
                return Err(io::Error::other("this is not a regular file; replace it with one"));
            }
            Ok(_) | Err(_) => {}
        }
        let before = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            other => other?,
        };
        if before.lines().any(|found| found.trim() == self.text) {
            return Ok(false);
        }
        let mut after = String::new();
        let mut replaced = false;
        for piece in before.split_inclusive('\n') {
            match &self.earlier {
                Some(earlier) if piece.trim() == earlier => {
                    after.push_str(&piece.replace(earlier.as_str(), &self.text));
                    replaced = true;
                }
                _ => after.push_str(piece),
            }
        }
        if !replaced {
            if !after.is_empty() && !after.ends_with('\n') {
                after.push('\n');
            }
            after.push_str(&self.text);
            after.push('\n');
        }
        fs::write(path, after)?;
        Ok(true)
    }
}

/// Returns a pattern for the files of a folder and its subfolders. For the top folder it matches only files directly in
/// it: pages below the top are edited, not appended to.
fn pattern(folder: &str, files: &str) -> String {
    if folder.is_empty() {
        return format!("/{files}");
    }
    // `#` and `!` at the start of a pattern mean a comment and a negation.
    let anchor = if folder.starts_with(['#', '!']) { "/" } else { "" };
    let mut pattern = String::from(anchor);
    for c in folder.chars() {
        if matches!(c, '*' | '?' | '[' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    format!("{pattern}/**/{files}")
}

/// Returns the pattern of earlier versions: without subfolders, and without escapes.
fn earlier(folder: &str) -> String {
    if folder.is_empty() { "/*.md".to_owned() } else { format!("{folder}/*.md") }
}

/// Quotes a pattern for an attributes file, which is necessary if it contains a space.
fn quoted(pattern: &str) -> String {
    if pattern.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\\')) {
        format!("\"{}\"", pattern.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        pattern.to_owned()
    }
}

/// Escapes a pattern for a file of ignored paths.
fn ignored(pattern: &str) -> String {
    pattern.replace(' ', "\\ ")
}
