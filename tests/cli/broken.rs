//! Broken and missing files: a broken definition stops only commands that need it; a missing discussion is reported.

use super::scenario::Scenario;

const BROKEN: &str = "providers:\n  - name: x\n    command: a -H \"A: b\" c: d\n   oops\n";

/// Defines two providers with the text `wrong` between them.
fn with_definition_between_two(wrong: &str) -> Scenario {
    let text = format!(
        "providers:\n  - name: first\n    command: panel\n{wrong}  # Behind it.\n  - name: last\n    command: panel\n"
    );
    Scenario::with_discussion()
        .program("panel", "#!/bin/sh\necho 'Fine.'\n")
        .file("discussions.yaml", "")
        .file("providers.yaml", &text)
}

#[test]
fn provider_defined_as_mock_stops_no_other_provider() {
    let scenario = with_definition_between_two("  - name: mock\n    command: panel\n");
    for name in ["first", "last", "mock"] {
        scenario.discussions(&["turn", "caching", "--provider", name]).with_warnings().code(0);
    }
}

#[test]
fn providers_file_that_is_not_utf8_stops_only_its_providers() {
    let scenario = Scenario::with_discussion().file("discussions.yaml", "");
    scenario.write("providers.yaml", b"providers:\n  - name: caf\xe9\n");
    let run = scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    assert_eq!(run.stderr().matches("providers.yaml:2:").count(), 1, "{}", run.stderr());
    scenario.discussions(&["list"]).code(0).notes("this is not UTF-8");
    scenario.discussions(&["turn", "caching", "--provider", "cafe"]).code(3).notes(
        "there is no provider `cafe`; part of the configuration cannot be read: providers.yaml:2:",
    );
}

#[test]
fn providers_file_outside_of_a_project_is_reported_as_ignored() {
    let text = "providers:\n  - name: mine\n    command: \"true\"\n";
    let scenario = Scenario::new().file("providers.yaml", text);
    let run = scenario.discussions(&["discuss", "x", "--provider", "mine"]);
    assert_ne!(run.exit(), 0);
    run.notes("providers.yaml is ignored because this folder is not a project; `discussions init`");
}

#[test]
fn missing_discussion_with_a_journal_is_reported() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "Remember me."]).code(0);
    std::fs::rename(scenario.path("discussions/caching.md"), scenario.path("discussions/b.md"))
        .unwrap();
    // The file was only renamed.
    scenario.discussions(&["check", "--strict"]).code(0).stdout("");
    std::fs::remove_file(scenario.path("discussions/b.md")).unwrap();
    scenario
        .discussions(&["check"])
        .code(0)
        .says("discussions/caching.md: warning: this discussion is missing, and with it 1 comment")
        .says("[discussion-gone]");
}

#[test]
fn mention_in_an_assignment_needs_no_answer() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "TODO: measure", "--as", "Mira"]).code(0);
    scenario.discussions(&["comment", "caching", "ASSIGNED: T1 @mira"]).code(0);
    scenario.discussions(&["status", "caching", "-v"]).code(0).stdout_lacks("Unanswered mentions");
}

