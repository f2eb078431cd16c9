//! Stored trust: how long it is valid, and files that do not count as the user's own.

use super::{OWN, PANEL, REFUSED, cloned_project, turn_of_architect, was_run};

#[test]
fn trust_covers_one_project_and_the_named_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let scenario = cloned_project().file(
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
        .notes("  folder     the project folder, <root>/work\n")
        .notes("  its file   panel.sh (you are asked again if it changes, but not if a file that it loads changes)\n")
        .notes("  its file   rc (");
    turn_of_architect(&scenario).code(0);
    for name in ["panel.sh", "rc"] {
        scenario.write(name, format!("{PANEL}echo more\n").as_bytes());
        turn_of_architect(&scenario).code(3);
        scenario.write(name, PANEL.as_bytes());
        turn_of_architect(&scenario).code(0);
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
fn changed_link_target_or_option_file_ends_the_trust() {
    use std::os::unix::fs::symlink;
    let scenario = cloned_project()
        .file("x.js", "1")
        .file(
            "providers.yaml",
            "providers:\n  - {name: panel, command: ./tool -c evil, env: {NODE_OPTIONS: \"--require ./x.js\"}}\n",
        );
    let tool = scenario.path("tool");
    symlink("/bin/echo", &tool).unwrap();
    let agreed = scenario.discussions(&["trust", "--yes"]).code(0);
    assert!(agreed.stderr().contains("  its file   tool -> /"), "{}", agreed.stderr());
    assert!(agreed.stderr().contains("  its file   x.js ("), "{}", agreed.stderr());
    turn_of_architect(&scenario).code(0);
    scenario.write("x.js", b"2");
    turn_of_architect(&scenario).code(3);
    scenario.write("x.js", b"1");
    turn_of_architect(&scenario).code(0);
    std::fs::remove_file(&tool).unwrap();
    symlink("/bin/sh", &tool).unwrap();
    turn_of_architect(&scenario).code(3);
}

#[test]
fn stored_trust_that_others_could_write_is_ignored() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let scenario = cloned_project();
    let state = scenario.path("../home/.local/state/discussions/trusted");
    scenario.discussions(&["trust", "--yes"]).code(0);
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let file = state.read_dir().unwrap().next().unwrap().unwrap().path();
    assert_eq!((mode(&state), mode(&file)), (0o700, 0o600));
    let kept = std::fs::read(&file).unwrap();
    turn_of_architect(&scenario).code(0);
    for garbage in [&b""[..], b"{}", b"\xff\xfe", b"{\"fingerprint\": \"x\"}"] {
        std::fs::write(&file, garbage).unwrap();
        turn_of_architect(&scenario).code(3);
        scenario.discussions(&["trust", "--list"]).code(0).stdout_lacks("panel");
    }
    std::fs::write(&file, &kept).unwrap();
    // A file that came with the project is not the user's own.
    std::fs::rename(&file, scenario.path("consent.json")).unwrap();
    symlink(scenario.path("consent.json"), &file).unwrap();
    turn_of_architect(&scenario).code(3);
    scenario.discussions(&["trust", "--yes"]).code(0);
    assert!(file.symlink_metadata().unwrap().is_file(), "the link is replaced, not followed");
    let elsewhere = scenario.path("../trusted");
    std::fs::rename(&state, &elsewhere).unwrap();
    symlink(&elsewhere, &state).unwrap();
    turn_of_architect(&scenario)
        .code(5)
        .notes("trusted: it is a link, so your trust decisions cannot be stored there");
    scenario.discussions(&["providers", "list"]).with_warnings().code(0).says("(not trusted)");
    std::fs::remove_file(&state).unwrap();
    std::fs::rename(&elsewhere, &state).unwrap();
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o777)).unwrap();
    turn_of_architect(&scenario).code(5).notes("other users can write to it");
    std::fs::remove_dir_all(&state).unwrap();
    std::fs::write(&state, "no folder").unwrap();
    scenario.discussions(&["trust", "--yes"]).code(5).notes("it is not a folder");
    assert_eq!(scenario.read("../ran").lines().count(), 1);
}

