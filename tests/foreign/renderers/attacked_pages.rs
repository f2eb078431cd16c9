//! The file after each attack, followed by comments of others.

use discussions::transcript::{Choice, Draft, NewComment, append};

use crate::attacks::normal::{Normal, name};
use crate::attacks::{Attack, Channel, Outcome, appended, attacks, created};

/// Returns name, text and markup words. Attacks that never become text of the program are omitted: refused texts,
/// persona files, and merges, whose hostile side was written by hand.
pub(super) fn pages() -> Vec<(String, String, Vec<String>)> {
    let normal = Normal::new();
    let pages = attacks().into_iter().filter_map(|attack| {
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
        _ => normal.workspace.discussions().draft(&created::new(attack, &attack.text)).ok()?,
    };
    let next = Draft::Comment(NewComment {
        vote: Choice::parse("READY").ok(),
        ..NewComment::by(name("Bea"), "Then [a] and [x] and[^1] more, said by Ann.")
    });
    let added = append(&text, &[next]);
    Some(text + &added)
}