#[test]
fn edit_after_a_removed_comment_is_reported_as_edit() {
    let scenario = Scenario::with_discussion();
    for words in ["The first of all.", "We cahce for one hour at most."] {
        scenario.discussions(&["comment", "caching", words]).code(0);
    }
    let text = scenario.read("discussions/caching.md");
    let parts: Vec<&str> = text.split("---\n").filter(|part| !part.contains("The first")).collect();
    scenario
        .write("discussions/caching.md", parts.join("---\n").replace("cahce", "cache").as_bytes());
    scenario.discussions(&["check"]).code(1).says("[block-dropped]").says("[own-edit]");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn broken_providers_file_stops_only_its_providers() {
        let scenario = Scenario::with_discussion().on_path();
        scenario.init_git();
        scenario.discussions(&["init", "--hook"]).code(0);
        scenario.write("providers.yaml", BROKEN.as_bytes());
        for args in [
            &["list"][..],
            &["show", "caching"],
            &["status", "caching"],
            &["comment", "caching", "Hello."],
            &["check"],
            &["new", "Other"],
        ] {
            let run = scenario.discussions(args).code(0);
            assert_eq!(
                run.stderr().matches("providers.yaml:").count(),
                1,
                "{args:?}: {}",
                run.stderr()
            );
        }
        scenario.git(&["add", "-A"]).git(&["commit", "-qm", "With a broken file"]);
        // The built-in provider does not need the file.
        for args in [
            &["run", "caching", "--provider", "mock"][..],
            &["turn", "other", "--provider", "mock"],
            &["discuss", "x", "--provider", "mock"],
            &["providers", "list"],
            &["providers", "check", "mock"],
        ] {
            let run = scenario.discussions(args).code(0);
            assert_eq!(
                run.stderr().matches("providers.yaml:").count(),
                1,
                "{args:?}: {}",
                run.stderr()
            );
        }
        for args in [
            &["turn", "other", "--provider", "x"][..],
            &["run", "other", "--provider", "x"],
            &["discuss", "x", "--provider", "x"],
            &["providers", "check", "x"],
        ] {
            let run = scenario.discussions(args).code(3);
            run.notes("error: the provider `x` cannot be used: providers.yaml:3:21: ")
                .notes("put a value that contains `: ` in quotes");
        }
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn invalid_yaml_disables_only_its_own_definition() {
        let header = "  - name: header\n    command: curl -H \"Authorization: Bearer x\" y\n";
        let open = "  - name: 'open'\n    command: \"panel\n";
        for (wrong, name, place) in
            [(header, "header", "providers.yaml:5:36: "), (open, "open", "providers.yaml:6:3: ")]
        {
            let scenario = with_definition_between_two(wrong);
            for name in ["first", "last", "mock"] {
                let run = scenario.discussions(&["turn", "caching", "--provider", name]).code(0);
                assert_eq!(
                    run.stderr().matches("warning: the provider").count(),
                    1,
                    "{}",
                    run.stderr()
                );
            }
            scenario
                .discussions(&["turn", "caching", "--provider", name])
                .code(3)
                .notes(&format!("error: the provider `{name}` cannot be used: {place}"));
        }
        // If the definitions cannot be told apart, the program reports the whole file.
        let scenario = with_definition_between_two("stray: [\n");
        scenario.discussions(&["turn", "caching", "--provider", "mock"]).with_warnings().code(0);
        scenario.discussions(&["turn", "caching", "--provider", "first"]).code(3).notes(
        "there is no provider `first`; part of the configuration cannot be read: providers.yaml:",
    );
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn wrong_definition_disables_only_itself() {
        for (wrong, why) in [
            ("  - name: codex\n    comand: panel\n", "providers.yaml:5:5: unknown key `comand`"),
            ("  - name: codex\n", "providers.yaml:4:"),
            ("  - name: codex\n    command: panel\n    retries: 99\n", "providers.yaml"),
            ("  - name: codex\n    command: panel\n    aliases: [first]\n", "names two providers"),
            ("  - name: codex\n    command: [panel]\n", "providers.yaml:5:"),
        ] {
            let scenario = with_definition_between_two(wrong);
            for name in ["first", "last", "mock"] {
                let run = scenario.discussions(&["turn", "caching", "--provider", name]).code(0);
                let warnings =
                    run.stderr().matches("warning: the provider `codex` cannot be used").count();
                assert_eq!(warnings, 1, "{wrong}: {}", run.stderr());
            }
            scenario
                .discussions(&["turn", "caching", "--provider", "codex"])
                .code(3)
                .notes("error: the provider `codex` cannot be used: ")
                .notes(why);
            scenario.discussions(&["providers", "check", "codex"]).code(3).notes(why);
            let all = scenario
                .discussions(&["providers", "check", "--json"])
                .with_any_code()
                .with_warnings()
                .json();
            let is_codex =
                |one: &&serde_json::Value| one["name"] == "codex" && one["topic"] == "provider";
            let states: Vec<_> = all.as_array().unwrap().iter().filter(is_codex).collect();
            // The doctor does not repeat the file, which may hold a key.
            let details = states[0]["details"].as_str().unwrap();
            assert!(
                states.len() == 1 && details.contains("cannot be used: "),
                "{wrong}: {states:?}"
            );
            scenario
                .discussions(&["providers", "list"])
                .with_warnings()
                .code(0)
                .says("cannot be used: providers.yaml");
        }
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn wrong_definition_in_braces_disables_only_itself() {
        for (text, place) in [
            ("providers: [{name: a, comand: '}, {'}, {name: b, command: panel}]\n", "1:23"),
            ("providers: [{name: b, command: panel}, {name: a, comand: x}]\n", "1:50"),
            ("providers:\n- {name: b, command: panel}\n- {name: a, comand: x} # so\n", "3:13"),
            (
                "providers: [\n  {name: ä, command: x},\n  {name: b, command: panel}, {name: a, comand: x},\n]\n",
                "3:40",
            ),
        ] {
            let scenario = with_definition_between_two("").file("providers.yaml", text);
            scenario.discussions(&["turn", "caching", "--provider", "b"]).with_warnings().code(0);
            scenario.discussions(&["turn", "caching", "--provider", "a"]).code(3).notes(&format!(
            "error: the provider `a` cannot be used: providers.yaml:{place}: unknown key `comand`"
        ));
        }
    }
}
