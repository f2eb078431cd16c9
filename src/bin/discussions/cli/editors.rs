//! Sets up editors to start the language server: adds to the project's files for them, beside what is there. The files
//! name the program alone, never a path, because others open the project too.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use discussions::view::SetUp;
use serde_json::Value;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

use crate::cli::error::CommandError;

/// The name of the server in every configuration.
const NAME: &str = "discussions";

/// The name of the extension for VS Code.
const EXTENSION: &str = "discussions-md.discussions";

const NEOVIM: &str = "\
vim.lsp.config('discussions', {
  cmd = { 'discussions', 'lsp' },
  filetypes = { 'markdown' },
  root_markers = { 'discussions.yaml', '.git' },
})
vim.lsp.enable('discussions')
";

const EMACS: &str =
    "((markdown-mode . ((eglot-server-programs . ((markdown-mode \"discussions\" \"lsp\"))))))\n";

/// An editor with a language client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Editor {
    /// Visual Studio Code
    Vscode,
    /// Neovim 0.11 or newer
    Neovim,
    /// Helix
    Helix,
    /// Emacs with eglot
    Emacs,
}

/// A file of an editor: its path, the line to add by hand, and the change that adds it.
type EditorFile = (&'static str, String, fn(&str) -> Result<Option<String>, String>);

impl Editor {
    fn files(self) -> Vec<EditorFile> {
        match self {
            Self::Vscode => vec![
                (
                    ".vscode/extensions.json",
                    format!("{{\"recommendations\": [\"{EXTENSION}\"]}}"),
                    |before| json_with(before, &["recommendations"], &format!("\"{EXTENSION}\"")),
                ),
                (
                    ".vscode/settings.json",
                    "{\"[markdown]\": {\"files.trimTrailingWhitespace\": false}}".to_owned(),
                    |before| {
                        json_with(before, &["[markdown]", "files.trimTrailingWhitespace"], "false")
                    },
                ),
            ],
            Self::Neovim => {
                vec![(".nvim.lua", "vim.lsp.enable('discussions')".to_owned(), lua_with)]
            }
            Self::Helix => vec![(
                ".helix/languages.toml",
                "[language-server.discussions] command = \"discussions\", args = [\"lsp\"]"
                    .to_owned(),
                toml_with,
            )],
            Self::Emacs => vec![(".dir-locals.el", EMACS.trim_end().to_owned(), lisp_with)],
        }
    }

    /// Writes the files of this editor into a project. Keeps everything that is already there.
    pub(crate) fn set_up(self, folder: &Path) -> Result<Vec<SetUp>, CommandError> {
        let mut done = Vec::new();
        for (name, line, add) in self.files() {
            let file = ProjectFile::open(folder, name)?;
            match add(file.present_text()) {
                Ok(Some(text)) => {
                    file.write(&text)?;
                    done.push(SetUp::Added { file: name.to_owned(), line });
                }
                Ok(None) => {}
                // The program cannot add to the file, so its owner must.
                Err(_) => done.push(SetUp::Foreign { file: name.to_owned(), line }),
            }
        }
        Ok(done)
    }
}

fn lua_with(before: &str) -> Result<Option<String>, String> {
    if before.contains("vim.lsp.enable('discussions')") {
        return Ok(None);
    }
    let gap = match before {
        "" => "",
        before if before.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Ok(Some(format!("{before}{gap}{NEOVIM}")))
}

fn lisp_with(before: &str) -> Result<Option<String>, String> {
    match before.trim() {
        "" => Ok(Some(EMACS.to_owned())),
        text if text.contains("\"discussions\" \"lsp\"") => Ok(None),
        _ => Err("the file has other settings".to_owned()),
    }
}

fn toml_with(before: &str) -> Result<Option<String>, String> {
    let mut all: DocumentMut =
        before.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let servers = all.entry("language-server").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let servers = servers.as_table_like_mut().ok_or("not a table")?;
    if servers.contains_key(NAME) {
        return Ok(None);
    }
    let mut server = Table::new();
    server.insert("command", value(NAME));
    server.insert("args", value(Array::from_iter(["lsp"])));
    servers.insert(NAME, Item::Table(server));
    let languages = all
        .entry("language")
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()))
        .as_array_of_tables_mut()
        .ok_or("not a list of tables")?;
    let is_markdown = |table: &Table| table.get("name").and_then(Item::as_str) == Some("markdown");
    // The list replaces the default one, so it must name the default server too.
    let both = || value(Array::from_iter([NAME, "marksman"]));
    let known = languages.iter().position(is_markdown);
    match known.and_then(|index| languages.get_mut(index)) {
        Some(markdown) => match markdown.get_mut("language-servers") {
            Some(listed) => listed.as_array_mut().ok_or("not a list")?.push(NAME),
            None => {
                markdown.insert("language-servers", both());
            }
        },
        None => {
            let mut markdown = Table::new();
            markdown.insert("name", value("markdown"));
            markdown.insert("language-servers", both());
            languages.push(markdown);
        }
    }
    Ok(Some(all.to_string()))
}

