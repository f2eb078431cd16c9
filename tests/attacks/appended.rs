//! Hostile answers and comments.

use discussions::engine::{AnswerSpec, Reading, read};
use discussions::problem::Severity;
use discussions::state::Speaker;
use discussions::transcript::{
    Alias, Control, Draft, Entry, EntryKind, NewComment, Pass, ReplyLine, Spent, glue, parse,
    render,
};

use super::normal::{ATTACKER, Normal, check_prompt, name, without};
use super::{Attack, Channel, Outcome, rendered};

pub(super) fn attack(attack: &Attack, normal: &Normal) -> Result<(), String> {
    let before = normal.discussion(&attack.header.template);
    let Some(draft) = draft(attack, normal, &before)? else { return Ok(()) };
    let between = glue(&before, &draft);
    let head = before.len() + between.len();
    let after = format!("{before}{between}{}", render(&draft));
    attack.stands_in(&after)?;
    only_this_was_added(attack, normal, &before, &after, &draft)?;
    let own = |entry: Option<&Entry>| match entry.map(|entry| &entry.kind) {
        Some(EntryKind::Comment(comment)) => comment.body(),
        _ => String::new(),
    };
    rendered::nothing_deceives(&own(parse(&after).entries.last()))?;
    if matches!(draft, Draft::Comment(_)) {
        rendered::head_is_top_level(&after, head)?;
        rendered::all_is_seen(&after, head..after.len(), &attack.text, &attack.header.markup)?;
    }
    check_prompt(normal, &after)?;
    let parsed = parse(&after);
    next_stands_alone(&after, parsed.entries.len())?;
    cut_anywhere(&before, &after)
}

/// Passes the text through its channel; returns `None` if the channel refuses it as expected.
pub(crate) fn draft(
    attack: &Attack,
    normal: &Normal,
    before: &str,
) -> Result<Option<Draft>, String> {
    let expected = attack.header.outcome;
    if attack.header.channel == Channel::Comment {
        return Ok(Some(Draft::Comment(NewComment::by(name("Rob"), &attack.text))));
    }
    let wanted = normal.look(before, |snapshot| {
        let turn = snapshot.state.turns.last().unwrap();
        AnswerSpec::of(snapshot, turn, &Alias::parse(ATTACKER).unwrap())
    });
    let (reading, outcome) = match read(&attack.text, &wanted) {
        Ok(Reading::Pass) => (Some(Reading::Pass), Outcome::Pass),
        Ok(answer) => (Some(answer), Outcome::Recorded),
        Err(again) => (again.keep, Outcome::Again),
    };
    if outcome != expected {
        return Err(format!("{outcome:?} instead of {expected:?}: {reading:?}"));
    }
    let spent = Spent::default();
    Ok(reading.map(|reading| match reading {
        Reading::Pass => Draft::Control(Control::Pass(Box::new(Pass {
            who: Alias::parse(ATTACKER).unwrap(),
            turn: Some(1),
            at: None,
            spent,
        }))),
        Reading::Answer { body, vote, .. } => Draft::Comment(NewComment {
            reply: Some(Box::new(ReplyLine { turn: Some(1), spent, ..ReplyLine::default() })),
            vote,
            ..NewComment::by(name("AI-Security"), body)
        }),
    }))
}

fn only_this_was_added(
    attack: &Attack,
    normal: &Normal,
    before: &str,
    after: &str,
    draft: &Draft,
) -> Result<(), String> {
    let (old, new) = (parse(before), parse(after));
    if new.entries.len() != old.entries.len() + 1 {
        return Err(format!("{} entries instead of {}", new.entries.len(), old.entries.len() + 1));
    }
    let changed =
        old.entries.iter().zip(&new.entries).find(|(a, b)| format!("{a:?}") != format!("{b:?}"));
    if changed.is_some() || old.head != new.head || old.preamble_text() != new.preamble_text() {
        return Err(format!("something earlier changed: {changed:?}"));
    }
    let speaker = match draft {
        Draft::Comment(comment) if comment.reply.is_none() => Speaker::Person(comment.name.clone()),
        _ => Speaker::Persona(Alias::parse(ATTACKER).unwrap()),
    };
    if let (Draft::Comment(draft), Some(EntryKind::Comment(comment))) =
        (draft, new.entries.last().map(|entry| &entry.kind))
        && (comment.name != draft.name || comment.reply != draft.reply || comment.mixed)
    {
        return Err(format!("the entry is another: {comment:?}"));
    }
    let (was, _) = normal.look(before, |it| (without(&it.state, &speaker), ()));
    normal.look(after, |it| {
        let now = without(&it.state, &speaker);
        if now != was {
            return Err(format!("the state was forged:\n{was}\n{now}"));
        }
        let vote = it.state.ballot.of(&speaker).filter(|vote| vote.line > before.lines().count());
        let (vote, expected) =
            (vote.map(|vote| vote.choice.as_str()), attack.header.vote.as_deref());
        if vote != expected {
            return Err(format!(
                "the vote is {vote:?} instead of {expected:?}:\n{}",
                &after[before.len()..]
            ));
        }
        let earlier = |line: usize| line > 0 && line <= before.lines().count();
        let error = it.state.problems.iter().find(|problem| problem.severity == Severity::Error);
        match error
            .filter(|problem| problem.code.as_str() != "vote-lookalike" || earlier(problem.line))
        {
            Some(problem) => Err(format!("what the program wrote has errors: {problem:?}")),
            None => Ok(()),
        }
    })
}

/// Checks that a later comment adds exactly one entry with a visible head.
fn next_stands_alone(text: &str, entries: usize) -> Result<(), String> {
    let next = Draft::Comment(NewComment::by(name("Ann"), "next"));
    let between = glue(text, &next);
    let head = text.len() + between.len();
    let text = format!("{text}{between}{}", render(&next));
    let parsed = parse(&text);
    match parsed.entries.last().map(|entry| &entry.kind) {
        Some(EntryKind::Comment(comment))
            if parsed.entries.len() == entries + 1 && comment.body() == "next" => {}
        _ => return Err(format!("the next comment is not read:\n{text}")),
    }
    rendered::head_is_top_level(&text, head)
}

/// Checks that a partly written text counts for nothing, and that the next comment is separate from it.
fn cut_anywhere(before: &str, after: &str) -> Result<(), String> {
    let entries = parse(before).entries.len();
    for part in 1..8 {
        let cut = after.floor_char_boundary(before.len() + (after.len() - before.len()) * part / 8);
        let torn = &after[..cut];
        let found = parse(torn);
        let counts = found.entries.iter().skip(entries).any(|entry| match &entry.kind {
            EntryKind::Comment(comment) => comment.reply.is_some() && comment.acknowledged(),
            EntryKind::Control(_) => true,
            EntryKind::Stray(_) => false,
        });
        if counts {
            return Err(format!("cut at byte {cut}, it counts:\n{torn}"));
        }
        next_stands_alone(torn, found.entries.len())?;
    }
    Ok(())
}
