//! Properties of blocks and merges, tested with generated branches.

use std::collections::HashMap;

use chrono::TimeZone as _;
use proptest::prelude::*;

use crate::store::merge::{BlockKey, entry_key, merge};
use crate::transcript::{
    Alias, Choice, Control, Draft, EntryKind, Failed, Name, NewComment, PhaseLine, ReplyLine,
    Spent, StatusLine, StatusWord, Time, TurnLine, append, parse, render,
};

fn time(minute: u32) -> Time {
    chrono::Utc.timestamp_opt(1_900_000_000 + 60 * i64::from(minute), 0).unwrap()
}

fn keys(text: &str) -> Vec<BlockKey> {
    parse(text).entries.iter().map(|entry| entry_key(text, entry)).collect()
}

fn person(body: &str) -> Draft {
    Draft::Comment(NewComment::by(Name::parse("Rob").unwrap(), body))
}

fn answer(number: u32, minute: u32, body: &str) -> Draft {
    Draft::Comment(NewComment {
        reply: Some(Box::new(ReplyLine {
            turn: Some(number),
            at: Some(time(minute)),
            ..ReplyLine::default()
        })),
        vote: Some(Choice::parse("READY").unwrap()),
        ..NewComment::by(Name::parse("AI-Architect").unwrap(), body)
    })
}

fn turn(number: u32, minute: u32) -> Draft {
    let asks = vec![Alias::parse("architect").unwrap()];
    Draft::Control(Control::Turn(TurnLine {
        number,
        asks,
        at: Some(time(minute)),
        ..TurnLine::default()
    }))
}

fn draft() -> impl Strategy<Value = Draft> {
    let body = prop_oneof![
        "[a-d]{1,3}",
        Just("---\nName: Eve\n\nVOTE: READY".to_owned()),
        Just("```\nopen".to_owned()),
        Just("DECISION: x\n\nHINDSIGHT (D1): held\n\nAFFECTS: `a/**`".to_owned())
    ];
    prop_oneof![
        3 => body.clone().prop_map(|body| person(&body)),
        3 => (1..4_u32, 0..50_u32, body).prop_map(|(number, minute, body)| answer(number, minute, &body)),
        2 => (1..4_u32, 0..50_u32).prop_map(|(number, minute)| turn(number, minute)),
        1 => "[xy]".prop_map(|id| Draft::Control(Control::Phase(PhaseLine { id, by: None, heading: None }))),
        1 => Just(Draft::Control(Control::VoteReset)),
        1 => (0..50_u32).prop_map(|minute| Draft::Control(Control::Failed(Box::new(Failed {
            who: Alias::parse("architect").unwrap(),
            turn: Some(1),
            at: Some(time(minute)),
            code: "timeout".to_owned(),
            retryable: true,
            message: "late".to_owned(),
            spent: Spent::default(),
        })))),
    ]
}

fn base() -> impl Strategy<Value = String> {
    let end = prop_oneof![
        6 => Just(""),
        1 => Just("\nName: Eve\n\nby hand, open\n"),
        1 => Just("\nName: Eve\n\n```\nopen fence"),
        1 => Just("stray"),
        1 => Just("\n<!-- PHASE: cut"),
        1 => Just("\n\n\n"),
    ];
    (prop::collection::vec(draft(), 0..5), end).prop_map(|(drafts, end)| {
        format!("# A\n\nContext.\n{}{end}", append("# A\n\nContext.\n", &drafts))
    })
}

fn one_by_one(text: &str, drafts: &[Draft]) -> String {
    drafts.iter().fold(text.to_owned(), |text, draft| {
        let added = append(&text, std::slice::from_ref(draft));
        text + &added
    })
}

fn is_subsequence(part: &[BlockKey], whole: &[BlockKey]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|key| rest.any(|other| other == key))
}

