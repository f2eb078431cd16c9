//! Messages that misled users in earlier versions.

use super::scenario::Scenario;

#[test]
fn ignored_providers_file_is_reported() {
    let slow = "providers:\n  - {name: slow, command: cat}\n";
    let scenario = Scenario::with_discussion().file("providers.yaml", slow);
    for args in [
        &["run", "caching", "--provider", "slow"][..],
        &["discuss", "Why?", "-p", "architect=slow"],
        &["providers", "check", "slow"],
    ] {
        scenario
            .discussions(args)
            .code(3)
            .notes("providers.yaml is ignored because this folder is not a project; `discussions init` makes it one");
    }
    scenario.discussions(&["init"]).code(0);
    scenario.discussions(&["providers", "check", "slow"]).code(0);
}

#[test]
fn missing_provider_error_lists_all_ways_to_get_one() {
    let scenario = Scenario::with_discussion().alone();
    let run = scenario.discussions(&["run", "caching"]).code(4);
    for way in [
        "discussions doctor",
        "codex",
        "gemini",
        "opencode",
        "ANTHROPIC_API_KEY",
        "Ollama",
        "discussions providers add NAME --command",
        "--provider mock",
    ] {
        assert!(run.stderr().contains(way), "{way}:\n{}", run.stderr());
    }
}

#[test]
fn error_for_a_missing_provider_names_available_ones() {
    let scenario = Scenario::with_discussion().alone().program("codex", "#!/bin/sh\n");
    for args in [&["discuss", "Why?"][..], &["run", "caching"], &["turn", "caching"]] {
        let args = [args, &["--provider", "claude"]].concat();
        let run = scenario.discussions(&args).code(4);
        run.notes("error: the chosen model is not available\n")
            .notes("`claude`")
            .notes("help: these providers are available: codex; choose one with --provider");
    }
}

#[test]
fn repeated_failure_is_shown_once_with_its_count() {
    let curl = "#!/bin/sh\ncat >/dev/null\necho 'curl: (7) could not connect' >&2\nexit 7\n";
    let scenario = Scenario::new()
        .program("gpt", curl)
        .file("discussions.yaml", "")
        .file("providers.yaml", "providers:\n  - {name: gpt, command: gpt, retries: 2}\n");
    scenario.discussions(&["new", "Caching"]).code(0);
    let run = scenario.discussions(&["turn", "caching", "@architect", "--provider", "gpt"]).code(4);
    let count = run.stderr().matches("could not connect").count();
    assert_eq!(count, 1, "{}", run.stderr());
    assert!(run.stderr().contains("3 tries: "), "{}", run.stderr());
    let text = scenario.read("discussions/caching.md");
    let failed = text.lines().find(|line| line.starts_with("<!-- FAILED")).unwrap();
    assert_eq!(failed.matches("could not connect").count(), 1, "{failed}");
    assert!(!failed.contains("gpt: gpt"), "{failed}");
}

#[test]
fn vote_is_shown_with_its_own_reason() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["vote", "caching", "ready", "It is small."]).code(0);
    scenario.discussions(&["comment", "caching", "A: Q1 12 ms"]).with_warnings().code(0);
    scenario.discussions(&["status", "caching"]).says("Rob: READY - It is small.\n");
}

#[test]
fn status_after_a_mock_run_shows_no_disclaimer() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["run", "caching", "--provider", "mock"]).code(0);
    let status = scenario.discussions(&["status", "caching"]).code(0);
    assert!(!status.stdout.contains("No model spoke here"), "{}", status.stdout);
    assert!(scenario.read("discussions/caching.md").contains("No model spoke here"));
}

#[test]
fn status_shows_how_many_of_how_many_answered() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["turn", "caching", "@architect", "--provider", "mock"]).code(0);
    scenario
        .discussions(&["status", "caching"])
        .says("Participants (1 of 3 responded in the last turn):\n");
}

