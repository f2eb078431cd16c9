//! `docs/pull-request.svg`: the end of an example as a forge shows it in a pull request.
//!
//! The text is the example's own. A forge hides the receipts, because they are HTML comments.

mod page;

use super::drawing::insist_current;

const FILE: &str = "examples/feature-user-authentication.md";
/// The number of comments at the end that the picture shows.
const COMMENTS: usize = 2;

/// Returns the last comments of a discussion, with the rules between them.
fn last_comments(text: &str) -> &str {
    let starts: Vec<usize> = text.match_indices("---\n\nName: ").map(|(at, _)| at).collect();
    &text[starts[starts.len() - COMMENTS]..]
}

#[test]
fn pull_request_picture_shows_the_end_of_an_example() {
    let text = include_str!("../../examples/feature-user-authentication.md");
    let end = last_comments(text);
    let picture = page::svg(FILE, end);
    for word in ["AI-Security", "Rob", "VOTE: CHANGES", "VOTE: READY"] {
        assert!(picture.contains(word), "{word}");
    }
    for hidden in ["REPLY", "turn: 5", "usd:"] {
        assert!(end.contains(hidden) && !picture.contains(hidden), "{hidden}");
    }
    insist_current("docs/pull-request.svg", &picture, end);
}
