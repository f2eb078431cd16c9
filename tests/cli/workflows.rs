//! Workflow files of other engines: one step as a question, several steps as a template.

use super::panel::{calls, panel};
use super::scenario::Scenario;

const WORKFLOW: &str = r#"workflowId: decide-it
version: "1.0.0"
name: Decide it

steps:
  - stepId: gather
    type: prompt
    config:
      prompt: "Summarize the key requirements for: {{input}}"
  - stepId: discuss-options
    type: discuss
    dependencies: [gather]
    config:
      pattern: debate
      providers: [architect, security, pragmatist]
      rounds: 1
      prompt: |
        Based on these requirements:
        {{steps.gather.output}}
      roles: {architect: proponent}
      consensus: {method: moderator, synthesizer: pragmatist}
  - stepId: document
    type: prompt
    dependencies: [discuss-options]
    config:
      prompt: |
        Create a record of:
        {{steps.discuss-options.output.synthesis}}
"#;

#[test]
fn step_is_taken_as_yaml_and_whole() {
    let step = "stepId: ask\ntype: discuss\nconfig:\n  pattern: voting\n  providers: [architect, security]\n  \
                prompt: API?\n  votingOptions: [REST, 'gRPC, maybe']\n  sessionId: 7f-1\n";
    let scenario = panel().file("step.yaml", step).env("ANSWER", "CONFIDENCE: 0.9\n\nVOTE: REST");
    let result =
        scenario.discussions(&["discuss", "--input", "step.yaml", "--json"]).code(0).json();
    assert_eq!(result["output"]["rounds"][0]["responses"][0]["vote"], "REST", "{result}");
    let file = scenario.read("discussions/api.md");
    assert!(file.contains("\nlabel: \"7f-1\"\n") || file.contains("\nlabel: 7f-1\n"), "{file}");
}

#[test]
fn long_prompt_of_one_line_is_kept_whole() {
    let prompt = format!("Which? {}", "word ".repeat(1_900));
    let step =
        format!("{{\"prompt\": \"{prompt}\", \"providers\": [\"architect\", \"security\"]}}");
    let scenario = panel().file("step.json", &step).env("ANSWER", "DECISION: ship it");
    scenario.discussions(&["discuss", "--input", "step.json"]).code(0);
    let files = std::fs::read_dir(scenario.path("discussions")).unwrap();
    let page = files.map(|file| file.unwrap().path()).find(|path| path.is_file()).unwrap();
    let text = std::fs::read_to_string(page).unwrap();
    assert!(text.contains(prompt.trim()), "{text}");
}

#[test]
fn workflow_becomes_a_template_that_runs() {
    let scenario = panel().file("flow.yaml", WORKFLOW).env("ANSWER", "DECISION: use a queue");
    let refused = scenario.discussions(&["discuss", "--input", "flow.yaml"]).code(3);
    refused.notes("discussions templates import flow.yaml");
    scenario
        .discussions(&["run", "flow.yaml"])
        .code(3)
        .notes("discussions templates import flow.yaml");
    scenario
        .discussions(&["templates", "import", "flow.yaml"])
        .code(0)
        .says("Created: templates/decide-it.md")
        .notes("next: discussions new \"TITLE\" -t decide-it --run");
    scenario.discussions(&["new", "Queue or cron?", "-t", "decide-it", "--run"]).with_any_code();
    let asked = calls(&scenario);
    assert!(asked.first().unwrap().ends_with(" gather"), "{asked:?}");
    assert!(asked.last().unwrap().ends_with(" document"), "{asked:?}");
    assert!(
        scenario.path("discussions/queue-or-cron").is_dir(),
        "the debate has a file of its own"
    );
    scenario
        .discussions(&["templates", "import", "flow.yaml"])
        .code(5)
        .notes("templates/decide-it.md");
}

#[test]
fn workflow_without_a_counterpart_is_refused_with_its_line() {
    for (wrong, line) in [("{{steps.later.output}}", 9), ("{{env.HOME}}", 9)] {
        let flow = WORKFLOW.replace("Summarize the key requirements for: {{input}}", wrong);
        let scenario = Scenario::new().file("discussions.yaml", "{}\n").file("flow.yaml", &flow);
        let refused = scenario.discussions(&["templates", "import", "flow.yaml"]).code(3);
        refused.notes(&format!("flow.yaml:{line}:1")).notes(wrong);
    }
}
