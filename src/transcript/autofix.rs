//! Corrects what people write by hand, so that it counts: heads, rules, markers, and the colon of a vote.
//!
//! Only handwritten text is changed. Text that the program wrote is guarded, so it never contains a head in its exact
//! form. Any other form is taken for a head only below a rule, or if the name is known.

use super::entry::{Entry, EntryKind};
use super::line::{self, Lines, SourceLine, is_blank, is_rule, trim};
use super::name::Name;
use super::parse::parse;
use super::uncounted::correct_markers;

/// A name, and the words that refer to it.
pub(crate) type Known = (Name, Vec<String>);

/// The most blank lines between a rule and a head.
const BLANKS: usize = 2;

/// Returns a corrected text with LF line ends. `is_written` returns true for the bytes of a comment that the program
/// wrote; `known` contains the people and participants. Correcting a text again changes nothing.
pub(crate) fn mend(text: &str, known: &[Known], is_written: impl Fn(&str) -> bool) -> String {
    let read = parse(text);
    let written = |entry: &&Entry| match &entry.kind {
        EntryKind::Comment(comment) => {
            let receipt = comment.reply.is_some() || comment.restored.is_some();
            receipt || comment.summary.is_some() || is_written(&text[entry.span.clone()])
        }
        EntryKind::Control(_) => true,
        EntryKind::Stray(_) => false,
    };
    let kept: Vec<_> =
        read.entries.iter().filter(written).map(|entry| entry.span.clone()).collect();
    let comments = read.entries.iter().any(|entry| matches!(entry.kind, EntryKind::Comment(_)));
    let mut mender = Mender {
        known,
        out: text[..read.preamble.start].to_owned(),
        part: String::new(),
        is_comment: false,
        in_fence: false,
        rule: None,
        likely_rule: None,
        below_blank: true,
        in_preamble: true,
    };
    let number =
        Lines::from(text, 0, 1).take_while(|line| line.start < read.preamble.start).count();
    for line in Lines::from(text, read.preamble.start, number + 1) {
        let span = kept.iter().find(|span| span.contains(&line.start));
        if comments && line.start >= read.topic_end() {
            mender.in_preamble = false;
        }
        match span {
            Some(span) => mender.keep(&text[line.start..line.next], span.start == line.start),
            None => mender.line(line),
        }
    }
    mender.finish(kept.last().is_some_and(|span| text[span.end..].trim().is_empty()))
}

/// A line that looks like a head.
enum MendedHead {
    /// The exact form of the format.
    Exact(Name),
    /// `**Name:** Lea`, `Name:Rob`.
    Loose(Name),
    /// `name: mira`, `NAME: MIRA`.
    Lower(Name),
    /// `## Tom`.
    Heading(Name),
}

struct Mender<'k> {
    known: &'k [Known],
    /// The finished text.
    out: String,
    /// The text since the last head or rule.
    part: String,
    /// True if `part` is a comment written by hand.
    is_comment: bool,
    in_fence: bool,
    /// The number of blank lines since the last rule, if nothing else followed it.
    rule: Option<usize>,
    /// The position in `part` of a line such as `----`, if only blank lines follow it.
    likely_rule: Option<usize>,
    below_blank: bool,
    in_preamble: bool,
}

