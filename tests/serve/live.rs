//! Live updates: changes of the file for all readers, growing answers beside it, and nothing lost for readers who
//! disconnect and return.

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

use super::server::Server;
use crate::cli::Scenario;
use crate::http::fake::{END, Fake, HEAD, Step, chunk};
use crate::http::recordings::CHAT;

/// A discussion with this service as its provider.
fn scenario(fake: &Fake) -> Scenario {
    let text = format!(
        "providers:\n  - {{name: own, api: openai, model: m, url: '{}', retries: 0}}\n",
        fake.url()
    );
    let scenario = Scenario::new().file("providers.yaml", &text);
    scenario.discussions(&["init"]).code(0);
    scenario.discussions(&["new", "Caching", "-p", "architect,security"]).code(0);
    scenario
}

/// A service that sends the beginning, and the rest when the test says so.
fn in_two_parts() -> (Fake, Sender<()>) {
    let (go, wait) = channel();
    let wait = Mutex::new(Some(wait));
    let fake = Fake::new(move |_, _| {
        let at = CHAT.find("first.").unwrap();
        let (first, rest) = CHAT.split_at(CHAT[..at].rfind("\n\n").unwrap() + 2);
        let begin = [HEAD.as_bytes().to_vec(), chunk(first)].concat();
        let end = Step::Send([chunk(rest), END.as_bytes().to_vec()].concat());
        match wait.lock().unwrap().take() {
            Some(wait) => vec![Step::Send(begin), Step::Await(wait), end],
            None => vec![Step::Send(begin), end],
        }
    });
    (fake, go)
}

#[test]
fn two_tabs_see_changes_by_each_other_and_an_editor() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    let mut tabs =
        [server.events("/d/caching/events", None), server.events("/d/caching/events", None)];
    for tab in &mut tabs {
        tab.until("panel");
    }
    server.post("/d/caching/comments", "author=Ann&text=From+one+tab.").is(303);
    for tab in &mut tabs {
        assert!(tab.block("From one tab.").data["id"].as_str() == Some("c1"));
    }
    // Like an editor: a new file replaces the old one.
    let edited = scenario.read("discussions/caching.md") + "\nName: Ben\n\nBy hand.\n\n---\n";
    scenario.write("discussions/beside", edited.as_bytes());
    std::fs::rename(scenario.path("discussions/beside"), scenario.path("discussions/caching.md"))
        .unwrap();
    for tab in &mut tabs {
        tab.block("By hand.");
    }
    scenario.discussions(&["comment", "caching", "From a terminal."]).code(0);
    server
        .api("POST", "/api/discussions/caching/comments", r#"{"text": "From a program."}"#)
        .is(200);
    for tab in &mut tabs {
        tab.block("From a terminal.");
        tab.block("From a program.");
    }
    // A change of older text shows the whole discussion again.
    scenario.write("discussions/caching.md", edited.replace("By hand.", "Otherwise.").as_bytes());
    for tab in &mut tabs {
        tab.until("rewritten");
    }
    let page = server.get("/d/caching").body;
    assert!(page.contains("Otherwise.") && !page.contains("By hand."), "{page}");
}

