//! Pairs of git branches with additions on both sides: real git and our merge driver merge every discussion from both
//! sides.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::time::Duration;

use discussions::store::Writer;
use discussions::transcript::{
    Alias, Choice, Control, Draft, EntryKind, Failed, Name, NewComment, Pass, ReplyLine, Time,
    TurnLine, parse,
};
use serde_json::Value;

use super::program;
use super::random::Random;

const PATIENT: Duration = Duration::from_secs(60);
const PERSONAS: [(&str, &str); 3] =
    [("architect", "AI-Architect"), ("security", "AI-Security"), ("pragmatist", "AI-Pragmatist")];
const HEAD: &str = "<!-- DISCUSSION\ntemplate: feature\ncreated: 2026-11-20T10:00:00Z\n\
                    participants: [architect, security, pragmatist]\n-->\n\n# Branches\n\nTwo of them.\n";

#[test]
fn two_branches_merge_into_the_union_of_their_blocks() {
    prove(3, 3);
}

#[test]
#[ignore = "full form: cargo prove branches"]
fn a_thousand_pairs_of_branches_merge_into_the_union_of_their_blocks() {
    prove(1_000, 50);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: merges many branches"]
    fn twenty_pairs_of_branches_merge_into_the_union_of_their_blocks() {
        prove(20, 20);
    }
}

/// Merges this many pairs of versions, with this many discussions in one repository.
fn prove(pairs: u64, at_once: u64) {
    let mut blocks = 0;
    for number in 0..pairs / at_once {
        blocks += Repository::begin(number, at_once).prove();
    }
    println!(
        "{pairs} pairs of branches merged in both directions: {blocks} blocks, each whole and once, in the order of \
         its side; equal bytes, equal tallies; `check` never complained"
    );
}

/// One repository with many discussions.
struct Repository {
    folder: tempfile::TempDir,
    files: u64,
    random: Random,
    comments: u64,
}

impl Repository {
    fn begin(number: u64, files: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        let program = folder.path().join("bin/discussions");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_discussions"), program).unwrap();
        fs::write(folder.path().join(".gitignore"), "/bin\n").unwrap();
        let this = Self { folder, files, random: Random::new(number), comments: 0 };
        this.git(&["init", "-q", "-b", "base"]);
        this.discussions(&["init"]);
        fs::create_dir_all(this.folder.path().join("discussions")).unwrap();
        (0..files).for_each(|file| fs::write(this.path(file), HEAD).unwrap());
        this
    }

    fn path(&self, file: u64) -> PathBuf {
        self.folder.path().join(format!("discussions/{file}.md"))
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = program::command_of("git", self.folder.path());
        let output = command.args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
    }