/// Adds a value to a JSON file with comments. All keys but the last name objects; the last one names a list, which gets
/// the value as an element if it exists or if the value is a text, or else a property.
fn json_with(before: &str, keys: &[&str], new: &str) -> Result<Option<String>, String> {
    let text = if before.trim().is_empty() { "{\n}\n" } else { before };
    let start = JsonContainer::start(text).filter(|start| text[*start..].starts_with('{'));
    let start = start.ok_or("not an object")?;
    let mut container = JsonContainer::read(text, start).ok_or("not an object")?;
    for (depth, key) in keys.iter().enumerate() {
        let rest = &keys[depth + 1..];
        let Some(value) = container.value_of(key) else {
            let inner = match rest {
                [] if new.starts_with('"') => format!("[{new}]"),
                [] => new.to_owned(),
                [last] => format!("{{ \"{last}\": {new} }}"),
                _ => return Err("too deep".to_owned()),
            };
            return Ok(Some(container.with(text, &format!("\"{key}\": {inner}"))));
        };
        if rest.is_empty() && !new.starts_with('"') {
            return Ok(None);
        }
        container = JsonContainer::read(text, value).ok_or("not a list or an object")?;
    }
    let is_there = container.elements.iter().any(|element| text[element.clone()].trim() == new);
    Ok((!is_there).then(|| container.with(text, new)))
}

/// An object or a list in a JSON text that may contain comments.
struct JsonContainer {
    open: usize,
    /// The end of the last token before the closing bracket.
    last: usize,
    is_empty: bool,
    /// The bytes of the elements; those of an object begin with the key.
    elements: Vec<std::ops::Range<usize>>,
    properties: Vec<(String, usize)>,
}

impl JsonContainer {
    /// Returns the place of the first token.
    fn start(text: &str) -> Option<usize> {
        let mut at = 0;
        next_token(text, &mut at).map(|token| token.start)
    }

    /// Reads the container that opens at a byte.
    fn read(text: &str, open: usize) -> Option<Self> {
        let mut at = open;
        let first = next_token(text, &mut at)?;
        let is_object = match &text[first.clone()] {
            "{" => true,
            "[" => false,
            _ => return None,
        };
        let (mut elements, mut properties) = (Vec::new(), Vec::new());
        let (mut depth, mut last) = (1, first.end);
        let mut begun: Option<usize> = None;
        let mut key: Option<String> = None;
        let mut awaits_value = false;
        loop {
            let token = next_token(text, &mut at)?;
            let word = &text[token.clone()];
            match word {
                "}" | "]" if depth == 1 => {
                    if let Some(start) = begun {
                        elements.push(start..last);
                    }
                    let is_closed = (word == "}") == is_object;
                    let is_empty = last == first.end;
                    return is_closed.then_some(Self {
                        open,
                        last,
                        is_empty,
                        elements,
                        properties,
                    });
                }
                "," if depth == 1 => {
                    elements.extend(begun.take().map(|start| start..last));
                    (key, awaits_value) = (None, false);
                }
                ":" if depth == 1 && is_object => awaits_value = true,
                _ => {
                    if depth == 1 && awaits_value {
                        properties.extend(key.take().map(|key| (key, token.start)));
                        awaits_value = false;
                    } else if depth == 1 && is_object && begun.is_none() {
                        key = serde_json::from_str::<Value>(word).ok()?.as_str().map(str::to_owned);
                    }
                    begun.get_or_insert(token.start);
                    match word {
                        "{" | "[" => depth += 1,
                        "}" | "]" => depth -= 1,
                        _ => {}
                    }
                }
            }
            last = token.end;
        }
    }