impl Mender<'_> {
    /// Adds a line that the program wrote.
    fn keep(&mut self, line: &str, is_first: bool) {
        if is_first {
            self.flush();
        }
        self.out.push_str(line);
        (self.is_comment, self.in_fence, self.rule) = (false, false, None);
        (self.below_blank, self.likely_rule) = (false, None);
    }

    fn line(&mut self, line: SourceLine<'_>) {
        if is_rule(line.text) {
            self.flush();
            (self.is_comment, self.in_fence, self.rule) = (false, false, Some(0));
            self.out.push_str("---");
            self.out.push_str(&line.text[3..]);
            self.out.push('\n');
            (self.below_blank, self.likely_rule) = (false, None);
            return;
        }
        // In the topic, a line such as `----` directly below text is not a rule but makes the text a heading.
        let may_divide = self.below_blank || !self.in_preamble;
        if is_other_rule(line.text) && may_divide && !self.in_fence {
            (self.rule, self.likely_rule) = (None, Some(self.part.len()));
            self.below_blank = false;
            self.push(line);
            return;
        }
        if is_blank(line.text) {
            self.rule = self.rule.map(|blanks| blanks + 1);
            self.below_blank = true;
        } else {
            let head = head(line.text).filter(|_| !self.in_fence);
            let ruled = self.rule.take();
            if let (Some(at), Some(MendedHead::Exact(name) | MendedHead::Loose(name))) =
                (self.near_likely_rule(), &head)
            {
                let name = self
                    .intended_name(MendedHead::Exact(name.clone()), true)
                    .unwrap_or(name.clone());
                self.part.truncate(at);
                self.flush();
                self.out.push_str("---\n\n");
                self.open(&format!("Name: {name}"), true);
                return;
            }
            let near = ruled.is_some_and(|blanks| blanks <= BLANKS);
            // The line already is a head.
            if let (Some(MendedHead::Exact(_)), true, true) = (&head, near, line.terminated) {
                self.open(line.text, true);
                return;
            }
            if let Some(name) = head.and_then(|head| self.intended_name(head, ruled.is_some())) {
                self.open(&format!("Name: {name}"), near);
                return;
            }
            self.below_blank = false;
            self.in_fence ^= line::fence_of(line.text).is_some();
        }
        self.push(line);
    }

    fn push(&mut self, line: SourceLine<'_>) {
        self.part.push_str(line.text);
        self.part.push_str(if line.terminated { "\n" } else { "" });
    }

    /// Takes the position of the line that was probably meant as the rule of this head.
    fn near_likely_rule(&mut self) -> Option<usize> {
        let at = self.likely_rule.take()?;
        let blanks = self.part.get(at..)?.lines().count().saturating_sub(1);
        (blanks <= BLANKS).then_some(at)
    }

    /// Returns the name, if the line really is a head.
    fn intended_name(&self, head: MendedHead, ruled: bool) -> Option<Name> {
        let find = |name: &Name, by_alias: bool| {
            let same = |word: &String| by_alias && word.eq_ignore_ascii_case(name.as_str());
            let known = |(one, words): &&Known| one == name || words.iter().any(same);
            self.known.iter().find(known).map(|(name, _)| name.clone())
        };
        let spelt = |name: Name, anybody: bool| match find(&name, true) {
            None if anybody => Some(name),
            found => found,
        };
        match head {
            MendedHead::Exact(name) if ruled => Some(name),
            MendedHead::Exact(name) | MendedHead::Loose(name) => {
                spelt(name, ruled).filter(|_| ruled || self.below_blank)
            }
            // In the text above the comments such a line may be anything, for example a key in YAML.
            MendedHead::Lower(name) => spelt(name, true).filter(|_| ruled && !self.in_preamble),
            MendedHead::Heading(name) => find(&name, false).filter(|_| ruled && !self.in_preamble),
        }
    }

    fn open(&mut self, head: &str, ruled: bool) {
        let blank = self.below_blank;
        let part = std::mem::take(&mut self.part);
        // Blank lines between the rule and the head stay unchanged.
        if ruled {
            self.out.push_str(&part);
        } else {
            self.part = part;
            self.flush();
            self.out.push_str(if blank { "---\n\n" } else { "\n---\n\n" });
        }
        self.out.push_str(head);
        self.out.push('\n');
        (self.is_comment, self.in_fence, self.below_blank) = (true, false, false);
        self.in_preamble = false;
    }

    /// Finishes the text since the last head or rule.
    fn flush(&mut self) {
        let part = std::mem::take(&mut self.part);
        let part = if self.is_comment { correct_body(part) } else { part };
        self.out.push_str(&part);
        if !part.is_empty() && !part.ends_with('\n') {
            self.out.push('\n');
        }
    }

    /// Finishes the whole text. `is_kept` is true if the text ends with lines that the program wrote.
    fn finish(mut self, is_kept: bool) -> String {
        let open = self.is_comment && !is_kept;
        let fence = line::closer(&self.part).filter(|_| open);
        let part = std::mem::take(&mut self.part);
        let part = if self.is_comment { correct_body(part) } else { part };
        self.out.push_str(&part);
        if open {
            let ended = self.out.ends_with('\n');
            self.out.push_str(if ended { "" } else { "\n" });
            if let Some(fence) = fence {
                self.out.push_str(&format!("{fence}\n"));
            }
            self.out.push_str(if self.out.ends_with("\n\n") { "---\n" } else { "\n---\n" });
        }
        self.out
    }
}

