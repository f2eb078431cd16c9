//! Compiled expressions in which bounded operators replace those that can make large values.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use minijinja::machinery::{
    CodeGenerator, Instruction, Instructions, ast, eval, make_string_output, parse, parse_expr,
};
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, Error};

use super::bounds;

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramForm {
    /// One expression.
    Expression,
    /// Text with `{{ }}` and `{% %}`.
    Template,
}

/// Instructions that borrow from the text they were compiled from.
type Code<'t> = Instructions<'t>;

self_cell::self_cell!(
    /// A text and its compiled instructions, freed together.
    struct Owned {
        owner: Box<str>,
        #[covariant]
        dependent: Code,
    }
);

/// A compiled text.
pub(super) struct Program {
    owned: Owned,
    names: BTreeSet<String>,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("source", self.owned.borrow_owner()).finish_non_exhaustive()
    }
}

/// The syntax tree of a text.
pub(super) enum Tree<'t> {
    Expression(ast::Expr<'t>),
    Template(ast::Stmt<'t>),
}

impl<'t> Tree<'t> {
    pub(super) fn of(form: ProgramForm, text: &'t str) -> Result<Self, Error> {
        Ok(match form {
            ProgramForm::Expression => Self::Expression(parse_expr(text)?),
            ProgramForm::Template => Self::Template(parse(text, "<template>", super::syntax())?),
        })
    }
}

impl Program {
    /// Compiles a text.
    ///
    /// # Errors
    /// Fails if the text does not compile, is too long or too deeply nested, or uses something that templates may not
    /// use.
    pub(super) fn compile(
        environment: &Environment<'_>,
        form: ProgramForm,
        text: &str,
    ) -> Result<Self, Error> {
        super::language::check(environment, form, text)?;
        let names = match form {
            ProgramForm::Expression => {
                environment.compile_expression(text)?.undeclared_variables(false)
            }
            ProgramForm::Template => {
                environment.template_from_str(text)?.undeclared_variables(false)
            }
        };
        let globals: BTreeSet<&str> = environment.globals().map(|(name, _)| name).collect();
        let names = names.into_iter().filter(|name| !globals.contains(name.as_str())).collect();
        let owned = Owned::try_new(text.into(), |text| instructions(form, text))?;
        Ok(Self { owned, names })
    }

    /// Returns the names that the text uses and does not define.
    pub(super) fn names(&self) -> &BTreeSet<String> {
        &self.names
    }

    /// Returns the value of an expression.
    pub(super) fn eval(
        &self,
        environment: &'static Environment<'static>,
        names: Value,
    ) -> Result<Value, Error> {
        let mut none = String::new();
        Ok(self.run(environment, names, &mut none)?.unwrap_or_default())
    }

    /// Returns the text that a template renders.
    pub(super) fn render(
        &self,
        environment: &'static Environment<'static>,
        names: Value,
    ) -> Result<String, Error> {
        let mut text = String::new();
        self.run(environment, names, &mut text)?;
        Ok(text)
    }

    fn run(
        &self,
        environment: &'static Environment<'static>,
        names: Value,
        text: &mut String,
    ) -> Result<Option<Value>, Error> {
        let blocks = BTreeMap::new();
        let mut output = make_string_output(text);
        let none = AutoEscape::None;
        Ok(eval(environment, self.owned.borrow_dependent(), names, &blocks, &mut output, none)?.0)
    }
}

fn instructions(form: ProgramForm, text: &str) -> Result<Instructions<'_>, Error> {
    let mut code = CodeGenerator::new("<template>", text);
    match Tree::of(form, text)? {
        Tree::Expression(tree) => code.compile_expr(&tree),
        Tree::Template(tree) => code.compile_stmt(&tree),
    }
    Ok(bounded(&code.finish().0))
}

/// Copies the instructions, with this project's filters instead of the operators that could grow without bound. Raw
/// text is emitted like a value, so that it is counted.
fn bounded<'t>(code: &Instructions<'t>) -> Instructions<'t> {
    let all = || (0..).map_while(|at| Some((at, code.get(at)?)));
    // Some instructions become two, so the targets of jumps move.
    let mut places = Vec::new();
    let mut next = 0;
    for (_, instruction) in all() {
        places.push(next);
        next += match instruction {
            Instruction::EmitRaw(_) | Instruction::CompareAndPreserve(_) => 2,
            _ => 1,
        };
    }
    let place = |at: u32| places.get(at as usize).copied().unwrap_or(next);
    let mut out = Instructions::new(code.name(), code.source());
    for (at, instruction) in all() {
        let line = code.get_line(at).and_then(|line| u16::try_from(line).ok()).unwrap_or(0);
        let operator = |name, count| {
            // This number means that the filter is not cached.
            Instruction::ApplyFilter(name, u16::try_from(count).ok(), u8::MAX)
        };
        let new = match instruction {
            Instruction::EmitRaw(text) => {
                out.add_with_line(Instruction::LoadConst(Value::from(*text)), line);
                Instruction::Emit
            }
            Instruction::CompareAndPreserve(_) => {
                // This instruction keeps its second value for the next comparison, so that value is counted first.
                out.add_with_line(operator(bounds::COMPARED, 1), line);
                instruction.clone()
            }
            Instruction::Eq => operator(bounds::EQUAL, 2),
            Instruction::Ne => operator(bounds::UNEQUAL, 2),
            Instruction::Lt => operator(bounds::LESS, 2),
            Instruction::Lte => operator(bounds::LESS_OR_EQUAL, 2),
            Instruction::Gt => operator(bounds::MORE, 2),
            Instruction::Gte => operator(bounds::MORE_OR_EQUAL, 2),
            Instruction::In => operator(bounds::IN, 2),
            Instruction::GetItem => operator(bounds::ITEM, 2),
            Instruction::Slice => operator(bounds::SLICE, 4),
            Instruction::StringConcat => operator(bounds::CONCAT, 2),
            Instruction::Add => operator(bounds::ADD, 2),
            Instruction::Mul => operator(bounds::MULTIPLY, 2),
            Instruction::BuildList(Some(count)) => operator(bounds::LIST, *count),
            Instruction::BuildTuple(Some(count)) => operator(bounds::TUPLE, *count),
            Instruction::BuildMap(count) => operator(bounds::MAP, 2 * count),
            Instruction::Jump(to) => Instruction::Jump(place(*to)),
            Instruction::JumpIfFalse(to) => Instruction::JumpIfFalse(place(*to)),
            Instruction::JumpIfFalseOrPop(to) => Instruction::JumpIfFalseOrPop(place(*to)),
            Instruction::JumpIfTrueOrPop(to) => Instruction::JumpIfTrueOrPop(place(*to)),
            Instruction::Iterate(to) => Instruction::Iterate(place(*to)),
            other => other.clone(),
        };
        out.add_with_line(new, line);
    }
    out
}
