//! Draws `docs/ui.svg`: the screen while answers arrive, rendered by the program itself.

use std::path::Path;
use std::time::Duration;

use anstyle::{AnsiColor, Effects, RgbColor, Style};
use discussions::view::EventKind;
use ratatui::buffer::Cell;
use ratatui::layout::Size;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr as _;

use super::stage::Stage;
use crate::ui::message::Message;

/// Returns the style of a cell as terminal codes express it.
fn look(cell: &Cell) -> Style {
    let colour = match cell.fg {
        Color::Red => Some(AnsiColor::Red),
        Color::Green => Some(AnsiColor::Green),
        Color::Yellow => Some(AnsiColor::Yellow),
        Color::Blue => Some(AnsiColor::Blue),
        Color::Magenta => Some(AnsiColor::Magenta),
        Color::Cyan => Some(AnsiColor::Cyan),
        _ => None,
    };
    let effects = [
        (Modifier::BOLD, Effects::BOLD),
        (Modifier::DIM, Effects::DIMMED),
        (Modifier::ITALIC, Effects::ITALIC),
        (Modifier::UNDERLINED, Effects::UNDERLINE),
        (Modifier::REVERSED, Effects::INVERT),
    ];
    let effects = effects.into_iter().filter(|(modifier, _)| cell.modifier.contains(*modifier));
    let effects = effects.fold(Effects::new(), |all, (_, effect)| all | effect);
    Style::new().fg_color(colour.map(Into::into)).effects(effects)
}

/// Returns the screen as lines with terminal codes.
fn codes(stage: &Stage) -> String {
    let buffer = stage.draw();
    let mut out = String::new();
    for row in buffer.content.chunks(usize::from(buffer.area.width)) {
        let mut skip = 0;
        let mut before = Style::new();
        for cell in row {
            if skip == 0 {
                let style = look(cell);
                if style != before {
                    out.push_str(&format!("{before:#}{style}"));
                    before = style;
                }
                out.push_str(cell.symbol());
                skip = cell.symbol().width();
            }
            skip = skip.saturating_sub(1);
        }
        out.push_str(&format!("{before:#}\n"));
    }
    out
}

#[test]
fn picture_shows_the_screen() {
    let mut stage = Stage::open(Size::new(100, 32));
    stage.keys("r");
    let asks = vec!["architect".to_owned(), "security".to_owned()];
    let (phase, title) = ("vote".to_owned(), "Vote".to_owned());
    stage.event(None, EventKind::TurnStart { turn: 1, phase, title, asks, left_out: Vec::new() });
    for (who, name) in [("architect", "AI-Architect"), ("security", "AI-Security")] {
        let (name, provider) = (name.to_owned(), "claude".to_owned());
        let (fallbacks, passed_over) = (Vec::new(), None);
        stage.event(Some(who), EventKind::AnswerStart { name, provider, fallbacks, passed_over });
    }
    let text = "Redis, since **reads** matter most here, and a".to_owned();
    stage.event(Some("security"), EventKind::AnswerChunk { text });
    stage.hear(Message::Tick(Duration::from_secs(17)));
    let term = anstyle_svg::Term::new()
        .fg_color(RgbColor(0xe6, 0xed, 0xf3).into())
        .bg_color(RgbColor(0x0d, 0x11, 0x17).into());
    // Dimmed text must still be readable.
    let picture = term.render_svg(&codes(&stage)).replace("opacity: 0.4", "opacity: 0.65");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ui.svg");
    // The picture is updated together with the snapshots.
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(&file, &picture).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(known == picture, "docs/ui.svg shows otherwise than the program:\n{}", stage.screen());
}
