//! Law 6: a rendered discussion shows exactly the text that the program counts.
//!
//! Every attack of `tests/cases/attacks/` and thousands of bodies with all kinds of markup are stored by the program's own
//! functions. Common renderers turn the files into pages. A browser's reading of these pages must show exactly the
//! heads, votes and words that the program counts.

mod attacked_pages;
mod engines;
mod hostile_bodies;
mod judge;
mod page;
mod shrink;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use discussions::transcript::{
    Choice, Draft, EntryKind, Name, NewComment, ReplyLine, append, canon, parse,
};

use self::engines::{Engine, Renderer, renderers};
use self::judge::Counted;

/// A rendered file and its origin.
struct Case {
    name: String,
    /// The generated body, if there is one.
    body: Option<String>,
    counted: Counted,
}

/// A difference between a rendered page and the counted text.
struct Finding {
    case: usize,
    renderer: Renderer,
    what: String,
}

/// A discussion with this body, between comments of others.
fn discussion(body: &str) -> Counted {
    const HEAD: &str = "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect, security]\n-->\n\n# A title\n\n## Context\n\nSome context.\n";
    let name = |name: &str| Name::parse(name).unwrap();
    let vote = |vote: &str| Choice::parse(vote).ok();
    let drafts = [
        NewComment { vote: vote("CHANGES"), ..NewComment::by(name("Ann"), "Before it.") },
        NewComment {
            vote: vote("REJECT"),
            reply: Some(Box::new(ReplyLine { turn: Some(1), ..ReplyLine::default() })),
            ..NewComment::by(name("AI-Security"), body)
        },
        NewComment {
            vote: vote("READY"),
            ..NewComment::by(name("Bea"), "Then [a] and [x] and[^1] more, said by Ann.")
        },
    ]
    .map(Draft::Comment);
    let stored = HEAD.to_owned() + &append(HEAD, &drafts);
    Counted::of(stored, Vec::new())
}

fn generated_bodies(count: usize) -> Vec<Case> {
    let bodies = hostile_bodies::bodies(setting("RENDERERS_SEED", 2026) as u64, count).enumerate();
    bodies
        .map(|(index, body)| Case {
            name: format!("body {index}"),
            counted: discussion(&body),
            body: Some(body),
        })
        .collect()
}

/// Harmless texts.
fn harmless_texts() -> impl Iterator<Item = Case> {
    let pages = [
        ("README.md", include_str!("../../../README.md")),
        ("docs/format.md", include_str!("../../../docs/format.md")),
        ("docs/patterns.md", include_str!("../../../docs/patterns.md")),
        ("docs/proofs.md", include_str!("../../../docs/proofs.md")),
        ("ARCHITECTURE.md", include_str!("../../../ARCHITECTURE.md")),
        ("CONTRIBUTING.md", include_str!("../../../CONTRIBUTING.md")),
    ];
    let pages = pages.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned()));
    pages.map(|(name, body)| Case { name, counted: discussion(&body), body: Some(body) })
}

/// The files of a folder that the user wants to render.
fn files_in_folder(folder: &std::ffi::OsStr) -> Vec<Case> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let body = std::fs::read_to_string(&path).unwrap();
            Case { name: path.display().to_string(), counted: discussion(&body), body: Some(body) }
        })
        .collect()
}

fn attacks() -> Vec<Case> {
    let pages = attacked_pages::pages().into_iter();
    pages
        .map(|(name, stored, markup)| Case {
            name,
            body: None,
            counted: Counted::of(stored, markup),
        })
        .collect()
}

/// Words of generated bodies that are not stored at all.
fn lost(cases: &[Case]) -> Vec<String> {
    let word = regex::Regex::new("q[a-z]{2}z").unwrap();
    let generated = cases.iter().filter_map(|case| Some((case, case.body.as_ref()?)));
    let words = generated.flat_map(|(case, body)| word.find_iter(body).map(move |it| (case, it)));
    words
        .filter(|(case, word)| !case.counted.stored.contains(word.as_str()))
        .map(|(case, word)| format!("{}: {}", case.name, word.as_str()))
        .collect()
}

fn look(engine: &mut Engine, counted: &Counted) -> Result<(), String> {
    let html = engine.render(&counted.stored).map_err(|error| format!("no page: {error}"))?;
    counted.compare(&html)
}

