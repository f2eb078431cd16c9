//! `discussions ask`, the patterns `second-look` and `solo`, and the vendors of author and reviewer.

use serde_json::json;

use super::panel::{calls, panel};
use super::scenario::Scenario;

/// An author that takes the only finding of the reviewer.
const PLAY: &str = r####"answers:
  - {phase: draft, text: "The limit is 4 a second."}
  - {phase: review, text: "The limit is 5 a second."}
  - {phase: look, text: "### Finding 1\n\n> 5 a second\n\nProof: the question says 10.\n\nInstead: 10 a second"}
  - {phase: revise, text: "The limit is 10 a second."}
  - {text: "DECISION: 10 a second"}
"####;

/// A program that logs its name, participant and phase, and prints this answer.
fn logging(answer: &str) -> String {
    format!(
        "#!/bin/sh\ncat > /dev/null\necho \"$(basename \"$0\") $DISCUSSIONS_PARTICIPANT $DISCUSSIONS_PHASE\" >> \"$CALLS\"\n{answer}\n"
    )
}

fn play() -> Scenario {
    Scenario::new()
        .file("discussions.yaml", "author: Rob\ndefault_participants: [architect, security]\n")
        .file("providers.yaml", "providers:\n  - {name: parrot, script: play.yaml}\n")
        .file("play.yaml", PLAY)
}

