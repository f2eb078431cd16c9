//! What stands on a narrow screen: words and names are whole, and so is every command that somebody may copy.

use unicode_width::UnicodeWidthStr as _;

use super::scenario::Scenario;

/// The lines of a screen of so many columns, without colours.
fn screen(scenario: &Scenario, columns: u16, args: &[&str]) -> Vec<String> {
    let shown = scenario.at_width(columns, args, "").stdout.replace("\r\n", "\n");
    let plain = anstream::adapter::strip_str(&shown).to_string();
    plain.lines().map(str::to_owned).collect()
}

/// Insists that no line is longer than the screen, but for a command that stands alone on it.
#[track_caller]
fn fits(scenario: &Scenario, columns: u16, args: &[&str]) -> String {
    let lines = screen(scenario, columns, args);
    for line in &lines {
        let is_command = line.trim().trim_matches(['`', ',']).starts_with("discussions ");
        assert!(line.width() <= columns.into() || is_command, "{columns}: {line:?}\n{lines:#?}");
    }
    lines.join("\n")
}

/// A discussion whose name leaves little room.
const TITLE: &str = "Which database do we take tonight for the service of the shop";
const NAME: &str = "which-database-do-we-take-tonight";

fn stage() -> Scenario {
    let refuses = "providers:\n  - name: refuses\n    command: /bin/sh -c 'echo Nobody is logged in here, and so nothing can be answered >&2; exit 1'\n";
    let scenario = Scenario::new()
        .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
        .alone()
        .file("discussions.yaml", "")
        .file("providers.yaml", refuses);
    scenario.discussions(&["new", TITLE, "--context", "It is slow."]).code(0);
    scenario.discussions(&["new", "Login", "--context", "It is slow."]).code(0);
    scenario.discussions(&["comment", "login", "Q: Who pays for a retry? @rob"]).code(0);
    scenario
}

#[test]
fn every_screen_fits_and_breaks_no_word() {
    let scenario = stage();
    for columns in [60, 80, 120] {
        for args in [
            &[][..],
            &["-h"],
            &["--help"],
            &["run", "--help"],
            &["list"],
            &["status", "login"],
            &["status", "which"],
            &["search", "slow"],
            &["search", "xyzzy"],
            &["providers"],
            &["providers", "check"],
            &["templates"],
            &["participants"],
            &["check"],
            &["run", "login", "--provider", "nope"],
            &["run", "login"],
            &["new", "🚀🎉"],
            &["man", "pages/"],
            &["new", "Add", "user", "authentication", "to", "the", "shop"],
            &["run", "--no-such-flag-anywhere"],
            &["vote", "login", "ready"],
            &["init"],
            &["discuss", "Where do the sessions live?", "--provider", "refuses"],
            &["providers", "check", "--ping"],
        ] {
            fits(&scenario, columns, args);
        }
    }
}

#[test]
fn names_are_whole_and_columns_go_first() {
    let scenario = stage();
    assert!(fits(&scenario, 60, &["list"]).contains(NAME));
    assert!(fits(&scenario, 60, &[]).contains(NAME));
    let people = fits(&scenario, 60, &["participants"]);
    assert!(
        people.contains("perfectionist  AI-Perfectionist") && !people.contains("FROM"),
        "{people}"
    );
    let models = fits(&scenario, 60, &["providers"]);
    assert!(models.contains("opencode-deepseek") && !models.contains("RUNS"), "{models}");
    let forms = fits(&scenario, 60, &["templates"]);
    assert!(forms.contains("architecture-decision"), "{forms}");
    assert!(forms.lines().count() < 30, "the summaries get the room: {forms}");
    // Where there is room nothing goes.
    let wide = fits(&scenario, 120, &["participants"]);
    assert!(wide.contains("TYPE") && wide.contains("FROM"), "{wide}");
}

#[test]
fn how_something_is_mended_is_told_whole() {
    let check = fits(&stage(), 60, &["providers", "check", "--all"]).replace(['\n', ' '], "");
    for whole in ["npminstall-g@anthropic-ai/claude-code", "https://platform.openai.com/api-keys"] {
        assert!(check.contains(whole), "{whole}:\n{check}");
    }
}

#[test]
fn that_something_is_not_trusted_stands_there_at_any_width() {
    let scenario = Scenario::new()
        .distrusting()
        .file("discussions.yaml", "")
        .file("providers.yaml", "providers:\n  - {name: ours, command: cat}\n");
    assert!(fits(&scenario, 60, &["providers"]).contains("(not trusted)"));
}

#[test]
fn a_command_is_on_one_line_and_its_reason_on_another() {
    let scenario = stage();
    let next = |name: &str| {
        let lines = screen(&scenario, 60, &["status", name]);
        let at = lines.iter().position(|line| line.starts_with("next:"));
        lines[at.unwrap_or_else(|| panic!("{lines:#?}"))..].to_vec()
    };
    assert_eq!(
        next("which"),
        [
            format!("next: discussions turn {NAME}, or"),
            format!("   discussions run {NAME} to"),
            "   continue automatically".to_owned(),
        ]
    );
    // A name that somebody gave may be longer than the screen is wide.
    let long = "long-names-that-somebody-gave-to-a-file-of-their-own-hand";
    let text = scenario.read(&format!("discussions/{NAME}.md"));
    scenario.write(&format!("discussions/{long}.md"), text.as_bytes());
    assert_eq!(
        next(long),
        [
            "next:".to_owned(),
            format!("   discussions turn {long},"),
            "   or".to_owned(),
            format!("   discussions run {long}"),
            "   to continue automatically".to_owned(),
        ]
    );
}
