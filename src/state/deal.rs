//! Dealing a template's roles to participants.

use std::collections::BTreeMap;

use crate::template::{Deal, Template};
use crate::transcript::Alias;

/// Role to its holders.
pub(crate) type Seats = BTreeMap<String, Vec<Alias>>;

/// A deal of roles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dealt {
    /// Who holds which role.
    pub roles: Seats,
    /// Roles that are to be dealt and for which nobody was left.
    pub empty: Vec<String>,
}

/// Deals roles in the template's order: first what is given, then participants in their order, then `else`.
pub fn deal(template: &Template, participants: &[Alias], given: &Seats) -> Dealt {
    let mut roles = Seats::new();
    let mut left: Vec<&Alias> = participants
        .iter()
        .filter(|alias| !given.values().flatten().any(|taken| taken == *alias))
        .collect();
    let mut empty = Vec::new();
    for (name, role) in &template.roles {
        let mut holders = given.get(name).cloned().unwrap_or_default();
        let wanted = match role.take {
            Deal::Take(count) => (count as usize).saturating_sub(holders.len()),
            Deal::Rest => left.len(),
        };
        holders.extend(left.drain(..wanted.min(left.len())).cloned());
        if holders.is_empty() && role.take != Deal::Rest {
            match role.otherwise.as_deref().map(Alias::parse) {
                Some(Ok(other)) => holders.push(other),
                // Taken by nobody unless somebody is named for it.
                _ if role.take == Deal::Take(0) => {}
                _ => empty.push(name.clone()),
            }
        }
        roles.insert(name.clone(), holders);
    }
    Dealt { roles, empty }
}
