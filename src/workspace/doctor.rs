//! Finds out what is installed, logged in, configured and trusted, and what is wrong.
//!
//! Programs are asked for their version, never for an answer, and only built-in ones: a command that a project defines
//! is not run. Texts name variables, hosts and files, never their contents, because a report is pasted into issues.

mod programs;

use std::path::Path;
use std::time::Duration;

use tokio::task::JoinSet;

use self::programs::{
    KnownProgram, Login, PROGRAMS, has_variable, is_known_program, login_by_files, runs_program,
    told_login, version,
};
use super::ProviderSettings;
use super::error::WorkspaceError;
use crate::provider::{Availability, Consents, Layer, RegistryEntry, TrustError, run_probe};
use crate::store;
use crate::transcript::visible_line;
use crate::view::{CheckedProvider, Diagnosis, ProviderState};

/// The maximum time for the version or the login of a program. All programs are asked at once.
const PATIENCE: Duration = Duration::from_secs(3);

/// The answers of programs, in the order of [`PROGRAMS`].
#[derive(Default)]
struct Probed {
    git: Option<String>,
    versions: [Option<String>; PROGRAMS.len()],
    logins: [Option<bool>; PROGRAMS.len()],
}

/// One question to a program.
#[derive(Clone, Copy)]
enum ProbeKind {
    Version(usize),
    Login(usize),
}

