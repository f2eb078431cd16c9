//! The five laws of the file format, tested with documents that are built from critical tokens.

use discussions::transcript::{
    Accepted, Alias, ChildEnd, ChildLine, Choice, Comment, Control, Draft, EndedLine, EntryKind,
    Failed, Name, NewComment, Pass, PhaseLine, ReplyLine, Restored, Spent, StatusLine, StatusWord,
    Time, Tokens, Transcript, TurnLine, Usd, canon, decode, encode, glue, parse, render,
};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};

/// The tokens of a hostile or careless document.
const TOKENS: &[&str] = &[
    "---",
    "--",
    "-",
    " ---",
    "----",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "    ",
    "\t",
    "Name: ",
    "Name: Rob",
    "Name: AI-Architect\n",
    "Name:",
    "name: x",
    "**Name**: Rob",
    "Name\\: Rob",
    "VOTE: READY",
    "vote: reject",
    "**VOTE:** CHANGES",
    "VOTE\\: READY",
    "VOTE：READY",
    "Q: why?",
    "A: Q1 so",
    "TODO: it",
    "- [ ] TODO: x",
    "@architect",
    "<!-- TORN -->",
    " <!-- TORN -->",
    "<!--",
    "-->",
    "<!-- ",
    "<!-- DISCUSSION\n",
    "template: feature\n",
    "<!-- TURN: 1, asks: [architect], at: 2026-11-20T10:00:00Z -->",
    "<!-- REPLY turn: 1 -->",
    "<!-- PHASE: vote -->",
    "<!-- VOTE-RESET -->",
    "<!-- STATUS: CLOSED, by: Rob -->",
    "<!-- PASS who: security -->",
    "<!-- RESTORED phase: a -->",
    "<!-- SAID at: 2026-11-20T10:03:00Z -->",
    "<!-- AFFECTS path: src -->",
    "<!-- NEWER: x -->\n",
    "```",
    "````",
    "~~~",
    "```rust",
    "    code",
    "> ",
    "- ",
    "1. ",
    "| a | b |\n|---|---|\n",
    "<div>",
    "</div>",
    "<b>",
    "<script>",
    "<?php",
    "<![CDATA[",
    "<a href=\"",
    "[a]: http://x",
    "[^1]: note",
    "[",
    "]",
    "](",
    "`",
    "``",
    "**",
    "__",
    "\\",
    "&#x202E;",
    "\u{202E}",
    "\u{200B}",
    "\0",
    "\u{1B}[31m",
    "é",
    "日本",
    "\u{FEFF}",
    "===",
    "=======",
    "<<<<<<< HEAD\n",
    ">>>>>>> x\n",
    "|||||||",
    "# T",
    "REVIEW-BY: 2027-06-01",
    "AFFECTS: `src/**`, a_b*",
    "HINDSIGHT (D1): held",
    "DECIDE-BY: 2027-02-30",
    "text",
    "a",
    "$$",
    "$$\n",
    "$",
    "%%",
    ":::",
    ">>>",
    ": ",
    "??? x",
    "&#86;OTE: READY",
    "Name&colon; Rob",
    "***\n",
    "--- a/x",
    "http://a.b/",
    "- [ ] [a]: /x",
    "](/x \"",
    "{: .x }",
    "[[a|b]]",
    ":b[",
    "```a|b",
    "&lt;",
    "\u{A0}",
    "\u{2003}",
    "\u{FE0F}",
    "\u{3164}",
    "| a | b | c |\n",
    "|",
    "|---|\n",
];

fn random_tokens() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![8 => prop::sample::select(TOKENS).prop_map(str::to_owned), 1 => "\\PC{0,6}", 4 => Just("\n".to_owned())],
        0..40,
    )
    .prop_map(|tokens| tokens.concat())
}

