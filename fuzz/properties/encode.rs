//! Any text can be a comment's body: it reads back exactly, and is one comment and nothing else.

use discussions::transcript::{
    Draft, EntryKind, Name, NewComment, append, canon, decode, encode, parse,
};

/// Panics where the property does not hold.
pub(crate) fn hold(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let canonical = canon(&text);
    assert_eq!(canon(&canonical), canonical, "canon is not idempotent");
    assert_eq!(decode(&encode(&text)), canonical, "decoding is not exact");
    let shown = |c: char| c == '\n' || c == '\t' || !c.is_control();
    assert!(canonical.chars().all(shown), "a control character is left");

    let draft = Draft::Comment(NewComment::by(Name::parse("Rob").expect("a name"), text));
    let head = "# A\n\n---\n";
    let document = format!("{head}{}", append(head, &[draft]));
    let read = parse(&document);
    let [entry] = read.entries.as_slice() else { panic!("{} entries", read.entries.len()) };
    let EntryKind::Comment(comment) = &entry.kind else { panic!("no comment") };
    assert_eq!(comment.name.as_str(), "Rob");
    assert!(comment.reply.is_none() && comment.restored.is_none() && comment.summary.is_none());
    assert!(!comment.mixed, "its votes would not count");
}
