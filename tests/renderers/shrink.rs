//! Findings made small, so that a person sees what is behind them.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::engines::{Engine, Renderer};
use super::{Case, Finding, discussion, look};

/// The shortest findings of one renderer, no two from the same few characters.
pub(super) fn smallest<'f>(
    renderer: Renderer,
    findings: impl Iterator<Item = &'f Finding>,
    cases: &[Case],
    most: usize,
) -> String {
    let mut findings: Vec<_> = findings.collect();
    let length = |finding: &Finding| {
        let case = &cases[finding.case];
        case.body.as_ref().map_or(case.counted.stored.len(), String::len)
    };
    findings.sort_by_key(|finding| length(finding));
    let mut shown = String::new();
    let mut known = BTreeSet::new();
    let mut engine = renderer.start();
    for finding in findings.into_iter().take(most * 20) {
        if known.len() == most {
            break;
        }
        let case = &cases[finding.case];
        let (body, what, stored) = match &case.body {
            Some(body) => shrink(&mut engine, body, kind(&finding.what)),
            None => (case.name.clone(), finding.what.clone(), case.counted.stored.clone()),
        };
        if known.insert(format!("{} {}", kind(&what), likeness(&body))) {
            let name = renderer.name;
            let _ = write!(
                shown,
                "\n== {name}, {}: {what}\n-- body: {body:?}\n-- stored:\n{}\n",
                case.name,
                own(&stored)
            );
        }
    }
    shown
}

/// What the body's author wrote, of the whole file.
fn own(stored: &str) -> &str {
    let from = stored.find("<!-- REPLY turn: 1 -->\n");
    let own = from.map_or(stored, |at| &stored[at + 23..]);
    own.split("\nName: Bea\n").next().unwrap_or(own)
}

/// Bodies that differ in their words only are the same finding.
fn likeness(body: &str) -> String {
    let words = regex::Regex::new("q[a-z]{2}z").unwrap();
    words.replace_all(body, "w").into_owned()
}

fn kind(what: &str) -> &str {
    what.split(':').next().unwrap_or(what)
}

/// Leaves out characters, many at first, as long as the page differs in the same way.
fn shrink(engine: &mut Engine, body: &str, wanted: &str) -> (String, String, String) {
    let mut judge = |body: &str| {
        let counted = discussion(body);
        let what = look(engine, &counted).err()?;
        (kind(&what) == wanted).then_some((what, counted.stored))
    };
    let mut small = body.to_owned();
    let Some(mut best) = judge(&small) else {
        return (small, "only sometimes".to_owned(), String::new());
    };
    let mut piece = small.chars().count().div_ceil(2);
    while piece > 0 {
        let mut at = 0;
        while at < small.chars().count() {
            let less: String = small
                .chars()
                .enumerate()
                .filter(|(index, _)| !(at..at + piece).contains(index))
                .map(|(_, c)| c)
                .collect();
            match judge(&less) {
                Some(worse) => (small, best) = (less, worse),
                None => at += piece,
            }
        }
        piece = if piece == 1 { 0 } else { piece.div_ceil(2) };
    }
    (small, best.0, best.1)
}
