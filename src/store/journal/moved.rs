//! Finds references by number that a merge moved: they may now point at another item.

use std::collections::HashMap;

use super::check::{Fate, JournalFinding};
use super::records::JournalRecord;
use crate::store::merge::entry_key;
use crate::store::merge::numbers;
use crate::transcript::{Entry, EntryKind, parse};

/// Returns recorded comments that refer to an item by number (`A: Q3`, `DONE: T1`, `+1 D2`) and no longer follow the
/// blocks that they were written after. If the text above merely grew or shrank, for example by an edit, nothing was
/// moved.
pub(super) fn renumbered_answers(expected: &[JournalRecord], text: &str) -> Vec<JournalFinding> {
    let mut records: HashMap<String, &JournalRecord> = HashMap::new();
    for record in expected.iter().filter(|record| record.at.is_some()) {
        records.insert(record.key().hash(), record);
    }
    if records.is_empty() {
        return Vec::new();
    }
    let transcript = parse(text);
    let stands: Vec<Standing<'_>> =
        transcript.entries.iter().map(|entry| Standing::new(text, entry, &records)).collect();
    let mut findings = Vec::new();
    // A block that directly follows a moved block in both versions was moved with it.
    let mut carried = None;
    for (index, here) in stands.iter().enumerate() {
        let Some((record, shift)) = here.record.zip(here.shift) else {
            carried = None;
            continue;
        };
        let before = index.checked_sub(1).map(|index| stands[index].hash.as_str());
        let follows = record.after.as_deref() == before;
        carried = (shift != 0 && (!follows || carried == Some(shift))).then_some(shift);
        if let (Some(_), EntryKind::Comment(comment)) = (carried, &here.entry.kind)
            && let Some(line) = numbers(comment).iter().map(|number| number.line).min()
        {
            findings.push(JournalFinding::of(record.clone(), Fate::Moved { line }));
        }
    }
    findings
}

/// A block of the file, with its record in the journal.
struct Standing<'a> {
    entry: &'a Entry,
    hash: String,
    record: Option<&'a JournalRecord>,
    /// Distance in bytes from its original position; positive if it is further down now.
    shift: Option<i128>,
}

impl<'a> Standing<'a> {
    fn new(text: &str, entry: &'a Entry, records: &HashMap<String, &'a JournalRecord>) -> Self {
        let hash = entry_key(text, entry).hash();
        let record = records.get(&hash).copied();
        let shift =
            record.and_then(|record| record.at).map(|at| entry.span.start as i128 - i128::from(at));
        Self { entry, hash, record, shift }
    }
}

#[cfg(test)]
mod tests {
    use crate::codes::ProblemCode;
    use std::fs;
    use std::path::Path;
    use std::time::Duration;

    use crate::problem::Severity;
    use crate::store::{Writer, check, merge, read};
    use crate::transcript::{Draft, Name, NewComment, append};

    fn comment(name: &str, body: &str) -> Draft {
        Draft::Comment(NewComment::by(Name::parse(name).unwrap(), body))
    }

    fn write(path: &Path, body: &str) {
        let mut writer = Writer::lock(path, Duration::from_secs(10)).unwrap();
        writer.append(&[comment("Rob", body)]).unwrap();
    }

    /// Returns line and code of each finding of `check`.
    fn check_codes(path: &Path) -> Vec<(usize, ProblemCode)> {
        let findings = check(path, &read(path).unwrap().text).unwrap();
        let problems = findings.iter().map(super::JournalFinding::problem);
        problems
            .inspect(|problem| assert_eq!(problem.severity, Severity::Warning))
            .map(|problem| (problem.line, problem.code))
            .collect()
    }

    /// Creates a discussion in which Rob asked and answered, before a branch of another user is merged.
    fn discussion() -> (tempfile::TempDir, std::path::PathBuf, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, "# A\n").unwrap();
        write(&path, "Q: first?");
        let base = fs::read_to_string(&path).unwrap();
        write(&path, "Q: second?");
        write(&path, "Thanks.\n\nA: Q2 because.");
        (folder, path, base)
    }

    fn merge_with(path: &Path, base: &str, theirs: &[Draft]) {
        let ours = fs::read_to_string(path).unwrap();
        let theirs = format!("{base}{}", append(base, theirs));
        fs::write(path, merge(base, &ours, &theirs).unwrap()).unwrap();
    }

    #[test]
    fn answer_moved_by_a_merge_is_always_reported() {
        // The hashes of the blocks decide which side comes first. Tries texts until Eve's side comes first.
        let moves = (0..20).find_map(|number| {
            let (folder, path, base) = discussion();
            merge_with(&path, &base, &[comment("Eve", &format!("Q: {number}?"))]);
            (!check_codes(&path).is_empty()).then_some((folder, path))
        });
        let (_folder, path) = moves.unwrap();
        assert_eq!(check_codes(&path), [(27, ProblemCode::AnswerMoved)]);
        // An answer written after the merge takes it into account, and an edit above moves nothing.
        write(&path, "A: Q1 too.");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("# A", "# Another title")).unwrap();
        assert_eq!(check_codes(&path), [(27, ProblemCode::AnswerMoved)]);
    }

    #[test]
    fn unmoved_number_is_not_reported() {
        let (_folder, path, base) = discussion();
        assert_eq!(check_codes(&path), []);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("# A", "# Another title").replace('\n', "\r\n")).unwrap();
        assert_eq!(check_codes(&path), []);
        fs::write(&path, text).unwrap();
        merge_with(&path, &base, &[]);
        assert_eq!(check_codes(&path), []);
    }
}
