//! The language of expressions: their syntax and size are checked when a template is loaded, before any code recurses
//! over them. Then bounded operators replace those that can make large values.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use minijinja::machinery::ast::{self, BinOpKind, CallArg, Expr, Stmt};
use minijinja::machinery::{
    CodeGenerator, Instruction, Instructions, Token, eval, make_string_output, parse, parse_expr,
    tokenize,
};
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, Error, ErrorKind};

use super::bounds;
use crate::similarity::suggest;

/// The maximum number of words, numbers, texts and symbols in one expression; each can add at most one level of
/// nesting.
const TOKENS: usize = 1_000;
/// The most `{% %}` tags in one text.
const TAGS: usize = 500;
/// The maximum number of branches of one `{% if %}`; MiniJinja nests them.
const BRANCHES: usize = 50;
/// The maximum number of bytes of one text: MiniJinja counts lines and columns in 16 bits and panics if they overflow.
const BYTES: usize = u16::MAX as usize;

fn refusal_error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::SyntaxError, message.into())
}

/// Checks that a text may be compiled and evaluated.
pub(super) fn check(
    environment: &Environment<'_>,
    form: ProgramForm,
    text: &str,
) -> Result<(), Error> {
    length(form, text)?;
    let check = ExpressionChecker(environment);
    match Tree::of(form, text)? {
        Tree::Expression(tree) => check.expression(&tree),
        Tree::Template(tree) => check.statement(&tree),
    }
}

/// Bounds the input before the recursive parser reads it.
fn length(form: ProgramForm, text: &str) -> Result<(), Error> {
    if text.len() > BYTES {
        return Err(refusal_error(format!("it is longer than {BYTES} bytes")));
    }
    let (mut tokens, mut tags, mut branches) = (0, 0, 0);
    let mut first = false;
    for token in tokenize(text, form == ProgramForm::Expression, super::syntax()) {
        match token?.0 {
            Token::TemplateData(_) | Token::VariableStart | Token::VariableEnd => tokens = 0,
            Token::BlockStart => {
                (tokens, first) = (0, true);
                tags += 1;
                continue;
            }
            Token::Ident("elif") if first => branches += 1,
            _ => tokens += 1,
        }
        first = false;
        if tokens > TOKENS {
            return Err(refusal_error(format!(
                "the expression is too long: more than {TOKENS} words and signs; move parts of it to `let`"
            )));
        }
        if tags > TAGS || branches > BRANCHES {
            return Err(refusal_error(format!(
                "it is too long: more than {TAGS} tags, or {BRANCHES} `elif`"
            )));
        }
    }
    Ok(())
}

/// A visitor of a syntax tree of bounded depth.
struct ExpressionChecker<'e>(&'e Environment<'e>);

