//! Splits diffs into the text of each file before and after the change, with the line numbers in the file.

use memchr::memmem;

/// The position of a line of one side of a diff.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DiffPlace {
    /// Line in the file, counted from 1.
    pub(super) file: usize,
    /// Line in the diff, counted from 0.
    pub(super) patch: usize,
}

/// One side of a file's changes: its lines without the diff marks, so that a key that spans several lines is in one
/// piece.
#[derive(Default)]
pub(super) struct DiffSide {
    pub(super) text: String,
    pub(super) lines: Vec<DiffPlace>,
}

impl DiffSide {
    fn push(&mut self, line: &str, place: DiffPlace) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines.push(place);
    }
}

/// The changes of one file.
#[derive(Default)]
pub(super) struct Section {
    pub(super) old_name: String,
    pub(super) new_name: String,
    pub(super) old: DiffSide,
    pub(super) new: DiffSide,
}

/// A hunk that is being read.
struct Hunk {
    /// The number of mark characters at the beginning of each line: one, or one for each parent of a merge.
    marks: usize,
    old: usize,
    new: usize,
    old_left: usize,
    new_left: usize,
}

/// Returns the changes of each file in a text, and the rest of the text, with an empty line for each line of a hunk.
pub(super) fn split(text: &str) -> (Vec<Section>, String) {
    if memmem::find(text.as_bytes(), b"@@ -").is_none() {
        return (Vec::new(), text.to_owned());
    }
    let mut sections: Vec<Section> = Vec::new();
    let mut rest = String::with_capacity(text.len());
    let (mut old_name, mut hunk): (Option<String>, Option<Hunk>) = (None, None);
    for (index, line) in text.split('\n').enumerate() {
        if let (Some(open), Some(section)) = (&mut hunk, sections.last_mut())
            && open.take(line, index, section)
        {
            rest.push('\n');
            continue;
        }
        hunk = None;
        if let Some(name) = line.strip_prefix("--- ") {
            old_name = Some(file_name(name));
        } else if let Some(name) = line.strip_prefix("+++ ") {
            let new_name = file_name(name);
            let old_name = old_name.take().filter(|name| name != "/dev/null");
            let old_name = old_name.unwrap_or_else(|| new_name.clone());
            let new_name = if new_name == "/dev/null" { old_name.clone() } else { new_name };
            sections.push(Section { old_name, new_name, ..Section::default() });
        } else if !sections.is_empty() {
            hunk = Hunk::read(line);
            // A new hunk begins elsewhere in the file; the empty line keeps a match from spanning the gap.
            if let (Some(_), Some(section)) = (&hunk, sections.last_mut()) {
                section.old.push("", DiffPlace::default());
                section.new.push("", DiffPlace::default());
            }
        }
        rest.push_str(line);
        rest.push('\n');
    }
    (sections, rest)
}

/// Returns a file's name without git's prefix letter, without the date after it, and without quotes.
fn file_name(written: &str) -> String {
    let name = written.split('\t').next().unwrap_or_default().trim_end_matches('\r');
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    let bare = ["a/", "b/", "i/", "w/", "c/", "o/"].iter().find_map(|mark| name.strip_prefix(mark));
    bare.unwrap_or(name).to_owned()
}

impl Hunk {
    /// Parses `@@ -1,2 +3,4 @@`, or the form with one more `@` for each parent of a merge.
    fn read(line: &str) -> Option<Self> {
        let signs = line.bytes().take_while(|byte| *byte == b'@').count();
        if signs < 2 {
            return None;
        }
        let mut old: Option<(usize, usize)> = None;
        let mut new: Option<(usize, usize)> = None;
        for word in line[signs..].split_ascii_whitespace() {
            if let Some(range) = word.strip_prefix('-') {
                let (start, count) = read_range(range)?;
                // If there are several parents, the longest range counts, so that no line is skipped.
                old = Some(old.map_or((start, count), |(first, most)| (first, most.max(count))));
            } else if let Some(range) = word.strip_prefix('+') {
                new = Some(read_range(range)?);
            } else {
                break;
            }
        }
        let ((old, old_left), (new, new_left)) = (old?, new?);
        Some(Self { marks: signs - 1, old, new, old_left, new_left })
    }

    /// Adds a line of the hunk to the section; returns false for a line after the end of the hunk.
    fn take(&mut self, line: &str, index: usize, section: &mut Section) -> bool {
        if self.old_left == 0 && self.new_left == 0 {
            return false;
        }
        if line.starts_with('\\') {
            return true;
        }
        let marks = line.get(..self.marks.min(line.len())).unwrap_or_default();
        if !marks.bytes().all(|mark| matches!(mark, b' ' | b'+' | b'-' | b'\r')) {
            return false;
        }
        let said = line.get(marks.len()..).unwrap_or_default();
        let (removed, added) = (marks.contains('-'), marks.contains('+'));
        if !added {
            section.old.push(said, DiffPlace { file: self.old, patch: index });
            self.old += 1;
            self.old_left = self.old_left.saturating_sub(1);
        }
        // A line with both marks is added to both sides, so that it is not missed.
        if !removed || added {
            section.new.push(said, DiffPlace { file: self.new, patch: index });
            self.new += 1;
            self.new_left = self.new_left.saturating_sub(1);
        }
        true
    }
}

/// Parses `3,4`: a start and a count; `3` alone means one line.
fn read_range(text: &str) -> Option<(usize, usize)> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    let number = |text: &str| text.parse::<u32>().ok()?.try_into().ok();
    Some((number(start)?, number(count)?))
}