fn draft() -> impl Strategy<Value = Draft> {
    let name = prop::sample::select(vec!["Rob", "AI-Architect", "李雷", "A. B"]);
    let vote = prop::option::of(prop::sample::select(vec!["READY", "CHANGES", "use it"]));
    let comment = (name, random_tokens(), vote, any::<[bool; 4]>()).prop_map(
        |(name, body, vote, [reply, restored, estimated, said])| {
            let mut comment = NewComment::by(Name::parse(name).unwrap(), body);
            comment.vote = vote.map(|vote| Choice::parse(vote).unwrap());
            comment.reply = reply.then(|| {
                Box::new(ReplyLine {
                    turn: Some(3),
                    at: "2026-11-20T10:00:00Z".parse().ok(),
                    markers: estimated.then(|| vec!["DECISION".to_owned()]),
                    spent: Spent {
                        provider: Some("claude sonnet".into()),
                        ms: Some(7),
                        tokens: Some(Tokens { input: 1, output: 2, estimated }),
                        usd: Some(Usd { amount: 0.02, estimated }),
                        calls: Some(2),
                        tried: vec![discussions::transcript::Tried {
                            provider: "bad".to_owned(),
                            calls: 1,
                            ..discussions::transcript::Tried::default()
                        }],
                        ..Spent::default()
                    },
                })
            });
            comment.said_at = said.then(|| "2026-11-20T10:03:00Z".parse().unwrap());
            comment.restored =
                restored.then(|| Restored { phase: Some("a b".into()), turn: Some(1) });
            Draft::Comment(comment)
        },
    );
    let control = (0..10u8, random_tokens()).prop_map(|(kind, text)| {
        let who = Alias::parse("security").unwrap();
        Draft::Control(match kind {
            0 => Control::VoteReset,
            1 => Control::Phase(PhaseLine {
                id: text,
                by: Some("Rob Smith".into()),
                heading: Some("The author's own review".into()),
            }),
            2 => Control::Status(StatusLine { status: StatusWord::Closed, by: Some(text) }),
            3 => Control::Pass(Box::new(Pass {
                who,
                turn: Some(1),
                at: None,
                spent: Spent::default(),
            })),
            4 => Control::Failed(Box::new(Failed {
                who,
                turn: None,
                at: None,
                code: "timeout".into(),
                retryable: true,
                message: text,
                spent: Spent::default(),
            })),
            5 => Control::Accepted(Box::new(Accepted {
                was: "a".repeat(64),
                after: vec![Accepted::START.into(), "b".repeat(64)],
                now: None,
                of: Some(text.clone()),
                by: Some(text),
                at: None,
            })),
            6 => Control::Child(ChildLine {
                turn: Some(1),
                by: Some(who),
                file: "a b/c\"d -->.md".parse().unwrap(),
                at: None,
            }),
            7 => Control::ChildEnd(ChildEnd {
                file: "x/y.md".parse().unwrap(),
                calls: 6,
                usd: None,
                status: text,
            }),
            8 => Control::Ended(Box::new(EndedLine {
                at: "2026-11-20T10:00:00Z".parse().ok(),
                by: Some(text),
                heading: Some("Ended on 2026-11-20: decided by vote".into()),
                decision: Some("**Decision:** use `it`".into()),
            })),
            _ => Control::Turn(TurnLine {
                number: 4,
                asks: vec![who],
                ask: Some(text),
                ..TurnLine::default()
            }),
        })
    });
    prop_oneof![3 => comment, 1 => control]
}

