//! `export --site`: the discussions of a folder as a static site.

use std::collections::BTreeMap;
use std::path::Path;

use regex::Regex;

use super::scenario::Scenario;

/// Returns a discussion that a person closed, with these lines.
fn closed(title: &str, says: &str) -> String {
    format!("# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n")
}

/// A folder with a discussion of each state, a page, and private files.
fn project() -> Scenario {
    let old = closed("Sessions", "DECISION: sessions in Redis\n\nSee [the code](../src/s.rs).");
    let new = closed(
        "Sessions anew",
        "DECISION: in PostgreSQL\n\nSUPERSEDES: [the old one](old.md#D1)\n\nAs in [it](old.md#D1).",
    );
    let open = "# Queues\n\n---\n\nName: Rob\n\nQ: Which one? @Mira\n\n---\n";
    Scenario::new()
        .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
        .file("discussions.yaml", "author: Rob\n")
        .file("discussions/old.md", &old)
        .file("discussions/new.md", &new)
        .file("discussions/team/open.md", open)
        .file("discussions/over.md", &closed("Over", "Never mind."))
        .file("discussions/README.md", "# A page with PRIVATE words\n")
        .file("discussions/.discussions/journal", "PRIVATE\n")
        .file("discussions/.hidden.md", &closed("PRIVATE", "DECISION: x"))
        .file("notes.md", "PRIVATE\n")
}

/// Returns all files of a folder with their texts, by their paths.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in next.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(name, std::fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn site_has_an_index_by_state_and_a_page_each() {
    let scenario = project();
    scenario
        .discussions(&["export", "--site", "public"])
        .code(0)
        .stdout("Exported 4 discussions to public.\n");
    let site = files(&scenario.path("public"));
    let names: Vec<&str> = site.keys().map(String::as_str).collect();
    let wanted = [
        ".discussions-site",
        ".nojekyll",
        "d/new.html",
        "d/old.html",
        "d/over.html",
        "d/team/open.html",
        "icon.svg",
        "index.html",
        "style.css",
    ];
    assert_eq!(names, wanted);
    let index = &site["index.html"];
    let at = |text: &str| index.find(text).unwrap_or_else(|| panic!("{text}:\n{index}"));
    let order = [
        "<h2 id=\"waiting\">",
        "<a href=\"d/team/open.html\">Queues</a>",
        "@Mira is asked Q1: Which one?",
        "<h2 id=\"in-force\">",
        "<a href=\"d/new.html\">Sessions anew</a><span class=\"decided\">in PostgreSQL</span>",
        "<h2 id=\"replaced\">",
        "<a href=\"d/old.html\">Sessions</a>",
        "D1 replaced by <a href=\"d/new.html\">Sessions anew</a> D1",
        "<h2 id=\"not-adopted\">",
        "<a href=\"d/over.html\">Over</a>",
        "Exported on <time>2026-11-20</time>",
    ];
    for pair in order.windows(2) {
        assert!(at(pair[0]) < at(pair[1]), "{pair:?}:\n{index}");
    }
    let old = &site["d/old.html"];
    assert!(old.contains("D1 replaced by <a href=\"new.html\">Sessions anew</a> D1"), "{old}");
    assert!(old.contains("See the code."), "{old}");
    assert!(old.contains("<article class=\"said a"), "{old}");
    let new = &site["d/new.html"];
    assert!(new.contains("replaces <a href=\"old.html\">Sessions</a> D1"), "{new}");
    assert!(new.contains("As in <a href=\"old.html#D1\">it</a>."), "{new}");
    assert!(old.contains("<li id=\"D1\">"), "{old}");
    for (name, text) in &site {
        assert!(!text.contains("PRIVATE"), "{name}");
    }
}

#[test]
fn index_shows_due_decisions_first_and_what_became_of_others() {
    let due = closed("Due", "DECISION: one\n\nDECISION: two\n\nREVIEW-BY: 2026-11-18");
    let held = closed("Held", "DECISION: three");
    let held =
        format!("{held}\n---\n\nName: Mira\n\nHINDSIGHT (D1): failed, it was too slow\n\n---\n");
    let scenario = Scenario::new()
        .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
        .file("discussions/a-held.md", &held)
        .file("discussions/due.md", &due);
    scenario.discussions(&["export", "--site", "public"]).code(0);
    let site = files(&scenario.path("public"));
    let index = &site["index.html"];
    let at = |text: &str| index.find(text).unwrap_or_else(|| panic!("{text}:\n{index}"));
    assert!(at("D2: review by 2026-11-18 (2 days overdue)") < at(">Held</a>"), "{index}");
    at("D1: failed: it was too slow");
    let page = &site["d/due.html"];
    assert!(page.contains("D2: review by 2026-11-18 (2 days overdue)"), "{page}");
}

