//! Findings of audits, each a test of its name.

use discussions::template::Template;

use super::talk::Talk;

/// A template with these phases, for three.
fn three(phases: &str) -> String {
    format!(
        "---\nid: own\ntitle: Own\nsummary: own\nparticipants: {{default: [architect, security, pragmatist]}}\n\
         phases:\n{phases}---\n# {{{{ title }}}}\n"
    )
}

fn talk(phases: &str) -> Talk {
    Talk::of(&three(phases), "own", "participants: [architect, security, pragmatist]")
}

#[test]
fn a057_next_may_be_one_id_a_list_or_nothing() {
    for (next, ids) in [("b", vec!["b"]), ("[b]", vec!["b"]), ("null", vec![]), ("[]", vec![])] {
        let text = three(&format!(
            "  - {{id: a, instructions: x, next: {next}}}\n  - {{id: b, instructions: x}}\n"
        ));
        let template = Template::read(&text, "own.md", "own").unwrap();
        assert_eq!(template.phases[0].next, ids, "{next}");
    }
}

#[test]
fn a058_what_is_no_id_is_named_with_its_line() {
    let text = three("  - id: a\n    instructions: x\n    next: {b: c}\n");
    let error = Template::read(&text, "own.md", "own").unwrap_err().to_string();
    assert!(error.contains("own.md:9:") && error.contains("the id of a phase"), "{error}");
}

#[test]
fn a_phase_says_how_many_words_an_answer_has() {
    let text = three(
        "  - {id: a, instructions: x, words: 200}\n  - {id: b, instructions: x, words: 100 + 50}\n  - {id: c, instructions: x}\n",
    );
    let talk = Talk::of(&text, "own", "");
    let words = talk.look(|it| (0..3).map(|phase| it.words(phase).unwrap()).collect::<Vec<_>>());
    assert_eq!(words, [Some(200), Some(150), None]);
    let wrong = three("  - {id: a, instructions: x, words: nowhere + 1}\n");
    assert!(Template::read(&wrong, "own.md", "own").is_err());
}
