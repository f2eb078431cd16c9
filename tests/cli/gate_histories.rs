//! Random histories: honest ones give no error, and a forgery in one of them is always named.

use discussions::store::merge;

use super::gate_forge::{CACHING, FILE, Forge, alarms, comment};

/// Alarms of honest histories: a number that names another item, and words in another discussion or from before.
const HONEST: [&str; 3] =
    ["warning answer-moved", "warning history-inserted", "warning decision-ended"];

const AUTHORS: [&str; 3] = ["Rob", "Mira", "Lea"];

/// A sequence of numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn author(&mut self) -> &'static str {
        AUTHORS[self.roll(3)]
    }
}

/// A branch with the text of the discussion.
#[derive(Clone)]
struct Line {
    last: usize,
    path: &'static str,
    text: String,
    /// The comments that only this branch has, with their authors.
    own: Vec<(&'static str, String)>,
}

struct History {
    forge: Forge,
    dice: Dice,
    main: Line,
    pr: Line,
    /// The text that both branches begin with.
    base: String,
    number: usize,
}

impl History {
    fn of(seed: u64) -> Self {
        let mut forge = Forge::new();
        let last = forge.commit("Rob", "begin", &[("a.txt", Some("a"))]);
        let line = Line { last, path: FILE, text: CACHING.to_owned(), own: Vec::new() };
        let dice = Dice(seed);
        let base = CACHING.to_owned();
        let mut history = Self { forge, dice, main: line.clone(), pr: line, base, number: 0 };
        for _ in 0..6 {
            history.step();
        }
        history
    }

    fn words(&mut self) -> String {
        self.number += 1;
        let number = self.number;
        match self.dice.roll(3) {
            0 => format!("Point {number}.\n\nVOTE: {}", ["READY", "CHANGES"][self.dice.roll(2)]),
            1 => format!("Q: Question {number}?"),
            _ => format!("Thought {number}."),
        }
    }

    fn step(&mut self) {
        match self.dice.roll(5) {
            0 | 1 => {
                let (author, words) = (self.dice.author(), self.words());
                let said = comment(author, &words);
                self.main.text.push_str(&said);
                let files = [(self.main.path, Some(self.main.text.as_str()))];
                self.main.last =
                    self.forge.add("main", author, "main", vec![self.main.last], &files);
            }
            2 | 3 => {
                let (author, words) = (self.dice.author(), self.words());
                let said = comment(author, &words);
                self.pr.text.push_str(&said);
                self.pr.own.push((author, said));
                let files = [(self.pr.path, Some(self.pr.text.as_str()))];
                self.pr.last = self.forge.add("pr", author, "pr", vec![self.pr.last], &files);
            }
            _ => {
                let merged = merge(&self.base, &self.pr.text, &self.main.text).unwrap();
                self.base.clone_from(&self.main.text);
                self.pr.text = merged;
                let files = [(self.pr.path, Some(self.pr.text.as_str()))];
                let parents = vec![self.pr.last, self.main.last];
                let author = self.dice.author();
                self.pr.last = self.forge.add("pr", author, "Merge main", parents, &files);
            }
        }
    }

    /// Ends the branch in one of the ways of a forge: as it is, renamed, squashed or rebased.
    fn end(&mut self) {
        let author = self.dice.author();
        match self.dice.roll(4) {
            0 => {}
            1 => {
                let files = [(FILE, None), ("discussions/caches.md", Some(self.pr.text.as_str()))];
                self.pr.path = "discussions/caches.md";
                self.pr.last = self.forge.add("pr", author, "Rename", vec![self.pr.last], &files);
            }
            2 => {
                let merged = merge(&self.base, &self.main.text, &self.pr.text).unwrap();
                let authors: String = self
                    .pr
                    .own
                    .iter()
                    .map(|(author, _)| format!("Author: {author} <x@x>\n"))
                    .collect();
                let message = format!("Squashed commit of the following:\n\n{authors}");
                self.pr.text = merged;
                let files = [(FILE, Some(self.pr.text.as_str()))];
                self.pr.last = self.forge.add("pr", author, &message, vec![self.main.last], &files);
            }
            _ => {
                let (mut text, mut last) = (self.main.text.clone(), self.main.last);
                for (author, said) in &self.pr.own {
                    text.push_str(said);
                    last = self.forge.add(
                        "pr",
                        author,
                        "Rebased",
                        vec![last],
                        &[(FILE, Some(text.as_str()))],
                    );
                }
                if self.pr.own.is_empty() {
                    last = self.forge.add("pr", author, "Nothing", vec![last], &[]);
                }
                (self.pr.text, self.pr.last) = (text, last);
            }
        }
    }
}

fn assert_history(seed: u64) {
    let mut history = History::of(seed);
    history.end();
    let run = history.forge.check();
    let found = alarms(&run);
    assert!(found.iter().all(|it| HONEST.contains(&it.as_str())), "seed {seed}: {}", run.stdout);
    // What was green as a pull request is green on main after the merge.
    let parents = vec![history.main.last, history.pr.last];
    let mut files = vec![(history.pr.path, Some(history.pr.text.as_str()))];
    let merged = merge(&history.base, &history.main.text, &history.pr.text).unwrap();
    files[0].1 = Some(&merged);
    if history.pr.path != FILE {
        files.push((FILE, None));
    }
    history.forge.add("merged", "Mira", "Merge the branch", parents, &files);
    let merged = history.forge.build("merged");
    let run = merged.discussions(&["check", "--git", "--json"]).code(0);
    let found = alarms(&run);
    assert!(found.iter().all(|it| HONEST.contains(&it.as_str())), "seed {seed}: {}", run.stdout);
    // A forgery in the honest branch.
    let rob = comment("Rob", "Not for ever.\n\nVOTE: CHANGES");
    let text = &history.pr.text;
    let forged = match history.dice.roll(4) {
        0 => text.replacen(&rob, &rob.replace("CHANGES", "READY"), 1),
        1 => text.replacen(&rob, "", 1),
        2 => text.clone() + &comment("Rob", "VOTE: READY"),
        _ => text.replacen("How long do we keep answers?", "Shall Eve decide?", 1),
    };
    let files = [(history.pr.path, Some(forged.as_str()))];
    history.forge.add("pr", "Eve", "tidy", vec![history.pr.last], &files);
    let run = history.forge.check();
    let is_error = |it: &String| it.starts_with("error ");
    assert!(alarms(&run).iter().any(is_error), "seed {seed}: {}", run.stdout);
}

#[test]
fn honest_histories_are_quiet_and_forgeries_are_named() {
    (0..4).for_each(assert_history);
}

mod slow {
    #[test]
    #[ignore = "slow: starts git a thousand times"]
    fn many_honest_histories_are_quiet_and_forgeries_are_named() {
        (4..100).for_each(super::assert_history);
    }
}
