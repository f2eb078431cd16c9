//! Checks the syntax and the size of an expression when its template is loaded, before any code recurses over it.

use minijinja::machinery::ast::{BinOpKind, CallArg, Expr, Stmt};
use minijinja::machinery::{Token, tokenize};
use minijinja::{Environment, Error, ErrorKind};

use super::bounds;
use super::program::{ProgramForm, Tree};
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