#[test]
fn pages_need_no_server_and_every_link_has_a_target() {
    let scenario = project();
    scenario.discussions(&["export", "--site", "public"]).code(0);
    let site = files(&scenario.path("public"));
    let target = Regex::new("(?:href|src)=\"([^\"]*)\"").unwrap();
    let mut links = 0;
    for (name, page) in site.iter().filter(|(name, _)| name.ends_with(".html")) {
        assert!(page.contains("default-src 'none'; style-src 'self' file:;"), "{name}");
        for banned in ["<script", "<form", "<button", "<input", " style=\"", "http-equiv=\"refresh"]
        {
            assert!(!page.contains(banned), "{name}: {banned}");
        }
        for found in target.captures_iter(page) {
            let (path, place) = found[1].split_once('#').unwrap_or((&found[1], ""));
            let mut parts: Vec<&str> = name.split('/').collect();
            if !path.is_empty() {
                parts.pop();
            }
            for part in path.split('/').filter(|part| !part.is_empty()) {
                match part {
                    ".." => assert!(parts.pop().is_some(), "{name}: {path}"),
                    part => parts.push(part),
                }
            }
            let to = parts.join("/");
            let page =
                site.get(&to).unwrap_or_else(|| panic!("{name}: {} leads nowhere", &found[1]));
            assert!(
                place.is_empty() || page.contains(&format!(" id=\"{place}\"")),
                "{name}: {place}"
            );
            links += 1;
        }
    }
    assert!(links > 30, "{links}");
}

#[test]
fn same_files_and_date_give_the_same_bytes() {
    let scenario = project();
    scenario.discussions(&["export", "--site", "one"]).code(0);
    // Another time of the files and of the day, and another working folder.
    let later = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    for name in ["old.md", "new.md", "over.md", "team/open.md"] {
        let path = scenario.path("discussions").join(name);
        std::fs::File::options().append(true).open(path).unwrap().set_modified(later).unwrap();
    }
    let scenario = scenario.env("DISCUSSIONS_NOW", "2026-11-20T23:59:00Z");
    scenario.discussions(&["-C", "discussions/team", "export", "--site", "../../two"]).code(0);
    assert_eq!(files(&scenario.path("one")), files(&scenario.path("two")));
    let again = scenario.discussions(&["export", "--site", "one", "--json"]).code(0).json();
    assert_eq!(again["written"], 0, "{again}");
    assert_eq!(again["files"], 8, "{again}");
}

#[test]
fn pages_of_discussions_that_are_gone_are_removed() {
    let scenario = project();
    scenario.discussions(&["export", "--site", "public"]).code(0);
    scenario.write("public/CNAME", b"decisions.example.org\n");
    scenario.write("public/d/mine.html", b"mine\n");
    std::fs::remove_dir_all(scenario.path("discussions/team")).unwrap();
    std::fs::remove_file(scenario.path("discussions/over.md")).unwrap();
    let run = scenario.discussions(&["export", "--site", "public"]).code(0);
    run.notes("2 removed");
    let site = files(&scenario.path("public"));
    assert!(!site.contains_key("d/over.html") && !scenario.path("public/d/team").exists());
    assert!(!site["index.html"].contains("Queues"));
    assert_eq!(
        (site["CNAME"].as_str(), site["d/mine.html"].as_str()),
        ("decisions.example.org\n", "mine\n")
    );
    // A page must not take the place of a foreign file.
    scenario.write("discussions/mine.md", closed("Mine", "DECISION: x").as_bytes());
    let run = scenario.discussions(&["export", "--site", "public"]).code(3);
    run.notes("`d/mine.html` is in the way, and no export wrote it");
    assert_eq!(scenario.read("public/d/mine.html"), "mine\n");
}

