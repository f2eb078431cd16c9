//! The static site: a page for each discussion and an index, as files that need no server and no script.

mod pages;

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use discussions::view::{Decided, DecisionLink, Kind, Listed, Shown};
use unicode_normalization::UnicodeNormalization as _;

use self::pages::{DecisionNote, IndexRow, IndexSection, Replacement, discussion_page, index_page};
use super::live::RenderedDiscussion;
use super::page::PageLinks;
use super::words;
use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;
use crate::cli::words as told;

/// The style of the pages: that of the server, and what only a site needs.
const STYLE: &str = concat!(include_str!("../style.css"), include_str!("site.css"));

/// The page that lists the others.
const INDEX: &str = "index.html";

/// The files beside the pages. The first one is written last, because it lists the pages that were written.
const BESIDE: [(&str, &str); 4] = [
    (INDEX, ""),
    ("icon.svg", include_str!("../icon.svg")),
    ("style.css", STYLE),
    // Without this file, GitHub's converter would leave out some pages.
    (".nojekyll", ""),
];

/// Writes the discussions of the workspace as a site into a folder.
pub(crate) fn export(folder: &Path, json: bool, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.outside.open()?.for_publishing();
    let (site_pages, unreadable) = workspace.site_pages()?;
    for unreadable in &unreadable {
        shell.ui.warning(format!("left out: {}", unreadable.message));
    }
    let here = shell.outside.folder.clone();
    let kept = workspace.output_directory();
    let below = |file: &str| {
        let path = without_dots(&here.join(file));
        Some(path.strip_prefix(without_dots(&kept)).ok()?.to_str()?.replace('\\', "/"))
    };
    let mut found = Vec::new();
    for page in &site_pages {
        let Some(file) = below(&page.listed.file) else { continue };
        if is_discussion(&page.shown) {
            found.push((file, page));
        } else {
            let file = &page.listed.file;
            shell.ui.warning(format!("left out: {file}: this is not a discussion"));
        }
    }
    found.sort_by(|(one, _), (two, _)| one.cmp(two));
    let pages = page_names(found.iter().map(|(file, _)| file.as_str()));
    let titles: HashMap<&str, &str> =
        found.iter().map(|(file, page)| (file.as_str(), page.listed.title.as_str())).collect();
    let mut names: Vec<String> = found.iter().map(|(file, _)| pages[file].clone()).collect();
    names.extend(BESIDE.iter().rev().map(|(name, _)| (*name).to_owned()));
    let pages = Arc::new(pages);
    let links = |file: &str, page: &str| {
        let (pages, file, page) = (Arc::clone(&pages), file.to_owned(), page.to_owned());
        Arc::new(PageLinks { pages, file, page })
    };
    let rows: Vec<IndexRow> = found
        .iter()
        .map(|(file, page)| IndexRow {
            section: IndexSection::of(page.listed.decided.standing),
            file: file.clone(),
            title: page.listed.title.clone(),
            day: day_of(&page.shown, &page.listed),
            outcome: page.listed.decided.line(),
            words: page.listed.decided.words().to_owned(),
            due: (page.listed.due.iter())
                .map(|it| (it.decision.as_deref(), told::review_day(&it.review_by, it.days)))
                .map(|(decision, day)| words::about_decision(decision, &day))
                .collect(),
            waits_for: page.waiting.iter().map(words::waiting_of_site).collect(),
            parent: page.listed.parent.as_ref().and_then(|parent| below(&parent.file)),
            note: page.decided.as_ref().map(|one| note_of(one, &below)).unwrap_or_default(),
        })
        .collect();
    let mut index: Vec<&IndexRow> = rows.iter().collect();
    index.sort_by(|one, two| one.order(two));
    let report = workspace.write_site(folder, &names, |place| {
        let name = &names[place];
        if let (Some((file, page)), Some(row)) = (found.get(place), rows.get(place)) {
            let links = links(file, name);
            let picture = RenderedDiscussion::on_site(page.shown.clone(), Arc::clone(&links));
            return discussion_page(row, &titles, &picture, &links);
        }
        match BESIDE.iter().find(|(beside, _)| beside == name) {
            Some((_, "")) if name == INDEX => {
                index_page(&index, &titles, &workspace.today(), &links("", name))
            }
            beside => beside.map_or_else(String::new, |(_, text)| (*text).to_owned()),
        }
    })?;
    if json {
        shell.ui.json(&report);
    } else {
        let count = rows.len();
        let what = if count == 1 { "discussion" } else { "discussions" };
        shell.ui.out(format!("Exported {count} {what} to {}.", report.folder));
        let (written, removed) = (report.written, report.removed);
        shell.ui.note(format!("Files: {written} written, {removed} removed."));
    }
    Ok(Exit::Done)
}

