//! Reads what each output of the library says about a case, and compares it with what the case expects.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use discussions::view::{Decided, DecisionFacts, Found, Listed, Recalled, Standing};
use discussions::workspace::Workspace;

use super::case::{Case, CaseProject, has_word};

/// The outputs about a whole project.
pub(super) struct Outputs {
    workspace: Arc<Workspace>,
    list: HashMap<String, Listed>,
    /// The default list of decisions.
    decided: HashMap<String, Decided>,
    /// The list with everything that was not adopted.
    all: HashMap<String, Decided>,
    due: Vec<Decided>,
    recalled: Vec<Recalled>,
    recalled_all: Vec<Recalled>,
    waiting: Vec<String>,
    readme: String,
    found: Vec<Found>,
}

impl Outputs {
    pub(super) fn of(project: &CaseProject) -> Self {
        let workspace = project.workspace();
        let list = workspace.discussions().list(None).unwrap().discussions;
        let log = workspace.decisions().list_decisions(None).unwrap().decided;
        let with = |edit: fn(&mut discussions::workspace::DecisionFilter, &Workspace)| {
            let mut filter = workspace.decisions().decision_filter();
            edit(&mut filter, &workspace);
            workspace.decisions().filtered_decisions(&filter).unwrap().decided
        };
        let all = with(|filter, _| filter.all = true);
        let due = with(|filter, workspace| {
            filter.due_by = Some(workspace.decisions().day_within(None).unwrap())
        });
        let board = workspace.discussions().dashboard().unwrap().unwrap();
        workspace.decisions().write_decision_table(None).unwrap();
        let readme = std::fs::read_to_string(project.path("discussions/README.md")).unwrap();
        let search = workspace.discussions().searching("plan");
        Self {
            list: list.into_iter().map(|one| (one.file.clone(), one)).collect(),
            decided: log.into_iter().map(|one| (one.file.clone(), one)).collect(),
            all: all.into_iter().map(|one| (one.file.clone(), one)).collect(),
            due,
            recalled: workspace
                .decisions()
                .recall("question plan follow record part", 0, None)
                .unwrap(),
            recalled_all: workspace
                .decisions()
                .recall_all("question plan follow record part", 0, None)
                .unwrap(),
            waiting: board.waiting.iter().map(|one| one.file.clone()).collect(),
            readme,
            found: workspace.discussions().search(&search).unwrap().found,
            workspace,
        }
    }

    /// Returns where outputs say something else than the case expects, or than other outputs.
    pub(super) fn contradictions(&self, case: &Case) -> Vec<String> {
        let mut wrong = Vec::new();
        self.check_lists(case, &mut wrong);
        self.check_search(case, &mut wrong);
        self.check_table(case, &mut wrong);
        if !case.is_record() {
            self.check_documents(case, &mut wrong);
            self.check_texts(case, &mut wrong);
        }
        wrong
    }

    /// All documents about one discussion hold the same facts.
    fn check_documents(&self, case: &Case, wrong: &mut Vec<String>) {
        let name = Path::new(&case.path);
        let status = self.workspace.discussions().status(name).unwrap().decided;
        facts_of(case, "status", &status, wrong);
        let result = self.workspace.discussions().result(name).unwrap();
        let shown = self.workspace.discussions().show(name).unwrap().status.decided;
        let listed = self.list.get(&case.path).map(|one| one.decided.clone());
        let logged = self.all.get(&case.path).map(|one| one.facts.clone());
        let others = [
            ("result", Some(result.outcome().facts.clone())),
            ("show", Some(shown)),
            ("list", listed),
            (
                "decisions --all",
                logged.or_else(|| (status.standing == Standing::Open).then(|| status.clone())),
            ),
        ];
        for (output, facts) in others {
            if facts.as_ref() != Some(&status) {
                wrong.push(format!("{output} differs from status: {facts:?}"));
            }
        }
        let json =
            serde_json::to_value(self.workspace.discussions().status(name).unwrap()).unwrap();
        let by = json["decidedBy"].as_str();
        let expected = case.get("by").filter(|_| case.get("standing") == Some("in-force"));
        if by != expected {
            wrong.push(format!("decidedBy is {by:?}, not {expected:?}"));
        }
        if json["inForce"] != (case.get("standing") == Some("in-force")) {
            wrong.push(format!("inForce is {}", json["inForce"]));
        }
    }

