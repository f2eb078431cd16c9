use super::*;

fn excerpt(text: &str) -> Excerpt {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md");
    std::fs::write(&path, text).unwrap();
    excerpt_at(&ProjectPlace::follow(&path)).unwrap()
}

fn long(middle: &str) -> String {
    let head = "<!-- DISCUSSION\ntemplate: feature\n-->\n\n# A\n\nWhat it is about.\n\n---\n\nName: Ann\n\nFirst.\n\n";
    let more = format!("---\n\nName: Rob\n\n{}\n\n", "word ".repeat(2000)).repeat(500);
    format!("{head}{middle}{more}---\n\nName: Ann\n\nLast.\n\n---\n")
}

#[test]
fn short_file_is_read_completely() {
    let text = "# A\n\n---\n\nName: Rob\n\nHello.\n\n---\n";
    let excerpt = excerpt(text);
    assert!(excerpt.is_whole);
    assert_eq!(excerpt.document.text.as_str(), text);
}

#[test]
fn long_file_is_read_as_its_head_and_last_comments() {
    let text = long("");
    let excerpt = excerpt(&text);
    assert!(!excerpt.is_whole);
    assert_eq!(excerpt.length, text.len() as u64);
    assert!(excerpt.document.text.len() < 600_000);
    let read = parse(&excerpt.document.text);
    assert_eq!(read.title(), Some("A"));
    assert!(read.preamble_text().contains("What it is about."));
    assert_eq!(read.head.as_ref().unwrap().template.as_deref(), Some("feature"));
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    let count = excerpt.document.text.matches("Name: Rob").count();
    assert!((30..60).contains(&count), "{count}");
    assert!(!excerpt.document.text.contains("First.") && text.ends_with("Last.\n\n---\n"));
}

#[test]
fn long_file_without_a_late_comment_is_read_completely() {
    let text = format!("# A\n\n{}", "word\n".repeat(1 << 20));
    assert!(excerpt(&text).is_whole);
}
