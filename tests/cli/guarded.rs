//! Answers that a run cannot record, programs of models that try to act as a person, and votes during a run.

use super::Scenario;
use super::scenario::Run;

/// The folder for answers that could not be recorded.
const KEPT: &str = "../home/.local/state/discussions/kept";

/// A discussion with a provider that runs the script `does` in the project folder before it answers.
fn discussion_with_agent(does: &str) -> Scenario {
    let does = does.replace("discussions ", &format!("'{}' ", env!("CARGO_BIN_EXE_discussions")));
    let scenario = Scenario::new()
        .program(
            "agent",
            &format!(
                "#!/bin/sh\ncat >/dev/null\n{does}\necho Heard by $DISCUSSIONS_PARTICIPANT.\n"
            ),
        )
        .file("discussions.yaml", "{}\n")
        .file(
            "providers.yaml",
            "providers:\n  - {name: agent, command: agent, workdir: project}\n",
        );
    scenario.discussions(&["new", "Caching", "-p", "architect,security"]).code(0);
    scenario.discussions(&["comment", "caching", "First words.", "--as", "Rob"]).code(0);
    scenario
}

/// Returns the text of the file in which the run kept its answers; the message names the file.
fn kept_file_text(scenario: &Scenario, run: &Run) -> String {
    let at = run.stderr().split("kept in ").nth(1).unwrap_or_else(|| panic!("{}", run.stderr()));
    let name = at.lines().next().unwrap().rsplit('/').next().unwrap();
    std::fs::read_to_string(scenario.path(KEPT).join(name)).unwrap()
}

#[test]
fn model_program_cannot_act_as_a_person() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "First words.", "--as", "Rob"]).code(0);
    let text = scenario.read("discussions/caching.md").replace("First words", "Other words");
    scenario.write("discussions/caching.md", text.as_bytes());
    let scenario = scenario.env("DISCUSSIONS_PARTICIPANT", "architect");
    for args in [
        &["vote", "caching", "READY", "--as", "Rob"][..],
        &["vote", "caching", "READY"],
        &["vote", "caching", "READY", "--as", "security"],
        &["comment", "caching", "Yes.", "--as", "Rob"],
        &["advance", "caching"],
        &["close", "caching"],
        &["reopen", "caching"],
        &["check", "--accept", "--yes", "--as", "Rob"],
        &["turn", "caching", "--ask", "Why?"],
    ] {
        let refused = scenario.discussions(args);
        assert_ne!(refused.exit(), 0, "{args:?}");
        assert!(
            refused.stderr().contains("a program started to answer as `architect` cannot act as"),
            "{args:?}: {}",
            refused.stderr()
        );
        assert_eq!(scenario.read("discussions/caching.md"), text, "{args:?}");
    }
    scenario.discussions(&["comment", "caching", "I answer.", "--as", "architect"]).code(0);
    let scenario = scenario.env("DISCUSSIONS_PARTICIPANT", "");
    scenario.discussions(&["vote", "caching", "READY", "--as", "Rob"]).code(0);
}

#[test]
fn model_program_cannot_trust_project_commands() {
    let scenario = Scenario::new()
        .distrusting()
        .file("discussions.yaml", "author: Rob\n")
        .file("providers.yaml", "providers:\n  - {name: own, command: touch ran}\n")
        .env("DISCUSSIONS_PARTICIPANT", "architect");
    for args in [&["trust", "--yes"][..], &["trust", "--yes", "--json"]] {
        let refused = scenario.discussions(args).code(3);
        let output = format!("{}{}", refused.stdout, refused.stderr());
        assert!(output.contains("started to answer as `architect` cannot act as Rob"), "{output}");
    }
    scenario.discussions(&["trust", "--list"]).code(0).stdout_lacks("own");
    let scenario = scenario.env("DISCUSSIONS_PARTICIPANT", "");
    scenario.discussions(&["trust", "--yes"]).code(0).says("Trusted: own");
}

