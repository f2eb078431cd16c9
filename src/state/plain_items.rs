//! Items without rules of their own, such as concerns: one marker opens them, and another one closes them by number or
//! by similar words.

use super::comment::Repeats;
use super::item::Item;
use super::kind::ItemKind;
use super::track::{Author, number};
use super::typed::Target;
use crate::problem::Problem;
use crate::similarity::Candidates;
use crate::transcript::BodyMark;

/// The items of one plain kind.
#[derive(Clone, Debug)]
struct PlainItems {
    kind: ItemKind,
    list: Vec<Item>,
    /// The texts of `list` that are still open.
    open: Candidates,
    same: Repeats,
}

/// The items of all plain kinds.
#[derive(Clone, Debug)]
pub(super) struct PlainLists(Vec<PlainItems>);

impl Default for PlainLists {
    fn default() -> Self {
        let empty = |kind| PlainItems {
            kind,
            list: Vec::new(),
            open: Candidates::default(),
            same: Repeats::default(),
        };
        Self(ItemKind::plain().map(empty).collect())
    }
}

impl PlainLists {
    /// Records a marker if it opens or names items of a plain kind.
    pub(super) fn record(&mut self, mark: &BodyMark, by: &Author<'_>, problems: &mut Vec<Problem>) {
        let opened = ItemKind::opened_by(&mark.marker);
        let named = ItemKind::named_by(&mark.marker);
        for items in &mut self.0 {
            if opened == Some(items.kind) {
                items.raise(mark, by);
            } else if named == Some(items.kind) {
                items.settle(mark, problems);
            }
        }
    }

    /// Returns the items as a reader counts them: an item that repeats an open one word for word is merged with it.
    pub(super) fn folded(self) -> impl Iterator<Item = Item> {
        self.0.into_iter().flat_map(|items| items.same.fold(items.list))
    }
}

impl PlainItems {
    fn raise(&mut self, mark: &BodyMark, by: &Author<'_>) {
        let (index, list) = (self.list.len(), &self.list);
        let first = self.same.add(index, &mark.text, |first| list[first].is_open());
        self.open.push();
        if let Some(first) = first {
            self.list[first].raised += 1;
            self.open.close(index);
        }
        let author = by.name.clone();
        self.list.push(Item::new(self.kind, number(index), &mark.text, author, mark.line));
    }

    fn settle(&mut self, mark: &BodyMark, problems: &mut Vec<Problem>) {
        let list = &self.list;
        let target = Target { kind: self.kind, count: list.len() };
        let named = target.numbered(mark, problems).or_else(|| {
            let best = self.open.best(&mark.text, |index| list[index].text.as_str());
            best.map(|index| vec![index])
        });
        let Some(named) = named else { return target.unclear(mark, problems) };
        for index in named.into_iter().map(|index| self.same.first(index)) {
            self.list[index].status = self.kind.closed();
            self.open.close(index);
        }
    }
}
