//! Tests the law of decisions with the cases in `tests/cases/decisions/`, and its edges.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use super::{By, ItemState, LinkedDiscussion, Outcome, Standing, Superseding};
use crate::codes::ProblemCode;
use crate::engine::Snapshot;
use crate::participant::Roster;
use crate::state::Defaults;
use crate::template::{Template, bundled};

/// One file of `tests/cases/decisions/`: what is expected, a row of `=`, and the text of the file.
struct Case {
    path: PathBuf,
    /// The expected values, by their keys; a word of the text is the key of its state.
    expected: Vec<(String, String)>,
    text: String,
}

impl Case {
    fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/decisions");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut cases: Vec<Self> = entries.map(|path| Self::read(&path)).collect();
        cases.sort_by(|one, other| one.path.cmp(&other.path));
        cases
    }

    fn read(path: &Path) -> Self {
        let whole = std::fs::read_to_string(path).unwrap();
        let (expected, text) = whole.split_once("=====\n").unwrap();
        let lines = expected.lines().filter_map(|line| line.split_once(": "));
        let expected: Vec<(String, String)> =
            lines.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let own = expected.iter().find(|(key, _)| key == "file").map(|(_, file)| file.clone());
        let name = path.file_name().unwrap().to_string_lossy();
        let path = PathBuf::from(own.unwrap_or_else(|| format!("discussions/{name}")));
        Self { path, expected, text: text.to_owned() }
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.expected.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    fn is_record(&self) -> bool {
        self.path.starts_with("docs")
    }
}

fn snapshot(text: &str) -> Snapshot {
    let id = text.lines().find_map(|line| line.strip_prefix("template: ")).unwrap_or("feature");
    let (templates, roster) = &*BUNDLED;
    Snapshot::read(text, &templates[id], roster, &Defaults::default()).unwrap()
}

/// The templates by id, and the personas.
type Bundled = (HashMap<String, Arc<Template>>, Arc<Roster>);

/// The bundled templates and personas, read once.
static BUNDLED: LazyLock<Bundled> = LazyLock::new(|| {
    let read = |(id, source): (String, &str)| {
        let template = Arc::new(Template::read(source, &id, &id).unwrap());
        (id, template)
    };
    (bundled().into_iter().map(read).collect(), Arc::new(Roster::bundled()))
});

/// Computes the outcomes of a project of these files.
fn outcomes(files: &[(PathBuf, Snapshot)]) -> HashMap<PathBuf, Outcome> {
    let discussions: HashMap<PathBuf, LinkedDiscussion<'_>> = files
        .iter()
        .map(|(path, snapshot)| {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let (outcome, title) = (snapshot.outcome(), snapshot.state.title.as_str());
            let file = path.to_str().unwrap();
            (path.clone(), LinkedDiscussion { outcome, file, name, title })
        })
        .collect();
    let mut links = Vec::new();
    for (path, snapshot) in files {
        for link in &snapshot.outcome().links {
            links.push((path.clone(), path.parent().unwrap().join(&link.file), link.clone()));
        }
    }
    let all = Superseding::of(&discussions, links);
    let applied = files.iter().map(|(path, snapshot)| {
        let mut snapshot = snapshot.clone();
        all.apply(path, &mut snapshot);
        (path.clone(), snapshot.outcome().clone())
    });
    applied.collect()
}

