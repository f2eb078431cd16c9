//! The people in a prompt: the participant's own persona, and the other participants. The list of
//! the others lets a participant address a question to one that is able to answer it.

use std::collections::BTreeSet;

use super::open::shortened;
use crate::engine::pseudonyms::mention;
use crate::engine::snapshot::Snapshot;
use crate::engine::view::Visibility;
use crate::participant::ParticipantKind;
use crate::state::Speaker;
use crate::transcript::Alias;

/// Maximum number of names per list. A head may name thousands.
const MOST: usize = 12;

/// Returns all other participants: models by alias and role, or by label; people by name. Each list is in alphabetical
/// order (INV-DISC-012).
pub(super) fn here(sight: &Visibility<'_>, seen: &Snapshot, me: &Alias) -> String {
    let config = &sight.snapshot().config;
    let spoken = seen.state.said.iter().map(|said| &said.speaker);
    let seated = config.seats().chain(config.roles.values().flatten());
    let mut models = BTreeSet::new();
    let mut people = BTreeSet::new();
    for alias in seated.chain(spoken.clone().filter_map(Speaker::alias)) {
        if alias == me {
            continue;
        }
        match config.persona(alias).map(|persona| persona.kind) {
            Some(ParticipantKind::Human) => people.insert(format!("@{alias}")),
            _ => models.insert(model(sight, alias)),
        };
    }
    for speaker in spoken {
        if let Speaker::Person(name) = speaker {
            people.insert(format!("@{}", name.as_str().replace(' ', "-")));
        }
    }
    let mut groups = Vec::new();
    if !models.is_empty() {
        groups.push(list(models));
    }
    if !people.is_empty() {
        groups.push(format!("people: {}", list(people)));
    }
    if groups.is_empty() { String::new() } else { format!("\nOthers: {}.\n", groups.join("; ")) }
}

fn model(sight: &Visibility<'_>, alias: &Alias) -> String {
    let speaker = Speaker::Persona(alias.clone());
    let shown = sight.name(&speaker);
    let config = &sight.snapshot().config;
    if sight.snapshot().template().anonymous {
        return mention(&shown);
    }
    let persona = config.persona(alias);
    // A model without a character is known to the others by the name that its user gave it.
    let given = persona.filter(|one| one.neutral && one.name.as_str() != alias.as_str());
    if let Some(persona) = given {
        return format!("@{alias} ({})", shortened(persona.name.as_str(), 60));
    }
    let role = persona.map(|persona| shortened(&persona.role, 60));
    match role.filter(|role| !role.is_empty()) {
        Some(role) => format!("@{alias} ({role})"),
        None => format!("@{alias}"),
    }
}

fn list(names: BTreeSet<String>) -> String {
    let more = names.len().saturating_sub(MOST);
    let mut shown: Vec<String> = names.into_iter().take(MOST).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}

/// Returns the knowledge that a persona has besides its character, or an empty text if it has none (INV-DISC-641).
pub(super) fn knowledge(snapshot: &Snapshot, alias: &Alias) -> String {
    let taught = snapshot.config.persona(alias).and_then(|persona| persona.taught.as_deref());
    taught.map(|text| format!("# What you know\n\n{text}\n\n")).unwrap_or_default()
}

/// Returns the visible name of a participant and the description of its persona. If `mentionable`
/// is true, adds the form in which others mention the participant.
pub(super) fn described_persona(
    sight: &Visibility<'_>,
    alias: &Alias,
    mentionable: bool,
) -> String {
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
