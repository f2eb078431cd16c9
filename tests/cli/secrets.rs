//! Secrets: commands that send text to a model refuse them, and name file and line.

use super::scenario::Scenario;
use super::template::Template;

/// The letters of every key in these tests; they must not be printed, written or sent.
pub(crate) const LETTERS: &str = "q7Zk2Vw9Xb4Nc8Lm3Tr6Hy1Gd5Jf0PsUaEi2Wo";

/// Returns a key in GitHub's format, built at run time so that no scanner reports this file as a leak.
pub(crate) fn key() -> String {
    format!("ghp_{}", &LETTERS[..36])
}

/// Creates a repository with a clean file, secrets, and a provider that stores each prompt.
fn project_with_secrets() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let clean = "fn main() {}\n";
        let scenario = Scenario::new()
            .program("cap", "#!/bin/sh\ncat >> prompts.txt; echo 'Fine. VOTE: READY'\n")
            .file("discussions.yaml", "author: Rob\n")
            .file(
                "providers.yaml",
                "providers:\n  - {name: cap, command: cap, workdir: project, retries: 0}\n",
            )
            .file("src/main.rs", clean)
            .file("src/leak.rs", &format!("// one\nlet token = \"{}\";\n", key()))
            .file(".env", "DB=hunter2\n")
            .file(".env.example", "DB=\n")
            .file("notes.md", &format!("# Notes\n\nUse {} for now.\n", key()));
        scenario.init_git().git(&["add", "-f", "."]).git(&["commit", "-qm", "One"]);
        scenario
    });
    TEMPLATE.copy()
}

/// Asserts that the output `said` does not contain the key, and that nothing was written or sent.
fn assert_key_not_leaked(scenario: &Scenario, said: &str) {
    assert!(!said.contains(&LETTERS[..8]), "{said}");
    assert!(!scenario.path("prompts.txt").exists(), "a model was asked");
    assert!(!scenario.path("discussions").exists(), "a discussion was made");
}

/// Asserts that a command is refused with exit code 3 (invalid input), this place and a hint.
#[track_caller]
fn assert_refused(scenario: &Scenario, args: &[&str], place: &str) {
    let ran = scenario.discussions(args).code(3).notes(place).notes("--allow-secrets");
    assert_key_not_leaked(scenario, &format!("{}{}", ran.stdout, ran.stderr()));
}

#[test]
fn named_files_with_secrets_are_refused() {
    let scenario = project_with_secrets();
    for verb in [&["discuss", "Which?", "--provider", "cap"][..], &["new", "A"]] {
        let with = |file: &str, place: &str| {
            assert_refused(&scenario, &[verb, &["--file", file]].concat(), place);
        };
        with(".env", ".env: is a credential file (dotenv)");
        with("src/leak.rs", "src/leak.rs:2: looks like a secret (github-pat)");
        with(".git/config", ".git/config: is a credential file (git-folder)");
    }
    let json = scenario
        .discussions(&["discuss", "Which?", "--provider", "cap", "--file", ".env", "--json"])
        .code(3)
        .json();
    assert_eq!(json["error"]["code"], "DISCUSSION_INVALID_INPUT");
    scenario.discussions(&["new", "A", "--file", ".env.example"]).code(0);
}

#[test]
fn link_to_a_credential_file_is_refused() {
    let scenario = project_with_secrets();
    std::os::unix::fs::symlink(".env", scenario.path("harmless.txt")).unwrap();
    assert_refused(
        &scenario,
        &["new", "A", "--file", "harmless.txt"],
        "harmless.txt: is a credential file (dotenv)",
    );
}

#[test]
fn secret_files_in_a_folder_or_pattern_are_skipped() {
    let scenario = project_with_secrets();
    let ask = ["discuss", "Which?", "--provider", "cap", "--file", "src", "--file", ".en*"];
    scenario
        .discussions(&ask)
        .code(0)
        .notes("warning: src/leak.rs:2: looks like a secret (github-pat); the file was left out")
        .notes("warning: .env: is a credential file (dotenv); the file was left out");
    let prompts = scenario.read("prompts.txt");
    assert!(prompts.contains("fn main") && prompts.contains(".env.example"), "{prompts}");
    assert!(!prompts.contains("hunter2") && !prompts.contains(&LETTERS[..8]), "{prompts}");
    let record = scenario.read("discussions/which.md");
    assert!(!record.contains("leak.rs") && !record.contains("hunter2"), "{record}");
    // If all files are skipped, the command fails.
    scenario.discussions(&["new", "B", "--file", "src/l*.rs"]).code(3).notes("src/leak.rs:2");
}

