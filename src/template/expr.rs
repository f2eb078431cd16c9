//! MiniJinja, bounded in steps, depth and memory: what templates may compute.

mod bounds;
mod language;
mod program;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};

use self::program::{Form, Program};
use crate::similarity::Candidates;

/// Names that the engine gives to every expression.
pub const ENGINE_NAMES: [&str; 16] = [
    "me",
    "params",
    "participants",
    "roles",
    "phase",
    "round",
    "turn",
    "visits",
    "votes",
    "consensus",
    "said",
    "marks",
    "failed",
    "missing",
    "pending",
    "title",
];

/// Instructions that one evaluation may take; a hostile template ends instead of hanging.
pub const FUEL: u64 = 2_000_000;

/// Compiles and evaluates a template's expressions.
///
/// An evaluation ends with an error, never with the process: steps, nesting, the size of every value that it makes and
/// of all of them together are bounded. What a text compiles to is kept for as long as the process lives.
#[derive(Debug)]
pub struct Expressions(&'static Environment<'static>);

impl Default for Expressions {
    fn default() -> Self {
        // Always the same, and filled with built-in functions: making it anew for each discussion takes longer than
        // reading a short one.
        static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(environment);
        Self(&ENVIRONMENT)
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_fuel(Some(FUEL));
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_syntax(syntax());
    bounds::fill(&mut environment);
    environment.add_function("themes", themes);
    environment
}

/// Tags on lines of their own leave no blank lines behind.
fn syntax() -> SyntaxConfig {
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    syntax.unwrap_or_default()
}

impl Expressions {
    /// Evaluates an expression.
    ///
    /// # Errors
    /// What MiniJinja says: a name or attribute that is not there, a wrong type; and no fuel or memory left.
    pub fn eval(&self, expression: &str, names: Value) -> Result<Value, Error> {
        self.program(Form::Expression, expression)?.eval(self.0, names)
    }

    /// Renders a template.
    ///
    /// # Errors
    /// As [`Expressions::eval`].
    pub fn render(&self, template: &str, names: Value) -> Result<String, Error> {
        self.program(Form::Template, template)?.render(self.0, names)
    }

    /// Names that an expression uses and that neither it nor the environment defines.
    ///
    /// # Errors
    /// When it does not compile, or is too long, too deeply nested, or holds what templates may not.
    pub fn names_in_expression(&self, expression: &str) -> Result<BTreeSet<String>, Error> {
        Ok(self.program(Form::Expression, expression)?.names().clone())
    }

    /// As [`Expressions::names_in_expression`], for a template.
    ///
    /// # Errors
    /// As there.
    pub fn names_in_template(&self, template: &str) -> Result<BTreeSet<String>, Error> {
        Ok(self.program(Form::Template, template)?.names().clone())
    }

    /// What a text compiles to. Every discussion evaluates the same few texts, over and over.
    fn program(&self, form: Form, text: &str) -> Result<Arc<Program>, Error> {
        type Known = HashMap<&'static str, Arc<Program>>;
        static KNOWN: [LazyLock<RwLock<Known>>; 2] = [const { LazyLock::new(RwLock::default) }; 2];
        let known = &KNOWN[form as usize];
        let read = known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = read.get(text) {
            return Ok(Arc::clone(program));
        }
        drop(read);
        language::check(self.0, form, text)?;
        let text: &'static str = Box::leak(text.into());
        let program = Arc::new(Program::compile(self.0, form, text)?);
        let mut write = known.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(write.entry(text).or_insert(program)))
    }
}
/// `themes(marks.SUGGESTION, 2)`: groups of marks that say alike, with at least so many different authors.
fn themes(marks: Vec<Value>, least: usize, _options: Kwargs) -> Result<Value, Error> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let mut candidates = Candidates::default();
    for mark in marks {
        let text = mark.get_attr("value")?.to_string();
        let who = mark.get_attr("who")?.to_string();
        match candidates.best(&text, |group| groups[group].0.as_str()) {
            Some(group) if groups[group].1.contains(&who) => {}
            Some(group) => groups[group].1.push(who),
            None => {
                groups.push((text, vec![who]));
                candidates.push();
            }
        }
    }
    let shared = groups.into_iter().filter(|(_, authors)| authors.len() >= least);
    Ok(shared.map(|(text, who)| minijinja::context! { text, who }).collect())
}

/// What an evaluation error means to the author of a template.
pub(super) fn sentence(error: &Error) -> String {
    match error.kind() {
        ErrorKind::OutOfFuel => "it takes too long".to_owned(),
        _ => error.detail().map_or_else(
            || error.kind().to_string(),
            |detail| format!("{}: {detail}", error.kind()),
        ),
    }
}

#[cfg(test)]
mod tests;
