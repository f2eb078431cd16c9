//! `--look` and `--web`: off by default, announced before the first call, and recorded in the file.

use super::{calls, log_in, scenario};
use crate::http::fake::{Fake, stream};
use crate::http::recordings::CHAT;

#[test]
fn agent_has_no_tools_and_an_empty_folder_by_default() {
    let scenario = scenario();
    log_in(&scenario, "in");
    let run = scenario.discussions(&["turn", "d"]).code(0);
    assert!(!run.stderr().contains("allowed to"), "{}", run.stderr());
    for [_, folder, words] in calls(&scenario) {
        assert!(words.contains("--tools  --setting-sources user "), "{words}");
        assert!(!folder.ends_with("/work"), "{folder}");
    }
    let file = scenario.read("d.md");
    assert!(!file.contains("look:") && !file.contains("web:"), "{file}");
    assert!(!scenario.read("../home/prompts.log").contains("with your tools"));
}

#[test]
fn look_flag_allows_reading_is_announced_and_recorded() {
    let scenario = scenario();
    log_in(&scenario, "in");
    let run = scenario.discussions(&["turn", "d", "@architect", "--look"]).code(0);
    let note = "note: allowed to read the files of this project: architect (claude-sonnet)";
    assert!(run.stderr().contains(note), "{}", run.stderr());
    assert!(
        run.stderr().find(note) < run.stderr().find("AI-Architect  claude"),
        "before anybody is asked"
    );
    let [_, folder, words] = calls(&scenario).remove(0);
    let project = scenario.path("").canonicalize().unwrap();
    let project = project.to_str().unwrap().trim_end_matches('/');
    let tools = format!("--tools Read,Grep,Glob --add-dir {project} --setting-sources user ");
    assert!(words.contains(&tools), "{words}");
    assert!(!folder.ends_with("/work"), "the project's settings are for its own folder: {folder}");
    assert!(scenario.read("d.md").contains("look: true, ms"), "{}", scenario.read("d.md"));
    let shown = scenario.discussions(&["show", "d", "--json"]).code(0).stdout;
    assert!(shown.contains("\"look\": true") || shown.contains("\"look\":true"), "{shown}");
    assert!(
        scenario.read("../home/prompts.log").contains("You may read the files of this project")
    );
    // The permission is for that turn only.
    scenario.discussions(&["turn", "d", "@security"]).code(0);
    assert!(calls(&scenario)[1][2].contains("--tools  --setting-sources user "));
}

#[test]
fn web_flag_opens_no_files_and_both_flags_open_both() {
    for (flags, tools, opens) in [
        (&["--web"][..], "--tools WebSearch --allowedTools WebSearch", false),
        (&["--look", "--web"], "--tools Read,Grep,Glob,WebSearch --allowedTools WebSearch", true),
    ] {
        let scenario = scenario();
        log_in(&scenario, "in");
        for verb in [&["turn", "d", "@architect"][..], &["run", "d", "--max-turns", "1"]] {
            scenario.discussions(&[verb, flags].concat()).with_any_code().with_warnings();
            let [_, folder, words] = calls(&scenario).pop().unwrap();
            assert!(words.contains(tools), "{words}");
            assert_eq!(words.contains("--add-dir"), opens, "{words}");
            assert!(!folder.ends_with("/work"), "{folder}");
        }
    }
}

#[test]
fn discuss_and_review_accept_tool_flags() {
    let scenario = scenario().file("brief.md", "# Brief\n\nShip it.\n");
    log_in(&scenario, "in");
    for args in [
        &["discuss", "Which?", "--provider", "claude", "--look"][..],
        &["review", "brief.md", "--provider", "claude", "--look"],
    ] {
        let before = scenario.read("../home/in").len();
        let run = scenario.discussions(args).with_any_code();
        assert!(
            run.stderr().contains("allowed to read the files"),
            "{args:?} {before} {}",
            run.stderr()
        );
        assert!(calls(&scenario).pop().unwrap()[2].contains("Read,Grep,Glob"), "{args:?}");
    }
}

#[test]
fn model_behind_an_http_service_cannot_look_and_a_note_says_so() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let scenario = scenario();
    log_in(&scenario, "in");
    let own =
        format!("providers:\n  - {{name: own, api: openai, model: m, url: '{}'}}\n", fake.url());
    scenario.write("../config/providers.yaml", own.as_bytes());
    let run = scenario.discussions(&["turn", "d", "--look", "--provider", "own"]).code(0);
    assert!(
        run.stderr().contains("no participant can read the files of this project"),
        "{}",
        run.stderr()
    );
    assert!(!scenario.read("d.md").contains("look:"));
    assert!(!fake.requests()[0].raw.contains("with your tools"));
}

#[test]
fn money_limit_refuses_tools_because_their_price_is_unknown() {
    let scenario = scenario();
    log_in(&scenario, "in");
    let run = scenario.discussions(&["turn", "d", "--look", "--max-usd", "5"]).code(1);
    assert!(
        run.stderr().contains("the price of claude-sonnet with tools is not known"),
        "{}",
        run.stderr()
    );
    let run = scenario.discussions(&["run", "d", "--look"]);
    let note = "the price of claude-sonnet with tools is unknown";
    assert!(run.stderr().contains(note), "{}", run.stderr());
    let asked = scenario.discussions(&["turn", "d", "--look", "--max-usd", "5", "--unpriced"]);
    asked.code(0);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts a model program for many calls"]
    fn unsupported_temperature_is_reported_once() {
        let fake = Fake::repeating(stream(CHAT, 1000));
        let scenario = scenario();
        log_in(&scenario, "in");
        let url = fake.url();
        let own = format!(
            "providers:\n  - {{name: calm, api: openai, model: m, url: '{url}', effort: low}}\n  - {{name: warm, api: openai, model: m, url: '{url}'}}\n"
        );
        scenario.write("../config/providers.yaml", own.as_bytes());
        for (provider, told) in [
            ("claude", "DISCUSSIONS_TEMPERATURE"),
            ("calm", "it gets no temperature, because its `effort` is set"),
            ("warm", ""),
        ] {
            let args = ["discuss", "Which?", "--provider", provider, "--temperature", "0.5"];
            let run = scenario.discussions(&args);
            let times = usize::from(!told.is_empty());
            assert_eq!(
                run.stderr().matches("temperature").count(),
                times,
                "{provider}: {}",
                run.stderr()
            );
            assert!(run.stderr().contains(told), "{provider}: {}", run.stderr());
        }
        assert_eq!(fake.requests().last().unwrap().body["temperature"], 0.5);
    }
}