#[test]
fn secrets_in_a_workflow_step_are_refused() {
    let scenario = project_with_secrets();
    let step = format!("{{\n\"rounds\": 1,\n\"prompt\": \"Is {} safe?\"\n}}\n", key());
    scenario.write("step.json", step.as_bytes());
    let args = ["discuss", "--input", "step.json", "--provider", "cap"];
    assert_refused(&scenario, &args, "step.json:3: looks like a secret (github-pat)");
    let args = ["discuss", "--input", "-", "--provider", "cap"];
    scenario.discussions_with(&args, &step).code(3).notes("standard input:3: looks like a secret");
    // A key with JSON escapes is found as well.
    let escaped = step.replace("ghp_", "\\u0067hp_");
    let ran = scenario.discussions_with(&args, &escaped).code(3);
    let ran = ran.notes("the question:1: looks like a secret");
    assert_key_not_leaked(&scenario, &format!("{}{}", ran.stdout, ran.stderr()));
}

#[test]
fn reviews_of_secrets_are_refused() {
    let scenario = project_with_secrets();
    let through = ["--provider", "cap"];
    let refuse = |args: &[&str], place: &str| {
        assert_refused(&scenario, &[&["review"], args, &through].concat(), place);
    };
    refuse(&["notes.md"], "notes.md:3: looks like a secret (github-pat)");
    refuse(&[".env"], ".env: is a credential file");
    refuse(&["src/main.rs", "--context-file", "notes.md"], "notes.md:3: looks like a secret");
    refuse(&["src/main.rs", "--file", ".env"], ".env: is a credential file");
}

#[test]
fn secret_in_the_question_of_a_turn_is_refused() {
    let scenario = project_with_secrets();
    scenario.discussions(&["new", "Caching"]).code(0);
    let ask = ["turn", "caching", "@architect", "--provider", "cap", "--ask", &key()];
    let ran = scenario.discussions(&ask).code(3).notes("the question:1: looks like a secret");
    assert!(!ran.stderr().contains(&LETTERS[..8]), "{}", ran.stderr());
    assert!(!scenario.path("prompts.txt").exists());
    scenario.discussions(&[&ask[..], &["--allow-secrets"]].concat()).code(0);
    assert!(scenario.read("prompts.txt").contains(&key()));
}

#[test]
fn secret_in_a_persona_file_is_refused() {
    let scenario = project_with_secrets();
    let persona = format!(
        "alias: ops\nname: AI-Ops\nrole: Operations\npersonality: Use {} to look.\n",
        key()
    );
    scenario.write("ops.yaml", persona.as_bytes());
    let add = ["participants", "add", "ops", "--from-file", "ops.yaml"];
    assert_refused(&scenario, &add, "ops.yaml:4: looks like a secret (github-pat)");
    scenario.discussions(&["participants", "show", "ops"]).code(3);
    // The option that the hint names works.
    scenario.discussions(&[&add[..], &["--allow-secrets"]].concat()).code(0).says("Added AI-Ops");
    assert!(scenario.discussions(&["participants", "show", "ops"]).stdout.contains(&key()));
}

#[test]
fn allow_secrets_option_sends_secrets() {
    let scenario = project_with_secrets();
    let ask = ["discuss", "Which?", "--provider", "cap", "--file", ".env", "--allow-secrets"];
    scenario.discussions(&ask).code(0);
    assert!(scenario.read("prompts.txt").contains("hunter2"));
    let new = ["new", "A", "--context-file", "notes.md", "--allow-secrets"];
    scenario.discussions(&new).code(0);
    assert!(scenario.read("discussions/a.md").contains(&key()));
    scenario
        .discussions(&["review", ".env", "--provider", "cap", "--allow-secrets"])
        .code(4)
        .with_warnings();
    assert!(scenario.read("discussions/env-discussion.md").contains("hunter2"));
}

#[test]
fn secret_in_a_comment_vote_or_title_is_only_a_warning() {
    let scenario = project_with_secrets();
    scenario
        .discussions(&["new", &format!("About {}", key())])
        .code(0)
        .notes("warning: the title:1: looks like a secret (github-pat); it stays in the file and is sent to models")
        .says("Created: discussions/about.md\n");
    scenario.discussions(&["new", "Caching"]).code(0);
    let text = format!("One.\n\nUse {}.", key());
    let warned = "warning: the comment:3: looks like a secret (github-pat); it stays in the file and is sent to models";
    let ran = scenario.discussions(&["comment", "caching", &text]).code(0).notes(warned);
    assert!(!ran.stderr().contains(&LETTERS[..8]), "{}", ran.stderr());
    scenario.discussions(&["vote", "caching", "ready", &text]).code(0).notes(warned);
    assert!(scenario.read("discussions/caching.md").contains(&key()));
}

