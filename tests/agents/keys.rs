//! The keys that a program of the user's own names in `keys:` are treated as the keys of services.

use crate::cli::scenario::Scenario;

const KEY: &str = "zq9-SECRETSECRET-0451-abcdef";

/// Repeats its key: plainly, and in JSON that spells it with escapes.
const TALKS: &str = r#"#!/bin/sh
cat > /dev/null
spelled=$(printf %s "$MY_KEY" | sed 's/SECRET/\\u0053ECRET/g')
case "$DISCUSSIONS_PARTICIPANT" in
  architect) printf '{"result":"It is %s, also %s.","model":"%s"}' "$MY_KEY" "$spelled" "$spelled" ;;
  *) printf '{"is_error":true,"result":"wrong key %s"}' "$spelled"; exit 1 ;;
esac
"#;

fn scenario() -> Scenario {
    let scenario = Scenario::new()
        .program("talks", TALKS)
        .program("shows", "#!/bin/sh\ncat > /dev/null\necho \"I have ${MY_KEY-nothing} and ${HOME:+a home}.\"\n")
        .env("MY_KEY", KEY)
        .file("discussions.yaml", "author: Rob\n")
        .file("d.md", "<!-- DISCUSSION\nparticipants: [architect, security]\n-->\n\n# D\n\n## Context\nText.\n");
    let own = "providers:\n  - name: talks\n    command: talks\n    retries: 0\n    keys: [MY_KEY]\n    \
               output: {format: json, text: /result, model: /model, error: /is_error}\n";
    scenario.write("../config/providers.yaml", own.as_bytes());
    scenario
}

#[test]
fn key_of_a_program_is_redacted_however_it_is_spelled() {
    let scenario = scenario();
    let run = scenario.discussions(&["turn", "d", "--provider", "talks"]);
    let file = scenario.read("d.md");
    assert!(file.contains("It is [key], also [key]."), "{file} {}", run.stderr());
    assert!(file.contains("model: [key]") || file.contains("model: \"[key]\""), "{file}");
    assert!(file.contains("wrong key [key]"), "{file}");
    scenario
        .discussions(&["comment", "d", &format!("Mine is {KEY}."), "--as", "Rob"])
        .with_warnings()
        .code(0);
    let file = scenario.read("d.md");
    assert!(file.contains("Mine is [key]."), "{file}");
    let shown = scenario.discussions(&["show", "d", "--json"]).code(0).stdout;
    for text in [file, run.stderr().to_owned(), run.stdout, shown] {
        assert!(!text.contains("SECRETSECRET"), "{text}");
    }
}

#[test]
fn key_goes_only_to_programs_that_name_it() {
    for (keys, seen) in [("", "nothing"), (", keys: []", "nothing"), (", keys: [MY_KEY]", "[key]")]
    {
        let scenario = scenario();
        let project = format!("providers:\n  - {{name: shows, command: shows{keys}}}\n");
        scenario.write("providers.yaml", project.as_bytes());
        scenario.discussions(&["turn", "d", "@architect", "--provider", "shows"]).code(0);
        let file = scenario.read("d.md");
        assert!(file.contains(&format!("I have {seen} and a home.")), "{keys}: {file}");
    }
}

#[test]
fn project_cannot_take_common_variables_from_programs_by_naming_them_keys() {
    let scenario = scenario();
    let project = "providers:\n  - {name: shows, command: shows}\n  - {name: x, command: shows, keys: [HOME, PATH]}\n";
    scenario.write("providers.yaml", project.as_bytes());
    scenario.discussions(&["turn", "d", "@architect", "--provider", "shows"]).code(0);
    assert!(scenario.read("d.md").contains("and a home."), "{}", scenario.read("d.md"));
}
