//! Fixes for problems and errors, as data. The front end puts them into words, with its own commands and flags.

use schemars::JsonSchema;
use serde::Serialize;

/// The fix for a problem or an error, if it is a separate step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fix {
    /// Restore lost text, or accept the loss.
    Restore,
    /// Accept a change of older text.
    Accept,
    /// Let the program fix the formatting.
    Mend,
    /// Remove the journal from git and keep the file.
    Untrack,
    /// Choose one of the existing templates.
    ListTemplates,
    /// Choose one of the existing participants.
    ListParticipants,
    /// Choose one of the existing providers.
    ListProviders,
    /// Add a participant of that name instead of renaming one.
    AddParticipant,
    /// Name a folder outside the project in your own configuration, or for this call.
    OwnFolder,
}
