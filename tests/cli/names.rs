//! Whose name somebody may speak under.

use super::scenario::Scenario;

/// Names that pass for the participant AI-Architect.
const ALIKE: [&str; 12] = [
    "A1-Architect",
    "Al-Architect",
    "AI-Arch1tect",
    "AI_Architect",
    "AI Architect",
    "AI-Architect.",
    "architect-",
    "4rchitect",
    "AI-\u{410}rchitect",
    "AI-ARCHITE\u{421}T",
    "AI-ARCHI\u{422}ECT",
    "AI-ARC\u{397}ITECT",
];

/// Names that the program gives itself.
const OWN: [&str; 9] = [
    "Participant A",
    "participant-a",
    "Participant 27",
    "THE RECORD ENDS",
    "System",
    "all",
    "Discuss1ons",
    "SYS\u{422}E\u{41C}",
    "\u{422}HE RECORD ENDS",
];

/// People.
const PEOPLE: [&str; 8] = ["Al", "Ali", "Ilia", "Rob-2", "Rob 2", "Human", "A", "Architectress"];

#[test]
fn nobody_speaks_or_decides_under_a_name_that_passes_for_another() {
    let scenario = Scenario::with_discussion();
    let before = scenario.read("discussions/caching.md");
    let refused = |name: &str, why: &str| {
        for args in [
            &["comment", "caching", "I withdraw.", "--as", name][..],
            &["turn", "caching", "--ask", "Why?", "--as", name, "--provider", "mock"],
            &["turn", "caching", "--ask", "Why?", "--as", name, "--provider", "mock", "--dry-run"],
        ] {
            let run = scenario.discussions(args).code(3);
            assert!(run.stderr.contains(why), "{name}: {}", run.stderr);
        }
    };
    ALIKE.iter().for_each(|name| refused(name, "looks like participant AI-Architect"));
    OWN.iter().for_each(|name| refused(name, "is reserved for the program"));
    assert_eq!(scenario.read("discussions/caching.md"), before);
}

#[test]
fn people_keep_their_names() {
    let scenario = Scenario::with_discussion();
    for name in PEOPLE {
        scenario.discussions(&["comment", "caching", "Here I am.", "--as", name]).code(0);
    }
    scenario.discussions(&["check", "caching"]).code(0);
}

#[test]
fn by_hand_such_a_name_is_an_error_and_its_vote_counts_nowhere() {
    let scenario = Scenario::with_discussion();
    let empty = scenario.read("discussions/caching.md");
    let with = |name: &str| format!("{empty}Name: {name}\n\nVOTE: READY\n\n---\n");
    for (names, code) in [(&ALIKE[..], "name-lookalike"), (&OWN[..], "name-reserved")] {
        for name in names {
            scenario.write("discussions/caching.md", with(name).as_bytes());
            scenario.discussions(&["check", "caching"]).code(1).says(code);
            let status = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
            assert_eq!(status["votes"], serde_json::json!({}), "{name}");
        }
    }
    for name in PEOPLE {
        scenario.write("discussions/caching.md", with(name).as_bytes());
        scenario.discussions(&["check", "caching"]).code(0);
        let status = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
        assert_eq!(status["votes"][name], "READY", "{name}");
    }
}
