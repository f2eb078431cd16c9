//! Finds the markers that a prompt demands.

/// The beginning of the line that lists the demanded markers at the end of a prompt.
const LABEL: &str = "Markers demanded:";

/// One demanded marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MockDemand {
    /// The marker's word, without the colon.
    pub(super) marker: String,
    /// The allowed values, in order; empty if any value is allowed.
    pub(super) options: Vec<String>,
}

/// Returns the markers that a line like `Markers demanded: VOTE (A | B), CONFIDENCE` asks for. The last such line
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
                "Markers demanded: VOTE (Rust | Go, maybe), CONFIDENCE (0 to 1), RATING.\n"
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
        let prompt = "Markers demanded: RISK\n\nMarkers demanded: Q\nmore\n";
        assert_eq!(listed_demands(prompt), [("Q".to_owned(), vec![])]);
        assert_eq!(
            listed_demands("Markers demanded: VOTE (Go)"),
            [("VOTE".to_owned(), vec!["Go".to_owned()])]
        );
        assert_eq!(listed_demands("no such line"), []);
        assert_eq!(listed_demands("Markers demanded: none"), []);
    }
}
