//! Tests the rules in the module's documentation one by one.

use super::laws::{any_spec, marks};
use super::*;
use crate::template::Demand;

fn votes(text: &str) -> Vec<String> {
    undress(&disarm(text), &any_spec()).votes.iter().map(ToString::to_string).collect()
}

#[test]
fn vote_is_read_in_any_formatting() {
    for text in [
        "VOTE: `READY`",
        "`VOTE: READY`",
        "***VOTE: READY***",
        "VOTE: ✅ READY",
        "✅ VOTE: READY",
        "VOTE：READY",
        "## Vote\nREADY",
        "## Vote\n\n**READY**",
        "### Vote: READY",
        "- VOTE: READY",
        "1. **Vote:** READY",
        "Final vote: **READY**",
        "**My vote: READY**",
        "VOTE - READY",
        "VOTE – READY",
        "VOTE = READY",
        "VOTE -> READY",
        "**VOTE** READY",
        "VOTE: READY — it holds",
        "VOTE: READY (with the lease)",
        "VOTE: READY TO MERGE",
        "VOTE (final): READY",
        "Vote [READY/CHANGES/REJECT]: READY",
        "**Final Answer:** VOTE: READY",
        "**Verdict:** READY",
        "**Decision:** READY",
        "Recommendation: **READY**",
        "> **VOTE: READY**",
        "| VOTE | CONFIDENCE |\n|---|---|\n| READY | 0.8 |",
        "| Field | Value |\n|---|---|\n| Vote | READY |\n| Confidence | 0.8 |",
        "My vote is READY.",
        "For these reasons, I vote **READY**.",
        "I am voting for READY, because it holds.",
        "- one\n- two\nVOTE: READY",
        "READY",
        "**READY**",
        "Initial vote: CHANGES\n\nFinal vote: READY",
        "VOTE: CHANGES\n\nRevised vote: READY",
        "The options are:\n\nVOTE: READY\nVOTE: CHANGES\nVOTE: REJECT\n\nVOTE: READY",
        "RATING: 3/5 | VOTE: READY",
        "VOTE: I vote READY",
        "CONFIDENCE: 0.8 — VOTE: READY",
        "Consensus: READY",
        "~~VOTE: REJECT~~\n\nVOTE: READY",
        "It is small. As it stands, I'm voting for READY.",
        "My ballot therefore goes to **READY**, with a confidence of 70%.",
        "I would start today. VOTE: READY",
        "VOTE: REJECT\n\nThen I read the log. So I take the line above back.\n\nVOTE: READY",
        "VOTE: REJECT\n\nI withdraw that vote.\n\nVOTE: READY",
        "> **VOTE: READY** — nine outages cost more than that.",
    ] {
        assert_eq!(votes(&format!("It holds.\n\n{text}")), ["READY"], "{text}");
    }
}

#[test]
fn conditional_past_or_quoted_vote_is_no_vote() {
    for text in [
        "I would vote READY if the lease stayed.",
        "I vote READY if the lease stays.",
        "I vote READY. Otherwise REJECT.",
        "I voted READY last year.",
        "Rob said: \"It is done. I vote READY.\"",
        "They wrote: I vote READY.",
        "I ask everybody to vote READY.",
        "This is not a VOTE: READY from me.",
        "VOTE: READY or CHANGES",
        "VOTE: READY / CHANGES / REJECT",
        "VOTE: READY?",
        "VOTE: READY if the lease stays",
        "VOTE (Rob): READY",
        "Rob: VOTE: READY",
        "**Rob:** VOTE: READY",
        "@rob VOTE: READY",
        "> VOTE: READY\n\nHe said.",
        "As Rob put it:\n\n> VOTE: READY",
        "What was proposed:\n\n- VOTE: READY\n\nNo vote of mine.",
        "- [x] VOTE: READY\n- [ ] VOTE: REJECT",
        "- **VOTE: READY** – two doors\n- **VOTE: CHANGES** – one",
        "```\nVOTE: READY\n```",
        "    VOTE: READY",
        "Write `VOTE: READY` then.",
        "`VOTE: READY` is the form.",
        "~~VOTE: READY~~",
        "Initial vote: READY",
        "Final vote: Thursday",
        "**Verdict:** READY for the shelf",
        "| Case | VOTE |\n|---|---|\n| warm | READY |\n| cold | REJECT |",
        "| Name | VOTE |\n|---|---|\n| Rob | READY |",
        "READY is a word, and not mine.",
        "Write `some\nVOTE: READY\nthing` then.",
        "[some\nVOTE: READY](/x) then.",
        "~~some\nVOTE: READY\nthing~~",
        "VOTE: [READY](/x)",
        "VO\u{200D}TE: READY",
        "**V**OTE: READY",
        "VOTE: READY\u{336}",
        "VOTE: READY\\",
        "CONFIDENCE: 90 VOTE: READY",
        "He wrote this. VOTE: READY",
        "With the lease, I vote READY.",
        "My ballot would go to READY.",
    ] {
        assert!(votes(&format!("It holds.\n\n{text}\n\nThat is all.")).is_empty(), "{text}");
    }
    let options = "VOTE: READY\nVOTE: CHANGES\nVOTE: REJECT";
    let told = undress(options, &any_spec());
    assert!(told.votes.is_empty());
    assert_eq!(told.body, options, "what does not count stays");
}

