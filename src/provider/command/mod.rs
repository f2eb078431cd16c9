//! Programs as providers: the prompt goes to standard input, the answer comes from standard output.

mod definition;
mod folder;
mod group;
mod guard;
mod program;
mod report;
mod session;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use tokio::time::Instant;

pub(crate) use self::definition::{CommandDefinition, DEFAULT_OUTPUT_LIMIT, Tools, Workdir};
use self::folder::create_folder;
use self::group::{CommandGroup, MARK, new_mark};
pub(crate) use self::guard::{ProcessGuard, guard_calls};
use self::program::{find_program, words};
use self::session::Session;
use super::kind::Folders;
use super::output::LiveOutput;
use super::sanitize_output::{PlainText, SecretRedactor};
use super::{
    Availability, CallContext, CallError, CallFuture, Environment, FailureCode, Provider,
    ProviderName, Reply, Request, ToolPermissions,
};
use crate::store::TemporaryFolder;

/// A program that answers prompts.
#[derive(Debug)]
pub(super) struct Command {
    name: ProviderName,
    definition: CommandDefinition,
    env: Environment,
    project: PathBuf,
    base: PathBuf,
}

impl Command {
    /// Creates the provider from a definition. A program path with a slash is relative to the base folder.
    pub(super) fn new(
        name: ProviderName,
        definition: CommandDefinition,
        env: &Environment,
        Folders { project, base }: Folders<'_>,
    ) -> Self {
        let env = env.clone();
        Self { name, definition, env, project: project.to_owned(), base: base.to_owned() }
    }

    async fn ask(&self, request: Request<'_>) -> Result<Reply, CallError> {
        let deadline = Instant::now() + request.deadline;
        let definition = self.definition.reaching(request.context.reach);
        let env = self.env.clone().with(definition.variables(&self.project));
        let env = env.with(context_vars(request.context));
        let env = if request.context.reach.look {
            env.with([("DISCUSSIONS_PROJECT", self.project.as_os_str())])
        } else {
            env
        };
        let mark = new_mark();
        let env = env.with([(MARK, mark.as_str())]);
        let (program, args) = self.program(&definition.line_for_limit(request.usd), &env)?;
        // Keeps the folder until the call ends: dropping it deletes the folder.
        let mut empty = None;
        let folder = match definition.workdir {
            Workdir::Project => self.project.as_path(),
            Workdir::Empty => empty.insert(self.empty_folder(&program)?).path(),
        };
        let guard = self.env.guard();
        if let Some(guard) = guard {
            guard.start();
        }
        let group = CommandGroup::start(&program, &args, env.vars(), folder)
            .map_err(|error| cannot_start(&program, &error))?;
        let _watched = guard.map(|guard| guard.watch(group.id()));
        let session =
            Session::new(group, [&request.prefix, request.tail], self.definition.output_limit)
                .ok_or_else(|| {
                    CallError::new(
                        FailureCode::CannotStart,
                        "its standard streams could not be opened",
                    )
                })?;
        let mut text = PlainText::default();
        let mut live = LiveOutput::new(&self.definition.output);
        let mut hidden = SecretRedactor::of(&env);
        // JSON may spell a key in other ways, so its texts are redacted again after they are decoded.
        let mut decoded = SecretRedactor::of(&env);
        let heard = |bytes: &[u8]| {
            let piece = live.push(&text.push(&hidden.push(bytes)));
            let piece = decoded.push_text(&piece);
            if let Some(on_text) = request.on_text.filter(|_| !piece.is_empty()) {
                on_text(&piece);
            }
            request.longest.is_none_or(|longest| !live.is_full(longest))
        };
        let mut run = session.run(deadline, &mark, heard).await;
        run.stdout = hidden.hide(run.stdout);
        run.stderr = hidden.hide(run.stderr);
        let reported = report::report(&self.name, &self.definition, &request, run);
        redacted(reported, &hidden)
    }

