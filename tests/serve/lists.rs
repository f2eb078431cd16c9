//! Long lists: a page shows at most 50 rows, and links lead to all others.

use std::ops::RangeInclusive;

use super::server::Server;
use crate::cli::Scenario;

/// Creates so many discussions, `D001` first in the list.
fn scenario_of(count: usize) -> Scenario {
    let scenario = Scenario::new();
    add(&scenario, 1..=count, "Hm.");
    scenario
}

fn add(scenario: &Scenario, numbers: RangeInclusive<usize>, says: &str) {
    for number in numbers {
        // The list begins with the newest.
        let (minute, second) = ((10_000 - number) / 60 % 60, (10_000 - number) % 60);
        let at = format!("2026-11-20T{:02}:{minute:02}:{second:02}Z", (10_000 - number) / 3600);
        let text = format!(
            "# D{number:03}\n\n---\n\nName: Rob\n<!-- SAID at: {at} -->\n\n{says}\n\n---\n"
        );
        scenario.write(&format!("discussions/d{number:03}.md"), text.as_bytes());
    }
}

/// Returns the titles below a heading of a page, up to the next heading.
fn titles<'p>(page: &'p str, heading: &str) -> Vec<&'p str> {
    let (_, list) = page.split_once(heading).unwrap_or_else(|| panic!("{heading}: {page}"));
    let list = list.split("<h2>").next().unwrap();
    list.split("<li")
        .skip(1)
        .map(|row| row.split_once("\">D").unwrap().1)
        .map(|it| &it[..3])
        .collect()
}

fn numbers(range: RangeInclusive<usize>) -> Vec<String> {
    range.map(|number| format!("{number:03}")).collect()
}

#[test]
fn all_discussions_are_on_pages_of_fifty() {
    let scenario = scenario_of(49);
    for (count, pages) in [(49, 1), (50, 1), (51, 2), (101, 3)] {
        add(&scenario, 50..=count, "Hm.");
        let server = Server::with_mock(&scenario);
        let first = server.get("/").is(200).body;
        assert_eq!(titles(&first, "<h1>"), numbers(1..=count.min(50)), "{count}");
        assert_eq!(first.contains("Discussions 1–50 of "), pages > 1, "{first}");
        assert!(!first.contains("rel=\"prev\""), "{first}");
        for page in 2..=pages {
            let shown = server.get(&format!("/?page={page}")).is(200).body;
            let (from, to) = ((page - 1) * 50 + 1, count.min(page * 50));
            assert_eq!(titles(&shown, "<h2>All</h2>"), numbers(from..=to), "{count}");
            assert!(shown.contains(&format!("Discussions {from}–{to} of {count}")), "{shown}");
            let before = if page == 2 { "/".to_owned() } else { format!("/?page={}", page - 1) };
            assert!(
                shown.contains(&format!("<a class=\"button\" rel=\"prev\" href=\"{before}\">")),
                "{shown}"
            );
            let next = format!("<a class=\"button\" rel=\"next\" href=\"/?page={}\">", page + 1);
            assert_eq!(shown.contains(&next), page < pages, "{shown}");
        }
        for missing in ["0", "99", &(pages + 1).to_string()] {
            let answer = server.get(&format!("/?page={missing}")).is(404).body;
            let says = format!("there is no page {missing}: this list has ");
            assert!(answer.contains(&says) && answer.contains("href=\"/\""), "{answer}");
        }
    }
}

#[test]
fn wrong_addresses_of_lists_are_explained() {
    let scenario = scenario_of(1);
    let server = Server::with_mock(&scenario);
    for path in ["/", "/stats"] {
        for wrong in ["x", "-1", "1.5", "", "99999999999999999999999", "%3Cb%3E"] {
            let answer = server.get(&format!("{path}?page={wrong}")).is(404).body;
            assert!(answer.contains("is not the number of a page"), "{answer}");
            assert!(
                answer.contains(&format!("the first page is at {path}")) && !answer.contains("<b>")
            );
        }
        let huge = format!("{path}?page=18446744073709551615");
        assert!(server.get(&huge).is(404).body.contains("this list has one page"));
        let unknown = server.get(&format!("{path}?list=every&page=1")).is(404).body;
        assert!(unknown.contains("there is no list `every`"), "{unknown}");
        server.get(&format!("{path}?page=1&page=2")).is(400);
    }
    let empty = server.get("/?list=waiting").is(200).body;
    assert!(empty.contains("<h2>Waiting for you</h2><p>This list is empty.</p>"), "{empty}");
}

