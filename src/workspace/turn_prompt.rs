//! The prompt of a participant that can read the project's files itself, within a size. The files of the material and old
//! comments give way; the rules, the question, its context and the task stay whole.

use crate::material::shown_pieces;
use crate::view::YourTurn;

impl YourTurn {
    /// Returns the prompt with at most `most` characters, if leaving out files, then old comments, then the middle of the
    /// record is enough for that. Names what it leaves out, and where to read it.
    pub fn prompt_within(&self, most: usize) -> String {
        let room = most.saturating_sub(self.task.chars().count());
        let mut record = self.record.clone();
        for shorten in [without_files, without_old_comments, without_middle] {
            if record.chars().count() > room {
                record = shorten(&record, room);
            }
        }
        format!("{record}{}", self.task)
    }
}

/// Replaces the texts of files by their names, the longest first, until the record is short enough.
fn without_files(record: &str, room: usize) -> String {
    let mut pieces = shown_pieces(record);
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.body.len()));
    let mut length = record.chars().count();
    let mut gone = Vec::new();
    for piece in pieces {
        if length <= room {
            break;
        }
        let note = if piece.is_diff {
            format!("[Left out here: read `git diff {}` in the project.]", piece.name)
        } else {
            let (name, size) = (&piece.name, piece.size);
            format!("[Left out here: read {name} ({size} bytes) in the project.]")
        };
        length = length.saturating_sub(record[piece.body.clone()].chars().count());
        length += note.chars().count();
        gone.push((piece.body, note));
    }
    gone.sort_by_key(|(body, _)| body.start);
    let (mut short, mut from) = (String::new(), 0);
    for (body, note) in gone {
        short.push_str(&record[from..body.start]);
        short.push_str(&note);
        from = body.end;
    }
    short.push_str(&record[from..]);
    short
}

/// The beginning of a comment in a record.
const COMMENT: &str = "\n---\n\nName: ";

/// Leaves out the oldest comments until the record is short enough.
fn without_old_comments(record: &str, room: usize) -> String {
    let starts: Vec<usize> = record.match_indices(COMMENT).map(|(at, _)| at).collect();
    let [first, others @ ..] = starts.as_slice() else { return record.to_owned() };
    let note = |count: usize| format!("\n---\n\n[{count} older comments are left out.]\n");
    let question = record[..*first].chars().count() + note(others.len()).chars().count();
    let rest = |start: usize| record[start..].chars().count();
    let kept = others.iter().position(|start| question + rest(*start) <= room);
    let kept = kept.unwrap_or_else(|| others.len().saturating_sub(1));
    match others.get(kept) {
        Some(start) => format!("{}{}{}", &record[..*first], note(kept + 1), &record[*start..]),
        None => record.to_owned(),
    }
}

/// Leaves out the middle of a record, so that its rules and its end stay.
fn without_middle(record: &str, room: usize) -> String {
    let note = "\n[...]\n";
    let keep = room.saturating_sub(note.len());
    let (head, tail) = (keep * 2 / 3, keep - keep * 2 / 3);
    let count = record.chars().count();
    let start: String = record.chars().take(head).collect();
    let end: String = record.chars().skip(count.saturating_sub(tail)).collect();
    format!("{start}{note}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(files: &[(&str, usize)], comments: usize) -> YourTurn {
        let mut record = "The record is data.\n\n# Which?\n\nNo new dependencies.\n".to_owned();
        for (name, size) in files {
            let text = "x".repeat(*size);
            record.push_str(&format!("\n### `{name}` ({size} bytes)\n\n```rs\n{text}\n```\n"));
        }
        for number in 0..comments {
            record.push_str(&format!("{COMMENT}Ann\n\nComment {number}. {}\n", "y".repeat(200)));
        }
        YourTurn {
            participant: "agent".to_owned(),
            phase: "Draft".to_owned(),
            turn: 1,
            line: 1,
            unseen: false,
            record,
            task: "# Your task: answer.\n".to_owned(),
            options: Vec::new(),
        }
    }

    #[test]
    fn short_prompt_stays_as_it_is() {
        let turn = turn(&[("src/a.rs", 100)], 1);
        assert_eq!(turn.prompt_within(5_000), format!("{}{}", turn.record, turn.task));
    }

    #[test]
    fn largest_files_give_way_and_the_question_stays() {
        let prompt = turn(&[("src/a.rs", 100), ("src/big.rs", 50_000)], 1).prompt_within(2_000);
        assert!(prompt.starts_with("The record is data.") && prompt.ends_with("answer.\n"));
        assert!(prompt.contains("No new dependencies."), "{prompt}");
        assert!(prompt.contains("[Left out here: read src/big.rs (50000 bytes) in the project.]"));
        assert!(prompt.contains(&"x".repeat(100)), "the small file is shown: {prompt}");
        assert!(prompt.chars().count() <= 2_000);
    }

    #[test]
    fn oldest_comments_give_way_next() {
        let prompt = turn(&[("src/a.rs", 3_000)], 20).prompt_within(2_000);
        assert!(prompt.contains("No new dependencies.") && prompt.contains("Comment 19."));
        assert!(!prompt.contains("Comment 0.") && prompt.contains("older comments are left out"));
        assert!(prompt.chars().count() <= 2_000, "{prompt}");
    }

    #[test]
    fn context_beyond_the_size_is_cut_in_its_middle() {
        let mut turn = turn(&[], 0);
        turn.record.push_str(&"z".repeat(9_000));
        let prompt = turn.prompt_within(2_000);
        assert!(prompt.starts_with("The record is data.") && prompt.ends_with("answer.\n"));
        assert_eq!(prompt.chars().count(), 2_000);
    }
}
