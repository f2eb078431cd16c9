//! Screens of a terminal, one after another, as one SVG file that moves by CSS alone.
//!
//! Without animation, the file shows the last screen: in programs without CSS, and for people who want no motion.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::RgbColor;
use regex::Regex;

const COLUMNS: usize = 96;
const LINE: usize = 18;
/// The height of the bar with the caption.
const BAR: usize = 36;
const PADDING: usize = 10;

/// One screen and how long it stays.
struct Shot {
    lasts_ms: u32,
    rows: Vec<String>,
    caption: &'static str,
    /// The keys that are pressed at this moment.
    keys: Vec<&'static str>,
}

/// The screens in their order.
#[derive(Default)]
pub(super) struct Film {
    shots: Vec<Shot>,
    caption: &'static str,
    keys: Vec<&'static str>,
}

/// A drawn part of the picture.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Row(usize, String),
    Caption(&'static str),
    Keys(Vec<&'static str>),
}

/// The time in which a part is visible, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    from: u32,
    to: u32,
}

impl Film {
    /// Sets the caption of the next shots.
    pub(super) fn caption(&mut self, caption: &'static str) {
        self.caption = caption;
    }

    /// Shows keys in the next shot.
    pub(super) fn press(&mut self, keys: &[&'static str]) {
        self.keys = keys.to_vec();
    }

    pub(super) fn shot(&mut self, lasts_ms: u32, rows: Vec<String>) {
        let keys = std::mem::take(&mut self.keys);
        self.shots.push(Shot { lasts_ms, rows, caption: self.caption, keys });
    }

    /// Returns the text of the last screen.
    pub(super) fn last_screen(&self) -> String {
        let rows = self.shots.last().map(|shot| shot.rows.join("\n")).unwrap_or_default();
        anstream::adapter::strip_str(&rows).to_string()
    }

    fn length(&self) -> u32 {
        self.shots.iter().map(|shot| shot.lasts_ms).sum()
    }

    /// Returns all parts with the times in which they are visible, without interruption.
    fn parts(&self) -> Vec<(Span, Part)> {
        let mut done = Vec::new();
        let mut open: BTreeMap<Part, u32> = BTreeMap::new();
        let mut now = 0;
        for shot in &self.shots {
            let rows = shot.rows.iter().enumerate().filter(|(_, row)| !row.is_empty());
            let rows = rows.map(|(at, row)| Part::Row(at, row.clone()));
            let keys = Some(Part::Keys(shot.keys.clone())).filter(|_| !shot.keys.is_empty());
            let shown: Vec<Part> = rows.chain([Part::Caption(shot.caption)]).chain(keys).collect();
            let ended: Vec<Part> =
                open.keys().filter(|part| !shown.contains(part)).cloned().collect();
            for part in ended {
                let from = open.remove(&part).unwrap_or_default();
                done.push((Span { from, to: now }, part));
            }
            for part in shown {
                open.entry(part).or_insert(now);
            }
            now += shot.lasts_ms;
        }
        done.extend(open.into_iter().map(|(part, from)| (Span { from, to: now }, part)));
        done.sort();
        done
    }

    /// Returns the picture.
    pub(super) fn svg(&self) -> String {
        let parts = self.parts();
        let length = self.length();
        let rows = self.shots.iter().map(|shot| shot.rows.len()).max().unwrap_or_default();
        // A cell is 0.6 em wide in the usual fonts.
        let width = COLUMNS * 84 / 10 + 3 * PADDING;
        let height = BAR + rows * LINE + 2 * PADDING;
        let (styles, drawn) = drawn_rows(&parts);
        let mut spans: Vec<Span> = parts.iter().map(|(span, _)| *span).collect();
        spans.sort();
        spans.dedup();
        let mut body = String::new();
        for (span, part) in &parts {
            // Parts that are on the last screen stay without animation.
            let gone = if span.to == length { "" } else { " gone" };
            let at = spans.binary_search(span).unwrap_or_default();
            let class = format!("t{at}{gone}");
            body.push_str(&match part {
                Part::Row(row, text) => {
                    let y = BAR + PADDING + (row + 1) * LINE - 4;
                    let text = &drawn[text];
                    format!("<text class=\"fg {class}\" x=\"{PADDING}\" y=\"{y}\">{text}</text>\n")
                }
                Part::Caption(text) => {
                    format!("<text class=\"caption {class}\" x=\"16\" y=\"23\">{text}</text>\n")
                }
                Part::Keys(keys) => drawn_keys(keys, &class, width),
            });
        }
        let frames: String = spans
            .iter()
            .enumerate()
            .filter(|(_, span)| span.from > 0 || span.to < length)
            .map(|(at, span)| keyframes(at, *span, length))
            .collect();
        let seconds = f64::from(length) / 1000.0;
        let moves: Vec<String> = (0..spans.len()).map(|at| format!(".t{at}")).collect();
        let moves = moves.join(", ");
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <style>\n{styles}\
             text {{ font: 14px SFMono-Regular, Consolas, Liberation Mono, Menlo, monospace; white-space: pre }}\n\
             .caption, .key {{ font: 600 14px -apple-system, Segoe UI, Noto Sans, Helvetica, Arial, sans-serif; fill: #e6edf3 }}\n\
             .key {{ font-size: 13px; text-anchor: middle }}\n\
             .cap {{ fill: #30363d; stroke: #8b949e }}\n\
             .gone {{ visibility: hidden }}\n\
             @media (prefers-reduced-motion: no-preference) {{\n\
             {moves} {{ animation: {seconds}s step-end infinite }}\n{frames}}}\n\
             </style>\n\
             <rect x=\"0.5\" y=\"0.5\" width=\"{card}\" height=\"{tall}\" rx=\"6\" fill=\"#0d1117\" stroke=\"#3d444d\"/>\n\
             <path d=\"M1 {BAR}V7a6 6 0 0 1 6-6h{inner}a6 6 0 0 1 6 6v{side}z\" fill=\"#21262d\"/>\n\
             {body}</svg>\n",
            card = width - 1,
            tall = height - 1,
            inner = width - 14,
            side = BAR - 7,
        )
    }
}

/// Returns the rules that show a class of parts in its time only.
fn keyframes(at: usize, span: Span, length: u32) -> String {
    let percent = |ms: u32| f64::from(ms * 100) / f64::from(length);
    let mut steps = String::new();
    if span.from > 0 {
        steps.push_str("0%{visibility:hidden}");
    }
    let _ = write!(steps, "{:.2}%{{visibility:visible}}", percent(span.from));
    if span.to < length {
        let _ = write!(steps, "{:.2}%{{visibility:hidden}}", percent(span.to));
    }
    format!(".t{at} {{ animation-name: k{at} }} @keyframes k{at} {{{steps}}}\n")
}

/// Returns the styles of all rows, and each row as SVG text.
fn drawn_rows(parts: &[(Span, Part)]) -> (String, BTreeMap<String, String>) {
    let mut texts: Vec<&String> = parts
        .iter()
        .filter_map(|(_, part)| match part {
            Part::Row(_, text) => Some(text),
            Part::Caption(_) | Part::Keys(_) => None,
        })
        .collect();
    texts.sort();
    texts.dedup();
    let all: Vec<&str> = texts.iter().map(|text| text.as_str()).collect();
    let term = anstyle_svg::Term::new()
        .fg_color(RgbColor(0xe6, 0xed, 0xf3).into())
        .bg_color(RgbColor(0x0d, 0x11, 0x17).into());
    let whole = term.render_svg(&all.join("\n"));
    let line = Regex::new(r#"<tspan x="10px" y="\d+px">(.*)\n</tspan>"#).unwrap();
    let lines: Vec<&str> =
        line.captures_iter(&whole).map(|found| found.get(1).unwrap().as_str()).collect();
    assert_eq!(lines.len(), texts.len(), "each row is one line of the drawing");
    // Text without a style needs no element of its own. Dimmed text must stay legible.
    let plain = Regex::new("<tspan>([^<]*)</tspan>").unwrap();
    let rule = Regex::new(r"(?m)^ +(\.(?:fg|bold|dimmed)[\w-]* \{.*\})$").unwrap();
    let styles: String = rule
        .captures_iter(&whole)
        .map(|found| found[1].replace("opacity: 0.4", "fill-opacity: 0.65") + "\n")
        .collect();
    let lines = lines.iter().map(|line| plain.replace_all(line, "$1").into_owned());
    (styles, texts.into_iter().cloned().zip(lines).collect())
}

/// Returns keys at the right end of the bar.
fn drawn_keys(keys: &[&str], class: &str, width: usize) -> String {
    let mut drawn = format!("<g class=\"{class}\">");
    let mut right = width - 16;
    for key in keys.iter().rev() {
        let wide = 20 + 8 * key.chars().count();
        let (left, middle) = (right - wide, right - wide / 2);
        let _ = write!(
            drawn,
            "<rect class=\"cap\" x=\"{left}\" y=\"6\" width=\"{wide}\" height=\"24\" rx=\"5\"/>\
             <text class=\"key\" x=\"{middle}\" y=\"23\">{key}</text>"
        );
        right = left - 6;
    }
    drawn + "</g>\n"
}