#[test]
fn vote_at_the_end_is_ignored_if_it_may_be_a_quotation() {
    for text in [
        "Rob said: \"It is done. VOTE: READY",
        "The form is this. `VOTE: READY`",
        "> VOTE: READY — Rob",
        "> VOTE: READY — as Rob put it yesterday",
        "The form is as follows: VOTE: READY",
    ] {
        assert!(votes(&format!("It holds.\n\n{text}")).is_empty(), "{text}");
    }
    let twice = "VOTE: READY\n\nRob may take his word back.\n\nVOTE: REJECT";
    assert_eq!(votes(twice), ["READY", "REJECT"], "nobody took the first one back");
}

#[test]
fn uninvited_vote_is_read_only_behind_its_label() {
    let asks = any_spec().asks.into_iter().filter(|(word, _)| word != "VOTE").collect();
    let invited = ["VOTE", "TODO"].map(str::to_owned).to_vec();
    let wanted = AnswerSpec { asks, invited, ..any_spec() };
    let read = |text: &str| undress(&disarm(text), &wanted).votes.len();
    for text in
        ["## Vote\n\n**READY**", "### Vote: READY", "**Vote: READY** (so far)", "VOTE – READY"]
    {
        assert_eq!(read(text), 1, "{text}");
    }
    for text in ["READY", "I vote READY.", "**Verdict:** READY", "Decision: READY"] {
        assert_eq!(read(text), 0, "{text}");
    }
    let closed = AnswerSpec { invited: Vec::new(), ..wanted.clone() };
    assert!(undress("## Vote\n\n**READY**", &closed).votes.is_empty());
}

#[test]
fn table_rows_become_markers_if_all_columns_are_known() {
    let table = "| # | Question | For |\n|---|---|---|\n| 1 | Who pays? | @rob |\n| 2 | Who is told? | @ann |";
    let weak = "**Weaknesses**\n\n| # | Weakness | Severity |\n|---|---|---|\n| 1 | It is old | high |\n| 2 | It leaks | Medium |";
    let tasks = "**TODO**\n\n| Task | Owner | Due |\n|---|---|---|\n| Order it | rob | Monday |\n| Tell all | | |";
    for (text, marker, said) in [
        (table, "Q", ["Who pays? @rob", "Who is told? @ann"]),
        (weak, "WEAKNESS", ["(high) It is old", "(medium) It leaks"]),
        (tasks, "TODO", ["rob: Order it", "Tell all"]),
    ] {
        let told = undress(&disarm(text), &any_spec());
        let read = marks(&told.body);
        assert_eq!(read, said.map(|said| (marker.to_owned(), said.to_owned())), "{}", told.body);
        let again = undress(&told.body, &any_spec());
        assert_eq!(again.body, told.body, "read once");
    }
    for text in [
        "## Concerns\n\n| Concern | Resolution |\n|---|---|\n| It leaks | taken up |",
        "| Option | Weakness |\n|---|---|\n| Redis | It leaks |",
        "## Open questions\n\n| Question | For |\n|---|---|\n| none | |",
    ] {
        assert!(marks(&undress(&disarm(text), &any_spec()).body).is_empty(), "{text}");
    }
}

