use super::*;

fn tail_of(bytes: &[u8]) -> Result<String, StoreError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let open = File::open(file.path()).unwrap();
    tail(&open, bytes.len() as u64, file.path()).map(|tail| tail.text)
}

fn comment(body: &str) -> String {
    format!("Name: Rob\n\n{body}\n\n---\n")
}

#[test]
fn short_file_is_read_completely() {
    assert_eq!(tail_of(b"# A\n").unwrap(), "# A\n");
    assert_eq!(tail_of(b"").unwrap(), "");
}

#[test]
fn long_file_is_read_from_a_comment_near_its_end() {
    let text = format!("# A\n\n---\n\n{}", format!("{}\n", comment(&"ä".repeat(900))).repeat(100));
    let tail = tail_of(text.as_bytes()).unwrap();
    assert!(tail.len() < WINDOW as usize && text.ends_with(&tail));
    assert!(tail.starts_with("---\n\nName: Rob\n"), "{}", &tail[..40]);
}

#[test]
fn comment_longer_than_the_window_is_read_completely() {
    let long = comment(&"word ".repeat(50_000));
    let text = format!("# A\n\n---\n\n{}\n{long}", comment("short"));
    assert!(tail_of(text.as_bytes()).unwrap().ends_with(&long));
}

#[test]
fn invalid_bytes_matter_only_in_the_parsed_part() {
    let mut early = b"# A \xff\n\n---\n\n".to_vec();
    early.extend(comment("one").bytes());
    assert!(tail_of(&early).unwrap().starts_with("---\n\nName: Rob"));
    let mut late = early.clone();
    late.extend(b"\nName: Rob\n\n\xff\n");
    assert!(matches!(tail_of(&late), Err(StoreError::NotText { .. })));
    early.extend(b"\nName: Rob\n\n\0\n");
    assert!(matches!(tail_of(&early), Err(StoreError::NotText { .. })));
}
