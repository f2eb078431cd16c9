//! The keys of `discussions.yaml` and of the user's `config.yaml`. Errors in some settings appear
//! only when the settings are used, so these settings are kept with their places in the file.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::duration;
use crate::template::{ConsensusConfig, Recall};
use crate::transcript::{Alias, HeadLimits, Name};
use crate::yaml::{self, LoadError, Spanned};

/// One layer of configuration, or several merged layers. `None` means that a setting is not specified.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Participants if neither the file nor the command line names any: personas, or providers by name.
    pub default_participants: Option<Vec<Alias>>,
    /// The template of a new discussion.
    pub default_template: Option<String>,
    /// The name above a person's comments.
    pub author: Option<Name>,
    /// Each person's addresses in git. If a name is listed, git's authors are compared with its addresses.
    pub people: Option<PeopleConfig>,
    /// Rules of consensus.
    pub consensus: ConsensusConfig,
    /// Providers.
    pub providers: ProvidersConfig,
    /// Amount of earlier decisions that a new discussion includes, if its template does not specify it.
    pub recall: Option<Recall>,
    /// Places of results.
    pub output: OutputConfig,
    /// Limits of the total cost of each discussion.
    pub limits: HeadLimits,
    /// Folders with decision records of other tools; a relative path starts at the project's root.
    pub adr: Option<Vec<PathBuf>>,
}

/// Addresses by the name of the person.
pub type PeopleConfig = IndexMap<Name, Vec<String>>;

/// The providers to try, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProvidersConfig {
    /// Used if none of a persona's preferred providers is installed.
    pub default: Option<String>,
    /// Tried in this order after the default provider failed.
    pub fallback: Option<Vec<String>>,
}

/// The places of written files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputConfig {
    /// Folder of discussions; a relative path starts at the project's root.
    pub directory: Option<PathBuf>,
    /// True to write a summary beside each discussion.
    pub summary_files: Option<bool>,
}

impl Config {
    /// Reads one layer; an empty text specifies nothing. Errors call the text `origin`.
    ///
    /// # Errors
    ///
    /// Returns [`LoadError`] at the place of the error.
    pub fn read(text: &str, origin: &str) -> Result<Self, LoadError> {
        yaml::read(text, origin)
    }

    /// Returns this layer; settings that it does not specify come from the layer below. Lists are replaced, never
    /// joined. Of two limits the smaller applies, because the limits of a cloned project were set by other people.
    #[must_use]
    pub(crate) fn over(self, below: Self) -> Self {
        Self {
            default_participants: self.default_participants.or(below.default_participants),
            default_template: self.default_template.or(below.default_template),
            // A project must not choose the name under which a person writes.
            author: below.author.or(self.author),
            people: joined(self.people, below.people),
            consensus: self.consensus.or(&below.consensus),
            providers: ProvidersConfig {
                default: self.providers.default.or(below.providers.default),
                fallback: self.providers.fallback.or(below.providers.fallback),
            },
            recall: self.recall.or(below.recall),
            output: OutputConfig {
                directory: self.output.directory.or(below.output.directory),
                summary_files: self.output.summary_files.or(below.output.summary_files),
            },
            limits: least(self.limits, below.limits),
            adr: self.adr.or(below.adr),
        }
    }
}

/// Joins the people of both layers. For a person in both, the lower layer counts, which is the user's own.
fn joined(upper: Option<PeopleConfig>, below: Option<PeopleConfig>) -> Option<PeopleConfig> {
    match (upper, below) {
        (Some(mut upper), Some(below)) => {
            upper.extend(below);
            Some(upper)
        }
        (upper, below) => upper.or(below),
    }
}

fn least(one: HeadLimits, other: HeadLimits) -> HeadLimits {
    let time = |text: &String| duration::parse(text).unwrap_or_default();
    HeadLimits {
        max_usd: one.max_usd.into_iter().chain(other.max_usd).min_by(f64::total_cmp),
        max_calls: one.max_calls.into_iter().chain(other.max_calls).min(),
        // A time that cannot be parsed is kept, and reported when it is used.
        timeout: one.timeout.into_iter().chain(other.timeout).min_by_key(time),
    }
}