#[test]
fn status_counts_only_participants_that_were_asked() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "It is slow."]).code(0);
    scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    scenario.discussions(&["status", "caching"]).says("Participants (3 responded):\n");
}

#[test]
fn review_text_is_plain_and_json_uses_stable_words() {
    let scenario = Scenario::new().file("plan.md", "# Plan\n\nCache it.\n");
    let run = scenario.discussions(&["review", "plan.md", "--provider", "mock"]).code(0);
    run.says("Verdict: nothing blocks\n").says("Recommendation: proceed with caution\n");
    let args = ["review", "plan.md", "--provider", "mock", "--json"];
    let document = scenario.discussions(&args).code(0).json();
    assert_eq!(document["verdict"], "consensus_reached");
    assert_eq!(document["recommendation"], "proceed-with-caution");
}

#[test]
fn missing_file_error_has_no_line_number() {
    let scenario = Scenario::new();
    scenario.discussions(&["review", "nope.md"]).code(3).notes("error: nope.md: no such file\n");
}

#[test]
fn missing_required_flag_is_explained() {
    let run = Scenario::new().discussions(&["new", "X", "--provider", "mock"]).code(2);
    run.notes("--provider needs --run");
}

#[test]
fn refusal_of_a_closed_discussion_names_reopen() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["close", "caching"]).code(0);
    for args in [&["run", "caching"][..], &["turn", "caching"], &["advance", "caching"]] {
        scenario.discussions(args).code(3).notes("`discussions reopen caching` opens it again");
    }
}

#[test]
fn new_discussion_asks_for_its_topic_first() {
    let scenario = Scenario::new();
    let new = scenario.discussions(&["new", "Caching"]).code(0);
    let (above, next) = new.stderr().split_once("next: ").unwrap();
    assert!(above.contains("note: describe the topic, starting at line "), "{}", new.stderr());
    assert!(next.starts_with("discussions turn caching"), "{next}");
    let with_context = scenario.discussions(&["new", "Told", "--context", "It is slow."]).code(0);
    assert!(!with_context.stderr().contains("write what it is about"), "{}", with_context.stderr());
}

#[test]
fn suggestion_needs_more_than_a_few_equal_letters() {
    let scenario = Scenario::with_discussion();
    let nope = scenario.discussions(&["run", "caching", "--provider", "nope"]).code(3);
    assert!(!nope.stderr().contains("did you mean"), "{}", nope.stderr());
    let near = scenario.discussions(&["run", "caching", "--provider", "opneai"]).code(3);
    near.notes("did you mean `openai`");
}

#[test]
fn json_error_suggests_an_existing_pattern() {
    let args = ["discuss", "Why?", "--pattern", "vote", "--json"];
    let document = Scenario::new().discussions(&args).code(3).json();
    assert_eq!(document["error"]["hint"], "did you mean `voting`?");
}

#[test]
fn title_of_symbols_gets_a_note_with_the_file_name() {
    let scenario = Scenario::new();
    let note = "so the file is called discussion\n";
    scenario.discussions(&["new", "🚀🎉"]).code(0).notes(note);
    scenario.discussions(&["new", "🚀 Launch"]).code(0).says("Created: discussions/launch.md");
}

#[test]
fn schemas_contain_no_internal_identifiers() {
    let scenario = Scenario::new();
    for name in scenario.discussions(&["schema"]).stdout.lines() {
        let schema = scenario.discussions(&["schema", name]).code(0).stdout;
        assert!(!schema.contains("INV-"), "{name}: {schema}");
    }
}

#[test]
fn new_with_edit_opens_the_editor() {
    let scenario = Scenario::new()
        .program("pen", "#!/bin/sh\nsed -i 's/^_.*_$/It is slow./' \"$1\"\n")
        .env("EDITOR", "pen");
    let new = scenario.at_terminal(&["new", "Caching", "-e"], "").code(0);
    assert!(!new.stdout.contains("write what it is about"), "{}", new.stdout);
    assert!(scenario.read("discussions/caching.md").contains("It is slow."));
    scenario.discussions(&["check", "--strict"]).code(0);
}

