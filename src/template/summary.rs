//! `summary: true` of a phase: one more phase after it, in which the moderator sums up what was said.

use serde_json::json;

use super::phase::{Phase, Speakers};
use super::schema::{Deal, Role, Template};

/// The role that writes summaries, and the persona that holds it if no participant does.
const MODERATOR: &str = "moderator";

const INSTRUCTIONS: &str = "\
    Sum up the comments of the phase before: the points on which all agree, the differences with the holder of each view, \
    and the open points. Add no view of your own, give no judgement, and do not vote.";

/// Adds a phase after each one with `summary: true`. It takes over the phases that come next.
pub(super) fn add_summaries(template: &mut Template) {
    if template.phases.iter().all(|phase| !phase.summary) {
        return;
    }
    let is_known = template.role(MODERATOR).is_some();
    if !is_known {
        let role =
            Role { take: Deal::Take(0), otherwise: Some(MODERATOR.to_owned()), also: Vec::new() };
        template.roles.insert(MODERATOR.to_owned(), role);
    }
    let phases = std::mem::take(&mut template.phases);
    for mut phase in phases {
        let summary = if phase.summary { summary_of(&mut phase) } else { None };
        template.phases.push(phase);
        template.phases.extend(summary);
    }
}

fn summary_of(phase: &mut Phase) -> Option<Phase> {
    let plain = json!({
        "id": format!("{}_summary", phase.id),
        "title": format!("Summary: {}", phase.title()),
        "instructions": INSTRUCTIONS,
        "words": 60,
    });
    let mut summary: Phase = serde_json::from_value(plain).ok()?;
    summary.speakers = Speakers::List(vec![MODERATOR.to_owned()]);
    summary.visits = phase.visits.clone();
    summary.when = phase.when.clone();
    summary.next = std::mem::take(&mut phase.next);
    summary.is_summary = true;
    Some(summary)
}
