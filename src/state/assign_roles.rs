//! Assigns the roles of a template to participants.

use std::collections::BTreeMap;

use crate::template::{Deal, Template};
use crate::transcript::Alias;

/// Maps each role to its holders.
pub(crate) type Seats = BTreeMap<String, Vec<Alias>>;

/// The roles after assignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dealt {
    /// The holders of each role.
    pub roles: Seats,
    /// Roles that need a holder and for which no participant was left.
    pub empty: Vec<String>,
}

/// Assigns roles in the template's order. Each role takes its holders first from `given`, then from the remaining
/// participants in order, then from `else`.
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
                // A role with `take: 0` has a holder only if one is named.
                _ if role.take == Deal::Take(0) => {}
                _ => empty.push(name.clone()),
            }
        }
        roles.insert(name.clone(), holders);
    }
    Dealt { roles, empty }
}
