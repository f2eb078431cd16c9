//! The first page begins with steps that wait for the reader; a new discussion is a form; a refused form keeps its
//! values.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::server::Server;
use crate::cli::Scenario;

#[test]
fn first_page_begins_with_steps_that_wait_for_the_reader() {
    let scenario = Scenario::with_discussion();
    scenario
        .discussions(&["comment", "caching", "Q: Who pays for `redis`? @rob"])
        .with_warnings()
        .code(0);
    scenario.discussions(&["comment", "caching", "Q: How long? @mira"]).with_warnings().code(0);
    scenario.discussions(&["new", "Vote", "--run", "--provider", "mock"]).code(0);
    let server = Server::with_mock(&scenario);
    scenario.discussions(&["comment", "caching", "Hm.\nTODO: measure"]).with_warnings().code(0);
    let page = server.get("/d/caching").is(200).body;
    assert!(page.contains("<p>Hm.\n<br />\nTODO: measure</p>"), "{page}");
    let limited = server.api("POST", "/api/discussions/caching/run", r#"{"maxCalls": 1}"#);
    limited.is(200);
    let home =
        server.until("/", |page| page.body.contains("Limit reached: no more calls are allowed."));
    let at = |part: &str| home.body.find(part).unwrap_or_else(|| panic!("{part}: {}", home.body));
    let order = [
        "href=\"/new\">New discussion</a>",
        "<h2>Waiting for you</h2>",
        "<h2>Waiting for others</h2>",
        "<small>@mira is asked Q2: How long? @mira</small>",
        "<h2>All</h2>",
    ];
    assert!(order.map(at).is_sorted(), "{}", home.body);
    for waits in [
        "<small>You are asked Q1: Who pays for <code>redis</code>? @rob</small>",
        "<small>A person&#39;s vote is needed: READY, CHANGES, REJECT</small>",
        "Limit reached: no more calls are allowed.",
    ] {
        assert!(at(order[1]) < at(waits) && at(waits) < at(order[2]), "{waits}: {}", home.body);
    }
    assert!(home.body.contains(" · <time datetime=\"20"), "a list without dates: {}", home.body);
}

#[test]
fn refused_form_for_a_new_discussion_keeps_its_values() {
    let scenario = Scenario::new();
    let server = Server::with_mock(&scenario);
    let form = server.get("/new").is(200).body;
    for part in [
        "<input name=\"topic\"",
        "<option value=\"synthesis\" selected>synthesis: ",
        "<option value=\"voting\">voting: ",
    ] {
        assert!(form.contains(part), "{part}: {form}");
    }
    assert!(!form.contains("artifact-review"), "it takes an artifact, not a question: {form}");
    let body = "topic=Redis+%3Cor%3E+not%3F&context=We+have+one.&pattern=debate&options=a%2C+b";
    let refused = server.post("/new", body).is(422).body;
    for kept in [
        "role=\"alert\" class=\"refused\">Not created: ",
        "value=\"Redis &lt;or&gt; not?\"",
        "\nWe have one.</textarea>",
        "<option value=\"debate\" selected>",
        "name=\"options\" value=\"a, b\"",
    ] {
        assert!(refused.contains(kept), "{kept}: {refused}");
    }
    assert!(!refused.contains("Unprocessable"), "{refused}");
    let body = "topic=Redis%3F&context=&pattern=voting&options=yes%2C+no";
    assert_eq!(server.post("/new", body).is(303).header("location"), Some("/d/redis"));
    assert!(scenario.read("discussions/redis.md").contains("- yes\n- no\n"));
}

#[test]
fn refused_comment_stays_in_its_form() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    let said = "text=A+vote%0D%0A%0D%0AVOTE%3A+READY&vote=changes&author=Zoe";
    let page = server.post("/d/caching/comments", said).is(422).body;
    for kept in [
        "<h1 id=\"title\">Caching</h1>",
        "class=\"refused\">Not saved: ",
        "autofocus>\nA vote",
        "maxlength=\"64\" value=\"Zoe\"",
        "<option selected>CHANGES</option>",
    ] {
        assert!(page.contains(kept), "{kept}: {page}");
    }
    // Other pages show the error in plain words with a link back.
    let nobody = server.post("/d/caching/run", "provider=nobody").is(422).body;
    assert!(nobody.contains("<h1>Not done</h1>"), "{nobody}");
    assert!(nobody.contains("href=\"/d/caching\">Back</a>"), "{nobody}");
}

