//! The review of an artifact: a record of what perspectives find in it. The artifact is only ever read.

use std::path::PathBuf;

use super::Workspace;
use super::create::CreateError;
use super::create::NewDiscussion;
use super::discuss::{Prepared, Unused};
use super::error::WorkspaceError;
use crate::digest::sha256_hex;
use crate::store;
use crate::template::Template;
use crate::transcript::fenced;

/// The form of a review.
const TEMPLATE: &str = "artifact-review";

/// A text and where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The path, as people should see it.
    pub path: String,
    /// What stands there.
    pub text: String,
}

/// What is to be reviewed, and by whom.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// What is reviewed.
    pub artifact: Source,
    /// What the artifact was written from; without it nobody can judge what it leaves out.
    pub context: Option<Source>,
    /// What should have been read as context and is not there; nobody judges then what the artifact leaves out.
    pub context_missing: Option<String>,
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

impl Workspace {
    /// Makes the record of a review, named after the round or the artifact.
    ///
    /// # Errors
    /// As [`Workspace::create`]; a round that the template does not name.
    pub fn review(&self, review: &Review) -> Result<Prepared, WorkspaceError> {
        self.review_in(review, None)
    }

    /// The same in another folder than the configured one.
    ///
    /// # Errors
    /// As [`Workspace::review`].
    pub fn review_in(
        &self,
        review: &Review,
        folder: Option<&std::path::Path>,
    ) -> Result<Prepared, WorkspaceError> {
        let template = self.template(TEMPLATE)?;
        let perspectives = perspectives(&template, review)?;
        let has_context = review.context.is_some();
        let (left_out, asked): (Vec<String>, Vec<String>) =
            perspectives.into_iter().partition(|alias| {
                !has_context && template.participants.drop.contains_key(alias.as_str())
            });
        if asked.is_empty() {
            return Err(CreateError::NobodyLeft { left_out }.into());
        }
        let hash = sha256_hex(&review.artifact.text);
        let context_path = review.context.as_ref().map(|source| source.path.clone());
        let parameters = [
            ("artifact", review.artifact.path.clone()),
            ("artifact_sha256", hash),
            ("context_file", context_path.unwrap_or_default()),
            ("context_missing", review.context_missing.clone().unwrap_or_default()),
            ("round", review.round.clone().unwrap_or_default()),
        ];
        let stem = std::path::Path::new(&review.artifact.path).file_stem();
        let stem = stem.unwrap_or_default().to_string_lossy();
        let named = review.round.clone().unwrap_or_else(|| store::slug(&stem));
        let mut new = NewDiscussion {
            title: format!("Review of {}", review.artifact.path),
            template: Some(template.id.clone()),
            context: Some(material(review)),
            participants: asked,
            parameters: parameters.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            file_name: Some(format!("{named}-discussion")),
            folder: folder.map(std::path::Path::to_owned).or_else(|| review.folder.clone()),
            min_answers: review.min_providers,
            ..NewDiscussion::default()
        };
        if let Some(file) = &review.file {
            self.in_file(&mut new, file)?;
            new.folder = folder.map(std::path::Path::to_owned).or(new.folder);
        }
        let unused = left_out.into_iter().map(|alias| Unused::Perspective { alias }).collect();
        Ok(Prepared { path: self.create(&new)?, unused })
    }
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
fn material(review: &Review) -> String {
    let mut text = quoted(&review.artifact);
    if let Some(context) = &review.context {
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
    let extension = std::path::Path::new(&source.path)
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("md" | "markdown" | "txt") | None => source.text.clone(),
        Some(extension) => fenced(extension, &source.text),
    }
}
