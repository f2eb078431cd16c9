//! Limits on the total size and work of one evaluation.

use minijinja::value::{Value, ValueKind};
use minijinja::{Error, ErrorKind, State};

/// The maximum number of bytes of one text that an expression creates.
pub(super) const TEXT: usize = 1024 * 1024;
/// The maximum number of bytes of all texts that one evaluation creates; lists count with their contents.
const TEXTS: usize = 16 * 1024 * 1024;
/// The maximum number of items in all lists that one evaluation creates.
const SLOTS: usize = 4_000_000;
/// The maximum number of items that all filters of one evaluation may receive.
const WORK: usize = 20_000_000;
/// The number of bytes of text that count as one item of work.
const BYTES: usize = 64;
/// The number of bytes that an item counts in addition to its text.
const ITEM: usize = 32;
/// The maximum depth of nested lists and maps.
const DEEPEST: usize = 16;

/// The maximum depth to which two values are compared.
const DEEPEST_COMPARED: usize = 128;

/// The amounts that an evaluation has used so far.
#[derive(Default)]
struct EvalBudget {
    texts: usize,
    slots: usize,
    work: usize,
}

fn full(message: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}

/// Counts a text that was made.
pub(super) fn text(state: &mut State, bytes: usize) -> Result<(), Error> {
    if bytes > TEXT {
        return Err(full(format!("it makes a text of more than {} MiB", TEXT >> 20)));
    }
    texts(state, bytes)
}

fn texts(state: &mut State, bytes: usize) -> Result<(), Error> {
    let purse = state.get_or_insert_extension(EvalBudget::default());
    purse.texts = purse.texts.saturating_add(bytes);
    if purse.texts > TEXTS {
        return Err(full(format!("it makes more than {} MiB", TEXTS >> 20)));
    }
    Ok(())
}

/// Counts the items of a list that was made or is about to be made.
pub(super) fn slots(state: &mut State, count: usize) -> Result<(), Error> {
    let purse = state.get_or_insert_extension(EvalBudget::default());
    purse.slots = purse.slots.saturating_add(count);
    if purse.slots > SLOTS {
        return Err(full(format!("it makes lists of more than {SLOTS} items")));
    }
    Ok(())
}

/// Counts the input of a filter, because the time of one step grows with the length of the text or list.
pub(super) fn work(state: &mut State, given: &Value) -> Result<(), Error> {
    let items = given.as_str().map_or_else(|| given.len().unwrap_or(0), |it| it.len() / BYTES);
    let purse = state.get_or_insert_extension(EvalBudget::default());
    purse.work = purse.work.saturating_add(items);
    if purse.work > WORK {
        return Err(full("it takes too long".to_owned()));
    }
    Ok(())
}

/// Counts a comparison by the part that the two values have in common, including the texts in them.
pub(super) fn compare(state: &mut State, left: &Value, right: &Value) -> Result<(), Error> {
    let purse = state.get_or_insert_extension(EvalBudget::default());
    shared(left, right, &mut purse.work, 1)
}

fn shared(left: &Value, right: &Value, work: &mut usize, depth: usize) -> Result<(), Error> {
    let texts = left.as_str().zip(right.as_str());
    *work = work.saturating_add(1 + texts.map_or(0, |(a, b)| a.len().min(b.len()) / BYTES));
    if *work > WORK || depth > DEEPEST_COMPARED {
        return Err(full("it takes too long".to_owned()));
    }
    let list = |value: &Value| matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable);
    if list(left) && list(right) {
        for (left, right) in left.try_iter()?.zip(right.try_iter()?) {
            shared(&left, &right, work, depth + 1)?;
        }
    } else if left.kind() == ValueKind::Map && right.kind() == ValueKind::Map {
        let keys = if left.len() < right.len() { left } else { right };
        for key in keys.try_iter()? {
            shared(&key, &key, work, depth + 1)?;
            shared(&left.get_item(&key)?, &right.get_item(&key)?, work, depth + 1)?;
        }
    }
    Ok(())
}

/// Counts the result of a filter. A text may have any length: perhaps the filter only passes on an existing text.
pub(super) fn charge(state: &mut State, made: &Value) -> Result<(), Error> {
    match (made.as_str(), made.kind()) {
        (Some(made), _) => texts(state, made.len()),
        (None, ValueKind::Seq | ValueKind::Iterable | ValueKind::Map) => {
            slots(state, made.len().unwrap_or(0))
        }
        _ => Ok(()),
    }
}

/// Counts a list with its contents. A value that is in the list twice counts twice, because printing and comparing it
/// takes twice as long.
pub(super) fn weigh(state: &mut State, items: &[Value]) -> Result<(), Error> {
    let mut left = TEXTS;
    for item in items {
        left = weight(item, left, 1)?;
    }
    texts(state, TEXTS - left)
}

/// Subtracts the size of a value from `left` and returns the rest.
fn weight(value: &Value, left: usize, depth: usize) -> Result<usize, Error> {
    let over = || full(format!("it makes a list of more than {} MiB", TEXTS >> 20));
    if depth > DEEPEST {
        return Err(full(format!("it makes lists in lists, more than {DEEPEST} deep")));
    }
    let own = ITEM + value.as_str().map_or(0, str::len);
    let mut left = left.checked_sub(own).ok_or_else(over)?;
    match value.kind() {
        ValueKind::Seq | ValueKind::Iterable => {
            for item in value.try_iter()? {
                left = weight(&item, left, depth + 1)?;
            }
        }
        ValueKind::Map => {
            for key in value.try_iter()? {
                left = weight(&value.get_item(&key)?, left, depth + 1)?;
            }
        }
        _ => {}
    }
    Ok(left)
}
