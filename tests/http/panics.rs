//! A panic of the program during a call: the output contains no key, even with a backtrace.

use std::process::Command;
use std::sync::{Arc, Mutex};

use discussions::provider::{
    Availability, CallFuture, Environment, Provider, ProviderName, Request,
};
use discussions::runner::{Abort, RunOptions, Runner};

use super::fake::{Fake, stream};
use super::recordings::CHAT;
use super::{KEY, provider};
use crate::finished_run::{TWO, new};
use crate::project::Project;

/// Set in the process that panics.
const BREAKS: &str = "DISCUSSIONS_TEST_BREAKS";

/// Calls a service with a key; the program panics at its first words.
struct Breaks {
    name: ProviderName,
    service: Arc<dyn Provider>,
}

impl Provider for Breaks {
    fn name(&self) -> &ProviderName {
        &self.name
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            let broken = |text: &str| panic!("it broke at {text:?}");
            self.service.call(Request { on_text: Some(&broken), ..request }).await
        })
    }

    fn availability(&self, _: &Environment) -> Availability {
        Availability::Ready { through: None }
    }
}

/// The process that panics; without the variable it does nothing.
#[tokio::test]
async fn panics_when_the_variable_is_set() {
    if std::env::var_os(BREAKS).is_none() {
        return;
    }
    let fake = Fake::repeating(stream(CHAT, 7));
    let definition = format!(
        "{{name: own, api: openai, model: m, url: '{}', key: PLANTED_KEY, retries: 0}}",
        fake.url()
    );
    let name = ProviderName::parse("own").unwrap();
    let breaks = Breaks { name, service: provider(&definition) };
    let project = Project::new();
    let path = project.create(&new("synthesis", &TWO, &[]));
    let runner = Runner::new(project.workspace()).with_provider(Arc::new(breaks));
    let options = RunOptions { provider: Some("own".into()), ..RunOptions::next_turn() };
    let events = Mutex::new(String::new());
    let mut note = |event| events.lock().unwrap().push_str(&format!("{event:?}\n"));
    let report = runner.execute(&path, &options, &mut note, Abort::never()).await;
    assert!(fake.requests()[0].raw.contains(KEY), "the service was shown it");
    let (file, report) = (project.read(&path), format!("{report:?}"));
    assert!(file.contains("internal error during the call"), "{file}");
    for text in [&file, &report, &*events.lock().unwrap()] {
        assert!(!text.contains(KEY), "{text}");
    }
    println!("recorded");
}

#[test]
fn panic_output_contains_no_key() {
    for backtrace in ["1", "full"] {
        let ran = Command::new(std::env::current_exe().unwrap())
            .args(["http::panics::panics_when_the_variable_is_set", "--exact", "--nocapture"])
            .env(BREAKS, "1")
            .env("RUST_BACKTRACE", backtrace)
            .output()
            .unwrap();
        let said = [ran.stdout, ran.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
        let said = said.concat();
        assert!(ran.status.success() && said.contains("recorded"), "{said}");
        assert!(said.contains("it broke at") && said.contains("stack backtrace"), "{said}");
        assert!(!said.contains(KEY), "{said}");
    }
}
