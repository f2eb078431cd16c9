//! Filters, tests and operators with a bound on the size of each value that they make.

mod purse;
mod text;

use minijinja::filters as of;
use minijinja::functions;
use minijinja::tests as is;
use minijinja::value::{Kwargs, Rest, Tuple, Value, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State};

use self::purse::{charge, weigh, work};

/// The filter for `a ~ b`. Templates cannot call it by its name, because `~` is no identifier. The names of the
/// filters below are chosen for this reason too.
pub(super) const CONCAT: &str = "~";
/// `a + b`.
pub(super) const ADD: &str = "+";
/// `a * b`.
pub(super) const MULTIPLY: &str = "*";
/// `[a, b]`.
pub(super) const LIST: &str = "[]";
/// `(a, b)`.
pub(super) const TUPLE: &str = "()";
/// `{a: b}`.
pub(super) const MAP: &str = "{}";

/// `a == b`.
pub(super) const EQUAL: &str = "==";
/// `a != b`.
pub(super) const UNEQUAL: &str = "!=";
/// `a < b`.
pub(super) const LESS: &str = "<";
/// `a <= b`.
pub(super) const LESS_OR_EQUAL: &str = "<=";
/// `a > b`.
pub(super) const MORE: &str = ">";
/// `a >= b`.
pub(super) const MORE_OR_EQUAL: &str = ">=";
/// The filter that counts the `b` of `a < b < c` before its first comparison.
pub(super) const COMPARED: &str = "<<";

/// `a in b`.
pub(super) const IN: &str = "in";
/// `a[1]`.
pub(super) const ITEM: &str = "[.]";
/// `a[1:2:3]`.
pub(super) const SLICE: &str = "[::]";

/// The largest number, positive or negative, that the built-in functions can calculate with; larger ones overflow.
const FARTHEST: i128 = 1 << 31;

/// The error for `"-" * 20`.
pub(super) const NUMBERS: &str = "only numbers can be multiplied";

fn wrong(message: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}

/// Returns the built-in filters that give a result not much larger than their input.
fn built_in() -> Vec<(&'static str, Value)> {
    vec![
        ("abs", Value::from_function(of::abs)),
        ("attr", Value::from_function(of::attr)),
        ("bool", Value::from_function(of::bool)),
        ("capitalize", Value::from_function(of::capitalize)),
        ("count", Value::from_function(of::length)),
        ("d", Value::from_function(of::default)),
        ("default", Value::from_function(of::default)),
        ("dictsort", Value::from_function(of::dictsort)),
        ("first", Value::from_function(of::first)),
        ("float", Value::from_function(of::float)),
        ("groupby", Value::from_function(of::groupby)),
        ("int", Value::from_function(of::int)),
        ("items", Value::from_function(of::items)),
        ("last", Value::from_function(of::last)),
        ("length", Value::from_function(of::length)),
        ("lines", Value::from_function(of::lines)),
        ("list", Value::from_function(of::list)),
        ("lower", Value::from_function(of::lower)),
        ("map", Value::from_function(of::map)),
        ("max", Value::from_function(of::max)),
        ("min", Value::from_function(of::min)),
        ("reject", Value::from_function(of::reject)),
        ("rejectattr", Value::from_function(of::rejectattr)),
        ("reverse", Value::from_function(of::reverse)),
        ("round", Value::from_function(of::round)),
        ("select", Value::from_function(of::select)),
        ("selectattr", Value::from_function(of::selectattr)),
        ("sort", Value::from_function(of::sort)),
        ("split", Value::from_function(of::split)),
        ("title", Value::from_function(of::title)),
        ("trim", Value::from_function(of::trim)),
        ("unique", Value::from_function(of::unique)),
        ("upper", Value::from_function(of::upper)),
    ]
}

/// This project's own filters. They replace built-in ones that can make a huge value from a small one.
const OWN: [&str; 5] = ["format", "join", "replace", "string", "sum"];

/// Returns the names of all filters.
pub(super) fn filters() -> impl Iterator<Item = &'static str> + Clone {
    built_in().into_iter().map(|(name, _)| name).chain(OWN)
}

/// Adds the bounded filters, tests and functions to an environment, and no others.
pub(super) fn fill(environment: &mut Environment<'static>) {
    for (name, filter) in built_in() {
        environment.add_filter(name, guarded(name, filter));
    }
    environment.add_filter("format", text::format);
    environment.add_filter("join", text::join);
    environment.add_filter("replace", text::replace);
    environment.add_filter("string", text::string);
    environment.add_filter("sum", sum);
    environment.add_filter(CONCAT, text::concat);
    environment.add_filter(ADD, add);
    environment.add_filter(MULTIPLY, multiply);
    environment.add_filter(LIST, list);
    environment.add_filter(TUPLE, tuple);
    environment.add_filter(MAP, map);
    for (name, _, judge) in COMPARISONS {
        environment.add_filter(name, comparison(judge));
    }
    environment.add_filter(COMPARED, compared);
    environment.add_filter(IN, contains);
    environment.add_filter(ITEM, item);
    environment.add_filter(SLICE, slice);
    environment.add_function("range", range);
    environment.set_formatter(text::emit);
    tests(environment);
}

