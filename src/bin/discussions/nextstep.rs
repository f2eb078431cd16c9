//! What one can do now: hints for people, computed from the file.

use discussions::engine::{Situation, Step, Stop, next};
use discussions::state::QuestionStatus;
use discussions::transcript::{Alias, Control, Draft, visible_line};
use indexmap::IndexMap;

use crate::ui::Ui;

/// Shows hints.
pub(crate) fn tell(ui: &mut Ui, hints: Vec<String>) {
    for hint in hints {
        match hint.split_once(": ") {
            Some(("next", rest)) => ui.hint("next", rest),
            _ => ui.note(hint),
        }
    }
}

/// What one can do now, in sentences; `file` is the path as shown.
pub(crate) fn hints(situation: &Situation<'_>, file: &str) -> Vec<String> {
    let file = visible_line(file);
    let file = shell_words::quote(&file);
    let mut hints = asked_people(situation, &file);
    // A fresh look: turns that are in the file already may be begun again.
    if let Ok(step) = next(situation, situation.state.turns.len()) {
        hints.extend(of_step(situation, &step, &file));
    }
    hints
}

fn of_step(situation: &Situation<'_>, step: &Step, file: &str) -> Option<String> {
    let phase_at = |index: usize| situation.template().phases[index].id.as_str();
    let phase = phase_at(situation.state.place.phase());
    Some(match step {
        Step::Ask(who) => {
            let who: Vec<String> = who.iter().map(|alias| format!("@{alias}")).collect();
            format!("next: discussions turn {file}    ({} still to be asked)", who.join(" "))
        }
        Step::Write(drafts) => match drafts.first() {
            Some(Draft::Control(Control::Phase(line))) => {
                format!("next: discussions advance {file}    (enters {})", line.id)
            }
            _ => format!(
                "next: discussions turn {file}, or discussions run {file} to go on by itself"
            ),
        },
        Step::Stop(Stop::Closed) => {
            format!("the discussion is closed; to go on: discussions reopen {file}")
        }
        Step::Stop(Stop::Finished) => {
            format!("nothing is left to do; to end it: discussions close {file}")
        }
        Step::Stop(Stop::Waiting(who)) => {
            let who: Vec<&str> = who.iter().map(Alias::as_str).collect();
            let first = who.first()?;
            format!(
                "next: {} to answer, with discussions comment {file} --as {first}",
                who.join(" and ")
            )
        }
        Step::Stop(Stop::PhaseEnd) => {
            format!("next: discussions advance {file}    (a person ends the phase {phase})")
        }
        Step::Stop(Stop::Trigger) => format!(
            "next: discussions turn {file} for another turn of {phase}, or discussions advance {file}"
        ),
        Step::Stop(Stop::Mentions(handles)) => {
            let who: Vec<String> = handles.iter().map(|handle| format!("@{handle}")).collect();
            format!(
                "next: {} to answer; discussions advance {file} goes on without",
                who.join(" and ")
            )
        }
        Step::Stop(Stop::PersonVote) => {
            let option = situation.state.options(situation.charter).first()?;
            format!(
                "next: a person's vote, with discussions comment {file} \"...\" --vote {option}"
            )
        }
        Step::Stop(Stop::TooFew) => {
            format!("too few answered; to ask the others again: discussions run {file}")
        }
        Step::Stop(Stop::Nobody) => {
            format!("nobody is left to be asked; name somebody: discussions turn {file} @alias")
        }
    })
}

/// "@rob is asked 2 questions": open questions to people, for whom no model answers.
fn asked_people(situation: &Situation<'_>, file: &str) -> Vec<String> {
    let mut asked: IndexMap<String, usize> = IndexMap::new();
    let open = situation.state.questions.iter().filter(|one| one.status == QuestionStatus::Open);
    for question in open {
        for handle in
            handles(&question.text).filter(|handle| !is_answered_by_model(situation, handle))
        {
            *asked.entry(handle).or_default() += 1;
        }
    }
    asked
        .into_iter()
        .map(|(who, count)| {
            let questions = if count == 1 { "a question" } else { &format!("{count} questions") };
            format!("@{who} is asked {questions}: discussions comment {file} --as {who}")
        })
        .collect()
}

fn is_answered_by_model(situation: &Situation<'_>, handle: &str) -> bool {
    handle == "all"
        || Alias::parse(handle)
            .ok()
            .and_then(|alias| situation.charter.persona(&alias))
            .is_some_and(|persona| situation.charter.is_model(&persona.alias))
}

/// What stands behind each `@`, in small letters.
fn handles(text: &str) -> impl Iterator<Item = String> {
    let named = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.split('@').skip(1).filter_map(move |rest| {
        let end = rest.find(|c: char| !named(c)).unwrap_or(rest.len());
        Some(rest[..end].to_lowercase()).filter(|handle| !handle.is_empty())
    })
}
