//! The question that the mock answers, found in the prompt, and the sentences that name it.

use super::pick;

/// Openings, chosen by a hash of participant and phase.
const OPENINGS: [&str; 4] = [
    "The outline holds together, and I see no reason to wait.",
    "This is workable; the smallest useful part of it should come first.",
    "I read it twice and would keep the plan, with its limits written down.",
    "The direction is right, and what is left open can be settled on the way.",
];

/// Openings for a title that names a task; `{}` is the title.
const TASK_OPENINGS: [&str; 4] = [
    "The outline of “{}” holds together, and I see no reason to wait.",
    "“{}” is workable; the smallest useful part of it should come first.",
    "I read “{}” twice and would keep the plan, with its limits written down.",
    "The direction of “{}” is right, and what is left open can be settled on the way.",
];

/// Openings for a question; `{}` is the question.
const QUESTION_OPENINGS: [&str; 4] = [
    "On “{}”, I see one good way and no reason to wait.",
    "“{}” can be settled in small steps; the smallest useful one should come first.",
    "I read “{}” twice and would write down the limits before the first step.",
    "The facts about “{}” point one way, and the rest can be settled on the way.",
];

/// Openings that choose an option; `{}` is the question, and `CHOICE` is the option.
const CHOICE_OPENINGS: [&str; 4] = [
    "CHOICE is the better answer to “{}”.",
    "I would take CHOICE; the rest of “{}” can be settled on the way.",
    "CHOICE: “{}” needs no larger step than this one.",
    "I compared the ways to settle “{}” and would take CHOICE.",
];

/// The question that an answer is about, as far as the prompt shows it.
#[derive(Debug, Default)]
pub(super) struct Topic {
    /// The title of the discussion, or the question of a mention.
    title: Option<String>,
    /// The option that the answer chooses.
    choice: Option<String>,
    /// The decision that a count of ballots leaves to write down.
    counted: Option<String>,
}

/// Options that agree or disagree with a text, so that they answer no question by themselves.
const PLAIN_VOTES: [&str; 5] = ["READY", "CHANGES", "REJECT", "YES", "NO"];

impl Topic {
    /// Finds the question in a prompt. `option` is the first option of a requested vote.
    pub(super) fn of(material: &str, prompt: &str, option: Option<&str>) -> Self {
        if let Some(asked) = asked_question(prompt) {
            return Self { title: clip_title(asked), ..Self::default() };
        }
        let below = material.split_once("===== THE RECORD BEGINS =====\n").map(|(_, below)| below);
        // The material of a text has a heading above the title.
        let mut headings = below.unwrap_or(material).lines().filter_map(|it| it.strip_prefix("# "));
        let heading = headings.find(|heading| *heading != "The question");
        let counted = counted_decision(prompt);
        let choice = option
            .or_else(|| counted_winner(prompt))
            .filter(|option| !PLAIN_VOTES.contains(option))
            .map(str::to_owned)
            .or_else(|| first_alternative(heading?));
        Self { title: heading.and_then(clip_title), choice, counted }
    }

    /// Returns the first sentence of an answer.
    pub(super) fn opening(&self, seed: u64) -> String {
        let Some(title) = &self.title else { return pick(&OPENINGS, seed).to_owned() };
        if let Some(choice) = &self.choice {
            let opening = pick(&CHOICE_OPENINGS, seed).replace("CHOICE", choice);
            return opening.replacen("{}", title, 1);
        }
        let openings = if title.ends_with('?') { &QUESTION_OPENINGS } else { &TASK_OPENINGS };
        pick(openings, seed).replace("{}", title)
    }

    /// Returns the decision in a sentence.
    pub(super) fn decision(&self) -> String {
        if let Some(counted) = &self.counted {
            return counted.clone();
        }
        match (&self.choice, &self.title) {
            (Some(choice), _) => choice.clone(),
            (None, None) => "go on as outlined".to_owned(),
            (None, Some(title)) if !title.ends_with('?') => {
                format!("{title}, with the smallest useful part first")
            }
            (None, Some(title)) => format!("on “{title}”, take the smallest useful step first"),
        }
    }
}

