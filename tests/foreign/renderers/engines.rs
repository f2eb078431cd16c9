//! The renderers: comrak in this process, each other one in its own process, with one case per line.

use std::io::{BufRead, BufReader, BufWriter, Lines, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::Deserialize;

/// Renderers that need Node, and those that need Python.
const NODE: [&str; 5] =
    ["markdown-it", "markdown-it-container", "micromark", "micromark-gfm", "marked"];
const PYTHON: [&str; 5] =
    ["cmark-gfm", "mistune", "python-markdown", "python-markdown-extra", "pymdownx"];

/// One renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Renderer {
    pub(super) name: &'static str,
    language: Language,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Language {
    Rust,
    Node,
    Python,
}

/// The folder into which `.ci/install foreign` installs the packages.
fn folder() -> PathBuf {
    let own = crate::root().join("target/renderers");
    std::env::var_os("RENDERERS").map_or(own, PathBuf::from)
}

/// The installed renderers, and the names of the missing ones.
pub(super) fn renderers() -> (Vec<Renderer>, Vec<&'static str>) {
    let all = std::iter::once(("comrak", Language::Rust))
        .chain(NODE.map(|name| (name, Language::Node)))
        .chain(PYTHON.map(|name| (name, Language::Python)))
        .map(|(name, language)| Renderer { name, language });
    let there = |language| match language {
        Language::Rust => true,
        Language::Node => folder().join("node_modules/marked").is_dir(),
        Language::Python => folder().join("python/bin/python").is_file(),
    };
    let (found, missing): (Vec<_>, Vec<_>) = all.partition(|it| there(it.language));
    (found, missing.into_iter().map(|it| it.name).collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Html(String),
    Error(String),
}

/// A running renderer.
pub(super) enum Engine {
    Comrak,
    Process(Child, BufWriter<ChildStdin>, Lines<BufReader<ChildStdout>>),
}

impl Renderer {
    pub(super) fn start(self) -> Engine {
        let scripts = crate::root().join("tests/foreign/renderers");
        let mut command = match self.language {
            Language::Rust => return Engine::Comrak,
            Language::Node => {
                let mut node = Command::new("node");
                // Deep nesting must not exhaust the renderer's stack.
                node.arg("--stack-size=8000").arg(scripts.join("render.mjs"));
                node
            }
            Language::Python => {
                let mut python = Command::new(folder().join("python/bin/python"));
                python.arg(scripts.join("render.py"));
                python
            }
        };
        command.arg(self.name).env("RENDERERS", folder()).env("PYTHONIOENCODING", "utf-8");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = BufWriter::new(child.stdin.take().unwrap());
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Engine::Process(child, input, output)
    }
}

impl Engine {
    /// Returns the page; an error contains the message of the renderer.
    pub(super) fn render(&mut self, text: &str) -> Result<String, String> {
        let Self::Process(_, input, output) = self else { return Ok(comrak(text)) };
        serde_json::to_writer(&mut *input, text).unwrap();
        input.write_all(b"\n").and_then(|()| input.flush()).unwrap();
        let line = output.next().expect("the renderer goes on").unwrap();
        match serde_json::from_str(&line).unwrap() {
            Answer::Html(html) => Ok(html),
            Answer::Error(error) => Err(error),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Self::Process(child, ..) = self {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Options like GitLab's, with raw HTML.
fn comrak(text: &str) -> String {
    let mut options = comrak::Options::default();
    let known = &mut options.extension;
    known.strikethrough = true;
    known.table = true;
    known.autolink = true;
    known.tasklist = true;
    known.footnotes = true;
    known.description_lists = true;
    known.multiline_block_quotes = true;
    known.alerts = true;
    known.math_dollars = true;
    known.math_code = true;
    options.parse.relaxed_autolinks = true;
    options.parse.relaxed_tasklist_matching = true;
    options.render.r#unsafe = true;
    options.render.gfm_quirks = true;
    comrak::markdown_to_html(text, &options)
}
