//! Completion for each shell, and the quoting that makes a shell take every character literally.
//!
//! A candidate may be a file name that another person chose, such as `plan$(id)`. Bash and PowerShell insert a
//! candidate unchanged, so the program quotes it for them. Zsh, fish and elvish quote it themselves.

use std::ffi::{OsStr, OsString};
use std::io::{Error, Write};
use std::path::Path;

use clap::Command;
use clap_complete::engine::CompletionCandidate;
use clap_complete::env::{Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use discussions::view::visible_line;

/// All shells that can ask for candidates.
pub(super) const ALL: Shells<'static> = Shells(&[
    &CompletionShell::Bash,
    &CompletionShell::Wrapped(&Elvish),
    &CompletionShell::Wrapped(&Fish),
    &CompletionShell::Wrapped(&Powershell),
    &CompletionShell::Wrapped(&Zsh),
]);

/// A shell, with the script that it loads to ask the program.
enum CompletionShell {
    /// The script of `clap_complete` splits and expands candidates in bash, so bash has a script of its own.
    Bash,
    /// A shell that uses the script of `clap_complete`.
    Wrapped(&'static (dyn EnvCompleter + Sync)),
}

/// The words of a command line without their quotes, and the quote that is still open in the last word.
struct ShellLine {
    words: Vec<OsString>,
    index: usize,
    open: Quote,
}

const BASH: &str = r#"
_clap_complete_discussions() {
    local word=${COMP_WORDS[COMP_CWORD]}
    local words=("${COMP_WORDS[@]}")
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        words[COMP_CWORD]="$2"
    fi
    local candidate
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("$candidate")
    done < <(
        _CLAP_COMPLETE_INDEX="$COMP_CWORD" \
        _CLAP_COMPLETE_WORD="$word" \
        VAR="bash" \
        COMPLETER -- "${words[@]}"
    )
    if compopt +o nospace 2> /dev/null && [[ "${COMPREPLY-}" =~ [=/:]$ ]]; then
        compopt -o nospace
    fi
}
if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -o nospace -o bashdefault -o nosort -F _clap_complete_discussions BIN
else
    complete -o nospace -o bashdefault -F _clap_complete_discussions BIN
fi
"#;

impl EnvCompleter for CompletionShell {
    fn name(&self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Wrapped(shell) => shell.name(),
        }
    }

    fn is(&self, name: &str) -> bool {
        match self {
            Self::Bash => name == "bash",
            Self::Wrapped(shell) => shell.is(name),
        }
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let Self::Wrapped(shell) = self else {
            let script = BASH.replace("COMPLETER", &shell_words::quote(completer));
            return writeln!(out, "{}", script.replace("BIN", bin).replace("VAR", var));
        };
        if shell.name() != "zsh" {
            return shell.write_registration(var, name, bin, completer, out);
        }
        let mut script = Vec::new();
        shell.write_registration(var, name, bin, completer, &mut script)?;
        out.write_all(autoloadable(&String::from_utf8_lossy(&script)).as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let line = self.line(words);
        super::set_line(&line.words);
        let typed = line.words.get(line.index).cloned().unwrap_or_default();
        let all = clap_complete::engine::complete(command, line.words, line.index, folder)?;
        for candidate in all.iter().filter(|candidate| is_safe(candidate, &typed)) {
            let value = candidate.get_value().to_string_lossy();
            let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
            writeln!(out, "{}", self.candidate(&value, help.lines().next(), &typed, line.open))?;
        }
        Ok(())
    }
}

/// Makes a zsh script usable as a file `_discussions` in `$fpath`. Zsh runs such a file at the first Tab, so it must
/// complete at once; the line of `clap_complete` only registers a function for the next Tab.
fn autoloadable(script: &str) -> String {
    let script = script.trim_end();
    let registration = script.lines().last().unwrap_or_default();
    let mut words = registration.split(' ');
    let (Some("compdef"), Some(function)) = (words.next(), words.next()) else {
        return format!("{script}\n");
    };
    let before = script.strip_suffix(registration).unwrap_or(script);
    format!(
        "{before}if [[ ${{funcstack[1]}} == _discussions ]]; then\n    {function} \"$@\"\nelse\n    {registration}\nfi\n"
    )
}

impl CompletionShell {
    /// Parses the words in the form in which this shell passes them.
    fn line(&self, mut words: Vec<OsString>) -> ShellLine {
        let last = words.len().saturating_sub(1);
        let number = |name: &str| std::env::var(name).ok()?.parse().ok();
        let index = match self.name() {
            "fish" | "powershell" => last,
            _ => number("_CLAP_COMPLETE_INDEX").unwrap_or_default(),
        };
        // Zsh omits an empty last word.
        if words.len() == index {
            words.push(OsString::new());
        }
        let mut open = Quote::None;
        for (at, word) in words.iter_mut().enumerate() {
            let is_current = at == index;
            let Some(text) = word.to_str() else { continue };
            let plain = match self.name() {
                "bash" if is_current => {
                    let whole = std::env::var("_CLAP_COMPLETE_WORD").unwrap_or_default();
                    open = Quote::left_open(&whole, text);
                    unquote(text, open)
                }
                "bash" | "zsh" => unquote(text, Quote::None),
                "fish" if is_current => unquote_fish(text),
                _ => continue,
            };
            *word = plain.into();
        }
        ShellLine { words, index, open }
    }