#[test]
fn growing_answer_is_replaced_by_the_recorded_one() {
    let (fake, go) = in_two_parts();
    let scenario = scenario(&fake);
    let server = Server::open(&scenario, &["--provider", "own"]);
    let mut tab = server.events("/d/caching/events", None);
    tab.until("panel");
    let path = "/api/discussions/caching/turn";
    server.api("POST", path, r#"{"who": ["architect"]}"#).is(200);
    server.api("POST", path, r#"{"who": ["security"]}"#).is(409);
    let begins = tab.until("answer");
    assert_eq!((begins.data["name"].as_str(), begins.id), (Some("AI-Architect"), None));
    assert_eq!(tab.until("chunk").data["text"], "Café ");
    // A new reader sees the text so far.
    let mut late = server.events("/d/caching/events", None);
    assert_eq!(late.until("answer").data["text"], "Café ");
    assert!(!server.get("/d/caching").body.contains("Café"), "only a whole answer stands there");
    go.send(()).unwrap();
    for tab in [&mut tab, &mut late] {
        let (mut is_over, mut is_there) = (false, false);
        while !(is_over && is_there) {
            let told = tab.next().unwrap();
            match told.name.as_str() {
                "over" => {
                    assert_eq!((told.data["recorded"].as_bool(), told.id), (Some(true), None));
                    is_over = true;
                }
                "block" if told.data["id"] == "c1" => {
                    assert!(told.data["html"].as_str().unwrap().contains("Café first."));
                    assert!(told.id.is_some());
                    is_there = true;
                }
                _ => {}
            }
        }
    }
}

#[test]
fn text_of_a_failing_call_is_withdrawn() {
    let at = CHAT.find("first.").unwrap();
    let begin =
        [HEAD.as_bytes().to_vec(), chunk(&CHAT[..CHAT[..at].rfind("\n\n").unwrap() + 2])].concat();
    let fake = Fake::repeating(begin);
    let scenario = scenario(&fake);
    let server = Server::open(&scenario, &["--provider", "own"]);
    let mut tab = server.events("/d/caching/events", None);
    tab.until("panel");
    server.api("POST", "/api/discussions/caching/turn", r#"{"who": ["architect"]}"#).is(200);
    tab.until("chunk");
    assert_eq!(tab.until("over").data["recorded"], false);
    let page = server.until("/d/caching", |page| page.body.contains("No participant could answer"));
    assert!(page.body.contains("could not answer") && !page.body.contains("Café"), "{}", page.body);
}

#[test]
fn run_ends_with_the_stop_button_but_not_with_the_page() {
    let fake = Fake::new(|_, _| vec![Step::Send(HEAD.as_bytes().to_vec()), Step::Hang]);
    let scenario = scenario(&fake);
    let server = Server::open(&scenario, &["--provider", "own"]);
    let mut tab = server.events("/d/caching/events", None);
    server.post("/d/caching/run", "agreed=yes").is(303);
    tab.until("answer");
    drop(tab);
    let page = server.until("/d/caching", |page| page.body.contains("Waiting for answers."));
    // Without a script, a reader sees it on a page that cannot be half written.
    assert!(page.body.contains("<textarea") && !page.body.contains("http-equiv"), "{}", page.body);
    assert!(page.body.contains("<noscript><p><a href=\"/d/caching?follow=1#live\">"));
    let followed = server.get("/d/caching?follow=1").is(200).body;
    assert!(followed.contains("http-equiv=\"refresh\"") && !followed.contains("<textarea"));
    assert!(!followed.contains("live.js") && followed.contains("href=\"/d/caching#say\""));
    server.post("/d/caching/stop", "").is(303);
    let page = server.get("/d/caching").body;
    assert!(page.contains("Stopped. Answers so far are kept"), "{page}");
    let followed = server.get("/d/caching?follow=1").is(200).body;
    assert!(!followed.contains("http-equiv"), "nothing goes on any more");
}

#[test]
fn stopped_server_leaves_a_file_that_can_be_resumed() {
    let fake = Fake::new(|_, _| vec![Step::Send(HEAD.as_bytes().to_vec()), Step::Hang]);
    let scenario = scenario(&fake);
    let server = Server::open(&scenario, &["--provider", "own"]);
    let mut tab = server.events("/d/caching/events", None);
    server.post("/d/caching/run", "agreed=yes").is(303);
    tab.until("answer");
    assert!(server.stop().success());
    while tab.next().is_some() {}
    scenario.discussions(&["check"]).code(0);
    scenario.discussions(&["run", "caching", "--provider", "mock"]).code(0);
    assert_eq!(scenario.read("discussions/caching.md").matches("Name: AI-Architect").count(), 3);
}

#[test]
fn reader_resumes_at_the_last_place_even_after_a_restart() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    server.post("/d/caching/comments", "text=One.").is(303);
    let seen = server.events("/d/caching/events?from=0", None).block("One.").id.unwrap();
    server.stop();
    scenario.discussions(&["comment", "caching", "Two."]).code(0);
    let server = Server::with_mock(&scenario);
    server.post("/d/caching/comments", "text=Three.").is(303);
    let mut tab = server.events("/d/caching/events", Some(seen));
    let first = tab.until("block");
    assert!(first.data["html"].as_str().unwrap().contains("Two."), "{first:?}");
    tab.block("Three.");
    // The position is no longer in the file, so everything is shown again.
    server.events("/d/caching/events", Some(1 << 30)).until("rewritten");
}

#[test]
fn removed_discussion_is_reported_and_may_return() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    let mut tab = server.events("/d/caching/events", None);
    tab.until("panel");
    let text = scenario.read("discussions/caching.md");
    std::fs::remove_file(scenario.path("discussions/caching.md")).unwrap();
    assert!(tab.until("gone").data.as_str().unwrap().contains("no such discussion"));
    server.get("/d/caching").is(404);
    server.post("/d/caching/comments", "text=Kept").is(404);
    let back = text + "\n---\n\nName: Rob\n\nBack.\n\n---\n";
    scenario.write("discussions/caching.md", back.as_bytes());
    tab.block("Back.");
}

#[test]
fn full_disk_is_an_error_that_returns_the_text() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", &"x".repeat(100_000)]).code(0);
    let before = scenario.read("discussions/caching.md");
    let shell =
        format!("ulimit -f 98; exec '{}' serve --provider mock", env!("CARGO_BIN_EXE_discussions"));
    let server = Server::of(&scenario, &mut scenario.command("/bin/bash"), &["-c", &shell]);
    let refused = server.post("/d/caching/comments", "text=My+thought").is(500).body;
    assert!(refused.contains("My thought") && refused.contains("too large"), "{refused}");
    assert_eq!(scenario.read("discussions/caching.md"), before);
    server.get("/d/caching").is(200);
}
