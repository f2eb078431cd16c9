//! MiniJinja, bounded: what templates may compute.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};

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
    let mut environment = Environment::new();
    environment.set_fuel(Some(FUEL));
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    // Tags on lines of their own leave no blank lines behind.
    if let Ok(syntax) = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build() {
        environment.set_syntax(syntax);
    }
    environment.add_function("themes", themes);
    environment
}

impl Expressions {
    /// Evaluates an expression.
    ///
    /// # Errors
    /// What MiniJinja says: a name or attribute that is not there, a wrong type, no fuel left.
    pub fn eval(&self, expression: &str, names: Value) -> Result<Value, Error> {
        self.0.compile_expression(expression)?.eval(names)
    }

    /// Renders a template.
    ///
    /// # Errors
    /// As [`Expressions::eval`].
    pub fn render(&self, template: &str, names: Value) -> Result<String, Error> {
        self.0.render_str(template, names)
    }

    /// Names that an expression uses and that neither it nor the environment defines.
    ///
    /// # Errors
    /// When it does not compile.
    pub fn names_in_expression(&self, expression: &str) -> Result<BTreeSet<String>, Error> {
        let names = self.0.compile_expression(expression)?.undeclared_variables(false);
        Ok(self.unknown(names))
    }

    /// As [`Expressions::names_in_expression`], for a template.
    ///
    /// # Errors
    /// When it does not compile.
    pub fn names_in_template(&self, template: &str) -> Result<BTreeSet<String>, Error> {
        let names = self.0.template_from_str(template)?.undeclared_variables(false);
        Ok(self.unknown(names))
    }

    fn unknown(&self, names: impl IntoIterator<Item = String>) -> BTreeSet<String> {
        let globals: BTreeSet<&str> = self.0.globals().map(|(name, _)| name).collect();
        names.into_iter().filter(|name| !globals.contains(name.as_str())).collect()
    }
}

/// `themes(marks.SUGGESTION, 2)`: groups of marks that say alike, with at least so many different authors.
fn themes(marks: Vec<Value>, least: usize, _options: Kwargs) -> Result<Value, Error> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for mark in marks {
        let text = mark.get_attr("value")?.to_string();
        let who = mark.get_attr("who")?.to_string();
        match groups
            .iter_mut()
            .find(|(theme, _)| crate::similarity::of(theme, &text) >= crate::similarity::ALIKE)
        {
            Some((_, authors)) if authors.contains(&who) => {}
            Some((_, authors)) => authors.push(who),
            None => groups.push((text, vec![who])),
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
