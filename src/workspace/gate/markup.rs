//! What a Markdown reader sees of a discussion: finds blocks that open markup above them hides, blocks that leave
//! markup open, and blocks that render like another comment. Pure.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::judge::Finding;
use crate::codes::ProblemCode;
use crate::problem::Severity;
use crate::transcript::{EntryKind, Transcript, visible_line};

/// Markup that hides what follows until it is closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OpenMarkup {
    /// The fence character and the length of the fence.
    fence: Option<(u8, usize)>,
    /// The text that ends the HTML block.
    html: Option<&'static str>,
    /// The number of `<details>` that are open.
    details: usize,
    /// The number of `<details>` at a comment inside a line that is not closed yet. Only within its paragraph can it
    /// become a comment; else it is text.
    comment: Option<usize>,
}

/// The beginnings of HTML blocks that may hold blank lines, with their ends.
const HTML: [(&str, &str); 6] = [
    ("<!--", "-->"),
    ("<?", "?>"),
    ("<![CDATA[", "]]>"),
    ("<script", "</script"),
    ("<style", "</style"),
    ("<textarea", "</textarea"),
];

impl OpenMarkup {
    fn hides(&self) -> bool {
        self.fence.is_some() || self.html.is_some() || self.details > 0
    }

    fn read(&mut self, line: &str) {
        if line.trim().is_empty() {
            self.comment = None;
        }
        // Most lines have none of the characters that open or close something.
        if memchr::memchr3(b'<', b'`', b'~', line.as_bytes()).is_none()
            && memchr::memchr2(b'>', b'`', line.as_bytes()).is_none()
        {
            return;
        }
        let line = line.trim_end_matches(['\r', '\n']);
        let indent = line.len() - line.trim_start_matches(' ').len();
        let text = line.trim_start_matches(' ');
        if let Some((mark, length)) = self.fence {
            let run = text.bytes().take_while(|byte| *byte == mark).count();
            if indent < 4 && run >= length && text[run..].trim().is_empty() {
                self.fence = None;
            }
            return;
        }
        if let Some(end) = self.html {
            if contains(text, end) {
                self.html = None;
            }
            return;
        }
        if indent >= 4 {
            return;
        }
        let run = |mark: u8| text.bytes().take_while(|byte| *byte == mark).count();
        if let Some(mark) = [b'`', b'~'].into_iter().find(|mark| run(*mark) >= 3)
            && !(mark == b'`' && text[run(mark)..].contains('`'))
        {
            self.fence = Some((mark, run(mark)));
            return;
        }
        // The browser does not end such a block where a quote or a list item ends.
        let inner = without_containers(text);
        let begins =
            |start: &str| inner.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start));
        if let Some((start, end)) = HTML.iter().find(|(start, _)| begins(start)) {
            if !contains(&inner[start.len()..], end) {
                self.html = Some(end);
            }
            return;
        }
        // A declaration: `<!` with a letter.
        if let Some(rest) = text.strip_prefix("<!").filter(|rest| begins_with_letter(rest)) {
            if !rest.contains('>') {
                self.html = Some(">");
            }
            return;
        }
        let mut text = text;
        if let (Some(details), Some(end)) = (self.comment, text.find("-->")) {
            // What looks like a part of the paragraph may interrupt it, so the worse reading counts.
            let (opened, closed) = details_of(&text[..end]);
            let shown = (self.details + opened).saturating_sub(closed);
            (self.details, self.comment) = (details.max(shown), None);
            text = &text[end + 3..];
        }
        let shown = without_code(text);
        if self.comment.is_none()
            && let Some(at) = shown.find("<!--")
        {
            let (opened, closed) = details_of(&shown[..at]);
            self.comment = Some((self.details + opened).saturating_sub(closed));
        }
        let (opened, closed) = details_of(&shown);
        self.details = (self.details + opened).saturating_sub(closed);
    }
}

/// Counts how often a text opens and closes `<details>`.
fn details_of(text: &str) -> (usize, usize) {
    (count(text, "<details"), count(text, "</details"))
}

fn contains(text: &str, part: &str) -> bool {
    text.to_ascii_lowercase().contains(part)
}

/// Returns a line without the marks of quotes and list items at its start.
fn without_containers(line: &str) -> &str {
    let mut text = line;
    loop {
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let marks = if (1..10).contains(&digits) {
            [".", ")"].as_slice()
        } else {
            &[">", "- ", "* ", "+ "]
        };
        let number = if (1..10).contains(&digits) { digits } else { 0 };
        let after = marks.iter().find_map(|mark| text[number..].strip_prefix(mark));
        match after {
            Some(after) => text = after.trim_start_matches(' '),
            None => return text,
        }
    }
}

