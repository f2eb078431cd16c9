//! Pages without a script: their content, their forms and their error messages.

use super::server::Server;
use crate::cli::Scenario;
use crate::cli::findings::{SCRIPT, second_look};

#[test]
fn page_shows_comments_and_status() {
    let scenario = Scenario::new();
    scenario.discussions(&["new", "Caching", "--run", "--provider", "mock"]).code(0);
    scenario.discussions(&["comment", "caching", "Q: Who pays? @rob"]).with_warnings().code(0);
    let server = Server::with_mock(&scenario);
    let page = server.get("/d/caching").is(200).body;
    for shown in [
        "<h1 id=\"title\">Caching</h1>",
        "<article class=\"said a0\" id=\"c",
        "data-author=\"AI-Architect\"><header><a class=\"who\" href=\"#c",
        "<span class=\"vote good\">READY</span>",
        "<svg class=\"bar good\"",
        "data-item=\"Q\">Q1</a> Who pays? @rob <small>Rob</small>",
        "<h2 class=\"open\">Proposed</h2>",
        "<p class=\"decision\">Caching, with the smallest useful part first</p>",
        "<option>CHANGES</option>",
        "name=\"author\" maxlength=\"64\" value=\"Rob\"",
    ] {
        assert!(page.contains(shown), "{shown}\n{page}");
    }
    let home = server.get("/").is(200).body;
    assert!(home.contains("<a href=\"/d/caching\">Caching</a>"), "{home}");
}

#[test]
fn user_text_is_never_markup() {
    let evil = "<script>alert(1)</script>";
    let scenario = Scenario::new();
    let text = format!(
        "# {evil}\n\n---\n\nName: Rob\n\n{evil} <img src=x onerror=alert(1)> [x](javascript:alert(1)) \
         ![y](https://evil.example/y.png)\n\nQ: {evil}\n\nTODO: {evil}\n\nDECISION: {evil}\n\nCONCERN: {evil}\n\n---\n\
         \nName: \"onload=\"x\n\nHi\n\n---\n\n{evil}\n\n---\n"
    );
    scenario.write("discussions/evil.md", text.as_bytes());
    let server = Server::with_mock(&scenario);
    for path in ["/d/evil", "/"] {
        let page = server.get(path).is(200).body;
        assert_eq!(
            page.matches("<script").count(),
            page.matches("<script src=\"/live.js\"").count()
        );
        for bad in ["<img", "onerror=alert(1)>", "href=\"javascript", "<iframe"] {
            assert!(!page.contains(bad), "{bad} in {path}:\n{page}");
        }
        assert!(page.contains("&lt;script&gt;"), "{path}");
    }
    let mut stream = server.events("/d/evil/events?from=0", None);
    let panel = stream.until("panel").data["panel"].as_str().unwrap().to_owned();
    assert!(!panel.contains("<script") && panel.contains("&lt;script&gt;"), "{panel}");
}

#[test]
fn forms_write_and_redirect_back() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    let said = server.post("/d/caching/comments", "author=Ann&text=Measure%0D%0Afirst.&vote=ready");
    assert_eq!(said.is(303).header("location"), Some("/d/caching#c1"));
    let file = scenario.read("discussions/caching.md");
    assert!(
        file.contains("---\n\nName: Ann\n<!-- SAID at: 20")
            && file.ends_with("Z -->\n\nMeasure\nfirst.\n\nVOTE: READY\n\n---\n"),
        "{file}"
    );
    server.post("/d/caching/vote", "vote=changes").is(303);
    server.post("/d/caching/advance", "").is(303);
    server.post("/d/caching/close", "").is(303);
    assert!(scenario.read("discussions/caching.md").contains("<!-- STATUS: CLOSED, by: Rob -->"));
    let told = server.post("/d/caching/comments", "text=Still%20here").is(200).body;
    assert!(told.contains("Saved, with notes") && told.contains("closed"), "{told}");
    server.post("/d/caching/reopen", "").is(303);
    let new = server.post("/new", "topic=Which+queue%3F&context=&pattern=").is(303);
    assert_eq!(new.header("location"), Some("/d/which-queue"));
    server.get("/d/which-queue").is(200);
}

#[test]
fn run_belongs_to_the_server_and_stops_for_a_person() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    server.post("/d/caching/run", "").is(303);
    let page =
        server.until("/d/caching", |page| page.body.contains("A person&#39;s vote is needed"));
    assert!(page.body.contains("Consensus vote"), "{}", page.body);
    assert!(scenario.read("discussions/caching.md").contains("Name: AI-Pragmatist"));
}

