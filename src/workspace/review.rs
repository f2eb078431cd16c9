//! The review of an artifact: a record of what perspectives find in it. The artifact is only ever read.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Workspace;
use super::create::CreateError;
use super::create::NewDiscussion;
use super::discuss::Unused;
use super::error::WorkspaceError;
use crate::codes::StopCode;
use crate::digest::sha256_hex;
use crate::material::{MATERIAL_LIMIT, Sources, diff};
use crate::store;
use crate::template::Template;
use crate::transcript::fenced;
use crate::view::{Ending, ReviewResult, review_result};

/// The form of a review.
const TEMPLATE: &str = "artifact-review";

/// What is reviewed in each named round, if nobody names anything else.
const ARTIFACTS: [(&str, &str); 6] = [
    ("DISCUSS-001", CONTEXT),
    ("DISCUSS-002", "spec/product-brief.md"),
    ("DISCUSS-003", "spec/requirements/_index.md"),
    ("DISCUSS-004", "spec/architecture/_index.md"),
    ("DISCUSS-005", "spec/epics/_index.md"),
    ("DISCUSS-006", "spec/readiness-report.md"),
];

/// Where what an artifact was written from is looked for, if nobody names it.
const CONTEXT: &str = "spec/discovery-context.json";

/// What can be reviewed.
#[derive(Clone, Debug)]
pub enum Artifact {
    /// A file.
    File(PathBuf),
    /// The changes of commits as git writes them, such as `main...HEAD`; one alone is compared with the working tree.
    Changes(String),
}

impl Default for Artifact {
    fn default() -> Self {
        Self::File(PathBuf::new())
    }
}

impl Artifact {
    /// What a named round reviews, if it is one of those that review a file of their own.
    fn of_round(round: &str) -> Option<Self> {
        let (_, file) = ARTIFACTS.iter().find(|(name, _)| *name == round)?;
        Some(Self::File(PathBuf::from(file)))
    }

    /// Whether this is the file of a path.
    fn is(&self, path: &Path) -> bool {
        matches!(self, Self::File(file) if file == path)
    }
}

impl From<PathBuf> for Artifact {
    fn from(file: PathBuf) -> Self {
        Self::File(file)
    }
}

/// A text that is no path is a range of commits.
impl From<String> for Artifact {
    fn from(range: String) -> Self {
        Self::Changes(range)
    }
}

/// What is to be reviewed, and by whom.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// What is reviewed; a file without a name is the one that the round reviews.
    pub artifact: Artifact,
    /// The file of what that was written from; without it nobody can judge what it leaves out. One that is not there is
    /// said to be missing. None: `spec/discovery-context.json`, if it is there and somebody judges what is left out.
    pub context: Option<PathBuf>,
    /// What everybody sees beside it and nobody judges.
    pub material: Sources,
    /// The record's file; none: named after the round or the artifact.
    pub file: Option<PathBuf>,
    /// The folder of the record; none: the configured one.
    pub folder: Option<PathBuf>,
    /// The fewest perspectives that make a verdict; none: the template's, where so many are asked.
    pub min_providers: Option<u32>,
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
    /// What was read as context though nobody named it.
    pub found: Option<PathBuf>,
    /// What should have been read as context and is not there; nobody judges then what the artifact leaves out.
    pub missing: Option<String>,
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
    /// What it is called.
    path: String,
    /// The part of that which names a record.
    stem: String,
    text: String,
    /// The language of a fence around it, as its file's name ends; none: Markdown, or like it.
    language: Option<String>,
}

/// What is reviewed, and what that was written from.
struct Material {
    artifact: Source,
    context: Option<Source>,
    missing: Option<String>,
}

