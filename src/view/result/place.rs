//! The file and line that a finding is about.
//!
//! A reviewer may name both as `path:line`. Models miscount lines, so the place of the quoted words
//! in a diff of the material has precedence.

use crate::engine::folded;

/// Endings of host names, which look like names of files before a port.
const HOSTS: [&str; 6] = ["com", "dev", "io", "local", "net", "org"];

/// The minimum length of quoted words in a sentence, in characters. Shorter words are in a diff by accident.
const SHORTEST_QUOTE: usize = 8;

/// The maximum length of a file's ending, in characters.
const LONGEST_ENDING: usize = 10;

/// A line of a file, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The file's path.
    pub(super) file: String,
    /// The line in the new version of the file.
    pub(super) line: usize,
}

/// The changed parts of files in a text with diffs.
pub(super) struct Patch<'m>(Vec<DiffHunk<'m>>);

/// One changed part of a file.
#[derive(Default)]
struct DiffHunk<'m> {
    file: String,
    /// The lines after the change, with their numbers.
    new: Vec<(usize, &'m str)>,
    /// The lines before the change, with the number that the next line has after it.
    old: Vec<(usize, &'m str)>,
}

impl<'m> Patch<'m> {
    /// Finds the diffs in a text. Text around them is ignored.
    pub(super) fn find(material: &'m str) -> Self {
        // The path is empty before the first file and for a deleted file, which has no new version.
        let (mut hunks, mut file): (Vec<DiffHunk<'_>>, String) = (Vec::new(), String::new());
        // The lines of the current part that are still missing, before and after the change.
        let (mut old_left, mut new_left, mut number) = (0_usize, 0_usize, 0_usize);
        for line in material.lines() {
            let hunk = hunks.last_mut().filter(|_| old_left > 0 || new_left > 0);
            let Some(hunk) = hunk else {
                if let Some(path) = line.strip_prefix("+++ ") {
                    file = new_path(path);
                } else if let Some(range) = range_of(line) {
                    (old_left, number, new_left) = range;
                    hunks.push(DiffHunk { file: file.clone(), ..DiffHunk::default() });
                }
                continue;
            };
            let mark = line.bytes().next().unwrap_or(b' ');
            let text = line.get(1..).unwrap_or_default();
            if matches!(mark, b' ' | b'-') {
                hunk.old.push((number, text));
                old_left = old_left.saturating_sub(1);
            }
            if matches!(mark, b' ' | b'+') {
                hunk.new.push((number, text));
                number = number.saturating_add(1);
                new_left = new_left.saturating_sub(1);
            }
            if !matches!(mark, b' ' | b'+' | b'-' | b'\\') {
                // The diff is cut short here.
                (old_left, new_left) = (0, 0);
            }
        }
        hunks.retain(|hunk| !hunk.file.is_empty());
        Self(hunks)
    }

    /// Returns the place that a finding is about; `None` if it names none and its quote is in no diff. If the quote is
    /// in several places, the named one counts, or else the first.
    pub(super) fn place_of(&self, quote: &str, proof: &str, instead: &str) -> Option<Place> {
        let mut stated: Vec<Place> = [proof, quote, instead].into_iter().flat_map(stated).collect();
        for place in &mut stated {
            if let Some(known) = self.known(&place.file) {
                place.file = known.to_owned();
            }
        }
        let of_patch = |place: &&Place| self.0.iter().any(|hunk| hunk.file == place.file);
        let stated = stated.iter().find(of_patch).or(stated.first());
        let found = self.find_quote(quote);
        match stated {
            Some(stated) => {
                let there = found.into_iter().filter(|place| place.file == stated.file);
                let nearest = there.min_by_key(|place| place.line.abs_diff(stated.line));
                Some(nearest.unwrap_or_else(|| stated.clone()))
            }
            None => found.into_iter().next(),
        }
    }

    /// Returns the place that a sentence is about: the one that it names, or else that of the first words that it quotes and
    /// that are in a diff; `None` if there is neither.
    pub(super) fn place_in(&self, sentence: &str) -> Option<Place> {
        let mut quotes = quoted(sentence).filter(|quote| quote.chars().count() >= SHORTEST_QUOTE);
        let named = self.place_of("", sentence, "");
        named.or_else(|| quotes.find_map(|quote| self.find_quote(quote).into_iter().next()))
    }

    /// Returns the file of the diff with this path or, if only one path ends with it, that file.
    fn known(&self, path: &str) -> Option<&str> {
        let files = || self.0.iter().map(|hunk| hunk.file.as_str());
        let ends =
            |file: &&str| file.strip_suffix(path).is_some_and(|before| before.ends_with('/'));
        let mut ending = files().filter(ends);
        let first = files().find(|file| *file == path).or_else(|| ending.next())?;
        (first == path || ending.all(|other| other == first)).then_some(first)
    }

    /// Returns all places of the quoted words: after the change, or else before it.
    fn find_quote(&self, quote: &str) -> Vec<Place> {
        let wanted = wordings(quote);
        let places = |side: for<'h> fn(&'h DiffHunk<'m>) -> &'h [(usize, &'m str)]| {
            let mut places = Vec::new();
            for hunk in &self.0 {
                let lines = lines_with(side(hunk), &wanted).into_iter();
                places.extend(lines.map(|line| Place { file: hunk.file.clone(), line }));
            }
            places
        };
        let new = places(|hunk| &hunk.new);
        if new.is_empty() { places(|hunk| &hunk.old) } else { new }
    }
}

/// Returns the forms of a quote to search for: as it is, without quotation marks, and without the marks of a diff.
fn wordings(quote: &str) -> Vec<String> {
    let whole = folded(quote);
    let inner = whole.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
    let inner = inner.map(str::to_owned);
    let unmarked: Vec<&str> =
        quote.lines().map(|line| line.strip_prefix(['+', '-', ' ']).unwrap_or(line)).collect();
    let forms = [Some(whole.clone()), inner, Some(folded(&unmarked.join("\n")))];
    forms.into_iter().flatten().filter(|form| !form.is_empty()).collect()
}

/// Returns the numbers of the lines at which one of the wordings begins.
fn lines_with(side: &[(usize, &str)], wordings: &[String]) -> Vec<usize> {
    let (mut text, mut starts) = (String::new(), Vec::new());
    for (number, line) in side {
        let line = folded(line);
        if line.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        starts.push((text.len(), *number));
        text.push_str(&line);
    }
    let line_at = |at: usize| {
        let next = starts.partition_point(|(start, _)| *start <= at);
        starts.get(next.checked_sub(1)?).map(|(_, number)| *number)
    };
    let found = wordings.iter().map(|wording| -> Vec<usize> {
        text.match_indices(wording.as_str()).filter_map(|(at, _)| line_at(at)).collect()
    });
    found.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default()
}

/// Returns the parts of a sentence in backticks or quotation marks.
fn quoted(sentence: &str) -> impl Iterator<Item = &str> {
    let mut rest = sentence;
    std::iter::from_fn(move || {
        loop {
            let (at, open) = rest.char_indices().find(|(_, c)| matches!(c, '`' | '"' | '“'))?;
            let close = if open == '“' { '”' } else { open };
            rest = &rest[at + open.len_utf8()..];
            if let Some((quote, after)) = rest.split_once(close) {
                rest = after;
                return Some(quote);
            }
        }
    })
}

/// Returns the path after `+++ `; empty for a deleted file.
fn new_path(path: &str) -> String {
    let path = path.split('\t').next().unwrap_or_default().trim_end().trim_matches('"');
    let path = path.strip_prefix("b/").unwrap_or(path);
    if path == "/dev/null" { String::new() } else { path.to_owned() }
}

/// Parses a line such as `@@ -3,7 +4,8 @@`. Returns the number of lines before the change, the number of the first line
/// after the change, and the number of lines after the change.
fn range_of(line: &str) -> Option<(usize, usize, usize)> {
    let mut words = line.strip_prefix("@@ ")?.split(' ');
    let (_, old) = numbers(words.next()?.strip_prefix('-')?)?;
    let (first, new) = numbers(words.next()?.strip_prefix('+')?)?;
    (words.next()? == "@@").then_some((old, first, new))
}

/// Parses `first,count` or `first`.
fn numbers(range: &str) -> Option<(usize, usize)> {
    match range.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((range.parse().ok()?, 1)),
    }
}

/// Returns the places that a text names as `path:line`.
fn stated(text: &str) -> impl Iterator<Item = Place> {
    let within = |c: char| c.is_alphanumeric() || "/._-+@~:".contains(c);
    text.split(move |c| !within(c)).filter_map(|word| {
        let (path, rest) = word.split_once(':')?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        let behind = rest.get(digits.len()..)?.chars().next();
        let line = digits.parse().ok().filter(|line| *line > 0)?;
        let is_place = is_path(path) && !behind.is_some_and(char::is_alphanumeric);
        is_place.then(|| Place { file: path.trim_start_matches("./").to_owned(), line })
    })
}

/// Returns true if a word looks like a file's path: it has a folder or an ending, and it is no host name.
fn is_path(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').filter(|(stem, ending)| {
        let fits = ending.chars().count() <= LONGEST_ENDING;
        fits && !stem.is_empty() && ending.starts_with(char::is_alphabetic)
    });
    let has_folder = word.contains('/') && !word.starts_with("//") && !name.is_empty();
    match ending {
        Some((_, ending)) => has_folder || !HOSTS.contains(&ending),
        None => has_folder && name.contains(char::is_alphabetic),
    }
}

#[cfg(test)]
mod tests;
