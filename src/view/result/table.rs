//! The decisions of a project as a Markdown table between two marks of a page that belongs to people.

use std::collections::HashMap;

use super::log::{Decided, DecisionLink};
use crate::engine::Standing;
use crate::transcript::visible_line;
use crate::view::decided::StatedDecision;
use crate::view::search::clipped;

/// The line above the table.
const BEGIN: &str = "<!-- decisions:begin -->";
/// The line below the table.
const END: &str = "<!-- decisions:end -->";
/// The maximum number of characters of an outcome or a title.
const LONGEST: usize = 240;

/// Returns the table, newest decision first. `link` returns the link from the page to a file as it is shown. A decision
/// that a parent repeats is only in the parent's row.
pub(crate) fn decision_table(decided: &[Decided], link: impl Fn(&str) -> String) -> String {
    let titles: HashMap<&str, &str> =
        decided.iter().map(|one| (one.file.as_str(), one.title.as_str())).collect();
    let anchor = |file: &str, title: &str| {
        let target = link(file).replace('|', "%7C").replace('&', "%26");
        format!("[{}]({target})", cell(title))
    };
    let other = |it: &DecisionLink| {
        anchor(&it.file, titles.get(it.file.as_str()).copied().unwrap_or(&it.name))
    };
    let rows: Vec<String> = decided
        .iter()
        .filter(|one| !one.repeats_parent)
        .map(|one| {
            let (day, status) = (one.at.get(..10).unwrap_or_default(), status(one, &other));
            let title = anchor(&one.file, &one.title);
            format!("| {} | {} | {status} | {title} |\n", outcome(one), cell(day))
        })
        .collect();
    if rows.is_empty() {
        return "No decisions yet.\n".to_owned();
    }
    format!("| Outcome | Date | Status | Discussion |\n|---|---|---|---|\n{}", rows.concat())
}

/// Returns the decision, or each one with its state if there are several.
fn outcome(one: &Decided) -> String {
    let decided: Vec<_> = one.facts.ever_decided().collect();
    if decided.len() > 1 {
        let state = |stated: &StatedDecision| {
            if stated.stands() { String::new() } else { format!(" ({})", cell(stated.words())) }
        };
        let all =
            decided.iter().map(|stated| format!("{}{}", cell(&stated.labelled()), state(stated)));
        return all.collect::<Vec<_>>().join("<br>");
    }
    cell(&one.facts.sentence())
}

/// Returns the status, with links to the discussions that replace the decision.
fn status(one: &Decided, other: &dyn Fn(&DecisionLink) -> String) -> String {
    let facts = &one.facts;
    let mut parts = Vec::new();
    if facts.standing != Standing::Replaced || one.replaced_by.is_empty() {
        let words = match (facts.in_force, one.record.is_some()) {
            (true, false) => format!("in force, {}", facts.words()),
            _ => facts.words().to_owned(),
        };
        parts.push(cell(&words));
    }
    for it in &one.replaced_by {
        let what = it.own.as_deref().map(|own| format!("{own} ")).unwrap_or_default();
        parts.push(format!("{what}replaced by {}", other(it)));
    }
    parts.join(", ")
}

/// Returns a text for a cell. Only code spans keep their meaning: all other signs of Markdown are escaped.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = clipped(&visible_line(&line), LONGEST);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, code, behind)) = code_span(rest) {
        escape(before, &mut out);
        out.push_str(&format!("`{code}`"));
        rest = behind;
    }
    escape(rest, &mut out);
    out
}

/// Returns the first code span of single backticks, with the text before and after it. A bar would end the cell also
/// within code, so code with one is no span.
fn code_span(text: &str) -> Option<(&str, &str, &str)> {
    let alone = |at: &usize| !text[..*at].ends_with('`') && !text[*at + 1..].starts_with('`');
    let mut ticks = text.match_indices('`').map(|(at, _)| at).filter(alone);
    let (from, to) = (ticks.next()?, ticks.next()?);
    let code = &text[from + 1..to];
    (!code.contains(['|', '`', '\\'])).then(|| (&text[..from], code, &text[to + 1..]))
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            // A sign that no escape protects from a forge's own syntax, such as a mention or a formula.
            '@' | '$' | '#' | '|' => out.push_str(&format!("&#{};", u32::from(c))),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '~' | '>' | '^' | '{' | '}' => {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
    }
}

/// The reason why a table has no place in a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoPlace {
    /// The line of the page, from 1.
    pub(crate) line: usize,
    /// The reason and the fix.
    pub(crate) reason: String,
}

/// Returns the page with this table between its marks. Everything between the marks is replaced, also a merge conflict.
/// A page without marks gets them at its end, under a heading; an empty page is new. The new lines end as `line_end`
/// says.
pub(crate) fn page_with_table(page: &str, table: &str, line_end: &str) -> Result<String, NoPlace> {
    let block = format!("{BEGIN}\n\n{table}\n{END}\n");
    let (before, new, after) = match place(page)? {
        _ if page.trim().is_empty() => ("", format!("# Decisions\n\n{block}"), ""),
        Some((from, to)) => (&page[..from], block, &page[to..]),
        None => {
            let gap = if page.ends_with('\n') { "\n" } else { "\n\n" };
            (page, format!("{gap}## Decisions\n\n{block}"), "")
        }
    };
    Ok(format!("{before}{}{after}", new.replace('\n', line_end)))
}