    fn value_of(&self, key: &str) -> Option<usize> {
        self.properties.iter().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// Returns the text with another element at the end.
    fn with(&self, text: &str, element: &str) -> String {
        let (before, after) = text.split_at(self.last);
        let comma = if self.is_empty || before.ends_with(',') { "" } else { "," };
        // The new line is indented like the line with the bracket, and one step further.
        let line = text[..self.open].rfind('\n').map_or(0, |end| end + 1);
        let indent = text[line..].len() - text[line..].trim_start_matches([' ', '\t']).len();
        let indent = format!("{}  ", &text[line..line + indent]);
        let end = if after.trim_start_matches([' ', '\t']).starts_with(['}', ']']) {
            format!("\n{}", &indent[..indent.len() - 2])
        } else {
            String::new()
        };
        format!("{before}{comma}\n{indent}{element}{end}{}", after.trim_start_matches([' ', '\t']))
    }
}

/// Returns the next token that is no comment: a text, a sign, or a word.
fn next_token(text: &str, at: &mut usize) -> Option<std::ops::Range<usize>> {
    loop {
        let rest = &text[*at..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len();
        *at += blank;
        let rest = &text[*at..];
        let comment = if rest.starts_with("//") {
            Some(rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            Some(rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else {
            None
        };
        let Some(length) = comment else { break };
        *at += length;
    }
    let (start, rest) = (*at, &text[*at..]);
    let length = match rest.chars().next()? {
        '"' => {
            let mut is_escaped = false;
            let end = rest[1..].char_indices().find(|(_, c)| {
                let is_end = *c == '"' && !is_escaped;
                is_escaped = *c == '\\' && !is_escaped;
                is_end
            });
            end?.0 + 2
        }
        '{' | '}' | '[' | ']' | ',' | ':' => 1,
        _ => rest
            .find(|c: char| c.is_whitespace() || "{}[],:\"/".contains(c))
            .filter(|length| *length > 0)
            .unwrap_or(rest.len()),
    };
    *at = start + length;
    Some(start..*at)
}

/// A file of a project with its present text.
struct ProjectFile<'n> {
    name: &'n str,
    path: PathBuf,
    text: String,
}

impl<'n> ProjectFile<'n> {
    /// Reads a file; a missing one is empty. Fails if a link on the way leads elsewhere, because the project's author may
    /// have created it.
    fn open(folder: &Path, name: &'n str) -> Result<Self, CommandError> {
        let mut path = folder.to_owned();
        for part in Path::new(name) {
            path.push(part);
            if path.is_symlink() {
                return Err(CommandError::input(format!("{name}: a symbolic link is in the way"))
                    .help("edit the target of the link yourself, or remove the link"));
            }
        }
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| CommandError::io(format!("{name}: {error}")))?,
        };
        Ok(Self { name, path, text })
    }

    /// Returns the present text.
    fn present_text(&self) -> &str {
        &self.text
    }

    /// Writes the file atomically.
    fn write(&self, text: &str) -> Result<(), CommandError> {
        let written = || -> io::Result<()> {
            let folder = self.path.parent().unwrap_or(Path::new("."));
            fs::create_dir_all(folder)?;
            let mut file = tempfile::Builder::new().permissions(readable()).tempfile_in(folder)?;
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            Ok(())
        };
        written().map_err(|error| CommandError::io(format!("{}: {error}", self.name)))
    }
}

/// Returns the permissions of a file that others in the project may read; a temporary file has stricter ones.
#[cfg(unix)]
fn readable() -> fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o644)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recommended(before: &str) -> Result<Option<String>, String> {
        json_with(before, &["recommendations"], &format!("\"{EXTENSION}\""))
    }

    fn untrimmed(before: &str) -> Result<Option<String>, String> {
        json_with(before, &["[markdown]", "files.trimTrailingWhitespace"], "false")
    }

    #[test]
    fn json_keeps_its_comments_and_gets_one_element() {
        for (before, after) in [
            ("", "{\n  \"recommendations\": [\"discussions-md.discussions\"]\n}\n"),
            (
                "{\n  // ours\n  \"recommendations\": [\n    \"a.b\" // keep, \"}\"\n  ]\n}\n",
                "{\n  // ours\n  \"recommendations\": [\n    \"a.b\",\n    \"discussions-md.discussions\"// keep, \"}\"\n  ]\n}\n",
            ),
            (
                "{\"x\": {\"recommendations\": []}, /* a */ }",
                "{\"x\": {\"recommendations\": []},\n  \"recommendations\": [\"discussions-md.discussions\"]/* a */ }",
            ),
        ] {
            assert_eq!(recommended(before), Ok(Some(after.to_owned())), "{before}");
            assert_eq!(recommended(after), Ok(None), "once is enough: {after}");
        }
        for before in ["[]", "{", "{\"recommendations\": 1}", "x"] {
            assert!(recommended(before).is_err(), "{before}");
        }
    }

    #[test]
    fn a_setting_of_the_user_stays() {
        let after = untrimmed("{\n  \"[markdown]\": {\n    \"a\": 1\n  }\n}\n").unwrap().unwrap();
        let expected = "{\n  \"[markdown]\": {\n    \"a\": 1,\n    \"files.trimTrailingWhitespace\": false\n  }\n}\n";
        assert_eq!(after, expected);
        assert_eq!(untrimmed(&after), Ok(None));
        let own = "{\"[markdown]\": {\"files.trimTrailingWhitespace\": true}}";
        assert_eq!(untrimmed(own), Ok(None));
        assert!(untrimmed("").unwrap().unwrap().contains("\"[markdown]\": { "));
    }

    #[test]
    fn helix_keeps_its_other_servers() {
        let before =
            "# mine\n[[language]]\nname = \"markdown\"\nlanguage-servers = [\"other\"] # keep\n";
        let after = toml_with(before).unwrap().unwrap();
        assert!(
            after.contains("language-servers = [\"other\", \"discussions\"] # keep"),
            "{after}"
        );
        assert_eq!(toml_with(&after), Ok(None));
        let fresh = toml_with("").unwrap().unwrap();
        assert!(fresh.contains("language-servers = [\"discussions\", \"marksman\"]"), "{fresh}");
    }

    #[test]
    fn lua_and_lisp_are_written_once() {
        let after = lua_with("vim.o.x = 1").unwrap().unwrap();
        assert!(after.starts_with("vim.o.x = 1\n\nvim.lsp.config("), "{after}");
        assert_eq!(lua_with(&after), Ok(None));
        assert_eq!(lisp_with(EMACS), Ok(None));
        assert!(lisp_with("((nil . ((x . 1))))").is_err());
    }
}
