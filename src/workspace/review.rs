//! Reviews an artifact: creates a discussion in which perspectives record their findings. The artifact is only read.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Discussions;
use super::create::NewDiscussion;
use super::discuss::Unused;
use super::error::{Help, WorkspaceError};
use crate::codes::StopCode;
use crate::digest::sha256_hex;
use crate::material::{MATERIAL_LIMIT, Sources, diff};
use crate::store::{self, CommitPatch, TemporaryFolder};
use crate::template::Template;
use crate::transcript::{UnshownFile, fenced};
use crate::view::{ReviewResult, review_result};

/// The default template of a review.
const TEMPLATE: &str = "artifact-review";

/// The artifact of each named round, if the user names no other.
const ARTIFACTS: [(&str, &str); 6] = [
    ("DISCUSS-001", CONTEXT),
    ("DISCUSS-002", "spec/product-brief.md"),
    ("DISCUSS-003", "spec/requirements/_index.md"),
    ("DISCUSS-004", "spec/architecture/_index.md"),
    ("DISCUSS-005", "spec/epics/_index.md"),
    ("DISCUSS-006", "spec/readiness-report.md"),
];

/// The default file of the original context of an artifact.
const CONTEXT: &str = "spec/discovery-context.json";

/// The artifact of a review.
#[derive(Clone, Debug)]
pub enum Artifact {
    /// A file.
    File(PathBuf),
    /// The changes of commits, as git spells them, such as `main...HEAD`; a single commit is compared with the work
    /// tree.
    Changes(String),
}

impl Default for Artifact {
    fn default() -> Self {
        Self::File(PathBuf::new())
    }
}

impl Artifact {
    /// Returns the artifact of a named round, if the round has one of its own.
    fn of_round(round: &str) -> Option<Self> {
        let (_, file) = ARTIFACTS.iter().find(|(name, _)| *name == round)?;
        Some(Self::File(PathBuf::from(file)))
    }

    /// Returns true if the artifact is the file of a path.
    fn is(&self, path: &Path) -> bool {
        matches!(self, Self::File(file) if file == path)
    }
}

impl From<PathBuf> for Artifact {
    fn from(file: PathBuf) -> Self {
        Self::File(file)
    }
}

/// A text that is not a path is a range of commits.
impl From<String> for Artifact {
    fn from(range: String) -> Self {
        Self::Changes(range)
    }
}

/// The request for a review.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// The artifact; an empty path stands for the round's own artifact.
    pub artifact: Artifact,
    /// The file of the original context. Without it, no perspective can judge omissions. A file that does not exist is
    /// reported as missing. `None` means `spec/discovery-context.json`, if it exists and a perspective judges
    /// omissions.
    pub context: Option<PathBuf>,
    /// Further texts that all perspectives see but do not review.
    pub material: Sources,
    /// The file of the discussion; `None` names it after the round or the artifact.
    pub file: Option<PathBuf>,
    /// The folder of the discussion; `None` means the configured one.
    pub folder: Option<PathBuf>,
    /// The minimum number of perspectives for a verdict; `None` means the template's, if that many are asked.
    pub min_providers: Option<u32>,
    /// Personas, providers or `persona=provider`; if empty, those of the round, or else the template's.
    pub perspectives: Vec<String>,
    /// A named set of perspectives.
    pub round: Option<String>,
    /// The template; `None` means `artifact-review`. If the template names another one for reviews, that one is used.
    pub pattern: Option<String>,
}

/// The discussion of a review, ready to run.
#[derive(Debug)]
pub struct ReviewRecord {
    /// The file.
    pub path: PathBuf,
    /// Settings of the request that have no effect.
    pub unused: Vec<Unused>,
    /// The context file that was used although the user did not name it.
    pub found: Option<PathBuf>,
    /// The context file that does not exist; no perspective then judges omissions of the artifact.
    pub missing: Option<String>,
    /// The error from the intended folder, and the temporary folder that is used instead. The folder lives as long as
    /// this value.
    refused: Option<(WorkspaceError, TemporaryFolder)>,
}

impl ReviewRecord {
    /// Returns the reason why the file disappears with this value; `None` if it stays.
    pub fn into_refused(self) -> Option<WorkspaceError> {
        self.refused.map(|(error, _)| error)
    }
}

/// A text and its source.
struct ArtifactSource {
    /// The name that is shown.
    path: String,
    /// The part of `path` after which the discussion is named.
    stem: String,
    text: String,
    /// The language of the fence around it, from the file's ending; `None` for Markdown and similar text.
    language: Option<String>,
    /// The files of a change that the text does not show.
    not_shown: Vec<UnshownFile>,
}

/// The artifact and its original context.
struct ReviewMaterial {
    artifact: ArtifactSource,
    context: Option<ArtifactSource>,
    /// True if the artifact is itself the context, so that it is shown once and coverage is judged within it.
    is_own_context: bool,
    missing: Option<String>,
}

