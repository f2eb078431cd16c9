//! Checks that the rules of a new discussion fit its participants.

use super::create::CreateError;
use super::error::WorkspaceError;
use super::participants::SeatError;
use crate::state::Seats;
use crate::template::{DecidedBy, Method, Speakers, Template};
use crate::transcript::Alias;

/// Rejects a method that no participant can carry out (INV-DISC-003).
pub(super) fn somebody_decides(
    template: &Template,
    method: Option<Method>,
    roles: &Seats,
) -> Result<(), WorkspaceError> {
    let held = |name: &String| {
        if template.roles.contains_key(name) {
            roles.get(name).is_some_and(|holders| !holders.is_empty())
        } else {
            true
        }
    };
    let speaks = |speakers: &Speakers| match speakers {
        Speakers::List(names) => names.iter().any(held),
        Speakers::All | Speakers::Word(_) => false,
    };
    let somebody = template.phases.iter().any(|phase| phase.decides() && speaks(&phase.speakers));
    let needed = method.unwrap_or_default().decided_by() == DecidedBy::StatedDecision;
    if needed && !somebody {
        return Err(CreateError::NobodyDecides { template: template.id.clone() }.into());
    }
    Ok(())
}

/// Rejects a minimum of answers that exceeds the number of participants.
pub(super) fn enough_seats(
    template: &Template,
    least: Option<u32>,
    participants: &[Alias],
) -> Result<(), WorkspaceError> {
    match least {
        Some(least) if least as usize > participants.len() || least == 0 => Err(SeatError::Least {
            template: template.id.clone(),
            least,
            count: participants.len(),
        }
        .into()),
        _ => Ok(()),
    }
}
