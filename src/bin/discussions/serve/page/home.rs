//! Pages about many discussions: the waiting steps and the list, earlier decisions, statistics.

use std::collections::HashMap;
use std::ops::Range;

use axum::http::StatusCode;
use axum::response::Html as Answer;
use discussions::view::{List, Listed, Recalled, Stats, Waiting, visible};
use serde::Deserialize;

use super::html::{Frame, Html, frame_page};
use crate::cli::amounts::{money_or_unknown, seconds};
use crate::cli::verbs::stats::HINDSIGHT_WORDS;
use crate::cli::words as told;
use crate::cli::words::ago;
use crate::serve::request::ApiError;
use crate::serve::words;

/// The maximum number of rows of a list on a page.
const ROWS: usize = 50;

/// The maximum number of lines about one discussion in a list. Its own page has all of them.
const LINES: usize = 10;

/// The list and the page of it in an address, such as `?list=waiting&page=2`. They are texts, so that the error for a
/// wrong one is written for people.
#[derive(Deserialize)]
pub(in crate::serve) struct ListAddress {
    list: Option<String>,
    page: Option<String>,
}

/// A list that has too many rows for one page.
struct LongList {
    /// The word in its address.
    word: &'static str,
    title: &'static str,
    /// The plural of what a row is.
    rows: &'static str,
    count: usize,
}

impl LongList {
    fn pages(&self) -> usize {
        self.count.div_ceil(ROWS).max(1)
    }
}

/// The part of a page's lists that an address chooses: the beginnings of all, or one page of one list.
struct ListPage<'l> {
    path: &'static str,
    /// All lists; an address without a list means the first one.
    lists: &'l [LongList],
    /// The index of the only list to show; `None` means all.
    only: Option<usize>,
    /// The page, from 1.
    page: usize,
}

impl<'l> ListPage<'l> {
    fn of(
        address: &ListAddress,
        path: &'static str,
        lists: &'l [LongList],
    ) -> Result<Self, ApiError> {
        let missing = |message: String| {
            ApiError::new(StatusCode::NOT_FOUND, message)
                .help(format!("the first page is at {path}"))
        };
        let page = address.page.as_deref().unwrap_or("1");
        let page: usize = page
            .parse()
            .map_err(|_| missing(format!("`{}` is not the number of a page", visible(page))))?;
        let only = match address.list.as_deref() {
            None => (page != 1).then_some(0),
            Some(word) => {
                let at = lists.iter().position(|list| list.word == word);
                Some(at.ok_or_else(|| missing(format!("there is no list `{}`", visible(word))))?)
            }
        };
        let pages = only.map_or(1, |at| lists[at].pages());
        if page == 0 || page > pages {
            let has = if pages == 1 { "one page".to_owned() } else { format!("{pages} pages") };
            return Err(missing(format!("there is no page {page}: this list has {has}")));
        }
        Ok(Self { path, lists, only, page })
    }

    /// Returns the title for a page's frame.
    fn title(&self, all: &'static str) -> String {
        match self.only {
            Some(at) if self.page > 1 => format!("{}, page {}", self.lists[at].title, self.page),
            Some(at) => self.lists[at].title.to_owned(),
            None => all.to_owned(),
        }
    }

    /// Returns the rows of a list that the page shows; `None` if it does not show the list.
    fn range(&self, list: usize) -> Option<Range<usize>> {
        if self.only.is_some_and(|only| only != list) {
            return None;
        }
        let from = (self.page - 1) * ROWS;
        Some(from..self.lists[list].count.min(from + ROWS))
    }

    /// Adds a list and the links to its other pages. `title` says if it has a title among the other lists; alone it has
    /// one always. Adds nothing if the list is not chosen, or if it is empty among others.
    fn section<T>(
        &self,
        main: &mut Html,
        (list, title): (usize, bool),
        rows: &[T],
        draw: impl FnOnce(&mut Html, &[T]),
    ) {
        let Some(range) = self.range(list) else { return };
        if self.only.is_some() || (title && !rows.is_empty()) {
            main.raw("<h2>").raw(self.lists[list].title).raw("</h2>");
        }
        match rows.get(range) {
            Some(rows) if !rows.is_empty() => draw(main, rows),
            _ if self.only.is_some() => {
                main.raw("<p>This list is empty.</p>");
            }
            _ => {}
        }
        self.links(main, list);
    }

