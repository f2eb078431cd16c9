//! Completions, explanations, hints, the outline, and quick fixes.

use serde_json::{Value, json};

use super::client::{Client, place};

const TEXT: &str = "# Tea\n\n---\n\nName: Mira\n\nQ: Which tea?\n\nQ: Who brews it?\n\nDECISION: Tea it is.\n\n\
    A: Q1 Green.\n\n---\n\nName: Rob\n\n";

fn labels(answer: &Value) -> Vec<String> {
    let items = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

/// Opens `TEXT` with more text behind it, and returns the labels of the completions at the `|`.
fn completed(more: &str) -> Vec<String> {
    let text = format!("{TEXT}{more}");
    let mut client = Client::new(&[]);
    client.open_text("a.md", &text.replace('|', ""));
    labels(&client.ask_at("completion", "a.md", place(&text)))
}

#[test]
fn open_items_above_are_offered_first_with_their_text() {
    assert_eq!(completed("A: |"), ["Q2", "Q1"]);
    assert_eq!(completed("+1 |"), ["D1"]);
    assert_eq!(completed("WITHDRAWN: D|"), ["D1"]);
    // The decision that is being written is not offered.
    assert_eq!(completed("DECISION: (replaces |"), ["D1"]);
    let text = format!("{TEXT}A: |");
    let mut client = Client::new(&[]);
    client.open_text("a.md", &text.replace('|', ""));
    let answer = client.ask_at("completion", "a.md", place(&text));
    let first = &answer["items"][0];
    assert_eq!(first["documentation"], "Who brews it?");
    assert!(first["detail"].as_str().unwrap().contains("Mira"), "{first}");
}

#[test]
fn markers_options_aliases_and_names_are_offered() {
    assert!(completed("DEC|").contains(&"DECISION:".to_owned()));
    assert!(completed("VOTE: |").contains(&"READY".to_owned()));
    assert_eq!(completed("as @secur|")[0], "security");
    let frame = TEXT.strip_suffix("Name: Rob\n\n").unwrap();
    let mut client = Client::new(&[]);
    client.open_text("a.md", &format!("{frame}Name: "));
    let answer = client.ask_at("completion", "a.md", place(&format!("{frame}Name: |")));
    assert_eq!(labels(&answer)[..2], ["Rob", "Mira"]);
    assert_eq!(answer["items"][0]["detail"], "you");
    client.open_text("b.md", frame);
    let answer = client.ask_at("completion", "b.md", place(&format!("{frame}|")));
    assert_eq!(labels(&answer), ["Name: Rob"]);
    assert_eq!(answer["items"][0]["insertTextFormat"], 1);
    assert!(completed("```\n@|").is_empty());
}

#[test]
fn a_typed_blank_offers_something_only_behind_a_marker() {
    for (more, is_offered) in [("we saw |", false), ("|", false), ("A: |", true)] {
        let text = format!("{TEXT}{more}");
        let mut client = Client::new(&[]);
        client.open_text("a.md", &text.replace('|', ""));
        let answer = client
            .ask(
                "textDocument/completion",
                json!({
                    "textDocument": { "uri": client.uri("a.md") },
                    "position": place(&text),
                    "context": { "triggerKind": 2, "triggerCharacter": " " },
                }),
            )
            .unwrap();
        assert_eq!(answer != Value::Null, is_offered, "{more}");
    }
}

#[test]
fn explanations_are_plain_text_about_the_place() {
    let text = format!("{TEXT}VOTE: READY\n\n---\n");
    let mut client = Client::new(&[]);
    client.open_text("a.md", &text);
    let mut said = |at: &str| {
        let at = text.find(at).unwrap();
        let answer = client.ask_at("hover", "a.md", place(&format!("{}|", &text[..at + 3])));
        assert!(answer == Value::Null || answer["contents"]["kind"] == "plaintext");
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(said("Q: Which"), "Q1 (answered), Mira: Which tea?\nline 13, Mira: A: Q1 Green.");
    assert_eq!(said("A: Q1"), "Q1 (answered), Mira: Which tea?\nline 13, Mira: A: Q1 Green.");
    let proposal = "D1 (proposed), Mira: Tea it is.\n`discussions close a` decides it.";
    assert_eq!(said("DECISION: Tea"), proposal);
    assert_eq!(said("VOTE: READY"), "This vote counts: READY.");
    assert_eq!(said("Name: Rob"), "Rob, human\nVote: READY");
    assert_eq!(said("# Tea"), "");
}

#[test]
fn explanation_of_a_decision_says_how_it_stands() {
    let text = "# Tea\n\n---\n\nName: agent\n\nDECISION: Tea it is.\n\n---\n";
    let adopted =
        format!("{text}\nName: Rob\n\n+1 D1\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n");
    let adopts = "A person makes it a decision with `discussions close a --adopt D1`.";
    for (text, wanted) in [
        (text, format!("D1 (proposed), agent: Tea it is.\n{adopts}")),
        (&adopted, "D1 (in force), agent: Tea it is.\nline 13, Rob: +1 D1".to_owned()),
    ] {
        let mut client = Client::new(&[]);
        client.open_text("a.md", text);
        let at = text.find("DECISION").unwrap();
        let answer = client.ask_at("hover", "a.md", place(&format!("{}|", &text[..at + 3])));
        assert_eq!(answer["contents"]["value"], *wanted);
    }
}

#[test]
fn hints_number_the_items_and_name_those_that_were_chosen() {
    let text = format!("{TEXT}A: Rob brews it.\n\n---\n");
    let mut client = Client::new(&[]);
    client.open_text("a.md", &text);
    let hints = client.ask_about("inlayHint", "a.md");
    let hints: Vec<(u64, &str)> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|hint| (hint["position"]["line"].as_u64().unwrap(), hint["label"].as_str().unwrap()))
        .collect();
    assert_eq!(hints, [(6, "Q1"), (8, "Q2"), (10, "D1"), (18, "→ Q2")]);
}

#[test]
fn numbers_lead_to_their_items_and_back() {
    let mut client = Client::new(&[]);
    client.open_text("a.md", TEXT);
    let at = place(&TEXT.replace("A: Q1", "A: |Q1"));
    let found = client.ask_at("definition", "a.md", at.clone());
    assert_eq!(found["range"]["start"]["line"], 6);
    let found = client.ask_at("references", "a.md", at);
    let lines: Vec<_> =
        found.as_array().unwrap().iter().map(|one| &one["range"]["start"]["line"]).collect();
    assert_eq!(lines, [&json!(6), &json!(12)]);
}

#[test]
fn a_replaced_decision_is_found_in_the_other_discussion() {
    let text =
        format!("{TEXT}SUPERSEDES: old.md#D1\n\nSUPERSEDES: ../../etc/passwd.md#D1\n\n---\n");
    let mut client = Client::new(&[("a.md", &text), ("old.md", TEXT)]);
    client.open("a.md");
    let found = client.ask_at("definition", "a.md", place(&text.replace("old.md", "o|ld.md")));
    assert_eq!(found["uri"], client.uri("old.md"));
    assert_eq!(found["range"]["start"]["line"], 10);
    let found = client.ask_at("definition", "a.md", place(&text.replace("passwd", "p|asswd")));
    assert_eq!(found, Value::Null);
}

#[test]
fn outline_and_folds_follow_turns() {
    let long = "x\n\n".repeat(12);
    let text = format!(
        "# T\n\n---\n\n<!-- TURN: 1, asks: [architect] -->\n\n---\n\nName: Rob\n\n{long}Q: Why?\n\n---\n"
    );
    let mut client = Client::new(&[]);
    client.open_text("a.md", &text);
    let outline = client.ask_about("documentSymbol", "a.md");
    let turn = &outline[0];
    assert_eq!(turn["name"], "Turn 1");
    assert_eq!(turn["children"][0]["name"], "Rob");
    assert_eq!(turn["children"][0]["children"][0]["name"], "Q: Why?");
    let folds = client.ask_about("foldingRange", "a.md");
    assert_eq!(folds.as_array().unwrap().len(), 2, "{folds:#}");
}

#[test]
fn quick_fixes_are_edits_that_remove_the_problem() {
    let fixed = |body: &str, title: &str, expected: &str| {
        let text = format!("{TEXT}{body}\n\n---\n");
        let mut client = Client::new(&[]);
        client.open_text("a.md", &text);
        assert_eq!(client.fixed("a.md", title, &text), format!("{TEXT}{expected}\n\n---\n"));
    };
    fixed("As @securty says.", "Did you mean @security?", "As @security says.");
    fixed("VOTE: REDY", "Did you mean READY?", "VOTE: READY");
    fixed("Decision: use it", "Correct to: DECISION: use it", "DECISION: use it");
    fixed("x\n- VOTE: READY", "Remove the list sign before the vote", "x\n\nVOTE: READY");
    fixed("A: perhaps.", "Write Q2: Who brews it?", "A: Q2 perhaps.");
    fixed(
        "x\n\n---\n\nName: AI-Architekt\n\ny",
        "Did you mean AI-Architect?",
        "x\n\n---\n\nName: AI-Architect\n\ny",
    );
    let stray = "x\n\n---\n\nstray";
    fixed(stray, "Make this a comment of Rob", "x\n\n---\n\nName: Rob\n\nstray");
}

#[test]
fn what_a_check_cannot_fix_has_no_quick_fix() {
    let mut client = Client::new(&[]);
    client.open_text("a.md", &format!("{TEXT}VOTE READY\n\n---\n"));
    assert_eq!(client.diagnostics_of("a.md").len(), 1);
    assert_eq!(client.ask_about("codeAction", "a.md"), json!([]));
    // A malformed head is only corrected.
    client.open_text("b.md", &format!("{TEXT}x\n\n---\n\nname: Rob\n\ny\n\n---\n"));
    let fixes = client.ask_about("codeAction", "b.md");
    let titles: Vec<_> = fixes.as_array().unwrap().iter().map(|one| &one["title"]).collect();
    assert_eq!(titles, ["Correct to: Name: Rob"]);
}

#[test]
fn a_client_without_literal_actions_gets_none() {
    let mut client = Client::with(&[], &json!({ "capabilities": {} }));
    client.open_text("a.md", &format!("{TEXT}As @securty says.\n\n---\n"));
    assert_eq!(client.ask_about("codeAction", "a.md"), json!([]));
}

#[test]
fn decisions_of_the_folder_are_found_by_their_words() {
    let decided = TEXT.replace(
        "Name: Rob\n\n",
        "Name: Rob\n\nVOTE: READY\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n",
    );
    let mut client = Client::new(&[("discussions/tea.md", &decided)]);
    let found = client.ask("workspace/symbol", json!({ "query": "TEA it" })).unwrap();
    let names: Vec<_> = found.as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert!(names.contains(&&json!("D1 Tea it is.")), "{found:#}");
    assert_eq!(client.ask("workspace/symbol", json!({ "query": "coffee" })), Ok(json!([])));
}

#[test]
fn stray_text_becomes_a_comment_up_to_the_next_head() {
    let text =
        "# Tea\n\n---\n\nName: Rob\n\nYes.\n\n---\n\nI think so too.\n\nName: Bob\n\nNo.\n\n---\n";
    let mut client = Client::new(&[("a.md", text)]);
    client.open("a.md");
    let fixed = client.fixed("a.md", "Make this a comment of Rob", text);
    let wanted = "---\n\nName: Rob\n\nI think so too.\n\n---\n\nName: Bob\n\nNo.\n\n---\n";
    assert!(fixed.ends_with(wanted), "{fixed}");
    let actions = client.ask_about("codeAction", "a.md");
    let fix = actions.as_array().unwrap().iter();
    let mut fix = fix.filter(|one| one["title"] == "Make this a comment of Rob");
    assert_eq!(fix.next().unwrap()["diagnostics"][0]["code"], "stray", "{actions:#}");
}

#[test]
fn head_without_a_rule_gets_one() {
    let text = "# Tea\n\n---\n\nName: Rob\n\nYes.\n\nName: Bob\n\nNo.\n\n---\n";
    let mut client = Client::new(&[("a.md", text)]);
    client.open("a.md");
    let fixed = client.fixed("a.md", "Begin a comment here", text);
    assert!(fixed.contains("Yes.\n\n---\n\nName: Bob\n"), "{fixed}");
}

#[test]
fn vote_in_a_list_says_why_it_does_not_count() {
    let text = format!("{TEXT}- VOTE: READY\n\n---\n");
    let mut client = Client::new(&[]);
    client.open_text("a.md", &text);
    let at = place(&text.replace("- VOTE", "- V|OTE"));
    let told = client.ask_at("hover", "a.md", at);
    assert!(told["contents"]["value"].as_str().unwrap().contains("list"), "{told}");
}

#[test]
fn other_decisions_are_offered_and_explained() {
    let closed = "# Cups\n\n---\n\nName: Rob\n\nDECISION: blue cups\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n";
    let text = format!("{TEXT}SUPERSEDES: |\n\n---\n");
    let mut client = Client::new(&[("discussions/cups.md", closed)]);
    client.open_text("discussions/a.md", &text.replace('|', ""));
    let answer = client.ask_at("completion", "discussions/a.md", place(&text));
    assert_eq!(labels(&answer), ["cups.md#D1"]);
    let text = text.replace('|', "cups.md#D1");
    client.open_text("discussions/a.md", &text);
    let at = place(&text.replace("cups.md", "c|ups.md"));
    let told = client.ask_at("hover", "discussions/a.md", at);
    let told = told["contents"]["value"].as_str().unwrap();
    assert!(told.contains("Cups: D1: blue cups"), "{told}");
    assert_eq!(completed("RISK: h|"), ["high"]);
}

#[test]
fn phases_and_short_comments_fold() {
    let text = "# Tea\n\n---\n\n<!-- PHASE: one -->\n\n---\n\nName: Rob\n\nYes.\n\nIt is.\n\nSo.\n\n---\n\n<!-- PHASE: two -->\n\n---\n\nName: Ann\n\nNo.\n\n---\n";
    let mut client = Client::new(&[]);
    client.open_text("a.md", text);
    let folds = client.ask_about("foldingRange", "a.md");
    let starts: Vec<u64> =
        folds.as_array().unwrap().iter().map(|one| one["startLine"].as_u64().unwrap()).collect();
    assert!([4, 8, 18].iter().all(|line| starts.contains(line)), "{folds:#}");
}