#[test]
fn repeated_form_is_not_read_as_markers() {
    let form = "WEAKNESS: (high|low) <what is weak>\nCONCERN: <what worries you>\n\nWEAKNESS: (high) It leaks.";
    let told = undress(&disarm(form), &any_spec());
    assert_eq!(marks(&told.body), [("WEAKNESS".to_owned(), "(high) It leaks.".to_owned())]);
}

#[test]
fn sentence_can_state_a_required_marker() {
    let asks =
        [("DECISION", Demand::Required), ("RATING", Demand::Required), ("RISK", Demand::Wanted)];
    let asks = asks.map(|(word, demand)| (word.to_owned(), demand)).to_vec();
    let wanted = AnswerSpec { asks, ..any_spec() };
    let read = |text: &str| marks(&undress(&disarm(text), &wanted).body);
    let said = |word: &str, text: &str| vec![(word.to_owned(), text.to_owned())];
    let stated =
        "Both argued well.\n\nThe decision is therefore: keep it, and build less.\n\nThanks.";
    assert_eq!(read(stated), said("DECISION", "keep it, and build less."));
    assert_eq!(read("Our decision is to keep it."), said("DECISION", "keep it."));
    let rated =
        "I'd rate the document four out of five, and I consider the remaining risk to be low.";
    assert_eq!(read(rated), [said("RATING", "4"), said("RISK", "low")].concat());
    for text in [
        "The decision is to be made by Friday.",
        "The decision is hard: keep it or leave it?",
        "Rob said: \"It is late. The decision is to keep it.\"",
        "I consider the risk low if the lease stays.",
        "The risk is high that it leaks.",
    ] {
        assert!(read(text).is_empty(), "{text}");
    }
}

#[test]
fn two_different_votes_are_both_reported_and_stay() {
    let text = "VOTE: READY\n\nOr not.\n\n**Vote:** REJECT";
    let told = undress(text, &any_spec());
    assert_eq!(told.votes.len(), 2);
    assert_eq!(told.whole, text);
}

#[test]
fn reason_behind_a_vote_stays() {
    for (text, body) in [
        ("**VOTE: READY** – I would start.", "READY – I would start."),
        ("- VOTE: READY, until Monday", "- READY, until Monday"),
        ("VOTE: CHANGES REQUESTED", "CHANGES REQUESTED"),
        ("## Vote: READY (with the lease)", "READY (with the lease)"),
        ("My vote is READY.", "My vote is READY."),
    ] {
        assert_eq!(undress(text, &any_spec()).body, body);
    }
}

#[test]
fn markers_are_written_in_canonical_form() {
    for (text, marker, said) in [
        ("**Overall rating: 4/5**", "RATING", "4/5"),
        ("Rating (1-5): 3", "RATING", "3"),
        ("Rating: ★★★☆☆", "RATING", "3 (★★★☆☆)"),
        ("I would rate it 3 out of 5.", "RATING", "3"),
        ("Confidence level: high, 85 %", "CONFIDENCE", "85% (high, 85 %)"),
        ("RISK: high, because of the launch", "RISK", "high (high, because of the launch)"),
        ("**Weakness (high):** It is old.", "WEAKNESS", "(high) It is old."),
        ("**Weakness (severity: high):** It is old.", "WEAKNESS", "(high) It is old."),
        ("### Concern 2: No end date", "CONCERN", "No end date"),
        ("**CONCERN – the drone.** It films.", "CONCERN", "the drone.** It films."),
        ("**Gravest worry.** CONCERN: one key", "CONCERN", "one key"),
        ("**To the last point.** A: Q2 nobody", "A", "Q2 nobody"),
        ("**Q (@rob):** Who pays?", "Q", "Who pays? @rob"),
        ("Question for @rob: who pays?", "Q", "who pays? @rob"),
        ("Q1: Who pays? @rob", "Q", "Who pays? @rob"),
        ("A2: Nobody.", "A", "Q2 Nobody."),
        ("**Q2:** Nobody.", "A", "Q2 Nobody."),
        ("Re Q2: Nobody.", "A", "Q2 Nobody."),
        ("A Q2: Nobody.", "A", "Q2 Nobody."),
        ("**Concern** – one key", "CONCERN", "one key"),
        ("### Concern 1\n\nOne key.", "CONCERN", "One key."),
        ("### Weaknesses\n\n- **High:** It is old.", "WEAKNESS", "(high) It is old."),
        ("Overall: 3/5", "RATING", "3/5"),
        ("## Weaknesses\n\n- (high) It is old.", "WEAKNESS", "(high) It is old."),
        ("Confidence ~ 65 %", "CONFIDENCE", "65 %"),
        ("Concern: none of the copies was tried", "CONCERN", "none of the copies was tried"),
        (
            "## Concerns\n\n- None of the copies was tried.",
            "CONCERN",
            "None of the copies was tried.",
        ),
        ("I am about 80 % sure.", "CONFIDENCE", "80%"),
        ("My confidence is 0.7.", "CONFIDENCE", "0.7"),
        ("VOTE: READY (confidence 0.8)", "CONFIDENCE", "0.8"),
        ("**Answer to Q1:** Nobody.", "A", "Q1 Nobody."),
        ("**A (@rob):** Nobody.", "A", "@rob Nobody."),
        ("To-do: order it", "TODO", "order it"),
        ("## Concerns\n\n- One key.", "CONCERN", "One key."),
        ("**Open questions**\n\n1. Who pays?\n2. It is late.", "Q", "Who pays?"),
        ("## Decision\n\nWe go.", "DECISION", "We go."),
    ] {
        let told = undress(&disarm(text), &any_spec());
        let read = marks(&told.body);
        assert_eq!(read.len(), 1, "{text} => {}", told.body);
        assert_eq!(read[0], (marker.to_owned(), said.to_owned()), "{text}");
    }
}

