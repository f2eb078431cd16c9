//! Cuts a prompt into blocks at places that stay the same, so that a service's cache finds them again.

/// The beginnings of the parts of a prompt: of a comment in a record, and of a text and of findings about it. No other
/// line of a comment begins with the first one, because the file guards it.
const PARTS: [&str; 3] = ["Name: ", "# The text\n", "# Findings\n"];

/// Cuts a prompt at each line that begins a part. A discussion only grows, so later prompts are cut at the same places.
/// The pieces together are the whole text, and no piece is blank.
pub(super) fn blocks(text: &str) -> Vec<&str> {
    let mut cuts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begins = PARTS.iter().any(|part| line.starts_with(part));
        if begins && !text[cuts.last().copied().unwrap_or(0)..at].trim().is_empty() {
            cuts.push(at);
        }
        at += line.len();
    }
    let mut blocks = Vec::new();
    let mut from = 0;
    for cut in cuts.into_iter().chain([text.len()]) {
        if cut > from {
            blocks.push(&text[from..cut]);
        }
        from = cut;
    }
    // Only a blank text gives a blank piece. Drop it, because services reject a blank block.
    blocks.retain(|block| !block.trim().is_empty());
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompt_is_cut_at_its_parts_and_loses_nothing() {
        let text = "# Title\n\nName: A\na\n---\n\nName: B\n\nb\n";
        let cut = blocks(text);
        assert_eq!(cut, ["# Title\n\n", "Name: A\na\n---\n\n", "Name: B\n\nb\n"]);
        assert_eq!(cut.concat(), text);
        assert_eq!(blocks("say Name: A\n"), ["say Name: A\n"]);
        assert!(blocks("").is_empty());
        assert_eq!(blocks("Name: A\nx"), ["Name: A\nx"]);
        let text = "q\n# The text\n\nt\n# Findings\n\nf";
        assert_eq!(blocks(text), ["q\n", "# The text\n\nt\n", "# Findings\n\nf"]);
    }

    #[test]
    fn cuts_stay_as_the_record_grows() {
        let whole = "h\nName: A\na\nName: B\nb\nName: C\nc\n";
        for end in 1..whole.len() {
            let (earlier, later) = (blocks(&whole[..end]), blocks(whole));
            let same = earlier.len().saturating_sub(2);
            assert_eq!(earlier[..same], later[..same], "{end}");
        }
    }
}
