//! Checks of a template that its types cannot express, for example that expressions compile and use only known names.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::parameter::ParameterKind;
use super::phase::{Demand, Discuss, Int, LAST_TEXT, Phase, PhaseOptions, Speakers, SpeakersWord};
use super::schema::{Role, Template, VendorRule};
use crate::similarity::suggest;
use crate::template::expr::{Compiled, ENGINE_NAMES, sentence};
use crate::template::phase::Condition;
use crate::transcript::{Alias, Choice, Marker, Writers};

/// A mistake in a template, with words to find its line.
#[derive(Debug)]
pub(super) struct TemplateFault {
    pub(super) message: String,
    pub(super) near: Vec<String>,
    /// True if the mistake is in the text below the front matter.
    pub(super) in_body: bool,
}

type TemplateCheck = Result<(), TemplateFault>;

fn wrong(near: &[&str], message: impl Into<String>) -> TemplateFault {
    TemplateFault {
        message: message.into(),
        near: near.iter().map(|&word| word.to_owned()).collect(),
        in_body: false,
    }
}

/// Checks a template and stores in each expression its place for messages; `stem` is the file name without `.md`.
pub(super) fn check(template: &mut Template, stem: &str) -> TemplateCheck {
    if template.id != stem {
        return Err(wrong(
            &["id:"],
            format!(
                "the id is `{}`, but the file is called `{stem}.md`; they must match",
                template.id
            ),
        ));
    }
    let types = [identity, parameters, roles, markers, phases];
    types.into_iter().try_for_each(|check| check(template))?;
    check_expressions(template)?;
    bounds(template)?;
    reachable(template)?;
    // A phase that opens a sub-discussion or runs a command asks no participant.
    let elsewhere = |phase: &&mut Phase| phase.discuss.is_some() || phase.run.is_some();
    for phase in template.phases.iter_mut().filter(elsewhere) {
        phase.speakers = Speakers::Word(SpeakersWord::None);
    }
    Ok(())
}

fn identity(template: &Template) -> TemplateCheck {
    if !plain(&template.id) {
        return Err(wrong(
            &["id:"],
            format!("`{}` is not a valid id: use only letters, digits, `-` and `_`", template.id),
        ));
    }
    if template.phases.is_empty() {
        return Err(wrong(&["phases"], "a template needs at least one phase"));
    }
    let mut seen = HashSet::new();
    for phase in &template.phases {
        if !plain(&phase.id) || phase.id == "end" {
            return Err(wrong(
                &["phases", &phase.id],
                format!(
                    "`{}` is not a valid phase id: use only letters, digits, `-` and `_`; `end` is reserved for the \
                     end",
                    phase.id
                ),
            ));
        }
        if !seen.insert(&phase.id) {
            return Err(wrong(
                &["phases", &phase.id, &phase.id],
                format!("two phases are called `{}`", phase.id),
            ));
        }
    }
    Ok(())
}

fn parameters(template: &Template) -> TemplateCheck {
    for (name, parameter) in &template.parameters {
        if let Some(default) = &parameter.default {
            parameter.check(name, default.clone()).map_err(|error| {
                wrong(&["parameters", name], format!("the default is not valid: {error}"))
            })?;
        }
        if let Some(other) = parameter.at_most.as_ref()
            && !template.parameters.contains_key(other)
        {
            let known = template.parameters.keys().map(String::as_str);
            return Err(wrong(&["parameters", name, other], unknown("parameter", other, known)));
        }
    }
    Ok(())
}

fn roles(template: &Template) -> TemplateCheck {
    let alias = |near: &[&str], text: &str| match Alias::parse(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(wrong(near, format!("`{text}` is not a valid alias: {error}"))),
    };
    for (name, role) in &template.roles {
        if let Some(other) = &role.otherwise {
            alias(&["roles", name, other], other)?;
        }
        for other in &role.also {
            let goes_by =
                |(own, role): &(&String, &Role)| *own == other || role.also.contains(other);
            if template.roles.iter().filter(goes_by).count() > 1 {
                return Err(wrong(
                    &["roles", name, other],
                    format!("two roles are called `{other}`"),
                ));
            }
        }
    }
    if template.vendors == VendorRule::Apart && template.roles.is_empty() {
        let message = "`vendors: apart` needs a role: the holder of the first one is the author";
        return Err(wrong(&["vendors"], message));
    }
    let cast = &template.participants;
    for name in cast.default.iter().chain(cast.casts.values().flatten()).chain(cast.drop.keys()) {
        alias(&["participants", name], name)?;
    }
    if cast.min.zip(cast.max).is_some_and(|(min, max)| min > max) {
        return Err(wrong(&["participants", "min"], "`min` is larger than `max`"));
    }
    Ok(())
}

