//! A discussion that the engine alone takes to its end, with invented answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use discussions::engine::{
    AnswerSpec, ChildStep, DecisionStatus, Snapshot, Step, Stop, next, prompt,
};
use discussions::participant::Roster;
use discussions::state::{Defaults, deal};
use discussions::template::{Template, bundled};
use discussions::transcript::{
    Alias, ChildEnd, ChildFile, ChildLine, Choice, Control, Draft, Head, Name, NewComment, Pass,
    ReplyLine, Spent, append,
};
use minijinja::value::Serde;
use minijinja::{Value, context};

pub(super) fn all() -> Vec<Template> {
    let read =
        |(stem, text): (String, &'static str)| Template::read(text, &format!("{stem}.md"), &stem);
    bundled().into_iter().map(|file| read(file).unwrap_or_else(|error| panic!("{error}"))).collect()
}

pub(super) fn one(id: &str) -> Template {
    all()
        .into_iter()
        .find(|template| template.id == id)
        .unwrap_or_else(|| panic!("no template {id}"))
}

pub(super) fn body(
    template: &Template,
    context: &str,
    parameters: &serde_json::Map<String, serde_json::Value>,
) -> String {
    let names = context! { title => "Tea or coffee", context => context, params => Value::from(Serde(parameters)) };
    template.body.render(names).unwrap()
}

pub(super) fn aliases(list: &str) -> Vec<Alias> {
    list.split_whitespace().map(|alias| Alias::parse(alias).unwrap()).collect()
}

/// A pass.
pub(super) const PASS: &str = "pass";

/// A discussion that the engine takes to its end with invented answers.
pub(super) struct Simulation {
    template: Arc<Template>,
    roster: Arc<Roster>,
    pub(super) text: String,
    /// Phase and participant of each call.
    pub(super) calls: Vec<(String, String)>,
    /// The longest instructions in any prompt, in bytes.
    pub(super) longest: usize,
    pub(super) prompts: Vec<String>,
}

impl Simulation {
    pub(super) fn new(
        id: &str,
        participants: &str,
        parameters: serde_json::Value,
        consensus: serde_json::Value,
    ) -> Self {
        let template = one(id);
        let participants = aliases(participants);
        let mut values: serde_json::Map<_, _> = template
            .parameters
            .iter()
            .filter_map(|(name, parameter)| Some((name.clone(), parameter.default.clone()?)))
            .collect();
        values.extend(parameters.as_object().unwrap().clone());
        let head = Head {
            template: Some(id.to_owned()),
            created: Some("2026-03-02T09:00:00Z".to_owned()),
            roles: deal(&template, &participants, &BTreeMap::new()).roles,
            participants: Some(participants),
            consensus: consensus.as_object().unwrap().clone(),
            parameters: values.clone(),
            ..Head::default()
        };
        let text = format!("{}\n{}\n", head.render(), body(&template, "Which one?", &values));
        Self {
            template: template.into(),
            roster: Roster::bundled().into(),
            text,
            calls: Vec::new(),
            longest: 0,
            prompts: Vec::new(),
        }
    }

    pub(super) fn write(&mut self, draft: Draft) {
        let bytes = append(&self.text, &[draft]);
        self.text.push_str(&bytes);
    }

    /// Adds a comment of a person.
    pub(super) fn comment(&mut self, name: &str, text: &str, vote: Option<&str>) {
        let vote = vote.map(|vote| Choice::parse(vote).unwrap());
        let name = Name::parse(name).unwrap();
        let comment = NewComment { vote, ..NewComment::by(name, text.to_owned()) };
        self.write(Draft::Comment(comment));
    }

    pub(super) fn at<T>(&self, use_it: impl FnOnce(&Snapshot) -> T) -> T {
        let defaults = Defaults::default();
        use_it(&Snapshot::read(&self.text, &self.template, &self.roster, &defaults).unwrap())
    }

    /// Opens a sub-discussion, or ends it at once.
    fn child(&mut self, step: ChildStep) {
        let file: ChildFile = "tea/or-coffee.md".parse().unwrap();
        match step {
            ChildStep::Open(_) => {
                let line = ChildLine { turn: None, by: None, file, at: None };
                self.write(Draft::Control(Control::Child(line)));
            }
            ChildStep::On(ChildLine { file, .. }) => {
                let status = "CONSENSUS".to_owned();
                let end = ChildEnd { file, calls: 2, usd: None, status };
                self.write(Draft::Control(Control::ChildEnd(end)));
                self.comment("Discussions", "Tea.", None);
            }
        }
    }

    /// Continues until a stop; `answer` returns the answer to the n-th call (from 0) in a phase.
    pub(super) fn run(&mut self, answer: impl Fn(usize, &str, &str) -> String) -> Stop {
        loop {
            match self.at(|snapshot| next(snapshot, 0)).unwrap() {
                Step::Stop(stop) => return stop,
                Step::Write(drafts) => drafts.into_iter().for_each(|draft| self.write(draft)),
                Step::Child(step) => self.child(step),
                Step::Tool(tool) => panic!("no bundled template runs {tool:?}"),
                Step::Ask(asked) => {
                    asked.into_iter().for_each(|alias| self.answer(&alias, &answer))
                }
            }
        }
    }

    pub(super) fn answer(&mut self, alias: &Alias, answer: &impl Fn(usize, &str, &str) -> String) {
        let (phase, name, sent, instructions, markers) = self.at(|snapshot| {
            let turn = snapshot.state.turns.last().unwrap();
            let phase = &snapshot.template().phases[turn.phase];
            let sent = prompt(snapshot, turn, alias).unwrap().text();
            let task = sent.split("# Your task: ").last().unwrap();
            let ends =
                ["\n\nAt most", "\n\nOthers: ", "\n\nFrom the record", "\n\nYour comment needs"];
            let end = ends.iter().filter_map(|end| task.find(end)).min();
            let instructions = end.unwrap_or(task.len());
            (
                phase.id.clone(),
                snapshot.config.persona(alias).unwrap().name.clone(),
                sent,
                instructions,
                AnswerSpec::of(snapshot, turn, alias).text,
            )
        });
        self.longest = self.longest.max(instructions);
        self.prompts.push(sent);
        let said = answer(self.calls.len(), &phase, alias.as_str());
        self.calls.push((phase, alias.to_string()));
        let number = self.at(|snapshot| snapshot.state.turns.last().unwrap().line.number);
        if said == PASS {
            let pass =
                Pass { who: alias.clone(), turn: Some(number), at: None, spent: Spent::default() };
            return self.write(Draft::Control(Control::Pass(pass.into())));
        }
        let (body, vote) = match said.split_once("VOTE: ") {
            Some((body, vote)) => (body.to_owned(), Some(Choice::parse(vote.trim()).unwrap())),
            None => (said, None),
        };
        let reply = ReplyLine { turn: Some(number), markers, ..ReplyLine::default() };
        let comment = NewComment { reply: Some(reply.into()), vote, ..NewComment::by(name, body) };
        self.write(Draft::Comment(comment));
    }

    pub(super) fn calls_in(&self, phase: &str) -> usize {
        self.calls.iter().filter(|(of, _)| of == phase).count()
    }

    pub(super) fn status(&self) -> DecisionStatus {
        self.at(|snapshot| snapshot.outcome().status)
    }
}

/// An answer with one finding that quotes these words.
pub(super) fn finding(quote: &str) -> String {
    format!("### Finding 1\n\n> {quote}\n\nProof: 3, not 4.\n\nInstead: computes")
}

pub(super) const NO_FINDINGS: &str = "No findings.";

pub(super) fn plain(call: usize, phase: &str, alias: &str) -> String {
    match phase {
        "ballot" | "consensus_vote" => format!("Reason {call}.\n\nCONFIDENCE: 0.8\n\nVOTE: READY"),
        "objections" | "look" => finding("says"),
        _ => format!("{alias} says {call} in {phase}.\n\nDECISION: number {call}"),
    }
}