#[test]
fn outcome_of_each_case_is_the_one_that_the_case_states() {
    let cases: Vec<Case> = Case::all().into_iter().filter(|case| !case.is_record()).collect();
    assert!(cases.len() >= 94, "{}", cases.len());
    let files: Vec<(PathBuf, Snapshot)> =
        cases.iter().map(|case| (case.path.clone(), snapshot(&case.text))).collect();
    let outcomes = outcomes(&files);
    let mut wrong = Vec::new();
    for case in &cases {
        let outcome = &outcomes[&case.path];
        let mut tell = |what: String| {
            let items = outcome.items.iter().map(|item| (item.number, &item.text, item.words()));
            let items: Vec<_> = items.collect();
            wrong.push(format!("{}: {what}; {} {items:?}", case.path.display(), outcome.words()));
        };
        if Some(outcome.standing.as_str()) != case.get("standing") {
            tell(format!("standing {} {:?}", outcome.standing, case.get("standing")));
        }
        let by = outcome.decided_by.as_ref().map(super::Decider::name);
        if by.as_deref() != case.get("by").filter(|_| outcome.standing == Standing::InForce) {
            tell(format!("by {by:?}, not {:?}", case.get("by")));
        }
        for (word, state) in case.expected.iter().filter(|(key, _)| key.starts_with("plan")) {
            let mut items = outcome.items.iter();
            let item = items.find(|item| item.text.split([' ', '.']).any(|it| it == word));
            match (item.map(|item| item.state.as_str()), state.as_str()) {
                // An option that lost, or a solution of one participant, is no item.
                (None | Some("replaced"), "hidden") | (None, "proposed") => {}
                (found, state) if found == Some(state) => {}
                (found, state) => tell(format!("{word} is {found:?}, not {state}")),
            }
        }
        let hindsight = outcome.notes.hindsight.first().map(|one| one.result.as_str());
        if hindsight != case.get("hindsight") {
            tell(format!("hindsight {hindsight:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// A discussion of people, in which two models may take part.
struct Text(String);

impl Text {
    fn new() -> Self {
        let head = "<!-- DISCUSSION\ntemplate: feature\ncreated: 2026-01-05T09:00:00Z\nparticipants: \
                    [architect, security]\n-->\n\n# Which queue?\n\n---\n";
        Self(head.to_owned())
    }

    fn says(self, name: &str, body: &str) -> Self {
        Self(format!("{}\nName: {name}\n\n{body}\n\n---\n", self.0))
    }

    fn line(self, line: &str) -> Self {
        Self(format!("{}\n<!-- {line} -->\n\n---\n", self.0))
    }

    fn closed_by(self, name: &str) -> Self {
        self.line(&format!("STATUS: CLOSED, by: {name}"))
    }

    fn states(&self) -> String {
        let snapshot = snapshot(&self.0);
        let outcome = snapshot.outcome();
        let items = outcome.items.iter().map(|item| {
            let label = item.label().unwrap_or_default();
            format!("{label} {}", item.words())
        });
        let items: Vec<String> = items.collect();
        format!("{}: {}", outcome.words(), items.join(", "))
    }

    fn codes(&self) -> Vec<ProblemCode> {
        snapshot(&self.0).state.problems.iter().map(|problem| problem.code).collect()
    }
}

#[test]
fn closing_in_the_name_of_no_person_adopts_nothing() {
    for name in ["agent", "AI-Architect", "AI-Architekt", "Discussions"] {
        let text = Text::new().says("Rob", "DECISION: use NATS").closed_by(name);
        assert_eq!(text.states(), "closed without a decision: D1 proposed", "{name}");
        assert!(text.codes().contains(&ProblemCode::ActNotCounted), "{name}");
    }
    let nameless = Text::new().says("Rob", "DECISION: use NATS").line("STATUS: CLOSED");
    assert_eq!(nameless.states(), "decided by a person: D1 in force");
}

#[test]
fn agent_neither_closes_again_nor_reopens_nor_withdraws_nor_replaces() {
    let decided = || Text::new().says("Rob", "DECISION: use NATS").closed_by("Rob");
    for attack in [
        decided().line("STATUS: OPEN, by: agent"),
        decided().closed_by("agent"),
        decided().says("agent", "WITHDRAWN: D1"),
        decided().says("AI-Architect", "WITHDRAWN: D1"),
        decided().says("agent", "DECISION: use NATS (replaces D1)"),
        decided().says("agent", "REVIEW-BY (D1): 2027-01-01").closed_by("agent"),
    ] {
        assert!(attack.states().starts_with("decided by Rob: D1 in force"), "{}", attack.states());
    }
    let repeated = decided().says("agent", "DECISION: use cron (replaces D1)").closed_by("agent");
    assert_eq!(repeated.states(), "decided by Rob: D1 in force, D2 proposed");
}

#[test]
fn support_of_a_person_adopts_an_agents_proposal() {
    let text = Text::new().says("agent", "DECISION: use NATS").says("Rob", "+1 D1");
    assert_eq!(text.states(), "open: D1 proposed");
    assert_eq!(text.closed_by("Mira").states(), "decided by Mira: D1 in force");
    let below = Text::new().says("agent", "DECISION: use NATS").closed_by("Rob");
    assert_eq!(below.states(), "closed without a decision: D1 not adopted");
    let below = below.says("Rob", "+1 D1");
    assert_eq!(below.states(), "closed without a decision: D1 proposed");
    assert_eq!(below.closed_by("Rob").states(), "decided by Rob: D1 in force");
}

#[test]
fn withdrawal_puts_the_replaced_decision_back_in_force() {
    let text = Text::new().says("Rob", "DECISION: use NATS").closed_by("Rob");
    let text = text.says("Mira", "DECISION: use Kafka (replaces D1)").closed_by("Rob");
    assert_eq!(text.states(), "decided by Rob: D1 replaced by D2, D2 in force");
    let text = text.says("Rob", "WITHDRAWN: D2");
    assert_eq!(text.states(), "decided by Rob: D1 in force, D2 withdrawn by Rob");
    let text = text.says("Rob", "WITHDRAWN: D1");
    assert_eq!(text.states(), "withdrawn by Rob: D1 withdrawn by Rob, D2 withdrawn by Rob");
}

#[test]
fn second_closing_without_a_proposal_is_no_act() {
    let text = Text::new().says("Rob", "DECISION: use NATS").closed_by("Rob").closed_by("Mira");
    assert_eq!(text.states(), "decided by Rob: D1 in force");
    assert!(text.codes().contains(&ProblemCode::ActNotCounted));
}

#[test]
fn replacing_counts_only_with_its_own_decision() {
    let text = Text::new().says("Rob", "DECISION: use NATS");
    let text = text.says("AI-Architect", "DECISION: use Kafka (replaces D1)");
    assert_eq!(text.states(), "open: D1 proposed, D2 proposed");
    assert_eq!(text.closed_by("Rob").states(), "decided by Rob: D1 in force, D2 not adopted");
}

#[test]
fn day_that_a_person_set_is_not_moved_by_a_model() {
    let text = Text::new().says("Rob", "DECISION: use NATS\n\nREVIEW-BY: 2026-06-01");
    let text = text.says("AI-Moderator", "REVIEW-BY (D1): 2030-01-01").closed_by("Rob");
    let snapshot = snapshot(&text.0);
    let day = snapshot.outcome().items[0].notes.review_by.as_ref().unwrap();
    assert_eq!(day.date.to_string(), "2026-06-01");
}

#[test]
fn hindsight_counts_only_below_an_act_or_an_answer() {
    let hindsight =
        |text: Text, result: &str| text.says("Rob", &format!("HINDSIGHT: {result}, as feared"));
    let text = hindsight(Text::new(), "held").closed_by("Rob");
    let text = hindsight(text, "failed").line("STATUS: OPEN, by: Rob");
    let text = hindsight(text, "mixed").closed_by("Rob");
    let text = hindsight(text, "held");
    let snapshot = snapshot(&text.0);
    let counted = snapshot.outcome().notes.hindsight.iter().map(|one| one.result.as_str());
    assert_eq!(counted.collect::<Vec<_>>(), ["failed", "held"]);
    let early = text.codes().into_iter().filter(|code| *code == ProblemCode::HindsightEarly);
    assert_eq!(early.count(), 2);
}

/// A file with very many closings and hindsight is evaluated a limited number of times.
#[test]
fn many_closings_are_read_in_linear_time() {
    let mut text = Text::new().says("Rob", "REVIEW-BY: 2027-06-01");
    for _ in 0..500 {
        text = text.closed_by("Rob").says("Rob", "HINDSIGHT: held").line("STATUS: OPEN");
    }
    let snapshot = snapshot(&text.0);
    assert_eq!(snapshot.outcome().notes.hindsight.len(), 500);
    assert!(snapshot.outcome().notes.review_by.is_some());
}

/// Closes a discussion of a person with a link.
fn linked(to: &str, day: usize) -> Snapshot {
    let text =
        Text::new().0.replace("01-05", &format!("{:02}-{:02}", 1 + day / 28 % 12, 1 + day % 28));
    let text = Text(text.replace("2026", &(2000 + day / 336).to_string()));
    let text = text.says("Rob", &format!("DECISION: follow {to}\n\nSUPERSEDES: {to}"));
    snapshot(&text.closed_by("Rob").0)
}

#[test]
fn circle_of_any_order_leaves_one_decision_in_force() {
    for seed in 0..40_usize {
        let count = 2 + seed % 7;
        let files: Vec<(PathBuf, Snapshot)> = (0..count)
            .map(|index| {
                let to = format!("f{}.md", (index + 1) % count);
                let day = (index * (2 * seed + 1)) % count;
                (PathBuf::from(format!("d/f{index}.md")), linked(&to, day))
            })
            .collect();
        let outcomes = outcomes(&files);
        let in_force = outcomes.values().filter(|one| one.standing == Standing::InForce).count();
        assert_eq!(in_force, 1, "{seed}");
    }
}

#[test]
fn long_chains_and_circles_take_little_more_than_linear_time() {
    let count = 1500;
    let files: Vec<(PathBuf, Snapshot)> = (0..count)
        .map(|index| {
            let to = format!("f{}.md#D1", (index + 1) % count);
            (PathBuf::from(format!("d/f{index}.md")), linked(&to, index * 7919 % count))
        })
        .collect();
    let outcomes = outcomes(&files);
    let in_force = outcomes.values().filter(|one| one.standing == Standing::InForce).count();
    assert_eq!(in_force, 1);
    let by_other = |outcome: &Outcome| {
        outcome
            .items
            .iter()
            .any(|item| item.state == ItemState::Replaced && matches!(item.by, Some(By::Other(_))))
    };
    assert_eq!(outcomes.values().filter(|one| by_other(one)).count(), count - 1);
}
