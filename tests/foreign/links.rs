//! Links in a body keep their targets, including reference links and links with titles.

use discussions::transcript::{canon, decode, encode};
use proptest::prelude::*;
use proptest::sample::select;
use regex::Regex;

/// The addresses of links and pictures on a page, with character references resolved.
fn addresses(markdown: &str) -> Vec<String> {
    let mut options = comrak::Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    let page = comrak::markdown_to_html(markdown, &options);
    let link = Regex::new("(?:href|src)=\"([^\"]*)\"").unwrap();
    link.captures_iter(&page).map(|found| plain(&found[1])).collect()
}

fn plain(address: &str) -> String {
    let bytes = address.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let hex = address.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(value) => {
                out.push(value);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).replace("&amp;", "&").replace("&#x27;", "'").replace("&#39;", "'")
}

/// A document as people and models write it, with reference links, titles and angle brackets.
fn document() -> impl Strategy<Value = String> {
    let address = select(vec![
        "https://a.example/b",
        "/b/c.md#d",
        "<e f>",
        "https://a.example/?x=1&y=2",
        "../g(h).md",
        "b*c",
    ]);
    let title = select(vec!["", " \"a title\"", " 'one [two] *three*'", " (four)"]);
    let definitions = prop::collection::vec((address.clone(), title.clone()), 3);
    let link = select(vec![
        "[text][1]",
        "[text] [1]",
        "[1][]",
        "[1]",
        "![picture][2]",
        "[![badge][2]][3]",
        "[**bold** `code`][3]",
        "[Two Words][]",
        "[text](%a%t)",
        "![picture](%a%t)",
        "[text](\n%a)",
        "`[code][1]`",
        "[missing][4]",
        "[text]( %a )",
    ]);
    let frame = select(vec![
        "See %l, and go on.",
        "- %l\n- then %l",
        "> %l said",
        "| a | b |\n|---|---|\n| %l | c |",
        "## %l",
        "1. %l\n\n   %l",
        "%l",
    ]);
    let paragraphs = prop::collection::vec((frame, link, address, title), 1..6);
    (paragraphs, definitions).prop_map(|(paragraphs, definitions)| {
        let mut out = String::new();
        for (frame, link, address, title) in paragraphs {
            let link = link.replace("%a", address).replace("%t", title);
            // A table row is one line.
            let link = if frame.starts_with('|') || frame.starts_with('#') {
                link.replace('\n', "")
            } else {
                link
            };
            out.push_str(&frame.replace("%l", &link));
            out.push_str("\n\n");
        }
        for (label, (address, title)) in ["1", "2", "3"].iter().zip(definitions) {
            out.push_str(&format!("[{label}]: {address}{title}\n"));
        }
        // Comrak expands references only up to as many bytes as the whole text has.
        out + "[two words]: /two\n\n" + &"words ".repeat(1000)
    })
}

proptest! {
    #[test]
    fn canonical_form_breaks_no_link(document in document()) {
        let stored = canon(&document);
        prop_assert_eq!(addresses(&stored), addresses(&document), "{}\n=>\n{}", document, stored);
        prop_assert_eq!(&canon(&stored), &stored);
        prop_assert_eq!(decode(&encode(&document)), stored);
    }
}
