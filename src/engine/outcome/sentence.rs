//! Extracts the sentence that stands for a text: its first one, without marks of Markdown.

/// The maximum length of a sentence that stands for a whole reason, in characters.
const LONGEST: usize = 240;

/// Joins a text into one line.
pub(crate) fn in_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the first sentence of a text, in one line; a long one is cut.
pub(crate) fn first_sentence(text: &str) -> String {
    let paragraph = text.trim().split("\n\n").next().unwrap_or_default();
    let line = in_line(paragraph.trim_start_matches(['#', '-', '*', '>', ' ']));
    let end = line.char_indices().find_map(|(at, c)| {
        let rest = &line[at + c.len_utf8()..];
        let ends = matches!(c, '.' | '!' | '?') && follows(rest) && !is_short(&line[..at]);
        (ends || matches!(c, '。' | '！' | '？')).then_some(at + c.len_utf8())
    });
    let sentence = &line[..end.unwrap_or(line.len())];
    match sentence.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", sentence[..at].trim_end()),
        None => sentence.to_owned(),
    }
}

/// Returns the first sentence of a text for a reader, without emphasis, list marks and a word such as `Decision:` before
/// it. Headings are skipped, unless there is nothing else; `None` if there is no sentence.
pub(crate) fn opening_sentence(text: &str) -> Option<String> {
    let is_heading = |line: &&str| line.starts_with('#');
    let bare = |line| str::trim_start_matches(line, ['>', ' ']).trim_end();
    let lines = || text.lines().map(bare).skip_while(|line| line.is_empty() || is_heading(line));
    let is_item = |line: &str| {
        without_number(line) != line || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
    };
    let goes_on = |(at, line): &(usize, &str)| {
        !line.is_empty() && !is_heading(line) && (*at == 0 || !is_item(line))
    };
    let paragraph: Vec<&str> =
        lines().enumerate().take_while(goes_on).map(|(_, line)| line).collect();
    let paragraph =
        if paragraph.is_empty() { text.trim().to_owned() } else { paragraph.join("\n") };
    let plain = paragraph.replace("**", "");
    let plain = without_number(plain.trim_start_matches(['#', '-', '*', '>', ' ']));
    let plain = ["Decision:", "Decision."]
        .into_iter()
        .find_map(|label| plain.strip_prefix(label))
        .filter(|rest| !rest.trim().is_empty())
        .unwrap_or(plain);
    let sentence = first_sentence(plain);
    let sentence = sentence.trim_matches(['*', '_']);
    (!sentence.is_empty()).then(|| sentence.to_owned())
}

/// Returns a line without the number of a list item, such as `1. `.
fn without_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = rest.strip_prefix(['.', ')']).and_then(|item| item.strip_prefix(' '));
    item.filter(|_| rest.len() < line.len()).unwrap_or(line)
}

/// Returns whether the text after a full stop begins another sentence.
fn follows(rest: &str) -> bool {
    let next = rest.trim_start_matches(['"', '\'', ')', '*', '_', '”', '’']);
    let begins = |c: char| !c.is_lowercase() && !c.is_ascii_digit();
    next.is_empty() || next.starts_with(' ') && next.trim_start().chars().next().is_none_or(begins)
}

/// Returns whether a full stop follows an abbreviation such as `e.g`, or a single letter.
fn is_short(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default();
    word.contains('.') && word.len() < 4
        || word.chars().count() == 1 && !word.ends_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sentence_is_found() {
        for (text, first) in [
            ("No. Not at all.", "No."),
            ("A lease, e.g. of Etcd, is missing. Add one.", "A lease, e.g. of Etcd, is missing."),
            ("It costs 3.5 seconds.\nThen nothing", "It costs 3.5 seconds."),
            ("- It breaks. Badly.", "It breaks."),
            ("One line\nof two\n\nAnother paragraph.", "One line of two"),
            ("順序は保証されない。次に進む。", "順序は保証されない。"),
            ("", ""),
        ] {
            assert_eq!(first_sentence(text), first, "{text}");
        }
        assert!(first_sentence(&"long ".repeat(100)).ends_with('…'));
    }

    #[test]
    fn opening_sentence_has_no_marks() {
        for (text, sentence) in [
            ("Order a box. It is cheap.", Some("Order a box.")),
            ("\n# Boxes\n\n## Decision\n**Order a box.** It is\ncheap.", Some("Order a box.")),
            ("1. **Decision:** Order *one* box today.\n2. Wait.", Some("Order *one* box today.")),
            ("Decision. Order a box. Wait.", Some("Order a box.")),
            ("*Order a box.*\n\nIt is cheap.", Some("Order a box.")),
            ("> Order\n> a box", Some("Order a box")),
            ("3.5 boxes are needed. Order them.", Some("3.5 boxes are needed.")),
            ("## Only a heading\n", Some("Only a heading")),
            ("**Decision:**", Some("Decision:")),
            (" \n", None),
        ] {
            assert_eq!(opening_sentence(text).as_deref(), sentence, "{text}");
        }
    }
}
