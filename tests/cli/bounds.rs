//! Input that nests or grows without limit ends with a message; the process does not crash.

use super::scenario::Scenario;

/// The nesting depth of the inputs, deep enough to overflow the stack of a recursive parser without a limit.
const DEEP: usize = 100_000;

/// Returns heads that nest in every way YAML offers, with a name for each.
fn deeply_nested_heads() -> Vec<(&'static str, String)> {
    let many = |text: &str| text.repeat(DEEP);
    vec![
        ("brackets", format!("a: {}", many("["))),
        ("closed", format!("a: {}{}", many("["), many("]"))),
        ("mappings", format!("a: {}", many("{a: "))),
        ("mixed", format!("a: {}", many("[{a: "))),
        ("parameters", format!("parameters: {{a: {}1{}}}", many("["), many("]"))),
        ("known", format!("participants: {}", many("["))),
        ("dashes", format!("a:\n  {}x", many("- "))),
        ("questions", format!("a:\n  {}x", many("? "))),
        ("flow in block", format!("a:\n  - b:\n    - {}", many("[{a: "))),
        ("anchors", format!("a: &a [x]\nb: {}", many("[*a, "))),
        ("aliases", exponential_aliases()),
        ("quotes", format!("a: {}", many("[\"x\", "))),
        ("tags", format!("a: {}", many("[!t "))),
    ]
}

/// Returns YAML in which each list refers ten times to the list before it.
fn exponential_aliases() -> String {
    let mut text = "a0: &a0 [x]\n".to_owned();
    for level in 1..60 {
        let items = vec![format!("*a{}", level - 1); 10].join(", ");
        text += &format!("a{level}: &a{level} [{items}]\n");
    }
    text
}

#[test]
fn deeply_nested_control_lines_are_plain_text() {
    let scenario = Scenario::with_discussion();
    let deep = "[".repeat(DEEP);
    let lines = format!(
        "# T\n\n---\n\n<!-- TURN: 1, asks: {deep} -->\n<!-- PHASE: {deep} -->\n<!-- STATUS: {{a: {deep} -->\n\n---\n\nName: Rob\n<!-- REPLY turn: {deep} -->\n\n{deep}\n\n{}x\n",
        "> ".repeat(1_000)
    );
    scenario.write("discussions/deep.md", lines.as_bytes());
    for verb in ["status", "show"] {
        scenario.discussions(&[verb, "deep"]).code(0);
    }
    scenario.discussions(&["list"]).code(0).says("caching ").says("deep ");
}

/// Returns a template with an additional key in its first phase.
fn template_with_phase_key(id: &str, key: &str, body: &str) -> String {
    format!(
        "---\nid: {id}\nphases:\n  - id: one\n{key}  - id: two\n---\n# {{{{ title }}}}\n{body}\n"
    )
}

mod slow {
    use super::*;

    /// The nested JSON is the whole output of a program, or the answer within that output.
    #[test]
    #[ignore = "slow: reads huge inputs"]
    fn deeply_nested_json_answer_is_plain_text() {
        let nested_output = |open: &str| {
            format!("#!/bin/sh\ncat >/dev/null\nyes '{open}' | head -n 100000 | tr -d '\\n'\n")
        };
        let inside = "#!/bin/sh\ncat >/dev/null\nprintf '{\"is_error\":false,\"result\":\"'\nyes '{\\\"comment\\\":[' | head -n 20000 | tr -d '\\n'\nprintf '\"}'\n";
        for script in [
            nested_output("["),
            nested_output("{\"result\":"),
            nested_output("[{\"a\":"),
            inside.to_owned(),
        ] {
            let scenario = Scenario::with_discussion().program("claude", &script);
            let turn = ["turn", "caching", "@architect", "--provider", "claude"];
            let run = scenario.discussions(&turn);
            assert!([0, 1, 4].contains(&run.exit()), "{}: {}", run.exit(), run.stderr());
            scenario.discussions(&["status", "caching"]).code(0);
        }
    }