#[test]
fn waiting_and_due_lists_have_pages() {
    let scenario = Scenario::new().env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z");
    add(&scenario, 1..=60, "Q: Who pays? @rob");
    add(&scenario, 101..=170, "Q: How long? @mira");
    let due = "DECISION: x\n\nREVIEW-BY: 2026-11-19\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->";
    add(&scenario, 201..=251, due);
    let server = Server::with_mock(&scenario);
    let home = server.get("/").is(200).body;
    for (heading, list, from, to) in [
        ("<h2>Decisions to review</h2>", "due", 201, 251),
        ("<h2>Waiting for you</h2>", "waiting", 1, 60),
        ("<h2>Waiting for others</h2>", "others", 101, 170),
    ] {
        assert_eq!(titles(&home, heading), numbers(from..=from + 49), "{heading}");
        let next = format!("<a class=\"button\" rel=\"next\" href=\"/?list={list}&amp;page=2\">");
        assert!(home.contains(&next), "{next}: {home}");
        let second = server.get(&format!("/?list={list}&page=2")).is(200).body;
        assert_eq!(titles(&second, heading), numbers(from + 50..=to), "{heading}");
        assert_eq!(second.matches("<h2>").count(), 1, "{second}");
        let previous =
            format!("<a class=\"button\" rel=\"prev\" href=\"/?list={list}&amp;page=1\">");
        assert!(second.contains(&previous), "{previous}: {second}");
        let first = server.get(&format!("/?list={list}&page=1")).is(200).body;
        assert_eq!(titles(&first, heading), numbers(from..=from + 49), "{heading}");
    }
    assert_eq!(titles(&home, "<h2>All</h2>").len(), 50);
    assert!(home.contains("Discussions 1–50 of 181"), "{home}");
}

#[test]
fn row_shows_ten_reasons_at_most() {
    let scenario = Scenario::new();
    let asks: Vec<String> = (1..=33).map(|number| format!("Q: Why {number}? @rob\n\n")).collect();
    add(&scenario, 1..=1, &asks.concat());
    let server = Server::with_mock(&scenario);
    let home = server.get("/").is(200).body;
    assert_eq!(home.matches("You are asked").count(), 10, "{home}");
    assert!(home.contains("<small>and 23 more</small>"), "{home}");
}

#[test]
fn first_page_does_not_grow_with_the_number_of_discussions() {
    let scenario = scenario_of(100);
    let size = || Server::with_mock(&scenario).get("/").is(200).body.len();
    let hundred = size();
    add(&scenario, 101..=300, "Hm.");
    let more = size();
    assert!(more <= hundred + 200, "{more} bytes after {hundred}");
    let beside = Server::with_mock(&scenario).get("/list?here=d001").is(200).body;
    assert_eq!(beside.matches("<li").count(), 40, "{beside}");
    assert!(beside.contains("<a href=\"/\">260 more</a>"), "{beside}");
}

#[test]
fn unreadable_files_and_providers_have_pages() {
    let scenario = Scenario::new();
    for number in 1..=51 {
        let reply =
            format!("Name: AI-Architect\n<!-- REPLY turn: 1, provider: p{number:02}, ms: 5 -->");
        let text = format!(
            "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect, security]\n-->\n\n# D{number:03}\n\n---\n\n\
             <!-- TURN: 1, asks: [architect, security] -->\n\n---\n\n{reply}\n\nHm.\n\n---\n"
        );
        scenario.write(&format!("discussions/d{number:03}.md"), text.as_bytes());
        scenario.giant(&format!("discussions/giant{number:02}.md"));
    }
    let server = Server::with_mock(&scenario);
    let stats = server.get("/stats").is(200).body;
    assert_eq!(stats.matches("<td>p").count(), 50, "{stats}");
    let rest = server.get("/stats?list=providers&page=2").is(200).body;
    assert!(rest.contains("<td>p51</td>") && rest.contains("Providers 51–51 of 51"), "{rest}");
    assert!(!rest.contains("<td>p50</td>") && !rest.contains("<td>feature</td>"), "{rest}");
    for path in ["/", "/stats"] {
        let alerts = |at: String| server.get(&at).is(200).body.matches("role=\"alert\"").count();
        assert_eq!(alerts(path.to_owned()), 50, "{path}");
        assert_eq!(alerts(format!("{path}?list=unreadable&page=2")), 1, "{path}");
    }
    let document = server.api("GET", "/api/stats?page=x", "").is(200).json();
    assert_eq!(document["byProvider"].as_object().unwrap().len(), 51, "{document}");
}

#[test]
fn list_shows_a_change_of_this_server_at_once() {
    let scenario = scenario_of(2);
    let server = Server::with_mock(&scenario);
    for number in 1..=5 {
        assert!(!server.get("/").is(200).body.contains(&format!("Which {number}?")));
        let form = format!("topic=Which+{number}%3F&context=&pattern=");
        server.post("/new", &form).is(303);
        let home = server.get("/").is(200).body;
        assert!(home.contains(&format!("Which {number}?")), "{home}");
    }
}
