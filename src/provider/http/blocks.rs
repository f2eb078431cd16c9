//! Cuts a prompt into blocks at places that stay the same, so that a service's cache finds them again.

/// The beginning of a turn's line in a prompt.
const TURN: &str = "<!-- TURN:";

/// Cuts a text at each line that begins a turn. A discussion only grows, so later prompts are cut at the same places.
/// The pieces together are the whole text, and no piece is blank.
pub(super) fn blocks(text: &str) -> Vec<&str> {
    let mut cuts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(TURN) && !text[cuts.last().copied().unwrap_or(0)..at].trim().is_empty()
        {
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
    fn record_is_cut_at_its_turns_and_loses_nothing() {
        let text = "# Title\n\n<!-- TURN: 1 -->\na\n<!-- TURN: 2 -->\n\nb\n";
        let cut = blocks(text);
        assert_eq!(cut, ["# Title\n\n", "<!-- TURN: 1 -->\na\n", "<!-- TURN: 2 -->\n\nb\n"]);
        assert_eq!(cut.concat(), text);
        assert_eq!(blocks("say <!-- TURN: 1 -->\n"), ["say <!-- TURN: 1 -->\n"]);
        assert!(blocks("").is_empty());
        assert_eq!(blocks("<!-- TURN: 1 -->\nx"), ["<!-- TURN: 1 -->\nx"]);
    }

    #[test]
    fn cuts_stay_as_the_record_grows() {
        let whole = "h\n<!-- TURN: 1 -->\na\n<!-- TURN: 2 -->\nb\n<!-- TURN: 3 -->\nc\n";
        for end in 1..whole.len() {
            let (earlier, later) = (blocks(&whole[..end]), blocks(whole));
            let same = earlier.len().saturating_sub(2);
            assert_eq!(earlier[..same], later[..same], "{end}");
        }
    }
}
