//! The review of an artifact: a record of what perspectives find in it. The artifact is only ever read.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Workspace;
use super::create::CreateError;
use super::create::NewDiscussion;
use super::discuss::Unused;
use super::error::WorkspaceError;
use crate::codes::{ErrorCode, ResultError};
use crate::digest::sha256_hex;
use crate::store;
use crate::template::Template;
use crate::transcript::fenced;
use crate::view::{NoVerdict, ReviewResult, review_result};

/// The form of a review.
const TEMPLATE: &str = "artifact-review";

/// What is to be reviewed, and by whom.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// The file of what is reviewed.
    pub artifact: PathBuf,
    /// The file of what that was written from; without it nobody can judge what it leaves out.
    pub context: Option<PathBuf>,
    /// Personas, providers or `persona=provider`; empty: those of the round, else the template's.
    pub perspectives: Vec<String>,
    /// A named set of perspectives.
    pub round: Option<String>,
}

/// The record of a review: a discussion that is ready to be run.
#[derive(Debug)]
pub struct Record {
    /// Its file.
    pub path: PathBuf,
    /// What was asked for and has no effect.
    pub unused: Vec<Unused>,
    /// Why it could not be written where it belongs, and the folder that it stands in for as long as this lives.
    refused: Option<(WorkspaceError, TempDir)>,
}

impl Record {
    /// Why it is lost with this value.
    pub fn into_refused(self) -> Option<WorkspaceError> {
        self.refused.map(|(error, _)| error)
    }
}

/// A text and where it stands.
struct Source {
    path: String,
    text: String,
}

/// What is reviewed, and what that was written from.
struct Material {
    artifact: Source,
    context: Option<Source>,
}

impl Workspace {
    /// Makes the record of a review, named after the round or the artifact; in a folder that goes away where the disk
    /// refuses the one where it belongs, so that there is a verdict all the same.
    ///
    /// # Errors
    /// As [`Workspace::create`]; files that cannot be read, a round that the template does not name.
    pub fn review(&self, review: &Review) -> Result<Record, WorkspaceError> {
        let material = Material {
            artifact: self.source(&review.artifact)?,
            context: review.context.as_deref().map(|path| self.source(path)).transpose()?,
        };
        if material.artifact.text.trim().is_empty() {
            return Err(WorkspaceError::NothingToReview { artifact: material.artifact.path });
        }
        match self.record(review, &material, None) {
            Ok((path, unused)) => Ok(Record { path, unused, refused: None }),
            Err(error) if is_refusal(&error) => {
                let folder = temporary()?;
                let (path, unused) = self.record(review, &material, Some(folder.path()))?;
                Ok(Record { path, unused, refused: Some((error, folder)) })
            }
            Err(error) => Err(error),
        }
    }

    /// The record after a run that failed. Where the disk refused to go on, a copy in a folder that goes away, so that what
    /// was answered serves the verdict; else it is taken back, if nobody has added to it.
    ///
    /// # Errors
    /// The failure, where going on elsewhere would not help; no temporary folder.
    pub fn go_on_elsewhere(
        &self,
        record: Record,
        failed: WorkspaceError,
    ) -> Result<Record, WorkspaceError> {
        if !is_refusal(&failed) {
            // Where it cannot be taken away, it stays, and says what was to be asked.
            let _ = self.take_back(&record.path);
            return Err(failed);
        }
        if record.refused.is_some() {
            return Err(failed);
        }
        let folder = temporary()?;
        let path = folder.path().join(record.path.file_name().unwrap_or_default());
        std::fs::copy(&record.path, &path)
            .map_err(|source| WorkspaceError::Unwritten { path: path.clone(), source })?;
        Ok(Record { path, refused: Some((failed, folder)), ..record })
    }

