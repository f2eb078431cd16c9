//! Colours of participants and votes: legible on dark and on light, and never all that tells two apart.

use std::collections::HashMap;

use anstyle::{Ansi256Color, AnsiColor, Color, Style};
use discussions::view::Standing;

/// Of middling brightness, from the fixed part of the palette, which no theme changes.
const NAMES: [u8; 8] = [32, 166, 133, 64, 161, 30, 97, 136];

/// Everybody's colour.
#[derive(Debug, Default)]
pub(crate) struct Colours(HashMap<String, usize>);

impl Colours {
    /// Each has the colour that the name comes to, the next free one where somebody before has it.
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

    /// How a name is written.
    pub(crate) fn name(&self, name: &str) -> Style {
        let index = self.0.get(&key(name)).copied().unwrap_or_else(|| wish(name));
        Style::new().bold().fg_color(Some(Color::Ansi256(Ansi256Color(NAMES[index]))))
    }
}

/// How a vote is written: what everybody knows to be good, middling and bad has its own colour.
pub(crate) fn vote(vote: &str) -> Style {
    let colour = match vote {
        "READY" | "YES" => AnsiColor::Green.into(),
        "CHANGES" => AnsiColor::Yellow.into(),
        "REJECT" | "NO" => AnsiColor::Red.into(),
        _ => Color::Ansi256(Ansi256Color(NAMES[wish(vote)])),
    };
    Style::new().bold().fg_color(Some(colour))
}

/// Where a discussion stands.
pub(crate) fn standing(status: Standing) -> AnsiColor {
    match status {
        Standing::Consensus => AnsiColor::Green,
        Standing::Answered => AnsiColor::Cyan,
        Standing::Blocked => AnsiColor::Red,
        Standing::Closed => AnsiColor::Blue,
        Standing::Open => AnsiColor::Yellow,
    }
}

fn key(name: &str) -> String {
    name.to_lowercase()
}

/// FNV-1a: the same on every machine and in every version.
fn wish(name: &str) -> usize {
    let hash = key(name).bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    // The low bits alone of so short texts are much alike.
    ((hash >> 32 ^ hash) % NAMES.len() as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_colour_and_shares_it_with_nobody_while_there_are_others() {
        let names = ["AI-Architect", "AI-Security", "AI-Pragmatist", "Rob", "Ann", "Mira", "Tom"];
        let colours = Colours::of(names);
        let used: std::collections::BTreeSet<String> =
            names.iter().map(|name| colours.name(name).render().to_string()).collect();
        assert_eq!(used.len(), names.len());
        assert_eq!(colours.name("ROB"), colours.name("Rob"));
        assert_eq!(Colours::of(["Rob", "Ann"]).name("Rob"), Colours::of(["Rob"]).name("Rob"));
    }
}
