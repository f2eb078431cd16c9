//! Compares what counts in the head of a discussion with what the explained blocks make of its bases. Pure.

use std::collections::{HashMap, HashSet};

use super::super::people::fold;
use super::compare::kept_blocks;
use super::effects::Effects;
use super::explain::NameKind;
use super::judge::{Finding, GateMode, Judge};
use super::markup::hidden;
use super::version::Version;
use crate::codes::ProblemCode;
use crate::problem::Severity;
use crate::store::{BlockKind, BlockText, DiscussionBlock, renumbered};
use crate::transcript::{Control, visible_line};

impl<'v> Judge<'_, '_, 'v> {
    /// Checks that the new blocks of each author stand in the order of the author's last commit, and refer to the
    /// numbers that they had there.
    pub(super) fn order_of_authors(&mut self, new: &[usize]) {
        if self.context.mode != GateMode::Branch {
            return;
        }
        let head = self.case.head;
        let mut by_author: HashMap<String, Vec<usize>> = HashMap::new();
        for index in new.iter().filter(|index| self.explained.contains(index)) {
            if let Some(name) = head.name(&head.blocks[*index]) {
                by_author.entry(fold(&name)).or_default().push(*index);
            }
        }
        let mut authors: Vec<(String, Vec<usize>)> = by_author.into_iter().collect();
        authors.sort();
        for (person, own) in authors {
            let first = &head.blocks[own[own.len() - 1]];
            let name = head.name(first).unwrap_or_default();
            // A single block without a number cannot stand or refer wrongly.
            let refers = |index: &usize| head.refers_by_number(&head.blocks[*index]);
            if own.len() == 1 && !own.iter().any(refers) {
                continue;
            }
            let commits = self.context.commits;
            let adding = own.iter().filter_map(|index| {
                let at = commits.adding_at(&head.blocks[*index].text, self.place).next()?;
                self.context.people.is(&name, &commits.words[at].commit.author).then_some(at)
            });
            let Some(last) = adding.max().map(|at| &commits.words[at]) else { continue };
            let Some(then) = (self.context.version_after)(last, head.topic()) else { continue };
            let texts: HashSet<&BlockText> =
                own.iter().map(|index| &head.blocks[*index].text).collect();
            let ours = |version: &Version| -> Vec<BlockText> {
                let all = version.blocks.iter().filter(|block| texts.contains(&block.text));
                all.map(|block| block.text.clone()).collect()
            };
            let (before, after) = (ours(&then), ours(head));
            let mut rest = after.iter();
            let still: HashSet<&BlockText> = after.iter().collect();
            let kept: Vec<&BlockText> = before.iter().filter(|text| still.contains(text)).collect();
            if !kept.iter().all(|text| rest.any(|other| other == *text)) {
                let message = format!(
                    "the words of {} stand in another order than in their last commit, {}; put them back in order",
                    visible_line(&name),
                    (self.context.describe)(&last.commit),
                );
                self.doubted.insert(person);
                self.add(self.error(), ProblemCode::HistoryRewritten, first.line, message);
            }
            self.note_renumbered(&then);
        }
    }

    /// Warns about numbers that refer to another item than in an earlier version.
    fn note_renumbered(&mut self, before: &Version) {
        for moved in renumbered(before.text(), self.case.head.text()) {
            let after = moved
                .after
                .as_deref()
                .map_or("nothing".to_owned(), |text| format!("`{}`", visible_line(text)));
            let message = format!(
                "{} referred to `{}` and now refers to {after}, because something was inserted above; repeat the line \
                 with the right number",
                moved.name,
                visible_line(&moved.before),
            );
            let is_known =
                |it: &Finding| it.line == moved.line && it.code == ProblemCode::AnswerMoved;
            if !self.found.iter().any(is_known) {
                self.add(Severity::Warning, ProblemCode::AnswerMoved, moved.line, message);
            }
        }
    }

