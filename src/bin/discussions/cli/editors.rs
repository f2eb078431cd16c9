//! Sets up editors to start the language server: adds to the project's files for them, beside what is there. The files
//! name the program alone, never a path, because others open the project too.

use std::path::Path;

use clap::ValueEnum;
use discussions::view::SetUp;
use serde_json::json;
use toml_edit::{Array, ArrayOfTables, Item, Table, value};

use crate::cli::error::CommandError;
use crate::cli::project_file::{ProjectFile, with_element, with_entry, with_toml_table};

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
                    |before| with_element(json_of(before), "recommendations", EXTENSION),
                ),
                (
                    ".vscode/settings.json",
                    "{\"[markdown]\": {\"files.trimTrailingWhitespace\": false}}".to_owned(),
                    |before| {
                        let key = "files.trimTrailingWhitespace";
                        with_entry(json_of(before), "[markdown]", key, &json!(false))
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

/// Returns a JSON text; an empty one becomes an empty object.
fn json_of(text: &str) -> &str {
    if text.trim().is_empty() { "{\n}\n" } else { text }
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
    let mut server = Table::new();
    server.insert("command", value(NAME));
    server.insert("args", value(Array::from_iter(["lsp"])));
    let Some(mut all) = with_toml_table(before, "language-server", NAME, server)? else {
        return Ok(None);
    };
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

#[cfg(test)]
mod tests {
    use super::*;

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