    /// Adds the links to the pages of a list before and after this one; nothing if the page shows the whole list.
    fn links(&self, main: &mut Html, list: usize) {
        let (Some(range), LongList { title, rows, count, .. }) =
            (self.range(list), &self.lists[list])
        else {
            return;
        };
        if range.len() == *count {
            return;
        }
        main.raw("<p class=\"row\">");
        if range.start > 0 {
            let link = main.raw("<a class=\"button\" rel=\"prev\" href=\"");
            self.address(link, list, self.page - 1);
            main.raw("\">Previous<span class=\"unseen\"> page: ").raw(title).raw("</span></a> ");
        }
        main.raw("<span class=\"faint\">").raw(rows).raw(" ").text(&grouped(range.start + 1));
        main.raw("–").text(&grouped(range.end)).raw(" of ").text(&grouped(*count)).raw("</span>");
        if range.end < *count {
            let link = main.raw(" <a class=\"button\" rel=\"next\" href=\"");
            self.address(link, list, self.page + 1);
            main.raw("\">Next<span class=\"unseen\"> page: ").raw(title).raw("</span></a>");
        }
        main.raw("</p>");
    }

    /// Adds the address of a page of a list.
    fn address(&self, main: &mut Html, list: usize, page: usize) {
        main.raw(self.path);
        match (list, page) {
            (0, 1) => {}
            (0, page) => {
                main.raw("?page=").value(page);
            }
            (list, page) => {
                main.raw("?list=").raw(self.lists[list].word).raw("&amp;page=").value(page);
            }
        }
    }
}

/// Returns a number with a comma between each three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The data of the first page.
pub(in crate::serve) struct Home<'h> {
    pub(in crate::serve) list: &'h List,
    /// The name of the reader.
    pub(in crate::serve) author: &'h str,
    /// The name of each discussion whose last run stopped at a limit or an error, with the reason.
    pub(in crate::serve) stopped: &'h [(String, String)],
}

/// Returns the first page, or a later page of one of its lists.
pub(in crate::serve) fn home(
    home: &Home<'_>,
    address: &ListAddress,
) -> Result<Answer<String>, ApiError> {
    let Home { list, author, .. } = *home;
    let all = due_first(list);
    let due: Vec<&Listed> = all.iter().copied().filter(|one| !one.due.is_empty()).collect();
    let (own, others) = (awaited(home, true), awaited(home, false));
    let long = |word, title, count| LongList { word, title, rows: "Discussions", count };
    let lists = [
        long("all", "All", all.len()),
        long("due", "Decisions to review", due.len()),
        long("waiting", "Waiting for you", own.len()),
        long("others", "Waiting for others", others.len()),
        LongList { rows: "Files", ..long("unreadable", "Unreadable", list.unreadable.len()) },
    ];
    let choice = ListPage::of(address, "/", &lists)?;
    let mut main = Html::default();
    main.raw("<div class=\"record\"><header class=\"row heading\"><h1>Discussions</h1>");
    main.raw("<a class=\"button first\" href=\"/new\">New discussion</a></header>");
    choice.section(&mut main, (1, true), &due, draw_due);
    let draw = |main: &mut Html, rows: &[AwaitedRow<'_>]| draw_awaited(main, rows, author);
    choice.section(&mut main, (2, true), &own, draw);
    choice.section(&mut main, (3, true), &others, draw);
    choice.section(&mut main, (4, false), &list.unreadable, |main, rows| {
        for unreadable in rows {
            main.raw("<p role=\"alert\">").text(&unreadable.message).raw("</p>");
        }
    });
    if all.is_empty() && choice.only.is_none() {
        main.raw("<p>No discussions yet.</p>");
    }
    let is_alone = due.is_empty() && own.is_empty() && others.is_empty();
    choice.section(&mut main, (0, !is_alone), &all, |main, rows| {
        main.raw("<ul class=\"all\">");
        rows.iter().for_each(|one| row(main, one, false));
        main.raw("</ul>");
    });
    recall_form(&mut main, "");
    main.raw("<p><a href=\"/stats\">Statistics</a></p><p class=\"faint\">In ");
    main.text(&list.folder).raw(", as ").text(author).raw("</p></div>");
    Ok(finish_page(&choice.title("All"), &main))
}

/// Returns the discussions, those with a decision to look at again first.
fn due_first(list: &List) -> Vec<&Listed> {
    let mut all: Vec<&Listed> = list.discussions.iter().collect();
    // The sort is stable, so the others stay in the order of the list.
    all.sort_by_key(|one| one.first_due());
    all
}

/// Adds decisions to look at again.
fn draw_due(main: &mut Html, rows: &[&Listed]) {
    main.raw("<ul class=\"all waits\">");
    for one in rows {
        main.raw("<li><a href=\"").way(&one.name).raw("\">").inline(&one.title).raw("</a>");
        for review in one.due.iter().take(LINES) {
            main.raw("<small>").text(&told::review_day(&review.review_by, review.days));
            let what = review.decision.as_deref().map(|it| format!("{it}: ")).unwrap_or_default();
            main.raw(" · ").inline(&format!("{what}{}", review.text)).raw("</small>");
        }
        draw_rest(main, one.due.len());
        main.raw("</li>");
    }
    main.raw("</ul>");
}

/// Adds the number of lines about a discussion that its row does not show.
fn draw_rest(main: &mut Html, lines: usize) {
    if lines > LINES {
        main.raw("<small>and ").value(lines - LINES).raw(" more</small>");
    }
}

/// A discussion that waits for people.
struct AwaitedRow<'h> {
    listed: &'h Listed,
    waiting: Vec<&'h Waiting>,
    /// The reason why its last run stopped.
    stopped: Option<&'h str>,
}

