//! The text in a comment that counts, and the storage of untrusted text.

use discussions::problem::Severity;
use discussions::transcript::{BODY_LIMIT, canon, cut, decode, encode};

use super::discussion::Discussion;

/// The vote in a handwritten body, and the codes of its problems.
fn vote(body: &str) -> (Option<String>, Vec<&'static str>) {
    let discussion = Discussion::vote().says("AI-Architect", body);
    (discussion.ballot().pop().map(|(_, vote)| vote), discussion.problems())
}

#[test]
fn vote_in_plain_text_counts() {
    for (row, body) in [
        ("`vote: ready`", "vote: ready"),
        ("`VOTE: READY.`", "VOTE: READY."),
        ("`**VOTE:** READY`", "**VOTE:** READY"),
        ("`**VOTE: READY**`", "**VOTE: READY**"),
        ("a line inside a paragraph", "I think,\nVOTE: READY\nall in all."),
    ] {
        assert_eq!(vote(body), (Some("READY".into()), vec![]), "{row}");
    }
}

#[test]
fn vote_in_code_quote_heading_table_or_html_does_not_count() {
    for (row, body) in [
        ("in code (fence)", "```\nVOTE: READY\n```"),
        ("in code (4 spaces)", "text\n\n    VOTE: READY"),
        ("in code (backticks)", "`VOTE: READY`"),
        ("in code (backticks over lines)", "`a\nVOTE: READY\nb`"),
        ("heading", "# VOTE: READY"),
        ("heading, underlined", "VOTE: READY\n==="),
        ("table", "| VOTE: READY |\n|---|\n| x |"),
        ("strike-through", "~~VOTE: READY~~"),
        ("HTML", "<div>\nVOTE: READY\n</div>"),
        ("HTML comment", "<!--\nVOTE: READY\n-->"),
    ] {
        assert_eq!(vote(body), (None, vec![]), "{row}");
    }
    assert_eq!(vote("> VOTE: READY").0, None, "quote");
}

#[test]
fn vote_in_a_list_or_lazy_line_does_not_count_and_check_warns() {
    for body in ["- VOTE: READY", "1. VOTE: READY", "> quote\nVOTE: READY", "- item\nVOTE: READY"] {
        assert_eq!(vote(body), (None, vec!["vote-in-block"]), "{body}");
    }
}

#[test]
fn vote_directly_above_a_rule_counts_and_check_warns() {
    let mut discussion = Discussion::vote();
    discussion.text.push_str("\nName: AI-Architect\n\nVOTE: READY\n---\n");
    assert_eq!(discussion.ballot(), [("AI-Architect".into(), "READY".into())]);
    assert_eq!(discussion.problems(), ["vote-above-rule"]);
}

#[test]
fn task_boxes_and_lists_of_markers_count() {
    let discussion = Discussion::vote().says("Rob", "- [ ] TODO: x\n- TODO: y\n- Q: z");
    discussion.look(|it| {
        let tasks: Vec<_> = it.state.tasks().iter().map(|task| task.text.as_str()).collect();
        assert_eq!(tasks, ["x", "y"]);
        assert_eq!(it.state.questions()[0].text, "z");
    });
}

#[test]
fn invalid_vote_is_an_error_with_line_and_column() {
    for (row, body, code) in [
        ("two different votes in one comment", "VOTE: READY\n\nVOTE: REJECT", "vote-twice"),
        ("a word outside the phase's closed set", "VOTE: LATER", "vote-unknown"),
        ("full-width colon", "VOTE：READY", "vote-lookalike"),
        ("look-alike letters", "V\u{41E}TE: READY", "vote-lookalike"),
        ("a no-break space, which is no blank", "VOTE:\u{A0}READY", "vote-unknown"),
    ] {
        let discussion = Discussion::vote().says("AI-Architect", body);
        assert_eq!(discussion.ballot(), [], "{row}");
        discussion.look(|it| {
            let problem = &it.state.problems[0];
            assert_eq!((problem.code.as_str(), problem.severity), (code, Severity::Error), "{row}");
            assert!(problem.line > 10 && problem.column > 0, "{row}");
        });
    }
}

#[test]
fn bad_names_and_conflict_lines_are_errors_and_their_votes_ignored() {
    for (row, discussion, code) in [
        (
            "`Name:` without a rule",
            Discussion::vote().says("Rob", "x\n\nName: Ann\n\nVOTE: READY"),
            "name-without-rule",
        ),
        (
            "a name that looks like a participant's",
            Discussion::vote().says("AI-S\u{435}curity", "VOTE: READY"),
            "name-lookalike",
        ),
        (
            "`<<<<<<<` lines",
            Discussion::vote().says("Rob", "<<<<<<< HEAD\nVOTE: READY\n=======\n>>>>>>> x"),
            "conflict",
        ),
    ] {
        assert_eq!(discussion.ballot(), [], "{row}");
        discussion.look(|it| {
            let found = it
                .state
                .problems
                .iter()
                .any(|it| it.code.as_str() == code && it.severity == Severity::Error);
            assert!(found, "{row}: {:?}", it.state.problems);
        });
    }
}

#[test]
fn alias_in_code_email_or_unknown_is_no_mention() {
    for body in ["`@security`", "    @security", "rob@security.example", "a@security"] {
        let discussion = Discussion::vote().says("Rob", body);
        assert_eq!(discussion.look(|it| it.state.pending.len()), 0, "{body}");
        assert_eq!(discussion.problems(), Vec::<&str>::new(), "{body}");
    }
    let discussion = Discussion::vote().says("Rob", "@unknown");
    assert_eq!(discussion.look(|it| it.state.pending.len()), 0);
    assert_eq!(discussion.problems(), ["mention-unknown"], "unknown: `check` warns");
}