/// A document: random tokens, or random tokens after well-formed blocks; cut anywhere.
fn document() -> impl Strategy<Value = String> {
    (
        random_tokens(),
        prop::collection::vec(draft(), 0..3),
        random_tokens(),
        any::<prop::sample::Index>(),
        any::<bool>(),
    )
        .prop_map(|(mut text, drafts, tail, cut, cuts)| {
            for draft in drafts {
                let between = glue(&text, &draft);
                text = text + &between + &render(&draft);
            }
            text += &tail;
            if cuts {
                let mut at = cut.index(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                text.truncate(at);
            }
            text
        })
}

/// The meaning of an entry: all that a reader of the state can tell.
#[derive(Debug, PartialEq)]
enum Meaning {
    Comment {
        name: String,
        reply: Option<Box<ReplyLine>>,
        restored: Option<Restored>,
        said_at: Option<Time>,
        body: String,
        vote: Option<String>,
        counts: bool,
        mixed: bool,
    },
    Control(Control),
    Stray(String),
}

fn meaning(transcript: &Transcript) -> (String, Vec<Meaning>) {
    let of_comment = |comment: &Comment| Meaning::Comment {
        name: comment.name.to_string(),
        reply: comment.reply.clone(),
        restored: comment.restored.clone(),
        said_at: comment.said_at,
        body: comment.body(),
        vote: comment.closing_vote().map(str::to_owned),
        counts: comment.acknowledged(),
        mixed: comment.mixed,
    };
    let entries = transcript.entries.iter().map(|entry| match &entry.kind {
        EntryKind::Comment(comment) => of_comment(comment),
        EntryKind::Control(control) => Meaning::Control(control.clone()),
        EntryKind::Stray(text) => Meaning::Stray(text.to_string()),
    });
    (transcript.preamble_text().to_owned(), entries.collect())
}

fn meaning_of(draft: &Draft) -> Meaning {
    match draft {
        Draft::Control(control) => Meaning::Control(control.clone()),
        Draft::Comment(comment) => {
            let body = canon(&comment.body);
            let counts = !body.is_empty() || comment.vote.is_some();
            Meaning::Comment {
                name: comment.name.to_string(),
                reply: comment.reply.clone(),
                restored: comment.restored.clone(),
                said_at: comment.said_at,
                body,
                vote: comment.vote.as_ref().map(|vote| vote.as_str().to_owned()),
                counts,
                mixed: false,
            }
        }
    }
}

/// Law 4: the text after `before` begins with a rule and a paragraph at top level when the whole file is rendered.
fn next_head_is_top_level(text: &str, head: usize) -> bool {
    let mut depth = 0;
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 && range.start == head {
                    return matches!(tag, Tag::Paragraph);
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    false
}

fn cases(default: u32) -> ProptestConfig {
    let cases =
        std::env::var("LAW_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(default);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn law_1_decoding_is_exact_and_canon_is_idempotent(body in random_tokens()) {
        let canonical = canon(&body);
        prop_assert_eq!(&decode(&encode(&body)), &canonical);
        prop_assert_eq!(&canon(&canonical), &canonical);
    }

    #[test]
    fn law_2_and_3_appending_adds_one_entry_and_changes_nothing_earlier(mut text in document(), drafts in prop::collection::vec(draft(), 1..4)) {
        for draft in &drafts {
            let (preamble, mut expected) = meaning(&parse(&text));
            text = text.clone() + &glue(&text, draft) + &render(draft);
            expected.push(meaning_of(draft));
            let (now, entries) = meaning(&parse(&text));
            prop_assert_eq!(&now, &preamble, "{}", text);
            prop_assert_eq!(&entries, &expected, "{}", text);
        }
    }

    #[test]
    fn lines_for_readers_stay_one_block_with_any_text(text in random_tokens(), other in random_tokens()) {
        let phase = PhaseLine { id: "x".into(), by: None, heading: Some(text.clone()) };
        let end = EndedLine {
            heading: Some(text),
            decision: Some(format!("**Decision:** {other}")),
            ..EndedLine::default()
        };
        for control in [Control::Phase(phase), Control::Ended(Box::new(end))] {
            let rendered = format!("# A\n\n---\n\n{}", render(&Draft::Control(control.clone())));
            let parsed = parse(rendered.as_str());
            prop_assert_eq!(parsed.entries.len(), 1, "{}", rendered);
            prop_assert!(parsed.problems.is_empty(), "{:?} {}", parsed.problems, rendered);
            let is_control = matches!(parsed.entries[0].kind, EntryKind::Control(_));
            prop_assert!(is_control, "{}", rendered);
            let next = Draft::Comment(NewComment::by(Name::parse("Rob").unwrap(), "next"));
            let more = rendered.clone() + &glue(&rendered, &next) + &render(&next);
            prop_assert_eq!(parse(more.as_str()).entries.len(), 2, "{}", more);
            let head = more.rfind("Name: Rob\n").unwrap();
            prop_assert!(next_head_is_top_level(&more, head), "{}", more);
        }
    }

    #[test]
    fn law_4_written_text_never_swallows_the_next_head(bodies in prop::collection::vec(draft(), 1..4), cut in any::<prop::sample::Index>(), cuts in any::<bool>()) {
        let mut text = String::from("# Title\n\nContext.\n");
        for draft in &bodies {
            let between = glue(&text, draft);
            text = text + &between + &render(draft);
        }
        if cuts {
            let mut at = cut.index(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.truncate(at);
        }
        let next = Draft::Comment(NewComment::by(Name::parse("Rob").unwrap(), "next"));
        let text = text.clone() + &glue(&text, &next);
        let head = text.len();
        // A rule may end with blanks, as a cut `--- a/x` does.
        let rule = text.strip_suffix("\n\n").and_then(|text| text.rsplit('\n').next());
        prop_assert_eq!(rule.map(str::trim_end), Some("---"));
        prop_assert!(next_head_is_top_level(&(text.clone() + &render(&next)), head), "{}", text);
    }

    #[test]
    fn law_5_parsing_never_fails(text in document(), noise in "\\PC{0,80}") {
        let _ = parse(&text);
        let _ = parse(&noise);
    }

    #[test]
    fn glue_from_a_sync_point_equals_glue_from_the_whole_text(text in document(), next in draft(), from in any::<prop::sample::Index>()) {
        let mut at = from.index(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        if let Some(sync) = discussions::transcript::sync_point(&text[at..]) {
            prop_assert_eq!(glue(&text[at + sync..], &next), glue(&text, &next), "{}", text);
        }
    }
}

mod slow {
    use std::process::Command;

    #[test]
    #[ignore = "slow: generates 2,000 texts for each law"]
    fn laws_hold_for_2_000_cases_each() {
        let mut laws = Command::new(std::env::current_exe().unwrap());
        laws.args(["laws::", "--test-threads=2"]).env("LAW_CASES", "2000");
        assert!(laws.status().unwrap().success());
    }
}
