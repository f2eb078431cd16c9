//! Any bytes are a document; reading never fails, and a block behind them is one entry more.

use discussions::transcript::{Draft, EntryKind, MarkerSet, Name, NewComment, glue, parse, render};

/// Panics where the property does not hold.
pub(crate) fn hold(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let before = parse(&*text);
    let markers = MarkerSet::default();
    for entry in &before.entries {
        assert!(text.get(entry.span.clone()).is_some(), "a span cuts a character");
        if let EntryKind::Comment(comment) = &entry.kind {
            let body = comment.read(&markers);
            assert!(body.marks.iter().all(|mark| mark.line >= entry.line));
        }
    }
    let draft = Draft::Comment(NewComment::by(Name::parse("Rob").expect("a name"), "next"));
    let after = format!("{text}{}{}", glue(&text, &draft), render(&draft));
    let after = parse(&after);
    assert_eq!(after.entries.len(), before.entries.len() + 1, "not one entry more");
    assert_eq!(after.preamble_text(), before.preamble_text());
    for (old, new) in before.entries.iter().zip(&after.entries) {
        let same = match (&old.kind, &new.kind) {
            (EntryKind::Comment(a), EntryKind::Comment(b)) => {
                (&a.name, a.body(), a.acknowledged(), a.mixed)
                    == (&b.name, b.body(), b.acknowledged(), b.mixed)
            }
            (EntryKind::Control(a), EntryKind::Control(b)) => a == b,
            (EntryKind::Stray(a), EntryKind::Stray(b)) => a == b,
            _ => false,
        };
        assert!(same, "an earlier entry changed its meaning: {old:?} {new:?}");
    }
}
