//! Reads the files of attacks: one file for each mechanism, with many texts.
//!
//! A file begins with YAML for all of its cases, with `mechanism` first. Each case follows after a blank line: a line
//! `=====[ NAME, KEY: VALUE, .. ]=====`, whose keys override those of the file, then the text, up to the blank line
//! before the next case.

use discussions::yaml;
use serde_json::{Map, Value};

use super::{Attack, Header};

const BEGIN: &str = "\n\n=====[ ";
const END: &str = " ]=====\n";

/// All attacks, by name.
pub(crate) fn attacks() -> Vec<Attack> {
    let root = crate::root().join("tests/cases/attacks");
    let mut attacks = Vec::new();
    for folder in std::fs::read_dir(root).unwrap() {
        let folder = folder.unwrap();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            assert!(
                path.extension().is_some_and(|it| it == "md"),
                "{} is no attack",
                path.display()
            );
            attacks.extend(read(&path, &folder.file_name().to_string_lossy()));
        }
    }
    attacks.sort_by(|a, b| a.name.cmp(&b.name));
    attacks
}

fn read(path: &std::path::Path, folder: &str) -> Vec<Attack> {
    let origin = path.display().to_string();
    let text = std::fs::read_to_string(path).unwrap();
    let mut parts = text.strip_suffix('\n').unwrap_or(&text).split(BEGIN);
    let head = parts.next().unwrap_or_default();
    assert!(head.starts_with("mechanism: "), "{origin}: its first line is not `mechanism: ..`");
    let common: Map<String, Value> = yaml::read(head, &origin).unwrap_or_else(|e| panic!("{e}"));
    let cases: Vec<_> = parts.map(|part| case(part, &common, folder, &origin)).collect();
    assert!(!cases.is_empty(), "{origin}: no case");
    cases
}

fn case(part: &str, common: &Map<String, Value>, folder: &str, origin: &str) -> Attack {
    let (line, text) = part.split_once(END).unwrap_or_else(|| panic!("{origin}: {part}"));
    assert!(!part.contains("\n=====["), "{origin}: no blank line before the case behind {line}");
    let (name, own) = line.split_once(", ").unwrap_or((line, ""));
    let origin = format!("{origin}: {name}");
    let own: Map<String, Value> =
        yaml::read(&format!("{{{own}}}"), &origin).unwrap_or_else(|e| panic!("{e}"));
    let mut header = common.clone();
    header.extend(own);
    let header: Header =
        serde_json::from_value(header.into()).unwrap_or_else(|e| panic!("{origin}: {e}"));
    let text = if header.escapes { unescape(text) } else { text.to_owned() };
    Attack { name: format!("{folder}/{name}"), header, text }
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, length) = match rest.as_bytes().get(1) {
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(b'n') => ('\n', 2),
            Some(b'0') => ('\0', 2),
            Some(b'\\') => ('\\', 2),
            Some(b'u') => {
                let end = rest.find('}').unwrap();
                let code = u32::from_str_radix(&rest[3..end], 16).unwrap();
                (char::from_u32(code).unwrap(), end + 1)
            }
            other => panic!("`\\{}` is no escape", other.copied().unwrap_or(b' ') as char),
        };
        out.push(c);
        rest = &rest[length..];
    }
    out + rest
}
