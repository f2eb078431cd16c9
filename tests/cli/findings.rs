//! Findings of reviewers in the result: what became of each, and what changed after the review.

use serde_json::{Value, json};

use super::scenario::{Run, Scenario};
use super::schema::{errors, unknown_fields};

/// Answers of an author and two reviewers: one finding is taken, one declined, one quotes words that are not there.
pub(crate) const SCRIPT: &str = r##"
answers:
  - {phase: draft, text: "Order two boxes."}
  - phase: review
    text: |
      # Boxes

      **Order one box.** It costs 300 euros.

      Ann orders it on <b>Monday</b>.

      ```
      code
      ```
  - phase: look
    participant: reviewer
    text: |
      I checked everything.

      ### Finding 1

      > It costs 300 euros.

      Proof: The question says 150. Two boxes cost 300.

      Instead: It costs 150 euros with delivery.

      ### Finding 2

      > Ann orders it on <b>Monday</b>.

      Proof: Monday is a <i>holiday</i>, see docs/days.md:7. Nothing is delivered.

      Instead: Ann orders it on Tuesday.
  - phase: look
    participant: quality
    # The answers of a turn are in the order in which they come.
    delay_ms: 700
    text: |
      ### Finding 1

      > Order three boxes.

      Proof: One is enough.

      Instead: Order one box.
  - phase: revise
    text: |
      # Boxes

      **Order one box.** It costs 150 euros with delivery.

      Ann orders it on <b>Monday</b>.

      ```
      code
      ```
"##;

const PROVIDERS: &str = "providers:\n  - name: parrot\n    script: parrot.yaml\n";

/// Returns a discussion `box` with the pattern `second-look` in which models answer as a script says.
pub(crate) fn second_look(script: &str) -> Scenario {
    let scenario = project(script);
    discuss(&scenario);
    scenario
}

fn project(script: &str) -> Scenario {
    Scenario::new()
        .file("discussions.yaml", "")
        .file("parrot.yaml", script)
        .file("providers.yaml", PROVIDERS)
}

fn discuss(scenario: &Scenario) -> Run {
    let mut args = vec!["discuss", "Which box?", "--pattern", "second-look"];
    args.extend(["-p", "author,reviewer,quality", "--provider", "parrot"]);
    args.extend(["--out", "discussions/box.md"]);
    scenario.discussions(&args).code(0)
}

fn result(scenario: &Scenario) -> Value {
    scenario.discussions(&["result", "box", "--json"]).code(0).json()
}

#[test]
fn json_result_says_what_became_of_each_finding() {
    let scenario = second_look(SCRIPT);
    let result = result(&scenario);
    let found = result["findings"].as_array().unwrap();
    let short: Vec<Value> = found
        .iter()
        .map(|one| json!([one["number"], one["by"], one["state"], one["file"], one["atLine"]]))
        .collect();
    assert_eq!(
        short,
        [
            json!([1, "reviewer", "taken", null, null]),
            json!([2, "reviewer", "declined", "docs/days.md", 7]),
            json!([3, "quality", "unfounded", null, null]),
        ]
    );
    assert_eq!(found[0]["quote"], "It costs 300 euros.");
    assert_eq!(found[0]["instead"], "It costs 150 euros with delivery.");
    let file = scenario.read(result["file"].as_str().unwrap());
    for one in found {
        let heading = file.lines().nth(one["line"].as_u64().unwrap() as usize - 1).unwrap();
        assert!(heading.starts_with("### Finding"), "{heading}");
    }
    let diff = result["revision"]["diff"].as_str().unwrap();
    assert!(diff.contains("\n-**Order one box.** It costs 300 euros.\n"), "{diff}");
    assert!(diff.contains("\n+**Order one box.** It costs 150 euros with delivery.\n"), "{diff}");
    assert!(!diff.contains("Ann orders it on <b>Monday</b>.\n-"), "{diff}");
    // A founded finding that was declined is dissent; one that is unfounded is not.
    let dissent = json!([{
        "provider": "reviewer",
        "position": "on \"Ann orders it on <b>Monday</b>.\": Monday is a <i>holiday</i>, see docs/days.md:7.",
        "line": found[1]["line"],
    }]);
    let declined = result["consensus"]["dissent"].to_string().replace("&lt;", "<");
    assert_eq!(declined, dissent.to_string());
    assert_eq!(result["outcome"]["decision"], "Order one box.");
    assert_eq!(result["consensus"]["synthesizer"], "author");
    assert!(result.get("secondOpinion").is_none(), "{result}");
}

#[test]
fn result_with_findings_fits_its_schema() {
    let alone = Scenario::new().file("discussions/box.md", ALONE);
    for scenario in [second_look(SCRIPT), alone] {
        let schema = scenario.discussions(&["schema", "result"]).code(0).json();
        let result = result(&scenario);
        assert_eq!(errors(&schema, &result), [""; 0]);
        assert_eq!(unknown_fields(&schema, &result), [""; 0]);
    }
}