#[test]
fn bare_name_does_not_match_a_page() {
    let page = "# Shop\n\nWhat we sell.\n";
    let scenario = Scenario::with_discussion().file("README.md", page);
    for args in
        [&["comment", "README", "Hi."][..], &["vote", "README", "ready"], &["run", "readme"]]
    {
        let refused = scenario.discussions(args);
        assert_ne!(refused.exit(), 0, "{args:?}");
        assert_eq!(scenario.read("README.md"), page, "{args:?}");
    }
    scenario.discussions(&["comment", "README", "Hi."]).code(3).notes("did you mean `README.md`?");
    // The whole name with `.md` means the page; a user may want to begin a discussion in it.
    scenario.discussions(&["comment", "README.md", "Hi."]).code(0);
    let page = scenario.read("README.md");
    assert!(page.contains("Name: Rob\n<!-- SAID at: ") && page.contains(" -->\n\nHi.\n"), "{page}");
    scenario.discussions(&["status", "README"]).code(0).says("Discussion: Shop");
}

#[test]
fn suggested_path_works_from_the_current_folder() {
    let scenario = Scenario::with_discussion().file(".git/HEAD", "ref: refs/heads/main\n");
    std::fs::create_dir_all(scenario.path("src/deep")).unwrap();
    let status = scenario.discussions(&["-C", "src/deep", "status", "cachimg"]).code(3);
    let near =
        status.stderr().split("did you mean `").nth(1).and_then(|near| near.split('`').next());
    let near = near.unwrap_or_else(|| panic!("{}", status.stderr()));
    assert!(!near.starts_with('/'), "{near}");
    scenario.discussions(&["-C", "src/deep", "status", near]).code(0);
}

#[test]
fn next_step_after_a_limit_is_run() {
    let scenario = Scenario::new();
    let args = ["discuss", "Which?", "--provider", "mock", "--max-calls", "2", "--out", "which.md"];
    let first = scenario.discussions(&args).code(1);
    assert!(!first.stderr().contains("run it again"), "{}", first.stderr());
    first.notes("next: discussions run which --provider mock");
    scenario.discussions(&["run", "which.md", "--provider", "mock"]).code(0);
}

#[test]
fn events_end_with_the_error_even_if_it_comes_early() {
    let scenario = Scenario::with_discussion();
    for args in [
        &["run", "nothing", "--events"][..],
        &["turn", "caching", "--events", "--wrong"],
        &["discuss", "Why?", "--pattern", "nothing", "--events"],
        &["review", "nothing.md", "--events"],
    ] {
        let failed = scenario.discussions(args);
        assert_ne!(failed.exit(), 0, "{args:?}");
        let last = failed.stdout.lines().last().unwrap_or_default();
        let last: serde_json::Value =
            serde_json::from_str(last).unwrap_or_else(|_| panic!("{args:?}: {}", failed.stdout));
        assert!(last["error"]["code"].is_string(), "{args:?}: {last}");
    }
}

#[test]
fn comment_into_a_file_with_a_nul_byte_is_refused() {
    let scenario = Scenario::with_discussion();
    let file = "discussions/caching.md";
    let long =
        format!("{}\n\0\n{}", scenario.read(file), "Name: Ann\n\nHello.\n\n---\n\n".repeat(2000));
    scenario.write(file, long.as_bytes());
    scenario.discussions(&["comment", "caching", "Hi."]).code(3).notes("NUL");
    scenario.discussions(&["comment", "caching", "Hi.", "--as", "architect"]).code(3).notes("NUL");
    assert_eq!(scenario.read(file), long);
}