/// The programs of one vendor or of two; the default is the first.
fn vendors(second: bool, settings: &str) -> Scenario {
    let claude = logging(r#"printf '{"is_error":false,"result":"No findings."}'"#);
    let gemini = logging(
        r#"printf '{"type":"message","role":"assistant","content":"No findings."}\n{"type":"result"}\n'"#,
    );
    let scenario = panel()
        .program("claude", &claude)
        .file("discussions.yaml", &format!("author: Rob\n{settings}"))
        .file("providers.yaml", "");
    if second { scenario.program("gemini", &gemini) } else { scenario }
}

const SAME: &str = "note: the reviewer is the same model as the author: no other vendor is ready";

#[test]
fn ask_is_discuss_with_the_pattern_second_look() {
    let asked = play().discussions(&["ask", "Which limit?", "--provider", "parrot", "--json"]);
    let asked = asked.code(0).json();
    assert_eq!(asked["pattern"], "second-look");
    assert_eq!(asked["synthesis"], "The limit is 10 a second.");
    assert_eq!(asked["metadata"]["costSummary"]["totalCalls"], 4);
    let args = ["discuss", "Which limit?", "--pattern", "second-look", "--provider", "parrot"];
    let discussed = play().discussions(&[&args[..], &["--json"]].concat()).code(0).json();
    assert_eq!(discussed["synthesis"], asked["synthesis"]);
    assert_eq!(discussed["participatingProviders"], asked["participatingProviders"]);
    play()
        .discussions(&["ask", "Which limit?", "--provider", "parrot"])
        .code(0)
        .says("The limit is 10 a second.")
        .notes("second-look: author, reviewer\n");
}

#[test]
fn reviewers_without_findings_cost_no_revision() {
    let scenario = play();
    scenario.write("play.yaml", PLAY.replace("### Finding 1", "Fine.").as_bytes());
    let args = ["ask", "Which limit?", "--provider", "parrot", "--json"];
    let result = scenario.discussions(&args).code(0).json();
    assert_eq!(result["synthesis"], "The limit is 5 a second.");
    assert_eq!(result["metadata"]["costSummary"]["totalCalls"], 3);
}

#[test]
fn configured_participants_do_not_replace_the_fixed_ones() {
    let begins = |args: &[&str], line: &str| {
        let args = [args, &["--provider", "parrot"]].concat();
        let run = play().discussions(&args).code(0);
        assert!(run.stderr().starts_with(line), "{args:?}: {}", run.stderr());
    };
    begins(&["ask", "Which?"], "second-look: author, reviewer\n");
    begins(&["ask", "Which?", "-p", "security,architect"], "second-look: security, architect\n");
    begins(&["discuss", "Which?", "--pattern", "solo"], "solo: author\n");
    begins(&["discuss", "Which?", "-r", "1"], "synthesis: architect, security; 1 round\n");
    // A head without participants has those of its template too.
    let scenario = play();
    for (template, first) in [("second-look", "author"), ("synthesis", "architect")] {
        let text = format!("<!-- DISCUSSION\ntemplate: {template}\n-->\n\n# Which?\n\n---\n");
        scenario.write("bare.md", text.as_bytes());
        let shown = scenario.discussions(&["status", "bare.md", "--json"]).code(0).json();
        assert_eq!(shown["participants"][0]["alias"], first, "{shown}");
    }
}

#[test]
fn solo_takes_one_participant_and_other_patterns_refuse_one() {
    let solo = ["discuss", "Which limit?", "--pattern", "solo", "--provider", "parrot", "--json"];
    let result = play().discussions(&solo).code(0).json();
    assert_eq!(result["pattern"], "solo");
    assert_eq!(result["synthesis"], "The limit is 5 a second.");
    assert_eq!(result["metadata"]["costSummary"]["totalCalls"], 2);
    assert_eq!(result["success"], true);
    play().discussions(&[&solo[..], &["-p", "architect"]].concat()).code(0);
    play().discussions(&[&solo[..], &["-p", "architect,security"]].concat()).code(3);
    play().discussions(&[&solo[..], &["--min-providers", "2"]].concat()).code(3);
    for pattern in ["synthesis", "second-look", "round-robin", "debate", "critique", "voting"] {
        let args = ["discuss", "Which?", "--pattern", pattern, "-p", "architect"];
        play()
            .discussions(&[&args[..], &["--provider", "parrot"]].concat())
            .code(3)
            .notes("participants, but 1 are given")
            .notes("`discussions discuss --pattern solo`");
    }
    let step = |pattern: &str| {
        let step = json!({"pattern": pattern, "prompt": "Which limit?", "providers": ["parrot"]});
        play().discussions_with(&["discuss", "--input", "-"], &step.to_string())
    };
    step("solo").code(0);
    let refused = step("synthesis").code(3).json();
    assert!(refused.to_string().contains("a list of 2 to 6"), "{refused}");
}

#[test]
fn pattern_for_several_names_solo_if_one_provider_is_ready() {
    let scenario = play().file(
        "providers.yaml",
        "providers:\n  - {name: parrot, script: play.yaml}\n  - {name: absent, command: no-such-program-anywhere}\n",
    );
    for pattern in ["second-look", "synthesis"] {
        let who = ["-p", "architect=parrot,security=absent"];
        let args = [&["discuss", "Which?", "--pattern", pattern][..], &who].concat();
        scenario
            .discussions(&args)
            .code(4)
            .notes("only 1 participant(s) have an available model, but 2 are needed")
            .notes("`discussions discuss --pattern solo`");
        // The author has no provider either way, so no other participant stands in for it.
        let who = ["-p", "architect=absent,security=parrot"];
        let args = [&["discuss", "Which?", "--pattern", pattern][..], &who].concat();
        scenario.discussions(&args).code(4);
        assert!(!scenario.path("discussions/which.md").exists(), "nothing begins");
    }
}

#[test]
fn reviewer_gets_another_vendor_than_the_author() {
    for default in ["claude", "gemini"] {
        let scenario = vendors(true, &format!("providers: {{default: {default}}}\n"));
        let other = if default == "claude" { "gemini" } else { "claude" };
        let run = scenario.discussions(&["ask", "Which?"]).code(0);
        assert!(!run.stderr().contains(SAME), "{}", run.stderr());
        let note = run.stderr().lines().find(|line| line.starts_with("note: providers: "));
        let note = note.unwrap_or_else(|| panic!("{}", run.stderr()));
        assert!(note.contains("for author; ") && note.ends_with(" for reviewer"), "{note}");
        let author = format!("{default} author");
        let expected = [
            format!("{author} draft"),
            format!("{author} review"),
            format!("{other} reviewer look"),
        ];
        assert_eq!(calls(&scenario), expected);
    }
    // Without a default too; each reviewer in turn.
    let scenario = vendors(true, "");
    scenario.discussions(&["ask", "Which?", "-p", "author,reviewer,designer"]).code(0);
    let called = calls(&scenario);
    let vendor = |line: &String| line.split(' ').next().unwrap().to_owned();
    assert!(called[2..].iter().all(|line| vendor(line) != vendor(&called[0])), "{called:?}");
}

#[test]
fn named_provider_decides_against_the_vendor_rule() {
    for choice in [&["--provider", "claude"][..], &["-p", "author=claude,reviewer=claude"]] {
        let scenario = vendors(true, "");
        let run = scenario.discussions(&[&["ask", "Which?"], choice].concat()).code(0);
        assert!(!run.stderr().contains(SAME), "{}", run.stderr());
        assert!(calls(&scenario).iter().all(|line| line.starts_with("claude ")));
    }
    let scenario = vendors(true, "");
    scenario.discussions(&["ask", "Which?", "-p", "author=gemini,reviewer"]).code(0);
    let called = calls(&scenario);
    assert_eq!((&*called[0], &*called[2]), ("gemini author draft", "claude reviewer look"));
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn one_vendor_reviews_itself_and_a_note_says_so_once() {
        for settings in ["", "providers: {default: claude}\n"] {
            let scenario = vendors(false, settings);
            let who = ["ask", "Which?", "-p", "author,reviewer,designer"];
            let run = scenario.discussions(&who).code(0);
            assert_eq!(run.stderr().matches(SAME).count(), 1, "{}", run.stderr());
            assert_eq!(calls(&scenario).len(), 4, "{:?}", calls(&scenario));
            let run = vendors(false, settings).discussions(&[&who[..], &["--events"]].concat());
            let notes = run.stdout.lines().filter(|line| line.contains("\"event\":\"note\""));
            let notes: Vec<&str> = notes.collect();
            assert_eq!(notes.len(), 1, "{}", run.stdout);
            let told = "\"message\":\"the reviewer is the same model as the author";
            assert!(notes[0].contains(told), "{}", notes[0]);
        }
        // Patterns that keep no vendors apart have no such note.
        let run = vendors(false, "").discussions(&["discuss", "Which?", "-r", "1"]);
        assert!(!run.stderr().contains(SAME), "{}", run.stderr());
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn question_is_read_from_standard_input() {
        let pattern = ["--pattern", "second-look"];
        for (verb, more) in [("ask", &[][..]), ("discuss", &pattern)] {
            for dash in [&[][..], &["-"]] {
                let args = [&[verb][..], dash, more, &["--provider", "parrot", "--json"]].concat();
                let run = play().discussions_with(&args, "Which limit?\n").code(0);
                assert_eq!(run.json()["topic"], "Which limit?", "{args:?}");
                assert!(!run.stderr().contains("standard input is ignored"), "{}", run.stderr());
            }
            play().discussions(&[verb]).code(2).notes("the question is empty");
            let both = [verb, "-", "--context-file", "-"];
            play().discussions_with(&both, "Which?").code(2).notes("cannot be both");
            let typed = play().at_terminal(&[verb], "").code(2);
            typed.says("the question is missing");
        }
        let context = ["ask", "Which limit?", "--context-file", "-", "--provider", "parrot"];
        let scenario = play();
        scenario.discussions_with(&context, "We serve 300 a minute.").code(0);
        assert!(scenario.read("discussions/which-limit.md").contains("We serve 300 a minute."));
    }
}
