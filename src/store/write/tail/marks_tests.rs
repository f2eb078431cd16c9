use super::*;

#[test]
fn mark_counts_only_at_the_beginning_of_a_line() {
    for text in ["<<<<<<< a", "x\n=======\n", "x\r\n>>>>>>> b", "\u{FEFF}<<<<<<< a"] {
        assert!(may_hold_marks(text.as_bytes()), "{text:?}");
    }
    for text in ["", "x <<<<<<< a", " =======", "\n >>>>>>> b", "a\n======\n"] {
        assert!(!may_hold_marks(text.as_bytes()), "{text:?}");
    }
}

#[test]
fn end_of_a_long_file_is_searched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md");
    let comment = "---\n\nName: Rob\n\nMore words than one.\n\n";
    let text = format!("# A\n\n{}", comment.repeat(60_000));
    let looked = |text: &str| {
        std::fs::write(&path, text).unwrap();
        conflict_at(&ProjectPlace::follow(&path)).unwrap()
    };
    assert_eq!(looked(&text), None);
    let marked = format!("{text}<<<<<<< HEAD\n{comment}=======\n{comment}>>>>>>> main\n");
    assert_eq!(looked(&marked), Some(text.lines().count() + 1));
}