impl ProviderSettings<'_> {
    /// Finds out what discussions need and use on this machine: git, programs and services of models, files of
    /// configuration, trust and the merge driver. Makes no model call and runs no command that a project defines. Must
    /// be called within a tokio runtime.
    pub async fn diagnose(&self, consents: &Consents) -> Vec<Diagnosis> {
        let probed = self.probe().await;
        let mut all = vec![git(probed.git.as_deref())];
        for (index, program) in PROGRAMS.iter().enumerate() {
            let version = probed.versions[index].as_deref();
            all.extend(self.program(program, version, probed.logins[index]));
        }
        let entries = self.registry().entries().iter();
        let others =
            entries.filter(|entry| !is_known_program(entry) && entry.definition.kind.is_model());
        all.extend(others.map(|entry| self.diagnose_entry(entry, consents)));
        all.extend(self.registry().broken().iter().map(|broken| {
            let name = broken.name.as_deref().unwrap_or("providers.yaml");
            let file = self.shown_path(Path::new(&broken.error.origin));
            let place =
                if broken.error.line > 0 { format!("{file}:{}", broken.error.line) } else { file };
            problem("provider", name, format!("its definition cannot be used: {place}"), None)
        }));
        all.extend(self.configuration());
        all.extend(self.trust_state(consents));
        all.push(self.merge_driver());
        all.into_iter().map(|one| self.printable(one)).collect()
    }

    /// Diagnoses one provider, without a call.
    ///
    /// # Errors
    /// Fails if there is no usable provider of that name; the error contains similar names.
    pub fn diagnose_provider(
        &self,
        name: &str,
        consents: &Consents,
    ) -> Result<Diagnosis, WorkspaceError> {
        let entry = self.registry().find(name)?;
        Ok(self.printable(self.diagnose_entry(&entry, consents)))
    }

    /// Diagnoses all providers, or only the named one, like [`ProviderSettings::ping_providers`].
    ///
    /// # Errors
    /// Fails like [`ProviderSettings::ping_providers`].
    pub async fn diagnose_by_ping(
        &self,
        only: Option<&str>,
        consents: &Consents,
        told: impl FnMut(&[CheckedProvider]),
    ) -> Result<Vec<Diagnosis>, WorkspaceError> {
        let pinged = self.ping_providers(only, consents, told).await?;
        let mut all = Vec::new();
        for (one, entry) in pinged.iter().zip(self.chosen(only)?) {
            let known = self.diagnose_entry(&entry, consents);
            let answers = matches!(one.state, ProviderState::Answers { .. });
            all.push(self.printable(match (one.called_line(), &one.state) {
                (Some(details), _) => {
                    let state = if answers { "answers" } else { "fails" };
                    Diagnosis { state, details, fix: None, answers, ..known }
                }
                (None, ProviderState::Broken { reason }) => {
                    problem(known.topic, &one.name, reason.clone(), None)
                }
                (None, _) => known,
            }));
        }
        Ok(all)
    }

    /// Returns a diagnosis without keys and hidden characters.
    fn printable(&self, one: Diagnosis) -> Diagnosis {
        let line = |text: &str| visible_line(&self.redact(text));
        let (name, details) = (line(&one.name), line(&one.details));
        Diagnosis { name, details, fix: one.fix.map(|fix| line(&fix)), ..one }
    }

    /// Asks all programs at once for their versions and, if necessary, their logins.
    async fn probe(&self) -> Probed {
        let mut asked: Vec<(ProbeKind, Vec<String>)> = Vec::new();
        for (index, program) in PROGRAMS.iter().enumerate() {
            let Some(path) = self.installed(program) else { continue };
            asked.push((ProbeKind::Version(index), vec![path.clone(), program.version.to_owned()]));
            if let Some(status) = program.status
                && login_by_files(program, self.call_environment()) == Login::Unknown
            {
                let words = std::iter::once(path).chain(status.iter().map(|it| (*it).to_owned()));
                asked.push((ProbeKind::Login(index), words.collect()));
            }
        }
        let mut running = JoinSet::new();
        for (kind, words) in asked {
            let Ok(entry) = RegistryEntry::probe(&words) else { continue };
            let trusted =
                Consents::default().trust(&entry, self.call_environment(), self.setup.base());
            let opened =
                trusted.and_then(|it| it.open(self.call_environment()).map_err(TrustError::from));
            let Ok(provider) = opened else { continue };
            running.spawn(async move { (kind, run_probe(provider, PATIENCE).await) });
        }
        let git = tokio::task::spawn_blocking(store::git_version).await.ok().flatten();
        let git = git.and_then(|said| version(&said));
        let mut probed = Probed { git, ..Probed::default() };
        while let Some(done) = running.join_next().await {
            let Ok((kind, said)) = done else { continue };
            match kind {
                ProbeKind::Version(index) => {
                    probed.versions[index] = said.ok().and_then(|said| version(&said));
                }
                ProbeKind::Login(index) => {
                    // Codex tells its login on standard error, so it looks like a failure.
                    probed.logins[index] = told_login(&said.unwrap_or_else(|failed| failed));
                }
            }
        }
        probed
    }

    /// Returns the path of an installed program that a built-in provider runs.
    fn installed(&self, program: &KnownProgram) -> Option<String> {
        match self.availability(program)? {
            Availability::Ready { through } => through,
            Availability::Missing { .. } => None,
        }
    }

    fn availability(&self, program: &KnownProgram) -> Option<Availability> {
        let mut entries = self.registry().entries().iter();
        let entry = entries.find(|entry| runs_program(entry, program.name))?;
        entry.availability(self.call_environment(), self.setup.base()).ok()
    }

    /// Returns the state of a program; `None` if the user replaced all its providers.
    fn program(
        &self,
        program: &KnownProgram,
        version: Option<&str>,
        told: Option<bool>,
    ) -> Option<Diagnosis> {
        let path = match self.availability(program)? {
            Availability::Ready { through } => through.unwrap_or_default(),
            Availability::Missing { fix, .. } => {
                return Some(missing("program", program.name, "not installed", Some(fix)));
            }
        };
        let version =
            version.map_or_else(|| "version unknown".to_owned(), |it| format!("version {it}"));
        let login = match (login_by_files(program, self.call_environment()), told) {
            (Login::Unknown, Some(true)) => Login::In,
            (Login::Unknown, Some(false)) => Login::Out,
            (login, _) => login,
        };
        let (state, words, fix) = match login {
            Login::In => ("ok", "logged in", None),
            Login::NotNeeded => ("ok", "`opencode-pickle` needs no login", None),
            Login::Out => ("problem", "not logged in", Some(program.login.to_owned())),
            Login::Unknown => ("unknown", "login unknown", None),
        };
        let details = format!("{path}, {version}, {words}");
        let (name, answers) = (program.name.to_owned(), login != Login::Out);
        Some(Diagnosis { topic: "program", name, state, details, fix, answers })
    }

    /// Returns the state of a service, or of a provider that the user or the project defines.
    fn diagnose_entry(&self, entry: &RegistryEntry, consents: &Consents) -> Diagnosis {
        let name = entry.definition.common.name.as_str();
        let topic = if entry.origin == Layer::BuiltIn { "service" } else { "provider" };
        let availability = entry.availability(self.call_environment(), self.setup.base());
        let (is_ready, lacking, fix) = match availability {
            Ok(Availability::Ready { .. }) => (true, String::new(), None),
            Ok(Availability::Missing { reason, fix }) => (false, reason, Some(fix)),
            Err(error) => return problem(topic, name, error.to_string(), None),
        };
        if is_ready && !self.covers(entry, consents) {
            let file = entry.origin.to_string();
            let place = format!("{}:{}", self.shown_path(Path::new(&file)), entry.line);
            return untrusted(topic, name, &place);
        }
        let (ready, lacks) = entry.definition.kind.needs(self.call_environment(), &lacking);
        if !is_ready {
            let own = entry.origin != Layer::BuiltIn;
            return if own {
                problem(topic, name, lacks, fix.as_deref())
            } else {
                missing(topic, name, &lacks, fix)
            };
        }
        let is_tested = entry.definition.kind.is_tested(self.call_environment());
        // A login or a key of a user's own provider can only be tested by a call, too.
        let state = if is_tested && topic == "service" { "ok" } else { "unknown" };
        let answers = entry.definition.kind.is_model();
        Diagnosis { topic, name: name.to_owned(), state, details: ready, fix: None, answers }
    }

    /// Returns the files of configuration that exist, and what is wrong with them.
    fn configuration(&self) -> Vec<Diagnosis> {
        let mut all = Vec::new();
        let folders = [
            (self.setup.user_dir.as_deref(), "config.yaml", "your own"),
            (
                self.setup.project.as_ref().map(|it| it.root.as_path()),
                "discussions.yaml",
                "of this project",
            ),
        ];
        for (folder, config, whose) in folders {
            let Some(folder) = folder else { continue };
            for file in [config, "providers.yaml", "participants.yaml", "participants", "templates"]
            {
                let path = folder.join(file);
                if path.exists() {
                    all.push(ok("configuration", &self.shown_path(&path), whose));
                }
            }
        }
        if all.is_empty() {
            all.push(ok(
                "configuration",
                "defaults",
                "no file of configuration; the defaults apply",
            ));
        }
        let personas = self.setup.roster.broken().iter().map(|it| ("participant", &it.error));
        let templates = self.setup.unreadable_templates.iter().map(|it| ("template", &it.error));
        for (topic, error) in personas.chain(templates) {
            let details = format!("cannot be used: line {}", error.line);
            all.push(problem(topic, &error.origin, details, None));
        }
        if let Some(file) = self.ignored_providers() {
            let details = "ignored, because this folder is not a project".to_owned();
            let ignored = ok("configuration", &file, &details);
            all.push(Diagnosis { state: "ignored", ..ignored });
        }
        if let Some(name) = &self.setup.config.providers.default
            && self.registry().find(name).is_err()
        {
            let details = "the default provider of the configuration does not exist".to_owned();
            all.push(problem("provider", name, details, None));
        }
        all.extend(self.unread_keys());
        all
    }

    /// Returns the names of keys that a `.env` of the project sets and the environment does not.
    fn unread_keys(&self) -> Option<Diagnosis> {
        let path = self.setup.base().join(".env");
        let text = store_text(&path)?;
        let known = self.registry().keys();
        let set = |line: &str| {
            let line = line.trim_start();
            let name =
                line.strip_prefix("export ").unwrap_or(line).split_once('=')?.0.trim().to_owned();
            (known.contains(&name) && !self.has_variable(&name)).then_some(name)
        };
        let names: Vec<String> = text.lines().filter_map(set).collect();
        if names.is_empty() {
            return None;
        }
        let details = format!("sets {}, but discussions reads no `.env`", names.join(", "));
        let fix = "set the variable in the environment";
        Some(problem("configuration", &self.shown_path(&path), details, Some(fix)))
    }

    /// Returns the commands that the project defines, beside its providers, and if the user trusts them.
    fn trust_state(&self, consents: &Consents) -> Vec<Diagnosis> {
        let brought = self.brought_along();
        let providers: Vec<&str> =
            self.registry().entries().iter().map(|it| it.definition.common.name.as_str()).collect();
        let mut all = Vec::new();
        for one in brought.foreign {
            let place = format!("{}:{}", one.file, one.line);
            if consents.covers(&one.fingerprint) {
                all.push(ok("trust", &one.provider, &format!("you trust it: {place}")));
            } else if !providers.contains(&one.provider.as_str()) {
                all.push(untrusted("trust", &one.provider, &place));
            }
        }
        if !brought.broken.is_empty() {
            let details = "a command of this project cannot be read".to_owned();
            all.push(problem("trust", "project", details, None));
        }
        all
    }

    fn merge_driver(&self) -> Diagnosis {
        let name = "merge driver";
        let own = self.output_directory();
        let folder = if own.is_dir() { &own } else { &self.setup.cwd };
        if self.lacks_merge_driver(None) {
            let details = "this clone lacks it, so comments of two branches will conflict";
            return problem("mergeDriver", name, details.to_owned(), None);
        }
        match store::has_merge_driver(folder) {
            None => ok("mergeDriver", name, "not needed: this folder is in no git repository"),
            Some(true) => ok("mergeDriver", name, "git merges discussions by comments"),
            Some(false) => {
                missing("mergeDriver", name, "git merges discussions line by line here", None)
            }
        }
    }

    fn has_variable(&self, name: &str) -> bool {
        has_variable(self.call_environment(), name)
    }
}