/// Returns the facts about a decision; none if nothing was ever decided. `below` returns the path of a file below the
/// folder of discussions.
fn note_of(decided: &Decided, below: &impl Fn(&str) -> Option<String>) -> DecisionNote {
    if !decided.facts.was_decided() {
        return DecisionNote::default();
    }
    let link = |it: &DecisionLink| {
        let (own, decision) = (it.own.clone(), it.decision.clone());
        Some(Replacement { own, file: below(&it.file)?, decision })
    };
    let stated = decided.facts.ever_decided().map(|it| {
        if it.stands() { it.labelled() } else { format!("{} ({})", it.labelled(), it.words()) }
    });
    DecisionNote {
        stated: stated.collect(),
        dissent: decided.dissent.iter().map(|it| it.participant.clone()).collect(),
        hindsight: (decided.notes.hindsight.iter().rev())
            .map(|it| words::about_decision(it.decision.as_deref(), &it.words()))
            .collect(),
        replaces: decided.replaces.iter().filter_map(link).collect(),
        replaced_by: decided.replaced_by.iter().filter_map(link).collect(),
    }
}

/// Returns true if a file is more than text that belongs to no comment.
fn is_discussion(shown: &Shown) -> bool {
    let counts = |kind: &Kind| !matches!(kind, Kind::Stray { .. });
    shown.head.is_some() || shown.entries.iter().any(|entry| counts(&entry.kind))
}

/// Returns the day of the newest entry, or else of the creation. The time of the file is not used, because a copy has
/// another one.
fn day_of(shown: &Shown, listed: &Listed) -> String {
    let at = shown.entries.iter().filter_map(|entry| match &entry.kind {
        Kind::Comment { at, reply, .. } => {
            at.as_deref().or_else(|| reply.as_ref().and_then(|reply| reply.at.as_deref()))
        }
        Kind::Turn { at, .. } => at.as_deref(),
        Kind::Pass { receipt, .. } | Kind::Failed { receipt, .. } => receipt.at.as_deref(),
        _ => None,
    });
    let at = at.max().or(listed.created.as_deref()).unwrap_or_default();
    at.get(..10).unwrap_or_default().to_owned()
}

/// Removes `.` and `..` from an absolute path, as far as its text alone allows.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// The maximum number of bytes of one part of a name; file systems allow 255.
const LONGEST: usize = 200;

/// Returns the page of each file, as a path below the folder of the site. The files are sorted paths with `/` between
/// their parts. Names differ also on file systems that ignore case.
pub(super) fn page_names<'f>(files: impl Iterator<Item = &'f str>) -> HashMap<String, String> {
    let mut taken = HashSet::new();
    let mut pages = HashMap::new();
    for file in files {
        let bare = file.get(..file.len().saturating_sub(3)).unwrap_or(file);
        let mut parts: Vec<String> = bare.split('/').map(safe_part).collect();
        let last = parts.pop().unwrap_or_default();
        // A page ends in `.html`, so a folder that ends so too could have the name of a page.
        let folders =
            parts.iter().map(|part| match part.to_ascii_lowercase().strip_suffix(".html") {
                Some(stem) => format!("{}-html", &part[..stem.len()]),
                None => part.clone(),
            });
        let folders: Vec<String> = ["d".to_owned()].into_iter().chain(folders).collect();
        let folder = folders.join("/");
        let name = |number: usize| match number {
            1 => format!("{folder}/{last}.html"),
            number => format!("{folder}/{last}-{number}.html"),
        };
        let free = (1..).map(name).find(|name| taken.insert(name.to_lowercase()));
        pages.extend(free.map(|name| (file.to_owned(), name)));
    }
    pages
}

/// Returns a part of a name that every file system and web server accepts.
fn safe_part(part: &str) -> String {
    let is_safe = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let safe: String = part.nfc().map(|c| if is_safe(c) { c } else { '-' }).collect();
    let mut end = safe.len().min(LONGEST);
    while !safe.is_char_boundary(end) {
        end -= 1;
    }
    safe[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_page_of_its_own() {
        let long = format!("{}.md", "ü".repeat(120));
        let files =
            ["A.md", "a b?.md", "a-b-.md", "a.MD", "a.html/x.md", "b/c.md", "index.md", &long];
        let pages = page_names(files.into_iter());
        for (file, page) in [
            ("A.md", "d/A.html"),
            ("a b?.md", "d/a-b-.html"),
            ("a-b-.md", "d/a-b--2.html"),
            ("a.MD", "d/a-2.html"),
            ("a.html/x.md", "d/a-html/x.html"),
            ("b/c.md", "d/b/c.html"),
            ("index.md", "d/index.html"),
        ] {
            assert_eq!(pages[file], page);
        }
        assert!(pages[&long].len() < 220);
    }
}
