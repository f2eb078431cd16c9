//! Discussions as the program writes them: copies of the shipped examples, and discussions of 50 turns made from them.

use std::fs;
use std::path::{Path, PathBuf};

/// The turns of a long discussion.
const LONG_TURNS: u32 = 50;
/// Of so many discussions one is long.
const LONG_EVERY: usize = 50;

/// Writes so many discussions below a folder. Each copy of all examples has a folder of its own, so that the links
/// between them lead where they led.
pub(crate) fn write(folder: &Path, count: usize) {
    let examples = examples();
    let mut left = 0..count;
    for copy in 0.. {
        for ((name, text), number) in examples.iter().zip(&mut left) {
            let path = folder.join(format!("{copy:04}")).join(name);
            fs::create_dir_all(path.parent().expect("it has a folder")).expect("the disk has room");
            let long =
                (number % LONG_EVERY == LONG_EVERY - 1).then(|| with_turns(text, LONG_TURNS));
            fs::write(path, long.as_ref().unwrap_or(text)).expect("the disk has room");
        }
        if left.is_empty() {
            return;
        }
    }
}

/// The examples with their paths below `examples/`, sorted.
fn examples() -> Vec<(PathBuf, String)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut found = Vec::new();
    let mut folders = vec![top.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the examples are here") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                let text = fs::read_to_string(&path).expect("an example is text");
                let name = path.strip_prefix(&top).expect("it is below the folder").to_owned();
                found.push((name, text));
            }
        }
    }
    found.sort();
    found
}

/// A discussion whose record is repeated until it has so many turns, with the numbers that the turns have then.
fn with_turns(text: &str, turns: u32) -> String {
    let Some(begins) = text.find("\n---\n") else { return text.to_owned() };
    let (top, record) = text.split_at(begins);
    let own = record.lines().filter_map(|line| number_behind(line, "<!-- TURN: ")).max();
    let Some(own) = own else { return text.to_owned() };
    let mut out = top.to_owned();
    for passed in (0..turns).step_by(own as usize) {
        for line in record.trim_end().split_inclusive('\n') {
            let words =
                ["<!-- TURN: ", "<!-- REPLY turn: ", "<!-- PASS turn: ", "<!-- FAILED turn: "];
            let found = words.iter().find_map(|word| Some((word, number_behind(line, word)?)));
            match found {
                Some((word, number)) => {
                    let rest = line[word.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
                    out.push_str(&format!("{word}{}{rest}", passed + number));
                }
                None => out.push_str(line),
            }
        }
        out.push_str("\n");
    }
    out
}

fn number_behind(line: &str, word: &str) -> Option<u32> {
    let rest = line.strip_prefix(word)?;
    rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse().ok()
}