/// Returns a handwritten comment with its markers and its vote in the form that counts. A comment that was written
/// through the program begins with a line that contains the time; its markers are not changed, because its author was
/// already told about them.
fn correct_body(part: String) -> String {
    if part.starts_with("<!-- ") {
        return vote_mended(part);
    }
    vote_mended(correct_markers(&part))
}

/// Returns whether a line divides text: the rule of the format, or another one of Markdown.
pub(crate) fn divides(line: &str) -> bool {
    is_rule(line) || is_other_rule(line)
}

/// Returns true for a line that is a rule in Markdown but not in this format: `----`, `***`.
fn is_other_rule(line: &str) -> bool {
    let bare = line.trim_end_matches([' ', '\t', '\r']);
    let is_all = |sign: char, least: usize| bare.len() >= least && bare.chars().all(|c| c == sign);
    is_all('-', 4) || is_all('*', 3)
}

/// Replaces the wide colon of East Asian keyboards by a plain one, if the last line of a comment is a vote.
fn vote_mended(part: String) -> String {
    let last = Lines::from(&part, 0, 1).filter(|line| !is_blank(line.text)).last();
    let Some(line) = last else { return part };
    let bare: String = line.text.chars().filter(|c| !matches!(c, '*' | '_')).collect();
    let Some((word, option)) = bare.split_once('：') else { return part };
    if !trim(word).eq_ignore_ascii_case("vote")
        || trim(option).is_empty()
        || word.starts_with("    ")
    {
        return part;
    }
    format!("{}VOTE: {}{}", &part[..line.start], trim(option), &part[line.end()..])
}

/// Returns true if a line below a rule would be corrected to a head.
pub(super) fn is_like_a_head(line: &str) -> bool {
    matches!(head(line), Some(MendedHead::Loose(_) | MendedHead::Lower(_)))
}