#[test]
fn blocked_review_shows_its_verdict() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/artifact-review.md");
    let scenario = Scenario::new();
    scenario.write("discussions/review.md", &std::fs::read(example).unwrap());
    let server = Server::with_mock(&scenario);
    let page = server.get("/d/review").is(200).body;
    let verdict = "Blocked: severity HIGH, recommendation revise, average rating 2.6/5";
    let card = format!("<h2 class=\"blocked\">Verdict</h2><p class=\"decision\">{verdict}</p>");
    assert!(page.contains(&card), "{page}");
    let status = scenario.discussions(&["status", "review", "--json"]).code(0).json();
    assert_eq!(status["outcome"]["decision"], verdict);
}

#[test]
fn decided_discussion_shows_open_items_and_closes() {
    let scenario = Scenario::new();
    let args = ["discuss", "Queue or cron?", "--pattern", "voting", "-o", "queue,cron"];
    scenario.discussions(&[&args[..], &["--provider", "mock"]].concat()).code(0);
    let server = Server::with_mock(&scenario);
    let page = server.get("/d/queue-or-cron").is(200).body;
    assert!(page.contains("<p>Decided. Nothing is open.</p>"), "{page}");
    scenario.discussions(&["comment", "queue-or-cron", "Q: When?\n\nTODO: it\n\nTODO: x"]).code(0);
    let page = server.get("/d/queue-or-cron").is(200).body;
    assert!(page.contains("<p>Decided. Open: 1 question, 2 tasks.</p>"), "{page}");
    assert_eq!(page.matches(">Close</button>").count(), 1, "{page}");
    assert!(page.contains("<button>Close</button>"), "the button does not stand out: {page}");
    let status = scenario.discussions(&["status", "queue-or-cron"]).code(0);
    status.notes("Decided. Open: 1 question, 2 tasks; to close it: discussions close");
}

#[test]
fn vote_is_offered_only_if_votes_count() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["new", "Text", "--template", "synthesis"]).code(0);
    let server = Server::with_mock(&scenario);
    let page = server.get("/d/text").is(200).body;
    assert!(
        page.contains("<label hidden>Vote <select id=\"vote\" name=\"vote\"></select>"),
        "{page}"
    );
    // A ballot is ahead, but there is no vote yet: no bar of length zero.
    let page = server.get("/d/caching").is(200).body;
    assert!(page.contains("<option>READY</option>") && !page.contains("class=\"bar"), "{page}");
}

#[test]
fn run_is_not_offered_if_it_would_stop_immediately() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "Q: Who pays? @rob"]).with_warnings().code(0);
    scenario.discussions(&["run", "caching", "--provider", "mock"]).code(0);
    let server = Server::with_mock(&scenario);
    let page = server.get("/d/caching").is(200).body;
    assert!(page.contains("<p>A question for people, still open</p>"), "{page}");
    assert!(page.contains("href=\"#say\">Answer</a>") && !page.contains(">Continue<"), "{page}");
}

#[test]
fn server_takes_the_next_port_if_one_is_taken() {
    // A server of another test may use the port and release it at any moment, so this test takes it itself. A program
    // that keeps it has the same effect.
    let give_up = Instant::now() + Duration::from_secs(30);
    let _taken = std::iter::repeat_with(|| TcpListener::bind(("127.0.0.1", 8640)))
        .inspect(|_| std::thread::yield_now())
        .find(|taken| taken.is_ok() || Instant::now() > give_up);
    let scenario = Scenario::new();
    let mut command = scenario.program_under_test();
    command.arg("serve").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let mut noted = String::new();
    child.stderr.take().unwrap().read_to_string(&mut noted).unwrap();
    assert!(line.starts_with("http://127.0.0.1:") && !line.contains(":8640/"), "{line}");
    assert!(noted.contains("Port 8640 is in use, so this server uses port "), "{noted}");
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = scenario.discussions(&["serve", "--port", &port]);
    refused.code(5).notes("choose another port with --port");
}