fn begins_with_letter(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn count(text: &str, part: &str) -> usize {
    text.to_ascii_lowercase().matches(part).count()
}

/// Returns a line without closed code spans, comments and escaped characters, in which a tag is only an example.
fn without_code(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['\\', '`', '<']) {
        shown.push_str(&rest[..at]);
        rest = &rest[at..];
        let comment =
            rest.strip_prefix("<!--").and_then(|it| it.find("-->").map(|end| &it[end + 3..]));
        if let Some(after) = comment {
            rest = after;
        } else if let Some(escaped) = rest.strip_prefix('\\') {
            let end = escaped.chars().next().map_or(0, char::len_utf8);
            rest = &escaped[end..];
        } else if rest.starts_with('`') {
            let run = rest.bytes().take_while(|byte| *byte == b'`').count();
            rest = after_code(&rest[run..], run).unwrap_or(&rest[run..]);
        } else {
            shown.push('<');
            rest = &rest[1..];
        }
    }
    shown + rest
}

/// Returns the text after the end of a code span that a run of backticks began, if it ends.
fn after_code(text: &str, run: usize) -> Option<&str> {
    let mut at = 0;
    while let Some(next) = text[at..].find('`') {
        let start = at + next;
        let end = start + text[start..].bytes().take_while(|byte| *byte == b'`').count();
        if end - start == run {
            return Some(&text[end..]);
        }
        at = end;
    }
    None
}

/// Returns for each block whether something open above it hides its first line. `starts` are byte offsets, ascending.
pub(super) fn hidden(text: &str, starts: &[usize]) -> Vec<bool> {
    let mut open = OpenMarkup::default();
    let mut starts = starts.iter().peekable();
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        while starts.next_if(|start| **start < at + line.len()).is_some() {
            found.push(open.hides());
        }
        open.read(line);
        at += line.len();
    }
    found.extend(starts.map(|_| open.hides()));
    found
}

/// Returns true if a block leaves markup open that hides the blocks below it.
pub(super) fn leaves_open(block: &str) -> bool {
    let mut open = OpenMarkup::default();
    block.lines().for_each(|line| open.read(line));
    open.hides()
}

/// Returns the name of another person whose comment a part of a block looks like: `Name:` or a heading with the name
/// below a rule, with a vote or another marker that counts.
pub(super) fn looks_like_comment_of(
    block: &str,
    own: Range<usize>,
    (author, known): (&str, &[&str]),
) -> Option<String> {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^[ \t]*(?:<[^>]*>|[*_>#\s])*(?:Name\s*:\s*)?(?:<[^>]*>|[*_\s])*([^*_<>#\n]{1,80}?)\s*(?:[*_#\s]|<[^>]*>)*$")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    static RULE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?im)^ {0,3}(?:<hr\s*/?>|(?:[-*_][ \t]*){3,}$|#{1,6}\s|\*\*|__|<h[1-6]|[^\n]+\n {0,3}(?:=+|-+)[ \t]*$)",
        )
        .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?im)^ {0,3}(?:<hr\s*/?>|(?:[-*_][ \t]*){3,}$)")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    static ACT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:VOTE|DECISION|CONCERN|SETTLED|WITHDRAWN|SUPERSEDES)[*_ ]*:")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    let body = with_characters(block.get(own).unwrap_or_default());
    let rule = RULE.find(&body)?;
    let below = &body[rule.start()..];
    let line = LINE.find(below).map(|line| line.start());
    // Most comments have nothing that could look like an act.
    let last_act = ACT.find_iter(below).last()?.start();
    let named = |found: regex::Captures<'_>| {
        let whole = found.get(0)?;
        let named = found.get(1)?;
        let name = named.as_str().trim().trim_start_matches("Name:").trim();
        let known = known.iter().find(|known| known.eq_ignore_ascii_case(name));
        let is_below_line = line.is_some_and(|line| line < named.start());
        let after = &below[whole.end()..];
        let is_disguised = if contains(whole.as_str(), "name:") {
            // Below a line, `Name:` makes anybody the author, also a person who has not spoken here.
            let is_other = !name.eq_ignore_ascii_case(author);
            (known.is_some() || is_below_line && is_other) && ACT.is_match(after)
        } else {
            let has_vote = || after.contains("VOTE:") || after.contains("VOTE :");
            let looks_like_vote = || {
                let all = ACT.find_iter(after);
                all.into_iter().any(|act| contains(act.as_str(), "vote"))
            };
            known.is_some() && (has_vote() || is_below_line && looks_like_vote())
        };
        is_disguised.then(|| known.map_or_else(|| name.to_owned(), |name| (*name).to_owned()))
    };
    NAMED.captures_iter(&below[..last_act]).find_map(named)
}

