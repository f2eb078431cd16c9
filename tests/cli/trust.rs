//! Nothing that a project brings along is run before the user agreed to it.

use super::scenario::{Run, Scenario};

/// Leaves a mark when it is run, with what it was given.
const PANEL: &str = "#!/bin/sh\necho \"$0 $*\" >> \"$RAN\"\necho 'Fine.'\n";

const OWN: &str = "providers:\n  - {name: panel, command: panel --quick, env: {HELLO: world}}\n";

const REFUSED: &str = "error: `panel` is defined by this project (providers.yaml:2), and you have not trusted it \
                       (DISCUSSION_NOT_TRUSTED)\nhelp: `discussions trust` shows what it runs, and asks; --provider \
                       names another\n";

/// A cloned project with a command of its own, which is its default.
fn cloned() -> Scenario {
    let scenario = Scenario::with_discussion()
        .distrusting()
        .program("panel", PANEL)
        .file("brief.md", "# Brief\n\nText.\n")
        .file("discussions.yaml", "providers: {default: panel}\n")
        .file("providers.yaml", OWN);
    let ran = scenario.path("../ran");
    scenario.env("RAN", ran.to_str().unwrap())
}

fn ran(scenario: &Scenario) -> bool {
    scenario.path("../ran").exists()
}

fn turn(scenario: &Scenario) -> Run {
    scenario.discussions(&["turn", "caching", "@architect"])
}

#[test]
fn without_a_terminal_it_is_refused_before_anything_is_written() {
    let scenario = cloned();
    let before = scenario.read("discussions/caching.md");
    for args in [
        &["turn", "caching"][..],
        &["run", "caching"],
        &["turn", "caching", "--provider", "panel"],
        &["new", "Other", "--run"],
        &["discuss", "Which?", "--pattern", "voting"],
        &["review", "brief.md"],
    ] {
        let run = scenario.discussions(args).code(3);
        assert!(run.stderr.ends_with(REFUSED), "{args:?}: {}", run.stderr);
        assert!(!run.stderr.contains("Invoking"), "{args:?}: {}", run.stderr);
    }
    let json = scenario.discussions(&["discuss", "Which?", "--json"]).code(3).json();
    assert_eq!(json["error"]["code"], "DISCUSSION_NOT_TRUSTED");
    assert_eq!(json["error"]["retryable"], false);
    assert_eq!(scenario.read("discussions/caching.md"), before);
    assert!(!ran(&scenario));
}

#[test]
fn looking_needs_no_trust_and_runs_nothing() {
    let scenario = cloned();
    for args in [
        &["list"][..],
        &["status", "caching"],
        &["show", "caching"],
        &["check"],
        &["providers", "list"],
        &["providers", "check"],
        &["templates", "list"],
        &["participants", "list"],
        &["turn", "caching", "--dry-run"],
        &["completions", "bash"],
        &["comment", "caching", "A remark."],
        &["turn", "caching", "--provider", "mock"],
        &["trust", "--list"],
    ] {
        let run = scenario.discussions(args).code(0);
        assert!(!run.stderr.contains("trust"), "{args:?}: {}", run.stderr);
    }
    assert!(!ran(&scenario));
    let list = scenario.discussions(&["providers", "list"]).stdout;
    assert_eq!(list.matches("providers.yaml (not trusted)").count(), 1, "{list}");
    assert_eq!(list.matches("(not trusted)").count(), 1, "{list}");
}