/// Participants whose program answers without the markers that a ballot or a review counts.
fn without_markers() -> Scenario {
    Scenario::new()
        .program("wordy", "#!/bin/sh\ncat >/dev/null\necho 'It depends.'\n")
        .file("discussions.yaml", "author: Rob\nproviders: {default: wordy}\n")
        .file("providers.yaml", "providers:\n  - {name: wordy, command: wordy}\n")
}

/// Participants that disagree: one votes A, one votes B, and the third abstains.
fn split_vote() -> Scenario {
    let votes = "#!/bin/sh\ncat >/dev/null\ncase $DISCUSSIONS_PARTICIPANT in\n\
                 architect) echo 'VOTE: A';;\nsecurity) echo 'VOTE: B';;\n*) echo 'It depends.';;\nesac\n";
    without_markers().program("wordy", votes)
}

#[test]
fn split_vote_waits_for_a_person_and_proposes_no_run() {
    let scenario = split_vote();
    let args = ["discuss", "A or B?", "--pattern", "voting", "-o", "A,B"];
    scenario.discussions(&args).with_warnings().code(1);
    let board = scenario.discussions(&[]).code(0);
    board.says("no consensus; comment on what changed").stdout_lacks("ready to run");
    let board = scenario.discussions(&[]).code(0);
    assert!(!board.stderr().contains("discussions run"), "{}", board.stderr());
    let waiting = scenario.discussions(&["list", "--waiting", "--json"]).code(0).json();
    assert_eq!(waiting.as_array().map(Vec::len), Some(1), "{waiting}");
    let board = scenario.discussions(&["--json"]).code(0).json();
    assert_eq!(board["waiting"][0]["wanted"], "change", "{board}");
    // After a person has commented, the participants vote again.
    scenario.discussions(&["comment", "a-or-b", "B is cheaper now."]).code(0);
    assert_eq!(scenario.discussions(&["--json"]).code(0).json()["waiting"], serde_json::json!([]));
}

#[test]
fn broken_head_proposes_check_instead_of_run() {
    let head = "<!-- DISCUSSION\ntemplate: feature\nparticipants: [archi\n-->\n\n# H\n\nText.\n";
    let scenario = Scenario::new().file("discussions/h.md", head);
    let status = scenario.discussions(&["status", "h"]).code(0);
    status.notes("discussions check discussions/h.md");
    let status = scenario.discussions(&["status", "h", "--json"]).code(0).json();
    assert!(status["next"].is_null(), "{status}");
    let run = scenario.discussions(&["run", "h", "--provider", "mock"]);
    assert_ne!(run.exit(), 0);
    assert_eq!(run.stderr().matches("head cannot be read").count(), 1, "{}", run.stderr());
}

#[test]
fn answers_without_markers_are_not_reported_as_missing() {
    let scenario = without_markers().file("plan.md", "# Plan\n\nWe cache.\n");
    let review = scenario.discussions(&["review", "plan.md"]);
    assert_ne!(review.exit(), 0);
    review.notes("4 answered, but no answer has the lines that this phase asks for: RATING, RISK");
}

#[test]
fn vote_after_closing_is_marked_everywhere() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["vote", "caching", "ready", "--as", "Ann"]).code(0);
    scenario.discussions(&["close", "caching"]).code(0);
    scenario.discussions(&["vote", "caching", "reject", "Too late."]).with_warnings().code(0);
    scenario
        .discussions(&["result", "caching"])
        .code(0)
        .says("- Rob (REJECT afterwards): Too late.");
    scenario
        .discussions(&["export", "caching", "--adr"])
        .with_warnings()
        .code(0)
        .says("Rob votes REJECT afterwards");
    let result = scenario.discussions(&["result", "caching", "--json"]).code(0).json();
    assert_eq!(result["outcome"]["dissent"][0]["afterwards"], true, "{result}");
}