    /// The verdict of a record as it stands; there is none as long as nobody gave a rating.
    ///
    /// # Errors
    /// A file that cannot be read, and an expression of the template that fails.
    pub fn verdict(
        &self,
        record: &Record,
    ) -> Result<Result<ReviewResult, NoVerdict>, WorkspaceError> {
        let kept_at = self.kept_at(record);
        let result = review_result(&self.snapshot(&record.path)?, &kept_at)?;
        let message = "no perspective gave a rating, so there is no verdict";
        let error = ResultError::new(ErrorCode::AllProvidersFailed, message);
        let none = NoVerdict { record: kept_at, verdict: None, error };
        Ok(result.filter(|result| !result.ratings.is_empty()).ok_or(none))
    }

    /// Where a record is kept, as it is shown; empty where it goes away.
    pub fn kept_at(&self, record: &Record) -> String {
        if record.refused.is_some() { String::new() } else { self.exactly(&record.path) }
    }

    fn source(&self, path: &Path) -> Result<Source, WorkspaceError> {
        Ok(Source { path: path.display().to_string(), text: self.material(path)? })
    }

    fn record(
        &self,
        review: &Review,
        material: &Material,
        folder: Option<&Path>,
    ) -> Result<(PathBuf, Vec<Unused>), WorkspaceError> {
        let template = self.template(TEMPLATE)?;
        let perspectives = perspectives(&template, review)?;
        let has_context = material.context.is_some();
        let (left_out, asked): (Vec<String>, Vec<String>) =
            perspectives.into_iter().partition(|alias| {
                !has_context && template.participants.drop.contains_key(alias.as_str())
            });
        if asked.is_empty() {
            return Err(CreateError::NobodyLeft { left_out }.into());
        }
        let hash = sha256_hex(&material.artifact.text);
        let context_path = material.context.as_ref().map(|source| source.path.clone());
        let parameters = [
            ("artifact", material.artifact.path.clone()),
            ("artifact_sha256", hash),
            ("context_file", context_path.unwrap_or_default()),
            ("round", review.round.clone().unwrap_or_default()),
        ];
        let stem = Path::new(&material.artifact.path).file_stem();
        let stem = stem.unwrap_or_default().to_string_lossy();
        let named = review.round.clone().unwrap_or_else(|| store::slug(&stem));
        let new = NewDiscussion {
            title: format!("Review of {}", material.artifact.path),
            template: Some(template.id.clone()),
            context: Some(shown(material)),
            participants: asked,
            parameters: parameters.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            file_name: Some(format!("{named}-discussion")),
            folder: folder.map(Path::to_owned),
            ..NewDiscussion::default()
        };
        let unused = left_out.into_iter().map(|alias| Unused::Perspective { alias }).collect();
        Ok((self.create(&new)?, unused))
    }
}

/// Whether the disk refused.
fn is_refusal(error: &WorkspaceError) -> bool {
    matches!(error, WorkspaceError::Store(error) if !error.is_input())
}

fn temporary() -> Result<TempDir, WorkspaceError> {
    tempfile::tempdir().map_err(WorkspaceError::NoTemporary)
}

fn perspectives(template: &Template, review: &Review) -> Result<Vec<String>, WorkspaceError> {
    let cast = &template.participants;
    let of_template = match &review.round {
        None => &cast.default,
        Some(round) => cast.casts.get(round).ok_or_else(|| CreateError::Cast {
            template: template.id.clone(),
            asked: round.clone(),
            known: cast.casts.keys().cloned().collect(),
        })?,
    };
    Ok(if review.perspectives.is_empty() { of_template } else { &review.perspectives }.clone())
}

/// The artifact, and what it was written from, as they are shown to everybody.
fn shown(material: &Material) -> String {
    let mut text = quoted(&material.artifact);
    if let Some(context) = &material.context {
        text.push_str(&format!(
            "\n\n## Original context\n\nFrom `{}`:\n\n{}",
            context.path.replace('`', "'"),
            quoted(context)
        ));
    }
    text
}

/// Markdown stands as it is; anything else in a fence, so that it reads as it is written.
fn quoted(source: &Source) -> String {
    let extension = Path::new(&source.path)
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("md" | "markdown" | "txt") | None => source.text.clone(),
        Some(extension) => fenced(extension, &source.text),
    }
}
