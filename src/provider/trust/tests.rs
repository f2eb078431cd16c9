use std::fs;

#[cfg(all(unix, not(discussions_portable)))]
use super::ledger::Ledger;
use super::*;
use crate::provider::{Registry, TrustError};
#[cfg(all(unix, not(discussions_portable)))]
use crate::view::Consent;

/// Returns the entry `own` of a project with this `providers.yaml`.
fn entry(folder: &Path, text: &str) -> RegistryEntry {
    let mut registry = Registry::built_in().unwrap();
    registry.add(text, Layer::Project(folder.join("providers.yaml"))).unwrap();
    registry.find("own").unwrap().into_owned()
}

fn foreign(folder: &Path, text: &str) -> ForeignDefinition {
    entry(folder, text).foreign(&Environment::default(), folder).unwrap().unwrap()
}

#[test]
fn project_definition_needs_trust_in_its_exact_text() {
    let folder = tempfile::tempdir().unwrap();
    let (env, root) = (Environment::default(), folder.path());
    let own = entry(root, "providers: [{name: own, command: x}]");
    let mut consents = Consents::default();
    let refused = consents.trust(&own, &env, root).unwrap_err();
    assert!(matches!(refused, TrustError::NotTrusted(NotTrusted { line: 1, .. })), "{refused}");
    consents.agree(foreign(root, "providers: [{name: own, command: y}]").fingerprint.as_str());
    assert!(consents.trust(&own, &env, root).is_err(), "consent to something else");
    consents.agree(foreign(root, "providers: [{name: own, command: x}]").fingerprint.as_str());
    assert!(consents.trust(&own, &env, root).unwrap().open(&env).is_ok());
    let built_in = Registry::built_in().unwrap();
    for entry in built_in.entries() {
        assert!(
            Consents::default().trust(entry, &env, root).is_ok(),
            "{}",
            entry.definition.common.name
        );
    }
}

#[test]
fn script_is_opened_in_the_trusted_version() {
    let folder = tempfile::tempdir().unwrap();
    let (env, root) = (Environment::default(), folder.path());
    let (script, text) = (root.join("s.yaml"), "providers: [{name: own, script: s.yaml}]");
    fs::write(&script, "answers: [{text: good}]").unwrap();
    let mut consents = Consents::default();
    consents.agree(foreign(root, text).fingerprint.as_str());
    let trusted = consents.trust(&entry(root, text), &env, root).unwrap();
    fs::write(&script, "no script at all: [").unwrap();
    assert!(trusted.open(&env).is_ok(), "what was read is what is opened");
    assert!(consents.trust(&entry(root, text), &env, root).is_err());
}

#[test]
fn every_part_of_a_definition_changes_the_fingerprint() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let text = "providers: [{name: own, command: a b}]";
    let mut seen = BTreeSet::from([foreign(folders[0].path(), text).fingerprint]);
    assert!(seen.insert(foreign(folders[1].path(), text).fingerprint), "another folder");
    for other in [
        "{name: own, command: a 'b '}",
        "{name: own, script: a b}",
        "{name: own, command: a b, env: {A: b}}",
        "{name: own, command: a b, env: {A: b, B: \"\"}}",
        "{name: own, command: a b, workdir: project}",
        "{name: own, command: a b, aliases: [claude]}",
        "{name: own, command: a b, timeout: 60s}",
        "{name: own, command: a b, price: {input: 0, output: 0}}",
        "{name: own, command: a b, output: {format: json, text: /a}}",
        "{name: own, command: a b, output: {format: json, text: /a, error: /b}}",
        "{name: own, command: a b, output: {format: json, text: /a, usage: {input: /b}}}",
    ] {
        fs::write(folders[0].path().join("a b"), "answers: []").unwrap();
        let fingerprint = foreign(folders[0].path(), &format!("providers: [{other}]")).fingerprint;
        assert!(seen.insert(fingerprint), "{other}");
    }
    let spelled = "# A comment\nproviders:\n  - command: &x a b\n    name: OWN\n    retries: 2\n";
    let same = foreign(folders[0].path(), spelled).fingerprint;
    assert!(!seen.insert(same), "other words for the same are the same");
}

/// Another user can create the folder of decisions first, if it is in a shared folder. Only root can make such a folder
/// for a test.
#[test]
#[cfg(all(unix, not(discussions_portable)))]
fn decisions_of_another_user_do_not_count() {
    use std::os::unix::fs::chown;
    let state = tempfile::tempdir().unwrap();
    let ledger = Ledger::in_folder(state.path());
    let consent = Consent {
        fingerprint: "a1".to_owned(),
        provider: "own".to_owned(),
        project: "/p".to_owned(),
        runs: "x".to_owned(),
        at: "2026-11-29T10:00:00Z".to_owned(),
    };
    ledger.keep(&consent).unwrap();
    assert!(ledger.has("a1").unwrap());
    let folder = ledger.sibling_folder("trusted");
    if chown(folder.join("a1.json"), Some(65534), None).is_err() {
        return;
    }
    assert!(!ledger.has("a1").unwrap(), "a file of another user");
    assert_eq!(ledger.list().unwrap(), []);
    ledger.keep(&consent).unwrap();
    assert!(ledger.has("a1").unwrap(), "the user's decision replaces it");
    for given_away in [folder.as_path(), state.path()] {
        chown(given_away, Some(65534), None).unwrap();
        assert!(matches!(ledger.has("a1"), Err(LedgerError::Unsafe { .. })));
        assert!(ledger.keep(&consent).is_err() && ledger.list().is_err());
        chown(given_away, Some(0), None).unwrap();
    }
    assert!(ledger.has("a1").unwrap());
}