#[test]
fn options_for_model_access_have_their_own_heading() {
    let scenario = Scenario::new();
    for verb in ["discuss", "run", "turn", "review"] {
        let help = scenario.discussions(&[verb, "--help"]).code(0).stdout;
        let (_, behind) = help.split_once("What models may access:").unwrap();
        let section = behind.split("\n\n").filter(|part| !part.trim().is_empty());
        let options: Vec<&str> = section
            .take_while(|part| !part.trim_start().starts_with(char::is_uppercase))
            .filter_map(|part| part.trim().split(' ').next())
            .filter(|word| word.starts_with('-'))
            .map(|word| word.split('\n').next().unwrap_or(word))
            .collect();
        assert_eq!(options, ["--look", "--web"], "{verb}: {behind}");
    }
}

#[test]
fn new_in_a_repository_without_setup_mentions_init() {
    let scenario = Scenario::new();
    let hint = "`discussions init` once in each clone";
    let plain = scenario.discussions(&["new", "Before git"]).code(0);
    assert!(!plain.stderr().contains(hint), "{}", plain.stderr());
    scenario.init_git();
    scenario.discussions(&["new", "Caching"]).code(0).notes(hint);
    scenario.discussions(&["init"]).code(0);
    let after = scenario.discussions(&["new", "Sessions"]).code(0);
    assert!(!after.stderr().contains(hint), "{}", after.stderr());
    let staged = scenario.discussions(&["check", "--staged"]).code(0);
    assert!(!staged.stderr().contains("name a file or a folder"), "{}", staged.stderr());
}

#[test]
fn typing_error_at_the_start_of_a_long_name_is_matched() {
    let scenario = Scenario::new();
    scenario.discussions(&["new", "Sessions in Redis or PostgreSQL"]).code(0);
    let shown = scenario.discussions(&["show", "sesions"]);
    assert_ne!(shown.exit(), 0);
    shown.notes("did you mean `discussions/sessions-in-redis-or-postgresql.md`?");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn ignored_standard_input_causes_a_warning() {
        let scenario = Scenario::new().file("notes.md", "We have 40 tables.\n");
        let notes = || std::fs::File::open(scenario.path("notes.md")).unwrap();
        let discuss = |more: &[&str]| {
            let mut command = scenario.program_under_test();
            command.args(["discuss", "Why?", "--provider", "mock"]).args(more).stdin(notes());
            String::from_utf8(command.output().unwrap().stderr).unwrap()
        };
        let warning = "warning: standard input is ignored; to use it as background information: --context-file -";
        assert!(discuss(&[]).contains(warning));
        assert!(!discuss(&["--context-file", "-"]).contains(warning));
        assert!(scenario.read("discussions/why-2.md").contains("We have 40 tables."));
        // Without standard input, there is no warning.
        let silent = scenario.discussions(&["discuss", "Why?", "--provider", "mock"]).code(0);
        assert!(!silent.stderr().contains("standard input"), "{}", silent.stderr());
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn next_step_is_a_command_that_can_be_copied() {
        let scenario = Scenario::with_discussion();
        let turn = scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
        turn.notes("next: discussions run caching --provider mock    (enters Detailed review)\n");
        // Without a provider in the command, the next step names none.
        scenario
            .discussions(&["status", "caching"])
            .notes("next: discussions run caching    (enters");
        let elsewhere =
            scenario.program_under_test().args(["-C", ".", "status", "caching"]).output();
        let stderr = String::from_utf8(elsewhere.unwrap().stderr).unwrap();
        assert_eq!(stderr, "next: discussions -C . run caching    (enters Detailed review)\n");
        let run = scenario.discussions(&["run", "caching", "--provider", "mock"]).code(0);
        run.notes(
        "next: discussions vote caching READY    (a person has to vote: this or another option)\n",
    );
        let discuss = ["discuss", "Why?", "--provider", "mock"];
        scenario.discussions(&discuss).code(0).notes(
        "next: discussions comment why \"TEXT\"    (adds to it)\nnext: discussions turn why @architect --ask \"TEXT\" --provider mock    (asks back)\n",
    );
    }
}
