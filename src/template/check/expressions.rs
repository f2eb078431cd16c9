//! Checks that expressions compile and use only known names, and stores in each one its place in the template.

use super::{TemplateCheck, TemplateFault, unknown, wrong};
use crate::template::expr::{Compiled, ENGINE_NAMES, sentence};
use crate::template::phase::{Condition, Int, Phase, PhaseOptions};
use crate::template::schema::Template;

/// The maximum number of characters of an expression that an error message repeats.
const SHOWN: usize = 120;

pub(super) fn check(template: &mut Template) -> TemplateCheck {
    let lets: Vec<String> = template.lets.keys().cloned().collect();
    for (name, expr) in &mut template.lets {
        judge(&["let", name], &format!("let.{name}"), &mut expr.0, &lets)?;
    }
    for (alias, expr) in &mut template.participants.drop {
        judge(&["drop", alias], &format!("participants.drop.{alias}"), &mut expr.0, &lets)?;
    }
    let result = &mut template.result;
    if let Some(expr) = &mut result.synthesis {
        judge(&["result", "synthesis"], "result.synthesis", &mut expr.0, &lets)?;
    }
    if let Some(expr) = &mut result.dissent {
        judge(&["result", "dissent"], "result.dissent", &mut expr.0, &lets)?;
    }
    for (name, expr) in &mut result.values {
        let near = ["result", "values", name];
        judge(&near, &format!("result.values.{name}"), &mut expr.0, &lets)?;
    }
    for verdict in &mut result.verdict {
        if let Some(expr) = &mut verdict.when {
            let place = format!("verdict `{}`", verdict.is);
            judge(&["verdict", &verdict.is], &place, &mut expr.0, &lets)?;
        }
    }
    for phase in &mut template.phases {
        let id = phase.id.clone();
        for (key, text) in of_phase(phase) {
            judge(&["phases", &id, key], &format!("phase `{id}`, {key}"), text, &lets)?;
        }
    }
    let in_body = |wrong| TemplateFault { in_body: true, ..wrong };
    let names: Vec<String> = lets.iter().cloned().chain(["material"].map(str::to_owned)).collect();
    judge(&[], "body", &mut template.body.0, &names).map_err(in_body)
}

/// Returns the expressions of a phase, each with the key that it belongs to.
fn of_phase(phase: &mut Phase) -> Vec<(&'static str, &mut Compiled)> {
    let mut all: Vec<(&'static str, &mut Compiled)> = Vec::new();
    for (key, int) in [("rounds", &mut phase.rounds), ("visits", &mut phase.visits)] {
        if let Int::Expr(expr) = int {
            all.push((key, &mut expr.0));
        }
    }
    if let Some(Int::Expr(expr)) = &mut phase.words {
        all.push(("words", &mut expr.0));
    }
    for (key, condition) in [("when", &mut phase.when), ("early_exit", &mut phase.early_exit)] {
        if let Condition::Expr(expr) = condition {
            all.push((key, &mut expr.0));
        }
    }
    if let Some(PhaseOptions::Expr(expr)) = &mut phase.options {
        all.push(("options", &mut expr.0));
    }
    all.push(("instructions", &mut phase.instructions.0));
    if let Some(report) = &mut phase.report {
        all.push(("report", &mut report.0));
    }
    if let Some(discuss) = &mut phase.discuss {
        all.push(("topic", &mut discuss.topic.0));
        all.push(("context", &mut discuss.context.0));
    }
    all
}

/// Checks one expression. `near`: words of the file that lead to the expression; `place`: its place, for messages;
/// `more`: names that are known here in addition to the engine's.
fn judge(near: &[&str], place: &str, text: &mut Compiled, more: &[String]) -> TemplateCheck {
    text.set_place(place);
    // The words lead to the key first, then to the line in its text.
    let at = |word: &str, message: String| {
        Err(wrong(&near.iter().copied().chain([word]).collect::<Vec<_>>(), message))
    };
    if let Some(error) = text.error() {
        let source = text.source();
        let line = error.line().and_then(|line| source.lines().nth(line.checked_sub(1)?));
        let line = line.unwrap_or_default().trim();
        let whole = if line.is_empty() { source.trim() } else { line };
        let mut shown: String = whole.chars().take(SHOWN).collect();
        if shown.len() < whole.len() {
            shown.push_str("...");
        }
        return at(line, format!("`{shown}` does not compile: {}", sentence(error)));
    }
    let known = || ENGINE_NAMES.into_iter().chain(more.iter().map(String::as_str));
    match text.names().iter().find(|name| !known().any(|known| known == *name)) {
        Some(name) => at(name, unknown("name", name, known())),
        None => Ok(()),
    }
}
