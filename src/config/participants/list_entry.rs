//! One entry of a file that lists several personas: its lines, so that it can be edited or removed alone. Other entries,
//! comments and spacing stay as they are.

use crate::participant::Persona;
use crate::transcript::Alias;

/// The place of an entry in the text of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListEntry {
    before: String,
    /// The entry's YAML, without the indentation and the dash of the list.
    own: String,
    after: String,
    /// The number of blanks before the dash.
    indent: usize,
    /// True if the list has no other entry.
    is_only: bool,
}

impl ListEntry {
    /// Finds the entry of a persona. Returns `None` if the file has no such entry, or is not a block list.
    pub(super) fn find(text: &str, alias: &Alias) -> Option<Self> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let begins = lines.iter().position(|line| dash(line).is_some())?;
        let indent = dash(lines[begins])?;
        let is_over = |line: &&str| {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            let is_entry = dash(line) == Some(indent);
            !line.trim().is_empty()
                && !line.trim_start().starts_with('#')
                && blanks <= indent
                && !is_entry
        };
        let length = lines[begins..].iter().position(is_over);
        let end = length.map_or(lines.len(), |length| begins + length);
        let starts: Vec<usize> =
            (begins..end).filter(|at| dash(lines[*at]) == Some(indent)).collect();
        let bounds = starts.iter().zip(starts.iter().skip(1).chain([&end]));
        for (&start, &stop) in bounds {
            let Some(own) = without_dash(&lines[start..stop], indent) else { continue };
            if Persona::read(&own, "").is_ok_and(|persona| persona.alias == *alias) {
                return Some(Self {
                    before: lines[..start].concat(),
                    own,
                    after: lines[stop..].concat(),
                    indent,
                    is_only: starts.len() == 1,
                });
            }
        }
        None
    }

    /// Returns the entry as the YAML of one persona.
    pub(super) fn text(&self) -> &str {
        &self.own
    }

    /// Returns the file with another text for this entry.
    pub(super) fn replaced_by(&self, text: &str) -> String {
        let (dash, blanks) = (" ".repeat(self.indent) + "- ", " ".repeat(self.indent + 2));
        let mut file = self.before.clone();
        for (at, line) in text.trim_end().split('\n').enumerate() {
            if !line.trim().is_empty() {
                file.push_str(if at == 0 { &dash } else { &blanks });
                file.push_str(line.trim_end_matches('\r'));
            }
            file.push('\n');
        }
        file + &self.after
    }

    /// Returns the file without this entry; `None` if it has no other one.
    pub(super) fn removed(&self) -> Option<String> {
        (!self.is_only).then(|| format!("{}{}", self.before, self.after))
    }
}

/// Returns the number of blanks before the dash of a list entry.
fn dash(line: &str) -> Option<usize> {
    let entry = line.trim_start_matches(' ');
    entry.starts_with("- ").then(|| line.len() - entry.len())
}

/// Returns the lines of an entry without its indentation; `None` if a line stands further left.
fn without_dash(lines: &[&str], indent: usize) -> Option<String> {
    let depth = indent + 2;
    let mut own = String::new();
    for (at, line) in lines.iter().enumerate() {
        let rest = match line.get(depth..) {
            Some(rest) if at == 0 || line[..depth].trim().is_empty() => rest,
            _ if line.trim().is_empty() || line.trim_start().starts_with('#') => "\n",
            _ => return None,
        };
        own.push_str(rest);
    }
    Some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "# Ours\nparticipants:\n  - name: Ada\n    alias: ada\n    personality: |\n      Careful.\n\n      \
                        Short.\n\n  # The second\n  - alias: bob\n    name: Bob\n    personality: Quick.\nversion: 1\n";

    fn entry(alias: &str) -> ListEntry {
        ListEntry::find(LIST, &Alias::parse(alias).unwrap()).unwrap()
    }

    #[test]
    fn entry_reads_as_one_persona_and_goes_back_unchanged() {
        for alias in ["ada", "bob"] {
            let one = entry(alias);
            assert_eq!(Persona::read(one.text(), "").unwrap().alias.as_str(), alias);
            let file = one.replaced_by(one.text());
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let comment = |text: &str| squeezed(&text.replace("# The second", ""));
            assert_eq!(comment(&file), comment(LIST));
        }
    }

    #[test]
    fn removal_leaves_the_other_entries() {
        let left = entry("ada").removed().unwrap();
        assert!(ListEntry::find(&left, &Alias::parse("ada").unwrap()).is_none());
        assert_eq!(ListEntry::find(&left, &Alias::parse("bob").unwrap()).unwrap().removed(), None);
        assert!(left.ends_with("version: 1\n"), "{left}");
    }

    #[test]
    fn flow_lists_are_left_to_their_owner() {
        let flow = "participants: [{name: Ada, alias: ada, personality: x}]\n";
        assert_eq!(ListEntry::find(flow, &Alias::parse("ada").unwrap()), None);
    }
}
