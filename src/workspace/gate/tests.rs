//! Judges discussions in memory: each commit is an author with a text, and no git is started.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::people::People;
use super::explain::{JudgedCommits, recorded_people};
use super::judge::{Finding, GateMode, JudgeContext, JudgedDiscussion, judge};
use super::version::Version;
use crate::codes::ProblemCode;
use crate::config::PeopleConfig;
use crate::engine::Snapshot;
use crate::participant::Roster;
use crate::problem::Severity;
use crate::state::Defaults;
use crate::store::{Commit, CommitIdentity, CommitWords, VersionReader};
use crate::template::Template;
use crate::transcript::Name;

const HEAD: &str = "<!-- DISCUSSION\ntemplate: dialogue\ncreated: 2026-11-10T08:00:00Z\nparticipants: [architect, security]\n-->\n\n# Caching\n\nHow long?\n\n---\n";
const PATH: &[u8] = b"discussions/caching.md";

fn identity(name: &str) -> CommitIdentity {
    CommitIdentity { name: name.to_owned(), email: format!("{}@x", name.to_lowercase()) }
}

fn comment(name: &str, words: &str) -> String {
    format!("\nName: {name}\n\n{words}\n\n---\n")
}

fn answer(turn: u32, words: &str) -> String {
    format!(
        "\nName: AI-Security\n<!-- REPLY turn: {turn}, at: 2026-11-20T10:0{turn}:00Z, provider: mock -->\n\n{words}\n\n---\n"
    )
}

fn text(parts: &[String]) -> String {
    HEAD.to_owned() + &parts.concat()
}

/// A branch: the base, and the text after each commit with its author and message.
struct Branch<'t> {
    base: &'t str,
    commits: Vec<(&'t str, &'t str, &'t str)>,
    mode: GateMode,
}

impl<'t> Branch<'t> {
    fn of(base: &'t str, commits: &[(&'t str, &'t str, &'t str)]) -> Self {
        Self { base, commits: commits.to_vec(), mode: GateMode::Branch }
    }

    fn judge(&self) -> Vec<Finding> {
        let mut reader = VersionReader::default();
        let mut before = self.base.to_owned();
        let mut words: Vec<CommitWords> = Vec::new();
        for (at, (author, message, text)) in self.commits.iter().enumerate() {
            let commit = Commit {
                id: format!("{at:040}"),
                author: identity(author),
                committer: identity(author),
                message: (*message).to_owned(),
                ..Commit::default()
            };
            let pages = [(PATH.to_vec(), Some(before.clone()), Some((*text).to_owned()))];
            words.push(reader.words_of_texts(commit, &pages));
            before = (*text).to_owned();
        }
        let people = People::new(&PeopleConfig::default(), "")
            .with_authors(|| vec![identity("Rob"), identity("Mira"), identity("Eve")]);
        let boundaries = HashSet::new();
        let recorded = recorded_people(words.iter().map(|words| &words.commit));
        let commits = JudgedCommits::new(&words, &recorded, &boundaries);
        let template = Arc::new(
            Template::read(include_str!("../../../templates/dialogue.md"), "dialogue", "dialogue")
                .unwrap(),
        );
        let roster = Arc::new(Roster::bundled());
        let defaults = Defaults::default();
        let evaluate =
            |_: &[u8], text: &str| Snapshot::read(text, &template, &roster, &defaults).ok();
        let is_persona = |name: &Name| roster.by_name(name).is_some();
        let counts = HashMap::new();
        let context = JudgeContext {
            mode: self.mode,
            people: &people,
            commits: &commits,
            evaluate: &evaluate,
            is_persona: &is_persona,
            has_child: &|_, _| false,
            child: &|_, _| None,
            describe: &|commit| format!("the commit by {}", commit.author.name),
            version_after: &|_, _| None,
            older_versions: &|_, _| Vec::new(),
            present: &|_| None,
            base_counts: &counts,
            head_counts: &counts,
            accepted_by_anyone: None,
        };
        let base = Version::new(PATH.to_vec(), self.base.to_owned());
        let head = Version::new(PATH.to_vec(), before);
        let bases = vec![&base];
        let case = JudgedDiscussion { head: &head, bases, known: Vec::new(), only_losses: false };
        let found = judge(&context, &case);
        found.into_iter().filter(|finding| !finding.is_silent).collect()
    }

    /// Returns the gravest findings as `error code`.
    fn found(&self) -> Vec<String> {
        let mut found: Vec<String> =
            self.judge().iter().map(|it| format!("{} {}", it.severity, it.code)).collect();
        found.sort();
        found.dedup();
        found
    }
}

fn base() -> String {
    text(&[comment("Rob", "Fine.\n\nVOTE: READY"), comment("Mira", "Q: How long?")])
}

