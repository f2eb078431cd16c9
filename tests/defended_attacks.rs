//! No text of [`attacks`](crate::attacks) forges or hides anything.

use std::collections::HashSet;

use crate::attacks::attacks;
use crate::attacks::normal::Normal;

/// The number of attacks that exist; none may be removed.
const LEAST: usize = 968;

/// Runs each attack that is chosen by its number and name.
fn defends_against(is_chosen: impl Fn(usize, &str) -> bool) {
    let normal = Normal::new();
    let mut broken = Vec::new();
    let mut tried = 0;
    for (number, attack) in attacks().into_iter().enumerate() {
        if !is_chosen(number, &attack.name) {
            continue;
        }
        tried += 1;
        if let Err(reason) = attack.run(&normal) {
            let header = &attack.header;
            broken
                .push(format!("{} ({}; {}): {reason}", attack.name, header.mechanism, header.aim));
        }
    }
    assert!(broken.is_empty(), "{} attacks:\n\n{}", broken.len(), broken.join("\n\n"));
    assert!(tried > 0, "no attack has this name");
}

/// Every thirtieth attack, or those that contain `ATTACK` in their names.
#[test]
fn few_attacks_forge_or_hide_no_text() {
    match std::env::var("ATTACK") {
        Ok(wanted) => defends_against(|_, name| name.contains(&wanted)),
        Err(_) => defends_against(|number, _| number % 30 == 0),
    }
}

#[test]
fn all_attacks_are_loaded_and_have_unique_names() {
    let attacks = attacks();
    let mechanisms: HashSet<_> = attacks.iter().map(|attack| &attack.header.mechanism).collect();
    println!("{} attacks on {} mechanisms", attacks.len(), mechanisms.len());
    assert!(attacks.len() >= LEAST, "{} of at least {LEAST} attacks", attacks.len());
    let names: HashSet<_> = attacks.iter().map(|attack| &attack.name).collect();
    assert_eq!(names.len(), attacks.len(), "two attacks have one name");
    for (index, attack) in attacks.iter().enumerate() {
        let twin = attacks[..index].iter().find(|other| {
            other.text == attack.text
                && other.header.channel == attack.header.channel
                && other.header.template == attack.header.template
                && other.header.field == attack.header.field
        });
        assert!(twin.is_none(), "{} and {}", attack.name, twin.map_or("", |twin| &twin.name));
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: tries about a thousand attacks"]
    fn no_attack_forges_or_hides_text() {
        defends_against(|_, _| true);
    }
}
