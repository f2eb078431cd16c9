//! The pages of a site.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use discussions::view::Standing;

use crate::cli::words as told;
use crate::serve::live::RenderedDiscussion;
use crate::serve::page::{Html, PageLinks, below_title, heading, outcome, still_panel};

/// A page runs no script and loads nothing but its style and its icon. `file:` is their origin if the page is opened
/// from a folder.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self' file:; img-src 'self' file:; base-uri 'none'; form-action 'none'\">";

/// The parts of the index, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexSection {
    /// Not decided yet.
    Waiting,
    /// Decided, and at least a part of the decision is in force.
    InForce,
    /// Answered, not voted on.
    Answered,
    /// Decided, and the decision was replaced or withdrawn.
    Replaced,
    /// Blocked, or closed without a decision.
    NotAdopted,
    /// A text was judged.
    Judged,
}

impl IndexSection {
    const ALL: [Self; 6] = [
        Self::Waiting,
        Self::InForce,
        Self::Answered,
        Self::Replaced,
        Self::NotAdopted,
        Self::Judged,
    ];

    /// Returns the part for a discussion.
    pub(super) fn of(standing: Standing) -> Self {
        match standing {
            Standing::Open => Self::Waiting,
            Standing::InForce => Self::InForce,
            Standing::Answered => Self::Answered,
            Standing::Replaced | Standing::Withdrawn => Self::Replaced,
            Standing::NotAdopted => Self::NotAdopted,
            Standing::Verdict => Self::Judged,
        }
    }

    /// Returns the title and the id in the index.
    fn title(self) -> (&'static str, &'static str) {
        match self {
            Self::Waiting => ("Waiting", "waiting"),
            Self::InForce => ("In force", "in-force"),
            Self::Answered => ("Answered, not voted on", "answered"),
            Self::Replaced => ("Replaced or withdrawn", "replaced"),
            Self::NotAdopted => ("Not adopted", "not-adopted"),
            Self::Judged => ("Reviews", "reviews"),
        }
    }
}

/// A link between two decisions.
#[derive(Clone, Debug)]
pub(super) struct Replacement {
    /// The decision of the page's own discussion, like `D1`; `None` means all.
    pub(super) own: Option<String>,
    /// The other discussion, as a path below the folder of discussions.
    pub(super) file: String,
    /// The decision of the other discussion.
    pub(super) decision: Option<String>,
}

/// The facts about a decision that other discussions determine too.
#[derive(Clone, Debug, Default)]
pub(super) struct DecisionNote {
    /// What was decided once, each with its state unless it is in force.
    pub(super) stated: Vec<String>,
    /// The names of participants that voted against it.
    pub(super) dissent: Vec<String>,
    /// The results in hindsight, newest first.
    pub(super) hindsight: Vec<String>,
    pub(super) replaces: Vec<Replacement>,
    pub(super) replaced_by: Vec<Replacement>,
}

/// One discussion in the index.
pub(super) struct IndexRow {
    pub(super) section: IndexSection,
    /// The path below the folder of discussions.
    pub(super) file: String,
    pub(super) title: String,
    /// The day of the last entry; empty if unknown.
    pub(super) day: String,
    pub(super) outcome: Option<String>,
    /// How the outcome stands, in words.
    pub(super) words: String,
    /// The decisions to look at again now, as sentences.
    pub(super) due: Vec<String>,
    /// The requests to people, as sentences.
    pub(super) waits_for: Vec<String>,
    /// The discussion that opened it.
    pub(super) parent: Option<String>,
    pub(super) note: DecisionNote,
}

impl IndexRow {
    /// Orders rows: those with a decision to look at again first, then the newest first.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let is_due = |row: &Self| !row.due.is_empty();
        let by_day = || other.day.cmp(&self.day).then_with(|| self.file.cmp(&other.file));
        is_due(other).cmp(&is_due(self)).then_with(by_day)
    }
}

/// The titles of all discussions, by their paths below the folder of discussions.
type Titles<'t> = HashMap<&'t str, &'t str>;

/// Returns the index.
pub(super) fn index_page(
    rows: &[&IndexRow],
    titles: &Titles<'_>,
    today: &str,
    links: &Arc<PageLinks>,
) -> String {
    let mut main = Html::on(Some(links));
    main.raw("<div class=\"record\"><h1>Decisions and discussions</h1><p class=\"jump\">");
    let count = |section| rows.iter().filter(|row| row.section == section).count();
    for section in IndexSection::ALL.into_iter().filter(|section| count(*section) > 0) {
        let (title, id) = section.title();
        main.raw("<a href=\"#").raw(id).raw("\">").raw(title).raw("</a> <small>");
        main.value(count(section)).raw("</small> ");
    }
    main.raw("</p>");
    if rows.is_empty() {
        main.raw("<p>No discussions yet.</p>");
    }
    for section in IndexSection::ALL.into_iter().filter(|section| count(*section) > 0) {
        let (title, id) = section.title();
        main.raw("<section aria-labelledby=\"").raw(id).raw("\"><h2 id=\"").raw(id).raw("\">");
        main.raw(title).raw("</h2><ul class=\"all ").raw(id).raw("\">");
        let own = rows.iter().filter(|row| row.section == section);
        own.for_each(|row| index_row(&mut main, row, titles, links));
        main.raw("</ul></section>");
    }
    main.raw("<p class=\"faint\">Exported on <time>").text(today).raw("</time></p></div>");
    frame_page("Decisions and discussions", "", links, &main)
}

