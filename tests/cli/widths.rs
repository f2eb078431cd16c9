//! Narrow screens: words, names and commands that users may copy are not broken.

use unicode_width::UnicodeWidthStr as _;

use super::scenario::Scenario;

/// Returns the lines on a screen of this width, without colours.
fn screen_lines(scenario: &Scenario, columns: u16, args: &[&str]) -> Vec<String> {
    // A search without a hit ends with 1.
    let shown = scenario.at_width(columns, args, "").with_any_code().stdout.replace("\r\n", "\n");
    let plain = anstream::adapter::strip_str(&shown).to_string();
    plain.lines().map(str::to_owned).collect()
}

/// Returns the text on a screen; asserts that no line is wider than it, except a command alone on its line.
#[track_caller]
fn screen_that_fits(scenario: &Scenario, columns: u16, args: &[&str]) -> String {
    let lines = screen_lines(scenario, columns, args);
    for line in &lines {
        let is_command = line.trim().trim_matches(['`', ',']).starts_with("discussions ");
        assert!(line.width() <= columns.into() || is_command, "{columns}: {line:?}\n{lines:#?}");
    }
    lines.join("\n")
}

/// A title whose file name leaves little room in a table.
const TITLE: &str = "Which database do we take tonight for the service of the shop";
const NAME: &str = "which-database-do-we-take-tonight";

fn project_with_long_name() -> Scenario {
    let refuses = "providers:\n  - name: refuses\n    retries: 0\n    command: /bin/sh -c 'echo Nobody is logged in here, and so nothing can be answered >&2; exit 1'\n";
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
fn narrow_tables_drop_columns_before_cutting_names() {
    let scenario = project_with_long_name();
    assert!(screen_that_fits(&scenario, 60, &["list"]).contains(NAME));
    assert!(screen_that_fits(&scenario, 60, &[]).contains(NAME));
    let people = screen_that_fits(&scenario, 60, &["participants"]);
    assert!(
        people.contains("perfectionist  AI-Perfectionist") && !people.contains("FROM"),
        "{people}"
    );
    let models = screen_that_fits(&scenario, 60, &["providers"]);
    assert!(models.contains("opencode-deepseek") && !models.contains("RUNS"), "{models}");
    let forms = screen_that_fits(&scenario, 60, &["templates"]);
    assert!(forms.contains("architecture-decision"), "{forms}");
    let uses_the_width = forms.lines().any(|line| line.chars().count() > 55);
    assert!(uses_the_width && !forms.contains("FROM"), "the summaries get the room: {forms}");
    // A wide screen shows all columns.
    let wide = screen_that_fits(&scenario, 120, &["participants"]);
    assert!(wide.contains("TYPE") && wide.contains("FROM"), "{wide}");
}

#[test]
fn installation_hints_are_never_cut() {
    let check = screen_that_fits(&project_with_long_name(), 60, &["providers", "check", "--all"])
        .replace(['\n', ' '], "");
    for whole in ["npminstall-g@anthropic-ai/claude-code", "https://platform.openai.com/api-keys"] {
        assert!(check.contains(whole), "{whole}:\n{check}");
    }
}

#[test]
fn untrusted_mark_is_shown_at_any_width() {
    let scenario = Scenario::new()
        .distrusting()
        .file("discussions.yaml", "")
        .file("providers.yaml", "providers:\n  - {name: ours, command: cat}\n");
    assert!(screen_that_fits(&scenario, 60, &["providers"]).contains("(not trusted)"));
}

#[test]
fn next_commands_are_not_broken_across_lines() {
    let scenario = project_with_long_name();
    let next = |name: &str| {
        let lines = screen_lines(&scenario, 60, &["status", name]);
        let at = lines.iter().position(|line| line.starts_with("next:"));
        lines[at.unwrap_or_else(|| panic!("{lines:#?}"))..].to_vec()
    };
    assert_eq!(
        next("which"),
        [
            format!("next: discussions turn {NAME}"),
            "   (asks each participant once)".to_owned(),
            format!("next: discussions run {NAME}"),
            "   (asks until a person is needed)".to_owned(),
        ]
    );
    // A file name chosen by a user may be wider than the screen.
    let long = "long-names-that-somebody-gave-to-a-file-of-their-own-hand";
    let text = scenario.read(&format!("discussions/{NAME}.md"));
    scenario.write(&format!("discussions/{long}.md"), text.as_bytes());
    assert_eq!(
        next(long),
        [
            "next:".to_owned(),
            format!("   discussions turn {long}"),
            "   (asks each participant once)".to_owned(),
            "next:".to_owned(),
            format!("   discussions run {long}"),
            "   (asks until a person is needed)".to_owned(),
        ]
    );
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn output_fits_the_width_of_the_screen() {
        let scenario = project_with_long_name();
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
                screen_that_fits(&scenario, columns, args);
            }
        }
    }
}
