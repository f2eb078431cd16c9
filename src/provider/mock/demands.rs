//! Finds the markers that a prompt demands, and the words that a finding may quote.

/// The beginning of the line that lists the demanded markers at the end of a prompt.
const LABEL: &str = "Your comment needs:";

/// One demanded marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MockDemand {
    /// The marker's word, without the colon.
    pub(super) marker: String,
    /// The allowed values, in order; empty if any value is allowed.
    pub(super) options: Vec<String>,
}

/// The heading that a task shows if it asks for findings.
const FINDING: &str = "\n### Finding 1\n";

/// Returns true if a task asks for findings about a text.
pub(super) fn asks_for_findings(task: &str) -> bool {
    task.contains(FINDING)
}

/// Returns the first line of the text that a prompt shows, or else of the question below its title.
pub(super) fn quotable(material: &str) -> Option<&str> {
    let below = |heading: &str| Some(material.rsplit_once(heading)?.1);
    let text = below("\n# The text\n").or_else(|| below("\n# The question\n"))?;
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| line.contains(char::is_alphanumeric) && !line.starts_with('#'))
}

/// Returns the markers that the task of a text names: `DECISION` for the words "the `DECISION:` line" or "the line
/// `DECISION: ...`". A text has no list of markers.
pub(super) fn lines_of_text(task: &str) -> Vec<String> {
    let named = task.match_indices(":` line").filter_map(|(at, _)| task[..at].rsplit_once('`'));
    let shown = task.match_indices("the line `").filter_map(|(at, found)| {
        task[at + found.len()..].split_once(':').map(|(word, _)| ("", word))
    });
    let mut words: Vec<String> = Vec::new();
    for (_, word) in named.chain(shown) {
        let is_word = !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase());
        if is_word && words.iter().all(|known| known != word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// Returns the markers that a line like `Your comment needs: VOTE (A | B), CONFIDENCE` asks for. The last such line
/// counts, because earlier ones may be quoted material.
pub(super) fn demands(prompt: &str) -> Vec<MockDemand> {
    let line = prompt.lines().rev().find_map(|line| {
        let line = line.trim().trim_start_matches(['*', '-', ' ']);
        line.strip_prefix(LABEL)
    });
    let mut found: Vec<MockDemand> = Vec::new();
    for item in line.into_iter().flat_map(items) {
        let (word, options) = match item.split_once('(') {
            Some((word, rest)) => (word, rest.rsplit_once(')').map_or(rest, |(inside, _)| inside)),
            None => (item, ""),
        };
        let Some(marker) = word.split_whitespace().next() else { continue };
        let marker = marker.trim_matches(['*', '`', ':', '.']).to_owned();
        let is_word = marker.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '_' | '-'));
        if marker.is_empty() || !is_word || found.iter().any(|demand| demand.marker == marker) {
            continue;
        }
        // The text in brackets lists options if the marker is `VOTE` or if it contains a bar. Otherwise it is a remark
        // such as `(1-5)`.
        let is_choice = marker == "VOTE" || options.contains('|');
        let options = options
            .split('|')
            .map(|option| option.trim().trim_matches('`').to_owned())
            .filter(|option| is_choice && !option.is_empty())
            .collect();
        found.push(MockDemand { marker, options });
    }
    found
}

/// Splits a list at the commas outside of brackets.
fn items(list: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    list.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed_demands(prompt: &str) -> Vec<(String, Vec<String>)> {
        demands(prompt).into_iter().map(|d| (d.marker, d.options)).collect()
    }

    #[test]
    fn markers_with_and_without_options_are_found() {
        assert_eq!(
            listed_demands(
                "Your comment needs: VOTE (Rust | Go, maybe), CONFIDENCE (0 to 1), RATING.\n"
            ),
            [
                ("VOTE".to_owned(), vec!["Rust".to_owned(), "Go, maybe".to_owned()]),
                ("CONFIDENCE".to_owned(), vec![]),
                ("RATING".to_owned(), vec![]),
            ]
        );
    }

    #[test]
    fn only_the_last_demand_line_counts() {
        let prompt = "Your comment needs: RISK\n\nYour comment needs: Q\nmore\n";
        assert_eq!(listed_demands(prompt), [("Q".to_owned(), vec![])]);
        assert_eq!(
            listed_demands("Your comment needs: VOTE (Go)"),
            [("VOTE".to_owned(), vec!["Go".to_owned()])]
        );
        assert_eq!(listed_demands("no such line"), []);
        assert_eq!(listed_demands("Your comment needs: none"), []);
    }

    #[test]
    fn task_of_a_text_names_its_lines() {
        let task = "Begin with the `DECISION:` line. Keep the `DECISION:` line first.";
        assert_eq!(lines_of_text(task), ["DECISION"]);
        assert_eq!(lines_of_text("The text begins with the line `DECISION: go`."), ["DECISION"]);
        assert_eq!(lines_of_text("`- TODO: @alias` is a line"), [""; 0]);
    }

    #[test]
    fn finding_quotes_the_text_before_the_question() {
        let question = "\n# The question\n\n# Tea?\n\nWe are tired.\n";
        assert_eq!(quotable(question), Some("We are tired."));
        let both = format!("{question}\n# The text\n\n## Plan\n\nDrink tea.\nSleep.\n");
        assert_eq!(quotable(&both), Some("Drink tea."));
        assert_eq!(quotable("no material"), None);
    }
}
