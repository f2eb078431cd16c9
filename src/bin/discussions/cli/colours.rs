//! Colours of participants and votes. They are legible on dark and light backgrounds, and no two things differ only in
//! colour.

use std::collections::HashMap;

use anstyle::{Ansi256Color, AnsiColor, Color, Style};
use discussions::view::DecisionStatus;

/// Colours of medium brightness, from the part of the palette that no theme changes.
const NAMES: [u8; 8] = [32, 166, 133, 64, 161, 30, 97, 136];

/// The colours of all participants.
#[derive(Debug, Default)]
pub(crate) struct Colours(HashMap<String, usize>);

impl Colours {
    /// Gives each name the colour of its hash, or the next free colour if another name has it.
    pub(crate) fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut colours = Self::default();
        let mut taken = [false; NAMES.len()];
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            if colours.0.contains_key(&key(name)) {
                continue;
            }
            let wish = wish(name);
            let free = (0..NAMES.len()).map(|step| (wish + step) % NAMES.len());
            let index = free.into_iter().find(|at| !taken[*at]).unwrap_or(wish);
            taken[index] = true;
            colours.0.insert(key(name), index);
        }
        colours
    }

    /// Returns the style of a name.
    pub(crate) fn name(&self, name: &str) -> Style {
        let index = self.0.get(&key(name)).copied().unwrap_or_else(|| wish(name));
        Style::new().bold().fg_color(Some(Color::Ansi256(Ansi256Color(NAMES[index]))))
    }
}

/// Returns the style of a vote. Votes with a generally known meaning (good, medium, bad) have fixed colours.
pub(crate) fn vote(vote: &str) -> Style {
    let colour = match vote {
        "READY" | "YES" => AnsiColor::Green.into(),
        "CHANGES" => AnsiColor::Yellow.into(),
        "REJECT" | "NO" => AnsiColor::Red.into(),
        _ => Color::Ansi256(Ansi256Color(NAMES[wish(vote)])),
    };
    Style::new().bold().fg_color(Some(colour))
}

/// Returns the colour of a status.
pub(crate) fn standing(status: DecisionStatus) -> AnsiColor {
    match status {
        DecisionStatus::Consensus => AnsiColor::Green,
        DecisionStatus::Answered => AnsiColor::Cyan,
        DecisionStatus::Blocked => AnsiColor::Red,
        DecisionStatus::Closed => AnsiColor::Blue,
        DecisionStatus::Open => AnsiColor::Yellow,
    }
}

fn key(name: &str) -> String {
    name.to_lowercase()
}

/// Computes the FNV-1a hash, which is equal on every machine and in every version.
fn wish(name: &str) -> usize {
    let hash = key(name).bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    // For such short texts, the low bits alone differ too little.
    ((hash >> 32 ^ hash) % NAMES.len() as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_keeps_a_colour_of_its_own_while_colours_last() {
        let names = ["AI-Architect", "AI-Security", "AI-Pragmatist", "Rob", "Ann", "Mira", "Tom"];
        let colours = Colours::of(names);
        let used: std::collections::BTreeSet<String> =
            names.iter().map(|name| colours.name(name).render().to_string()).collect();
        assert_eq!(used.len(), names.len());
        assert_eq!(colours.name("ROB"), colours.name("Rob"));
        assert_eq!(Colours::of(["Rob", "Ann"]).name("Rob"), Colours::of(["Rob"]).name("Rob"));
    }
}