impl Workspace {
    /// Makes the record of a review, named after the round or the artifact; in a folder that goes away where the disk
    /// refuses the one where it belongs, so that there is a verdict all the same.
    ///
    /// # Errors
    /// As [`Workspace::create`]; files that cannot be read, a round that the template does not name.
    pub fn review(&self, review: &Review) -> Result<Record, WorkspaceError> {
        // A round that nobody knows names no artifact either.
        perspectives(&*self.template(TEMPLATE)?, review)?;
        let of_round = match (review.artifact.is(Path::new("")), &review.round) {
            (true, Some(round)) => Artifact::of_round(round),
            _ => None,
        };
        let review = &Review {
            artifact: of_round.unwrap_or_else(|| review.artifact.clone()),
            ..review.clone()
        };
        // Without its context a review goes on, and says what it leaves out.
        let is_there = |path: &&Path| self.setup.cwd.join(path).exists();
        let found = match review.context {
            Some(_) => None,
            None => self.found_context(review)?,
        };
        let named = review.context.as_deref().or(found.as_deref());
        let material = Material {
            artifact: match &review.artifact {
                Artifact::File(path) => self.source(path)?,
                Artifact::Changes(range) => self.changes(range)?,
            },
            context: named.filter(is_there).map(|path| self.source(path)).transpose()?,
            missing: named.filter(|path| !is_there(path)).map(|path| path.display().to_string()),
        };
        if material.artifact.text.trim().is_empty() {
            return Err(WorkspaceError::NothingToReview { artifact: material.artifact.path });
        }
        match self.record(review, &material, None) {
            Ok((path, unused)) => {
                Ok(Record { path, unused, found, missing: material.missing, refused: None })
            }
            Err(error) if is_refusal(&error) => {
                let folder = temporary()?;
                let (path, unused) = self.record(review, &material, Some(folder.path()))?;
                let missing = material.missing;
                Ok(Record { path, unused, found, missing, refused: Some((error, folder)) })
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

    /// The result of a record as it stands, whose run stopped so; it says why there is no verdict where there is none.
    ///
    /// # Errors
    /// A file that cannot be read, an expression of the template that fails, a template that computes no verdict.
    pub fn verdict(
        &self,
        record: &Record,
        stopped: StopCode,
    ) -> Result<ReviewResult, WorkspaceError> {
        let snapshot = self.snapshot(&record.path)?;
        review_result(&snapshot, &self.kept_at(record), Ending::of(stopped))?
            .ok_or_else(|| WorkspaceError::NoVerdict { template: snapshot.template().id.clone() })
    }

    /// Where a record is kept, as it is shown; empty where it goes away.
    pub fn kept_at(&self, record: &Record) -> String {
        if record.refused.is_some() { String::new() } else { self.exactly(&record.path) }
    }

    /// What an artifact was written from, if nobody names it, it lies where it is looked for, and one of those who are asked
    /// judges by it.
    fn found_context(&self, review: &Review) -> Result<Option<PathBuf>, WorkspaceError> {
        let path = PathBuf::from(CONTEXT);
        if review.artifact.is(&path) || !self.setup.cwd.join(&path).is_file() {
            return Ok(None);
        }
        let template = self.template(TEMPLATE)?;
        let judges = |alias: &String| template.participants.drop.contains_key(alias.as_str());
        Ok(perspectives(&template, review)?.iter().any(judges).then_some(path))
    }

    fn source(&self, path: &Path) -> Result<Source, WorkspaceError> {
        let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let language = match part(path.extension()).to_ascii_lowercase() {
            extension if ["", "md", "markdown", "txt"].contains(&extension.as_str()) => None,
            extension => Some(extension),
        };
        let (path, stem, text) =
            (path.display().to_string(), part(path.file_stem()), self.material(path)?);
        Ok(Source { path, stem, text, language })
    }

    fn changes(&self, range: &str) -> Result<Source, WorkspaceError> {
        let text = diff(range, &self.setup.cwd, MATERIAL_LIMIT)?;
        let text = self.clear(range, &text)?;
        let path = format!("changes of {range}");
        Ok(Source { stem: path.clone(), path, text, language: Some("diff".to_owned()) })
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
            ("context_missing", material.missing.clone().unwrap_or_default()),
            ("round", review.round.clone().unwrap_or_default()),
        ];
        let named = review.round.clone().unwrap_or_else(|| store::slug(&material.artifact.stem));
        let mut new = NewDiscussion {
            title: match &review.round {
                Some(round) => format!("Discussion Record: {round}"),
                None => format!("Review of {}", material.artifact.path),
            },
            template: Some(template.id.clone()),
            context: Some(shown(material)),
            material: review.material.clone(),
            participants: asked,
            parameters: parameters.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            file_name: Some(format!("{named}-discussion")),
            folder: folder.map(Path::to_owned).or_else(|| review.folder.clone()),
            min_answers: review.min_providers,
            ..NewDiscussion::default()
        };
        if let Some(file) = &review.file {
            self.in_file(&mut new, file)?;
            new.folder = folder.map(std::path::Path::to_owned).or(new.folder);
        }
        let unused = left_out.into_iter().map(|alias| Unused::Perspective { alias }).collect();
        Ok((self.create(&new)?, unused))
    }
}

/// Whether the disk refused.
fn is_refusal(error: &WorkspaceError) -> bool {
    match error {
        WorkspaceError::Unrecorded { error, .. } => is_refusal(error),
        WorkspaceError::Store(error) => !error.is_input(),
        _ => false,
    }
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
    match &source.language {
        None => source.text.clone(),
        Some(language) => fenced(language, &source.text),
    }
}
