//! The values that the expressions of one snapshot gave so far, so that none is computed twice.

use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::HashMap;
use minijinja::value::Value;

/// The value of an expression under `let`, and how many expressions under `let` use each other for it, with itself.
#[derive(Clone, Debug)]
pub(super) struct LetValue {
    pub(super) value: Value,
    pub(super) height: usize,
}

/// Values that follow from one snapshot alone.
#[derive(Debug, Default)]
pub(super) struct KnownValues(Mutex<ValueTables>);

#[derive(Clone, Debug, Default)]
struct ValueTables {
    names: HashMap<String, Value>,
    lets: HashMap<String, LetValue>,
    /// By the text of the expression: equal expressions have equal values.
    expressions: HashMap<String, Value>,
}

impl KnownValues {
    /// The tables are never locked while a value is computed, because it may need other values.
    fn tables(&self) -> MutexGuard<'_, ValueTables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value of one of the engine's names.
    pub(super) fn name(&self, name: &str) -> Option<Value> {
        self.tables().names.get(name).cloned()
    }

    pub(super) fn keep_name(&self, name: &str, value: Value) {
        self.tables().names.insert(name.to_owned(), value);
    }

    /// Returns the value of an expression under `let`.
    pub(super) fn let_value(&self, name: &str) -> Option<LetValue> {
        self.tables().lets.get(name).cloned()
    }

    pub(super) fn keep_let(&self, name: &str, value: LetValue) {
        self.tables().lets.insert(name.to_owned(), value);
    }

    /// Returns the value of an expression of the template.
    pub(super) fn expression(&self, source: &str) -> Option<Value> {
        self.tables().expressions.get(source).cloned()
    }

    pub(super) fn keep_expression(&self, source: &str, value: Value) {
        self.tables().expressions.insert(source.to_owned(), value);
    }
}

impl Clone for KnownValues {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.tables().clone()))
    }
}