/// Returns a text with the characters that stand for numeric entities.
fn with_characters(text: &str) -> Cow<'_, str> {
    static ENTITY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    ENTITY.replace_all(text, |found: &regex::Captures<'_>| {
        let hex = found.get(1).map(|it| u32::from_str_radix(it.as_str(), 16));
        let code = hex.or_else(|| found.get(2).map(|it| it.as_str().parse()));
        code.and_then(Result::ok).and_then(char::from_u32).map(String::from).unwrap_or_default()
    })
}

/// Returns warnings about comments that leave markup open, or that look like the comment of another person.
pub(super) fn markup_findings(transcript: &Transcript) -> Vec<Finding> {
    let mut found = Vec::new();
    let comments = || {
        transcript.entries.iter().filter_map(|entry| match &entry.kind {
            EntryKind::Comment(comment) => Some((entry, comment)),
            EntryKind::Control(_) | EntryKind::Stray(_) => None,
        })
    };
    let names: BTreeSet<&str> = comments().map(|(_, comment)| comment.name.as_str()).collect();
    for (entry, comment) in comments() {
        let own = &transcript.text[entry.span.clone()];
        if leaves_open(own) {
            let message = "this comment leaves a comment, a fence or `<details>` open, which hides what is below it \
                           from readers of the Markdown; close it";
            found.push(Finding::new(
                Severity::Warning,
                ProblemCode::MarkupOpen,
                entry.line,
                message,
            ));
        }
        let author = comment.name.as_str();
        let others: Vec<&str> = names.iter().filter(|name| **name != author).copied().collect();
        let body = own.find('\n').map_or(own.len(), |end| end + 1)..own.len();
        if let Some(name) = looks_like_comment_of(own, body, (author, &others)) {
            let message =
                format!("a part of this comment looks like a comment by {}", visible_line(&name));
            found.push(Finding::new(
                Severity::Warning,
                ProblemCode::CommentDisguised,
                entry.line,
                message,
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_markup_hides_what_is_below() {
        let text = |opening: &str| {
            format!("# T\n\n---\n\nName: Eve\n\n{opening}\n\n---\n\nName: Rob\n\nx\n")
        };
        for opening in [
            "<!-- x",
            "```",
            "~~~~ md",
            "<details>",
            "<details><summary>",
            "<script>",
            "<!X",
            "<details>\nx <!-- </details> -->",
            "<details>\n\\</details>",
            "I agree` <details>",
            "x <!-- <details>",
            "<details>\nx <!--\n</details> -->",
            "x <!--\n***\n<details> -->",
            "- <!-- x",
            "1. > <!-- x",
        ] {
            let text = text(opening);
            let starts = [text.find("Name: Eve").unwrap(), text.find("Name: Rob").unwrap()];
            assert_eq!(hidden(&text, &starts), [false, true], "{opening}");
            assert!(leaves_open(opening), "{opening}");
        }
        for closed in [
            "<!-- x -->",
            "```\nx\n```",
            "`<details>`",
            "<details>\nx\n</details>",
            "    ```",
            "<!X>",
            "x <!--\n\n<details>\n</details>",
        ] {
            assert!(!leaves_open(closed), "{closed}");
        }
    }

    #[test]
    fn disguised_comment_is_recognized() {
        let looks =
            |body: &str| looks_like_comment_of(body, 0..body.len(), ("Mia", &["Rob", "Eve"]));
        assert_eq!(looks("<hr><p>Name: Rob</p>\n\nVOTE: READY\n").as_deref(), Some("Rob"));
        assert_eq!(
            looks("I agree.\n\n___\n\n**Name: Rob**\n\nVOTE: READY\n").as_deref(),
            Some("Rob")
        );
        assert_eq!(looks("## Rob\n\nFine.\n\nVOTE: READY\n").as_deref(), Some("Rob"));
        for (body, name) in [
            ("I ask.\n\n***\n\n**Name: Ann**\n\nVOTE: READY\n", "Ann"),
            ("I agree.\n\n***\n\nRob\n===\n\n**Vote: READY**\n", "Rob"),
            ("I agree.\n\n***\n\n**Name: R&#111;b**\n\nVOTE: READY\n", "Rob"),
            ("I agree.\n\n***\n\n**Name: Rob**\n\nDECISION: root for me\n", "Rob"),
        ] {
            assert_eq!(looks(body).as_deref(), Some(name), "{body}");
        }
        assert_eq!(looks("## Fields\n\nName: text\n\nVOTE: READY\n"), None);
        assert_eq!(looks("### Rob\n\nConcern: too slow.\n"), None);
        assert_eq!(looks("I agree with Rob.\n\nVOTE: READY\n"), None);
        assert_eq!(looks("## Plan\n\nRob said it.\n\nVOTE: READY\n"), None);
    }
}