fn tests(to: &mut Environment<'static>) {
    to.add_test("boolean", is::is_boolean);
    to.add_test("defined", is::is_defined);
    to.add_test("divisibleby", divisible);
    to.add_test("endingwith", is::is_endingwith);
    to.add_test("even", is::is_even);
    to.add_test("false", is::is_false);
    to.add_test("float", is::is_float);
    to.add_test("in", contains);
    to.add_test("iterable", is::is_iterable);
    to.add_test("lower", |state: &mut State, text: &Value| {
        work(state, text)?;
        Ok::<_, Error>(is::is_lower(text))
    });
    to.add_test("mapping", is::is_mapping);
    to.add_test("none", is::is_none);
    to.add_test("number", is::is_number);
    to.add_test("odd", is::is_odd);
    to.add_test("sequence", is::is_sequence);
    to.add_test("startingwith", is::is_startingwith);
    to.add_test("string", is::is_string);
    to.add_test("true", is::is_true);
    to.add_test("undefined", is::is_undefined);
    to.add_test("upper", |state: &mut State, text: &Value| {
        work(state, text)?;
        Ok::<_, Error>(is::is_upper(text))
    });
    for name in ["int", "integer"] {
        to.add_test(name, is::is_integer);
    }
    for (name, words, judge) in COMPARISONS {
        for word in words.iter().chain([&name]) {
            to.add_test(*word, move |state: &mut State, left: &Value, right: &Value| {
                purse::compare(state, left, right)?;
                Ok(judge(left, right))
            });
        }
    }
}

type BoundsChecker = fn(&Value, &Value) -> bool;

/// The comparisons: the name of the operator's filter, the words of its test, and the comparison itself.
const COMPARISONS: [(&str, &[&str], BoundsChecker); 6] = [
    (EQUAL, &["eq", "equalto"], |a, b| a == b),
    (UNEQUAL, &["ne"], |a, b| a != b),
    (LESS, &["lt", "lessthan"], |a, b| a < b),
    (LESS_OR_EQUAL, &["le"], |a, b| a <= b),
    (MORE, &["gt", "greaterthan"], |a, b| a > b),
    (MORE_OR_EQUAL, &["ge"], |a, b| a >= b),
];

/// Returns a comparison that counts its work, which grows with the part that the two values have in common.
fn comparison(
    judge: BoundsChecker,
) -> impl Fn(&mut State, &Value, &Value) -> Result<bool, Error> + Send + Sync + 'static {
    move |state, left, right| {
        usable(state, left)?;
        usable(state, right)?;
        purse::compare(state, left, right)?;
        Ok(judge(left, right))
    }
}

/// Counts and returns the second value of a chained comparison.
fn compared(state: &mut State, value: &Value) -> Result<Value, Error> {
    purse::compare(state, value, value)?;
    Ok(value.clone())
}

/// Returns an error if the value is undefined and may not be used here.
fn usable(state: &State, value: &Value) -> Result<(), Error> {
    if value.is_undefined() {
        of::string(state, value)?;
    }
    Ok(())
}

/// Wraps a built-in filter so that its work and its result are counted.
fn guarded(
    name: &'static str,
    function: Value,
) -> impl Fn(&mut State, Rest<ValueOrKwargs>) -> Result<Value, Error> + Send + Sync + 'static {
    let looks_up = ["attr", "groupby", "rejectattr", "selectattr", "trim"].contains(&name);
    move |state, arguments| {
        let arguments = arguments.into_values();
        for (index, argument) in arguments.iter().enumerate() {
            if argument.is_kwargs() {
                short(&argument.get_attr("attribute")?)?;
            } else if index == 1 && looks_up {
                short(argument)?;
            }
            work(state, argument)?;
        }
        let result = function.call(state, &arguments)?;
        charge(state, &result)?;
        if name == "map" && may_repeat(&arguments)? {
            // Otherwise nested lists could grow without bound: each could contain the next one a thousand times.
            weigh(state, &result.try_iter()?.collect::<Vec<_>>())?;
        }
        Ok(result)
    }
}