fn markers(template: &Template) -> TemplateCheck {
    for word in &template.markers {
        let is_plain = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b"_-".contains(&b);
        let is_open = word.starts_with('-') || word.ends_with(['_', '-']);
        if !word.bytes().all(is_plain) || word.is_empty() || word.len() > 32 || is_open {
            return Err(wrong(
                &["markers", word],
                format!(
                    "`{word}` is not a valid marker: use only capitals A-Z, digits, `_` and `-`"
                ),
            ));
        }
    }
    for phase in &template.phases {
        let wanted =
            phase.asks.keys().chain(&phase.counts).filter_map(|word| Marker::built_in(word));
        for marker in wanted.filter(Marker::may_name_decision) {
            let why = match marker.writers() == Writers::People {
                true => "only people write it",
                false if !phase.text => "it counts only in a phase with `text: true`",
                false => continue,
            };
            let message = format!("a phase cannot ask for `{marker}`: {why}");
            return Err(wrong(&["phases", &phase.id, marker.word()], message));
        }
        for (word, demand) in &phase.asks {
            if let (Demand::With(option), Some(PhaseOptions::List(options))) =
                (demand, &phase.options)
                && !options.contains(option)
            {
                return Err(wrong(
                    &["phases", &phase.id, "asks", word],
                    unknown("option", option.as_str(), options.iter().map(Choice::as_str)),
                ));
            }
            if Marker::built_in(word).is_none() && !template.markers.contains(word) {
                return Err(wrong(
                    &["phases", &phase.id, "asks", word],
                    unknown(
                        "marker",
                        word,
                        Marker::words()
                            .map(|word| word as &str)
                            .chain(template.markers.iter().map(String::as_str)),
                    ),
                ));
            }
        }
    }
    Ok(())
}

fn phases(template: &Template) -> TemplateCheck {
    for phase in &template.phases {
        let wrong = |word: &str, message: String| Err(wrong(&["phases", &phase.id, word], message));
        for id in phase.next.iter().filter(|id| *id != "end") {
            if template.phase(id).is_none() {
                let ids = template.phases.iter().map(|phase| phase.id.as_str()).chain(["end"]);
                return wrong(id, unknown("phase", id, ids));
            }
        }
        texts(template, phase)?;
        let listed = match &phase.speakers {
            Speakers::List(names) => names.as_slice(),
            Speakers::All | Speakers::Word(_) => &[],
        };
        for name in listed.iter().chain(&phase.except) {
            if !template.roles.contains_key(name) && Alias::parse(name).is_err() {
                let roles = template.roles.keys().map(String::as_str);
                return wrong(name, unknown("role", name, roles));
            }
        }
        if let Some(discuss) = &phase.discuss {
            discussed(template, phase, discuss)?;
        } else if let Some(tool) = &phase.run {
            ensure_alone(phase, "run")?;
            if let Some(fault) = tool.fault() {
                return wrong("run", fault.to_owned());
            }
        } else if phase.report.is_some() != phase.asks_nobody() {
            return wrong(
                "report",
                "`report` and `speakers: none` must be used together: the phase then asks no participant and writes the \
                 text of `report`"
                    .to_owned(),
            );
        }
        if let Some(temperature) = phase.temperature.filter(|t| !(0.0..=2.0).contains(t)) {
            let message = format!("`temperature` must be between 0 and 2, not {temperature}");
            return wrong("temperature", message);
        }
        let Some(PhaseOptions::List(options)) = &phase.options else { continue };
        if let Some(vote) = phase.no_vote_is.as_ref().filter(|vote| !options.contains(vote)) {
            let message = format!("`no_vote_is` is `{vote}`, which is not one of the options");
            return wrong("no_vote_is", message);
        }
        let twice = options.iter().enumerate().any(|(i, option)| options[..i].contains(option));
        if options.is_empty() || twice {
            let message = "`options` needs at least one option, and each only once".to_owned();
            return wrong("options", message);
        }
    }
    Ok(())
}

/// Checks the keys of a phase with texts for a reader as answers.
fn texts(template: &Template, phase: &Phase) -> TemplateCheck {
    let shows = phase.shows.as_deref().unwrap_or_default();
    if phase.shows.is_some() && !phase.text && !phase.voting_mode {
        let message = "`shows` needs `text: true` or `voting_mode: true` in the same phase";
        return Err(wrong_in(phase, "shows", message.to_owned()));
    }
    let keys = [
        ("counts", !phase.counts.is_empty()),
        ("persona", phase.persona),
        ("findings", phase.findings),
    ];
    if !phase.text
        && let Some((key, _)) = keys.into_iter().find(|(_, is_set)| *is_set)
    {
        return Err(wrong_in(phase, key, format!("`{key}` needs `text: true` in the same phase")));
    }
    for id in shows.iter().filter(|id| *id != LAST_TEXT) {
        if template.phase(id).is_none() {
            let ids = template.phases.iter().map(|phase| phase.id.as_str()).chain([LAST_TEXT]);
            return Err(wrong_in(phase, id, unknown("phase", id, ids)));
        }
    }
    for word in &phase.counts {
        if Marker::built_in(word).is_none() && !template.markers.contains(word) {
            let own = template.markers.iter().map(String::as_str);
            return Err(wrong_in(
                phase,
                word,
                unknown("marker", word, Marker::words().map(|word| word as &str).chain(own)),
            ));
        }
    }
    Ok(())
}

