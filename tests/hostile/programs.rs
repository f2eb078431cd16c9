//! Programs of a project in folders of the user's `PATH`, relative or absolute: no child process finds them.

use std::io::Write as _;
use std::process::Stdio;

use crate::cli::scenario::Scenario;

const CANARY: &str = "#!/bin/sh\necho \"$0\" >> \"$HOME/sung\"\n";

/// A cloned project with these programs in its folder `bin`, from which the user's `PATH` begins.
fn scenario(programs: &[&str]) -> Scenario {
    let scenario = Scenario::new()
        .file("discussions.yaml", "people: {Mira: [mira@example.org], Rob: [rob@example.org]}\n");
    for name in programs {
        scenario.write(&format!("bin/{name}"), CANARY.as_bytes());
        let runnable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(scenario.path(&format!("bin/{name}")), runnable).unwrap();
    }
    scenario.git(&["init", "-q"]);
    let (inside, outside) = (scenario.path("bin"), scenario.path("../bin"));
    let path = format!("bin:{}:{}:/usr/bin:/bin", inside.display(), outside.display());
    scenario.env("PATH", &path)
}

fn assert_silent(scenario: &Scenario) {
    let sung = std::fs::read_to_string(scenario.path("../home/sung")).unwrap_or_default();
    assert_eq!(sung, "");
}

#[test]
fn signature_of_a_commit_runs_no_program_of_the_project() {
    let scenario = scenario(&["gpg", "gpg2", "gpgsm", "ssh-keygen"]);
    scenario.discussions(&["new", "T"]).code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "base"]);
    let text = scenario.read("discussions/t.md") + "\n---\n\nName: Mira\n\nVOTE: READY\n\n---\n";
    scenario.write("discussions/t.md", text.as_bytes());
    scenario.git(&["commit", "-qam", "forged", "--author", "Mallory <m@example.org>"]);
    let commit = scenario.command("git").args(["cat-file", "commit", "HEAD"]).output().unwrap();
    let commit = String::from_utf8(commit.stdout).unwrap();
    let (head, message) = commit.split_once("\n\n").unwrap();
    for armor in ["PGP SIGNATURE", "SSH SIGNATURE", "SIGNED MESSAGE"] {
        let signed = format!(
            "{head}\ngpgsig -----BEGIN {armor}-----\n \n iQ==\n -----END {armor}-----\n\n{message}"
        );
        let mut hash = scenario.command("git");
        hash.args(["hash-object", "-t", "commit", "-w", "--stdin"]);
        let mut hash = hash.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        hash.stdin.take().unwrap().write_all(signed.as_bytes()).unwrap();
        let hash = String::from_utf8(hash.wait_with_output().unwrap().stdout).unwrap();
        scenario.git(&["reset", "-q", "--hard", hash.trim()]);
        let run = scenario.discussions(&["check", "--git", "--since", "HEAD~1"]).with_any_code();
        assert!(run.stdout.contains("Mira"), "{} {}", run.stdout, run.stderr());
        assert_silent(&scenario);
    }
}

#[test]
fn default_editor_is_never_one_of_the_project() {
    let scenario = scenario(&["vi"]).program(
        "vi",
        "#!/bin/sh\n[ \"$(stat -c %a \"$(dirname \"$1\")\")\" = 700 ] && echo Written. > \"$1\"\n",
    );
    scenario.discussions(&["new", "T"]).code(0);
    scenario.at_terminal(&["comment", "t"], "");
    assert_silent(&scenario);
    assert!(scenario.read("discussions/t.md").contains("Written."), "the user's own editor runs");
}

#[test]
fn interpreter_of_an_agent_is_never_one_of_the_project() {
    let scenario =
        scenario(&["node", "claude"]).program("claude", "#!/usr/bin/env node\n").program(
            "node",
            "#!/bin/sh\ncat > /dev/null\nprintf '{\"is_error\":false,\"result\":\"It holds.\"}'\n",
        );
    scenario.discussions(&["new", "T", "-p", "architect"]).code(0);
    for look in [&[][..], &["--look"]] {
        let args = ["turn", "t", "@architect", "--provider", "claude"];
        scenario.discussions(&[&args[..], look].concat()).code(0);
        assert_silent(&scenario);
    }
    assert!(scenario.read("discussions/t.md").contains("It holds."));
}

#[test]
fn program_that_only_the_project_has_is_not_found() {
    let scenario = scenario(&["claude"]);
    scenario.discussions(&["new", "T", "-p", "architect"]).code(0);
    let run = scenario.discussions(&["turn", "t", "@architect", "--provider", "claude"]).code(4);
    assert!(
        run.stderr().contains("folders of the project and relative ones do not count"),
        "{}",
        run.stderr()
    );
    assert_silent(&scenario);
}
