//! What voting is worth, without asking a model: `cargo bench -- quality` replays what twelve models answered to 997
//! questions through the engine, `cargo bench -- quality --quick` a tenth of them, `cargo bench -- quality 7` groups of 7.
//!
//! For groups of 3, 5 and 7 members, equal and unequal: how often the best member is right alone, the vote with ties left
//! undecided, and with ties decided by the best member, as whoever writes the outcome does; how many calls waves spare, at
//! an agreement of 1 and of 0.9; and what a member costs who is always wrong. Every outcome of a whole ballot is held
//! against a count that knows nothing of the engine; the program ends with 1 where one differs.

mod answers;
mod replay;

use std::process::ExitCode;
use std::thread;

use answers::{Question, recorded};
use replay::{Desk, Outcome, Rules, Vote};

/// Groups of models by their places in the recording, best first.
const GROUPS: [(&str, &[usize]); 12] = [
    ("3 equal", &[3, 1, 2]),
    ("3 equal", &[4, 5, 6]),
    ("3 equal", &[9, 10, 11]),
    ("3 unequal", &[0, 4, 9]),
    ("3 unequal", &[0, 10, 11]),
    ("5 equal", &[4, 5, 6, 7, 8]),
    ("5 equal", &[3, 1, 2, 4, 5]),
    ("5 unequal", &[0, 4, 7, 9, 11]),
    ("5 unequal", &[0, 8, 9, 10, 11]),
    ("7 equal", &[4, 5, 6, 7, 8, 9, 10]),
    ("7 unequal", &[0, 3, 1, 2, 9, 10, 11]),
    ("7 unequal", &[0, 4, 6, 8, 9, 10, 11]),
];

const WHOLE: Rules = Rules { waves: false, threshold: 1.0 };
const WAVES: Rules = Rules { waves: true, threshold: 1.0 };
const NEARLY: Rules = Rules { waves: true, threshold: 0.9 };

/// Sums over the questions that all of a group answered.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    questions: usize,
    best: usize,
    tied: usize,
    undecided: usize,
    decided: usize,
    /// Right, and seats asked, in waves.
    waves: (usize, usize),
    nearly: (usize, usize),
    /// Right with one who is always wrong in the last seat, as sure as the others, and surer.
    wrong: usize,
    sure: usize,
    /// Outcomes that a plain count sees otherwise.
    differ: usize,
}

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let wanted: Vec<&String> =
        arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    // With arguments for other benches this one has nothing to do.
    if !(wanted.is_empty() || wanted.iter().any(|wanted| *wanted == "quality")) {
        return ExitCode::SUCCESS;
    }
    let (models, all) = recorded();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let all: Vec<Question> = all.into_iter().step_by(if quick { 10 } else { 1 }).collect();
    println!(
        "Recorded answers of {} models to {} questions (TIGER-AI-Lab/MMLU-Pro)",
        models.len(),
        all.len()
    );
    println!(
        "Right, in per cent of the questions that all of a group answered; in brackets, points over the best member"
    );
    println!();
    println!(
        "| group | members | best alone | vote, ties open | ties | vote, ties decided | calls spared by waves | at 0.9 agreement: spared, right | one always wrong | wrong and sure |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut differ = 0;
    let sizes: Vec<usize> = wanted.iter().filter_map(|wanted| wanted.parse().ok()).collect();
    let groups = GROUPS.iter().filter(|(_, it)| sizes.is_empty() || sizes.contains(&it.len()));
    for &(name, group) in groups {
        let sums = replay(&all, group);
        differ += sums.differ;
        row(name, group, &models, sums);
    }
    println!();
    println!("{differ} outcomes differ from a plain count");
    ExitCode::from(u8::from(differ > 0))
}