#[test]
fn answer_is_not_recorded_in_a_replaced_discussion() {
    let does = "[ $DISCUSSIONS_PARTICIPANT = security ] || cp other.md discussions/caching.md";
    let other = "# Caching\n\nAnother context.\n\n---\n";
    let scenario = discussion_with_agent(does).file("other.md", other);
    let turn = scenario.discussions(&["turn", "caching", "@architect", "--provider", "agent"]);
    assert_ne!(turn.exit(), 0, "{}", turn.stderr());
    assert!(
        turn.stderr().contains(
            "the turn of this call, or the title or context that was sent, is no longer in the file"
        ),
        "{}",
        turn.stderr()
    );
    assert!(turn.stderr().contains("the answer of architect"), "{}", turn.stderr());
    assert_eq!(scenario.read("discussions/caching.md"), other);
    assert!(kept_file_text(&scenario, &turn).contains("Heard by architect."));
}

#[test]
fn answer_is_not_recorded_when_its_turn_is_gone() {
    let does = "cp before.md discussions/caching.md";
    let scenario = discussion_with_agent(does);
    let before = scenario.read("discussions/caching.md");
    scenario.write("before.md", before.as_bytes());
    let turn = scenario.discussions(&["turn", "caching", "@architect", "--provider", "agent"]);
    assert_ne!(turn.exit(), 0, "{}", turn.stderr());
    assert_eq!(scenario.read("discussions/caching.md"), before);
    assert!(kept_file_text(&scenario, &turn).contains("Heard by architect."));
}

#[test]
fn changed_older_text_adds_a_warning_to_the_answer() {
    let scenario =
        discussion_with_agent("sed -i.old 's/First words/Other words/' discussions/caching.md");
    let turn = scenario.discussions(&["turn", "caching", "@architect", "--provider", "agent"]);
    let turn = turn.code(0).notes("older text changed while this participant was answering");
    let text = scenario.read("discussions/caching.md");
    assert!(
        text.contains("Heard by architect.") && text.contains("Other words"),
        "{}",
        turn.stderr()
    );
}

#[test]
fn answer_is_recorded_after_stash_and_rebase_during_call() {
    let does = "[ -e ../theirs/done ] || { git stash -q && git pull -q --rebase && git stash pop -q && touch ../theirs/done; } >&2";
    let scenario = discussion_with_agent(does);
    scenario.git(&["config", "--global", "user.name", "Rob"]);
    scenario.git(&["config", "--global", "user.email", "rob@localhost"]);
    scenario.git(&["init", "-q", "-b", "main"]).git(&["add", "-A"]);
    scenario.git(&["commit", "-qm", "base"]);
    scenario.git(&["clone", "-q", ".", "../theirs"]);
    scenario.git(&["remote", "add", "origin", "../theirs"]);
    scenario.git(&["-C", "../theirs", "commit", "-q", "--allow-empty", "-m", "theirs"]);
    scenario.git(&["fetch", "-q"]).git(&["branch", "-q", "-u", "origin/main"]);
    let turn =
        scenario.discussions(&["turn", "caching", "@architect", "--provider", "agent"]).code(0);
    assert!(scenario.path("../theirs/done").exists(), "{}", turn.stderr());
    let text = scenario.read("discussions/caching.md");
    assert_eq!(text.matches("Heard by architect.").count(), 1, "{text}");
}

#[test]
fn answers_are_kept_when_the_file_disappears() {
    // The second call waits until the first answer is kept.
    let does = "if [ $DISCUSSIONS_PARTICIPANT = architect ]; then rm discussions/caching.md\n\
        else tries=0; while ! grep -q 'Heard by architect' ../home/.local/state/discussions/kept/*.md 2>/dev/null && [ $tries -lt 600 ]; do\n\
        tries=$((tries + 1)); sleep 0.05; done; fi";
    let scenario = discussion_with_agent(does);
    let turn = scenario.discussions(&["turn", "caching", "--provider", "agent"]);
    assert_ne!(turn.exit(), 0, "{}", turn.stderr());
    let message = "2 answers of architect, security are kept in";
    assert!(turn.stderr().contains(message), "{}", turn.stderr());
    let kept = kept_file_text(&scenario, &turn);
    assert!(kept.contains("Heard by architect.") && kept.contains("Heard by security."), "{kept}");
}

