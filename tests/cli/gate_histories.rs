//! Random histories: honest ones give no error, and a forgery in one of them is always named. People comment, move the
//! discussion, merge, rebase, squash, take back their own words and bring them back, and write from two machines.

use discussions::store::merge;

use super::gate_forge::{CACHING, FILE, Forge, alarms, comment};
use super::scenario::Run;

/// Alarms of honest histories: a number that names another item, and words in another discussion or from before.
const HONEST: [&str; 3] =
    ["warning answer-moved", "warning history-inserted", "warning decision-ended"];

const AUTHORS: [&str; 3] = ["Rob", "Mira", "Lea"];

/// The other machine of each author, on which git knows another address.
const LAPTOPS: [&str; 3] =
    ["Rob <rob@laptop.example>", "Mira <mira@laptop.example>", "Lea <lea@laptop.example>"];

/// Returns the name of an author on any machine.
fn name_of(author: &str) -> &str {
    author.split(" <").next().unwrap()
}

/// A sequence of numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    /// Returns an author on one of two machines.
    fn author(&mut self) -> &'static str {
        let (person, machine) = (self.roll(3), self.roll(4));
        if machine == 0 { LAPTOPS[person] } else { AUTHORS[person] }
    }
}

/// A branch with the text of the discussion.
#[derive(Clone, Default)]
struct Line {
    last: usize,
    path: &'static str,
    text: String,
    /// The comments that only this branch has, with their authors.
    own: Vec<(&'static str, String)>,
    /// The comments that their authors took back, with the text above them.
    taken_back: Vec<(&'static str, String, String)>,
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
        let line = Line { last, path: FILE, text: CACHING.to_owned(), ..Line::default() };
        let dice = Dice(seed);
        let base = CACHING.to_owned();
        let mut history = Self { forge, dice, main: line.clone(), pr: line, base, number: 0 };
        for _ in 0..7 {
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
        match self.dice.roll(8) {
            0 | 1 => {
                let author = self.dice.author();
                let said = comment(name_of(author), &self.words());
                self.main.text.push_str(&said);
                let files = [(self.main.path, Some(self.main.text.as_str()))];
                self.main.last =
                    self.forge.add("main", author, "main", vec![self.main.last], &files);
            }
            2 | 3 => {
                let author = self.dice.author();
                let said = comment(name_of(author), &self.words());
                self.pr.text.push_str(&said);
                self.pr.own.push((author, said));
                self.commit_pr(author, "pr", vec![self.pr.last]);
            }
            4 => {
                let author = self.dice.author();
                self.merge_main(author);
            }
            5 => self.take_back(),
            6 => self.bring_back(),
            _ => self.write_on_two_machines(),
        }
    }

    /// Commits the text of the branch.
    fn commit_pr(&mut self, author: &'static str, message: &str, parents: Vec<usize>) {
        let files = [(self.pr.path, Some(self.pr.text.as_str()))];
        self.pr.last = self.forge.add("pr", author, message, parents, &files);
    }

    fn merge_main(&mut self, author: &'static str) {
        self.pr.text = merge(&self.base, &self.pr.text, &self.main.text).unwrap();
        self.base.clone_from(&self.main.text);
        let parents = vec![self.pr.last, self.main.last];
        self.commit_pr(author, "Merge main", parents);
    }

    /// An author reverts a commit with their own words, which only the branch has.
    fn take_back(&mut self) {
        if self.pr.own.is_empty() {
            return;
        }
        let at = self.dice.roll(self.pr.own.len());
        let (author, said) = self.pr.own.remove(at);
        let Some((above, below)) = self.pr.text.split_once(&said) else { return };
        let (above, text) = (above.to_owned(), format!("{above}{below}"));
        self.pr.text = text;
        self.pr.taken_back.push((author, said, above));
        self.commit_pr(author, "Revert \"pr\"", vec![self.pr.last]);
    }

    /// The author reverts the revert: the words are back at their place, or at the end if the text above them changed.
    fn bring_back(&mut self) {
        let Some((author, said, above)) = self.pr.taken_back.pop() else { return };
        let below = self.pr.text.strip_prefix(&above).unwrap_or_default().to_owned();
        let above = if below.is_empty() { self.pr.text.clone() } else { above };
        self.pr.text = format!("{above}{said}{below}");
        self.pr.own.push((author, said));
        self.commit_pr(author, "Reapply \"pr\"", vec![self.pr.last]);
    }

    /// One person writes on two machines, sometimes the same words, and merges both.
    fn write_on_two_machines(&mut self) {
        let person = self.dice.roll(3);
        let base = self.pr.clone();
        let mut sides = Vec::new();
        let is_equal = self.dice.roll(3) == 0;
        let first = comment(AUTHORS[person], &self.words());
        let second = if is_equal { first.clone() } else { comment(AUTHORS[person], &self.words()) };
        for (author, said) in [(AUTHORS[person], first), (LAPTOPS[person], second)] {
            let text = format!("{}{said}", base.text);
            let files = [(base.path, Some(text.as_str()))];
            let last = self.forge.add("pr", author, "pr", vec![base.last], &files);
            sides.push((last, text));
            if !(is_equal && author == LAPTOPS[person]) {
                self.pr.own.push((author, said));
            }
        }
        self.pr.text = merge(&base.text, &sides[0].1, &sides[1].1).unwrap();
        self.commit_pr(AUTHORS[person], "Merge", vec![sides[0].0, sides[1].0]);
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
                    .map(|(author, _)| format!("Author: {} <x@x>\n", name_of(author)))
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

/// Asserts that a check found no more than honest histories may have.
#[track_caller]
fn assert_honest(seed: u64, run: &Run) {
    let found = alarms(run);
    assert!(found.iter().all(|it| HONEST.contains(&it.as_str())), "seed {seed}: {}", run.stdout);
}

fn assert_history(seed: u64) {
    let mut history = History::of(seed);
    history.end();
    assert_honest(seed, &history.forge.check());
    history.assert_green_on_main(seed);
    history.forge(seed);
    let run = history.forge.check();
    let is_error = |it: &String| it.starts_with("error ");
    assert!(alarms(&run).iter().any(is_error), "seed {seed}: {}", run.stdout);
}

impl History {
    /// What was green as a pull request is green on main after the merge, also if somebody reverts it and brings it
    /// back.
    fn assert_green_on_main(&mut self, seed: u64) {
        let merged = merge(&self.base, &self.main.text, &self.pr.text).unwrap();
        let is_moved = self.pr.path != FILE;
        let with = |text: &str| {
            let mut files = vec![(self.pr.path, Some(text.to_owned()))];
            files.extend(is_moved.then_some((FILE, None)));
            files
        };
        let mut steps = vec![("Merge the branch", with(&merged))];
        if self.dice.roll(2) == 0 {
            let mut before = vec![(FILE, Some(self.main.text.clone()))];
            before.extend(is_moved.then_some((self.pr.path, None)));
            steps.push(("Revert \"Merge the branch\"", before));
            steps.push(("Reapply \"Merge the branch\"", with(&merged)));
        }
        let mut parents = vec![self.main.last, self.pr.last];
        for (message, files) in steps {
            let files: Vec<(&str, Option<&str>)> =
                files.iter().map(|(path, text)| (*path, text.as_deref())).collect();
            parents = vec![self.forge.add("merged", "Mira", message, parents, &files)];
        }
        let run = self.forge.build("merged").discussions(&["check", "--git", "--json"]).code(0);
        assert_honest(seed, &run);
    }

    /// Eve forges something in the honest branch, sometimes in a merge, and sometimes others go on.
    fn forge(&mut self, seed: u64) {
        let rob = comment("Rob", "Not for ever.\n\nVOTE: CHANGES");
        let mira = comment("Mira", "Q: Who clears the cache?");
        let text = &self.pr.text;
        let added = |words: &str| Some(text.clone() + words);
        let forged = match self.dice.roll(12) {
            0 => Some(text.replacen(&rob, &rob.replace("CHANGES", "READY"), 1)),
            1 => Some(text.replacen(&rob, "", 1)),
            2 => added(&comment("Rob", "VOTE: READY")),
            3 => Some(text.replacen("How long do we keep answers?", "Shall Eve decide?", 1)),
            4 => added("<!-- STATUS: CLOSED, by: Mira -->\n"),
            5 => added("<!-- PHASE: detailed_review, by: Lea -->\n<!-- VOTE-RESET -->\n"),
            6 => Some(text.replacen(&format!("{rob}{mira}"), &format!("{mira}{rob}"), 1)),
            7 => added(&comment("AI-Security", "Fine.\n\nVOTE: READY")),
            8 => Some(text.replacen(&rob, &format!("{}{rob}", comment("Eve", "<details>")), 1)),
            9 => {
                Some(text.replacen(&mira, &format!("{}{mira}", comment("Lea", "VOTE: REJECT")), 1))
            }
            10 => added("<!-- VOTE-RESET -->\n"),
            _ => None,
        };
        assert_ne!(forged.as_ref(), Some(&self.pr.text), "seed {seed}");
        let is_merge = self.dice.roll(3) == 0;
        let mut parents = vec![self.pr.last];
        if let (true, Some(text)) = (is_merge, &forged)
            && let Ok(merged) = merge(&self.base, text, &self.main.text)
        {
            parents.push(self.main.last);
            self.pr.text = merged;
            self.base.clone_from(&self.main.text);
        } else {
            self.pr.text = forged.clone().unwrap_or_default();
        }
        let files = [(self.pr.path, forged.as_ref().map(|_| self.pr.text.as_str()))];
        self.pr.last = self.forge.add("pr", "Eve", "tidy", parents, &files);
        if forged.is_some() && self.dice.roll(2) == 0 {
            let author = self.dice.author();
            self.pr.text.push_str(&comment(name_of(author), "I saw it."));
            self.commit_pr(author, "pr", vec![self.pr.last]);
        }
    }
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