/// Renders every case with every renderer, a few cases at a time.
fn compare(cases: &[Case], renderers: &[Renderer]) -> Vec<Finding> {
    /// The number of cases that one engine takes at a time.
    const BATCH: usize = 500;
    let jobs: Vec<(Renderer, usize)> = renderers
        .iter()
        .flat_map(|renderer| (0..cases.len()).step_by(BATCH).map(|from| (*renderer, from)))
        .collect();
    let (next, findings) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((renderer, from)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut engine = renderer.start();
            for (case, it) in cases.iter().enumerate().skip(*from).take(BATCH) {
                if let Err(what) = look(&mut engine, &it.counted) {
                    findings.lock().unwrap().push(Finding { case, renderer: *renderer, what });
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            let deep = thread::Builder::new().stack_size(256 << 20);
            deep.spawn_scoped(scope, work).unwrap();
        }
    });
    let mut findings = findings.into_inner().unwrap();
    findings.sort_by_key(|finding| (finding.renderer, finding.case));
    findings
}

fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Panics with minimized findings.
fn prove(cases: &[Case], found: &[Renderer], missing: &[&str]) {
    let began = Instant::now();
    let findings = compare(cases, found);
    let most = setting("RENDERERS_SHOW", 20);
    let mut counts: BTreeMap<&str, usize> = found.iter().map(|it| (it.name, 0)).collect();
    for finding in &findings {
        *counts.entry(finding.renderer.name).or_default() += 1;
    }
    assert_eq!(lost(cases), Vec::<String>::new(), "words are lost before they are written");
    println!("{} files, findings of each renderer: {counts:?}; {:?}", cases.len(), began.elapsed());
    for name in missing {
        println!("skipped: {name} shows it (not installed)");
    }
    if findings.is_empty() {
        return;
    }
    let shown = shrink::report(found, &findings, cases, most);
    panic!("{} findings, some of them made small:\n{shown}", findings.len());
}

#[test]
#[ignore = "needs renderers, which .ci/install installs: .ci/foreign renderers"]
fn renderers_show_exactly_the_counted_text() {
    let cases = match std::env::var_os("RENDERERS_BODIES") {
        Some(folder) => files_in_folder(&folder),
        None => {
            let mut cases = attacks();
            cases.extend(harmless_texts());
            cases.extend(generated_bodies(setting("RENDERERS_CASES", 10_000)));
            cases
        }
    };
    let (found, missing) = renderers();
    prove(&cases, &found, &missing);
}

/// The short form, with the one renderer that needs no installation.
#[test]
fn comrak_shows_exactly_the_counted_text() {
    let mut cases = attacks();
    cases.extend(harmless_texts());
    cases.extend(generated_bodies(300));
    let (found, _) = renderers();
    let comrak = found.into_iter().filter(|it| it.name == "comrak");
    let comrak: Vec<Renderer> = comrak.collect();
    prove(&cases, &comrak, &[]);
}

#[test]
fn canonical_form_is_stable() {
    for body in hostile_bodies::bodies(9, 2_000) {
        let once = canon(&body);
        assert_eq!(canon(&once), once, "{body:?}");
    }
}

/// Escapes are for hostile texts: ordinary texts of people and models are stored unchanged.
#[test]
fn harmless_texts_are_stored_unchanged() {
    let examples = std::fs::read_dir(crate::root().join("examples"));
    let mut texts: Vec<String> = harmless_texts().filter_map(|case| case.body).collect();
    for entry in examples.unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "md") {
            let file = std::fs::read_to_string(path).unwrap();
            let transcript = parse(&file);
            let comments = transcript.entries.iter().filter_map(|entry| match &entry.kind {
                EntryKind::Comment(comment) => Some(comment.body()),
                _ => None,
            });
            texts.extend(comments);
        }
    }
    let changed: Vec<String> = texts.iter().flat_map(|text| changed_lines(text)).collect();
    assert_eq!(changed, Vec::<String>::new(), "of {} texts", texts.len());
}

/// Lines whose stored form differs from the written one.
fn changed_lines(text: &str) -> Vec<String> {
    let text = text.trim_matches('\n');
    let stored = canon(text);
    let written: BTreeSet<&str> = text.lines().collect();
    stored.lines().filter(|line| !written.contains(line)).map(str::to_owned).collect()
}
