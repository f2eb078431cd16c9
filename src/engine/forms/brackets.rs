//! Reads the bracketed form `[CONSENSUS_CHECK] HAS_CONSENSUS: YES [CONFIDENCE] 80 [REASONING] .. [PROPOSED_SOLUTION]
//! ..`.

use std::sync::LazyLock;

use regex::Regex;

use super::AnswerForm;

/// Reads the bracketed form. Returns `None` for any other format. Without a plain YES or NO the text counts as prose;
/// the parser does not guess.
pub(super) fn take(raw: &str) -> Option<AnswerForm> {
    static PART: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?m)^[ \t*]*\[(CONSENSUS_CHECK|CONFIDENCE|REASONING|PROPOSED_SOLUTION)\][ \t*:]*",
        )
        .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    static CHECK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?im)^[ \t*]*HAS_CONSENSUS:[ \t*]*\[?(YES|NO)\]?[ \t*.!]*$")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    let raw = unfenced(raw);
    let parts: Vec<_> = PART.captures_iter(raw).collect();
    let first = parts.first().filter(|part| &part[1] == "CONSENSUS_CHECK")?.get(0)?.start();
    let mut form = AnswerForm::default();
    let mut texts = vec![raw[..first].trim().to_owned()];
    let (mut confidence, mut solution) = (None, None);
    for (index, part) in parts.iter().enumerate() {
        let next = parts.get(index + 1).and_then(|next| next.get(0));
        let text = raw[part.get(0)?.end()..next.map_or(raw.len(), |next| next.start())].trim();
        match &part[1] {
            "CONSENSUS_CHECK" => {
                form.votes.extend(CHECK.captures_iter(text).map(|found| found[1].to_uppercase()));
                texts.push(CHECK.replace_all(text, "").trim().to_owned());
            }
            "CONFIDENCE" => {
                let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
                confidence = Some(line.trim().to_owned());
                texts.push(rest.trim().to_owned());
            }
            "REASONING" => texts.push(text.to_owned()),
            _ => solution = Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
    if form.votes.is_empty() {
        return None;
    }
    let agreed = form.votes.iter().any(|vote| vote == "YES");
    texts.extend(confidence.map(|confidence| format!("CONFIDENCE: {confidence}")));
    texts.extend(
        solution.map(|solution| if agreed { format!("SOLUTION: {solution}") } else { solution }),
    );
    texts.retain(|text| !text.is_empty());
    form.text = texts.join("\n\n");
    Some(form)
}

/// Removes the fence around the bracketed form.
fn unfenced(raw: &str) -> &str {
    let inner = raw.trim().strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inner = inner.and_then(|inner| inner.split_once('\n')).map(|(_, inner)| inner);
    inner.filter(|inner| !inner.contains("```")).unwrap_or(raw)
}
