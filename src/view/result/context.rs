//! The context of a decision record: what people wrote above the discussion, without the text of the template and without
//! copies of files.

use std::collections::HashSet;

use crate::engine::Snapshot;

/// What stands above a discussion, in the parts of a decision record.
pub(super) struct RecordContext {
    /// The text, with headings one level below the record's own.
    pub(super) text: String,
    /// The names of the options; empty if there are fewer than two.
    pub(super) options: Vec<String>,
    /// The section that describes the options, if it says more than their names.
    pub(super) options_section: String,
    /// The names of the files and changes of which the discussion has a copy, with their sizes.
    pub(super) material: Vec<String>,
}

impl RecordContext {
    /// Reads the context of a discussion.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let text = without_template(snapshot);
        let text = below_title(&text);
        let (text, material) = without_material(&text);
        let stated = snapshot.config.parameters.get("options").and_then(|list| list.as_array());
        let stated: Option<Vec<String>> = stated
            .map(|list| list.iter().filter_map(|it| it.as_str()).map(str::to_owned).collect());
        let (mut options, mut options_section, mut rest) = (Vec::new(), String::new(), text);
        if let Some(section) = OptionsSection::find(&rest) {
            let is_same = stated.as_ref().is_none_or(|stated| *stated == section.names);
            if is_same && section.names.len() > 1 {
                rest = section.rest;
                options = section.names;
                options_section = section.text;
            }
        }
        options = stated.unwrap_or(options);
        if options.len() < 2 {
            options.clear();
        }
        Self { text: deeper(rest.trim(), 1), options, options_section, material }
    }
}

/// Returns the text below the title, with headings one level below those of the page around it. Omits sections that
/// contain only placeholders of the template.
pub(super) fn context(snapshot: &Snapshot) -> String {
    let asked = snapshot.unfilled_placeholders().into_iter().map(|one| one.text).collect();
    let text = without_lines(&snapshot.transcript.topic_text(), &asked);
    deeper(below_title(&text).trim(), 1)
}

/// Returns the text above the discussion without placeholders and without sentences of the template itself.
fn without_template(snapshot: &Snapshot) -> String {
    let asked = snapshot.unfilled_placeholders().into_iter().map(|one| one.text);
    let source = snapshot.template().body.source().lines().map(str::trim);
    let is_text = |line: &&str| {
        !line.is_empty() && heading_level(line) == 0 && !line.contains("{{") && !line.contains("{%")
    };
    let own: HashSet<String> = asked.chain(source.filter(is_text).map(str::to_owned)).collect();
    without_lines(&snapshot.transcript.topic_text(), &own)
}

fn below_title(text: &str) -> String {
    let mut lines = text.lines();
    if lines.any(|line| line.starts_with("# ")) {
        lines.collect::<Vec<_>>().join("\n")
    } else {
        text.to_owned()
    }
}

/// Returns a text without these lines, and without headings that have no text left below them.
pub(crate) fn without_lines(text: &str, unwanted: &HashSet<String>) -> String {
    if unwanted.is_empty() {
        return text.to_owned();
    }
    let mut kept: Vec<(&str, usize)> = Vec::new();
    let drop_empty_headings = |kept: &mut Vec<(&str, usize)>, level: usize| {
        while let Some(at) = kept.iter().rposition(|(line, _)| !line.trim().is_empty()) {
            // The title stays. A heading has no text if the next heading is not a subheading of it; then it is removed.
            if kept[at].1 < level.max(2) {
                break;
            }
            kept.truncate(at);
        }
    };
    let lines = levels(text).filter(|(line, _)| !unwanted.contains(line.trim()));
    for (line, level) in lines {
        if level > 0 {
            drop_empty_headings(&mut kept, level);
        }
        kept.push((line, level));
    }
    drop_empty_headings(&mut kept, 2);
    kept.into_iter().map(|(line, _)| line).collect::<Vec<_>>().join("\n")
}

/// Returns a text without its copies of files and changes, and the names of these with their sizes.
fn without_material(text: &str) -> (String, Vec<String>) {
    let (mut kept, mut names) = (Vec::new(), Vec::new());
    let (mut is_material, mut is_copy) = (false, false);
    for (line, level) in levels(text) {
        if (1..=2).contains(&level) {
            (is_material, is_copy) = (line.trim_end() == "## Material", false);
            if is_material {
                continue;
            }
        } else if is_material && level == 3 {
            let name = line.trim_start_matches('#').trim();
            is_copy = name.ends_with(" bytes)");
            if is_copy {
                names.push(name.to_owned());
            }
        }
        // What was taken out leaves the blank lines around it.
        let repeats_blank =
            line.is_empty() && kept.last().is_none_or(|last: &&str| last.is_empty());
        let is_left_out = is_copy || is_material && repeats_blank;
        if !is_left_out {
            kept.push(line);
        }
    }
    (kept.join("\n"), names)
}