/// Returns the bytes from the first mark to the end of the second one's line; `None` if there are no marks.
fn place(page: &str) -> Result<Option<(usize, usize)>, NoPlace> {
    let (mut at, mut place, mut fence) = (0, None, None);
    // The start of the first mark, and its line.
    let mut begun: Option<(usize, usize)> = None;
    for (index, line) in page.split_inclusive('\n').enumerate() {
        let (from, number) = (at, index + 1);
        at += line.len();
        let text = line.trim_end();
        let wrong = |reason: &str| Err(NoPlace { line: number, reason: reason.to_owned() });
        if begun.is_some() {
            match text {
                END => place = begun.take().map(|(start, _)| (start, at)),
                BEGIN => return wrong(TWICE),
                _ => {}
            }
            continue;
        }
        // A conflict around the marks may hold two tables or none. A row of `=` alone underlines a heading.
        if ["<<<<<<<", "|||||||", ">>>>>>>"].iter().any(|mark| text.starts_with(mark)) {
            return wrong("this is a merge conflict outside of the table; resolve it");
        }
        if let Some(open) = fence {
            let closes = text.trim_start().starts_with(open) && text.trim().chars().all(is_fence);
            fence = if closes { None } else { fence };
            continue;
        }
        match text {
            BEGIN if place.is_some() => return wrong(TWICE),
            BEGIN => begun = Some((from, number)),
            END => return wrong("this mark has no `<!-- decisions:begin -->` above it; remove it"),
            _ => fence = opened_fence(text.trim_start()),
        }
    }
    match begun {
        Some((_, line)) => {
            let reason =
                "this mark has no `<!-- decisions:end -->` below it; add it below the table";
            Err(NoPlace { line, reason: reason.to_owned() })
        }
        None => Ok(place),
    }
}

const TWICE: &str = "the page has two tables of decisions; remove one, with its marks";

/// Returns the signs of a code fence that a line opens. A line of code between backticks opens none.
fn opened_fence(line: &str) -> Option<&'static str> {
    let open = ["```", "~~~"].into_iter().find(|open| line.starts_with(open))?;
    (open == "~~~" || !line.trim_start_matches('`').contains('`')).then_some(open)
}

fn is_fence(c: char) -> bool {
    matches!(c, '`' | '~')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "| a |\n|---|\n";

    #[test]
    fn text_outside_of_the_marks_stays() {
        let new = page_with_table("", TABLE, "\n").unwrap();
        assert_eq!(new, format!("# Decisions\n\n{BEGIN}\n\n{TABLE}\n{END}\n"));
        assert_eq!(page_with_table(&new, TABLE, "\n").unwrap(), new);
        let own = format!("# Mine\n\n{BEGIN}\nold\n{END}\n\nbelow");
        let written = page_with_table(&own, TABLE, "\n").unwrap();
        assert_eq!(written, format!("# Mine\n\n{BEGIN}\n\n{TABLE}\n{END}\n\nbelow"));
        assert_eq!(page_with_table(&written, TABLE, "\n").unwrap(), written);
        let appended = page_with_table("# Mine", TABLE, "\n").unwrap();
        assert!(appended.starts_with("# Mine\n\n## Decisions\n\n<!--"), "{appended}");
        assert_eq!(page_with_table(&appended, TABLE, "\n").unwrap(), appended);
    }

    #[test]
    fn conflict_between_the_marks_is_replaced() {
        let clean = page_with_table("", TABLE, "\n").unwrap();
        let conflict = format!(
            "# Decisions\n\n{BEGIN}\n\n<<<<<<< HEAD\n| a |\n||||||| base\n=======\n| b |\n>>>>>>> x\n\n{END}\n"
        );
        assert_eq!(page_with_table(&conflict, TABLE, "\n").unwrap(), clean);
    }

    #[test]
    fn line_ends_of_other_text_stay() {
        let page = format!("a\r\nb\n{BEGIN}\r\n{END}\r\nc\n");
        let written = page_with_table(&page, "t\n", "\r\n").unwrap();
        assert_eq!(written, format!("a\r\nb\n{BEGIN}\r\n\r\nt\r\n\r\n{END}\r\nc\n"));
    }

    #[test]
    fn wrong_marks_are_refused_with_their_line() {
        for (page, line) in [
            (format!("x\n<<<<<<< HEAD\n{BEGIN}\n{END}\n"), 2),
            (format!("{BEGIN}\n{END}\n>>>>>>> x\n"), 3),
            (format!("{BEGIN}\n{END}\n{BEGIN}\n{END}\n"), 3),
            (format!("{BEGIN}\n{BEGIN}\n{END}\n"), 2),
            (format!("x\n{BEGIN}\ntable\n"), 2),
            (format!("x\ny\n{END}\n"), 3),
        ] {
            assert_eq!(page_with_table(&page, TABLE, "\n").unwrap_err().line, line, "{page}");
        }
        let heading = format!("Title\n=======\n\n{BEGIN}\n{END}\n");
        assert!(page_with_table(&heading, TABLE, "\n").is_ok(), "an underline is no conflict");
    }

    #[test]
    fn marks_in_code_are_text() {
        let page = format!("```html\n{BEGIN}\n{END}\n```\n\n{BEGIN}\n{END}\n");
        let written = page_with_table(&page, TABLE, "\n").unwrap();
        assert!(written.starts_with(&format!("```html\n{BEGIN}\n{END}\n```\n\n{BEGIN}\n\n|")));
    }

    #[test]
    fn foreign_text_stays_in_its_cell() {
        for (text, wanted) in [
            ("use `a<b>` now", "use `a<b>` now"),
            ("a | b \\| c", "a &#124; b \\\\&#124; c"),
            ("`a|b`", "\\`a&#124;b\\`"),
            ("[x](javascript:y) <b>", "\\[x\\]\\(javascript:y\\) &lt;b\\>"),
            ("<!-- decisions:end -->", "&lt;\\!-- decisions:end --\\>"),
            ("two\nlines @rob", "two lines &#64;rob"),
        ] {
            assert_eq!(cell(text), wanted);
        }
    }
}
