use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::provider::{
    Availability, Consents, Environment, Format, PING_PROMPT, Provider, ProviderKind, TrustError,
    Workdir, ping,
};
use crate::transcript::Alias;

fn built_in() -> Registry {
    Registry::built_in().unwrap()
}

fn user() -> Layer {
    Layer::User(PathBuf::from("/home/rob/providers.yaml"))
}

fn project() -> Layer {
    Layer::Project(PathBuf::from("/project/providers.yaml"))
}

fn open_entry(
    entry: &RegistryEntry,
    env: &Environment,
    project: &str,
) -> Result<Arc<dyn Provider>, TrustError> {
    Ok(Consents::all().trust(entry, env, Path::new(project))?.open(env)?)
}

#[test]
fn usual_programs_are_built_in() {
    let registry = built_in();
    let names: Vec<&str> =
        registry.entries().iter().map(|e| e.definition.common.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "claude-haiku",
            "claude-sonnet",
            "claude-opus",
            "codex",
            "gemini-flash",
            "opencode-deepseek",
            "opencode-pickle",
            "openai",
            "openai-responses",
            "anthropic",
            "google",
            "openrouter",
            "xai",
            "qwen",
            "glm",
            "deepseek",
            "mistral",
            "groq",
            "ollama",
            "mock"
        ]
    );
    for (alias, name) in
        [("claude", "claude-sonnet"), ("gemini", "gemini-flash"), ("opencode", "opencode-deepseek")]
    {
        assert_eq!(registry.find(alias).unwrap().definition.common.name.as_str(), name);
    }
}

#[test]
fn built_in_providers_state_installation_and_price() {
    for entry in built_in().entries() {
        let definition = &entry.definition;
        assert!(definition.common.price.is_some(), "{}", definition.common.name);
        assert!(!definition.common.description.is_empty(), "{}", definition.common.name);
        if let ProviderKind::Command(command) = &definition.kind {
            assert!(command.install.is_some(), "{}", definition.common.name);
            assert_eq!(command.workdir, Workdir::Empty, "{}", definition.common.name);
        }
    }
}

#[test]
fn later_layers_replace_earlier_ones_and_keep_the_order() {
    let mut registry = built_in();
    registry.add("providers: [{name: codex, command: mine}]", user()).unwrap();
    registry
        .add("providers: [{name: codex, command: ours}, {name: new, command: n}]", project())
        .unwrap();
    let codex = registry.find("CODEX").unwrap();
    assert_eq!(codex.origin, project());
    let ProviderKind::Command(command) = &codex.definition.kind else { panic!("no command") };
    assert_eq!((command.line.as_str(), command.output.format), ("ours", Format::Text));
    assert_eq!(registry.entries()[3].definition.common.name.as_str(), "codex");
    assert_eq!(registry.find("new").unwrap().origin.to_string(), "/project/providers.yaml");
    assert_eq!(registry.find("mock").unwrap().origin.to_string(), "built in");
}

#[test]
fn later_alias_wins_and_a_name_wins_over_aliases() {
    let mut registry = built_in();
    registry.add("providers: [{name: x, command: x, aliases: [claude]}]", user()).unwrap();
    assert_eq!(registry.find("claude").unwrap().definition.common.name.as_str(), "x");
    registry.add("providers: [{name: claude, command: y}]", project()).unwrap();
    assert_eq!(registry.find("claude").unwrap().origin, project());
}

#[test]
fn replacement_inherits_aliases_unless_they_are_taken() {
    let named = |texts: &[(&str, Layer)], name: &str| {
        let mut registry = built_in();
        for (text, layer) in texts {
            registry.add(&format!("providers: [{text}]"), layer.clone()).unwrap();
        }
        let found = registry.find(name).unwrap();
        (found.definition.common.name.to_string(), found.origin.clone())
    };
    let own = "{name: claude-sonnet, command: c}";
    let sonnet = |layer| ("claude-sonnet".to_owned(), layer);
    assert_eq!(named(&[(own, user())], "claude"), sonnet(user()));
    assert_eq!(named(&[(own, user()), (own, project())], "claude"), sonnet(project()));
    let more = "{name: claude-sonnet, command: c, aliases: [best]}";
    assert_eq!(named(&[(more, user())], "claude"), sonnet(user()));
    assert_eq!(named(&[(more, user())], "best"), sonnet(user()));
    // Another provider has the alias, in the same file or in the user's file.
    let both = format!("{own}, {{name: x, command: x, aliases: [claude]}}");
    assert_eq!(named(&[(&both, user())], "claude"), ("x".to_owned(), user()));
    let other = "{name: x, command: x, aliases: [claude]}";
    assert_eq!(named(&[(other, user()), (own, project())], "claude"), ("x".to_owned(), user()));
}

