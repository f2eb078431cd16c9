//! Files that a change only moves, or gives another mode: a patch does not contain their content.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use super::command::git_without_filters;
use super::repository::{Repository, run_bytes};
use super::trees::ObjectReader;

/// Returns the paths, as a patch spells them, of the files that are not text and whose content a range only moves or
/// makes runnable. A file that cannot be read counts: its readers do not see it either.
pub(super) fn moved_binaries(top: &Path, range: &str) -> io::Result<HashSet<String>> {
    let mut command = git_without_filters(top)?;
    command.args(["diff", "--raw", "--no-abbrev", "--no-relative", "--no-ext-diff"]);
    command.args(["--ignore-submodules=dirty", "--end-of-options", range, "--"]);
    // `patch` reports why git refuses a range.
    let Ok(told) = run_bytes(&mut command) else { return Ok(HashSet::new()) };
    let told = String::from_utf8_lossy(&told);
    let moved: Vec<(&str, &str)> = told.lines().filter_map(moved_file).collect();
    if moved.is_empty() {
        return Ok(HashSet::new());
    }
    let mut objects =
        Repository::find_repository(top).map(|found| ObjectReader::start(&found)).transpose()?;
    let mut is_text = |object: &str| {
        let content = objects.as_mut().and_then(|objects| objects.read(object));
        content.is_some_and(|it| !it.contains(&0) && std::str::from_utf8(&it).is_ok())
    };
    let hidden = moved.into_iter().filter(|(object, _)| !is_text(object));
    Ok(hidden.map(|(_, path)| path.to_owned()).collect())
}

/// Returns the object and the path of a file that has the same content before and after the change.
fn moved_file(line: &str) -> Option<(&str, &str)> {
    let (told, paths) = line.strip_prefix(':')?.split_once('\t')?;
    let mut words = told.split(' ');
    let (old_mode, new_mode) = (words.next()?, words.next()?);
    let (old, new, status) = (words.next()?, words.next()?, words.next()?);
    // A file of the working tree has no object yet, so its digits are all zero.
    let is_same = old == new || new.bytes().all(|byte| byte == b'0');
    let is_moved = status == "R100" || status == "C100" || status == "M" && old_mode != new_mode;
    let is_submodule = new_mode == "160000";
    let path = paths.rsplit('\t').next()?;
    (is_same && is_moved && !is_submodule).then_some((old, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_with_unchanged_content_are_moved() {
        let (one, two, none) = ("1".repeat(40), "2".repeat(40), "0".repeat(40));
        let line = |modes: &str, old: &str, new: &str, rest: &str| -> Option<(String, String)> {
            let line = format!(":{modes} {old} {new} {rest}");
            moved_file(&line).map(|(object, path)| (object.to_owned(), path.to_owned()))
        };
        let moved = |path: &str| Some((one.clone(), path.to_owned()));
        assert_eq!(line("100644 100755", &one, &one, "R100\ta.bin\tb.sh"), moved("b.sh"));
        assert_eq!(line("100644 100755", &one, &one, "M\ta"), moved("a"));
        assert_eq!(line("100644 100755", &one, &none, "M\ta"), moved("a"));
        assert_eq!(line("100644 100644", &one, &two, "R090\ta\tb"), None);
        assert_eq!(line("100644 100755", &one, &two, "M\ta"), None);
        assert_eq!(line("100644 100644", &one, &none, "M\ta"), None);
        assert_eq!(line("160000 160000", &one, &one, "R100\ta\tb"), None);
        assert_eq!(moved_file("::100644 100644 100644 1 2 3 MM\ta"), None);
    }
}