    /// Returns the program and its arguments.
    fn program(
        &self,
        line: &str,
        env: &Environment,
    ) -> Result<(PathBuf, Vec<OsString>), CallError> {
        let missing = |reason: String, fix: String| {
            CallError::new(FailureCode::NotInstalled, format!("{reason}; {fix}"))
        };
        let mut words = words(line, env)
            .map_err(|error| CallError::new(FailureCode::Misconfigured, error.to_string()))?
            .into_iter();
        let first = words.next().unwrap_or_default();
        let first = first.to_string_lossy();
        match find_program(&first, &self.base, env) {
            Some(program) => Ok((program, words.collect())),
            None => {
                let (reason, fix) = self.missing(&first);
                Err(missing(reason, fix))
            }
        }
    }

    fn empty_folder(&self, program: &Path) -> Result<TemporaryFolder, CallError> {
        create_folder(&self.env, &self.project, program).map_err(|error| {
            let own = self.env.own_folder().display();
            let message = format!("cannot create an empty folder in {own}: {error}");
            CallError::new(FailureCode::CannotStart, message)
        })
    }

    fn missing(&self, program: &str) -> (String, String) {
        let fix = match &self.definition.install {
            Some(install) => install.clone(),
            None => format!(
                "install it, or fix `command` of provider `{}` in providers.yaml",
                self.name
            ),
        };
        let place = if program.contains(std::path::is_separator) {
            "is not a program"
        } else if self.env.skips_project() {
            "is not on PATH (folders of the project and relative ones do not count)"
        } else {
            "is not on PATH"
        };
        (format!("`{program}` {place}"), fix)
    }
}

impl Provider for Command {
    fn name(&self) -> &ProviderName {
        &self.name
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(self.ask(request))
    }

    fn availability(&self, env: &Environment) -> Availability {
        let definition = self.definition.reaching(ToolPermissions::default());
        let env = env.clone().with(&definition.env);
        let first = words(&definition.line, &env).ok().and_then(|words| words.into_iter().next());
        let first = first.unwrap_or_default();
        let first = first.to_string_lossy();
        match find_program(&first, &self.base, &env) {
            Some(program) => {
                Availability::Ready { through: Some(program.to_string_lossy().into_owned()) }
            }
            None => {
                let (reason, fix) = self.missing(&first);
                Availability::Missing { reason, fix }
            }
        }
    }
}

/// Returns the result of a call without keys.
fn redacted(result: Result<Reply, CallError>, hidden: &SecretRedactor) -> Result<Reply, CallError> {
    let plain = |text: String| hidden.redact(&text).into_owned();
    match result {
        Ok(reply) => Ok(Reply {
            text: plain(reply.text),
            model: reply.model.map(plain),
            finish: reply.finish.map(plain),
            warnings: reply.warnings.into_iter().map(plain).collect(),
            ..reply
        }),
        Err(error) => Err(CallError { message: plain(error.message), ..error }),
    }
}

/// Returns the variables that tell the program about the call.
fn context_vars(context: &CallContext) -> Vec<(&'static str, OsString)> {
    let mut vars = vec![
        ("DISCUSSIONS_PARTICIPANT", context.participant.as_str().into()),
        ("DISCUSSIONS_PHASE", context.phase.as_str().into()),
        ("DISCUSSIONS_TURN", context.turn.to_string().into()),
        ("DISCUSSIONS_FILE", context.file.as_os_str().to_owned()),
    ];
    if let Some(temperature) = context.temperature {
        vars.push(("DISCUSSIONS_TEMPERATURE", temperature.to_string().into()));
    }
    vars
}

fn cannot_start(program: &Path, error: &io::Error) -> CallError {
    let mut failure = CallError::new(
        FailureCode::CannotStart,
        format!("cannot start `{}`: {error}", program.display()),
    );
    // Too many processes, or a program that is being replaced: both are temporary.
    failure.retryable =
        matches!(error.kind(), io::ErrorKind::ExecutableFileBusy | io::ErrorKind::WouldBlock);
    failure
}

#[cfg(test)]
mod tests;