#[test]
fn invalid_form_is_refused_with_its_text_kept() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    let before = scenario.read("discussions/caching.md");
    let refused =
        server.post("/d/caching/comments", "text=My+long+thought&vote=perhaps").is(422).body;
    assert!(
        refused.contains("is not an option") && refused.contains("My long thought"),
        "{refused}"
    );
    let other =
        server.post("/d/caching/comments", "text=As+a+model&author=AI-Secur%D1%96ty").is(422).body;
    assert!(other.contains("looks like") && other.contains("As a model"), "{other}");
    let gone = server.post("/d/nothing/comments", "text=Kept").is(404).body;
    assert!(gone.contains("no such discussion") && gone.contains("Kept"), "{gone}");
    server.post("/d/caching/comments", "text=+").is(422);
    server.post("/d/caching/comments", &format!("text={}", "x".repeat(2 << 20))).is(413);
    let long = server.post("/d/caching/comments", &format!("text={}", "x".repeat(1 << 20))).is(413);
    assert!(long.body.contains("longer than 1 MiB"), "{}", long.body);
    server.post("/d/caching/comments", "text=%").is(303);
    assert!(scenario.read("discussions/caching.md").starts_with(&before));
    let (host, cookie) = (server.host(), server.cookie());
    let typed = format!(
        "POST /d/caching/comments HTTP/1.1\nHost: {host}\nCookie: {cookie}\nOrigin: http://{host}"
    );
    server.raw(&typed, "text=x").is(415);
    server.get("/nothing").is(404);
    let no_text = server.api("GET", "/api/discussions/%ff", "").is(404).json();
    assert_eq!(no_text["error"]["code"], "DISCUSSION_INVALID_INPUT", "{no_text}");
    server.post("/d/caching/run", "maxUsd=-1").is(422);
    let nobody = server.post("/d/caching/run", "provider=nobody").is(422);
    assert!(nobody.body.contains("there is no provider `nobody`"), "{}", nobody.body);
}

#[test]
fn help_names_buttons_of_the_page() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    server.post("/d/caching/close", "").is(303);
    let closed = server.post("/d/caching/advance", "").is(409).body;
    assert!(closed.contains("`Reopen`") || closed.contains("<code>Reopen"), "{closed}");
    let same_name = server.post("/d/caching/comments", "text=x&author=AI-Secur%D1%96ty").is(422);
    assert!(same_name.body.contains("another name into the field"), "{}", same_name.body);
    for page in [closed, same_name.body] {
        assert!(!page.contains("discussions reopen") && !page.contains("--as"), "{page}");
    }
}

#[test]
fn ignored_parts_of_a_comment_are_reported() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    let as_persona = server.post("/d/caching/comments", "text=Fine&author=architect").is(200).body;
    assert!(as_persona.contains("a persona that a model plays"), "{as_persona}");
    let unknown = server.post("/d/caching/comments", "text=A%3A+Q9+Ten").is(200).body;
    assert!(unknown.contains("there is no question Q9"), "{unknown}");
    assert!(scenario.read("discussions/caching.md").contains("A: Q9 Ten"));
}

#[test]
fn ballot_without_options_is_refused_at_the_field() {
    let scenario = Scenario::new();
    let server = Server::with_mock(&scenario);
    let refused = server.post("/new", "topic=Which+queue%3F&context=Fast&pattern=voting&options=+");
    let page = refused.is(422).body;
    let (_, field) = page.split_once("name=\"options\"").unwrap();
    assert!(field.contains("aria-invalid") && field.contains("needs options"), "{page}");
    assert!(page.contains("value=\"Which queue?\"") && page.contains("Fast"), "{page}");
    assert!(page.contains("<option value=\"voting\" selected>"), "{page}");
    assert!(!scenario.path("discussions/which-queue.md").exists());
    server.post("/new", "topic=Which+queue%3F&context=&pattern=voting&options=a,b").is(303);
}

#[test]
fn form_offers_patterns_for_one_and_for_two() {
    let scenario = Scenario::new();
    let server = Server::with_mock(&scenario);
    let form = server.get("/new").is(200).body;
    assert!(!form.contains("value=\"second-look-review\""), "it takes no question: {form}");
    for (pattern, who) in [("solo", "AI-Author"), ("second-look", "AI-Reviewer")] {
        assert!(form.contains(&format!("<option value=\"{pattern}\">")), "{form}");
        let sent = format!("topic=Which+{pattern}%3F&context=&pattern={pattern}&options=");
        server.post("/new", &sent).is(303);
        let page = format!("/d/which-{pattern}");
        server.post(&format!("{page}/run"), "").is(303);
        let name = format!("Name: {who}\n");
        let file = format!("discussions/which-{pattern}.md");
        server.until(&page, |_| scenario.read(&file).contains(&name));
    }
}