/// Returns the discussions that wait for the reader, or else those that wait for others, each with all that it waits
/// for. A stopped run waits for the reader.
fn awaited<'h>(home: &Home<'h>, for_reader: bool) -> Vec<AwaitedRow<'h>> {
    let Home { list, author, stopped } = *home;
    let mut by_name: HashMap<&str, Vec<&Waiting>> = HashMap::new();
    for one in list.waiting.iter().filter(|one| words::waits_for(one, author) == for_reader) {
        by_name.entry(&one.name).or_default().push(one);
    }
    let stopped = stopped.iter().filter(|_| for_reader);
    let stopped: HashMap<&str, &str> =
        stopped.map(|(name, why)| (name.as_str(), why.as_str())).collect();
    let rows = list.discussions.iter().map(|listed| {
        let name = listed.name.as_str();
        let waiting = by_name.get(name).cloned().unwrap_or_default();
        AwaitedRow { listed, waiting, stopped: stopped.get(name).copied() }
    });
    rows.filter(|row| !row.waiting.is_empty() || row.stopped.is_some()).collect()
}

/// Adds discussions with what they wait for.
fn draw_awaited(main: &mut Html, rows: &[AwaitedRow<'_>], author: &str) {
    main.raw("<ul class=\"all waits\">");
    for AwaitedRow { listed, waiting, stopped } in rows {
        main.raw("<li><a href=\"").way(&listed.name).raw("#say\">").inline(&listed.title);
        main.raw("</a>");
        for one in waiting.iter().take(LINES) {
            main.raw("<small>").inline(&words::waiting(one, author)).raw("</small>");
        }
        draw_rest(main, waiting.len());
        if let Some(why) = stopped {
            main.raw("<small>").inline(why).raw("</small>");
        }
        main.raw("</li>");
    }
    main.raw("</ul>");
}

/// The number of discussions in the list beside a page.
const NAMED: usize = 40;

/// Returns the list beside the page of the discussion `here`.
pub(in crate::serve) fn side_list(list: &List, here: &str) -> Answer<String> {
    let mut html = Html::default();
    html.raw("<ul>");
    let shown = due_first(list).into_iter().take(NAMED);
    shown.for_each(|one| row(&mut html, one, one.name == here));
    html.raw("</ul>");
    if list.discussions.len() > NAMED {
        let more = list.discussions.len() - NAMED;
        html.raw("<p><a href=\"/\">").value(more).raw(" more</a></p>");
    }
    Answer(html.into_string())
}

/// Adds a discussion and its status.
fn row(page: &mut Html, one: &Listed, is_here: bool) {
    page.raw("<li class=\"").text(&one.status.as_str().to_lowercase());
    page.raw("\"><a href=\"").way(&one.name);
    page.raw(if is_here { "\" aria-current=\"page\">" } else { "\">" }).inline(&one.title);
    page.raw("</a><small>").text(&told::outcome(one.decided.words()));
    if let Some(at) = &one.updated {
        page.raw(" · <time datetime=\"").text(at).raw("\">").text(&ago(one.age, at)).raw("</time>");
    }
    if one.running {
        page.raw(" · running");
    }
    if one.waits_for_people {
        page.raw(" · waiting for a person");
    }
    if !one.due.is_empty() {
        page.raw(" · to review");
    }
    if let Some(day) = &one.decide_by {
        page.raw(" · ").text(&day.words());
    }
    // The words of a review are its verdict already.
    let decision = one.decided.line().filter(|line| line != one.decided.words());
    if let Some(decision) = decision {
        page.raw(" · ").inline(&decision);
    }
    page.raw("</small></li>");
}

/// Returns the page with the earlier decisions similar to a question, the nearest first.
pub(in crate::serve) fn recall_page(question: &str, found: &[Recalled]) -> Answer<String> {
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>Past decisions</h1>");
    recall_form(&mut main, question);
    if found.is_empty() {
        main.raw("<p>No past decision is similar to this question.</p>");
    }
    main.raw("<ul class=\"all\">");
    for one in found {
        main.raw("<li><a href=\"").way(&one.name).raw("\">").text(&one.title).raw("</a> <small>");
        main.text(one.at.get(..10).unwrap_or_default()).raw("</small><br>");
        main.inline(&told::outcome(&one.marked_sentence())).raw("</li>");
    }
    main.raw("</ul></div>");
    finish_page("Past decisions", &main)
}

/// Adds the form for the question.
fn recall_form(main: &mut Html, question: &str) {
    main.raw("<form action=\"/recall\" class=\"row before\"><label>Search past decisions <input name=\"q\" required");
    main.raw(" maxlength=\"500\" placeholder=\"your question, in any words\" value=\"")
        .text(question);
    main.raw("\"></label> <button>Search</button></form>");
}

/// Returns the page with the outcomes of all discussions, by pattern and by provider, and the dissent that later
/// decisions adopted; or a later page of one of its tables.
pub(in crate::serve) fn stats_page(
    stats: &Stats,
    address: &ListAddress,
) -> Result<Answer<String>, ApiError> {
    let all = (stats.by_pattern.len() > 1).then_some(("all", &stats.all));
    let rows = stats.by_pattern.iter().map(|(name, one)| (name.as_str(), one)).chain(all);
    let patterns = rows.clone().map(|(name, one)| {
        let outcomes = one.outcomes.iter().map(|(status, count)| format!("{status}: {count}"));
        [
            name.to_owned(),
            one.discussions.to_string(),
            outcomes.collect::<Vec<_>>().join(", "),
            one.calls.to_string(),
            seconds(one.ms),
            money_or_unknown(one.usd),
        ]
    });
    let patterns: Vec<_> = patterns.collect();
    let judged = rows.filter(|(_, one)| !one.hindsight.is_empty());
    let hindsight = judged.map(|(name, one)| {
        let count = |word| one.hindsight.get(word).copied().unwrap_or(0).to_string();
        let [held, mixed, failed] = HINDSIGHT_WORDS.map(count);
        [name.to_owned(), held, mixed, failed]
    });
    let hindsight: Vec<_> = hindsight.collect();
    let providers = stats.by_provider.iter().map(|(name, one)| {
        [
            name.clone(),
            one.asked.to_string(),
            one.failed.to_string(),
            one.calls.to_string(),
            seconds(one.ms),
            money_or_unknown(one.usd),
        ]
    });
    let providers: Vec<_> = providers.collect();
    let dissent = stats.dissent.iter();
    let dissent: Vec<_> = dissent
        .map(|(name, one)| [name.clone(), one.dissented.to_string(), one.adopted.to_string()])
        .collect();
    let long = |word, rows, count| LongList { word, title: rows, rows, count };
    let lists = [
        long("patterns", "Patterns", patterns.len()),
        long("hindsight", "Hindsight", hindsight.len()),
        long("providers", "Providers", providers.len()),
        long("dissent", "Dissent", dissent.len()),
        long("unreadable", "Unreadable files", stats.unreadable.len()),
    ];
    let choice = ListPage::of(address, "/stats", &lists)?;
    let mut main = Html::default();
    main.raw("<div class=\"record\"><h1>Statistics</h1><p class=\"faint\">in ");
    main.text(&stats.folder).raw("</p>");
    let head = ["Pattern", "Count", "Outcome", "Calls", "Time", "Cost"];
    choice.section(&mut main, (0, false), &patterns, |main, rows| table(main, head, rows));
    let head = ["Hindsight", "Held", "Mixed", "Failed"];
    choice.section(&mut main, (1, false), &hindsight, |main, rows| table(main, head, rows));
    let head = ["Provider", "Asked", "Failed", "Calls", "Time", "Cost"];
    choice.section(&mut main, (2, false), &providers, |main, rows| table(main, head, rows));
    let head = ["Dissent", "Decisions", "Adopted later"];
    choice.section(&mut main, (3, false), &dissent, |main, rows| table(main, head, rows));
    choice.section(&mut main, (4, false), &stats.unreadable, |main, rows| {
        for reason in rows {
            main.raw("<p role=\"alert\">").text(&reason.message).raw("</p>");
        }
    });
    main.raw("</div>");
    Ok(finish_page(&choice.title("Statistics"), &main))
}

/// Adds a table.
fn table<const N: usize>(main: &mut Html, head: [&'static str; N], rows: &[[String; N]]) {
    main.raw("<table><tr>");
    for word in head {
        main.raw("<th scope=\"col\">").raw(word).raw("</th>");
    }
    main.raw("</tr>");
    for row in rows {
        main.raw("<tr>");
        for cell in row {
            main.raw("<td>").text(cell).raw("</td>");
        }
        main.raw("</tr>");
    }
    main.raw("</table>");
}

fn finish_page(title: &str, main: &Html) -> Answer<String> {
    let frame = Frame { title, here: None, refresh: false, is_live: false };
    Answer(frame_page(&frame, main))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_grouped() {
        let numbers = [0, 999, 1_000, 10_000, 1_234_567];
        assert_eq!(numbers.map(grouped), ["0", "999", "1,000", "10,000", "1,234,567"]);
    }
}