#[test]
fn own_words_and_what_editors_change_are_quiet() {
    let base = base();
    let more = base.clone() + &comment("Eve", "VOTE: CHANGES");
    assert_eq!(Branch::of(&base, &[("Eve", "", &more)]).found(), [""; 0]);
    let ends = format!("\u{feff}{}", more.replace("Fine.\n", "Fine.  \n\n").replace('\n', "\r\n"));
    assert_eq!(Branch::of(&base, &[("Eve", "", &more), ("Rob", "", &ends)]).found(), [""; 0]);
}

#[test]
fn words_in_another_name_are_errors_if_they_have_an_effect() {
    let base = base();
    for (words, expected) in [
        (comment("Rob", "VOTE: CHANGES"), "error author-differs"),
        (comment("Rob", "DECISION: we ship it"), "error author-differs"),
        (comment("Rob", "A: Q1 one hour."), "error author-differs"),
        (comment("Rob", "I see."), "warning author-differs"),
        (comment("Lea", "VOTE: READY"), "warning author-differs"),
        ("<!-- STATUS: CLOSED, by: Rob -->\n".to_owned(), "error author-differs"),
        ("<!-- STATUS: CLOSED -->\n".to_owned(), "error receipt-missing"),
        ("<!-- VOTE-RESET -->\n".to_owned(), "error votes-reset"),
        (comment("AI-Security", "VOTE: READY"), "error receipt-missing"),
        (comment("AI-Security", "I see."), "warning receipt-missing"),
    ] {
        let forged = base.clone() + &words;
        assert_eq!(Branch::of(&base, &[("Eve", "", &forged)]).found(), [expected], "{words}");
        // A message of any commit vouches for a person, and for nothing else.
        let vouched = Branch::of(
            &base,
            &[("Eve", "", &forged), ("Eve", "x\n\nRecorded-for: Rob, Lea", &forged)],
        );
        let expected =
            if expected.ends_with("author-differs") { "note author-differs" } else { expected };
        assert_eq!(vouched.found(), [expected], "{words}");
    }
}

#[test]
fn answers_with_receipts_and_agents_are_quiet() {
    let base = base();
    let run = "<!-- TURN: 1, asks: [security], at: 2026-11-20T10:00:00Z -->\n\n---\n";
    let answered =
        base.clone() + run + &answer(1, "VOTE: READY") + &comment("agent", "VOTE: READY");
    assert_eq!(Branch::of(&base, &[("Eve", "", &answered)]).found(), [""; 0]);
    // A copied receipt proves nothing.
    let copied = answered.clone() + &answer(1, "VOTE: READY");
    let found = Branch::of(&answered, &[("Eve", "", &copied)]).found();
    assert_eq!(found, ["error receipt-missing"]);
    // A receipt makes no model of a person.
    let forged = base.clone() + run + &answer(1, "VOTE: READY").replace("AI-Security", "Rob");
    let found = Branch::of(&base, &[("Eve", "", &forged)]).found();
    assert!(found.contains(&"error author-differs".to_owned()), "{found:?}");
}

#[test]
fn lost_changed_and_moved_blocks_are_errors() {
    let base = base();
    let all = [
        base.replace("VOTE: READY", "VOTE: REJECT"),
        base.replace(&comment("Rob", "Fine.\n\nVOTE: READY"), ""),
        text(&[comment("Mira", "Q: How long?"), comment("Rob", "Fine.\n\nVOTE: READY")]),
        base.replace("How long?\n\n---\n\nName: Rob", "For ever?\n\n---\n\nName: Rob"),
        base.replace("dialogue", "voting"),
    ];
    for changed in &all {
        let found = Branch::of(&base, &[("Eve", "", changed)]).judge();
        let is_named = |it: &Finding| {
            it.severity == Severity::Error && it.code == ProblemCode::HistoryRewritten
        };
        assert!(found.iter().any(is_named), "{found:?}");
    }
    // Before anybody spoke, the question may change.
    let empty = text(&[]);
    let asked = empty.replace("How long?", "How long, and why?");
    assert_eq!(Branch::of(&empty, &[("Eve", "", &asked)]).found(), [""; 0]);
}

#[test]
fn name_that_takes_over_a_vote_is_an_error() {
    let base = base();
    // The second letter is Cyrillic. The first of two such names counts.
    let name = "R\u{43e}b";
    let inserted = text(&[
        comment(name, "Hi."),
        comment("Rob", "Fine.\n\nVOTE: READY"),
        comment("Mira", "Q: How long?"),
    ]);
    let found = Branch::of(&base, &[(name, "", &inserted)]).found();
    assert!(found.contains(&"error history-rewritten".to_owned()), "{found:?}");
}

