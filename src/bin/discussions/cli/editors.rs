//! Sets up editors to start the language server: adds to the project's files for them, beside what is there. The files
//! name the program alone, never a path, because others open the project too.

use std::path::Path;

use clap::ValueEnum;
use discussions::view::SetUp;
use toml_edit::{Array, ArrayOfTables, Item, Table, value};

use crate::cli::error::CommandError;
use crate::cli::project_file::{
    EntryAddition, ProjectFile, TableAddition, with_element, with_lf, with_toml_table,
};

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

/// The variable of Emacs that names the servers.
const EMACS_SERVERS: &str = "eglot-server-programs";

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
type EditorFile = (&'static str, String, fn(&str) -> Result<EntryAddition, String>);

impl Editor {
    fn files(self) -> Vec<EditorFile> {
        match self {
            Self::Vscode => vec![(
                ".vscode/extensions.json",
                format!("{{\"recommendations\": [\"{EXTENSION}\"]}}"),
                |before| with_element(json_of(before), "recommendations", EXTENSION),
            )],
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
                Ok(EntryAddition::Added(text)) => {
                    file.write(&text)?;
                    done.push(SetUp::Added { file: name.to_owned(), line });
                }
                Ok(EntryAddition::Present) => {}
                Ok(EntryAddition::Differs(found)) => {
                    done.push(SetUp::Differs { file: name.to_owned(), found, line });
                }
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

/// Adds our lines to a file of Neovim. Other code there that names our server may replace its command.
fn lua_with(before: &str) -> Result<EntryAddition, String> {
    let text = with_lf(before);
    let rest = text.replacen(NEOVIM, "", 1);
    let names_us = |line: &&str| {
        line.contains(NAME)
            && (!line.trim_start().starts_with("--") || line.trim_start().starts_with("--["))
    };
    let found: Vec<&str> = rest.lines().filter(names_us).collect();
    if !found.is_empty() {
        return Ok(EntryAddition::Differs(found.join("\n")));
    }
    if rest != text {
        // Other code may replace our server, or hide our lines in a long comment or string.
        let is_doubtful = ["lsp", NAME, "[[", "[="].iter().any(|sign| rest.contains(sign));
        return Ok(if is_doubtful {
            EntryAddition::Differs(rest.trim().to_owned())
        } else {
            EntryAddition::Present
        });
    }
    let gap = match before {
        "" => "",
        before if before.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Ok(EntryAddition::Added(format!("{before}{gap}{NEOVIM}")))
}

/// Adds our list to a file of Emacs, if it is empty.
fn lisp_with(before: &str) -> Result<EntryAddition, String> {
    let text = before.split_whitespace().collect::<Vec<_>>().join(" ");
    let ours = EMACS.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    // A comment may disable our list, and `eval` may run anything; a backslash may disguise a word.
    let is_doubtful = [";", "eval", "\\"].iter().any(|sign| text.contains(sign));
    let is_ours = ours.is_some_and(|ours| text.contains(ours)) && !is_doubtful;
    match text.as_str() {
        "" => Ok(EntryAddition::Added(EMACS.to_owned())),
        text if is_ours && text.matches(EMACS_SERVERS).count() == 1 => Ok(EntryAddition::Present),
        text if text.contains(EMACS_SERVERS) || text.contains("\"discussions\"") => {
            Ok(EntryAddition::Differs(before.to_owned()))
        }
        _ => Err("the file has other settings".to_owned()),
    }
}

/// Adds our server to a file of Helix, and names it among the servers of Markdown.
fn toml_with(before: &str) -> Result<EntryAddition, String> {
    let mut server = Table::new();
    server.insert("command", value(NAME));
    server.insert("args", value(Array::from_iter(["lsp"])));
    let mut all = match with_toml_table(before, "language-server", NAME, server)? {
        TableAddition::Added(all) | TableAddition::Present(all) => all,
        TableAddition::Differs(found) => return Ok(EntryAddition::Differs(found)),
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
            Some(listed) => {
                let listed = listed.as_array_mut().ok_or("not a list")?;
                if !listed.iter().any(|one| one.as_str() == Some(NAME)) {
                    listed.push(NAME);
                }
            }
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
    let text = all.to_string();
    Ok(if text == before { EntryAddition::Present } else { EntryAddition::Added(text) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(addition: Result<EntryAddition, String>) -> String {
        match addition {
            Ok(EntryAddition::Added(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn helix_keeps_its_other_servers() {
        let before =
            "# mine\n[[language]]\nname = \"markdown\"\nlanguage-servers = [\"other\"] # keep\n";
        let after = added(toml_with(before));
        assert!(
            after.contains("language-servers = [\"other\", \"discussions\"] # keep"),
            "{after}"
        );
        assert_eq!(toml_with(&after), Ok(EntryAddition::Present));
        let fresh = added(toml_with(""));
        assert!(fresh.contains("language-servers = [\"discussions\", \"marksman\"]"), "{fresh}");
    }

    #[test]
    fn other_server_in_our_place_is_reported() {
        let differs =
            |found: Result<EntryAddition, String>| matches!(found, Ok(EntryAddition::Differs(_)));
        assert!(differs(toml_with("[language-server.discussions]\ncommand = \"sh\"\n")));
        for other in [
            "vim.lsp.enable('discussions')",
            "vim.lsp.config(\"discussions\", {cmd={'sh'}})",
            "--[[ discussions ]] vim.lsp.config('discussions', {cmd={'sh'}})",
        ] {
            assert!(differs(lua_with(other)), "{other}");
            assert!(differs(lua_with(&format!("{NEOVIM}{other}\n"))), "{other}");
        }
        let split = "vim.lsp.config('discu'..'ssions', {cmd={'sh'}})";
        assert!(differs(lua_with(&format!("--[==[\n{NEOVIM}]==]\n{split}\n"))));
        let beside = "((nil . ((eval . (shell-command \"id\"))))\n (markdown-mode .";
        assert!(differs(lisp_with(&EMACS.replace("((markdown-mode .", beside))));
        let other = EMACS.replace("\"discussions\" \"lsp\"", "\"sh\" \"-c\" \"id\"");
        assert!(differs(lisp_with(&other)));
        assert!(differs(lisp_with(
            &EMACS.replace("((markdown-mode .", "((eval . (f)) (markdown-mode . (; ")
        )));
        assert!(differs(lisp_with(&format!("; {EMACS}{other}"))));
        let beside = EMACS.replace("((markdown-mode .", "((nil . ((x . 1)))\n  (markdown-mode .");
        assert_eq!(lisp_with(&beside), Ok(EntryAddition::Present));
    }

    #[test]
    fn lua_and_lisp_are_written_once() {
        let after = added(lua_with("vim.o.x = 1"));
        assert!(after.starts_with("vim.o.x = 1\n\nvim.lsp.config("), "{after}");
        assert_eq!(lua_with(&after), Ok(EntryAddition::Present));
        assert_eq!(lua_with(&after.replace('\n', "\r\n")), Ok(EntryAddition::Present));
        assert_eq!(lisp_with(EMACS), Ok(EntryAddition::Present));
        assert!(lisp_with("((nil . ((x . 1))))").is_err());
    }
}
