//! Turns a workflow file of another engine into a template: each step becomes a phase, in the order of the file.

use std::path::PathBuf;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Discussions;
use super::error::{Help, WorkspaceError};
use crate::config;
use crate::template::Template;
use crate::transcript::visible_line;
use crate::view::FileChange;
use crate::yaml::{self, LoadError};

/// A workflow, as far as it can be imported. Other keys are left out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Workflow {
    workflow_id: String,
    #[serde(default)]
    name: String,
    steps: Vec<WorkflowStep>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WorkflowStep {
    step_id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    dependencies: Vec<String>,
    config: StepConfig,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StepConfig {
    prompt: String,
    pattern: Option<String>,
    #[serde(default)]
    providers: Vec<String>,
    rounds: Option<u32>,
    #[serde(default)]
    voting_options: Vec<String>,
}

/// The role that answers steps with a prompt only.
const WRITER: &str = "writer";

/// The pattern of a step that names none.
const PATTERN: &str = "synthesis";

impl Discussions<'_> {
    /// Writes the template of a workflow into the project's `templates/`, under the workflow's id. `text` is the YAML of
    /// the workflow; errors call it `origin`. An open workspace does not notice the new template.
    ///
    /// # Errors
    /// Fails if the text is no workflow, if a step has a type or an expression without a counterpart, outside of a
    /// project, or if the file exists or cannot be written.
    pub fn import_workflow(&self, text: &str, origin: &str) -> Result<FileChange, WorkspaceError> {
        let (stem, template) = template_of(text, origin)?;
        let Some(project) = &self.setup.project else {
            let message = "a template is written only into a project";
            return Err(WorkspaceError::refuse(message).with_help(Help::BeginProject));
        };
        let stem = if self.catalogue.get(&stem).is_some_and(|entry| entry.path.is_none()) {
            format!("{stem}-workflow")
        } else {
            stem
        };
        let template = format!(
            "---\n# Imported from {}\n{}---\n{BODY}",
            visible_line(origin),
            front(&stem, &template)?
        );
        let path: PathBuf = project.root.join("templates").join(format!("{stem}.md"));
        let file = self.shown_path(&path);
        Template::read(&template, &file, &stem)?;
        match config::create(&path, &template) {
            Ok(()) => Ok(FileChange { file, changed: true }),
            Err(source) => Err(WorkspaceError::unwritable_file(&path, &source)),
        }
    }
}

/// The text of a new discussion.
const BODY: &str = "# {{ title }}\n\n{{ context }}\n\n---\n";

fn front(id: &str, template: &Map<String, Value>) -> Result<String, WorkspaceError> {
    let id = json!({ "id": id });
    Ok(format!("{}{}", yaml::write(&id)?, yaml::write(template)?))
}

/// Returns the id of a workflow and its template without the id.
fn template_of(text: &str, origin: &str) -> Result<(String, Map<String, Value>), WorkspaceError> {
    let workflow: Workflow = yaml::read(text, origin)?;
    let mut known: Vec<&str> = Vec::new();
    let mut phases = Vec::new();
    for step in &workflow.steps {
        let at = |word: &str, message: String| {
            let line = text.lines().position(|line| line.contains(word)).map_or(0, |at| at + 1);
            WorkspaceError::from(LoadError::at(origin, text, 1, (line, 1), message))
        };
        if let Some(later) = step.dependencies.iter().find(|one| !known.contains(&one.as_str())) {
            let message =
                format!("`{}` needs `{later}`, which does not stand above it", step.step_id);
            return Err(at(&step.step_id, message));
        }
        let prompt = with_expressions(&step.config.prompt, &known).map_err(|expression| {
            at(&expression, format!("`{expression}` has no counterpart; write what it stands for"))
        })?;
        phases.push(match step.kind.as_str() {
            "prompt" => json!({ "id": step.step_id, "instructions": prompt, "speakers": [WRITER] }),
            "discuss" => discuss_phase(step, &prompt),
            kind => {
                let message = format!("a step of the type `{kind}` has no counterpart; only `prompt` and `discuss` have one");
                return Err(at(&step.step_id, message));
            }
        });
        known.push(&step.step_id);
    }
    let template = json!({
        "title": if workflow.name.is_empty() { &workflow.workflow_id } else { &workflow.name },
        "summary": "the steps of an imported workflow",
        "roles": { WRITER: { "take": 0, "else": "moderator" } },
        "consensus": { "method": "synthesis", "human_required": false },
        "nesting": { "depth": 1, "strategy": "fixed" },
        "phases": phases,
    });
    let Value::Object(template) = template else { return Ok((workflow.workflow_id, Map::new())) };
    Ok((workflow.workflow_id, template))
}

/// Returns the phase of a step that discusses. Roles are dealt in the order of the participants.
fn discuss_phase(step: &WorkflowStep, prompt: &str) -> Value {
    let config = &step.config;
    let mut set = Map::new();
    if let Some(rounds) = config.rounds {
        set.insert("rounds".to_owned(), rounds.into());
    }
    if !config.voting_options.is_empty() {
        set.insert("options".to_owned(), config.voting_options.clone().into());
    }
    let mut discuss = json!({
        "pattern": config.pattern.as_deref().unwrap_or(PATTERN),
        "topic": "{{ title }}",
        "context": prompt,
    });
    if !config.providers.is_empty() {
        discuss["participants"] = config.providers.clone().into();
    }
    if !set.is_empty() {
        discuss["set"] = set.into();
    }
    json!({ "id": step.step_id, "discuss": discuss })
}

/// Converts the expressions of a prompt: the input of the workflow, and the output of earlier steps.
///
/// # Errors
/// Returns the first expression without a counterpart.
fn with_expressions(prompt: &str, known: &[&str]) -> Result<String, String> {
    static EXPRESSION: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\{\{\s*([^{}]*?)\s*\}\}").ok());
    let Some(expression) = EXPRESSION.as_ref() else { return Ok(prompt.to_owned()) };
    let mut wrong = None;
    let text = expression.replace_all(prompt, |found: &Captures<'_>| {
        let name = &found[1];
        let step = name.strip_prefix("steps.").and_then(|rest| rest.split_once(".output"));
        match step {
            _ if name == "input" => "{{ title }}".to_owned(),
            Some((step, "" | ".synthesis" | ".text")) if known.contains(&step) => {
                format!("{{{{ (said | selectattr(\"phase\", \"eq\", \"{step}\") | list | last).body }}}}")
            }
            _ => {
                wrong.get_or_insert_with(|| found[0].to_owned());
                String::new()
            }
        }
    });
    match wrong {
        Some(wrong) => Err(wrong),
        None => Ok(text.into_owned()),
    }
}