/// Returns true if `map` may return the same value for many items: a default value, or the result of a filter.
fn may_repeat(arguments: &[Value]) -> Result<bool, Error> {
    for argument in arguments.iter().skip(1) {
        if !argument.is_kwargs() || !argument.get_attr("default")?.is_undefined() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Checks that an attribute name is short, because the built-in filter parses it again for each item.
fn short(name: &Value) -> Result<(), Error> {
    if name.as_str().is_some_and(|name| name.len() > 256) {
        Err(wrong("the name of an attribute may have at most 256 bytes"))
    } else {
        Ok(())
    }
}

/// Tests `a in b`. The time of a search grows with the size of the container, so that size is counted.
fn contains(state: &mut State, value: &Value, container: &Value) -> Result<bool, Error> {
    work(state, container)?;
    if matches!(container.kind(), ValueKind::Seq | ValueKind::Iterable) {
        for item in container.try_iter()? {
            purse::compare(state, value, &item)?;
        }
    }
    usable(state, value)?;
    is::is_in(state, value, container)
}

/// Adds up numbers only. The built-in filter also adds texts and lists, and copies the whole sum so far for each
/// item.
fn sum(
    state: &mut State,
    values: Value,
    attribute: Option<&str>,
    named: Kwargs,
) -> Result<Value, Error> {
    let attribute = match attribute {
        Some(attribute) => Some(attribute),
        None => named.get::<Option<&str>>("attribute")?,
    };
    named.assert_all_used()?;
    short(&attribute.map(Value::from).unwrap_or_default())?;
    work(state, &values)?;
    of::sum(state, values, attribute, None, Kwargs::from_iter(Vec::<(String, Value)>::new()))
}

fn add(state: &mut State, left: &Value, right: &Value) -> Result<Value, Error> {
    match (left.kind(), right.kind()) {
        (ValueKind::String, ValueKind::String) => text::concat(state, left, right),
        (ValueKind::Seq | ValueKind::Iterable, ValueKind::Seq | ValueKind::Iterable) => {
            purse::slots(state, left.len().unwrap_or(0) + right.len().unwrap_or(0))?;
            let both: Vec<Value> = left.try_iter()?.chain(right.try_iter()?).collect();
            Ok(Value::from(both))
        }
        _ => numbers(left, right, i128::checked_add, |a, b| a + b)
            .ok_or_else(|| wrong("only two numbers, two texts or two lists can be added")),
    }
}

/// Checks that a whole number is small enough to calculate with; other values pass, and the calculation checks them.
fn small_number(number: &Value) -> Result<Value, Error> {
    let far = i128::try_from(number.clone()).is_ok_and(|it| !(-FARTHEST..=FARTHEST).contains(&it));
    if far { Err(wrong("a number is too large to calculate with")) } else { Ok(number.clone()) }
}

/// Returns `a[1]`. The search for the nth character of a text, or item of an iterable, visits everything before it;
/// this work is counted.
fn item(state: &mut State, whole: &Value, key: &Value) -> Result<Value, Error> {
    if matches!(whole.kind(), ValueKind::String | ValueKind::Iterable) {
        work(state, whole)?;
    }
    whole.get_item(key)
}

/// Calls the slice operator with checked numbers; with a negative step it would read outside of the list.
fn slice(state: &State, parts: Rest<Value>) -> Result<Value, Error> {
    let [of, numbers @ ..] = &parts[..] else { return Err(wrong("nothing to slice")) };
    let numbers = numbers.iter().map(small_number).collect::<Result<Vec<_>, _>>()?;
    if numbers.get(2).is_some_and(|step| i128::try_from(step.clone()).is_ok_and(|step| step < 1)) {
        return Err(wrong("the step of a slice must be 1 or more; `reverse` reverses a list"));
    }
    let parts = minijinja::context! { of, numbers };
    state.env().compile_expression("of[numbers[0]:numbers[1]:numbers[2]]")?.eval(parts)
}

fn range(state: &mut State, numbers: Rest<Value>) -> Result<Value, Error> {
    let numbers = numbers.iter().map(small_number).collect::<Result<Vec<_>, _>>()?;
    let range = Value::from_function(functions::range).call(state, &numbers)?;
    charge(state, &range)?;
    Ok(range)
}

/// Tests if a number is divisible; the built-in test divides by zero.
fn divisible(number: &Value, by: &Value) -> bool {
    match (i128::try_from(number.clone()), i128::try_from(by.clone())) {
        (Ok(number), Ok(by)) => number.checked_rem(by) == Some(0),
        _ => is::is_divisibleby(number, by),
    }
}

fn multiply(left: &Value, right: &Value) -> Result<Value, Error> {
    numbers(left, right, i128::checked_mul, |a, b| a * b).ok_or_else(|| wrong(NUMBERS))
}

fn numbers(
    left: &Value,
    right: &Value,
    whole: fn(i128, i128) -> Option<i128>,
    real: fn(f64, f64) -> f64,
) -> Option<Value> {
    let number = |value: &Value| value.is_number() || value.kind() == ValueKind::Bool;
    if !number(left) || !number(right) {
        return None;
    }
    let float = |value: &Value| value.is_number() && !value.is_integer();
    if float(left) || float(right) {
        let both = (f64::try_from(left.clone()).ok()?, f64::try_from(right.clone()).ok()?);
        return Some(Value::from(real(both.0, both.1)));
    }
    let result = whole(i128::try_from(left.clone()).ok()?, i128::try_from(right.clone()).ok()?)?;
    Some(i64::try_from(result).map_or_else(|_| Value::from(result), Value::from))
}

fn list(state: &mut State, items: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let items = items.into_values();
    weigh(state, &items)?;
    Ok(Value::from(items))
}

fn tuple(state: &mut State, items: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let items = items.into_values();
    weigh(state, &items)?;
    Ok(Value::from(Tuple::from(items)))
}

fn map(state: &mut State, items: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let items = items.into_values();
    weigh(state, &items)?;
    let pairs = items.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()));
    Ok(Value::from_pairs(pairs))
}
