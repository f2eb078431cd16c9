//! The keys of `discussions.yaml` and of the user's `config.yaml`.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::duration;
use crate::template::{ConsensusConfig, Recall};
use crate::transcript::{Alias, HeadLimits, Name};
use crate::yaml::{self, LoadError};

/// One layer of configuration, or several merged; what is `None` was not said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Who takes part where neither the file nor the command line says so: personas, or providers
    /// by name.
    pub default_participants: Option<Vec<Alias>>,
    /// The template of a new discussion.
    pub default_template: Option<String>,
    /// The name a person's comments are written under.
    pub author: Option<Name>,
    /// The addresses that each person commits under; git's authors are compared with these where a name is listed.
    pub people: Option<PeopleConfig>,
    /// When a discussion has decided.
    pub consensus: ConsensusConfig,
    /// Who answers.
    pub providers: ProvidersConfig,
    /// How much earlier decisions a new discussion is told of, where its template says nothing.
    pub recall: Option<Recall>,
    /// Where results go.
    pub output: OutputConfig,
    /// What each discussion may cost as a whole.
    pub limits: HeadLimits,
}

/// Addresses by the name of the person.
pub type PeopleConfig = IndexMap<Name, Vec<String>>;

/// Which providers are tried, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProvidersConfig {
    /// Taken where a persona wishes for none that is installed.
    pub default: Option<String>,
    /// Tried in this order after that one failed.
    pub fallback: Option<Vec<String>>,
}

/// Where files are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputConfig {
    /// Folder of discussions; a relative one belongs to the project's root.
    pub directory: Option<PathBuf>,
    /// Whether a summary is written beside a discussion.
    pub summary_files: Option<bool>,
}

impl Config {
    /// Reads one layer; an empty text says nothing. `origin` is what an error calls it.
    ///
    /// # Errors
    ///
    /// [`LoadError`] at the place that is wrong.
    pub fn read(text: &str, origin: &str) -> Result<Self, LoadError> {
        yaml::read(text, origin)
    }

    /// This layer, and where it is silent, the one below. Lists are replaced, never joined; of two limits the smaller
    /// holds, for whoever clones a project did not write what it allows.
    #[must_use]
    pub(crate) fn over(self, below: Self) -> Self {
        Self {
            default_participants: self.default_participants.or(below.default_participants),
            default_template: self.default_template.or(below.default_template),
            // A project must not choose the name that a person writes under.
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
        }
    }
}

/// The people of both layers; of one listed in both, what the lower layer says, which is the user's own.
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
        // One that cannot be read is kept, and refused where it is used.
        timeout: one.timeout.into_iter().chain(other.timeout).min_by_key(time),
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
    fn an_upper_layer_wins_key_by_key() {
        let upper = Config::read("author: Ann\nconsensus: {human_required: false}\n", "u").unwrap();
        let below = Config::read(PROJECT, "p").unwrap();
        let merged = upper.over(below.clone());
        // The name that a person writes under is their own layer's.
        assert_eq!(merged.author.unwrap().as_str(), "Rob");
        assert_eq!(merged.consensus.human_required, Some(false));
        assert_eq!(merged.consensus.threshold_ready, below.consensus.threshold_ready);
        assert_eq!(merged.providers, below.providers);
    }

    #[test]
    fn an_empty_file_says_nothing() {
        assert_eq!(Config::read("# nothing yet\n", "u").unwrap(), Config::default());
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
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