/// Returns the question of a mention or of a person that starts a turn, if the task is to answer one.
fn asked_question(prompt: &str) -> Option<&str> {
    let (_, task) = prompt.split_once("# Your task: answer what you were asked\n\n")?;
    let mut lines = task.lines();
    lines.find_map(|line| {
        line.strip_prefix("> ").or_else(|| Some(line.split_once(" asks you: ")?.1))
    })
}

/// The maximum length of a title in an answer, in characters.
const LONGEST_TITLE: usize = 70;

/// Returns a title that can stand within a sentence: short, without mentions and markup. Returns `None` if no letter is
/// left.
fn clip_title(title: &str) -> Option<String> {
    let kept = |c: &char| !matches!(c, '@' | '`' | '<' | '>' | '“' | '”');
    let title: String = title.trim().trim_end_matches(['.', '!']).chars().filter(kept).collect();
    let mut short = String::new();
    for word in title.split_whitespace() {
        if !short.is_empty() && short.chars().count() + word.chars().count() >= LONGEST_TITLE {
            short.push('…');
            break;
        }
        let gap = if short.is_empty() { "" } else { " " };
        short.extend([gap, word]);
    }
    short.contains(char::is_alphanumeric).then_some(short)
}

/// Returns the option before `or` in a title such as `Sessions: Redis or PostgreSQL?`.
fn first_alternative(title: &str) -> Option<String> {
    let (before, _) = title.split_once(" or ")?;
    let clause = before.rsplit([':', ',', ';']).next()?.trim();
    let words: Vec<&str> = clause.split(' ').collect();
    let is_name = |word: &str| word.contains(|c: char| c.is_uppercase() || c.is_ascii_digit());
    match words[..] {
        [] => None,
        // A question word before the options belongs to the question.
        [_] | [_, _] if !is_question_word(words[0]) => clip_title(clause),
        _ => words.last().copied().filter(|word| is_name(word)).and_then(clip_title),
    }
}

fn is_question_word(word: &str) -> bool {
    let words = [
        "are", "can", "could", "did", "do", "does", "how", "is", "may", "must", "shall", "should",
        "what", "when", "where", "which", "who", "why", "will", "would",
    ];
    words.contains(&word.to_ascii_lowercase().as_str())
}

/// The beginning of the line in which a task tells the count of the ballots.
const COUNT: &str = "A program has counted the ballots";

/// Returns the option that won or that leads a tie, if the task tells a count of ballots.
fn counted_winner(prompt: &str) -> Option<&str> {
    let line = prompt.lines().find(|line| line.trim_start().starts_with(COUNT))?;
    if let Some((_, rest)) = line.split_once("It is a tie, also by confidence, between ") {
        return rest.split([':', ',']).next()?.split(" and ").next();
    }
    let (_, rest) = line.split_once("Weighted by confidence, ")?;
    rest.rsplit_once(" wins.").map(|(winner, _)| winner)
}

/// Returns the decision that follows from a count of ballots, if the task tells one.
fn counted_decision(prompt: &str) -> Option<String> {
    if let Some(winner) = counted_winner(prompt) {
        let is_tie = prompt.contains("It is a tie, also by confidence");
        // A tie is decided by the option alone.
        let why = if is_tie { "" } else { ", which most votes support" };
        return Some(format!("{winner}{why}"));
    }
    prompt.contains(COUNT).then(|| "nothing is decided yet".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_alternative_is_found_in_questions() {
        for (title, first) in [
            ("UUIDv7 or bigint for new tables?", Some("UUIDv7")),
            ("Sessions: Redis or PostgreSQL?", Some("Redis")),
            ("Where do we keep sessions, Redis or PostgreSQL?", Some("Redis")),
            ("Should we use Kafka or NATS?", Some("Kafka")),
            ("Should we rewrite it or not?", None),
            ("Add search", None),
        ] {
            assert_eq!(first_alternative(title).as_deref(), first, "{title}");
        }
        let long = clip_title(&"word ".repeat(40)).unwrap();
        assert!(long.ends_with("word…") && long.chars().count() <= LONGEST_TITLE + 1, "{long}");
        assert_eq!(clip_title("@`<>`"), None);
    }
}