#[test]
fn folder_with_foreign_files_is_refused() {
    let scenario = project();
    for folder in [".", "discussions", "src"] {
        scenario.write("src/main.rs", b"fn main() {}\n");
        let before = files(&scenario.path("."));
        let run = scenario.discussions(&["export", "--site", folder]).code(3);
        run.notes("no export wrote this folder, and it contains `");
        assert_eq!(files(&scenario.path(".")), before, "{folder}");
    }
    scenario.discussions(&["export", "--site", "notes.md"]).code(3).notes("this is a file");
    scenario.discussions(&["export", "--site", "public", "old"]).code(2);
    // A list from elsewhere must not name files of the project.
    let list = "An export of discussions. The next one replaces or removes these files:\n\
                main.rs\n../notes.md\nd/../../notes.md\nd/gone.html\n";
    scenario.write("src/.discussions-site", list.as_bytes());
    scenario.write("src/d/gone.html", b"old\n");
    scenario.discussions(&["export", "--site", "src"]).code(0).notes("1 removed");
    assert_eq!(scenario.read("src/main.rs"), "fn main() {}\n");
    assert_eq!(scenario.read("notes.md"), "PRIVATE\n");
}

#[test]
#[cfg(unix)]
fn links_are_not_followed_in_either_folder() {
    use std::os::unix::fs::symlink;
    let scenario = project();
    let secret = closed("Secret", "DECISION: PRIVATE");
    std::fs::create_dir(scenario.path("../elsewhere")).unwrap();
    for (name, file) in [("out", "../elsewhere/out.md"), ("beside", "beside.md")] {
        std::fs::write(scenario.path(file), &secret).unwrap();
        symlink(scenario.path(file), scenario.path(&format!("discussions/{name}.md"))).unwrap();
    }
    std::fs::hard_link(scenario.path("beside.md"), scenario.path("discussions/hard.md")).unwrap();
    symlink(scenario.path("discussions/new.md"), scenario.path("discussions/same.md")).unwrap();
    let run = scenario.discussions(&["export", "--site", "public"]).code(0);
    run.notes("left out: ").notes("hard.md");
    let site = files(&scenario.path("public"));
    assert!(site.values().all(|text| !text.contains("PRIVATE")));
    assert!(site.contains_key("d/same.html") && !site.contains_key("d/out.html"));
    // A link in the folder of the site.
    std::fs::remove_dir_all(scenario.path("public/d")).unwrap();
    symlink(scenario.path("../elsewhere"), scenario.path("public/d")).unwrap();
    scenario.discussions(&["export", "--site", "public"]).code(5).notes("links are not followed");
    assert!(!scenario.path("../elsewhere/new.html").exists());
    std::fs::remove_file(scenario.path("public/d")).unwrap();
    std::fs::remove_file(scenario.path("public/index.html")).unwrap();
    symlink(scenario.path("notes.md"), scenario.path("public/index.html")).unwrap();
    scenario.discussions(&["export", "--site", "public"]).with_warnings().code(0);
    assert_eq!(scenario.read("notes.md"), "PRIVATE\n");
    assert!(!scenario.path("public/index.html").is_symlink());
    // The folder itself.
    symlink(scenario.path("../elsewhere"), scenario.path("linked")).unwrap();
    scenario.discussions(&["export", "--site", "linked"]).code(3).notes("leads outside");
}

#[test]
fn foreign_text_is_text_on_the_site() {
    let hostile =
        "<script>alert(1)</script> [x](javascript:alert(1)) ![i](//evil.example/i.png) \"quoted\"";
    let text = closed(&format!("A {hostile}"), &format!("DECISION: {hostile}\n\n{hostile}"));
    let scenario = Scenario::new().file("discussions/a'\"&b.md", &text);
    scenario.discussions(&["export", "--site", "public"]).code(0);
    let site = files(&scenario.path("public"));
    assert!(site.contains_key("d/a---b.html"), "{:?}", site.keys());
    for (name, page) in site.iter().filter(|(name, _)| name.ends_with(".html")) {
        for banned in ["<script>", "href=\"javascript", "<img", "href=\"\"", "href=\"//"] {
            assert!(!page.contains(banned), "{name}: {banned}:\n{page}");
        }
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn work_grows_with_the_number_of_discussions() {
        let seconds = |count: usize| {
            let scenario = Scenario::new();
            for number in 0..count {
                // A question waits for a person, and some decisions replace others.
                let mut says = format!("DECISION: option {number}\n\nQ: Why? @Mira");
                if number % 50 == 1 {
                    says += &format!("\n\nSUPERSEDES: t{}.md", number - 1);
                }
                let text = closed(&format!("Topic {number}"), &says);
                scenario.write(&format!("discussions/t{number}.md"), text.as_bytes());
            }
            scenario.processor_time(&["export", "--site", "public"])
        };
        let (small, large) = (seconds(200), seconds(2000));
        assert!(large < 20.0 * small, "200: {small:.2} s, 2000: {large:.2} s");
    }
}
