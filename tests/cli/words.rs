//! The help is complete: every verb, argument and flag says what it does.

use super::scenario::Scenario;

#[test]
fn every_verb_has_help() {
    let scenario = Scenario::new();
    let help = scenario.discussions(&["help"]).code(0);
    let verbs: Vec<&str> = help
        .stdout
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|verb| !verb.is_empty() && *verb != "help")
        .collect();
    assert!(verbs.len() >= 17, "{verbs:?}");
    for verb in verbs {
        let text = scenario.discussions(&[verb, "--help"]).code(0).stdout;
        let bare = text.lines().find(|line| {
            let line = line.trim();
            (line.starts_with("--") || line.starts_with('<') || line.starts_with('['))
                && !line.contains("  ")
                && line.split_whitespace().count() < 3
        });
        assert_eq!(bare, None, "{verb}:\n{text}");
    }
}