/// Adds a discussion to the index.
fn index_row(main: &mut Html, row: &IndexRow, titles: &Titles<'_>, links: &PageLinks) {
    main.raw("<li><a href=\"").text(&links.of_discussion(&row.file).unwrap_or_default());
    main.raw("\">").inline(&row.title).raw("</a>");
    if row.note.stated.len() > 1 {
        for text in &row.note.stated {
            main.raw("<span class=\"decided\">").inline(text).raw("</span>");
        }
    } else if let Some(outcome) = &row.outcome {
        main.raw("<span class=\"decided\">").inline(&told::outcome(outcome)).raw("</span>");
    }
    for sentence in row.due.iter().chain(&row.waits_for).chain(&row.note.hindsight) {
        main.raw("<small>").inline(sentence).raw("</small>");
    }
    for it in &row.note.replaced_by {
        main.raw("<small>");
        replacement(main, "replaced by", it, titles, links);
        main.raw("</small>");
    }
    main.raw("<small>").text(&row.words);
    if !row.day.is_empty() {
        main.raw(" · <time>").text(&row.day).raw("</time>");
    }
    if !row.note.dissent.is_empty() {
        main.raw(" · dissent: ").text(&row.note.dissent.join(", "));
    }
    if let Some(parent) = &row.parent {
        main.raw(" · sub-discussion of ");
        linked(main, parent, titles, links);
    }
    main.raw("</small></li>");
}

/// Adds a sentence about two decisions, with a link to the other one.
fn replacement(
    html: &mut Html,
    verb: &'static str,
    it: &Replacement,
    titles: &Titles<'_>,
    links: &PageLinks,
) {
    if let Some(own) = &it.own {
        html.text(own).raw(" ");
    }
    html.raw(verb).raw(" ");
    linked(html, &it.file, titles, links);
    if let Some(decision) = &it.decision {
        html.raw(" ").text(decision);
    }
}

/// Adds a link to a discussion; only its name if it has no page.
fn linked(html: &mut Html, file: &str, titles: &Titles<'_>, links: &PageLinks) {
    match (links.of_discussion(file), titles.get(file)) {
        (Some(to), Some(title)) => {
            html.raw("<a href=\"").text(&to).raw("\">").inline(title).raw("</a>");
        }
        _ => drop(html.text(file.trim_end_matches(".md"))),
    }
}

/// Returns the page of a discussion.
pub(super) fn discussion_page(
    row: &IndexRow,
    titles: &Titles<'_>,
    picture: &RenderedDiscussion,
    links: &Arc<PageLinks>,
) -> String {
    let mut main = Html::on(Some(links));
    main.raw("<header class=\"top\"><h1 id=\"title\">").piece(&heading(picture)).raw("</h1>");
    let note = &row.note;
    if !note.replaced_by.is_empty() {
        main.raw("<p class=\"replaced\">");
        for (place, it) in note.replaced_by.iter().enumerate() {
            main.raw(if place > 0 { "<br>" } else { "" });
            replacement(
                &mut main,
                if it.own.is_some() { "replaced by" } else { "Replaced by" },
                it,
                titles,
                links,
            );
        }
        main.raw("</p>");
    }
    main.raw("<p class=\"faint\">").text(&row.words);
    if !row.day.is_empty() {
        main.raw(" · <time>").text(&row.day).raw("</time>");
    }
    for it in &note.replaces {
        main.raw(" · ");
        replacement(&mut main, "replaces", it, titles, links);
    }
    if let Some(parent) = &row.parent {
        main.raw(" · sub-discussion of ");
        linked(&mut main, parent, titles, links);
    }
    main.raw("</p>");
    for sentence in row.due.iter().chain(&row.waits_for) {
        main.raw("<p class=\"replaced\">").inline(sentence).raw("</p>");
    }
    main.raw("</header><section id=\"outcome\"");
    let is_old = row.section == IndexSection::Replaced;
    main.raw(if is_old { " class=\"old\">" } else { ">" });
    let outcome = outcome(picture);
    if outcome.as_str().is_empty() && !note.stated.is_empty() {
        main.raw(if note.stated.len() > 1 { "<h2>Decisions</h2>" } else { "<h2>Decision</h2>" });
        for text in &note.stated {
            main.raw("<p class=\"decision\">").inline(text).raw("</p>");
        }
    }
    main.piece(&outcome).raw("</section>");
    main.raw("<aside id=\"panel\" aria-label=\"Status\">").piece(&still_panel(picture));
    main.raw("</aside><div class=\"record\"><section id=\"context\">");
    main.markdown(below_title(&picture.shown.preamble), 0);
    main.raw("</section><section id=\"record\" aria-label=\"Comments\">");
    for (_, _, block) in picture.blocks_after(0) {
        main.piece(block);
    }
    main.raw("</section></div>");
    frame_page(&picture.shown.title, " room", links, &main)
}

/// Returns a page with its frame.
fn frame_page(title: &str, class: &'static str, links: &PageLinks, main: &Html) -> String {
    let mut page = Html::default();
    page.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">").raw(POLICY);
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .raw("<meta name=\"color-scheme\" content=\"light dark\">")
        .raw("<meta name=\"referrer\" content=\"no-referrer\"><link rel=\"stylesheet\" href=\"");
    page.text(&links.to("style.css")).raw("\"><link rel=\"icon\" href=\"");
    page.text(&links.to("icon.svg")).raw("\"><title>").text(title);
    page.raw("</title></head><body class=\"site").raw(class).raw("\">");
    if !links.file.is_empty() {
        page.raw("<nav aria-label=\"Site\"><p class=\"home\"><a href=\"");
        page.text(&links.to("index.html")).raw("\">All decisions</a></p></nav>");
    }
    page.raw("<main>").piece(main).raw("</main></body></html>\n");
    page.into_string()
}