#[test]
fn unknown_name_gets_suggestions() {
    let unknown = built_in().find("claude-sonet").unwrap_err();
    assert_eq!(unknown.nearest.first().map(String::as_str), Some("claude-sonnet"));
    assert!(unknown.to_string().contains("did you mean `claude-sonnet`?"));
    let unknown = built_in().find("???").unwrap_err();
    assert_eq!(unknown.to_string(), "there is no provider `???`");
}

#[test]
fn file_of_comments_defines_nothing() {
    let mut registry = built_in();
    for text in ["", "# nothing yet\n", "providers:\n", "providers: []\n"] {
        registry.add(text, user()).unwrap();
    }
    assert_eq!(registry, built_in());
}

#[test]
fn duplicate_name_in_one_file_is_an_error() {
    let mut registry = built_in();
    let before = registry.clone();
    let text = "providers: [{name: a, command: a}, {name: b, command: b, aliases: [a]}]";
    let error = registry.add(text, user()).unwrap_err();
    assert!(error.to_string().contains("`a` names two providers"), "{error}");
    assert!(registry.add("providers: [{name: a}]", user()).is_err());
    assert_eq!(registry, before);
}

#[test]
fn missing_programs_are_reported_with_their_fix() {
    // No service listens at the local model's address.
    let vars = [("PATH", "/nowhere"), ("OLLAMA_HOST", "127.0.0.1:1")];
    let env = Environment::new(vars, None, PathBuf::from("/tmp"));
    let registry = built_in();
    for entry in registry.entries() {
        let provider = open_entry(entry, &env, "/project").unwrap();
        match provider.availability(&env) {
            Availability::Ready { through } => {
                assert_eq!((provider.name().as_str(), through), ("mock", None));
            }
            Availability::Missing { reason, fix } => {
                let known = ["is not on PATH", "is not set", "nothing listens at 127.0.0.1:1"];
                assert!(known.iter().any(|known| reason.contains(known)), "{reason}");
                assert!(fix.contains("install") || fix.contains("https://"), "{fix}");
            }
        }
    }
}

#[tokio::test]
async fn scripts_are_found_beside_the_file_that_names_them() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("play.yaml"), "answers: [{text: OK}]").unwrap();
    let mut registry = built_in();
    let file = folder.path().join("providers.yaml");
    let text = "providers: [{name: play, script: play.yaml}, {name: lost, script: lost.yaml}]";
    registry.add(text, Layer::Project(file)).unwrap();
    let env = Environment::default();
    let play = open_entry(&registry.find("play").unwrap(), &env, "/elsewhere").unwrap();
    let who = Alias::parse("moderator").unwrap();
    let answered = ping(play.as_ref(), who, Duration::from_secs(5)).await.unwrap();
    assert_eq!(answered.reply.text, "OK");
    assert_eq!(PING_PROMPT.lines().count(), 1);
    let Err(error) = open_entry(&registry.find("lost").unwrap(), &env, "/elsewhere") else {
        panic!("a script that is not there was read");
    };
    assert!(error.to_string().contains("lost.yaml"), "{error}");
}

#[test]
fn replacing_definition_states_what_it_replaces() {
    let mut registry = built_in();
    registry.add("providers: [{name: mine, command: m, aliases: [m]}]", user()).unwrap();
    let text = "providers:\n  - {name: mine, command: x, aliases: [claude, codex]}\n  - {name: m, command: y}\n  - {name: new, command: z}\n";
    registry.add(text, project()).unwrap();
    let replaced = |name: &str| {
        let entry = registry.find(name).unwrap();
        let words: Vec<String> = entry.replaces.iter().map(ReplacedDefinition::to_string).collect();
        (entry.line, words.join("; "))
    };
    let mine = "your own `mine` (/home/rob/providers.yaml); the built-in `claude`";
    assert_eq!(replaced("mine"), (2, mine.to_owned()), "`codex` still is the bundled one's name");
    assert_eq!(replaced("m"), (3, "your own `m` (/home/rob/providers.yaml)".to_owned()));
    assert_eq!(replaced("new"), (4, String::new()));
}

#[test]
fn name_mock_is_reserved() {
    for text in [
        "providers:\n  - {name: mock, command: evil}\n",
        "providers:\n  - name: fine\n    command: evil\n    aliases: [MOCK]\n",
        "providers:\n  - {name: mock, builtin: mock}\n",
    ] {
        for layer in [user(), project()] {
            let mut registry = built_in();
            let error = registry.add(text, layer).unwrap_err();
            assert!(error.to_string().contains(":2:5: `mock` is reserved for made-up"), "{error}");
            assert_eq!(registry, built_in());
        }
    }
}

