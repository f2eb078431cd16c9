//! No text of [`attacks`](crate::attacks) forges or hides anything.

use std::collections::HashSet;

use crate::attacks::attacks;
use crate::attacks::normal::Normal;

/// The number of attacks that exist; none may be removed.
const LEAST: usize = 968;

#[test]
fn no_attack_forges_or_hides_text() {
    let normal = Normal::new();
    let wanted = std::env::var("ATTACK").ok();
    let mut broken = Vec::new();
    for attack in attacks() {
        if wanted.as_ref().is_some_and(|wanted| !attack.name.contains(wanted.as_str())) {
            continue;
        }
        if let Err(reason) = attack.run(&normal) {
            let header = &attack.header;
            broken
                .push(format!("{} ({}; {}): {reason}", attack.name, header.mechanism, header.aim));
        }
    }
    assert!(broken.is_empty(), "{} attacks:\n\n{}", broken.len(), broken.join("\n\n"));
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