impl ExpressionChecker<'_> {
    fn statement(&self, statement: &Stmt<'_>) -> Result<(), Error> {
        let all = |body: &[Stmt<'_>]| body.iter().try_for_each(|stmt| self.statement(stmt));
        let other = match statement {
            Stmt::Template(template) => return all(&template.children),
            Stmt::EmitRaw(_) => return Ok(()),
            Stmt::EmitExpr(emit) => return self.expression(&emit.expr),
            Stmt::IfCond(cond) => {
                self.expression(&cond.expr)?;
                all(&cond.true_body)?;
                return all(&cond.false_body);
            }
            Stmt::ForLoop(each) if !each.recursive => {
                self.expression(&each.iter)?;
                each.filter_expr.iter().try_for_each(|expr| self.expression(expr))?;
                all(&each.body)?;
                return all(&each.else_body);
            }
            Stmt::Set(set) if !matches!(set.target, Expr::GetAttr(_)) => {
                return self.expression(&set.expr);
            }
            Stmt::WithBlock(with) => {
                with.assignments.iter().try_for_each(|(_, expr)| self.expression(expr))?;
                return all(&with.body);
            }
            Stmt::ForLoop(_) => "a recursive `for`",
            Stmt::Set(_) => "`set` of an attribute",
            Stmt::SetBlock(_) => "a `set` block",
            Stmt::AutoEscape(_) => "`autoescape`",
            Stmt::FilterBlock(_) => "`filter`",
            Stmt::Do(_) => "`do`",
        };
        Err(refusal_error(format!(
            "{other} is not allowed in a template; use only `for`, `if`, `set` and `with`"
        )))
    }

    fn expression(&self, expression: &Expr<'_>) -> Result<(), Error> {
        let each = |exprs: &[&Expr<'_>]| exprs.iter().try_for_each(|expr| self.expression(expr));
        let all = |exprs: &[Expr<'_>]| exprs.iter().try_for_each(|expr| self.expression(expr));
        match expression {
            Expr::Var(_) | Expr::Const(_) => Ok(()),
            Expr::Slice(slice) => {
                self.expression(&slice.expr)?;
                let ends = [&slice.start, &slice.stop, &slice.step];
                ends.into_iter().flatten().try_for_each(|expr| self.expression(expr))
            }
            Expr::UnaryOp(op) => self.expression(&op.expr),
            Expr::BinOp(op) => {
                each(&[&op.left, &op.right])?;
                // The product of two constants is computed at compile time, not by the bounded operator.
                let text = |side: &Expr<'_>| side.as_const().is_some_and(|side| !side.is_number());
                match op.op {
                    BinOpKind::Mul if text(&op.left) || text(&op.right) => {
                        Err(refusal_error(bounds::NUMBERS))
                    }
                    _ => Ok(()),
                }
            }
            Expr::Compare(compare) => {
                self.expression(&compare.expr)?;
                compare.ops.iter().try_for_each(|op| self.expression(&op.expr))
            }
            Expr::IfExpr(cond) => {
                each(&[&cond.test_expr, &cond.true_expr])?;
                cond.false_expr.iter().try_for_each(|expr| self.expression(expr))
            }
            Expr::Filter(filter) => {
                ensure_known("filter", filter.name, bounds::filters())?;
                filter.expr.iter().try_for_each(|expr| self.expression(expr))?;
                self.arguments(&filter.args)
            }
            Expr::Test(test) => {
                self.expression(&test.expr)?;
                self.arguments(&test.args)
            }
            Expr::GetAttr(get) => self.expression(&get.expr),
            Expr::GetItem(get) => each(&[&get.expr, &get.subscript_expr]),
            Expr::Call(call) => {
                let globals: Vec<(&str, _)> = self.0.globals().collect();
                let Expr::Var(callee) = &call.expr else {
                    return Err(refusal_error("only functions can be called, not methods"));
                };
                ensure_known("function", callee.id, globals.iter().map(|(name, _)| *name))?;
                self.arguments(&call.args)
            }
            Expr::List(list) => all(&list.items),
            Expr::Tuple(tuple) => all(&tuple.items),
            Expr::Map(map) => {
                all(&map.keys)?;
                all(&map.values)
            }
        }
    }

    fn arguments(&self, arguments: &[CallArg<'_>]) -> Result<(), Error> {
        arguments.iter().try_for_each(|argument| match argument {
            CallArg::Pos(expr) | CallArg::Kwarg(_, expr) => self.expression(expr),
            CallArg::PosSplat(_) | CallArg::KwargSplat(_) => {
                Err(refusal_error("`*` and `**` are not allowed before an argument"))
            }
        })
    }
}

/// Checks that a function, filter or test is one of the bounded ones.
fn ensure_known<'k>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'k str> + Clone,
) -> Result<(), Error> {
    if known.clone().any(|known| known == name) {
        return Ok(());
    }
    let known: Vec<&str> = known.collect();
    Err(refusal_error(match suggest(name, known.iter().copied()).first() {
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{name}`; known: {}", known.join(", ")),
    }))
}

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
enum Tree<'t> {
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
        check(environment, form, text)?;
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
                // A chained comparison (`a < b < c`) reads `b` again, so count the size of `b`
                // before the comparison.
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