#[test]
fn number_that_names_another_item_is_a_warning() {
    let base = base() + &comment("Rob", "A: Q1 one hour.");
    let inserted =
        base.replacen("\nName: Mira", "\nName: Eve\n\nQ: And why?\n\n---\n\nName: Mira", 1);
    let found = Branch::of(&base, &[("Eve", "", &inserted)]).judge();
    let mut moved = found.iter().filter(|it| it.code == ProblemCode::AnswerMoved);
    // Another finding says that the first question is open again.
    let expected = "`How long?` and now refers to `And why?`";
    assert!(moved.any(|it| it.message.contains(expected)), "{found:?}");
}

#[test]
fn older_text_hidden_by_open_markup_is_an_error() {
    let base = base();
    let hidden = base.replacen("\nName: Rob", "\nName: Eve\n\n<details>\n\n---\n\nName: Rob", 1);
    let found = Branch::of(&base, &[("Eve", "", &hidden)]).found();
    assert!(found.contains(&"error markup-open".to_owned()), "{found:?}");
}

/// A sequence of numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

const AUTHORS: [&str; 3] = ["Rob", "Mira", "Eve"];

/// Returns a comment with a number that makes it unique.
fn numbered_comment(author: &str, number: usize, dice: &mut Dice) -> String {
    let words = match dice.roll(4) {
        0 => format!("Point {number}.\n\nVOTE: {}", ["READY", "CHANGES", "REJECT"][dice.roll(3)]),
        1 => format!("Q: Question {number}?"),
        2 => format!("DECISION: number {number}"),
        _ => format!("Thought {number}."),
    };
    comment(author, &words)
}

/// Returns a base with comments of all, and the texts of an honest branch with their authors.
fn honest_branch(dice: &mut Dice) -> (Vec<String>, Vec<(&'static str, String)>) {
    let mut base: Vec<String> = (0..3 + dice.roll(4))
        .map(|number| numbered_comment(AUTHORS[number % 3], number, dice))
        .collect();
    base.push(comment("Rob", "Base.\n\nVOTE: CHANGES"));
    let mut own: Vec<(&str, String)> = Vec::new();
    let mut steps = Vec::new();
    for number in 100..104 + dice.roll(4) {
        let author = AUTHORS[dice.roll(3)];
        let mine: Vec<usize> = (0..own.len()).filter(|at| own[*at].0 == author).collect();
        match (dice.roll(4), mine.last()) {
            // An author edits or takes back what only the branch has.
            (0, Some(at)) => own[*at].1 = own[*at].1.replace("Thought", "Second thought"),
            (1, Some(at)) => drop(own.remove(*at)),
            _ => own.push((author, numbered_comment(author, number, dice))),
        }
        let all: Vec<String> =
            base.iter().cloned().chain(own.iter().map(|it| it.1.clone())).collect();
        let text = text(&all);
        steps.push((author, if dice.roll(5) == 0 { text.replace('\n', "\r\n") } else { text }));
    }
    (base, steps)
}

#[test]
fn honest_branches_give_no_alarm_and_forgeries_are_named() {
    for seed in 0..150 {
        let dice = &mut Dice(seed);
        let (base, steps) = honest_branch(dice);
        let base_text = text(&base);
        let mut commits: Vec<(&str, &str, &str)> =
            steps.iter().map(|(author, text)| (*author, "", text.as_str())).collect();
        let last = steps.last().unwrap().1.replace("\r\n", "\n");
        // A squash names the authors; a commit of another person that changes line ends is honest too.
        let squash = "Squash\n\nAuthor: Rob <rob@x>\nAuthor: Mira <mira@x>\nAuthor: Eve <eve@x>";
        if dice.roll(3) == 0 {
            commits = vec![("Mira", squash, last.as_str())];
        }
        let alarms = |branch: &Branch<'_>| -> Vec<Finding> {
            let found = branch.judge().into_iter();
            found.filter(|it| it.severity > Severity::Note).collect()
        };
        let honest = alarms(&Branch::of(&base_text, &commits));
        assert!(honest.is_empty(), "seed {seed}: {honest:?}");
        let of_rob = comment("Rob", "Base.\n\nVOTE: CHANGES");
        let forged = match dice.roll(5) {
            0 => last.replace(&of_rob, &of_rob.replace("CHANGES", "READY")),
            1 => last.replace(&of_rob, ""),
            2 => last.clone() + &comment("Rob", "Forged.\n\nVOTE: READY"),
            3 => last.replace("How long?", "For ever?"),
            // Rob's vote moves above all that he said before.
            _ => last.replace(&of_rob, "").replacen(&base[0], &format!("{of_rob}{}", base[0]), 1),
        };
        commits.push(("Eve", "tidy", forged.as_str()));
        let found = alarms(&Branch::of(&base_text, &commits));
        assert!(
            found.iter().any(|it| it.severity == Severity::Error),
            "seed {seed}: {found:?}\n{forged}"
        );
    }
}
