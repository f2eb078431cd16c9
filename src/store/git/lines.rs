//! The lines by which git and formatters know the folder of discussions.

use std::fs;
use std::io;
use std::path::Path;

/// What a file at the top of the repository has to say.
#[derive(Debug)]
pub(super) struct Line {
    /// The file's name.
    pub(super) file: &'static str,
    /// What it says.
    pub(super) text: String,
    /// What earlier versions of this program wrote instead.
    earlier: Option<String>,
}

/// The line of attributes for a folder, counted from the top of the tree and empty for the top itself.
pub(super) fn attributes(folder: &str) -> Line {
    let line = |pattern: &str| format!("{} merge=discussions eol=lf", quoted(pattern));
    Line {
        file: ".gitattributes",
        text: line(&pattern(folder, "*.md")),
        earlier: Some(line(&earlier(folder))),
    }
}

/// Formatters leave discussions alone: what they change was acknowledged otherwise.
pub(super) fn unformatted(folder: &str) -> Line {
    Line {
        file: ".prettierignore",
        text: ignored(&pattern(folder, "*.md")),
        earlier: Some(ignored(&earlier(folder))),
    }
}

/// Summaries are made from discussions; committed, two branches would conflict in what any of them can make again.
pub(super) fn uncommitted(folder: &str) -> Line {
    Line { file: ".gitignore", text: ignored(&pattern(folder, "*.sum.md")), earlier: None }
}

impl Line {
    /// Writes the line unless it is there, in the place of the earlier one if that is; says whether it was written.
    pub(super) fn write(&self, path: &Path) -> io::Result<bool> {
        // Git itself reads no attributes through a link; nor is anything written through one.
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

/// Matches the files of a folder and of the folders in it. Of the top itself only its own files: everybody's pages
/// are below it, and those are edited, not appended to.
fn pattern(folder: &str, files: &str) -> String {
    if folder.is_empty() {
        return format!("/{files}");
    }
    // At its beginning these mean a remark and a negation.
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

/// What patterns were once: without the folders in the folder, and with every character as it is.
fn earlier(folder: &str) -> String {
    if folder.is_empty() { "/*.md".to_owned() } else { format!("{folder}/*.md") }
}

/// As attributes want it: a pattern with a blank in it has to be quoted.
fn quoted(pattern: &str) -> String {
    if pattern.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\\')) {
        format!("\"{}\"", pattern.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        pattern.to_owned()
    }
}

/// As files of ignored paths want it.
fn ignored(pattern: &str) -> String {
    pattern.replace(' ', "\\ ")
}
