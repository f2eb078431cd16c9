//! How something is mended, as data: the words for it, with commands and flags, are the front end's.

use schemars::JsonSchema;
use serde::Serialize;

/// What mends a problem or an error, where that is a step of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fix {
    /// Put back what was written and is gone, or agree to that.
    Restore,
    /// Agree to a change of older text.
    Accept,
    /// Let the program mend how something is written.
    Mend,
    /// Take the journal out of git, and leave it where it is.
    Untrack,
    /// Choose among the templates there are.
    ListTemplates,
    /// Choose among the participants there are.
    ListParticipants,
    /// Choose among the providers there are.
    ListProviders,
    /// Add a participant of that name instead of renaming one.
    AddParticipant,
    /// Name a folder outside of the project in one's own configuration, or for this one call.
    OwnFolder,
}
