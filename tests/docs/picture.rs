//! `docs/picture.svg`: one discussion in a terminal, from the question to the answer.
//!
//! The program is real, its models are scripted, and times are replaced by those of real models.

use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use anstyle::RgbColor;
use regex::Regex;

use crate::cli::Scenario;

const COMMAND: [&str; 7] = [
    "discuss",
    "Which primary key for new tables?",
    "--pattern",
    "voting",
    "-o",
    "UUIDv7,bigint",
    "-p",
];
const SEATS: &str = "architect=claude-opus,security=codex,pragmatist=gemini-flash";

/// The time of each answer in the order of [`SEATS`], and of the explanation.
const TIMES: [&str; 4] = ["9.7 s", "12 s", "7.8 s", "14 s"];

/// Scripted models in place of the models that the picture names.
const PROVIDERS: &str = "providers:
  - {name: claude-opus, script: script.yaml}
  - {name: codex, script: script.yaml}
  - {name: gemini-flash, script: script.yaml}
";

const SCRIPT: &str = r#"answers:
  - participant: architect
    usd: 0.0198
    usage: {input: 1229, output: 153}
    text: |
      Devices create records offline, so the key is made there. UUIDv7 needs no coordination and keeps new rows together.

      CONFIDENCE: 0.9

      VOTE: UUIDv7
  - participant: security
    usd: 0.0094
    usage: {input: 1229, output: 147}
    text: |
      A v7 key tells everybody when its record was made. That cannot be taken back; bigint with a public alias says less.

      CONFIDENCE: 0.6

      VOTE: bigint
  - participant: pragmatist
    usd: 0.0021
    usage: {input: 1229, output: 138}
    text: |
      We wrote the mapping from temporary keys once, for photographs. Never again: 5.8 GB of disk is cheap.

      CONFIDENCE: 0.85

      VOTE: UUIDv7
  - participant: moderator
    usd: 0.0312
    usage: {input: 1229, output: 410}
    text: |
      UUIDv7 for every new table, from Monday on, made by the device that creates the record. `created_at` comes from
      the server, and no v7 key appears in a public address where the moment of creation matters.

      DECISION: UUIDv7, with `created_at` from the server
"#;

/// Runs the program and returns both outputs as a terminal shows them.
fn program_output() -> String {
    let scenario = Scenario::new()
        .file("discussions.yaml", "providers: {default: claude-opus}\n")
        .file("../config/providers.yaml", PROVIDERS)
        .file("../config/script.yaml", SCRIPT)
        .env("CLICOLOR_FORCE", "1")
        .env("COLUMNS", "90");
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = scenario.program_under_test();
    command.args(COMMAND).arg(SEATS).args(["--synthesizer", "moderator"]);
    command.args(["--provider-timeout", "60s"]).stdin(Stdio::null());
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    child.wait().unwrap();
    text
}

/// Makes the output equal on every machine: parallel speakers in the order of the participants, and fixed times.
fn without_variations(text: &str) -> String {
    let mut answers: Vec<Vec<String>> = Vec::new();
    let (mut before, mut after): (Vec<String>, Vec<String>) = Default::default();
    for line in text.lines() {
        let is_new = line.contains('✓');
        if is_new {
            answers.push(vec![line.to_owned()]);
        } else if let Some(last) = answers.last_mut().filter(|_| line.starts_with("    ")) {
            last.push(line.to_owned());
        } else if answers.len() < 3 {
            before.push(line.to_owned());
        } else if !line.contains("to continue") && !line.starts_with("   discussions ") {
            // The list of next steps is too wide for a picture.
            after.push(line.to_owned());
        }
    }
    let seat = |answer: &Vec<String>| {
        let names = ["AI-Architect", "AI-Security", "AI-Pragmatist", "AI-Moderator"];
        names.iter().position(|name| answer[0].contains(name))
    };
    answers.sort_by_key(seat);
    let time = Regex::new(r"\d+\.\d s").unwrap();
    for (answer, took) in answers.iter_mut().zip(TIMES) {
        answer[0] = time.replace(&answer[0], took).into_owned();
    }
    // The heading of the second turn comes before its answer.
    let heading = after.iter().position(|line| line.contains(" · turn 2")).expect(text);
    let second = after.remove(heading);
    let last = answers.pop().unwrap();
    let command = format!(
        "$ discussions discuss \"{}\" --pattern voting \\\n    -o UUIDv7,bigint -p {SEATS}",
        COMMAND[1]
    );
    let all = [vec![command, String::new()], before, answers.concat(), vec![second], last, after];
    let sum = Regex::new(r"calls · \d+(?:\.\d)? s").unwrap();
    let text = sum.replace_all(&all.concat().join("\n"), "calls · 26 s").into_owned();
    let text = Regex::new(r", \d+ s\b").unwrap().replace_all(&text, ", 26 s").into_owned();
    Regex::new(r"\(line \d+\)").unwrap().replace_all(&text, "(line 53)").into_owned()
}

#[test]
fn picture_shows_the_real_output() {
    let shown = without_variations(&program_output());
    let term = anstyle_svg::Term::new()
        .fg_color(RgbColor(0xe6, 0xed, 0xf3).into())
        .bg_color(RgbColor(0x0d, 0x11, 0x17).into());
    // Dimmed text must stay legible.
    let picture = term.render_svg(&shown).replace("opacity: 0.4", "opacity: 0.65");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/picture.svg");
    // Updated by the same variable as snapshots.
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(&file, &picture).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(known == picture, "docs/picture.svg shows otherwise than the program:\n{shown}");
}
