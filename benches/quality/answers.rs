//! What models answered, as it was published: no question's text, letters alone.

/// One question.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) number: u32,
    /// How many options there are, from `A` on.
    pub(crate) options: u8,
    pub(crate) right: u8,
    /// A letter each; `-`: none.
    pub(crate) answers: Vec<u8>,
}

/// All of them, and the models' names in the order of the answers.
pub(crate) fn recorded() -> (Vec<&'static str>, Vec<Question>) {
    let text = include_str!("answers.csv");
    let models = text.lines().find_map(|line| line.strip_prefix("# models: "));
    let models = models.unwrap_or_default().split(' ').collect();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [number, options, right, answers] = cells[..] else { return None };
        Some(Question {
            number: number.parse().ok()?,
            options: options.parse().ok()?,
            right: *right.as_bytes().first()?,
            answers: answers.bytes().collect(),
        })
    };
    (models, rows.filter_map(read).collect())
}
