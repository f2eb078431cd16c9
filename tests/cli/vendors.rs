//! Vendors of participants, if the user chose no provider.

use serde_json::json;

use super::mended::costs_of;
use super::panel::panel;
use super::scenario::Scenario;

/// Installs the programs of two bundled vendors.
fn two_vendors() -> Scenario {
    let says = "#!/bin/sh\ncat > /dev/null\necho \"$(basename \"$0\") $DISCUSSIONS_PARTICIPANT\" >> \"$CALLS\"\n";
    let claude = format!(
        "{says}printf '{{\"is_error\":false,\"result\":\"Yes.\",\"usage\":{{\"input_tokens\":1,\"output_tokens\":1}}}}'\n"
    );
    let gemini = format!(
        "{says}printf '{{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"Yes.\"}}\\n{{\"type\":\"result\"}}\\n'\n"
    );
    panel()
        .program("claude", &claude)
        .program("gemini", &gemini)
        .file("discussions.yaml", "author: Rob\n")
        .file("providers.yaml", "")
}

#[test]
fn participants_get_different_vendors_by_default() {
    let scenario = two_vendors();
    let args =
        ["discuss", "Ship?", "-r", "1", "--set", "objections=0", "--set", "review=false", "--json"];
    let run = scenario.discussions(&args).code(0);
    let by = run.json();
    let by = costs_of(&by);
    assert_eq!(
        (&by["claude-sonnet"]["calls"], &by["gemini-flash"]["calls"]),
        (&json!(2), &json!(2)),
        "{by}"
    );
    run.notes(
        "note: providers: gemini-flash for architect, pragmatist; claude-sonnet for security, moderator",
    );
    // The user's own choice of a provider applies, without a note.
    let chosen = [&args[..], &["--provider", "claude"]].concat();
    let run = scenario.discussions(&chosen).code(0);
    assert_eq!(costs_of(&run.json())["claude-sonnet"]["calls"], 4);
    assert!(!run.stderr().contains("who speaks"), "{}", run.stderr());
}

#[test]
fn failed_vendor_is_replaced_unless_the_user_named_it() {
    let scenario = two_vendors()
        .program("gemini", "#!/bin/sh\ncat > /dev/null\necho 'quota exceeded' >&2\nexit 1\n");
    let result = scenario
        .discussions(&[
            "discuss",
            "Ship?",
            "-r",
            "1",
            "--set",
            "objections=0",
            "--set",
            "review=false",
            "--json",
        ])
        .code(0)
        .json();
    assert_eq!(result["failedProviders"], json!([]));
    assert_eq!(costs_of(&result)["gemini-flash"]["calls"], 2, "{}", costs_of(&result));
    assert_eq!(costs_of(&result)["claude-sonnet"]["calls"], 4);
    // If the user names a provider, no other one is called.
    let args = ["discuss", "Ship?", "-r", "1", "--provider", "gemini", "--json"];
    scenario.discussions(&args).with_warnings().code(4);
}