impl Discussions<'_> {
    /// Creates the discussion of a review, named after the round or the artifact. If the disk refuses the intended
    /// folder, uses a temporary one, so that there still is a verdict.
    ///
    /// # Errors
    /// Fails like [`Discussions::create`], if a file cannot be read, if the template computes no verdict, or if it does
    /// not define the round.
    pub fn review(&self, review: &Review) -> Result<ReviewRecord, WorkspaceError> {
        // An unknown round is reported before its missing artifact.
        perspectives(&*self.review_template(review)?, review)?;
        let of_round = match (review.artifact.is(Path::new("")), &review.round) {
            (true, Some(round)) => Artifact::of_round(round),
            _ => None,
        };
        let review = &Review {
            artifact: of_round.unwrap_or_else(|| review.artifact.clone()),
            ..review.clone()
        };
        // A review also runs if its context is missing, and reports the parts that it leaves out.
        let is_there = |path: &&Path| self.setup.cwd.join(path).exists();
        let found = match review.context {
            Some(_) => None,
            None => self.found_context(review)?,
        };
        let named = review.context.as_deref().or(found.as_deref());
        let material = ReviewMaterial {
            artifact: match &review.artifact {
                Artifact::File(path) => self.source(path)?,
                Artifact::Changes(range) => self.changes(range)?,
            },
            context: named.filter(is_there).map(|path| self.source(path)).transpose()?,
            is_own_context: named.is_none() && review.artifact.is(Path::new(CONTEXT)),
            missing: named.filter(|path| !is_there(path)).map(|path| path.display().to_string()),
        };
        if material.artifact.text.trim().is_empty() {
            let artifact = material.artifact.path;
            return Err(WorkspaceError::refuse(format!("{artifact}: there is nothing to review")));
        }
        match self.record(review, &material, None) {
            Ok((path, unused)) => {
                Ok(ReviewRecord { path, unused, found, missing: material.missing, refused: None })
            }
            Err(error) if is_refusal(&error) => {
                let folder = self.temporary_folder()?;
                let (path, unused) = self.record(review, &material, Some(folder.path()))?;
                let missing = material.missing;
                Ok(ReviewRecord { path, unused, found, missing, refused: Some((error, folder)) })
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the discussion to continue with after a failed run. If the disk failed, returns a copy in a temporary
    /// folder, so that the answers still give a verdict. Otherwise removes the file, unless it has new content.
    ///
    /// # Errors
    /// Returns `failed` if a copy elsewhere would not help. Also fails if there is no temporary folder.
    pub fn go_on_elsewhere(
        &self,
        record: ReviewRecord,
        failed: WorkspaceError,
    ) -> Result<ReviewRecord, WorkspaceError> {
        if !is_refusal(&failed) {
            // A file that cannot be removed stays and contains the question.
            let _ = self.take_back(&record.path);
            return Err(failed);
        }
        if record.refused.is_some() {
            return Err(failed);
        }
        let folder = self.temporary_folder()?;
        let path = folder.path().join(record.path.file_name().unwrap_or_default());
        std::fs::copy(&record.path, &path)
            .map_err(|source| WorkspaceError::unwritable_file(&path, &source))?;
        Ok(ReviewRecord { path, refused: Some((failed, folder)), ..record })
    }

    fn temporary_folder(&self) -> Result<TemporaryFolder, WorkspaceError> {
        self.environment.new_folder().map_err(|error| {
            WorkspaceError::fail(format!("cannot create a temporary folder: {error}"))
        })
    }

    /// Returns the result of a review after its run ended with `stopped`, or the reason why there is no verdict.
    ///
    /// # Errors
    /// Fails if the file cannot be read, if an expression of the template fails, or if the template computes no
    /// verdict.
    pub fn verdict(
        &self,
        record: &ReviewRecord,
        stopped: StopCode,
    ) -> Result<ReviewResult, WorkspaceError> {
        let snapshot = self.snapshot(&record.path)?;
        review_result(&snapshot, &self.kept_at(record), Some(stopped))?
            .ok_or_else(|| WorkspaceError::NoVerdict { template: snapshot.template().id.clone() })
    }

    /// Returns the file of the review, as it is shown; an empty text for a temporary file.
    pub fn kept_at(&self, record: &ReviewRecord) -> String {
        if record.refused.is_some() { String::new() } else { self.exactly(&record.path) }
    }

    /// Returns the default context file, if the user names none, it exists, and one of the perspectives judges by it.
    fn found_context(&self, review: &Review) -> Result<Option<PathBuf>, WorkspaceError> {
        let path = PathBuf::from(CONTEXT);
        if review.artifact.is(&path) || !self.setup.cwd.join(&path).is_file() {
            return Ok(None);
        }
        let template = self.review_template(review)?;
        let judges = |alias: &String| template.participants.drop.contains_key(alias.as_str());
        Ok(perspectives(&template, review)?.iter().any(judges).then_some(path))
    }

    /// Returns the template of a review.
    ///
    /// # Errors
    /// Fails if the template does not exist, is broken, or computes no verdict.
    fn review_template(&self, review: &Review) -> Result<Arc<Template>, WorkspaceError> {
        let asked = self.template(review.pattern.as_deref().unwrap_or(TEMPLATE))?;
        let template = match &asked.reviews_with {
            Some(id) => self.template(id)?,
            None => asked,
        };
        if template.result.verdict.is_empty() {
            return Err(WorkspaceError::NoVerdict { template: template.id.clone() });
        }
        Ok(template)
    }

    fn source(&self, path: &Path) -> Result<ArtifactSource, WorkspaceError> {
        let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let language = match part(path.extension()).to_ascii_lowercase() {
            extension if ["", "md", "markdown", "txt"].contains(&extension.as_str()) => None,
            extension => Some(extension),
        };
        let (path, stem, text) =
            (path.display().to_string(), part(path.file_stem()), self.material(path)?);
        Ok(ArtifactSource { path, stem, text, language, not_shown: Vec::new() })
    }

    fn changes(&self, range: &str) -> Result<ArtifactSource, WorkspaceError> {
        let CommitPatch { text, not_shown, .. } = diff(range, &self.setup.cwd, MATERIAL_LIMIT)?;
        let text = self.clear(range, &text)?;
        let path = format!("changes of {range}");
        let language = Some("diff".to_owned());
        Ok(ArtifactSource { stem: path.clone(), path, text, language, not_shown })
    }

    fn record(
        &self,
        review: &Review,
        material: &ReviewMaterial,
        folder: Option<&Path>,
    ) -> Result<(PathBuf, Vec<Unused>), WorkspaceError> {
        let template = self.review_template(review)?;
        let perspectives = perspectives(&template, review)?;
        let has_context = material.context.is_some() || material.is_own_context;
        let (left_out, asked): (Vec<String>, Vec<String>) =
            perspectives.into_iter().partition(|alias| {
                !has_context && template.participants.drop.contains_key(alias.as_str())
            });
        if asked.is_empty() {
            let names = left_out.join(", ");
            return Err(WorkspaceError::refuse(format!(
                "{names} cannot review without the original context of the artifact"
            ))
            .with_help(Help::GiveContext(left_out)));
        }
        let hash = sha256_hex(&material.artifact.text);
        let own = material.is_own_context.then_some(&material.artifact);
        let context_path = material.context.as_ref().or(own).map(|source| source.path.clone());
        let parameters = [
            ("artifact", material.artifact.path.clone()),
            ("artifact_sha256", hash),
            ("context_file", context_path.unwrap_or_default()),
            ("context_missing", material.missing.clone().unwrap_or_default()),
            ("round", review.round.clone().unwrap_or_default()),
        ];
        let declared = |(name, _): &(&str, String)| template.parameters.contains_key(*name);
        let parameters = parameters.into_iter().filter(declared);
        let named = review.round.clone().unwrap_or_else(|| store::slug(&material.artifact.stem));
        let mut new = NewDiscussion {
            title: match &review.round {
                Some(round) => format!("Discussion Record: {round}"),
                None => format!("Review of {}", material.artifact.path),
            },
            template: Some(template.id.clone()),
            context: Some(material_text(material)),
            material: review.material.clone(),
            participants: asked,
            parameters: parameters.map(|(name, value)| (name.to_owned(), value)).collect(),
            file_name: Some(format!("{named}-discussion")),
            folder: folder.map(Path::to_owned).or_else(|| review.folder.clone()),
            min_answers: review.min_providers,
            not_shown: material.artifact.not_shown.clone(),
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

/// Returns true if the disk refused a write.
fn is_refusal(error: &WorkspaceError) -> bool {
    match error {
        WorkspaceError::Unrecorded { error, .. } => is_refusal(error),
        WorkspaceError::Store(error) => !error.is_input(),
        _ => false,
    }
}

fn perspectives(template: &Template, review: &Review) -> Result<Vec<String>, WorkspaceError> {
    let cast = &template.participants;
    let of_template = match &review.round {
        None => &cast.default,
        Some(round) => cast.casts.get(round).ok_or_else(|| {
            let known: Vec<&str> = cast.casts.keys().map(String::as_str).collect();
            WorkspaceError::refuse(format!(
                "the template `{}` has no round `{round}`; it has: {}",
                template.id,
                known.join(", ")
            ))
        })?,
    };
    Ok(if review.perspectives.is_empty() { of_template } else { &review.perspectives }.clone())
}

/// Returns the artifact and its original context as all perspectives see them.
fn material_text(material: &ReviewMaterial) -> String {
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

/// Returns Markdown unchanged, and any other text in a fence, so that it is shown as it is written.
fn quoted(source: &ArtifactSource) -> String {
    match &source.language {
        None => source.text.clone(),
        Some(language) => fenced(language, &source.text),
    }
}
