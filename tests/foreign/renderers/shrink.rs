//! Minimizes findings, so that a person can see the cause.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, Mutex};
use std::thread;

use regex::Regex;

use super::engines::{Engine, Renderer};
use super::{Case, Finding, discussion, look};

/// A finding that represents all similar ones.
struct Small {
    body: String,
    what: String,
    stored: String,
    renderers: BTreeSet<&'static str>,
    times: usize,
}

/// The number of findings of one renderer that are minimized.
const SAMPLE: usize = 100;

/// Minimizes up to `most` findings of each renderer, the most frequent ones first.
pub(super) fn report(
    renderers: &[Renderer],
    findings: &[Finding],
    cases: &[Case],
    most: usize,
) -> String {
    let jobs = Mutex::new(renderers.iter());
    let small = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some(renderer) = { jobs.lock().unwrap().next() } {
            let own: Vec<_> = findings.iter().filter(|it| it.renderer == *renderer).collect();
            let mut engine = renderer.start();
            for finding in own.iter().step_by(own.len().div_ceil(SAMPLE).max(1)) {
                let shrunk = shrink_finding(&mut engine, finding, &cases[finding.case]);
                let (key, shrunk) = (likeness(&shrunk), shrunk);
                let mut small = small.lock().unwrap();
                let known: &mut Small = small.entry(key).or_insert(shrunk);
                known.renderers.insert(renderer.name);
                known.times += 1;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work).unwrap();
        }
    });
    let mut small: Vec<Small> = small.into_inner().unwrap().into_values().collect();
    small.sort_by_key(|it| std::cmp::Reverse((it.renderers.len(), it.times)));
    let shown = small.into_iter().take(most).map(|it| {
        let Small { body, what, stored, renderers, times } = it;
        format!(
            "== {what}\n-- {times} times, by {renderers:?}\n-- body: {body:?}\n-- stored: {stored:?}\n"
        )
    });
    shown.collect()
}

fn shrink_finding(engine: &mut Engine, finding: &Finding, case: &Case) -> Small {
    let (body, what, stored) = match &case.body {
        Some(body) => shrink(engine, body, kind(&finding.what)),
        None => (case.name.clone(), finding.what.clone(), case.counted.stored.clone()),
    };
    Small { body, what, stored: own(&stored).to_owned(), renderers: BTreeSet::new(), times: 0 }
}

/// Returns the text of the body's author from the whole file.
fn own(stored: &str) -> &str {
    let from = stored.rfind("<!-- REPLY turn: 1 -->\n\n");
    let own = from.map_or(stored, |at| &stored[at + 24..]);
    own.split("\n\nVOTE: REJECT\n\n---\n").next().unwrap_or(own)
}

/// Returns the body with its words replaced: bodies that differ only in words are one finding.
fn likeness(small: &Small) -> String {
    static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\p{L}+").unwrap());
    let body = small.body.to_lowercase();
    let body = WORD.replace_all(&body, |found: &regex::Captures<'_>| match &found[0] {
        known @ ("vote" | "name" | "toc") => known.to_owned(),
        _ => "a".to_owned(),
    });
    format!("{} {body}", kind(&small.what))
}

fn kind(what: &str) -> &str {
    what.split(':').next().unwrap_or(what)
}

/// Removes characters, many at first, as long as the page differs in the same way.
fn shrink(engine: &mut Engine, body: &str, wanted: &str) -> (String, String, String) {
    let mut judge = |body: &str| {
        let counted = discussion(body);
        let what = look(engine, &counted).err()?;
        (kind(&what) == wanted).then_some((what, counted.stored))
    };
    let mut small: Vec<char> = body.chars().collect();
    let Some(mut best) = judge(body) else {
        return (body.to_owned(), "only sometimes".to_owned(), String::new());
    };
    let mut piece = small.len().div_ceil(2);
    while piece > 0 {
        let mut at = 0;
        while at < small.len() {
            let end = (at + piece).min(small.len());
            let less: String = small[..at].iter().chain(&small[end..]).collect();
            match judge(&less) {
                Some(worse) => {
                    small.drain(at..end);
                    best = worse;
                }
                None => at += piece,
            }
        }
        piece = if piece == 1 { 0 } else { piece.div_ceil(2) };
    }
    (small.into_iter().collect(), best.0, best.1)
}
