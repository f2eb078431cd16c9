//! The command line: advice for wrong arguments, and options that every command has.

use super::scenario::Scenario;

#[test]
fn commands_of_other_programs_lead_to_our_equivalent() {
    let scenario = Scenario::new();
    for (word, wanted) in [
        ("edit", "discussions comment FILE -e"),
        ("delete", "discussions close FILE"),
        ("rm", "git rm"),
        ("open", "discussions show FILE"),
        ("config", "discussions.yaml"),
        ("ls", "discussions list"),
    ] {
        let run = scenario.discussions(&[word, "x"]).code(2).stdout("");
        assert!(run.stderr().contains(wanted), "{word}: {}", run.stderr());
        assert!(!run.stderr().contains("similar"), "{word}: {}", run.stderr());
    }
    // A typing error still gets a similar command as a tip.
    scenario.discussions(&["statsu", "x"]).code(2).notes("'status'");
}

#[test]
fn tips_for_wrong_arguments_are_correct() {
    let scenario = Scenario::with_discussion();
    for args in [
        &["completions", "bash", "--json"][..],
        &["new", "X", "--jsn"],
        &["status", "caching", "--max-usd", "1"],
        &["--max-usd", "1"],
        &["close", "caching", "--xyz"],
    ] {
        let run = scenario.discussions(args).code(2);
        assert!(!run.stderr().contains("as a value"), "{args:?}: {}", run.stderr());
    }
    scenario.discussions(&["new", "Add", "user", "authentication"]).code(2).notes(
        "put quotes around a text of several words: `discussions new \"Add user authentication\"`",
    );
    scenario
        .discussions(&["comment", "caching", "it", "is", "fine"])
        .code(2)
        .notes("discussions comment caching \"it is fine\"");
}

#[test]
fn flag_of_another_command_leads_to_the_right_one() {
    let scenario = Scenario::with_discussion();
    let run = scenario
        .discussions(&["result", "caching", "--adr"])
        .code(2)
        .notes("--adr is an option of `discussions export`");
    let tips = run.stderr().lines().filter(|line| line.trim().starts_with("tip:")).count();
    assert_eq!(tips, 1, "{}", run.stderr());
    // A similar flag of the command itself takes precedence.
    scenario.discussions(&["new", "X", "--jsn"]).code(2).notes("'--json'");
}

#[test]
fn flag_with_a_typing_error_gets_a_similar_one() {
    let scenario = Scenario::new();
    scenario.discussions(&["list", "--progess", "none"]).code(2).notes("'--progress'");
}

#[test]
fn advance_takes_the_phase_without_a_flag() {
    let scenario = Scenario::with_discussion();
    let advanced = scenario.discussions(&["advance", "caching", "detailed_review"]).code(0);
    advanced.stdout("Advanced to phase: Detailed review\n");
    let back = scenario.discussions(&["advance", "caching", "--to", "initial_feedback"]).code(0);
    back.stdout("Advanced to phase: First reactions\n");
    scenario.discussions(&["advance", "caching", "nope"]).code(3).notes("there is no phase `nope`");
}

#[test]
fn option_c_works_in_another_folder() {
    let scenario = Scenario::new();
    std::fs::create_dir(scenario.path("there")).unwrap();
    scenario
        .discussions(&["-C", "there", "new", "Caching"])
        .code(0)
        .stdout("Created: discussions/caching.md\n");
    assert!(scenario.path("there/discussions/caching.md").exists());
    scenario.discussions(&["status", "caching", "-C", "there"]).code(0);
    scenario.discussions(&["list", "-C", "nowhere"]).code(3).notes("nowhere: no such folder");
}

#[test]
fn color_option_sets_colour_on_or_off() {
    let scenario = Scenario::with_discussion();
    let has = |args: &[&str]| {
        let run = scenario.discussions(args).with_any_code();
        run.stdout.contains('\u{1b}') || run.stderr().contains('\u{1b}')
    };
    assert!(has(&["status", "caching", "--color", "always"]));
    assert!(!has(&["status", "caching", "--color", "never"]));
    assert!(!has(&["status", "caching"]));
    // The option also applies to errors in the command line itself.
    assert!(has(&["status", "--color=always", "--wrong"]));
    assert!(!has(&["status", "--color=never", "--wrong"]));
    assert!(!has(&["status", "--wrong"]));
}

#[test]
fn quiet_keeps_results_warnings_and_errors() {
    let scenario = Scenario::new();
    let new = scenario.discussions(&["-q", "new", "Caching"]).code(0);
    assert_eq!((new.stdout.as_str(), new.stderr()), ("Created: discussions/caching.md\n", ""));
    let turn = scenario.discussions(&["turn", "caching", "--provider", "mock", "-q"]).code(0);
    assert_eq!(turn.stderr(), "");
    turn.says("Discussion updated");
    scenario
        .discussions(&["-q", "comment", "caching", "Oh @nobdy."])
        .notes("warning: no participant is called");
    scenario
        .discussions(&["-q", "status", "nope"])
        .code(3)
        .notes("error: nope: no such discussion");
}

#[test]
fn progress_plain_prints_lines_and_none_prints_nothing() {
    let scenario = Scenario::with_discussion();
    let turn = |how: &str, who: &str| {
        let args = ["turn", "caching", who, "--provider", "mock", "--progress", how];
        scenario.at_terminal(&args, "").code(0).stdout
    };
    let plain = turn("plain", "@architect");
    assert!(plain.contains("AI-Architect  mock") && !plain.contains("\u{1b}[2K"), "{plain:?}");
    assert!(!turn("none", "@security").contains("AI-Security  mock"));
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn terminal_without_escape_codes_gets_none() {
        let codes = |scenario: Scenario, args: &[&str]| {
            scenario.discussions(&["new", "Caching"]).code(0);
            let turn = [&["turn", "caching", "--provider", "mock"], args].concat();
            let status = [&["status", "caching"], args].concat();
            let run = scenario.at_terminal(&turn, "").code(0).stdout;
            let more = scenario.at_terminal(&status, "").code(0).stdout;
            let wrong =
                scenario.at_terminal(&[args, &["status", "--wrong"]].concat(), "").code(2).stdout;
            let help = scenario.at_terminal(&[args, &["--help"]].concat(), "").code(0).stdout;
            format!("{run}{more}{wrong}{help}").matches('\u{1b}').count()
        };
        assert!(codes(Scenario::new().env("TERM", "xterm"), &[]) > 0, "else this proves nothing");
        assert_eq!(codes(Scenario::new().env("TERM", "dumb"), &[]), 0);
        assert_eq!(codes(Scenario::new().env("TERM", "xterm").env("NO_COLOR", "1"), &[]), 0);
        assert_eq!(codes(Scenario::new().env("TERM", "xterm"), &["--color", "never"]), 0);
    }
}