    #[test]
    #[ignore = "slow: reads huge inputs"]
    fn too_deeply_nested_head_is_ignored_and_reported() {
        let scenario = Scenario::with_discussion();
        for (name, head) in deeply_nested_heads() {
            let text =
                format!("<!-- DISCUSSION\ntemplate: feature\n{}\n-->\n\n# T\n", head.trim_end());
            scenario.write("discussions/deep.md", text.as_bytes());
            scenario.discussions(&["status", "deep"]).code(0);
            scenario.discussions(&["show", "deep"]).code(0);
            scenario.discussions(&["list"]).code(0).says("caching ").says("deep ");
            let check = scenario.discussions(&["check", "deep"]).code(1);
            assert!(check.stdout.contains("head-invalid"), "{name}: {}", check.stdout);
            assert!(check.stdout.contains("too deeply nested"), "{name}: {}", check.stdout);
            scenario.discussions(&["check"]).code(1);
            scenario.discussions(&["comment", "deep", "Mend the head."]).code(0);
            scenario.discussions(&["turn", "deep", "--dry-run", "--provider", "mock"]).code(0);
            for side in ["base", "ours", "theirs"] {
                scenario.write(side, text.as_bytes());
            }
            scenario.discussions(&["merge", "base", "ours", "theirs"]).code(0);
        }
    }

    #[test]
    #[ignore = "slow: reads huge inputs"]
    fn unused_template_beyond_limits_is_reported_with_its_place() {
        let scenario = Scenario::with_discussion().file("discussions.yaml", "");
        let many = |text: &str| text.repeat(50_000);
        let keys = [
            format!("    when: \"{}1\"\n", many("-")),
            format!("    when: \"{}1\"\n", many("not ")),
            format!("    when: \"1{}\"\n", many(".a")),
            format!("    when: \"1{}\"\n", many("|string")),
            format!("    instructions: \"{{% if 1 %}}{}{{% endif %}}\"\n", many("{% elif 1 %}")),
            "    when: '(\"a\" * 100000)|length > 0'\n".to_owned(),
            "    when: '(1, 2)|batch(1000000000)|list'\n".to_owned(),
            "    instructions: '{% set ns = namespace(a=1) %}'\n".to_owned(),
        ];
        for key in keys {
            scenario
                .write("templates/bomb.md", template_with_phase_key("bomb", &key, "").as_bytes());
            let list = scenario.discussions(&["templates", "list"]).code(0).says("feature");
            assert!(list.stderr().contains("templates/bomb.md:5:"), "{}", list.stderr());
            assert!(list.stderr().len() < 2_000, "{}", list.stderr());
            scenario.discussions(&["status", "caching"]).code(0);
            scenario.discussions(&["list"]).code(0).says("caching ");
            scenario.discussions(&["new", "Bomb", "-t", "bomb"]).code(3);
        }
    }

    #[test]
    #[ignore = "slow: reads huge inputs"]
    fn used_template_beyond_limits_ends_with_an_error() {
        let scenario = Scenario::new().file("discussions.yaml", "");
        scenario.write("discussions/y.md", b"# Y\n\n---\n\nName: Rob\n\nText.\n\n---\n");
        let bombs = [
            r#"title|replace("", "b" ~ title)|replace("b", title|replace("", title|replace("", title)))"#,
            r#"range(100000)|join(range(100000)|join)|length > 0"#,
            r#""%99999999d"|format(1)"#,
        ];
        let title = "T".repeat(150);
        let text = format!("<!-- DISCUSSION\ntemplate: bomb\n-->\n\n# {title}\n");
        for bomb in bombs {
            // The expression is in the text of the template, in the instructions of a phase, and in its condition.
            let say = format!("    instructions: |\n      {{{{ {bomb} }}}}\n");
            let may = format!("    next: [two]\n    when: '{bomb}'\n");
            for (key, body) in
                [("", format!("{{{{ {bomb} }}}}")), (&say, String::new()), (&may, String::new())]
            {
                scenario.write(
                    "templates/bomb.md",
                    template_with_phase_key("bomb", key, &body).as_bytes(),
                );
                scenario.write("discussions/x.md", text.as_bytes());
                if !body.is_empty() {
                    let new = scenario.discussions(&["new", &title, "-t", "bomb"]).code(3);
                    assert!(
                        new.stderr().contains("it makes") || new.stderr().contains("a width"),
                        "{}",
                        new.stderr()
                    );
                }
                for args in [
                    &["status", "x"][..],
                    &["show", "x"],
                    &["turn", "x", "--dry-run", "--provider", "mock"],
                    &["run", "x", "--provider", "mock"],
                ] {
                    let run = scenario.discussions(args).with_warnings();
                    assert!([0, 1, 3].contains(&run.exit()), "{args:?}: {}", run.stderr());
                }
                scenario.discussions(&["list"]).says("\ny ");
            }
        }
    }
}
