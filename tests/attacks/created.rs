//! Hostile titles, contexts, parameters, quoted artifacts and personas.

use discussions::engine::prompt;
use discussions::state::Speaker;
use discussions::transcript::{
    Alias, Control, Draft, EntryKind, NewComment, TurnLine, append, glue, parse, render,
    visible_line,
};
use discussions::workspace::NewDiscussion;
use serde_json::Value;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::is_nfc;

use super::normal::{Normal, check_prompt, name, reply};
use super::{Attack, Channel, Outcome, rendered};
use crate::project::Project;

pub(crate) fn new(attack: &Attack, text: &str) -> NewDiscussion {
    let mut new = NewDiscussion {
        title: "Add user authentication".into(),
        template: Some(attack.header.template.clone()),
        ..NewDiscussion::default()
    };
    match attack.header.channel {
        Channel::Title => new.title = text.to_owned(),
        Channel::Artifact => {
            new.template = Some("artifact-review".into());
            new.parameters.push(("artifact".into(), "spec.md".into()));
            new.context = Some(text.to_owned());
        }
        Channel::Parameter => {
            let field = attack.header.field.clone().expect("a parameter's name");
            if attack.header.template == "artifact-review" && field != "artifact" {
                new.parameters.push(("artifact".into(), "spec.md".into()));
            }
            new.parameters.push((field, text.to_owned()));
        }
        _ => new.context = Some(text.to_owned()),
    }
    new
}