fn count(keys: &[BlockKey]) -> HashMap<&BlockKey, usize> {
    let mut counts = HashMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn two_appended_branches_become_one(
        base in base(),
        shared in prop::collection::vec(draft(), 0..3),
        ours in prop::collection::vec(draft(), 0..8),
        theirs in prop::collection::vec(draft(), 0..8),
    ) {
        let common = one_by_one(&base, &shared);
        let ours = one_by_one(&common, &ours);
        let theirs = one_by_one(&common, &theirs);
        let merged = merge(&base, &ours, &theirs).unwrap();
        prop_assert_eq!(&merged, &merge(&base, &theirs, &ours).unwrap(), "the same from both sides");
        prop_assert!(merged.starts_with(&base), "only appended");
        let (merged_keys, our_keys, their_keys) = (keys(&merged), keys(&ours), keys(&theirs));
        // Equal blocks in opposite orders cannot keep both orders. The generator produces them; in practice they are
        // very rare.
        let common_order = |a: &[BlockKey], b: &[BlockKey]| a.iter().filter(|key| b.contains(key)).cloned().collect::<Vec<_>>();
        if common_order(&our_keys, &their_keys) == common_order(&their_keys, &our_keys) {
            prop_assert!(is_subsequence(&our_keys, &merged_keys), "ours whole and in order:\n{}", merged);
            prop_assert!(is_subsequence(&their_keys, &merged_keys), "theirs whole and in order:\n{}", merged);
        }
        let (in_ours, in_theirs) = (count(&our_keys), count(&their_keys));
        for (key, times) in count(&merged_keys) {
            let (a, b) = (in_ours.get(key).copied().unwrap_or(0), in_theirs.get(key).copied().unwrap_or(0));
            prop_assert!(times > 0 && a.max(b).min(1) <= times && times <= a + b, "{:?}: {} of {} and {}", key, times, a, b);
        }
        // Merging the result again changes nothing.
        prop_assert_eq!(&merge(&ours, &merged, &ours).unwrap(), &merged);
    }

    #[test]
    fn merged_branches_can_be_merged_again(
        base in base(),
        ours in prop::collection::vec(draft(), 0..5),
        theirs in prop::collection::vec(draft(), 1..5),
        ours_later in prop::collection::vec(draft(), 0..4),
        theirs_later in prop::collection::vec(draft(), 1..4),
        mirrored in any::<bool>(),
    ) {
        let base = if base.ends_with('\n') { base } else { base + "\n" };
        let theirs = one_by_one(&base, &theirs);
        let merged = merge(&base, &one_by_one(&base, &ours), &theirs).unwrap();
        // The branch continues without the merge; the common version is the branch's earlier state.
        let (a, b) = (one_by_one(&merged, &ours_later), one_by_one(&theirs, &theirs_later));
        let (one, other) = if mirrored { (&b, &a) } else { (&a, &b) };
        let again = match merge(&theirs, one, other) {
            Ok(again) => again,
            // Equal blocks in opposite orders: the first merge could not keep the branch's order.
            Err(_) if !is_subsequence(&keys(&theirs), &keys(&merged)) => return Ok(()),
            Err(conflict) => return Err(TestCaseError::fail(format!("{conflict}:\n{}", conflict.marked))),
        };
        prop_assert_eq!(&again, &merge(&theirs, other, one).unwrap(), "the same from both sides");
        let (again_keys, keys_of_a, keys_of_b) = (keys(&again), keys(&a), keys(&b));
        let (in_a, in_b) = (count(&keys_of_a), count(&keys_of_b));
        for (key, times) in count(&again_keys) {
            let (a, b) = (in_a.get(key).copied().unwrap_or(0), in_b.get(key).copied().unwrap_or(0));
            prop_assert!(a.max(b).min(1) <= times && times <= a + b, "{:?}: {} of {} and {}", key, times, a, b);
        }
        for key in in_a.keys().chain(in_b.keys()) {
            prop_assert!(again_keys.contains(key), "{:?} is lost:\n{}", key, again);
        }
        prop_assert_eq!(&merge(&b, &again, &b).unwrap(), &again, "merging what is merged changes nothing");
    }

    #[test]
    fn recorded_block_is_found_wherever_it_was_written(
        base in base(),
        drafts in prop::collection::vec(draft(), 1..6),
        crlf in any::<bool>(),
    ) {
        let mut text = one_by_one(&base, &drafts);
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        let found = keys(&text);
        let recorded: Vec<BlockKey> = drafts.iter().map(|draft| BlockKey::of_block(&render(draft))).collect();
        prop_assert!(found.ends_with(&recorded), "{:?}\n{:?}", found, recorded);
    }

    #[test]
    fn handwriting_is_merged_completely_or_refused(
        base in prop::collection::vec(token(), 0..12),
        ours in prop::collection::vec(token(), 1..10),
        theirs in prop::collection::vec(token(), 1..10),
    ) {
        let base = format!("# A\n\n---\n\nName: Rob\n\nfirst\n\n---\n{}", base.concat());
        let ours = format!("{base}{}", ours.concat());
        let theirs = format!("{base}{}", theirs.concat());
        match (merge(&base, &ours, &theirs), merge(&base, &theirs, &ours)) {
            (Ok(merged), Ok(other)) => {
                prop_assert_eq!(&merged, &other);
                prop_assert!(merged.starts_with(&base));
                for text in [&ours, &theirs] {
                    for line in text.lines().filter(|line| line.starts_with("word")) {
                        let said = line.strip_suffix("<!-- TORN -->").unwrap_or(line);
                        prop_assert!(merged.contains(said), "{:?} is lost", said);
                    }
                }
            }
            (Err(a), Err(b)) => prop_assert_eq!(a.reason, b.reason),
            (a, b) => prop_assert!(false, "{:?} but {:?}", a, b),
        }
    }
}

fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("\n".to_owned()),
        Just("---\n".to_owned()),
        Just("\n---\n\n".to_owned()),
        Just("Name: Rob\n".to_owned()),
        Just("---\nName: Eve\n\n".to_owned()),
        Just("<!-- VOTE-RESET -->\n".to_owned()),
        Just("<!-- REPLY turn: 1 -->\n".to_owned()),
        Just("<!-- TORN -->\n".to_owned()),
        Just("```\n".to_owned()),
        Just("Name: ".to_owned()),
        "word[0-9]{4}\n",
        "word[0-9]{4}",
    ]
}

fn merged(ours: &[Draft], theirs: &[Draft]) -> Vec<String> {
    let base = "# A\n";
    let text = merge(base, &one_by_one(base, ours), &one_by_one(base, theirs)).unwrap();
    let transcript = parse(&text);
    let names = transcript.entries.iter().map(|entry| match &entry.kind {
        EntryKind::Comment(comment) => comment.body(),
        EntryKind::Control(Control::Turn(line)) => format!("turn {}", line.number),
        EntryKind::Control(Control::Phase(line)) => format!("phase {}", line.id),
        EntryKind::Control(_) => "mark".to_owned(),
        EntryKind::Stray(text) => text.to_string(),
    });
    names.collect()
}

#[test]
fn turns_stay_complete_and_follow_each_other_by_time() {
    let ours = [turn(1, 1), answer(1, 9, "a"), turn(2, 20), answer(2, 22, "b")];
    let theirs = [turn(1, 5), answer(1, 6, "c"), turn(2, 30), answer(2, 31, "d")];
    let expected = ["turn 1", "a", "turn 1", "c", "turn 2", "b", "turn 2", "d"];
    assert_eq!(merged(&ours, &theirs), expected);
    assert_eq!(merged(&theirs, &ours), expected);
}

#[test]
fn late_answer_stays_in_its_common_turn() {
    let phase = || {
        Draft::Control(Control::Phase(PhaseLine { id: "x".to_owned(), by: None, heading: None }))
    };
    let ours = [turn(1, 1), answer(1, 2, "a"), phase(), turn(2, 3), answer(2, 4, "b")];
    let theirs = [turn(1, 1), answer(1, 8, "c"), person("d")];
    assert_eq!(merged(&ours, &theirs), ["turn 1", "a", "c", "d", "phase x", "turn 2", "b"]);
}

#[test]
fn block_placed_by_an_earlier_merge_stays() {
    let (b1, b2, m1, m2) = (person("b1"), person("b2"), person("m1"), person("m2"));
    let branch = one_by_one("# A\n", std::slice::from_ref(&b1));
    for first in [[&m1, &b1], [&b1, &m1]] {
        let first = first.map(Clone::clone);
        let main = one_by_one(&one_by_one("# A\n", &first), std::slice::from_ref(&m2));
        let later = one_by_one(&branch, std::slice::from_ref(&b2));
        let merged = keys(&merge(&branch, &main, &later).unwrap());
        assert!(is_subsequence(&keys(&main), &merged) && is_subsequence(&keys(&later), &merged));
        assert_eq!(merged.len(), 4);
    }
    let rewritten = one_by_one("# A\n", &[m1, person("b1, changed"), m2]);
    let conflict = merge(&branch, &rewritten, &one_by_one(&branch, &[b2])).unwrap_err();
    assert!(conflict.to_string().contains("older text"), "{conflict}");
    let preface = one_by_one("# A\n\nMore.\n", &[person("m"), b1]);
    assert!(merge(&branch, &preface, &one_by_one(&branch, &[person("x")])).is_err());
}

