//! `discussions review --diff`: the files and lines of findings from perspectives.

use serde_json::json;

use super::panel::panel;

#[test]
fn weakness_has_the_file_and_line_that_it_names_or_quotes() {
    let answer = "WEAKNESS: (high) `Sell it dearly.` names no price\\n\\nSUGGESTION: spec/brief.md:1 needs a date\\n\\nRATING: 3\\n\\nRISK: low";
    let scenario = panel().file("spec/brief.md", "# Brief\n\nSell it.\n").env("ANSWER", answer);
    scenario.init_git().git(&["add", "."]).git(&["commit", "-qm", "One"]);
    scenario.write("spec/brief.md", b"# Brief\n\nSell it dearly.\n");
    scenario.git(&["commit", "-qam", "Two"]);
    let args = ["review", "--diff", "HEAD~1..HEAD", "--perspectives", "product", "--json"];
    let result = scenario.discussions(&args).json();
    assert_eq!(
        (&result["weaknesses"][0]["file"], &result["weaknesses"][0]["atLine"]),
        (&json!("spec/brief.md"), &json!(3))
    );
    assert_eq!(
        (&result["actions"][0]["file"], &result["actions"][0]["atLine"]),
        (&json!("spec/brief.md"), &json!(1))
    );
}