#[test]
fn known_keys_are_redacted_in_files_and_prompts() {
    // The key does not match any rule for the format of keys.
    let known = "planted-5e4d-openai";
    let scenario = project_with_secrets()
        .env("OPENAI_API_KEY", known)
        .file("config.txt", &format!("key {known} end\n"));
    scenario
        .discussions(&["new", &format!("About {known} here"), "-p", "architect"])
        .with_warnings()
        .code(0);
    let made = scenario.read("discussions/about-key-here.md");
    assert!(made.contains("# About [key] here") && !made.contains(known), "{made}");
    let ask = ["discuss", "Which?", "--provider", "cap", "--file", "config.txt"];
    scenario.discussions(&[&ask[..], &["-c", &format!("It is {known}.")]].concat()).code(0);
    let record = scenario.read("discussions/which.md");
    assert!(record.contains("key [key] end") && record.contains("It is [key]."), "{record}");
    scenario
        .discussions(&["comment", "which", &format!("Use {known}.")])
        .code(0)
        .notes("the comment contained the key of a provider; it was replaced with `[key]`");
    assert!(scenario.read("discussions/which.md").contains("Use [key]."));
    // Known keys are redacted in diffs, too, and even with `--allow-secrets`.
    scenario.git(&["add", "."]).git(&["commit", "-qm", "Two"]);
    scenario.write("config.txt", format!("new {known} end\n").as_bytes());
    scenario.discussions(&["new", "D", "--diff", "HEAD", "--allow-secrets"]).code(0);
    assert!(scenario.read("discussions/d.md").contains("+new [key] end"));
    // A key that a person wrote into the file by hand is redacted in prompts.
    let mut by_hand = scenario.read("discussions/which.md");
    by_hand.push_str(&format!("\nName: Rob\n\nBy hand: {known}. @architect?\n\n---\n"));
    scenario.write("discussions/which.md", by_hand.as_bytes());
    scenario
        .discussions(&[
            "turn",
            "which",
            "@architect",
            "--provider",
            "cap",
            "--ask",
            &format!("Is {known} safe?"),
        ])
        .code(0);
    let prompts = scenario.read("prompts.txt");
    assert!(prompts.contains("By hand: [key].") && !prompts.contains(known), "{prompts}");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn secrets_in_a_context_are_refused() {
        let scenario = project_with_secrets();
        let text = format!("One.\n\nUse {}.", key());
        for verb in [&["discuss", "Which?", "--provider", "cap"][..], &["new", "A"]] {
            let place = "the context:3: looks like a secret (github-pat)";
            assert_refused(&scenario, &[verb, &["--context", &text]].concat(), place);
            assert_refused(&scenario, &[verb, &["-c", &text]].concat(), place);
            assert_refused(
                &scenario,
                &[verb, &["--context-file", "notes.md"]].concat(),
                "notes.md:3: looks",
            );
            assert_refused(
                &scenario,
                &[verb, &["--context-file", ".env"]].concat(),
                ".env: is a credential",
            );
            let ran = scenario
                .discussions_with(&[verb, &["--context-file", "-"]].concat(), &text)
                .code(3);
            ran.notes("standard input:3: looks like a secret").notes("--allow-secrets");
        }
        assert_refused(
            &scenario,
            &["discuss", &text, "--provider", "cap"],
            "the question:3: looks like a secret (github-pat)",
        );
        let json = ["discuss", &text, "--provider", "cap", "--json"];
        let printed = scenario.discussions(&json).code(3).stdout.clone();
        assert!(!printed.contains(&LETTERS[..8]), "{printed}");
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn secrets_in_added_or_removed_lines_are_refused() {
        let scenario = project_with_secrets();
        scenario.write("src/main.rs", format!("fn main() {{}}\n// {}\n", key()).as_bytes());
        scenario.write("src/leak.rs", b"// one\n");
        scenario.write(".env", b"DB=hunter3\n");
        for verb in [&["discuss", "Which?", "--provider", "cap"][..], &["new", "A"], &["review"]] {
            let args = [verb, &["--diff", "HEAD"]].concat();
            assert_refused(&scenario, &args, ".env: is a credential file (dotenv)");
            assert_refused(&scenario, &args, "src/main.rs:2: looks like a secret (github-pat)");
            assert_refused(
                &scenario,
                &args,
                "src/leak.rs:2: looks like a secret (github-pat, removed line)",
            );
        }
    }
}