#[test]
fn what_was_agreed_to_runs_until_it_changes_or_is_taken_back() {
    let scenario = cloned();
    let agreed = scenario.discussions(&["trust", "--yes"]).code(0);
    assert_eq!(agreed.stdout, "Trusted: panel (providers.yaml:2)\n");
    insta::assert_snapshot!(agreed.stderr, @r"
    panel comes with this project; you may not have written it:
      command    panel --quick
      program    <root>/bin/panel
      env        HELLO=world
      folder     a new empty one for each call
      defined in providers.yaml:2
    ");
    let first = turn(&scenario).code(0);
    assert!(!first.stderr.contains("trust"), "{}", first.stderr);
    assert!(ran(&scenario));
    scenario.discussions(&["providers", "list"]).code(0).stdout_lacks("not trusted");
    scenario.discussions(&["trust"]).code(0).stdout("Trusted already: panel (providers.yaml:2)\n");
    scenario.discussions(&["trust", "--list"]).code(0).says("panel").says("panel --quick");
    for changed in [
        OWN.replace("--quick", "--slow"),
        OWN.replace("world", "moon"),
        OWN.replace("env: {", "env: {LD_PRELOAD: ./x.so, "),
        OWN.replace("}}", "}, workdir: project}"),
        OWN.replace("}}", "}, aliases: [claude]}"),
        OWN.replace("}}", "}, output: {format: json, text: /x}}"),
    ] {
        scenario.write("providers.yaml", changed.as_bytes());
        turn(&scenario).code(3).notes(REFUSED);
    }
    scenario.write("providers.yaml", format!("# moved\n{OWN}").as_bytes());
    turn(&scenario).code(0);
    scenario
        .discussions(&["trust", "--revoke"])
        .code(0)
        .stdout("No longer trusted: panel: panel --quick\n");
    turn(&scenario).code(3);
    scenario
        .discussions(&["trust", "--revoke"])
        .code(0)
        .stdout("Nothing of this project was trusted.\n");
}

#[test]
fn without_a_terminal_trust_shows_all_and_agrees_to_nothing() {
    let scenario = cloned();
    scenario
        .discussions_with(&["trust"], "yes\n")
        .code(3)
        .stdout("Not trusted: panel (providers.yaml:2)\n")
        .notes("  env        HELLO=world\n")
        .notes("error: nobody is at a terminal to be asked (DISCUSSION_NOT_TRUSTED)\n");
    turn(&scenario).code(3);
    let nothing = Scenario::new().file("discussions.yaml", "");
    nothing
        .discussions(&["trust"])
        .code(0)
        .stdout("This project brings along nothing that would be run.\n");
    Scenario::new().discussions(&["trust"]).code(3).notes("belongs to no project");
}

#[test]
fn the_environment_may_trust_all_and_it_is_said() {
    let scenario = cloned().env("DISCUSSIONS_TRUST", "all");
    let note = "note: DISCUSSIONS_TRUST=all: panel is this project's own (providers.yaml:2), and is trusted\n";
    let first = turn(&scenario).code(0);
    assert_eq!(first.stderr.matches(note).count(), 1, "{}", first.stderr);
    assert!(first.stderr.find(note) < first.stderr.find("Invoking"), "{}", first.stderr);
    let mock = scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    assert!(!mock.stderr.contains("trust"), "{}", mock.stderr);
    assert!(!scenario.path("../home/.local").exists(), "nothing is remembered");
    for other in ["1", "ALL", "yes"] {
        turn(&cloned().env("DISCUSSIONS_TRUST", other))
            .code(3)
            .notes(&format!("warning: DISCUSSIONS_TRUST={other} means nothing; only `all` does\n"));
    }
}

#[test]
fn a_fallback_that_is_not_trusted_is_left_out_and_that_is_said() {
    let scenario = cloned()
        .program("claude", "#!/bin/sh\nexit 1\n")
        .file("discussions.yaml", "providers: {default: claude-haiku, fallback: [panel]}\n");
    let note = "note: panel is not asked where others fail: it is this project's own (providers.yaml:2), and not \
                trusted; `discussions trust` shows what it runs, and asks\n";
    let failed = scenario
        .discussions(&["turn", "caching", "@architect", "--provider", "claude-haiku"])
        .code(4);
    assert_eq!(failed.stderr.matches(note).count(), 1, "{}", failed.stderr);
    assert!(!ran(&scenario));
    scenario.discussions(&["trust", "--yes"]).code(0);
    scenario.discussions(&["turn", "caching", "@architect", "--provider", "claude-haiku"]).code(0);
    assert!(ran(&scenario));
}

#[test]
fn what_takes_the_place_of_a_known_name_is_foreign_and_says_so() {
    let scenario = cloned()
        .file("discussions.yaml", "")
        .file(
            "providers.yaml",
            "providers:\n  - {name: claude-sonnet, command: panel}\n  - {name: x, builtin: mock, aliases: [codex, gemini]}\n  \
             - {name: mine, builtin: mock}\n  - {name: harmless, builtin: mock}\n",
        )
        .file("participants/architect.yaml", "name: AI-Architect\nalias: architect\npersonality: Yes.\nprovider_hint: claude-sonnet\n");
    scenario.write(
        "../config/providers.yaml",
        b"providers:\n  - {name: mine, command: panel --mine}\n",
    );
    scenario
        .discussions(&["trust"])
        .code(3)
        .notes("  instead of the built-in `claude-sonnet`\n")
        .notes("  instead of the built-in `gemini`\n")
        .notes("  instead of your own `mine` (<root>/config/providers.yaml)\n")
        .stdout_lacks("harmless");
    let turn = turn(&scenario).code(3);
    assert!(turn.stderr.contains("providers.yaml:2"), "{}", turn.stderr);
    for (provider, code) in [("gemini", 3), ("mine", 3), ("harmless", 0)] {
        scenario.discussions(&["turn", "caching", "@security", "--provider", provider]).code(code);
    }
    assert!(!ran(&scenario));
}

#[test]
fn made_up_answers_are_nobody_elses() {
    let text = "providers:\n  - {name: fine, command: panel}\n  - {name: mock, command: panel}\n";
    let wanted = ":3:5: `mock` stands for made-up answers everywhere\n";
    let project = cloned().file("providers.yaml", text);
    project
        .discussions(&["turn", "caching", "--provider", "mock"])
        .code(3)
        .notes(wanted)
        .notes("help: give this provider another name");
    let user = Scenario::with_discussion();
    user.write("../config/providers.yaml", text.as_bytes());
    user.discussions(&["list"]).code(3).notes(wanted);
}

#[test]
fn consent_is_for_one_project_and_for_the_files_that_it_names() {
    use std::os::unix::fs::PermissionsExt as _;
    let scenario = cloned().file(
        "providers.yaml",
        "providers:\n  - {name: panel, command: ./panel.sh, env: {BASH_ENV: ./rc}, workdir: project}\n",
    );
    for name in ["panel.sh", "rc", "../other/panel.sh", "../other/rc"] {
        scenario.write(name, PANEL.as_bytes());
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(scenario.path(name), mode).unwrap();
    }
    scenario
        .discussions(&["trust", "--yes"])
        .code(0)
        .notes("  folder     the project's, <root>/work\n")
        .notes("  its file   panel.sh (a change of it is asked about, of what it loads is not)\n")
        .notes("  its file   rc (");
    turn(&scenario).code(0);
    for name in ["panel.sh", "rc"] {
        scenario.write(name, format!("{PANEL}echo more\n").as_bytes());
        turn(&scenario).code(3);
        scenario.write(name, PANEL.as_bytes());
        turn(&scenario).code(0);
    }
    for name in ["discussions.yaml", "providers.yaml", "discussions/caching.md"] {
        scenario.write(&format!("../other/{name}"), scenario.read(name).as_bytes());
    }
    let mut elsewhere = scenario.program_under_test();
    elsewhere.current_dir(scenario.path("../other")).args(["turn", "caching"]);
    assert_eq!(
        elsewhere.output().unwrap().status.code(),
        Some(3),
        "the same words in another folder"
    );
}

#[test]
fn a_link_that_leads_elsewhere_and_a_file_in_a_longer_word_are_changes() {
    use std::os::unix::fs::symlink;
    let scenario = cloned()
        .file("x.js", "1")
        .file(
            "providers.yaml",
            "providers:\n  - {name: panel, command: ./tool -c evil, env: {NODE_OPTIONS: \"--require ./x.js\"}}\n",
        );
    let tool = scenario.path("tool");
    symlink("/bin/echo", &tool).unwrap();
    let agreed = scenario.discussions(&["trust", "--yes"]).code(0);
    assert!(agreed.stderr.contains("  its file   tool -> /"), "{}", agreed.stderr);
    assert!(agreed.stderr.contains("  its file   x.js ("), "{}", agreed.stderr);
    turn(&scenario).code(0);
    scenario.write("x.js", b"2");
    turn(&scenario).code(3);
    scenario.write("x.js", b"1");
    turn(&scenario).code(0);
    std::fs::remove_file(&tool).unwrap();
    symlink("/bin/sh", &tool).unwrap();
    turn(&scenario).code(3);
}

#[test]
fn consents_that_somebody_else_could_have_written_are_none() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let scenario = cloned();
    let state = scenario.path("../home/.local/state/discussions/trusted");
    scenario.discussions(&["trust", "--yes"]).code(0);
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let file = state.read_dir().unwrap().next().unwrap().unwrap().path();
    assert_eq!((mode(&state), mode(&file)), (0o700, 0o600));
    let kept = std::fs::read(&file).unwrap();
    turn(&scenario).code(0);
    for garbage in [&b""[..], b"{}", b"\xff\xfe", b"{\"fingerprint\": \"x\"}"] {
        std::fs::write(&file, garbage).unwrap();
        turn(&scenario).code(3);
        scenario.discussions(&["trust", "--list"]).code(0).stdout_lacks("panel");
    }
    std::fs::write(&file, &kept).unwrap();
    // A file that came with the project is none of the user's.
    std::fs::rename(&file, scenario.path("consent.json")).unwrap();
    symlink(scenario.path("consent.json"), &file).unwrap();
    turn(&scenario).code(3);
    scenario.discussions(&["trust", "--yes"]).code(0);
    assert!(file.symlink_metadata().unwrap().is_file(), "the link is replaced, not followed");
    let elsewhere = scenario.path("../trusted");
    std::fs::rename(&state, &elsewhere).unwrap();
    symlink(&elsewhere, &state).unwrap();
    turn(&scenario).code(5).notes("trusted: it is a link, so what you trust cannot be kept there");
    scenario.discussions(&["providers", "list"]).code(0).says("(not trusted)");
    std::fs::remove_file(&state).unwrap();
    std::fs::rename(&elsewhere, &state).unwrap();
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o777)).unwrap();
    turn(&scenario).code(5).notes("others may write to it");
    std::fs::remove_dir_all(&state).unwrap();
    std::fs::write(&state, "no folder").unwrap();
    scenario.discussions(&["trust", "--yes"]).code(5).notes("it is no folder");
    assert_eq!(scenario.read("../ran").lines().count(), 1);
}