    /// Returns the new votes whose committer may write under the name of another voter, too.
    fn voters_of_one_address(&self, new: &[usize]) -> Vec<(usize, Vec<String>)> {
        let head = self.case.head;
        let Some(state) = self.snapshot.as_ref().map(|snapshot| &snapshot.state) else {
            return Vec::new();
        };
        let voters: Vec<String> = state.ballot.votes.iter().map(|it| it.name.to_string()).collect();
        let people = self.context.people;
        let is_person = |name: &str| self.kind(name) == NameKind::Person;
        let doubled = |block: &DiscussionBlock| {
            let name = head.name(block).filter(|name| head.has_vote(block) && is_person(name))?;
            let commit = &self.context.commits.adding(&block.text, self.place).next()?.commit;
            let is_other = |other: &&String| {
                fold(other) != fold(&name) && is_person(other) && people.is(other, &commit.author)
            };
            let other = voters.iter().find(is_other)?;
            let mut names = vec![other.clone(), name.clone()];
            names.sort();
            people.is(&name, &commit.author).then_some((block.line, names))
        };
        let all = new.iter().rev().filter_map(|index| doubled(&head.blocks[*index]));
        let mut seen = HashSet::new();
        all.filter(|(_, names)| seen.insert(names.clone())).collect()
    }

    /// Warns about a person who votes under several names, or spellings of one name.
    pub(super) fn spellings(&mut self, new: &[usize]) {
        let head = self.case.head;
        let Some(state) = self.snapshot.as_ref().map(|snapshot| &snapshot.state) else { return };
        let mut voters: HashMap<String, Vec<String>> = HashMap::new();
        for vote in &state.ballot.votes {
            voters.entry(fold(vote.name.as_str())).or_default().push(vote.name.to_string());
        }
        let mut doubled: Vec<(usize, Vec<String>)> = Vec::new();
        for names in voters.into_values().filter(|names| names.len() > 1) {
            let last = new.iter().rev().map(|index| &head.blocks[*index]).find(|block| {
                head.has_vote(block) && head.name(block).is_some_and(|name| names.contains(&name))
            });
            doubled.extend(last.map(|block| (block.line, names)));
        }
        doubled.extend(self.voters_of_one_address(new));
        doubled.sort();
        for (line, names) in doubled {
            let names: Vec<String> = names.iter().map(|name| visible_line(name)).collect();
            let message = format!(
                "{} are names of one person, and each vote counts; remove all but one",
                names.join(", ")
            );
            self.add(Severity::Warning, ProblemCode::NameLookalike, line, message);
        }
    }

