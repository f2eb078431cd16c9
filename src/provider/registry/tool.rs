//! The command of a template. It is run like the command of a provider: only with the user's trust, with limits, and
//! never by a shell.

use std::collections::BTreeMap;

use super::{Layer, RegistryEntry};
use crate::provider::command::{CommandDefinition, Workdir};
use crate::provider::definition::Common;
use crate::provider::{OutputShape, ProviderDefinition, ProviderKind, ProviderName, Timeout};

/// The maximum output, in bytes.
const OUTPUT: usize = 256 * 1024;

impl RegistryEntry {
    /// Creates the entry for running these words in the project's folder. The command gets no input and no API keys.
    pub(crate) fn tool(
        name: ProviderName,
        words: &[String],
        timeout: Timeout,
        origin: Layer,
    ) -> Self {
        let command = CommandDefinition {
            line: shell_words::join(words),
            install: None,
            output_limit: OUTPUT,
            max_tokens: None,
            output: OutputShape::default(),
            workdir: Workdir::Project,
            env: BTreeMap::new(),
            with_model: None,
            keys: Some(Vec::new()),
            budget: None,
            tools: None,
        };
        let common = Common {
            name,
            aliases: Vec::new(),
            description: String::new(),
            timeout,
            retries: 0,
            price: None,
            strengths: Vec::new(),
        };
        let definition =
            ProviderDefinition { common, kind: ProviderKind::Command(Box::new(command)) };
        Self { definition, origin, line: 1, replaces: Vec::new() }
    }
}