#[test]
fn a_script_is_asked_about_with_its_words() {
    let scenario = cloned()
        .file("providers.yaml", "providers:\n  - {name: panel, script: play.yaml}\n")
        .file("play.yaml", "answers: [{text: \"I agree.\"}]\n");
    turn(&scenario).code(3);
    scenario.discussions(&["trust", "--yes"]).code(0).notes("  answers    play.yaml\n");
    turn(&scenario).code(0);
    scenario.write("play.yaml", b"answers: [{text: \"I do not.\"}]\n");
    turn(&scenario).code(3);
    std::fs::remove_file(scenario.path("play.yaml")).unwrap();
    assert!(scenario.command("mkfifo").arg(scenario.path("play.yaml")).status().unwrap().success());
    scenario.discussions(&["providers", "check"]).code(0).says("it is not a regular file");
}

#[test]
fn a_ping_passes_over_what_is_not_trusted() {
    let scenario = cloned().alone();
    let ping = scenario.discussions(&["providers", "check", "--ping"]).code(0);
    let line = ping.stdout.lines().find(|line| line.starts_with("panel ")).unwrap();
    assert!(line.contains("not trusted  `discussions trust` shows what it runs"), "{line}");
    assert!(!ran(&scenario));
}

#[test]
fn nothing_of_a_definition_hides_in_the_question() {
    let long = "x".repeat(3000);
    let command = format!("sh -c 'true\\n  defined in nowhere:1\\e[2J\\u202e{long}' end");
    let scenario = cloned().file(
        "providers.yaml",
        &format!(
            "providers:\n  - name: panel\n    command: \"{command}\"\n    env: {{A: \"1\\r2\"}}\n"
        ),
    );
    let shown = scenario.discussions(&["trust"]).code(3).stderr;
    let line = shown.lines().find(|line| line.contains("sh -c")).unwrap();
    assert!(line.contains(r"true\n  defined in nowhere:1\u{1b}[2J⟨U+202E⟩xxx"), "{line}");
    assert!(line.ends_with("xxx' end"), "{line}");
    assert!(shown.contains(r"env        A=1\r2"), "{shown}");
    assert!(shown.contains("warning: its command has 3"), "{shown}");
}

