//! MiniJinja expressions for templates, with bounds on steps, depth and memory.

mod bounds;
mod language;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use foldhash::HashMap;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};
use serde::Deserialize;

use self::language::{Program, ProgramForm};
use crate::similarity::{Claim, normal};

/// The names that the engine provides to every expression.
pub(super) const ENGINE_NAMES: [&str; 20] = [
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
    "text",
    "findings",
    "marks",
    "failed",
    "missing",
    "pending",
    "not_shown",
    "title",
    "context",
];

/// The maximum number of instructions of one evaluation, so that a hostile template ends instead of hanging.
const FUEL: u64 = 2_000_000;

/// The functions, filters and bounds of every expression. They never change, so they are built once.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(environment);

fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_fuel(Some(FUEL));
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_syntax(syntax());
    bounds::fill(&mut environment);
    environment.add_function("themes", themes);
    environment.add_function("opposites", opposites);
    environment
}

/// Returns the syntax in which a tag on a line of its own leaves no blank line.
fn syntax() -> SyntaxConfig {
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    syntax.unwrap_or_default()
}

/// A text of a template, its compiled program, and its place in the template.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    source: Arc<str>,
    place: Arc<str>,
    program: Result<Arc<Program>, Arc<Error>>,
}

impl Compiled {
    fn new(form: ProgramForm, source: &str) -> Self {
        let program = Program::compile(&ENVIRONMENT, form, source);
        let program = program.map(Arc::new).map_err(Arc::new);
        Self { source: source.into(), place: "".into(), program }
    }

    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// Sets the place in the template, for error messages.
    pub(super) fn set_place(&mut self, place: &str) {
        self.place = place.into();
    }

    /// Returns the reason why it does not compile.
    pub(super) fn error(&self) -> Option<&Error> {
        self.program.as_ref().err().map(AsRef::as_ref)
    }

    /// Returns the names that it uses and that neither it nor the environment defines.
    pub(super) fn names(&self) -> &BTreeSet<String> {
        static NONE: BTreeSet<String> = BTreeSet::new();
        self.program.as_ref().map_or(&NONE, |program| program.names())
    }

    fn program(&self) -> Result<&Program, Error> {
        match &self.program {
            Ok(program) => Ok(program),
            Err(error) => {
                Err(Error::new(error.kind(), error.detail().unwrap_or_default().to_owned()))
            }
        }
    }
}

impl PartialEq for Compiled {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

/// An expression of a template, compiled when the template is loaded.
///
/// If an evaluation goes wrong, it returns an error and never ends the process: steps, nesting, the size of each
/// value, and the size of all values together are bounded.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "String")]
pub struct Expr(pub(super) Compiled);

impl From<String> for Expr {
    fn from(source: String) -> Self {
        Self(Compiled::new(ProgramForm::Expression, &source))
    }
}

impl Expr {
    /// Returns the text in the template.
    pub(crate) fn source(&self) -> &str {
        self.0.source()
    }

    /// Returns the place in the template, such as "phase `vote`, rounds".
    pub(crate) fn place(&self) -> &str {
        &self.0.place
    }

    /// Returns the names that the caller has to provide.
    pub(crate) fn names(&self) -> &BTreeSet<String> {
        self.0.names()
    }

    /// Evaluates the expression with these names.
    ///
    /// # Errors
    /// Returns MiniJinja's error for an unknown name or attribute or a wrong type, and also if the steps or the memory
    /// are used up.
    pub(crate) fn eval(&self, names: Value) -> Result<Value, Error> {
        self.0.program()?.eval(&ENVIRONMENT, names)
    }
}

/// A text of a template with `{{ }}` and `{% %}`, compiled when the template is loaded and bounded like [`Expr`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "String")]
pub struct TextTemplate(pub(super) Compiled);

impl From<String> for TextTemplate {
    fn from(source: String) -> Self {
        Self(Compiled::new(ProgramForm::Template, &source))
    }
}

impl Default for TextTemplate {
    fn default() -> Self {
        static EMPTY: LazyLock<TextTemplate> = LazyLock::new(|| String::new().into());
        EMPTY.clone()
    }
}

impl TextTemplate {
    /// Returns the text in the template.
    pub fn source(&self) -> &str {
        self.0.source()
    }

    /// Returns the place in the template, such as "phase `vote`, instructions".
    pub(crate) fn place(&self) -> &str {
        &self.0.place
    }

    /// Returns the names that the caller has to provide.
    pub(crate) fn names(&self) -> &BTreeSet<String> {
        self.0.names()
    }

    /// Renders the text with these names.
    ///
    /// # Errors
    /// Returns MiniJinja's error for an unknown name or attribute or a wrong type, and also if the steps or the memory
    /// are used up.
    pub fn render(&self, names: Value) -> Result<String, Error> {
        self.0.program()?.render(&ENVIRONMENT, names)
    }
}

/// `themes(marks.SUGGESTION, 2)`: groups marks with equal texts, and returns the groups with at least `least`
/// different authors. Each group has the text and the level of its first mark, and its authors in order. Two equal
/// marks of one author belong to two groups.
fn themes(marks: Vec<Value>, least: usize, _options: Kwargs) -> Result<Value, Error> {
    let mut groups: Vec<(String, Value, Vec<String>)> = Vec::new();
    let mut known: HashMap<String, Vec<usize>> = HashMap::default();
    for mark in marks {
        let text = mark.get_attr("value")?.to_string();
        let who = mark.get_attr("who")?.to_string();
        let same = known.entry(normal(&text)).or_default();
        // An author's nth mark with this text joins the nth group of the text.
        match same.iter().find(|group| !groups[**group].2.contains(&who)) {
            Some(group) => groups[*group].2.push(who),
            None => {
                same.push(groups.len());
                groups.push((text, mark.get_attr("level")?, vec![who]));
            }
        }
    }
    let shared = groups.into_iter().filter(|(_, _, authors)| authors.len() >= least);
    Ok(shared.map(|(text, level, who)| minijinja::context! { text, level, who }).collect())
}

/// The maximum number of marks that are compared with each other.
const MOST_OPPOSED: usize = 200;

/// `opposites(marks.SUGGESTION)`: returns pairs of marks in which different authors say opposite things, each with
/// both texts and both authors. Only the first two hundred marks are compared, because the number of pairs grows with
/// the square.
fn opposites(marks: Vec<Value>, _options: Kwargs) -> Result<Value, Error> {
    let mut said: Vec<(String, String, Claim)> = Vec::new();
    for mark in marks.into_iter().take(MOST_OPPOSED) {
        let text = mark.get_attr("value")?.to_string();
        let claim = Claim::new(&text);
        said.push((text, mark.get_attr("who")?.to_string(), claim));
    }
    let mut found = Vec::new();
    for (at, (text, who, claim)) in said.iter().enumerate() {
        for (other, whose, against) in &said[at + 1..] {
            if who != whose && claim.opposes(against) {
                let (one, other) = (text.clone(), other.clone());
                let who = vec![who.clone(), whose.clone()];
                found.push(minijinja::context! { one, other, who });
            }
        }
    }
    Ok(found.into())
}

/// Returns the message of an evaluation error for the author of a template.
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