fn head(line: &str) -> Option<MendedHead> {
    if let Some(name) = line.strip_prefix("Name: ") {
        return Name::parse(name).ok().map(MendedHead::Exact);
    }
    // Four spaces begin code.
    let bare = line.trim_start_matches(' ');
    if line.len() - bare.len() > 3 {
        return None;
    }
    let name = |text: &str| Name::parse(trim(text.trim_matches(|c| matches!(c, '*' | '_')))).ok();
    let hashes = bare.len() - bare.trim_start_matches('#').len();
    if (1..=6).contains(&hashes) {
        let rest = bare[hashes..].strip_prefix(' ')?;
        return Name::parse(trim(rest.trim_end_matches(':'))).ok().map(MendedHead::Heading);
    }
    let word_end = bare.find([':', '：'])?;
    let colon = bare[word_end..].chars().next()?.len_utf8();
    let word = trim(bare[..word_end].trim_matches(|c| matches!(c, '*' | '_' | ' ')));
    let name = name(trim(&bare[word_end + colon..]))?;
    match word {
        "Name" => Some(MendedHead::Loose(name)),
        _ if word.eq_ignore_ascii_case("name") => Some(MendedHead::Lower(name)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known_names() -> Vec<Known> {
        let name = |name: &str, alias: &str| (Name::parse(name).unwrap(), vec![alias.to_owned()]);
        vec![name("Tom", "tom"), name("AI-Security", "security"), name("Mira", "mira")]
    }

    fn mended(text: &str) -> String {
        let written = |block: &str| block.contains("by the program");
        let once = mend(text, &known_names(), written);
        assert_eq!(mend(&once, &known_names(), written), once, "again: {text}");
        once
    }

    #[test]
    fn imperfect_head_below_a_rule_is_corrected() {
        for written in [
            "**Name:** Lea",
            "Name:Lea",
            "name: Lea",
            "Name : Lea",
            "**Name: Lea**",
            "Name：Lea",
            " Name: Lea",
        ] {
            let text =
                format!("# T\n\n---\n\nName: Rob\n\nx\n\n---\n\n{written}\n\nVOTE: READY\n\n---\n");
            let wanted = text.replace(written, "Name: Lea");
            assert_eq!(mended(&text), wanted, "{written}");
        }
        let text = "# T\n\n---\n\nName: Rob\n\nx\n\n---\n\n## Tom\n\ny\n\n---\n\n## Summary\n\nz\n\n---\n\nname: MIRA\n\nz\n\n---\n";
        let wanted = text.replace("## Tom", "Name: Tom").replace("name: MIRA", "Name: Mira");
        assert_eq!(mended(text), wanted);
    }

    #[test]
    fn without_a_rule_only_known_names_become_heads() {
        let text = "# T\n\n---\n\nName: Rob\n\nx\n\nName: Tom\n\ny\n\nName: Nobody at all\n\n## Tom\n\nname: mira\n";
        let wanted = "# T\n\n---\n\nName: Rob\n\nx\n\n---\n\nName: Tom\n\ny\n\nName: Nobody at all\n\n## Tom\n\nname: mira\n\n---\n";
        assert_eq!(mended(text), wanted);
    }

    #[test]
    fn last_comment_is_closed_and_its_vote_gets_a_plain_colon() {
        let text = "# T\n\n---\n\nName: Rob\n\nVOTE：READY or\n\n**VOTE：** READY";
        assert_eq!(
            mended(text),
            "# T\n\n---\n\nName: Rob\n\nVOTE：READY or\n\nVOTE: READY\n\n---\n"
        );
        let open = "# T\n\n---\n\nName: Rob\n\n```\nx\n";
        assert_eq!(mended(open), "# T\n\n---\n\nName: Rob\n\n```\nx\n```\n\n---\n");
    }

    #[test]
    fn other_rules_above_a_head_are_corrected() {
        for rule in ["----", "***", "-----  "] {
            let text = format!(
                "# T\n\n---\n\nName: Rob\n\nx\n\n{rule}\n\nName: Nobody known\n\nVOTE: READY\n\n---\n\n{rule}\nName: Tom\n\ny\n\n---\n"
            );
            assert_eq!(
                mended(&text),
                "# T\n\n---\n\nName: Rob\n\nx\n\n---\n\nName: Nobody known\n\nVOTE: READY\n\n---\n\n---\n\nName: Tom\n\ny\n\n---\n"
            );
        }
        let first = "# T\n\n***\n\nName: Bob\n\nx\n\n---\n";
        assert_eq!(mended(first), first.replace("***", "---"));
        for text in [
            "# T\n\nHeading\n----\nName: Bob\n",
            "# T\n\n---\n\nName: Rob\n\nx\n\n***\n\ny\n\nName: Bob\n\n---\n",
            "# T\n\n---\n\nName: Rob\n\n```\n\n----\n\nName: Bob\n```\n\n---\n",
        ] {
            assert_eq!(mended(text), text);
        }
    }

    #[test]
    fn handwritten_markers_are_corrected_and_votes_are_not() {
        let text = "# T\n\nTodo: keep\n\n---\n\nName: Rob\n\nDecision: use it\n- **todo**: a\nTODO write\n\n```\nq: code\n```\n\nVOTE READY\n\nI vote READY\n\n---\n";
        let wanted = text
            .replace("Decision:", "DECISION:")
            .replace("**todo**:", "**TODO**:")
            .replace("TODO write", "TODO: write");
        assert_eq!(mended(text), wanted);
        let program = "# T\n\n---\n\nName: Rob\n\nby the program\n\ntodo: x\n\n---\n";
        assert_eq!(mended(program), program);
    }

    #[test]
    fn text_that_is_no_head_stays() {
        for text in [
            "---\nname: Tom\n---\n\n# T\n",
            "# T\n\n---\n\nname: caching\n\n## Tom\n",
            "# T\n\n---\n\nName: Rob\n\n```yaml\n\nName:Tom\n```\n\n---\n",
            "# T\n\n---\n\nName: Rob\n\nby the program\n\nname: Tom\n\nVOTE：READY\n\n---\n",
            "# T\n\n---\n\nName: AI-Security\n<!-- REPLY turn: 1 -->\n\nVOTE：READY\n",
            "# T\n\nFirst Name: Rob\n",
        ] {
            assert_eq!(mended(text), text);
        }
    }
}
