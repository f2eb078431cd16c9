//! `discussions search`

use anstyle::AnsiColor;
use discussions::view::visible_line;

use super::list::ListFilter;
use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;
use crate::cli::words;
use crate::cli::words::typed;

/// Find words in all discussions
///
/// Shows decisions and titles first; answered, agreed and recent text ranks higher. Exits with code 1 if it finds
/// nothing.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A discussion must contain all the words, as whole words or parts of words, in any case and language. \
    A word without accents also finds the word with accents: cafe finds café.\n\n  \
    discussions search retry budget --kind decision\n  \
    discussions search cache --by architect --since 30d"
)]
pub(crate) struct Args {
    /// The words to find
    #[arg(required = true, value_name = "WORDS")]
    words: Vec<String>,
    /// Only title, decision, outcome, question, task, concern, comment or context
    #[arg(long, value_name = "K")]
    kind: Option<String>,
    /// Only text by this participant, by alias or name
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
    /// Only text since a day or within a period, for example 2026-11-20, 30d or 2w
    #[arg(long, value_name = "D")]
    since: Option<String>,
    /// Only in discussions with this status
    #[arg(long, value_name = "S", ignore_case = true)]
    status: Option<ListFilter>,
    /// Maximum number of places; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Finds the words.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let mut search = workspace.discussions().searching(args.words.join(" "));
    search.kind = args.kind.map(|kind| kind.parse()).transpose().map_err(CommandError::usage)?;
    search.since = args
        .since
        .map(|at| workspace.discussions().moment(&at))
        .transpose()
        .map_err(CommandError::usage)?;
    search.status = args.status.map(ListFilter::standing);
    (search.by, search.limit) = (args.by, args.limit);
    let result = workspace.discussions().search(&search)?;
    for reason in &result.unreadable {
        shell.ui.warning(words::help::mended(&reason.message, reason.fix));
    }
    if args.json {
        shell.ui.json(&result.found);
    } else if result.found.is_empty() {
        let words = visible_line(&search.words);
        let folder = visible_line(&result.folder);
        shell.ui.note_wrapped(format!("{words}: not found in {folder}").into());
    }
    for one in result.found.iter().filter(|_| !args.json) {
        let place = format!("{}:{}", typed(&one.name), one.line);
        let mut line = Line::default().colour(AnsiColor::Magenta, place).text("  ");
        line = line.faint(one.kind.as_str()).text("  ");
        if let Some(author) = &one.author {
            line = line.strong(author.as_str()).text(": ");
        }
        let mut end = 0;
        for found in &one.places {
            line = line
                .text(&one.text[end..found.start])
                .colour(AnsiColor::Red, &one.text[found.clone()]);
            end = found.end;
        }
        shell.ui.wrapped("", line.text(&one.text[end..]));
    }
    let more = result.total - result.found.len();
    if more > 0 {
        shell.ui.note(format!("and {more} more; --limit 0 shows all"));
    }
    Ok(if result.total > 0 { Exit::Done } else { Exit::No })
}