#[test]
fn trust_in_a_script_covers_its_content() {
    let scenario = cloned_project()
        .file("providers.yaml", "providers:\n  - {name: panel, script: play.yaml}\n")
        .file("play.yaml", "answers: [{text: \"I agree.\"}]\n");
    turn_of_architect(&scenario).code(3);
    scenario.discussions(&["trust", "--yes"]).code(0).notes("  answers    play.yaml\n");
    turn_of_architect(&scenario).code(0);
    scenario.write("play.yaml", b"answers: [{text: \"I do not.\"}]\n");
    turn_of_architect(&scenario).code(3);
    std::fs::remove_file(scenario.path("play.yaml")).unwrap();
    assert!(scenario.command("mkfifo").arg(scenario.path("play.yaml")).status().unwrap().success());
    scenario.discussions(&["providers", "check", "panel"]).code(4).says("it is not a regular file");
}

#[test]
fn trust_stored_in_the_project_is_refused() {
    let scenario = cloned_project().env("DISCUSSIONS_STATE_DIR", ".state");
    for args in [&["trust", "--yes"][..], &["turn", "caching"]] {
        let run = scenario.discussions(args).code(3);
        assert!(run.stderr().contains("would be stored in the project itself"), "{}", run.stderr());
    }
    assert!(!scenario.path(".state").exists() && !was_run(&scenario));
}

#[test]
fn command_that_may_run_uncovered_files_of_the_project_says_so() {
    let note = "  its files  none is covered: if the command runs a file of the project, any change of it runs \
                without asking\n";
    for (command, is_noted) in [
        ("env -C tools ./t.sh", true),
        ("env --chdir=tools sh t.sh", true),
        ("sh -c \\\"cd tools; ./t.sh\\\"", true),
        ("sh -c \\\"sh tool.s?\\\"", true),
        ("python3 -m tools.model", true),
        ("sh tools/t.sh", false),
    ] {
        let scenario = cloned_project().file("tools/t.sh", "echo Fine.\n").file(
            "providers.yaml",
            &format!("providers:\n  - {{name: panel, command: \"{command}\", workdir: project}}\n"),
        );
        let agreed = scenario.discussions(&["trust", "--yes"]).code(0);
        assert_eq!(agreed.stderr().contains(note), is_noted, "{command}: {}", agreed.stderr());
    }
    let scenario = cloned_project().file(
        "providers.yaml",
        "providers:\n  - {name: panel, command: \"sh -c 'cd $(dirname $DISCUSSIONS_FILE); ./t.sh'\"}\n",
    );
    scenario.discussions(&["trust", "--yes"]).code(0).notes(note);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn trusted_command_runs_until_it_changes_or_is_revoked() {
        let scenario = cloned_project();
        let agreed = scenario.discussions(&["trust", "--yes"]).code(0);
        assert_eq!(agreed.stdout, "Trusted: panel (providers.yaml:2)\n");
        insta::assert_snapshot!(agreed.stderr(), @r"
    panel comes with this project; you may not have written it:
      command    panel --quick
      program    <root>/bin/panel
      env        HELLO=world
      folder     a new empty folder for each call
      defined in providers.yaml:2
    ");
        let first = turn_of_architect(&scenario).code(0);
        assert!(!first.stderr().contains("trust"), "{}", first.stderr());
        assert!(was_run(&scenario));
        scenario.discussions(&["providers", "list"]).code(0).stdout_lacks("not trusted");
        scenario
            .discussions(&["trust"])
            .code(0)
            .stdout("Already trusted: panel (providers.yaml:2)\n");
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
            turn_of_architect(&scenario).code(3).notes(REFUSED);
        }
        scenario.write("providers.yaml", format!("# moved\n{OWN}").as_bytes());
        turn_of_architect(&scenario).code(0);
        scenario
            .discussions(&["trust", "--revoke"])
            .code(0)
            .stdout("No longer trusted: panel: panel --quick\n");
        turn_of_architect(&scenario).code(3);
        scenario
            .discussions(&["trust", "--revoke"])
            .code(0)
            .stdout("You trusted nothing in this project.\n");
    }
}