#[test]
fn kept_answers_are_added_once_and_only_to_their_turn() {
    let does = "[ -e again ] || mv discussions/caching.md away.md; echo x >> calls";
    let scenario = discussion_with_agent(does);
    let turn = ["turn", "caching", "@architect", "--provider", "agent"];
    scenario.discussions(&turn).code(3).notes("the answer of architect is kept in");
    let text = scenario.read("away.md");
    // A different discussion with this file name does not get the answer.
    scenario.write("discussions/caching.md", b"# Caching\n\nAnother.\n\n---\n");
    scenario.write("again", b"");
    let run = ["run", "caching", "--provider", "agent", "--max-calls", "0"];
    let refused = scenario.discussions(&[&run[..], &["--take-in"]].concat()).code(1);
    refused.notes("not added: AI-Architect: the turn is not in the file; kept in");
    scenario.write("discussions/caching.md", text.as_bytes());
    let named = scenario.discussions(&run).code(1);
    named.notes("answers of AI-Architect are kept outside the file; `run --take-in` adds them");
    assert!(!scenario.read("discussions/caching.md").contains("Heard by architect."));
    let added = scenario.discussions(&[&run[..], &["--take-in"]].concat()).code(1);
    added.notes("Added the kept answers of AI-Architect");
    let text = scenario.read("discussions/caching.md");
    assert_eq!(text.matches("Heard by architect.").count(), 1, "{text}");
    assert!(text.contains("<!-- REPLY"), "{text}");
    assert_eq!(std::fs::read_dir(scenario.path(KEPT)).unwrap().count(), 0);
    let none = scenario.discussions(&[&run[..], &["--take-in"]].concat()).code(1);
    none.notes("there are no kept answers");
    assert_eq!(scenario.read("calls"), "x\n", "nobody was asked again");
    scenario.discussions(&["check", "caching"]).code(0);
}

#[test]
fn kept_answers_of_another_user_are_not_added() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let scenario = discussion_with_kept_answer("");
    let run = ["run", "caching", "--provider", "agent", "--max-calls", "0", "--take-in"];
    let folder = scenario.path(KEPT);
    let file = folder.read_dir().unwrap().next().unwrap().unwrap().path();
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    // A file that others can write, and one behind a link.
    std::fs::set_permissions(&file, mode(0o666)).unwrap();
    scenario.discussions(&run).code(1).notes("there are no kept answers");
    std::fs::set_permissions(&file, mode(0o600)).unwrap();
    let elsewhere = scenario.path("../elsewhere");
    std::fs::rename(&folder, &elsewhere).unwrap();
    symlink(&elsewhere, &folder).unwrap();
    scenario.discussions(&run).code(3).notes("kept: cannot be read: it is a link");
    std::fs::remove_file(&folder).unwrap();
    std::fs::rename(&elsewhere, &folder).unwrap();
    // Only root can give a folder away.
    if std::os::unix::fs::chown(&folder, Some(65534), None).is_ok() {
        scenario
            .discussions(&run)
            .code(3)
            .notes("kept: cannot be read: it belongs to another user");
        std::os::unix::fs::chown(&folder, Some(0), None).unwrap();
        std::os::unix::fs::chown(&file, Some(65534), None).unwrap();
        scenario.discussions(&run).code(1).notes("there are no kept answers");
        std::os::unix::fs::chown(&file, Some(0), None).unwrap();
    }
    assert!(!scenario.read("discussions/caching.md").contains("Heard by architect."));
    let added = scenario.discussions(&run).code(1);
    added.notes("kept answers of AI-Architect: ").notes("Added the kept answers of AI-Architect");
}

/// A discussion whose file was missing during a call, so the architect's answer was kept; the file is back now.
fn discussion_with_kept_answer(limits: &str) -> Scenario {
    let does = "echo x >> calls; [ -e again ] || mv discussions/caching.md away.md";
    let scenario = discussion_with_agent(does);
    let text = scenario.read("discussions/caching.md");
    let text = text.replacen("participants:", &format!("{limits}participants:"), 1);
    scenario.write("discussions/caching.md", text.as_bytes());
    let turn = ["turn", "caching", "@architect", "--provider", "agent"];
    scenario.discussions(&turn).code(3).notes("the answer of architect is kept in");
    let text = scenario.read("away.md");
    scenario.write("discussions/caching.md", text.as_bytes());
    scenario.write("again", b"");
    scenario
}

