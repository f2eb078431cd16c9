//! Hostile merge sides: text that another branch appended.

use discussions::store::merge;
use discussions::transcript::{Draft, Entry, NewComment, Transcript, append, parse};

use super::normal::{Normal, name};
use super::{Attack, Outcome};

pub(super) fn attack(attack: &Attack, normal: &Normal) -> Result<(), String> {
    let base = normal.discussion(&attack.header.template);
    let ours =
        base.clone() + &append(&base, &[Draft::Comment(NewComment::by(name("Ann"), "ours"))]);
    let theirs = base.clone() + &attack.text;
    let (merged, other) = (merge(&base, &ours, &theirs), merge(&base, &theirs, &ours));
    let (merged, other) = match (merged, other) {
        (Ok(merged), Ok(other)) if attack.header.outcome == Outcome::Recorded => (merged, other),
        (Err(a), Err(_)) if attack.header.outcome == Outcome::Refused => {
            // The file contains both versions, and no vote in the conflict counts.
            let voters = normal.look(&a.marked, |it| it.state.ballot.votes.len());
            let before = normal.look(&base, |it| it.state.ballot.votes.len());
            return if voters <= before && a.marked.contains("ours") {
                Ok(())
            } else {
                Err(format!("a conflict adds votes or loses text:\n{}", a.marked))
            };
        }
        (a, b) => return Err(format!("{a:?}\n{b:?}")),
    };
    if merged != other {
        return Err(format!("the sides are not alike:\n{merged}\n-----\n{other}"));
    }
    let old = parse(&base).entries.len();
    let (ours, theirs, both) = (parse(&ours), parse(&theirs), parse(&merged));
    let new = |transcript: &Transcript| -> Vec<String> {
        transcript.entries[old..].iter().map(|entry| meaning(transcript, entry)).collect()
    };
    let mut expected = [new(&ours), new(&theirs)].concat();
    let mut found = new(&both);
    expected.sort();
    found.sort();
    if found != expected {
        return Err(format!("other entries: {found:#?}\ninstead of {expected:#?}\n{merged}"));
    }
    Ok(())
}

fn meaning(transcript: &Transcript, entry: &Entry) -> String {
    use discussions::transcript::EntryKind;
    match &entry.kind {
        EntryKind::Comment(comment) => format!(
            "{} {:?} {:?} {} {} {}",
            comment.name,
            comment.body(),
            comment.closing_vote(),
            comment.acknowledged(),
            comment.mixed,
            comment.reply.is_some()
        ),
        _ => transcript.text[entry.span.clone()].to_owned(),
    }
}
