//! Reads the abilities of personas: Markdown files with additional knowledge.

use std::path::Path;
use std::sync::Arc;

use super::setup::ConfigScope;
use super::{ConfigError, file};
use crate::boundary::{self, ProjectPlace};
use crate::participant::{Persona, PersonaSource};
use crate::transcript::canon;
use crate::yaml::LoadError;

/// Maximum size of one persona's abilities in bytes: 10,000 tokens of four characters (INV-DISC-641).
const MOST: usize = 40_000;

/// Returns the texts of the files that a persona names, joined. Their paths are relative to `folder`. `None` if it
/// names none.
///
/// # Errors
/// Returns an error at the name of the first file that is missing, not readable or outside of the project, or makes the
/// texts too long.
pub(super) fn taught(
    persona: &Persona,
    source: &PersonaSource,
    scope: ConfigScope,
    folder: &Path,
) -> Result<Option<Arc<str>>, LoadError> {
    let mut all = String::new();
    for name in &persona.abilities {
        let wrong = |message: String| {
            LoadError::at(&source.shown, &source.text, 1, place(&source.text, name), message)
        };
        let path = folder.join(name);
        let place = match scope {
            ConfigScope::Project => boundary::ensure_within(&path, folder),
            ConfigScope::User => Ok(ProjectPlace::follow(&path)),
        };
        let text = match file::read_at(&place.map_err(|error| wrong(error.to_string()))?) {
            Ok(Some(text)) => text,
            Ok(None) => return Err(wrong(format!("the file `{name}` does not exist"))),
            Err(ConfigError::Load(error)) => {
                return Err(wrong(format!("`{name}`: {}", error.message)));
            }
            Err(error) => return Err(wrong(error.to_string())),
        };
        all.push_str(canon(text.trim()).trim_end());
        all.push_str("\n\n");
        if all.len() > MOST {
            let most = "the abilities of one persona may have at most 10,000 tokens (about 40 KB) in total";
            return Err(wrong(most.to_owned()));
        }
    }
    Ok((!all.trim().is_empty()).then(|| all.trim_end().into()))
}

/// Returns line and column of a file's name after `abilities`.
fn place(text: &str, name: &str) -> (usize, usize) {
    let key = text.find("abilities").unwrap_or(0);
    let Some(found) = text[key..].find(name) else { return (0, 0) };
    let before = &text[..key + found];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
}