#[test]
fn kept_answers_count_against_the_call_limit() {
    let scenario = discussion_with_kept_answer("limits: {max_calls: 1}\n");
    let run = ["run", "caching", "--provider", "agent"];
    let calls = || scenario.read("calls").lines().count();
    scenario.discussions(&run).code(1).with_warnings();
    assert_eq!(calls(), 1, "a kept answer was paid for, though it is not in the file");
    scenario
        .discussions(&[&run[..], &["--take-in"]].concat())
        .code(1)
        .notes("Added the kept answers");
    assert_eq!(calls(), 1, "an answer that was added uses up the limit");
    let text = scenario.read("discussions/caching.md");
    let text = text.replace("max_calls: 1", "max_calls: 2");
    scenario.write("discussions/caching.md", text.as_bytes());
    scenario.discussions(&run).code(1).with_warnings();
    assert_eq!(calls(), 2, "it counts once");
}

#[test]
fn answer_is_kept_when_the_file_becomes_read_only() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    let does = "echo x >> calls; [ -e again ] || chmod 444 discussions/caching.md";
    let scenario = discussion_with_agent(does);
    let path = scenario.path("discussions/caching.md");
    set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    if std::fs::OpenOptions::new().append(true).open(&path).is_ok() {
        return; // Root ignores permissions.
    }
    set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    let turn = ["turn", "caching", "@architect", "--provider", "agent"];
    let refused = scenario.discussions(&turn);
    assert_ne!(refused.exit(), 0, "{}", refused.stderr());
    assert!(
        refused.stderr().contains("the answer of architect is kept in"),
        "{}",
        refused.stderr()
    );
    assert!(kept_file_text(&scenario, &refused).contains("Heard by architect."));
    let take_in = ["run", "caching", "--provider", "agent", "--max-calls", "0", "--take-in"];
    let still = scenario.discussions(&take_in);
    assert_ne!(still.exit(), 0, "{}", still.stderr());
    assert!(kept_file_text(&scenario, &refused).contains("Heard by architect."), "it stays kept");
    set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    scenario.write("again", b"");
    scenario.discussions(&take_in).notes("Added the kept answers of AI-Architect");
    let text = scenario.read("discussions/caching.md");
    assert_eq!(text.matches("Heard by architect.").count(), 1, "{text}");
    assert_eq!(scenario.read("calls"), "x\n");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn kept_answers_need_confirmation_at_a_terminal() {
        let scenario = discussion_with_kept_answer("");
        let run = ["run", "caching", "--provider", "agent", "--max-calls", "0"];
        let question = "Add the answers of AI-Architect that an earlier run kept? [y/N]";
        for no in ["n\n", "\n"] {
            let terminal = scenario.at_terminal(&run, no).code(1);
            let terminal = terminal.says(question).says("`run --take-in` adds them");
            let text = scenario.read("discussions/caching.md");
            assert!(!text.contains("Heard by architect."), "{no:?}: {}", terminal.stdout);
        }
        let terminal =
            scenario.at_terminal(&run, "y\n").code(1).says(question).says("Added the kept answers");
        let text = scenario.read("discussions/caching.md");
        assert_eq!(text.matches("Heard by architect.").count(), 1, "{}", terminal.stdout);
        scenario.at_terminal(&run, "").code(1).stdout_lacks("kept");
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn vote_of_a_person_during_a_run_is_reported() {
        let votes = "[ $DISCUSSIONS_PARTICIPANT = security ] || env -u DISCUSSIONS_PARTICIPANT discussions vote caching READY --as Rob >&2";
        let turn = ["turn", "caching", "--provider", "agent"];
        let run = discussion_with_agent(votes).discussions(&turn).code(0);
        run.notes("Rob voted READY during this run");
        let json = discussion_with_agent(votes)
            .discussions(&[&turn[..], &["--json"]].concat())
            .code(0)
            .json();
        assert_eq!(json["personVotes"]["Rob"], "READY", "{json:#}");
        let events =
            discussion_with_agent(votes).discussions(&[&turn[..], &["--events"]].concat()).code(0);
        let end = events.stdout.lines().find(|line| line.contains("discussion.end")).unwrap();
        assert!(end.contains(r#""personVotes":{"Rob":"READY"}"#), "{end}");
        let plain = discussion_with_agent(":")
            .discussions(&[&turn[..], &["--json"]].concat())
            .code(0)
            .json();
        assert!(plain.get("personVotes").is_none(), "{plain:#}");
    }
}