    /// Compares what counts: each person's vote and statements, as far as no block explains a difference.
    pub(super) fn effects(&mut self, new: &[usize]) {
        let head = self.case.head;
        let Some(after) = self.snapshot.as_ref().map(Effects::of) else { return };
        let bases = self.case.bases.clone();
        for base in bases {
            let Some(before) = (self.context.evaluate)(&base.path, base.text()) else { continue };
            let before = Effects::of(&before);
            let kept = kept_blocks(base, head);
            if base.blocks.len() != kept.len() && self.is_main() {
                continue;
            }
            let differing: Vec<(String, String, String, bool)> = before
                .different_votes(&after)
                .map(|it| {
                    (it.person.to_owned(), it.name.to_owned(), it.in_words(), it.is_dropped())
                })
                .collect();
            let mut others: Option<Effects> = None;
            let mut dropped = Vec::new();
            let (mut losers, mut newcomers) = (HashSet::new(), HashSet::new());
            if !differing.is_empty() {
                let kept: HashSet<usize> = kept.values().copied().collect();
                let lost = (0..base.blocks.len()).filter(|index| !kept.contains(index));
                losers
                    .extend(lost.filter_map(|at| base.name(&base.blocks[at])).map(|it| fold(&it)));
                let comments = new.iter().map(|index| &head.blocks[*index]);
                let comments = comments.filter(|block| head.comment(block).is_some());
                newcomers.extend(comments.filter_map(|it| head.name(it)).map(|it| fold(&it)));
            }
            for (person, name, words, is_dropped) in differing {
                if self.doubted.contains(&person) || losers.contains(&person) {
                    continue;
                }
                let expected = if newcomers.contains(&person) {
                    self.composed(base, &kept, new, Some(&person))
                } else {
                    if others.is_none() {
                        others = self.composed(base, &kept, new, None);
                    }
                    others.clone()
                };
                let Some(expected) = expected else { continue };
                if expected.votes_of(&person) == after.votes_of(&person) {
                    if is_dropped {
                        dropped.push(visible_line(&name));
                    }
                    continue;
                }
                let message = format!(
                    "this branch changes the vote of {} ({words}) without a comment of {}; put the text back that \
                     made it count",
                    visible_line(&name),
                    visible_line(&name),
                );
                self.add(self.error(), ProblemCode::HistoryRewritten, 0, message);
            }
            let is_told = self.found.iter().any(|it| it.code == ProblemCode::VotesReset);
            if !dropped.is_empty() && !is_told {
                let is_end = |index: &&usize| {
                    matches!(
                        head.control(&head.blocks[**index]),
                        Some(Control::Phase(_) | Control::VoteReset | Control::Status(_))
                    )
                };
                let at = new.iter().find(is_end);
                let line = at.map_or(0, |index| head.blocks[*index].line);
                let act = at.map(|index| head.own(&head.blocks[*index]));
                let act = act.and_then(|text| text.lines().next());
                let since = act.map(|line| format!(", since `{}`", visible_line(line)));
                let message = format!(
                    "the votes of {} no longer count{}",
                    dropped.join(", "),
                    since.unwrap_or_default(),
                );
                // An act above words that were there before ends what it did not follow.
                let last = kept.keys().max().copied().unwrap_or(0);
                let is_inserted = at.is_some_and(|at| *at < last);
                let severity = if is_inserted { Severity::Warning } else { Severity::Note };
                self.add(severity, ProblemCode::VotesReset, line, message);
            }
            if base.blocks.len() == kept.len() {
                let lost: Vec<(String, String)> = before
                    .lost_statements(&after)
                    .map(|(name, text)| (name.to_owned(), text))
                    .filter(|(name, _)| !self.doubted.contains(&fold(name)))
                    .collect();
                for (name, text) in lost {
                    let message = format!(
                        "`{}` of {} no longer counts; remove what was inserted above it",
                        visible_line(&text),
                        visible_line(&name),
                    );
                    self.add(self.error(), ProblemCode::HistoryRewritten, 0, message);
                }
            }
            if base.blocks.len() == kept.len() {
                let reopened: Vec<String> = before.reopened(&after).collect();
                for item in reopened {
                    let message = format!(
                        "`{}` was closed and is open again, because what closed it now refers to something that was \
                         inserted; repeat that line with the right number",
                        visible_line(&item)
                    );
                    self.add(Severity::Warning, ProblemCode::AnswerMoved, 0, message);
                }
                let is_closer = |index: &usize| head.may_close(&head.blocks[*index]);
                let closed: Vec<String> = after.closed_since(&before).collect();
                for item in closed.into_iter().filter(|_| !new.iter().any(is_closer)) {
                    let message = format!(
                        "`{}` counts as closed by an older line, which was not written for it; ask it below that line",
                        visible_line(&item)
                    );
                    self.add(Severity::Warning, ProblemCode::AnswerMoved, 0, message);
                }
            }
            self.note_renumbered(base);
            self.note_inserted(&kept, new);
            self.note_mended(base, &kept);
        }
    }

    /// Notes answers that count again since the rule below them is back.
    fn note_mended(&mut self, base: &Version, kept: &HashMap<usize, usize>) {
        let head = self.case.head;
        let mended = kept.iter().filter(|(now, old)| {
            is_mended((base, &base.blocks[**old]), (head, &head.blocks[**now]))
        });
        let mut mended: Vec<usize> = mended.map(|(now, _)| *now).collect();
        mended.sort_unstable();
        for block in mended.into_iter().map(|index| &head.blocks[index]) {
            let name = head.name(block).unwrap_or_default();
            let message = format!(
                "the rule below the answer of {} is back, so the answer counts again",
                visible_line(&name)
            );
            self.add(Severity::Note, ProblemCode::HistoryInserted, block.line, message);
        }
    }