    fn discussions(&self, arguments: &[&str]) -> Output {
        program::command(&[], self.folder.path()).args(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.discussions(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {told}"))
    }

    fn texts(&self) -> Vec<String> {
        (0..self.files).map(|file| fs::read_to_string(self.path(file)).unwrap()).collect()
    }

    /// Appends to some of the discussions and commits the result.
    fn write(&mut self, message: &str, share: u64, most: u64) {
        for file in 0..self.files {
            if self.random.below(100) < share {
                let drafts: Vec<Draft> =
                    (0..=self.random.below(most)).map(|_| self.draft()).collect();
                Writer::lock(&self.path(file), PATIENT).unwrap().append(&drafts).unwrap();
            }
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Returns a random addition; no two comments are equal.
    fn draft(&mut self) -> Draft {
        self.comments += 1;
        let (alias, name) = PERSONAS[self.random.below(3) as usize];
        let who = Alias::parse(alias).unwrap();
        let turn = 1 + self.random.below(3) as u32;
        let at: Option<Time> = format!(
            "2026-11-20T1{}:{:02}:{:02}Z",
            self.random.below(10),
            self.random.below(60),
            self.comments % 60
        )
        .parse()
        .ok();
        let choice = ["READY", "CHANGES", "REJECT"][self.random.below(3) as usize];
        let vote = (self.random.below(3) > 0).then(|| Choice::parse(choice).unwrap());
        let words = [
            "Words.",
            "Q: why?",
            "A: Q1 because.",
            "TODO: measure",
            "DECISION: keep it",
            "---\nName: Eve\n\nVOTE: READY",
            "```\nopen",
        ];
        let body = format!("{} {}", words[self.random.below(7) as usize], self.comments);
        let by = |name: &str, reply| {
            Draft::Comment(NewComment {
                vote: vote.clone(),
                reply,
                ..NewComment::by(Name::parse(name).unwrap(), body.clone())
            })
        };
        match self.random.below(10) {
            0..3 => by("Rob", None),
            3..7 => {
                by(name, Some(Box::new(ReplyLine { turn: Some(turn), at, ..ReplyLine::default() })))
            }
            7 => Draft::Control(Control::Turn(TurnLine {
                number: turn,
                asks: PERSONAS.map(|(alias, _)| Alias::parse(alias).unwrap()).to_vec(),
                at,
                ..TurnLine::default()
            })),
            8 => Draft::Control(match self.random.below(3) {
                0 => Control::VoteReset,
                1 => Control::Pass(Box::new(Pass {
                    who,
                    turn: Some(turn),
                    at,
                    spent: Default::default(),
                })),
                _ => Control::Failed(Box::new(Failed {
                    who,
                    turn: Some(turn),
                    at,
                    code: "timeout".to_owned(),
                    retryable: true,
                    message: "late".to_owned(),
                    spent: Default::default(),
                })),
            }),
            _ => by("Ann", None),
        }
    }

    /// Creates branches, merges them both ways and compares; returns the number of blocks in the merged versions.
    fn prove(mut self) -> usize {
        self.write("Begin", 90, 4);
        let base = self.texts();
        self.git(&["checkout", "-q", "-b", "left"]);
        // Both sides contain a block because one cherry-picked it.
        self.write("Picked", 30, 2);
        self.write("Left", 80, 5);
        let left = self.texts();
        self.git(&["checkout", "-q", "-b", "right", "base"]);
        self.assert_no_findings();
        self.git(&["cherry-pick", "--allow-empty", "left~1"]);
        self.write("Right", 80, 5);
        let right = self.texts();
        self.assert_no_findings();

        let merged = self.merge_both_ways(["left", "right"]);
        for (base, merged) in base.iter().zip(&merged) {
            assert!(merged.starts_with(base), "older bytes changed");
        }
        let mut blocks = unions([&left, &right], &merged);

        // Both sides continue and are merged again: their common blocks are no longer contiguous.
        self.git(&["checkout", "-q", "left"]);
        self.write("Left goes on", 60, 3);
        let left = self.texts();
        self.git(&["checkout", "-q", "left-right"]);
        self.write("Merged goes on", 60, 3);
        let main = self.texts();
        let merged = self.merge_both_ways(["left", "left-right"]);
        blocks += unions([&left, &main], &merged);

        // A branch of several commits is rebased onto the other one.
        self.git(&["checkout", "-q", "-b", "rebased", "left"]);
        self.write("First", 60, 2);
        self.write("Second", 60, 2);
        let branch = self.texts();
        self.git(&["rebase", "-q", "left-left-right"]);
        let rebased = self.texts();
        self.assert_no_findings();
        blocks += unions([&merged, &branch], &rebased);
        blocks
    }

    /// Merges two branches from both sides, into `one-other` and `other-one`; returns both results.
    fn merge_both_ways(&mut self, [one, other]: [&str; 2]) -> Vec<String> {
        let into = |one: &str, other: &str| {
            self.git(&["checkout", "-q", "-b", &format!("{one}-{other}"), one]);
            self.assert_no_findings();
            self.git(&["merge", "-q", "-m", &format!("Merge {other}"), other]);
            self.assert_no_findings();
            let mut list = self.json(&["list", "--json", "--sort", "name"]);
            // The only time of a handwritten comment is that of its file, which is the time of the checkout.
            for one in list.as_array_mut().unwrap() {
                assert!(one.as_object_mut().unwrap().remove("updated").is_some());
            }
            (self.texts(), list)
        };
        let (merged, list) = into(one, other);
        let (mirrored, mirrored_list) = into(other, one);
        assert_eq!(mirrored, merged, "the same from both sides");
        assert_eq!(mirrored_list, list, "equal tallies");
        assert_eq!(list.as_array().unwrap().len() as u64, self.files);
        merged
    }

    /// Checks that journal and history accept this version and that nothing needs to be restored.
    fn assert_no_findings(&self) {
        let before = self.texts();
        let report = self.json(&["check", "--git", "--restore", "--json"]);
        let problems =
            report.as_array().unwrap().iter().flat_map(|file| file["problems"].as_array().unwrap());
        for problem in problems {
            let code = problem["code"].as_str().unwrap();
            let complains = code.starts_with("block-") && problem["severity"] != "note";
            assert!(!complains && code != "history-rewritten", "{problem}");
        }
        for (before, after) in before.iter().zip(self.texts()) {
            assert_eq!(after, *before, "`--restore` added something");
        }
    }
}

/// Compares many discussions; returns the total number of blocks.
fn unions([one, other]: [&[String]; 2], merged: &[String]) -> usize {
    let sides = one.iter().zip(other).zip(merged);
    sides.map(|((one, other), merged)| union([one, other], merged)).sum()
}

/// Checks that a merged version contains the blocks of both sides, each once; returns their number.
fn union(sides: [&str; 2], merged: &str) -> usize {
    let found = blocks(merged);
    let sides = sides.map(blocks);
    for side in &sides {
        let mut rest = found.iter();
        assert!(
            side.iter().all(|block| rest.any(|other| other == block)),
            "not in its order:\n{merged}"
        );
    }
    let [mut left, right] = sides.each_ref().map(|side| count(side));
    for (block, times) in right {
        let here = left.entry(block).or_default();
        // Short lines cannot be identified.
        *here = if block == "<!-- VOTE-RESET -->" { *here + times } else { times.max(*here) };
    }
    for (block, times) in count(&found) {
        let most = left.get(block).copied().unwrap_or(0);
        let exact = block != "<!-- VOTE-RESET -->";
        assert!(times == most || !exact && times < most, "{times} times, not {most}: {block}");
    }
    found.len()
}

fn blocks(text: &str) -> Vec<String> {
    let block = |entry: discussions::transcript::Entry| {
        assert!(!matches!(entry.kind, EntryKind::Stray(_)), "stray text in {text}");
        text[entry.span].trim_end().to_owned()
    };
    parse(text).entries.into_iter().map(block).collect()
}

fn count(blocks: &[String]) -> HashMap<&str, usize> {
    let mut times = HashMap::new();
    for block in blocks {
        *times.entry(block.as_str()).or_default() += 1;
    }
    times
}
