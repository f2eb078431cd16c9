//! Describes the participant's own persona in its prompt.

use crate::engine::Snapshot;
use crate::engine::pseudonyms::mention;
use crate::engine::view::Visibility;
use crate::state::Speaker;
use crate::transcript::Alias;

/// Returns the knowledge that a persona has besides its character, or an empty text if it has none (INV-DISC-641).
pub(super) fn knowledge(snapshot: &Snapshot, alias: &Alias) -> String {
    let taught = snapshot.config.persona(alias).and_then(|persona| persona.taught.as_deref());
    taught.map(|text| format!("# What you know\n\n{text}\n\n")).unwrap_or_default()
}

/// Returns the visible name of a participant and the description of its persona. `mentionable`: with the form in which
/// others mention it.
pub(super) fn described(sight: &Visibility<'_>, alias: &Alias, mentionable: bool) -> String {
    let snapshot = sight.snapshot();
    let shown = sight.name(&Speaker::Persona(alias.clone()));
    let Some(persona) = snapshot.config.persona(alias) else {
        return format!("# You\n\nYou are {shown}.");
    };
    let mut out = format!("# You\n\nYou are {shown}");
    if mentionable {
        let handle =
            if snapshot.template().anonymous { mention(&shown) } else { format!("@{alias}") };
        out.push_str(&format!(" ({handle})"));
    }
    if !persona.role.is_empty() {
        out.push_str(&format!(", {}", persona.role.trim_end_matches('.')));
    }
    if !persona.expertise.is_empty() {
        out.push_str(&format!(": {}", persona.expertise.join(", ")));
    }
    out.push('.');
    out.push_str("\n\n");
    out.push_str(persona.personality.trim());
    if !persona.concerns.is_empty() {
        out.push_str("\n\nYou always ask:");
        persona.concerns.iter().for_each(|concern| out.push_str(&format!("\n- {concern}")));
    }
    out
}