#[test]
fn answer_marker_is_read_beside_letters_of_choices() {
    for text in [
        "A: Q1 under 200 a second.\n\nWays to go on:\n\nA: Redis\nB: PostgreSQL",
        "Ways to go on:\n\nA: Redis\nB: PostgreSQL\n\nA: Q1 under 200 a second.",
        "A: Q1 under 200 a second.\n\n```\nB: x\n```",
        "A: Q1 under 200 a second.\n\n    B: x",
    ] {
        let told = undress(&disarm(text), &any_spec());
        let answer = ("A".to_owned(), "Q1 under 200 a second.".to_owned());
        assert_eq!(marks(&told.body), [answer], "{text} => {}", told.body);
    }
    let plan = undress("A: Plan B: we buy it.", &any_spec());
    assert_eq!(marks(&plan.body).len(), 1, "{}", plan.body);
    let shown = undress("A: Redis\nB: PostgreSQL", &any_spec()).body;
    assert_eq!(shown, "A\\: Redis\nB: PostgreSQL", "it looks as it did");
}

#[test]
fn similar_labels_are_no_markers() {
    for text in [
        "Q3: 1,204\nQ4: 3,880",
        "I am 80 % sure that 3 are wrong. I am 20 % sure of the rest.",
        "A7: in the sheet is the year",
        "**Answer:** yes, on Monday.",
        "**Question:** Should we go?\n\n**Answer:** yes.",
        "**Concerns taken up:** all.",
        "### Concerns\n\n- One key (Rob): taken up.\n- No end: turned down.",
        "## Concerns\n\nNone.",
        "## Questions\n\n- None",
        "Risk: the buffer overflows",
        "Rating: 8/10",
        "Confidence: 0.6 to 0.7",
        "Initial rating: 3",
        "One concern is the drone.",
        "`CONCERN: x` is the form.",
        "> Concern: x",
        "In the text, a concern: the drone.",
        "**Options.** A: a table, B: a file",
        "A: Redis\nB: PostgreSQL",
        "- A: Redis\n- B: PostgreSQL\n- C: neither",
        "A: Redis / B: PostgreSQL",
        "A: Redis, B: PostgreSQL",
        "A: Redis or B) PostgreSQL",
        "**A:** Redis\n\n**B:** PostgreSQL",
        "**A: Redis**\n\nIt is quick.\n\n**B: PostgreSQL**\n\nIt is there.",
        "Two ways:\n\nA: Redis, since it is quick\n\nIt is quick.\n\nB: PostgreSQL, since it is there",
        "Decision: none yet.",
        "**Concern:** None so far, the lease is long enough",
        "## Concerns\n\n- None that I know of.",
        "## Concerns\n\n- **None** from my side (so far)",
    ] {
        let told = undress(&disarm(text), &any_spec());
        assert!(marks(&told.body).is_empty(), "{text} => {}", told.body);
    }
}