    fn check_lists(&self, case: &Case, wrong: &mut Vec<String>) {
        let standing = case.get("standing").unwrap();
        let was_decided = matches!(standing, "in-force" | "answered" | "replaced" | "withdrawn");
        if self.decided.contains_key(&case.path) != was_decided {
            wrong.push(format!("decisions lists it: {}", !was_decided));
        }
        if let Some(one) = self.decided.get(&case.path) {
            facts_of(case, "decisions", &one.facts, wrong);
        }
        let is_due = self.due.iter().any(|one| one.file == case.path);
        if is_due != (case.get("due") == Some("yes")) {
            wrong.push(format!("decisions --due lists it: {is_due}"));
        }
        if let Some(file) = case.get("affects") {
            let mut filter = self.workspace.decisions().decision_filter();
            filter.files = vec![file.into()];
            let about = self.workspace.decisions().filtered_decisions(&filter).unwrap().decided;
            if about.iter().map(|one| one.file.as_str()).collect::<Vec<_>>() != [case.path.as_str()]
            {
                wrong.push(format!("decisions --for {file} lists {about:?}"));
            }
        }
        let stands = matches!(standing, "in-force" | "answered");
        // A sub-discussion that its parent repeats is shown with the parent.
        let is_child = case.path.ends_with("child.md");
        let recalled: Vec<&Recalled> =
            self.recalled.iter().filter(|one| one.file == case.path).collect();
        if recalled.is_empty() == stands && !is_child {
            wrong.push(format!("recall finds it: {}", !recalled.is_empty()));
        }
        for one in recalled {
            let sentence = one.marked_sentence();
            let is_marked = sentence.contains("answered, not voted on");
            let has_first = case.standing().iter().any(|word| has_word(&sentence, word));
            if !has_first || is_marked != (standing == "answered") {
                wrong.push(format!("recall says: {sentence}"));
            }
        }
        let in_all = self.recalled_all.iter().any(|one| one.file == case.path);
        if in_all != (standing != "open" && standing != "proposed") && !is_child {
            wrong.push(format!("recall --all finds it: {in_all}"));
        }
        let blocked =
            self.list.get(&case.path).is_some_and(|one| one.decided.words().starts_with("blocked"));
        if blocked && !self.waiting.contains(&case.path) {
            wrong.push("the dashboard does not say that it waits for a person".to_owned());
        }
        if let Some(one) = self.list.get(&case.path) {
            let line = one.decided.line().unwrap_or_default();
            for (word, state) in case.states() {
                let is_first = case.standing().first() == Some(&word);
                if has_word(&line, word) != is_first && matches!(state, "in-force" | "answered")
                    || has_word(&line, word) && !is_first
                {
                    wrong.push(format!("the list says: {line}"));
                }
            }
        }
    }

    fn check_search(&self, case: &Case, wrong: &mut Vec<String>) {
        let here = self.found.iter().filter(|one| one.file == case.path);
        for one in here.filter(|one| one.kind.as_str() == "decision") {
            for (word, state) in case.states().filter(|(word, _)| has_word(&one.text, word)) {
                if one.state.map(|state| state.as_str()) != Some(state) {
                    wrong.push(format!("search says {:?} of {word}", one.state));
                }
            }
        }
    }

