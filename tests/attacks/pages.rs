//! The file that each attack results in, with others who speak after it.

use discussions::transcript::{Choice, Draft, NewComment, append};

use super::normal::{Normal, name};
use super::{Attack, Channel, Outcome, appended, created};

/// Name, text, and the words that are markup. Left out is what never becomes text of the program's own: what is
/// refused, a persona's file, and merges, whose hostile side was written by hand.
pub(crate) fn pages() -> Vec<(String, String, Vec<String>)> {
    let normal = Normal::new();
    let pages = super::attacks().into_iter().filter_map(|attack| {
        let text = page(&attack, &normal)?;
        Some((attack.name, text, attack.header.markup))
    });
    pages.collect()
}

fn page(attack: &Attack, normal: &Normal) -> Option<String> {
    if attack.header.outcome == Outcome::Refused {
        return None;
    }
    let text = match attack.header.channel {
        Channel::Answer | Channel::Comment => {
            let before = normal.discussion(&attack.header.template);
            let draft = appended::draft(attack, normal, &before).ok()??;
            let added = append(&before, &[draft]);
            before + &added
        }
        Channel::Persona | Channel::Merge => return None,
        _ => normal.workspace.draft(&created::new(attack, &attack.text)).ok()?,
    };
    let next = Draft::Comment(NewComment {
        vote: Choice::parse("READY").ok(),
        ..NewComment::by(name("Bea"), "Then [a] and [x] and[^1] more, said by Ann.")
    });
    let added = append(&text, &[next]);
    Some(text + &added)
}
