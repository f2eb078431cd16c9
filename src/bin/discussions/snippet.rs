//! The first words of a comment, and one line of a file with its place.

use discussions::problem::Problem;
use discussions::yaml::LoadError;

/// The first words of Markdown as plain text, at most so many characters.
pub(crate) fn first_words(body: &str, most: usize) -> String {
    let is_fence = |line: &&str| ["```", "~~~"].iter().any(|fence| line.trim().starts_with(fence));
    let words = body
        .lines()
        .filter(|line| !is_fence(line))
        .map(plain)
        .find(|line| line.chars().any(char::is_alphanumeric))
        .unwrap_or_default();
    clip(&words, most)
}

/// A line without what marks a heading, a list, a quote or emphasis.
fn plain(line: &str) -> String {
    let text = line.trim().trim_start_matches(['#', '>', '-', '*', ' ']);
    let kept: String = text.chars().filter(|c| !matches!(c, '*' | '`')).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text on one line, cut between words where that loses little.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= most {
        return text;
    }
    let cut: String = text.chars().take(most.saturating_sub(1)).collect();
    let end = cut.rfind(' ').filter(|end| *end * 2 > cut.len()).unwrap_or(cut.len());
    format!("{}…", &cut[..end])
}

/// A problem with its place and the line itself.
pub(crate) fn located(problem: &Problem, file: &str, text: &str) -> String {
    let message = format!("{}: {} [{}]", problem.severity, problem.message, problem.code);
    let column = problem.column.max(1);
    LoadError::at(file, text, 1, (problem.line, column), message).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words_pass_over_markup() {
        assert_eq!(first_words("\n## **Concerned** about\nmore", 60), "Concerned about");
        assert_eq!(first_words("---\n\n- `x` is fine", 60), "x is fine");
        assert_eq!(first_words("```plantuml\nA -> B\n```", 60), "A -> B");
        assert_eq!(clip("one two three four", 12), "one two…");
    }
}