/// The maximum size of a `.env` that is read, in bytes.
const LARGEST_ENV: usize = 64 * 1024;

/// Returns the beginning of a small text file, if there is one.
fn store_text(path: &Path) -> Option<String> {
    let place = crate::boundary::ProjectPlace::follow(path);
    store::beginning(&place, LARGEST_ENV).ok().flatten()
}

fn ok(topic: &'static str, name: &str, details: &str) -> Diagnosis {
    let (name, details) = (name.to_owned(), details.to_owned());
    Diagnosis { topic, name, state: "ok", details, fix: None, answers: false }
}

fn missing(topic: &'static str, name: &str, details: &str, fix: Option<String>) -> Diagnosis {
    Diagnosis { fix, state: "missing", ..ok(topic, name, details) }
}

fn problem(topic: &'static str, name: &str, details: String, fix: Option<&str>) -> Diagnosis {
    Diagnosis { fix: fix.map(str::to_owned), state: "problem", ..ok(topic, name, &details) }
}

fn untrusted(topic: &'static str, name: &str, place: &str) -> Diagnosis {
    let details = format!("this project defines it in {place}, and you do not trust it");
    Diagnosis { state: "untrusted", ..ok(topic, name, &details) }
}

fn git(version: Option<&str>) -> Diagnosis {
    match version {
        Some(version) => ok("git", "git", &format!("version {version}")),
        None => problem(
            "git",
            "git",
            "does not answer, so there is no history and no merge driver".to_owned(),
            Some("install git"),
        ),
    }
}
