//! `discussions show`: the raw file into a pipe, formatted text on a terminal.

use super::scenario::Scenario;

/// A discussion with old times, which are shown as dates.
const SESSIONS: &str = "# Sessions\n\nTwo services.\n\n---\n\n<!-- TURN: 1, asks: [architect], at: 2020-01-02T10:00:00Z -->\n\n\
    ---\n\nName: AI-Architect\n<!-- REPLY turn: 1, at: 2020-01-02T10:00:09Z, provider: claude-opus, ms: 9031, usd: 0.0262 -->\n\n\
    Use **Redis** with a lease of an hour, and let everything else stay as it is for now.\n\n- TODO: order a node\n\nQ: Who runs it?\n\n\
    VOTE: READY\n\n---\n";

fn discussion_about_sessions() -> Scenario {
    Scenario::new().file("discussions/sessions.md", SESSIONS)
}

#[test]
fn show_into_a_pipe_prints_the_raw_file() {
    for args in [&["show", "sessions"][..], &["show", "sessions", "--raw"]] {
        discussion_about_sessions().discussions(args).code(0).stdout(SESSIONS);
    }
    discussion_about_sessions()
        .discussions(&["show", "sessions", "--raw", "--width", "60"])
        .code(2);
}

#[test]
fn formatted_text_has_no_control_lines_but_all_numbers() {
    let shown =
        discussion_about_sessions().discussions(&["show", "sessions", "--width", "60"]).code(0);
    insta::assert_snapshot!(shown.stdout, @r"
    Sessions
    OPEN · feature · First reactions · discussions/sessions.md
    Votes:  AI-Architect [READY]

    Two services.

    ── First reactions ─────────────────────────────────────────
    turn 1 · @architect · 2020-01-02

    AI-Architect  [READY]  claude-opus · 9 s · $0.03 ·
      2020-01-02
      Use Redis with a lease of an hour, and let everything else
      stay as it is for now.

      • [T1] TODO: order a node

      [Q1] Q: Who runs it?
    ");
}

#[test]
fn colours_follow_the_environment() {
    let args = ["show", "sessions", "--width", "60"];
    let escape = '\u{1b}';
    assert!(!discussion_about_sessions().discussions(&args).stdout.contains(escape));
    let forced = discussion_about_sessions().env("CLICOLOR_FORCE", "1").discussions(&args);
    assert!(forced.stdout.contains("\u{1b}[1m"), "{}", forced.stdout);
    let refused = discussion_about_sessions()
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .discussions(&args);
    assert!(!refused.stdout.contains(escape));
}

/// Returns the output on a terminal of 24 lines and 60 columns, or None if `script` does not work.
fn run_on_terminal(scenario: &Scenario, terminal: &str, command: &str) -> Option<String> {
    let program = env!("CARGO_BIN_EXE_discussions");
    let line = format!("stty rows 24 cols 60 && '{program}' {command}");
    let mut script = scenario.command("script");
    let output = script.args(["-qec", &line, "/dev/null"]).env("TERM", terminal).output().ok()?;
    let shown = String::from_utf8(output.stdout).unwrap().replace('\r', "");
    if !output.status.success() {
        println!("skipped: `script` does not work here: {shown}");
        return None;
    }
    Some(shown)
}

#[test]
fn terminal_shows_formatted_text_and_pages_long_text() {
    let long = format!("{SESSIONS}\nName: Rob\n\n{}---\n", "And a line.\n\n".repeat(30));
    let with = |pager: &str, name: &str| {
        let scenario = discussion_about_sessions()
            .file("discussions/long.md", &long)
            .program("reads", "#!/bin/sh\necho $# arguments\nsed 's/line/word/'\n")
            .env("PAGER", pager);
        run_on_terminal(&scenario, "xterm", &format!("show {name}"))
    };
    let Some(shown) = with("reads -x", "sessions") else { return };
    assert!(shown.contains("[READY]") && !shown.contains("arguments"), "it fits: {shown}");
    let shown = with("reads -x", "long").unwrap();
    assert!(shown.contains("1 arguments"), "{shown}");
    assert_eq!(shown.matches("And a word.").count(), 30, "{shown}");
    for none in ["", "cat", "false", "no-such-pager"] {
        let shown = with(none, "long").unwrap();
        assert_eq!(shown.matches("And a line.").count(), 30, "{none}: {shown}");
    }
    let shown = with("true", "long").unwrap();
    assert!(!shown.contains("And a line."), "who wants to read no more is left alone: {shown}");
}

#[test]
fn terminal_without_escape_codes_gets_none() {
    let scenario = discussion_about_sessions();
    for command in ["show sessions", "turn sessions --provider mock"] {
        let Some(shown) = run_on_terminal(&scenario, "dumb", command) else { return };
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
    }
    let refused = Scenario::new().file("discussions/sessions.md", SESSIONS).env("NO_COLOR", "1");
    let shown = run_on_terminal(&refused, "xterm", "turn sessions --provider mock").unwrap();
    assert!(shown.contains("✓ AI-Architect") && !shown.contains('\u{1b}'), "{shown:?}");
}