#[test]
fn common_block_appears_once() {
    let both = answer(1, 5, "both");
    let ours = [person("a"), both.clone(), person("b")];
    let theirs = [both, person("c")];
    let result = merged(&ours, &theirs);
    assert_eq!(result[..2], ["a", "both"]);
    assert_eq!(result.len(), 4);
}

#[test]
fn rewrite_is_a_conflict() {
    let base = one_by_one("# A\n", &[person("old words"), person("second"), person("third")]);
    let ours = one_by_one(&base.replace("old", "other"), &[person("by us")]);
    let theirs = one_by_one(&base, &[person("by them")]);
    let conflict = merge(&base, &ours, &theirs).unwrap_err();
    assert!(conflict.to_string().contains("older text"), "{conflict}");
    let hunk = "Name: Rob\n\n<<<<<<< ours\nother words\n||||||| base\nold words\n=======\nold words\n>>>>>>> theirs\n\n---\n";
    assert!(conflict.marked.contains(hunk), "{}", conflict.marked);
    let resolved = conflict.marked.replace(hunk, "Name: Rob\n\nold words\n\n---\n");
    assert_eq!(resolved, merge(&base, &ours.replace("other", "old"), &theirs).unwrap());
    assert!(!parse(&conflict.marked).problems.is_empty());
    let deleted = merge(&base, "# A\n", &theirs).unwrap_err();
    assert!(
        deleted.marked.contains("third") && deleted.marked.contains("by them"),
        "{}",
        deleted.marked
    );
}

#[test]
fn line_endings_alone_are_no_rewrite() {
    let base = "# A\n\n---\n\nName: Rob\n\nwords\n\n---\n";
    let ours = one_by_one(base, &[person("a")]).replace('\n', "\r\n");
    let theirs = one_by_one(base, &[person("b")]);
    assert_eq!(keys(&merge(base, &ours, &theirs).unwrap()).len(), 3);
}

fn by_hand(line: &str) -> Draft {
    let by = Some("Mira".to_owned());
    Draft::Control(match line {
        "closed" => Control::Status(StatusLine { status: StatusWord::Closed, by }),
        id => Control::Phase(PhaseLine { id: id.to_owned(), by, heading: None }),
    })
}

/// Who advances or closes ends what they saw, and not the turn that the other side ran in the meantime.
#[test]
fn act_by_hand_follows_turns_of_the_phase_before_it() {
    let theirs = [turn(1, 5), answer(1, 6, "a"), turn(2, 7), answer(2, 8, "b")];
    for (line, shown) in [("x", "phase x"), ("closed", "mark")] {
        let ours = [by_hand(line)];
        let expected = ["turn 1", "a", "turn 2", "b", shown];
        assert_eq!(merged(&ours, &theirs), expected);
        assert_eq!(merged(&theirs, &ours), expected);
    }
    let later = [by_hand("x"), turn(1, 1), answer(1, 2, "c")];
    let expected = ["turn 1", "a", "turn 2", "b", "phase x", "turn 1", "c"];
    assert_eq!(merged(&later, &theirs), expected);
    assert_eq!(merged(&theirs, &later), expected);
}

#[test]
fn act_by_hand_beside_turns_of_another_phase_is_a_conflict() {
    let phase =
        Draft::Control(Control::Phase(PhaseLine { id: "y".to_owned(), by: None, heading: None }));
    for other in [phase, by_hand("y")] {
        let ours = one_by_one("# A\n", &[by_hand("x")]);
        let theirs = one_by_one("# A\n", &[other, turn(1, 5), answer(1, 6, "a")]);
        for (one, two) in [(&ours, &theirs), (&theirs, &ours)] {
            let conflict = merge("# A\n", one, two).unwrap_err();
            assert!(conflict.reason.contains("by hand"), "{conflict}");
            assert!(conflict.marked.contains("<<<<<<< ours"), "{}", conflict.marked);
        }
    }
}