#[test]
fn finished_ballot_shows_its_options_and_offers_no_vote() {
    let scenario = Scenario::new();
    let new = ["new", "Caching", "--template", "voting", "--set", "options=Redis,Postgres"];
    scenario.discussions(&new).code(0);
    let server = Server::with_mock(&scenario);
    let page = server.get("/d/caching").is(200).body;
    assert!(page.contains("<option>Redis</option>"), "{page}");
    server.post("/d/caching/vote", "vote=Redis").is(303);
    server.post("/d/caching/advance", "").is(303);
    let page = server.get("/d/caching").is(200).body;
    assert!(page.contains("<th scope=\"row\">Redis</th>") && !page.contains("READY"), "{page}");
    assert!(page.contains("<select id=\"vote\" name=\"vote\"></select>"), "{page}");
}

#[test]
fn recall_and_stats_have_pages() {
    let scenario = Scenario::new();
    let args = ["discuss", "Redis or <b>NATS</b>?", "--pattern", "voting", "-o", "Redis,NATS"];
    scenario.discussions(&[&args[..], &["--provider", "mock"]].concat()).code(0);
    let server = Server::with_mock(&scenario);
    let home = server.get("/").is(200).body;
    assert!(home.contains("action=\"/recall\"") && home.contains("href=\"/stats\""), "{home}");
    let found = server.get("/recall?q=which+of+NATS+and+redis+%3Cb%3E").is(200).body;
    assert!(found.contains("href=\"/d/redis-or-b-nats-b\"") && !found.contains("<b>"), "{found}");
    let none = server.get("/recall?q=tabs").is(200).body;
    assert!(none.contains("No past decision is similar to this question."), "{none}");
    server.get("/recall").is(400);
    let stats = server.get("/stats").is(200).body;
    for cell in ["<td>voting</td>", "<td>mock</td>", "<td>CONSENSUS: 1</td>"] {
        assert!(stats.contains(cell), "{cell}: {stats}");
    }
}

#[test]
fn project_commands_run_only_with_trust() {
    let providers = "providers:\n  - {name: mine, command: \"touch ran\"}\n";
    let scenario = Scenario::new().distrusting().file("providers.yaml", providers);
    scenario.discussions(&["init"]).code(0);
    scenario.discussions(&["new", "Caching"]).code(0);
    let server = Server::open(&scenario, &[]);
    let body = server.post("/d/caching/run", "provider=mine&agreed=yes").is(403).body;
    assert!(body.contains("discussions trust"), "{body}");
    // Everything that the trust is for, and nothing to click.
    for told in ["touch ran", "providers.yaml:2", "a new empty folder for each call"] {
        assert!(body.contains(told), "{told}: {body}");
    }
    assert!(!body.contains("<form") && !body.contains("<button"), "{body}");
    let told =
        server.api("POST", "/api/discussions/caching/run", r#"{"provider": "mine"}"#).is(403);
    assert!(told.body.contains("DISCUSSION_NOT_TRUSTED"), "{}", told.body);
    assert!(!scenario.path("ran").exists());
    scenario.discussions(&["trust", "--yes"]).code(0);
    server.post("/d/caching/run", "provider=mine&agreed=yes").is(303);
    server.until("/d/caching", |page| page.body.contains("class=\"ended\""));
}

#[test]
fn page_shows_findings_and_what_changed_after_them() {
    let scenario = second_look(SCRIPT);
    let server = Server::with_mock(&scenario);
    let page = server.get("/d/box").is(200).body;
    for shown in [
        "<p class=\"decision\">Order one box.</p>",
        "<h3>Findings</h3>",
        "Finding 1</a>, taken “It costs 300 euros.”",
        "Finding 3</a>, unfounded “Order three boxes.”",
        "Finding 2</a>, declined <small>AI-",
        "docs/days.md:7</small></h4><blockquote><p>Ann orders it on &lt;b&gt;Monday&lt;/b&gt;.</p>",
        "<p>Instead:</p><blockquote><p>Ann orders it on Tuesday.</p>",
        "<del>300</del><ins>150 euros with</ins>",
    ] {
        assert!(page.contains(shown), "{shown}\n{page}");
    }
}