/// A section of the context with the options to choose from.
struct OptionsSection {
    /// The names of the options.
    names: Vec<String>,
    /// The lines below its heading, if they say more than the names.
    text: String,
    /// The context without the section.
    rest: String,
}

impl OptionsSection {
    /// Finds the first section whose heading contains the word `option`. Its options are its subheadings, or else its list
    /// items.
    fn find(text: &str) -> Option<Self> {
        let lines: Vec<(&str, usize)> = levels(text).collect();
        let is_heading =
            |(line, level): &(&str, usize)| *level > 1 && line.to_lowercase().contains("option");
        let start = lines.iter().position(is_heading)?;
        let own_level = lines[start].1;
        let is_end = |(_, level): &(&str, usize)| (1..=own_level).contains(level);
        let end = lines[start + 1..].iter().position(is_end);
        let end = end.map_or(lines.len(), |length| start + 1 + length);
        let section = &lines[start + 1..end];
        let joined = |lines: &[(&str, usize)]| -> String {
            lines.iter().map(|(line, _)| format!("{line}\n")).collect()
        };
        let first_level = section.iter().map(|(_, level)| *level).find(|level| *level > 0);
        let names: Vec<String> = match first_level {
            Some(wanted) => section
                .iter()
                .filter(|(_, level)| *level == wanted)
                .map(|(line, _)| line.trim_start_matches('#').trim().to_owned())
                .collect(),
            None => section.iter().filter_map(|(line, _)| list_item(line)).collect(),
        };
        let says_more = section.iter().any(|(line, level)| {
            !line.trim().is_empty()
                && *level == 0
                && (first_level.is_some() || list_item(line).is_none())
        });
        Some(Self {
            names,
            text: if says_more { joined(section) } else { String::new() },
            rest: joined(&lines[..start]) + &joined(&lines[end..]),
        })
    }
}

fn list_item(line: &str) -> Option<String> {
    let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?;
    Some(item.trim().to_owned())
}

/// Returns the level of a heading, 1 to 6; 0 for any other line.
fn heading_level(line: &str) -> usize {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&level) && line[level..].starts_with(' ') { level } else { 0 }
}

/// Returns each line with the level of its heading; 0 for other lines and within a fence of code.
fn levels(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut fence: Option<&str> = None;
    text.lines().map(move |line| {
        let bare = line.trim();
        let length = bare.bytes().take_while(|b| *b == b'`').count();
        let length = length.max(bare.bytes().take_while(|b| *b == b'~').count());
        match fence {
            Some(open) => {
                if bare.starts_with(open) && bare.len() == length {
                    fence = None;
                }
                (line, 0)
            }
            None if length >= 3 => {
                fence = Some(&bare[..length]);
                (line, 0)
            }
            None => (line, heading_level(line)),
        }
    })
}

/// Returns a text with its headings some levels lower.
pub(super) fn deeper(text: &str, by: usize) -> String {
    let lines = levels(text).map(|(line, level)| match level {
        0 => line.to_owned(),
        level => format!("{}{line}", "#".repeat(by.min(6 - level))),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_files_become_their_names() {
        let text = "Why?\n\n## Material\n\n### `a.md` (9 bytes)\n\n````md\n## No heading\n```\n````\n\n### Note\n\nx\n\n## More\n\ny";
        let (kept, names) = without_material(text);
        assert_eq!(names, ["`a.md` (9 bytes)"]);
        assert_eq!(kept, "Why?\n\n### Note\n\nx\n\n## More\n\ny");
    }

    #[test]
    fn section_of_options_is_taken_out_of_the_context() {
        let section = OptionsSection::find("a\n\n## Options\n\n- x\n- y\n\n## Load\n\nb").unwrap();
        assert_eq!(section.names, ["x", "y"]);
        assert_eq!((section.text.as_str(), section.rest.as_str()), ("", "a\n\n## Load\n\nb\n"));
        let named = OptionsSection::find("## Options\n\n### X\n\n- fast\n\n### Y\n\nslow").unwrap();
        assert_eq!(named.names, ["X", "Y"]);
        assert_eq!(named.text, "\n### X\n\n- fast\n\n### Y\n\nslow\n");
        assert!(OptionsSection::find("```\n## Options\n```").is_none());
    }
}
