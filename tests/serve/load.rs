//! Many simultaneous readers.

use super::server::Server;
use crate::cli::Scenario;

/// The number of readers.
const TABS: usize = 200;

/// The maximum memory of the server with all of them, in MB: some hundred kB each would be a leak.
const MOST: u64 = 100;

#[test]
fn two_hundred_tabs_see_a_run_of_six() {
    let scenario = Scenario::new();
    let six = "architect,security,pragmatist,product,quality,risk";
    scenario.discussions(&["new", "Caching", "-p", six]).code(0);
    let server = Server::with_mock(&scenario);
    let mut tabs: Vec<_> = (0..TABS).map(|_| server.events("/d/caching/events", None)).collect();
    server.post("/d/caching/run", "").is(303);
    let page =
        server.until("/d/caching", |page| page.body.contains("A person&#39;s vote is needed"));
    let last = page.body.matches("<article class=\"said").count();
    for tab in &mut tabs {
        let mut seen = 0;
        while seen < last {
            seen += usize::from(
                tab.until("block").data["html"].as_str().unwrap().starts_with("<article"),
            );
        }
    }
    if let Some(memory) = server.memory() {
        println!("{TABS} event streams and a run of six: {memory} MB in the server");
        assert!(memory < MOST, "{memory} MB");
    }
}
