//! Keeps credentials out of all texts on their way to a model: files, diffs, contexts, artifacts, questions,
//! steps, standard input, comments, and the texts that agents and programs send. No other module does this.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Workspace;
use super::create::NewDiscussion;
use super::error::WorkspaceError;
use crate::engine::Prompt;
use crate::material::{MaterialError, MaterialPiece, Sources, gather};
use crate::secrets::{PARENTS, SecretFinding, credential_file, scan};

/// The maximum number of findings that are reported of an omitted file.
const MOST_NAMED: usize = 3;

impl Workspace {
    /// Returns a workspace that sends credentials to models, because the user wants it. Only the
    /// command line offers this. Keys of providers are still redacted.
    #[must_use]
    pub fn allowing_secrets(self) -> Self {
        Self { allows_secrets: true, ..self }
    }

    /// Returns a text without the keys of providers in the environment; `[key]` replaces them.
    pub(crate) fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.call_environment().redact(text)
    }

    /// Returns a prompt without known keys, because a user may have written one into the file by
    /// hand. Does not copy the part that participants share if it contains no key.
    pub(crate) fn redact_prompt(&self, prompt: Prompt) -> Prompt {
        let prefix = match self.redact(&prompt.prefix) {
            Cow::Borrowed(_) => Arc::clone(&prompt.prefix),
            Cow::Owned(redacted) => redacted.into(),
        };
        Prompt { prefix, tail: self.redact(&prompt.tail).into_owned() }
    }

    /// Returns a text without known keys.
    ///
    /// # Errors
    /// Fails if the text contains a key-shaped word; the error calls the text `name`.
    pub fn clear(&self, name: &str, text: &str) -> Result<String, WorkspaceError> {
        let text = self.redact(text).into_owned();
        self.insist_none(self.find_secrets(name, &text))?;
        Ok(text)
    }

    /// Returns the text of a file without known keys.
    ///
    /// # Errors
    /// Fails if the name of the file is that of a credential file, or if the text contains a key-shaped word.
    pub(super) fn clear_file(&self, path: &Path, text: &str) -> Result<String, WorkspaceError> {
        let whole = self.setup.cwd.join(path);
        let name = path.to_string_lossy();
        self.insist_none(self.name_credential_file(&whole, &name).into_iter().collect())?;
        self.clear(&name, text)
    }

    /// Returns material without known keys, and without the files with secrets that a folder or a pattern selected.
    ///
    /// # Errors
    /// Fails if a diff or a file named itself contains secrets, or if a source cannot be read.
    pub(super) fn clear_material(
        &self,
        sources: &Sources,
    ) -> Result<Vec<MaterialPiece>, WorkspaceError> {
        let (kept, left_out) = self.divide_material(sources)?;
        // If all material is left out, a model would be asked about nothing.
        if kept.is_empty() {
            self.insist_none(left_out)?;
        }
        Ok(kept)
    }

    /// Returns the reasons why files are omitted: a line for each secret in a file that a folder or a pattern selected.
    ///
    /// # Errors
    /// Fails like `Discussions::create` for its material.
    pub fn left_out(&self, sources: &Sources) -> Result<Vec<String>, WorkspaceError> {
        let left_out =
            if sources.is_empty() { Vec::new() } else { self.divide_material(sources)?.1 };
        Ok(left_out.into_iter().map(|found| format!("{found}; the file was left out")).collect())
    }

    fn divide_material(
        &self,
        sources: &Sources,
    ) -> Result<(Vec<MaterialPiece>, Vec<SecretFinding>), WorkspaceError> {
        let (mut kept, mut left_out, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for piece in gather(sources, &self.setup.cwd, &|path| self.place_of_material(path))? {
            let text = self.redact(&piece.text).into_owned();
            let path = piece.path.as_deref();
            let by_name = path.and_then(|path| self.name_credential_file(path, &piece.name));
            let found = match by_name {
                Some(found) if !self.allows_secrets => vec![found],
                _ => self.find_secrets(&piece.name, &text),
            };
            match (found.is_empty(), piece.is_named) {
                (true, _) => kept.push(MaterialPiece { text, ..piece }),
                (false, true) => refused.extend(found),
                // A file full of keys is not reported once for each key.
                (false, false) => left_out.extend(found.into_iter().take(MOST_NAMED)),
            }
        }
        self.insist_none(refused)?;
        Ok((kept, left_out))
    }

    /// Returns true if a text may be sent to models: it contains no key-shaped word.
    pub(super) fn may_be_sent(&self, text: &str) -> bool {
        self.find_secrets("", text).is_empty()
    }

    /// Returns true if the name of a file is that of a credential file; its changes are not sent to models.
    pub(super) fn holds_credentials(&self, path: &Path) -> bool {
        !self.allows_secrets && credential_file(&self.end_of(path)).is_some()
    }

    /// Returns warnings about secrets in a text that is written in spite of them, such as a comment.
    pub fn warn_of_secrets(&self, what: &str, text: &str) -> Vec<String> {
        let redacted = self.redact(text);
        let known = (redacted != text).then(|| {
            format!("{what} contained the key of a provider; it was replaced with `[key]`")
        });
        let found = scan(&redacted).into_iter().map(|found| {
            format!("{}; it stays in the file and is sent to models", found.in_text(what))
        });
        known.into_iter().chain(found).collect()
    }

    /// Returns a title without the words that look like a key, because file names are printed everywhere.
    pub(super) fn title_of_file_name(&self, title: &str) -> String {
        let title = self.redact(title);
        if scan(&title).is_empty() {
            return title.into_owned();
        }
        let words = title.split_whitespace().filter(|word| scan(word).is_empty());
        words.collect::<Vec<_>>().join(" ")
    }

    /// Returns the request for a new discussion without known keys.
    ///
    /// # Errors
    /// Fails if the context or a parameter contains a key-shaped word. A key-shaped word in the
    /// title is not an error; [`Workspace::warn_of_secrets`] reports it.
    pub(super) fn clear_new(&self, new: &NewDiscussion) -> Result<NewDiscussion, WorkspaceError> {
        let context = new.context.as_deref().map(|text| self.clear("the context", text));
        let parameter = |(name, value): &(String, String)| {
            Ok((name.clone(), self.clear(&format!("the parameter `{name}`"), value)?))
        };
        let parameters: Result<_, WorkspaceError> = new.parameters.iter().map(parameter).collect();
        let options = new.options.iter().map(|option| self.clear("an option", option));
        let options: Result<_, WorkspaceError> = options.collect();
        Ok(NewDiscussion {
            title: self.redact(&new.title).into_owned(),
            context: context.transpose()?,
            parameters: parameters?,
            options: options?,
            ..new.clone()
        })
    }

    fn find_secrets(&self, name: &str, text: &str) -> Vec<SecretFinding> {
        if self.allows_secrets {
            return Vec::new();
        }
        scan(text).into_iter().map(|found| found.in_text(name)).collect()
    }

    /// Returns the finding about a file that is rejected because of its name or the name of its link target.
    fn name_credential_file(&self, path: &Path, name: &str) -> Option<SecretFinding> {
        let paths = [Some(path.to_owned()), fs::canonicalize(path).ok()];
        let rule =
            paths.into_iter().flatten().find_map(|path| credential_file(&self.end_of(&path)));
        rule.map(|rule| SecretFinding {
            file: Some(name.to_owned()),
            line: None,
            removed: false,
            rule,
        })
    }

    /// Returns the part of a path below the working folder, with as many folders above it as the rules examine. Fewer
    /// would miss files if a user works in a folder `.aws`; more could reject all files of a work tree below a folder
    /// `.git`.
    fn end_of(&self, path: &Path) -> String {
        let cwd = fs::canonicalize(&self.setup.cwd).unwrap_or_else(|_| self.setup.cwd.clone());
        let below = path.strip_prefix(&self.setup.cwd).or_else(|_| path.strip_prefix(&cwd));
        let Ok(below) = below else { return path.to_string_lossy().into_owned() };
        let parents: Vec<_> = cwd.components().rev().take(PARENTS).collect();
        let near: PathBuf = parents.into_iter().rev().collect();
        near.join(below).to_string_lossy().into_owned()
    }

    fn insist_none(&self, found: Vec<SecretFinding>) -> Result<(), WorkspaceError> {
        if found.is_empty() || self.allows_secrets {
            return Ok(());
        }
        Err(MaterialError::Secrets { found }.into())
    }
}