fn row(name: &str, group: &[usize], models: &[&str], sums: Sums) {
    let of = |part: usize, whole: usize| part as f64 * 100.0 / whole.max(1) as f64;
    let share = |part: usize| of(part, sums.questions);
    let gain = |part: usize| format!("{:.1} ({:+.1})", share(part), share(part) - share(sums.best));
    let spared = |asked: usize| 100.0 - of(asked, sums.questions * group.len());
    let members: Vec<&str> = group.iter().map(|member| models[*member]).collect();
    println!(
        "| {name} | {} | {:.1} | {} | {:.1} | {} | {:.1} | {:.1}, {} | {} | {} |",
        members.join(", "),
        share(sums.best),
        gain(sums.undecided),
        share(sums.tied),
        gain(sums.decided),
        spared(sums.waves.1),
        spared(sums.nearly.1),
        gain(sums.nearly.0),
        gain(sums.wrong),
        gain(sums.sure),
    );
}

/// Puts all questions to a group, on all processors.
fn replay(all: &[Question], group: &[usize]) -> Sums {
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let size = all.len().div_ceil(threads).max(1);
    let part = |questions: &[Question]| {
        let desk = Desk::new();
        let mut sums = Sums::default();
        for question in questions {
            let letters: Vec<u8> = group.iter().map(|member| question.answers[*member]).collect();
            if !letters.contains(&b'-') {
                one(&desk, question, &letters, &mut sums);
            }
        }
        sums
    };
    thread::scope(|scope| {
        let running: Vec<_> =
            all.chunks(size).map(|questions| scope.spawn(move || part(questions))).collect();
        let parts = running.into_iter().map(|thread| thread.join().expect("no thread panics"));
        parts.fold(Sums::default(), Sums::and)
    })
}

fn one(desk: &Desk, question: &Question, letters: &[u8], sums: &mut Sums) {
    let votes: Vec<Vote> =
        letters.iter().map(|&letter| Vote { letter, confidence: None }).collect();
    let put =
        |votes: &[Vote], rules: Rules| desk.put(question.number, question.options, votes, rules);
    let is_right = |outcome: &Outcome| usize::from(outcome.winner == Some(question.right));
    let whole = put(&votes, WHOLE);
    let (waves, nearly) = (put(&votes, WAVES), put(&votes, NEARLY));
    sums.questions += 1;
    sums.best += usize::from(letters[0] == question.right);
    sums.tied += usize::from(whole.tied);
    sums.undecided += if whole.tied { 0 } else { is_right(&whole) };
    sums.decided += is_right(&whole);
    sums.waves.0 += is_right(&waves);
    sums.waves.1 += waves.asked;
    sums.nearly.0 += is_right(&nearly);
    sums.nearly.1 += nearly.asked;
    sums.differ += usize::from(whole.winner != counted(letters) || whole.asked != letters.len());
    sums.differ += usize::from(waves.winner != whole.winner);
    let last = votes.len() - 1;
    let beside = (question.right - b'A' + 1) % question.options + b'A';
    for (confidence, right) in [(None, &mut sums.wrong), (Some(1.0), &mut sums.sure)] {
        let mut votes = votes.clone();
        votes[last] = Vote { letter: beside, confidence };
        *right += is_right(&put(&votes, WHOLE));
    }
}

/// What a plain count comes to: most votes win; a tie is the first member's, where they voted for one of the leaders.
fn counted(letters: &[u8]) -> Option<u8> {
    let count = |letter: u8| letters.iter().filter(|&&other| other == letter).count();
    let most = letters.iter().map(|&letter| count(letter)).max()?;
    let mut leaders: Vec<u8> = letters.iter().copied().filter(|&it| count(it) == most).collect();
    leaders.sort_unstable();
    leaders.dedup();
    match leaders.as_slice() {
        [one] => Some(*one),
        several => several.contains(&letters[0]).then_some(letters[0]),
    }
}

impl Sums {
    fn and(self, other: Self) -> Self {
        let pair = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1 + b.1);
        Self {
            questions: self.questions + other.questions,
            best: self.best + other.best,
            tied: self.tied + other.tied,
            undecided: self.undecided + other.undecided,
            decided: self.decided + other.decided,
            waves: pair(self.waves, other.waves),
            nearly: pair(self.nearly, other.nearly),
            wrong: self.wrong + other.wrong,
            sure: self.sure + other.sure,
            differ: self.differ + other.differ,
        }
    }
}