    /// The table of the README lists what was decided once, with a mark unless it is in force.
    fn check_table(&self, case: &Case, wrong: &mut Vec<String>) {
        let link = case.path.trim_start_matches("discussions/");
        // The last cell of a row links to its own discussion.
        let ends = [format!("({link}) |"), format!("(../{link}) |")];
        let row = self.readme.lines().find(|line| ends.iter().any(|end| line.ends_with(end)));
        let standing = case.get("standing").unwrap();
        let was_decided = matches!(standing, "in-force" | "answered" | "replaced" | "withdrawn");
        let is_child = case.path.ends_with("child.md");
        for (word, state) in case.states().filter(|_| !is_child) {
            let is_listed = was_decided && !matches!(state, "proposed" | "not-adopted");
            let cells = row.filter(|row| has_word(row.split("|").nth(1).unwrap_or_default(), word));
            if cells.is_some() != is_listed {
                wrong.push(format!("README lists {word}: {}", cells.is_some()));
            }
            let mark = match state {
                "answered" => "answered, not voted on",
                "replaced" => "replaced by",
                "withdrawn" => "withdrawn",
                _ => "",
            };
            if let Some(row) = cells.filter(|row| !row.contains(mark)) {
                wrong.push(format!("README does not mark {word}: {row}"));
            }
        }
    }

    /// The pages for people name what stands as the decision, and every other proposal with its state.
    fn check_texts(&self, case: &Case, wrong: &mut Vec<String>) {
        let name = Path::new(&case.path);
        let page = self.workspace.page(name).unwrap();
        let html = self.workspace.discussions().printed(name).unwrap().text;
        let record = self.workspace.decisions().decision_record(name, None, None).unwrap().text;
        let headline: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("Decision: ") || line.starts_with("Answer: "))
            .collect();
        for (word, state) in case.states() {
            let is_decision = headline.iter().any(|line| has_word(line, word));
            if is_decision != case.standing().contains(&word) {
                wrong.push(format!("result names {word} as the decision: {is_decision}"));
            }
            let stated = page.lines().find(|line| {
                let is_item = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
                line.strip_prefix("- D").is_some_and(is_item) && has_word(line, word)
            });
            let words = state.replace('-', " ");
            if let Some(line) = stated.filter(|line| !line.contains(&words)) {
                wrong.push(format!("result says: {line}"));
            }
            let chosen = record
                .lines()
                .any(|line| line.starts_with("Chosen option") && has_word(line, word));
            if chosen != (state == "in-force") {
                wrong.push(format!("the record chooses {word}: {chosen}"));
            }
        }
        let first =
            record.lines().find_map(|line| line.strip_prefix("status: ")).unwrap_or_default();
        if let Some(wanted) =
            case.get("record").filter(|wanted| !first.trim_matches(['"', '\'']).starts_with(wanted))
        {
            wrong.push(format!("the record's status is {first}, not {wanted}"));
        }
        let status = self.workspace.discussions().status(name).unwrap().decided;
        if status.standing == Standing::Replaced && !html.contains("eplaced by") {
            wrong.push("the page does not say that it is replaced".to_owned());
        }
    }
}

/// Compares facts with what the case expects.
fn facts_of(case: &Case, output: &str, facts: &DecisionFacts, wrong: &mut Vec<String>) {
    let standing = facts.standing.as_str();
    if Some(standing) != case.get("standing") {
        wrong.push(format!("{output} says {standing}, not {:?}", case.get("standing")));
    }
    for (word, state) in case.states() {
        let mut all = facts.decisions.iter();
        let found = all.find(|one| has_word(&one.text, word)).map(|one| one.state.as_str());
        // A solution of one participant of a dialogue is no proposal.
        if found != Some(state) && !(found.is_none() && state == "proposed") {
            wrong.push(format!("{output} says {found:?} of {word}, not {state}"));
        }
    }
    let named = facts.decision.as_deref().unwrap_or_default();
    let first = case.standing().first().copied();
    if first.is_some_and(|word| !has_word(named, word)) || first.is_none() && !named.is_empty() {
        wrong.push(format!("{output} names the decision {named:?}"));
    }
}
