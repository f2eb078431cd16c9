//! Many simultaneous readers.

use super::server::Server;
use crate::cli::Scenario;

/// The number of readers.
const TABS: usize = 200;

/// The maximum memory of the server with all of them, in MB: some hundred kB each would be a leak.
const MOST: u64 = 100;

/// Runs a turn of six before this many readers; returns the memory of the server in MB, if it is known.
fn memory_with(tabs: usize) -> Option<u64> {
    let scenario = Scenario::new();
    let six = "architect,security,pragmatist,product,quality,risk";
    scenario.discussions(&["new", "Caching", "-p", six]).code(0);
    let server = Server::with_mock(&scenario);
    let mut tabs: Vec<_> = (0..tabs).map(|_| server.events("/d/caching/events", None)).collect();
    server.post("/d/caching/run", "").is(303);
    let page =
        server.until("/d/caching", |page| page.body.contains("A person&#39;s vote is needed"));
    let last = page.body.matches("<article class=\"said").count();
    for tab in &mut tabs {
        let mut seen = 0;
        while seen < last {
            let is_comment = |html: &str| html.starts_with("<article");
            seen += usize::from(is_comment(tab.until("block").data["html"].as_str().unwrap()));
        }
    }
    server.memory()
}

#[test]
fn five_tabs_see_a_run_of_six() {
    memory_with(5);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: opens 200 event streams"]
    fn two_hundred_tabs_see_a_run_of_six() {
        if let Some(memory) = memory_with(TABS) {
            println!("{TABS} event streams and a run of six: {memory} MB in the server");
            assert!(memory < MOST, "{memory} MB");
        }
    }
}