    /// Returns the line that offers one candidate.
    fn candidate(&self, value: &str, help: Option<&str>, typed: &OsStr, open: Quote) -> String {
        let help = help.map(|help| help.replace('\t', " "));
        match (self.name(), help) {
            ("bash", _) => {
                // Bash expands only an unquoted tilde, so the tilde that the user typed must not be quoted.
                let keeps_tilde = typed.to_string_lossy().starts_with("~/");
                quote(value, open, keeps_tilde)
            }
            ("zsh", help) => {
                let value = value.replace('\\', "\\\\").replace(':', "\\:");
                let help = help.map(|help| format!(":{}", help.replace('\\', "\\\\")));
                format!("{value}{}", help.unwrap_or_default())
            }
            ("fish", Some(help)) => format!("{value}\t{help}"),
            ("powershell", help) => {
                let value = quote_powershell(value);
                help.map_or_else(|| value.clone(), |help| format!("{value}\t{help}"))
            }
            (_, _) => value.to_owned(),
        }
    }
}

/// Returns true if a candidate cannot mislead the user. A candidate with a line end or another invisible character
/// can, and so can a file name that looks like a flag.
fn is_safe(candidate: &CompletionCandidate, typed: &OsStr) -> bool {
    let Some(value) = candidate.get_value().to_str() else { return false };
    // Only flags and commands have an id. After `--template=` or `-t`, a value has the flag in front.
    let is_flag =
        candidate.get_id().is_some() || typed.len() > 1 && typed.as_encoded_bytes()[0] == b'-';
    (is_flag || !value.starts_with('-')) && visible_line(value) == value
}

/// The kind of quotes around a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    None,
    Single,
    Double,
}

impl Quote {
    fn mark(self) -> Option<char> {
        match self {
            Self::None => None,
            Self::Single => Some('\''),
            Self::Double => Some('"'),
        }
    }

    /// Returns the open quote before `end`, which is the last part of `word`: bash passes a word without the open
    /// quote.
    pub(super) fn left_open(word: &str, end: &str) -> Self {
        match word.strip_suffix(end).and_then(|before| before.chars().next_back()) {
            Some('\'') => Self::Single,
            Some('"') => Self::Double,
            _ => Self::None,
        }
    }
}

/// Removes the quotes of bash and zsh from a word that may be unfinished. `open` is the quote that is open at its
/// start.
fn unquote(word: &str, open: Quote) -> String {
    read(word, open, |quote, next| match quote {
        Quote::None => true,
        Quote::Single => false,
        Quote::Double => matches!(next, '$' | '`' | '"' | '\\'),
    })
}

/// Removes the quotes of fish, in which a backslash also works within single quotes.
fn unquote_fish(word: &str) -> String {
    read(word, Quote::None, |quote, next| match quote {
        Quote::None => true,
        Quote::Single => matches!(next, '\'' | '\\'),
        Quote::Double => matches!(next, '$' | '"' | '\\'),
    })
}

fn read(word: &str, open: Quote, escapes: fn(Quote, char) -> bool) -> String {
    let (mut plain, mut quote) = (String::new(), open);
    let mut rest = word.chars().peekable();
    while let Some(one) = rest.next() {
        match (one, quote) {
            ('\\', _) if rest.peek().is_some_and(|next| escapes(quote, *next)) => {
                plain.extend(rest.next());
            }
            ('\'', Quote::None) => quote = Quote::Single,
            ('"', Quote::None) => quote = Quote::Double,
            ('\'', Quote::Single) | ('"', Quote::Double) => quote = Quote::None,
            _ => plain.push(one),
        }
    }
    plain
}