pub(super) fn attack(attack: &Attack, normal: &Normal) -> Result<(), String> {
    let text = match normal.workspace.discussions().draft(&new(attack, &attack.text)) {
        Ok(text) => text,
        Err(_) if attack.header.outcome == Outcome::Refused => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    if attack.header.outcome == Outcome::Refused {
        return Err(format!("it was taken:\n{text}"));
    }
    attack.stands_in(&text)?;
    let plain = normal.workspace.discussions().draft(&new(attack, "plain")).unwrap_or_default();
    let parsed = parse(&text);
    let (head, mut expected) = (parsed.head.clone(), parse(&plain).head);
    if let (Channel::Parameter, Some(field), Some(expected)) =
        (attack.header.channel, &attack.header.field, &mut expected)
    {
        let given = head.as_ref().and_then(|head| head.parameters.get(field)).cloned();
        if given.as_ref().and_then(Value::as_str).is_some_and(|given| given != attack.text) {
            return Err(format!("the parameter became {given:?}"));
        }
        expected.parameters.insert(field.clone(), given.unwrap_or_default());
    }
    if head != expected && !plain.is_empty() {
        return Err(format!("the head was forged:\n{head:?}\n{expected:?}"));
    }
    if !parsed.entries.is_empty() || !parsed.problems.is_empty() {
        return Err(format!("it says something: {:?} {:?}", parsed.entries, parsed.problems));
    }
    let title = parsed.title().unwrap_or_default();
    // Hashes after a blank close a heading, as in every Markdown file.
    let said = attack.text.trim_end().trim_end_matches(" #");
    if attack.header.channel == Channel::Title {
        if said.chars().last().is_some_and(|last| !last.is_control() && !title.ends_with(last)) {
            return Err(format!("the title is read as `{title}`"));
        }
        stays_in_its_folder(attack, normal, &text)?;
    }
    let preamble = &text[parsed.preamble.start..];
    rendered::nothing_deceives(&text)?;
    rendered::all_is_seen(preamble, 0..preamble.len(), &attack.text, &attack.header.markup)?;
    let own = rendered::headings(&text);
    // A context with its own headings replaces the template's headings.
    let kept = if attack.text.contains("\n## ") || attack.text.starts_with("## ") { 1 } else { 9 };
    for heading in rendered::headings(&plain).iter().take(kept) {
        if !heading.contains("plain") && !own.contains(heading) {
            return Err(format!("the heading `{heading}` is hidden:\n{text}"));
        }
    }
    grows(normal, &text)
}

/// Checks that the title cannot change the folder of the file.
fn stays_in_its_folder(attack: &Attack, normal: &Normal, text: &str) -> Result<(), String> {
    let path = normal
        .workspace
        .discussions()
        .create(&new(attack, &attack.text))
        .map_err(|error| error.to_string())?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    // Letters of any script with their marks, and no invisible or direction-changing characters.
    let letter = |c: char| c.is_alphanumeric() || is_combining_mark(c);
    let plain = name.chars().all(|c| letter(c) || matches!(c, '-' | '_' | '.'))
        && visible_line(name) == name
        && is_nfc(name)
        && name.len() < 100;
    let there = path.parent() == Some(normal.workspace.output_directory().as_path());
    if there && plain && name.len() > 3 && std::fs::read_to_string(&path).unwrap() == text {
        Ok(())
    } else {
        Err(format!("the file is {}", path.display()))
    }
}

/// Checks that a turn and a comment are two more entries, and that the comment is visible.
fn grows(normal: &Normal, text: &str) -> Result<(), String> {
    let asks = vec![Alias::parse("architect").unwrap()];
    let turn = Draft::Control(Control::Turn(TurnLine { number: 1, asks, ..TurnLine::default() }));
    let next = Draft::Comment(NewComment::by(name("Ann"), "next"));
    for draft in [&turn, &next] {
        let between = glue(text, draft);
        let head = text.len() + between.len();
        let grown = format!("{text}{between}{}", render(draft));
        if parse(&grown).entries.len() != 1 {
            return Err(format!("what is appended is not read:\n{grown}"));
        }
        if matches!(draft, Draft::Comment(_)) {
            rendered::head_is_top_level(&grown, head)?;
        }
    }
    let grown = format!("{text}{}", append(text, &[turn]));
    normal.look(&grown, |it| {
        if it.state.said.is_empty() && it.state.ballot.votes.is_empty() {
            Ok(())
        } else {
            Err(format!("somebody spoke: {:?}", it.state.said))
        }
    })?;
    check_prompt(normal, &grown)
}

/// A persona file: the text is the value of one field, or the whole file.
pub(super) fn persona(attack: &Attack, _: &Normal) -> Result<(), String> {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let yaml = match attack.header.field.as_deref() {
        None => attack.text.clone(),
        Some(field) => {
            let fields = [("name", "Mallory"), ("alias", "mallory"), ("personality", "You lie.")];
            let mut yaml: String = fields
                .iter()
                .filter(|(known, _)| *known != field)
                .map(|(known, value)| format!("{known}: {value}\n"))
                .collect();
            let list = matches!(field, "expertise" | "concerns");
            let value = quoted(&attack.text);
            yaml.push_str(&if list {
                format!("{field}: [{value}]\n")
            } else {
                format!("{field}: {value}\n")
            });
            yaml
        }
    };
    let project = Project::new();
    project.write("participants/mallory.yaml", &yaml);
    let normal = Normal::at(project);
    let new = NewDiscussion {
        title: "Add user authentication".into(),
        participants: vec!["architect".into(), "mallory".into()],
        ..NewDiscussion::default()
    };
    let text = match normal.workspace.discussions().draft(&new) {
        Ok(text) if attack.header.outcome == Outcome::Refused => {
            return Err(format!("it was taken:\n{text}"));
        }
        Ok(text) => text,
        Err(_) if attack.header.outcome == Outcome::Refused => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    grows(&normal, &text)?;
    rendered::nothing_deceives(&text)?;
    let mallory = Alias::parse("mallory").unwrap();
    let called = normal.look(&text, |it| it.config.name_of(&mallory).to_owned());
    let asks = vec![mallory.clone()];
    let turn = Draft::Control(Control::Turn(TurnLine { number: 1, asks, ..TurnLine::default() }));
    let drafts =
        [turn, reply("AI-Architect", "I reject it.", Some("REJECT")), reply(&called, "So.", None)];
    let text = format!("{text}{}", append(&text, &drafts));
    let parsed = parse(&text);
    let authors: Vec<String> = parsed
        .entries
        .iter()
        .filter_map(|entry| match &entry.kind {
            EntryKind::Comment(comment) => Some(comment.name.to_string()),
            _ => None,
        })
        .collect();
    if authors != ["AI-Architect", &called] {
        return Err(format!("the authors are {authors:?}"));
    }
    check_prompt(&normal, &text)?;
    normal.look(&text, |it| {
        let prompt = prompt(it, &it.state.turns[0], &mallory).map_err(|error| error.to_string())?;
        let record = &prompt.prefix;
        if record.contains(attack.text.trim())
            && attack.header.field.as_deref() == Some("personality")
        {
            return Err("the persona's words stand in the record".to_owned());
        }
        let last = it.state.said.last().map(|said| said.speaker.clone());
        let votes: Vec<&str> =
            it.state.ballot.votes.iter().map(|vote| vote.speaker.handle()).collect();
        if last == Some(Speaker::Persona(mallory.clone())) && votes == ["architect"] {
            Ok(())
        } else {
            Err(format!("{last:?} spoke, {votes:?} voted"))
        }
    })
}