    /// Evaluates the blocks of a base with the explained control lines and, if given, with the new words of a person.
    fn composed(
        &self,
        base: &Version,
        kept: &HashMap<usize, usize>,
        new: &[usize],
        person: Option<&str>,
    ) -> Option<Effects> {
        let head = self.case.head;
        let new: HashSet<usize> = new.iter().copied().collect();
        let mut text = String::with_capacity(head.text().len());
        let mut push = |(raw, is_closed): (&str, bool)| {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(raw);
            // The rule below is the next block's, which may be left out.
            if is_closed {
                text.push_str("\n---\n");
            }
        };
        for (index, block) in head.blocks.iter().enumerate() {
            let is_new = new.contains(&index);
            if let Some(old) = kept.get(&index).filter(|_| !is_new) {
                let old = &base.blocks[*old];
                let is_mended = is_mended((base, old), (head, block));
                push(if is_mended { head.raw(block) } else { base.raw(old) });
                continue;
            }
            let is_own = || {
                head.name(block).is_some_and(|name| Some(fold(&name).as_str()) == person)
                    && self.explained.contains(&index)
            };
            let is_accepted = || self.new_texts.contains(&index);
            let is_topic = block.kind == BlockKind::Topic;
            // A block of another base or of the trusted version counts too.
            if is_topic || !is_new || head.control(block).is_some() || is_own() || is_accepted() {
                push(head.raw(block));
            }
        }
        (self.context.evaluate)(&head.path, &text).as_ref().map(Effects::of)
    }

    fn note_inserted(&mut self, kept: &HashMap<usize, usize>, new: &[usize]) {
        let last = kept.keys().max().copied().unwrap_or(0);
        let head = self.case.head;
        let between = new
            .iter()
            .filter(|index| !self.new_texts.contains(index))
            .find(|index| **index < last && head.blocks[**index].kind == BlockKind::Comment);
        if let Some(index) = between.copied()
            && !self
                .found
                .iter()
                .any(|it| it.code == ProblemCode::HistoryInserted && it.message == INSERTED)
        {
            self.add(
                Severity::Note,
                ProblemCode::HistoryInserted,
                head.blocks[index].line,
                INSERTED.to_owned(),
            );
        }
    }

    /// Compares what a Markdown reader sees.
    pub(super) fn frame(&mut self) {
        if self.is_main() {
            return;
        }
        let head = self.case.head;
        let starts = |version: &Version| -> Vec<usize> {
            version.blocks.iter().skip(1).map(|block| block.own.start).collect()
        };
        let now = hidden(head.text(), &starts(head));
        for base in &self.case.bases {
            let before = hidden(base.text(), &starts(base));
            let kept = kept_blocks(base, head);
            let newly = (1..head.blocks.len()).find(|index| {
                let old = kept.get(index).and_then(|old| old.checked_sub(1));
                now.get(index - 1) == Some(&true)
                    && old.is_some_and(|old| before.get(old) == Some(&false))
            });
            if let Some(index) = newly {
                let line = head.blocks[index].line;
                let message = "readers of the Markdown do not see this older text, because a comment, a fence or \
                               `<details>` above it is not closed; close it"
                    .to_owned();
                self.add(Severity::Error, ProblemCode::MarkupOpen, line, message);
                break;
            }
        }
    }
}

/// Returns true if a model's answer lost the rule below it, and has it again. The receipt tells that it was whole.
fn is_mended(
    (base, old): (&Version, &DiscussionBlock),
    (head, now): (&Version, &DiscussionBlock),
) -> bool {
    let is_answer = head.comment(now).is_some_and(|comment| comment.reply.is_some());
    is_answer && !base.has_rule_below(old) && head.has_rule_below(now)
}

/// The note about inserted comments.
const INSERTED: &str = "comments were inserted between older ones, which are unchanged; a rebase, a merge or a squash does this";
