use proptest::prelude::*;

use super::*;

fn letters() -> Letters {
    let names = [('A', "Ann"), ('B', "Bob"), ('C', "Cid"), ('D', "Dee"), ('I', "Ira")];
    Letters::new(names.map(|(letter, name)| (letter, name.to_owned())).to_vec())
}

#[test]
fn letters_that_mean_participants_become_names() {
    for (text, came) in [
        ("Her three voters (A, B, D) are right.", "Her three voters (Ann, Bob, Dee) are right."),
        ("C voted no; C and B are right.", "Cid voted no; Cid and Bob are right."),
        ("An index first (from B).", "An index first (from Bob)."),
        ("An index first (B).", "An index first (Bob)."),
        ("Take draft D, then drafts A and C.", "Take draft of Dee, then drafts of Ann and Cid."),
        ("Ballots A and C agree.", "Ballots of Ann and Cid agree."),
        ("Participants A and B, Participant C.", "Ann and Bob, Cid."),
        ("B's figure beats A's.", "Bob's figure beats A's."),
        ("With B's figure, and A's too", "With Bob's figure, and Ann's too"),
        ("As C says, and as A has shown", "As Cid says, and as Ann has shown"),
        ("**B** says so, unlike **C**.", "**Bob** says so, unlike **Cid**."),
        (
            "I take the lease from A, the test from D.",
            "I take the lease from Ann, the test from Dee.",
        ),
        ("A, B and D hold that", "Ann, Bob and Dee hold that"),
        ("What is missing:\n\n- B argues that", "What is missing:\n\n- Bob argues that"),
        ("Voter D was alone.", "Voter Dee was alone."),
    ] {
        assert_eq!(letters().replace(text), came);
    }
}

#[test]
fn other_letters_stay() {
    for text in [
        "A queue is simple. A is an article, too, in \u{201c}A is for apple\u{201d}."
            .replace("A is", "A was it"),
        "Plan A is cheap.".into(),
        "Option B's price, vitamin C is, grade B, a grade of B.".into(),
        "Options A and B are left; A is cheap, B is not.".into(),
        "A: Q2 yes, it does".into(),
        "- A: Q2 yes".into(),
        "A. first\nB. second, as B says".into(),
        "(A) build it or (B) buy it; by B.".into(),
        "I have, as I said, asked.".into(),
        "in C, C code, C++, C#, port it to C.".into(),
        "`B` says, `from B`".into(),
        "See https://x.y/B and [the page](B says).".into(),
        "if A, then B".into(),
        "A/B tests; from A to B".into(),
        "hepatitis B, type A, Section C, B12, A-level, X-B".into(),
        "E says; from F".into(),
        "three options (A, B, C) are left".into(),
    ] {
        assert_eq!(letters().replace(&text), text);
    }
}

#[test]
fn letter_of_topic_or_ballot_keeps_its_meaning() {
    let of = |topic: &str, options: &[&str]| {
        letters().without(options.iter().copied()).without_labels_of(topic)
    };
    let text = "B says so, from C; draft B.";
    assert_eq!(of("Go or C?", &[]).replace(text), "Bob says so, from C; draft of Bob.");
    assert_eq!(of("Plan B or not", &[]).replace(text), "B says so, from Cid; draft of Bob.");
    assert_eq!(of("x", &["b", "C"]).replace(text), "B says so, from C; draft of Bob.");
    assert_eq!(of("A queue?", &[]).replace("As A says"), "As Ann says");
}

/// Guards the complexity, not the time: a long line must not be read again for each of its letters.
#[test]
fn many_letters_are_judged_in_one_pass() {
    for unit in ["x. B ", "from B, ", "`B` from C; ", "(B) ", "B) ", "A, B and C hold; "] {
        assert!(!letters().replace(&unit.repeat(40_000)).is_empty());
    }
}

proptest! {
    #[test]
    fn text_without_single_capitals_stays(text in "[a-z ,.()'\n`*]{0,40}") {
        prop_assert_eq!(letters().replace(&text), text);
    }

    #[test]
    fn replaced_letters_are_not_replaced_again(text in "(from|draft|as|A|B|C|says|plan|and|,|\\(|\\)|'s|\\.| |\n){0,20}") {
        let once = letters().replace(&text);
        let twice = letters().replace(&once);
        // A replaced letter may allow the replacement of its neighbour in the second pass, but names stay unchanged.
        for name in ["Ann", "Bob", "Cid"] {
            prop_assert!(twice.matches(name).count() >= once.matches(name).count());
        }
        prop_assert_eq!(letters().replace(&twice), twice);
    }

    #[test]
    fn code_stays(inside in "[A-D ,]{1,12}") {
        let text = format!("`{inside}x`");
        prop_assert_eq!(letters().replace(&text), text);
    }
}