#[test]
fn consents_within_the_project_prove_nothing() {
    let scenario = cloned().env("DISCUSSIONS_STATE_DIR", ".state");
    for args in [&["trust", "--yes"][..], &["turn", "caching"]] {
        let run = scenario.discussions(args).code(3);
        assert!(run.stderr.contains("would be kept within the project itself"), "{}", run.stderr);
    }
    assert!(!scenario.path(".state").exists() && !ran(&scenario));
}

#[test]
fn whom_an_answer_calls_in_is_refused_then() {
    let claude = r#"#!/bin/sh
printf '{"is_error":false,"result":"Ask @dba.","usage":{"input_tokens":1,"output_tokens":1}}'
"#;
    let persona = "name: AI-DBA\nalias: dba\npersonality: Knows.\nprovider_hint: panel\n";
    let scenario = cloned()
        .program("claude", claude)
        .file("discussions.yaml", "")
        .file("participants/dba.yaml", persona);
    let run = scenario.discussions(&["run", "caching"]).code(3).notes("Invoking AI-Architect");
    assert!(run.stderr.ends_with(REFUSED), "{}", run.stderr);
    assert!(
        scenario.read("discussions/caching.md").contains("Ask @dba."),
        "what was answered stays"
    );
    assert!(!ran(&scenario));
}