/// Returns the mistake in a phase, at a word in it.
fn wrong_in(phase: &Phase, word: &str, message: String) -> TemplateFault {
    wrong(&["phases", &phase.id, word], message)
}

/// Checks that a phase with a task of its own asks no participant and has only that one task.
fn ensure_alone(phase: &Phase, key: &str) -> TemplateCheck {
    let others = [phase.report.is_some(), phase.discuss.is_some(), phase.run.is_some()];
    let several = others.into_iter().filter(|other| *other).count() > 1;
    if several || !matches!(phase.speakers, Speakers::All) && !phase.asks_nobody() {
        let message = "a phase that opens a discussion or runs a command asks no participant; remove its `speakers` \
                       and `report`";
        return Err(wrong(&["phases", &phase.id, key], message.to_owned()));
    }
    Ok(())
}

/// Checks a phase that opens a sub-discussion: it must ask no participant, and it needs a topic.
fn discussed(template: &Template, phase: &Phase, discuss: &Discuss) -> TemplateCheck {
    let wrong = |word: &str, message: String| Err(wrong(&["phases", &phase.id, word], message));
    ensure_alone(phase, "discuss")?;
    if !plain(&discuss.pattern) {
        let message = format!("`{}` is not the id of a template", discuss.pattern);
        return wrong("pattern", message);
    }
    if discuss.topic.source().trim().is_empty() {
        return wrong("topic", "`topic` is empty; write the question to discuss".to_owned());
    }
    for name in &discuss.participants {
        if !template.roles.contains_key(name) && Alias::parse(name).is_err() {
            let roles = template.roles.keys().map(String::as_str);
            return wrong(name, unknown("role", name, roles));
        }
    }
    for (name, value) in &discuss.set {
        if value.is_object() || value.is_null() {
            let message = format!("`{name}` must be a text, a number or a list");
            return wrong(name, message);
        }
    }
    Ok(())
}

/// Returns true if a text is a valid id.
fn plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Checks that every phase ends, whatever `when` says: rounds and visits must be numbers or depend only on bounded
/// parameters.
fn bounds(template: &Template) -> TemplateCheck {
    static PARAMETER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\bparams\.([A-Za-z_][A-Za-z0-9_]*)")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    for phase in &template.phases {
        for (key, int) in [("rounds", &phase.rounds), ("visits", &phase.visits)] {
            let Int::Expr(expr) = int else { continue };
            let near = ["phases", &phase.id, key];
            let text = expr.source();
            let bounded = expr.names().iter().all(|name| name == "params")
                && PARAMETER.captures_iter(text).all(|found| {
                    template
                        .parameters
                        .get(&found[1])
                        .is_some_and(|p| p.kind == ParameterKind::Integer && p.max.is_some())
                });
            if !bounded {
                return Err(wrong(
                    &near,
                    format!(
                        "`{key}: {text}` has no upper limit: use a number, or integer parameters that have a `max`"
                    ),
                ));
            }
        }
    }
    Ok(())
}

fn reachable(template: &Template) -> TemplateCheck {
    let mut visited = BTreeSet::new();
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        let Some(phase) = template.phases.get(index) else { continue };
        if !visited.insert(index) {
            continue;
        }
        open.extend(phase.next.iter().filter_map(|id| template.phase(id).map(|(index, _)| index)));
        if !phase.next.iter().any(|id| id == "end") {
            open.push(index + 1);
        }
    }
    match template.phases.iter().enumerate().find(|(index, _)| !visited.contains(index)) {
        Some((_, phase)) => Err(wrong(
            &["phases", &phase.id],
            format!("the phase `{}` can never be reached: every path ends before it", phase.id),
        )),
        None => Ok(()),
    }
}

fn unknown<'a>(what: &str, word: &'a str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    match suggest(word, known.iter().copied()).first() {
        Some(near) => format!("unknown {what} `{word}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{word}`; known: {}", known.join(", ")),
    }
}

/// The maximum number of characters of an expression that an error message repeats.
const SHOWN: usize = 120;

fn check_expressions(template: &mut Template) -> TemplateCheck {
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