#[test]
fn result_lists_findings_and_shows_a_declined_one_in_full() {
    let scenario = second_look(SCRIPT);
    let run = scenario.discussions(&["result", "box"]).code(0);
    let page = &run.stdout;
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}:\n{page}"));
    let in_order = [
        "\nAnswer: Order one box.\n",
        "\n## Text\n",
        "\n## Findings\n\n- Finding 1, taken: \"It costs 300 euros.\" (",
        "\n- Finding 3, unfounded: \"Order three boxes.\" (",
        "\n### Finding 2, declined (",
        "docs/days.md:7, line ",
        "\n> Ann orders it on &lt;b>Monday&lt;/b>.\n",
        "\nProof: Monday is a &lt;i>holiday&lt;/i>, see docs/days.md:7. Nothing is delivered.\n",
        "\nInstead:\n\n> Ann orders it on Tuesday.\n",
        "\n## What changed after the review\n\n```diff\n",
        "\n+**Order one box.** It costs 150 euros with delivery.\n",
        "\n## Cost and time\n",
    ];
    let places: Vec<usize> = in_order.iter().map(|words| place(words)).collect();
    assert!(places.is_sorted(), "{places:?}:\n{page}");
    assert!(!page.contains("Finding 2, declined: ") && !page.contains("second opinion"), "{page}");
    let record = scenario.discussions(&["export", "box", "--adr"]).code(0);
    let record = record.says("\n### Findings\n\n- Finding 1, taken: ");
    // The difference between two versions of the text is no part of the decision.
    record.says("\n#### Finding 2, declined (").stdout_lacks("What changed after the review");
    let shown = scenario.discussions(&["result", "box", "--color", "always"]).code(0);
    let green = "\u{1b}[32m+**Order one box.** It costs 150 euros with delivery.";
    assert!(shown.stdout.contains(green), "{}", shown.stdout);
}

#[test]
fn html_export_marks_removed_and_added_words() {
    let scenario = second_look(SCRIPT);
    let page = scenario.discussions(&["export", "box", "--html"]).code(0).stdout;
    for part in [
        "<h2>What changed after the review</h2>",
        "<del>300</del><ins>150 euros with</ins>",
        "<h2>Findings</h2>",
        "Finding 2, declined (",
    ] {
        assert!(page.contains(part), "{part}:\n{page}");
    }
    assert!(!page.contains("<b>") && !page.contains("<i>"), "{page}");
}

#[test]
fn text_outside_of_findings_and_false_quotes_are_noted() {
    discuss(&project(SCRIPT))
        .notes("AI-Reviewer: the text outside of the findings counts for nothing")
        .notes("AI-Quality: finding 1 quotes words that are not in the text");
}

#[test]
fn text_is_not_revised_without_findings() {
    let script = r#"
answers:
  - {phase: draft, text: "Order two boxes."}
  - {phase: review, text: "Order one box. It is cheap."}
  - {phase: look, text: "No findings."}
"#;
    let scenario = second_look(script);
    let result = result(&scenario);
    assert_eq!(result["metadata"]["costSummary"]["totalCalls"], 4);
    assert_eq!(result["synthesis"], "Order one box. It is cheap.");
    assert_eq!(result["outcome"]["decision"], "Order one box.");
    assert_eq!(result["consensus"]["dissent"], json!([]));
    assert!(result.get("findings").is_none() && result.get("revision").is_none(), "{result}");
    assert!(result.get("secondOpinion").is_none(), "{result}");
    scenario
        .discussions(&["result", "box"])
        .code(0)
        .stdout_lacks("## Findings")
        .stdout_lacks("What changed after the review");
}

/// A discussion of one participant, who wrote a text and reviewed it.
const ALONE: &str = "\
<!-- DISCUSSION
template: solo
participants: [author]
-->

# Which box?

---

<!-- TURN: 1, asks: [author], at: 2026-11-20T10:01:00Z -->

---

Name: AI-Author
<!-- REPLY turn: 1, at: 2026-11-20T10:01:21Z, provider: codex, ms: 1, tokens: 1/1 -->

Order two boxes.

---

<!-- PHASE: review -->

---

<!-- TURN: 2, asks: [author], at: 2026-11-20T10:02:00Z -->

---

Name: AI-Author
<!-- REPLY turn: 2, at: 2026-11-20T10:02:21Z, provider: codex, ms: 1, tokens: 1/1 -->

## The answer

1. **Decision:** Order one box. It is cheap.

---
";

#[test]
fn result_of_one_participant_says_that_there_was_no_second_opinion() {
    let scenario = Scenario::new().file("discussions/box.md", ALONE);
    let found = result(&scenario);
    assert_eq!(found["secondOpinion"], false, "{found}");
    assert_eq!(found["outcome"]["decision"], "Order one box.");
    let note = "\nOnly one participant took part; there was no second opinion.\n";
    scenario.discussions(&["result", "box"]).code(0).says(note);
    scenario.discussions(&["export", "box", "--adr"]).code(0).says(note);
    let html = scenario.discussions(&["export", "box", "--html"]).code(0);
    html.says("<p>Only one participant took part; there was no second opinion.</p>");
    // Before the end, nothing is known about it, and no sentence is the decision.
    let (first, _) = ALONE.split_once("<!-- PHASE").unwrap();
    scenario.write("discussions/box.md", first.as_bytes());
    let found = result(&scenario);
    assert!(found.get("secondOpinion").is_none(), "{found}");
    assert_eq!(found["outcome"]["decision"], Value::Null);
}
