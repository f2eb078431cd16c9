//! What a run may come to, before it begins.

use std::path::Path;

use super::{CallOptions, Runner};
use crate::engine::{Snapshot, ahead, ahead_in_agreement};
use crate::provider::highest_price;
use crate::transcript::{Alias, Depth};
use crate::view::Forecast;
use crate::workspace::WorkspaceError;

/// Bytes of a prompt around the record: its header, the task, the persona.
const AROUND: usize = 9 * 1024;
/// Bytes that a token of an answer may add to later prompts.
const BYTES_PER_TOKEN: usize = 4;

impl Runner {
    /// How many calls a run makes where everybody is asked once, and what they cost at most: prompts that hold all that
    /// could be said before them, answers as long as they may be.
    ///
    /// # Errors
    /// A file that cannot be read, an expression of its template that fails.
    pub(super) fn forecast(
        &self,
        path: &Path,
        options: &CallOptions,
    ) -> Result<Forecast, WorkspaceError> {
        let snapshot = self.workspace.snapshot(path)?;
        let mut asked: Vec<(Snapshot, Alias)> = Vec::new();
        let mut agreed = 0;
        let mut open = vec![(snapshot.clone(), Some(Depth::ROOT))];
        while let Some((one, depth)) = open.pop() {
            let here = ahead(&one)?;
            agreed += ahead_in_agreement(&one, here.len())?;
            asked.extend(here.into_iter().map(|alias| (one.clone(), alias)));
            let Some(below) = depth.and_then(Depth::below) else { continue };
            // What cannot be told beforehand is not in it.
            let within = one.discussed_ahead().into_iter();
            let within = within.filter_map(|spec| self.workspace.sketch(&one, &spec).ok());
            open.extend(within.map(|child| (child, Some(below))));
        }
        let mut bytes = snapshot.transcript.text.as_str().len() + AROUND;
        let (mut usd, mut unpriced) = (0.0, Vec::<String>::new());
        for (snapshot, alias) in &asked {
            // Whose provider is unknown is told when they are asked.
            let Ok(chain) = self.chain(snapshot, alias, options) else { continue };
            let Some(first) = chain.candidates.first() else { continue };
            let definition = first.definition();
            let (price, answer) = highest_price(definition, bytes);
            match price.filter(|_| first.grant(options.reach).is_none()) {
                Some(price) => usd += price,
                None => {
                    let name = first.name().as_str();
                    if !unpriced.iter().any(|known| known == name) {
                        unpriced.push(name.to_owned());
                    }
                }
            }
            bytes = bytes.saturating_add(answer.saturating_mul(BYTES_PER_TOKEN));
        }
        let calls = u32::try_from(asked.len()).unwrap_or(u32::MAX);
        let calls_in_agreement = u32::try_from(agreed).unwrap_or(u32::MAX);
        Ok(Forecast { calls, calls_in_agreement, usd: (usd * 1e4).ceil() / 1e4, unpriced })
    }
}