/// A setting with its place in the file.
#[derive(Clone, Debug)]
pub(super) struct RawConfig {
    origin: String,
    text: String,
    value: Spanned<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ConfigProbe {
    default_template: Option<Spanned<String>>,
    output: Output,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Output {
    directory: Option<Spanned<String>>,
}

impl RawConfig {
    /// Returns the `default_template` of a configuration, if it is set.
    pub(super) fn default_template(text: &str, origin: &str) -> Result<Option<Self>, LoadError> {
        let ConfigProbe { default_template, .. } = yaml::read(text, origin)?;
        Ok(default_template.map(|value| Self::new(text, origin, value)))
    }

    /// Returns the `output.directory` of a configuration, if it is set.
    pub(super) fn output_directory(text: &str, origin: &str) -> Result<Option<Self>, LoadError> {
        let ConfigProbe { output, .. } = yaml::read(text, origin)?;
        Ok(output.directory.map(|value| Self::new(text, origin, value)))
    }

    fn new(text: &str, origin: &str, value: Spanned<String>) -> Self {
        Self { origin: origin.to_owned(), text: text.to_owned(), value }
    }

    /// Returns an error at the setting's place, if the setting has this value.
    pub(super) fn error(&self, value: &str, message: &str) -> Option<LoadError> {
        (self.value.value == value).then(|| self.place(message))
    }

    /// Returns an error at the setting's place.
    pub(super) fn place(&self, message: &str) -> LoadError {
        LoadError::at(&self.origin, &self.text, 1, self.value.place, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str = "\
default_participants: [architect, security, pragmatist]
default_template: feature
author: Rob
consensus: {threshold_ready: 0.67, threshold_reject: 0.01, human_required: true}
providers: {default: claude-sonnet, fallback: [opencode-deepseek, claude-haiku]}
output: {directory: ./discussions, summary_files: true}
";

    fn error(text: &str) -> String {
        Config::read(text, "discussions.yaml").unwrap_err().to_string()
    }

    #[test]
    fn every_key_is_read() {
        let config = Config::read(PROJECT, "discussions.yaml").unwrap();
        assert_eq!(config.default_participants.unwrap()[1].as_str(), "security");
        assert_eq!(config.author.unwrap().as_str(), "Rob");
        assert_eq!(config.consensus.threshold_ready.unwrap(), 0.67);
        assert_eq!(config.providers.fallback.unwrap().len(), 2);
        assert_eq!(config.output.summary_files, Some(true));
    }

    #[test]
    fn upper_layer_wins_key_by_key() {
        let upper = Config::read("author: Ann\nconsensus: {human_required: false}\n", "u").unwrap();
        let below = Config::read(PROJECT, "p").unwrap();
        let merged = upper.over(below.clone());
        // The author's name comes from the lower layer.
        assert_eq!(merged.author.unwrap().as_str(), "Rob");
        assert_eq!(merged.consensus.human_required, Some(false));
        assert_eq!(merged.consensus.threshold_ready, below.consensus.threshold_ready);
        assert_eq!(merged.providers, below.providers);
    }

    #[test]
    fn empty_file_changes_no_setting() {
        assert_eq!(Config::read("# nothing yet\n", "u").unwrap(), Config::default());
    }

    #[test]
    fn mistakes_are_shown_with_their_place() {
        insta::assert_snapshot!(error("consensus:\n  threshold_ready: 67\n"), @r"
    discussions.yaml:2:20: a share of votes must be between 0 and 1, like 0.67, not 67
      |
    2 |   threshold_ready: 67
      |                    ^
    ");
        insta::assert_snapshot!(error("consensus: {human_require: true}\n"), @r"
    discussions.yaml:1:13: unknown key `human_require`
      |
    1 | consensus: {human_require: true}
      |             ^
    help: did you mean `human_required`?
    ");
        insta::assert_snapshot!(error("consensus: {human_required: yes}\n"), @r"
    discussions.yaml:1:29: expected `true` or `false`
      |
    1 | consensus: {human_required: yes}
      |                             ^
    ");
        insta::assert_snapshot!(error("consensus: {method: mojority}\n"), @r"
    discussions.yaml:1:21: unknown value `mojority`
      |
    1 | consensus: {method: mojority}
      |                     ^
    help: did you mean `majority`?
    ");
        insta::assert_snapshot!(error("default_participants: [architect, no one]\n"), @r"
    discussions.yaml:1:35: ` ` is not allowed in an alias: use a-z, 0-9, `_` and `-`
      |
    1 | default_participants: [architect, no one]
      |                                   ^
    ");
        insta::assert_snapshot!(error("default_participants: architect\n"), @r"
    discussions.yaml:1:23: expected a list
      |
    1 | default_participants: architect
      |                       ^
    ");
    }
}