#[test]
fn service_needs_only_its_key_or_an_address_variable() {
    let registry = built_in();
    let ready = |name: &str, vars: &[(&str, &str)]| {
        let env = Environment::new(vars.to_vec(), None, PathBuf::from("/tmp"));
        registry.find(name).unwrap().availability(&env, Path::new("/")).unwrap()
    };
    let through = |url: &str| Availability::Ready { through: Some(url.to_owned()) };
    let key = [("MISTRAL_API_KEY", "k")];
    assert_eq!(ready("mistral", &key), through("https://api.mistral.ai/v1/"));
    assert!(!ready("mistral", &[("MISTRAL_API_KEY", " ")]).is_ready());
    assert!(!ready("openai", &key).is_ready());
    let other = [("OLLAMA_HOST", "https://models.example.org")];
    assert_eq!(ready("ollama", &other), through("https://models.example.org/"));
    let Availability::Missing { reason, .. } = ready("ollama", &[("OLLAMA_HOST", "10.0.0.9")])
    else {
        panic!("words go unencrypted to another machine");
    };
    assert!(reason.contains("use https://"), "{reason}");
}

#[test]
fn provider_can_be_named_with_another_model() {
    let mut registry = built_in();
    let text = "providers:\n  - {name: own, api: openai, url: 'https://a.example/', model: m, price: {input: 1, output: 1}}\n  - {name: tool, command: t}\n";
    registry.add(text, project()).unwrap();
    let found = |name: &str| registry.find(name).map(|entry| entry.into_owned());
    let entry = found("openrouter:deepseek/deepseek-r1").unwrap();
    let ProviderKind::Http(http) = &entry.definition.kind else { panic!("no service") };
    assert_eq!(http.model.as_deref(), Some("deepseek/deepseek-r1"));
    assert_eq!(entry.definition.common.name.as_str(), "openrouter:deepseek/deepseek-r1");
    assert_eq!(entry.definition.common.price, None, "another model costs something else");
    assert!(found("openai:gpt-6.1-sol").unwrap().definition.common.price.is_some());
    assert!(found("google:gemini-3.8-flash").unwrap().definition.common.price.is_some());
    let own = found("own:other").unwrap();
    assert!(own.is_foreign() && own.definition.common.price.is_none());
    for (name, words) in [
        ("claude:opus", "claude -p --model opus "),
        ("codex:gpt-6", "--model gpt-6"),
        ("gemini:gemini-3.8-flash", "--model gemini-3.8-flash "),
        ("opencode:openai/gpt-5.6", "--model openai/gpt-5.6"),
    ] {
        let entry = found(name).unwrap();
        let ProviderKind::Command(command) = &entry.definition.kind else { panic!("no command") };
        assert!(command.line.contains(words), "{}", command.line);
        assert_eq!(entry.definition.common.name.as_str(), name);
    }
    for name in [
        "tool:x",
        "mock:x",
        "openai:",
        "openai:a b",
        "openai:-x",
        "openai:$HOME",
        "openai:a/../b",
        "claude:x;rm",
        "none:x",
        ":x",
        "openai:a\nb",
    ] {
        assert!(found(name).is_err(), "{name}");
    }
}

#[tokio::test]
async fn program_receives_only_the_keys_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let vars = [
        ("PATH", "/usr/bin:/bin"),
        ("OPENAI_API_KEY", "one"),
        ("XAI_API_KEY", "two"),
        ("OWN_KEY", "three"),
        ("OTHER", "four"),
    ];
    let env = Environment::new(vars, None, folder.path().to_owned()).keeping(["OWN_KEY"]);
    let text = "providers:
  - {name: silent, command: env}
  - {name: says, command: env, keys: [XAI_API_KEY]}
  - {name: names, command: \"sh -c 'env # $OWN_KEY'\"}
  - {name: none, command: \"sh -c 'env # $OWN_KEY'\", keys: []}
";
    for (layer, sees) in [
        (user(), [["one", "two", "three"].as_slice(), &["two"], &["one", "two", "three"], &[]]),
        (project(), [&[], &["two"], &["three"], &[]]),
    ] {
        let mut registry = built_in();
        registry.add(text, layer.clone()).unwrap();
        for (name, seen) in ["silent", "says", "names", "none"].into_iter().zip(sees) {
            let provider = open_entry(&registry.find(name).unwrap(), &env, "/project").unwrap();
            let who = Alias::parse("moderator").unwrap();
            let said = ping(provider.as_ref(), who, Duration::from_secs(20)).await.unwrap();
            for value in ["one", "two", "three", "four"] {
                let is_seen =
                    said.reply.text.lines().any(|line| line.ends_with(&format!("={value}")));
                assert_eq!(
                    is_seen,
                    seen.contains(&value) || value == "four",
                    "{layer} {name} {value}"
                );
            }
        }
    }
}
