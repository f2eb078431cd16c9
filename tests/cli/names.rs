//! Author names: look-alikes of participants and reserved names are refused, other names are accepted.

use super::scenario::Scenario;

/// Names that look like the participant AI-Architect.
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

/// Names that are reserved for the program, and look-alikes of them.
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

/// Names of people that must stay allowed.
const PEOPLE: [&str; 8] = ["Al", "Ali", "Ilia", "Rob-2", "Rob 2", "Human", "A", "Architectress"];

#[test]
fn ordinary_names_of_people_are_accepted() {
    let scenario = Scenario::with_discussion();
    for name in PEOPLE {
        scenario.discussions(&["comment", "caching", "Here I am.", "--as", name]).code(0);
    }
    scenario.discussions(&["check", "caching"]).code(0);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn handwritten_look_alike_is_an_error_and_its_vote_ignored() {
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

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn look_alike_and_reserved_names_are_refused() {
        let scenario = Scenario::with_discussion();
        let before = scenario.read("discussions/caching.md");
        let assert_refused = |name: &str, why: &str| {
            for args in [
                &["comment", "caching", "I withdraw.", "--as", name][..],
                &["turn", "caching", "--ask", "Why?", "--as", name, "--provider", "mock"],
                &[
                    "turn",
                    "caching",
                    "--ask",
                    "Why?",
                    "--as",
                    name,
                    "--provider",
                    "mock",
                    "--dry-run",
                ],
            ] {
                let run = scenario.discussions(args).code(3);
                assert!(run.stderr().contains(why), "{name}: {}", run.stderr());
            }
        };
        ALIKE.iter().for_each(|name| assert_refused(name, "looks like participant AI-Architect"));
        OWN.iter().for_each(|name| assert_refused(name, "is reserved for the program"));
        assert_eq!(scenario.read("discussions/caching.md"), before);
    }
}
