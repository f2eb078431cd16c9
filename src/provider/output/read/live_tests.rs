use super::*;
use crate::yaml;

fn all(shape: &str, printed: &str, size: usize) -> String {
    let shape: OutputShape = yaml::read(shape, "shape").unwrap();
    let mut live = LiveOutput::new(&shape);
    let chars: Vec<char> = printed.chars().collect();
    chars.chunks(size).map(|some| live.push(&some.iter().collect::<String>())).collect()
}

#[test]
fn pieces_are_reported_however_the_output_is_cut() {
    let printed = concat!(
        "{\"type\":\"system\"}\n{\"event\":{\"delta\":{\"text\":\"Caf\"}}}\nno json\n",
        "{\"event\":{\"delta\":{\"text\":\"é\"}}}\n{\"result\":\"Café\"}\n"
    );
    for size in [1, 5, 1000] {
        let shape = "{format: jsonl, text: /result, piece: /event/delta/text}";
        assert_eq!(all(shape, printed, size), "Café");
    }
}

#[test]
fn selected_texts_are_the_pieces_by_default() {
    let printed = "{\"t\":\"a\",\"say\":\"One.\"}\n{\"t\":\"b\",\"say\":\"no\"}\n";
    assert_eq!(all("{format: jsonl, text: /say, select: {/t: a}}", printed, 3), "One.");
    assert_eq!(all("{format: json, text: /say}", printed, 3), "");
    assert_eq!(all("{format: text}", "as it is", 3), "as it is");
}
