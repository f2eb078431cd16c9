//! A front end of its own in a hundred lines: it shows where a discussion stands, says something, asks one turn with the
//! answers growing as they come, and tells what anybody else does to the file.
//!
//!     cargo run --example watch -- status caching
//!     cargo run --example watch -- say caching Rob "Measure first."
//!     cargo run --example watch -- turn caching mock
//!     cargo run --example watch -- watch caching 3

use std::error::Error;
use std::io::Write as _;

use discussions::view::{CallOutcome, Event, EventKind, Status, visible};
use discussions::{Discussion, RunOptions};

fn show(status: &Status) {
    let votes: Vec<String> =
        status.tally.iter().map(|(option, count)| format!("{option} {count}")).collect();
    println!("{}: {}, phase {}", visible(&status.title), status.status.as_str(), status.phase);
    println!("votes: {}", votes.join(", "));
    for question in status.questions().iter().filter(|question| question.is_open()) {
        println!("Q{} {} ({})", question.number, visible(&question.text), question.author);
    }
    for step in &status.next {
        println!("next: {:?}, for {:?}", step.verb, step.why);
    }
}

/// What is told of one event. Nothing of an answer reaches the terminal as it is.
fn tell(event: &Event) {
    let who = event.participant.as_deref().unwrap_or_default();
    match &event.kind {
        EventKind::TurnStart { turn, phase, asks, .. } => {
            println!("turn {turn} of {phase} asks {}", asks.join(", "));
        }
        EventKind::AnswerStart { provider, .. } => println!("{who} thinks ({provider})"),
        EventKind::AnswerChunk { text } => print!("{}", visible(text)),
        EventKind::AnswerEnd { outcome: CallOutcome::Failed { error }, .. } => {
            println!("{who} could not answer: {}", visible(&error.message));
        }
        EventKind::AnswerEnd { outcome, ms, .. } => {
            println!("\n{who} {} ({ms} ms)", outcome.as_str())
        }
        EventKind::Comment { name, text } => println!("{}: {}", visible(name), visible(text)),
        EventKind::Vote { vote, .. } => println!("{who} votes {vote}"),
        EventKind::Phase { phase, by, .. } => println!("{by} goes on to {phase}"),
        EventKind::Status { status, .. } => println!("the discussion is {status}"),
        EventKind::Note { message } => println!("note: {}", visible(message)),
        EventKind::Rewritten {} => println!("the file was changed above; look at it again"),
        _ => {}
    }
    let _ = std::io::stdout().flush();
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["status", file] => show(Discussion::open(file)?.details()),
        ["say", file, name, text] => {
            let written = Discussion::open(file)?.comment(*name, *text).post()?;
            println!("written to {}", written.file);
        }
        ["turn", file, provider] => {
            let turn = RunOptions::next_turn().through(*provider);
            let mut run = Discussion::open(file)?.start(&turn)?;
            while let Some(event) = run.next().await {
                tell(&event);
            }
            show(&run.end().await?.status);
        }
        ["watch", file, count] => {
            let discussion = Discussion::open(file)?;
            let mut watch = discussion.watch()?;
            println!("watching {}", discussion.details().file);
            for _ in 0..count.parse::<u32>()? {
                let Some(event) = watch.next().await else { break };
                tell(&event);
            }
        }
        _ => {
            return Err(
                "status FILE | say FILE NAME TEXT | turn FILE PROVIDER | watch FILE COUNT".into()
            );
        }
    }
    Ok(())
}