#[test]
fn marker_text_ends_at_paragraph_item_or_next_marker() {
    let discussion = Discussion::vote()
        .says("Rob", "DECISION: one\nand more\nQ: two\nand\nVOTE: READY\nnot part of it\n\n- TODO: three\n  and more");
    discussion.look(|it| {
        assert_eq!(it.state.decisions[0].text, "one and more");
        assert_eq!(it.state.questions()[0].text, "two and");
        assert_eq!(it.state.tasks()[0].text, "three and more");
    });
    assert_eq!(discussion.ballot(), [("Rob".into(), "READY".into())]);
}

#[test]
fn vote_ignores_case_and_other_markers_need_capitals() {
    let discussion =
        Discussion::vote().says("Rob", "todo: a\n\nq: b\n\nDecision: c\n\nVoTe: rEADY");
    discussion.look(|it| assert!(it.state.tasks().is_empty() && it.state.questions().is_empty()));
    assert_eq!(discussion.ballot(), [("Rob".into(), "READY".into())]);
}

#[test]
fn line_is_encoded_for_storage() {
    for (row, text, stored) in [
        ("`---`: one more leading space", "---", " ---"),
        ("spaces, then `---` and only blanks", "  --- \t", "   --- \t"),
        ("a diff's `--- a/x` stays as it is: patches must apply", "--- a/x", "--- a/x"),
        ("`<!--` in code", "```\n<!-- x\n```", "```\n <!-- x\n```"),
        ("`<<<<<<<`", "<<<<<<< HEAD", " <<<<<<< HEAD"),
        ("`=======`", "a\n=======", "a\n ======="),
        ("`>>>>>>>`", ">>>>>>> x", " >>>>>>> x"),
        ("`|||||||`", "||||||| x", " ||||||| x"),
        ("`Name`: one more `\\` before the colon", "Name: Rob", "Name\\: Rob"),
        ("blanks, then `Name`", " \tName: Rob", " \tName\\: Rob"),
        ("`Name` in exactly this case: YAML's `name:` stays as it is", "name: x", "name: x"),
        ("`VOTE` (any case)", "- a\n  vOtE: x", "- a\n  vOtE\\: x"),
        ("optional `**` around the word", "```\n**VOTE**: x\n```", "```\n**VOTE**\\: x\n```"),
        ("optional `__` before the word", "__Name: x", "__Name\\: x"),
        ("zero or more `\\`", "Name\\\\: x", "Name\\\\\\: x"),
    ] {
        assert_eq!(encode(text), stored, "{row}");
        assert_eq!(decode(stored), canon(text), "{row}: reading takes one away");
    }
}

#[test]
fn canon_applies_each_rewrite() {
    for (row, text, shown) in [
        ("blank lines at both ends cut", "\n \nx\n\t\n", "x"),
        ("CRLF and lone CR to LF", "a\r\nb\rc", "a\nb\nc"),
        ("raw HTML, block", "<div>\nx\n</div>", "&lt;div>\nx\n&lt;/div>"),
        ("raw HTML, inline", "a <b>c</b>", "a &lt;b>c&lt;/b>"),
        ("link definitions escaped", "[a]: /x", "\\[a]: /x"),
        (
            "a line-ending ` <!-- TORN -->` escaped even in code",
            "```\nx <!-- TORN -->\n```",
            "```\nx &lt;!-- TORN -->\n```",
        ),
        ("control characters (C0)", "a\u{1B}[31m", "a⟨U+001B⟩[31m"),
        ("DEL", "a\u{7F}", "a⟨U+007F⟩"),
        ("C1", "a\u{9B}", "a⟨U+009B⟩"),
        ("U+2028, U+2029", "a\u{2028}b\u{2029}", "a⟨U+2028⟩b⟨U+2029⟩"),
        ("bidirectional", "\u{202E}a", "⟨U+202E⟩a"),
        ("zero-width", "a\u{200B}b", "a⟨U+200B⟩b"),
        ("(not ZWJ, ZWNJ)", "a\u{200D}b\u{200C}c", "a\u{200D}b\u{200C}c"),
        ("tag characters", "a\u{E0041}", "a⟨U+E0041⟩"),
        ("an unclosed fence closed", "````\nx", "````\nx\n````"),
        ("openers that end only with the file (`$$`)", "$$\nx", "\\$\\$\nx"),
        ("(`:::`)", "::: note", "\\::: note"),
        ("(`>>>` alone)", ">>>", "\\>>>"),
        ("an info string with `|`", "```a|b\n-|-\n```", "```a\na|b\n-|-\n```"),
        ("definitions behind a task box", "- [x] [a]: /x \"b\"", "- [x] \\[a]: /x \"b\""),
        ("what would look like a vote", "VOTE: READY", "⟨quoted⟩ VOTE: READY"),
        ("or like a head", "***\nName: Rob", "***\n⟨quoted⟩ Name: Rob"),
        ("a character reference is no marker", "V&#79;TE: READY", "⟨quoted⟩ V&#79;TE: READY"),
    ] {
        assert_eq!(canon(text), shown, "{row}");
    }
}

#[test]
fn long_input_is_cut_at_1_mib_with_a_visible_line() {
    let long = "x".repeat(BODY_LIMIT + 1);
    let kept = cut(&long);
    assert!(kept.len() > BODY_LIMIT && kept.ends_with(" are kept]"));
    assert_eq!(cut("x"), "x");
}