/// Quotes text for bash, inside the quote that the user opened.
pub(super) fn quote(text: &str, open: Quote, keeps_tilde: bool) -> String {
    let mut quoted = String::with_capacity(text.len());
    for (at, one) in text.char_indices() {
        match (open, one) {
            (Quote::Single, '\'') => quoted.push_str("'\\''"),
            (Quote::Single, _) => quoted.push(one),
            // Within double quotes, bash expands `!` to earlier commands, and a backslash before it would stay in the
            // word.
            (Quote::Double, '!') => quoted.push_str("\"'!'\""),
            (Quote::Double, '$' | '`' | '"' | '\\') => quoted.extend(['\\', one]),
            (Quote::Double, _) => quoted.push(one),
            (Quote::None, '~') if at == 0 && keeps_tilde => quoted.push(one),
            (Quote::None, _) if is_plain(one) => quoted.push(one),
            (Quote::None, _) => quoted.extend(['\\', one]),
        }
    }
    // Readline closes the quote, except after a word that ends with the quote character.
    if let Some(mark) = open.mark().filter(|mark| quoted.ends_with(*mark)) {
        quoted.push(mark);
    }
    quoted
}

/// Quotes text for PowerShell, which also accepts typographic quotes as quotes.
fn quote_powershell(text: &str) -> String {
    // An `@` begins a variable in PowerShell.
    if text.chars().all(|one| is_plain(one) && one != '@' && one != ',') {
        return text.to_owned();
    }
    let mut quoted = String::from("'");
    for one in text.chars() {
        let is_quote = matches!(one, '\'' | '\u{2018}'..='\u{201b}');
        quoted.extend(std::iter::repeat_n(one, if is_quote { 2 } else { 1 }));
    }
    quoted + "'"
}

/// Returns true if shells take a character literally at any place in a word.
fn is_plain(one: char) -> bool {
    one.is_alphanumeric() || "_-./,:=@%+".contains(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ODD: [&str; 11] = [
        "plan$(id>pwned)",
        "a`id`",
        "it's \"$HOME\" \\n !x",
        "\\",
        "'",
        "*?[a]{b,c}",
        "~root",
        "#;&|<>",
        "認証 を",
        "a\"$(id)\"",
        "a!",
    ];

    #[test]
    fn quoted_words_are_unquoted_exactly() {
        for odd in ODD {
            let quoted = quote(odd, Quote::None, false);
            assert_eq!(unquote(&quoted, Quote::None), odd);
            assert_eq!(shell_words::split(&quoted).unwrap(), [odd]);
            for (open, before) in [(Quote::Single, '\''), (Quote::Double, '"')] {
                let quoted = quote(odd, open, false);
                assert_eq!(unquote(&quoted, open), odd);
                let closed = if quoted.ends_with(before) { "" } else { &before.to_string() };
                let whole = format!("{before}{quoted}{closed}");
                assert_eq!(shell_words::split(&whole).unwrap(), [odd], "{whole}");
            }
        }
    }

    #[test]
    fn unfinished_words_are_unquoted() {
        assert_eq!(unquote("a\\ b\"c d", Quote::None), "a bc d");
        assert_eq!(unquote("a\\", Quote::None), "a\\");
        assert_eq!(unquote_fish("'it\\'s' \"a\\`"), "it's a\\`");
        assert_eq!(Quote::left_open("x\"a b", "a b"), Quote::Double);
        assert_eq!(Quote::left_open("a b", "a b"), Quote::None);
    }

    #[test]
    fn zsh_script_works_as_a_file_and_in_a_pipe() {
        let script = "#compdef x\nfunction _f() {\n}\n\ncompdef _f x\n";
        let made = autoloadable(script);
        assert!(made.starts_with("#compdef x\nfunction _f() {\n}\n\nif [[ "), "{made}");
        assert!(made.ends_with("    _f \"$@\"\nelse\n    compdef _f x\nfi\n"), "{made}");
        assert_eq!(autoloadable("something else\n"), "something else\n");
    }

    #[test]
    fn powershell_reads_a_quoted_word_as_one() {
        assert_eq!(quote_powershell("add-search"), "add-search");
        assert_eq!(quote_powershell("@architect"), "'@architect'");
        assert_eq!(quote_powershell("it’s $(id)"), "'it’’s $(id)'");
    }
}