#[test]
fn variables_in_a_command_are_not_shown_as_if_they_stood_for_themselves() {
    let scenario = cloned().env("SECRET", "hunter2").file(
        "providers.yaml",
        "providers:\n  - {name: panel, command: \"$A -c 'echo $SECRET ' ~/x 'a b'\", env: {A: sh}}\n",
    );
    let shown = scenario.discussions(&["trust"]).code(3).stderr;
    assert!(
        shown.contains("  command    $A -c \"echo $SECRET \" ~/x 'a b'\n  program    /"),
        "{shown}"
    );
    assert!(!shown.contains("hunter2"), "{shown}");
}

/// Runs it on a terminal, with this typed; what the terminal shows, and the exit code.
fn on_a_terminal(scenario: &Scenario, command: &str, typed: &str) -> Option<(String, i32)> {
    use std::io::Write as _;
    use std::process::Stdio;
    if !scenario
        .command("script")
        .args(["-qec", "true", "/dev/null"])
        .output()
        .is_ok_and(|it| it.status.success())
    {
        println!("skipped: `script` does not work here");
        return None;
    }
    let line = format!("{} {command}", env!("CARGO_BIN_EXE_discussions"));
    let mut child = scenario
        .command("script")
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "dumb")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    Some((shown, output.status.code().unwrap()))
}

#[test]
fn on_a_terminal_it_is_asked_once_before_the_first_call() {
    let scenario = cloned();
    for no in ["\n", "n\n", "nonsense\n", "yes please\n"] {
        let Some((shown, code)) = on_a_terminal(&scenario, "turn caching @architect", no) else {
            return;
        };
        assert_eq!(code, 3, "{no:?}: {shown}");
        assert!(shown.contains("Trust panel? [y/N]"), "{shown}");
        assert!(
            shown.contains("command    panel --quick") && shown.contains("HELLO=world"),
            "{shown}"
        );
        assert!(shown.contains("DISCUSSION_NOT_TRUSTED") && !shown.contains("Invoking"), "{shown}");
    }
    assert!(!ran(&scenario));
    let (shown, code) = on_a_terminal(&scenario, "turn caching", "y\n").unwrap();
    assert_eq!(code, 0, "{shown}");
    assert_eq!(shown.matches("Trust panel?").count(), 1, "once for three: {shown}");
    assert!(ran(&scenario));
    let (shown, code) = on_a_terminal(&scenario, "turn caching", "").unwrap();
    assert_eq!(code, 0, "{shown}");
    assert!(!shown.contains("Trust panel?"), "{shown}");
    let (shown, code) = on_a_terminal(&cloned(), "trust", "yes\n").unwrap();
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("Trusted: panel (providers.yaml:2)"), "{shown}");
}
