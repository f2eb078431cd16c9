//! Ranking with a second set of discussions, written after the ranking function and in another style: a town instead of
//! a shop, titles that are questions, generated comments of any length, and questions as citizens ask them.
//!
//! Each discussion is about one rule for one place, 20 by 50. Its two to six comments mention other rules and places at
//! random. A question names place and rule as a person would who has not read the file. The random numbers have a fixed
//! seed, so every run gives the same figure.

use std::collections::BTreeSet;

use crate::project::Project;

/// A rule: title with a gap for the place, reason, decision, question, and comments.
const RULES: [[&str; 5]; 20] = [
    [
        "When does {} open on Sundays?",
        "Families come after church and find the doors shut.",
        "open on Sundays from eleven to five",
        "can families go there on a Sunday, and from what hour",
        "Sunday mornings are quiet",
    ],
    [
        "Who holds the keys of {}?",
        "Nobody could get in when the alarm rang.",
        "the caretaker and the fire brigade hold a key each",
        "who besides the caretaker has a key when an alarm rings",
        "keys get lost",
    ],
    [
        "What does a visit to {} cost?",
        "Takings fell by a third.",
        "adults pay four euros and children nothing",
        "how many euros does an adult pay to visit, and do children pay",
        "nobody likes to pay",
    ],
    [
        "May dogs come into {}?",
        "Somebody was bitten last spring.",
        "dogs on a lead are welcome, but for the first of May",
        "is it allowed to bring a dog on a lead",
        "dogs bark",
    ],
    [
        "How is {} heated?",
        "The boiler is older than the mayor.",
        "a heat pump replaces the boiler before winter",
        "what replaces the old boiler to keep it warm in winter",
        "heating is dear",
    ],
    [
        "Where do bicycles stand at {}?",
        "They block the way for wheelchairs.",
        "forty stands under a roof beside the entrance",
        "is there a roof for bicycles near the entrance, and how many stands",
        "bicycles are stolen",
    ],
    [
        "Who cleans {}?",
        "The contract with the firm runs out.",
        "two employees of the town clean before opening",
        "do the town's own employees do the cleaning or a firm",
        "cleaning is done at night",
    ],
    [
        "How loud may it be at {}?",
        "Neighbours complained eleven times.",
        "quiet after ten at night, midnight on feast days",
        "until when at night may there be noise before neighbours complain",
        "noise carries over the river",
    ],
    [
        "What lamps light {}?",
        "Half of the bulbs are broken.",
        "LED lamps that dim when nobody is near",
        "which lamps are put in for broken bulbs, and do they dim",
        "lamps draw moths",
    ],
    [
        "Is {} insured against flood?",
        "The river rose to the threshold.",
        "insured for two million, with an excess of ten thousand",
        "does an insurance pay if the river floods it",
        "the river rises each spring",
    ],
    [
        "How many people may be in {}?",
        "The stairs are the only way out.",
        "at most one hundred and twenty people at once",
        "how many people at most are let in at once",
        "crowds gather",
    ],
    [
        "Which trees grow around {}?",
        "Two chestnuts are hollow.",
        "plant lime trees in place of the hollow chestnuts",
        "are the hollow chestnuts felled, and what trees are planted",
        "leaves fall",
    ],
    [
        "Who may rent {}?",
        "Three associations want the same evening.",
        "associations of the town first, private people at double the rent",
        "may a private person rent it, and at what rent",
        "rents are low",
    ],
    [
        "How is waste sorted at {}?",
        "Glass lies among the paper.",
        "four bins: paper, glass, food, the rest",
        "how many bins are there to sort glass and paper",
        "bins overflow",
    ],
    [
        "Do cameras watch {}?",
        "Windows were smashed twice.",
        "no cameras; a guard walks by at night",
        "is there a camera or does a guard watch for smashed windows",
        "guards are friendly",
    ],
    [
        "What is eaten and drunk at {}?",
        "The kiosk gave up.",
        "a food truck on weekends and a machine for coffee",
        "where does one get coffee or food since the kiosk closed",
        "coffee is weak",
    ],
    [
        "How does one book {}?",
        "The list on paper was lost.",
        "booking by telephone or on the town's page, a month ahead",
        "how far ahead can I book, and by telephone too",
        "booking takes long",
    ],
    [
        "Where do cars park for {}?",
        "Delivery vans find no room.",
        "thirty places for cars, two hours each, with a disc",
        "for how many hours may a car park, and is a disc needed",
        "parking is a quarrel",
    ],
    [
        "How is {} reached without steps?",
        "A wheelchair had to be carried.",
        "a ramp at the side door and a lift inside",
        "does a wheelchair get in by a ramp or a lift",
        "steps are worn",
    ],
    [
        "When is {} repaired?",
        "Rain comes through the roof.",
        "the roof is mended in July, closed for three weeks",
        "for how many weeks is it closed while the roof is mended",
        "rain is frequent",
    ],
];

/// A place: its name, and its name in questions.
const PLACES: [[&str; 2]; 50] = [
    ["the public library", "our library"],
    ["the swimming pool", "the pool for swimmers"],
    ["the town hall", "the hall of the town council"],
    ["the football ground", "where football is played"],
    ["the cemetery chapel", "the chapel by the graves"],
    ["the music school", "where music is taught"],
    ["the fire station", "the station of the firemen"],
    ["the weekly market", "market day"],
    ["the railway museum", "the museum about railways"],
    ["the botanical garden", "the botanists' garden"],
    ["the youth centre", "the centre for young people"],
    ["the ice rink", "skating on ice"],
    ["the harbour mole", "the mole at the port"],
    ["the castle ruin", "the ruined castle"],
    ["the open-air theatre", "theatre in the open"],
    ["the primary school", "the school for the little ones"],
    ["the kindergarten Sunflower", "Sunflower"],
    ["the tennis courts", "playing tennis"],
    ["the recycling yard", "the yard where recycling goes"],
    ["the bus depot", "where buses are kept"],
    ["the water tower", "the tower with water"],
    ["the mill pond", "the pond of the mill"],
    ["the camp site", "camping"],
    ["the observatory", "observing stars"],
    ["the archive cellar", "the cellar with archives"],
    ["the parish barn", "the barn of the parish"],
    ["the skate park", "skaters' park"],
    ["the art gallery", "the gallery of paintings and art"],
    ["the cinema Apollo", "the Apollo"],
    ["the bowling alley", "bowling"],
    ["the community kitchen", "cooking in the kitchen of the community"],
    ["the beekeepers' hut", "the hut of those who keep bees"],
    ["the rifle range", "shooting with a rifle"],
    ["the ferry landing", "where the ferry lands"],
    ["the old brewery", "the brewery building"],
    ["the deer enclosure", "the deer"],
    ["the toboggan run", "tobogganing"],
    ["the orchard meadow", "the meadow with the orchard"],
    ["the chess pavilion", "the pavilion of the chess players"],
    ["the clinic garden", "the garden behind the clinic"],
    ["the climbing wall", "climbers' wall"],
    ["the model railway room", "model trains"],
    ["the adult college", "college courses for adults"],
    ["the riding arena", "riding horses"],
    ["the seamen's home", "the home for seamen"],
    ["the glass workshop", "the workshop where glass is blown"],
    ["the planetarium", "a planetarium show"],
    ["the rowing club", "rowers"],
    ["the citizens' office", "the office for citizens"],
    ["the rose terrace", "the terrace with roses"],
];

const ASKS: [[&str; 2]; 4] = [
    ["I am asking about ", ": "],
    ["Concerning ", ", "],
    ["Somebody at the counter wants to know of ", ", "],
    ["What was agreed for ", "; "],
];

/// Pseudo-random numbers that are equal in every run (Knuth's 64-bit multiplier).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

fn discussion(nth: usize) -> String {
    let (place, rule) = (PLACES[nth / 20], RULES[nth % 20]);
    let mut numbers = Numbers(u64::try_from(nth).unwrap());
    let title = rule[0].replace("{}", place[0]);
    let mut text = format!("# {title}\n\n{}\n\n---\n", rule[1]);
    for turn in 0..2 + numbers.below(5) {
        let (other, elsewhere) = (RULES[numbers.below(20)], PLACES[numbers.below(50)]);
        let said = match numbers.below(3) {
            0 => {
                format!("It is said that {}, and at {} they {}.", other[4], elsewhere[0], other[2])
            }
            1 => format!("I think of {}: {} That was another matter.", elsewhere[0], other[1]),
            _ => format!("Remember that {}. Here {}.", other[4], rule[4]),
        };
        let name = ["Ute", "Jan", "Pia", "Ole"][turn % 4];
        text.push_str(&format!("\nName: {name}\n\n{said}\n\n---\n"));
    }
    text + &format!(
        "\nName: Rob\n\nDECISION: {}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n",
        rule[2]
    )
}

fn question(nth: usize) -> String {
    let (place, rule) = (PLACES[nth / 20], RULES[nth % 20]);
    let [before, between] = ASKS[nth / 5 % 4];
    format!("{before}{}{between}{}?", place[1], rule[3])
}

/// Two hundred different discussions that cover every place and every rule.
fn discussions_asked_about() -> impl Iterator<Item = usize> {
    (0..200).map(|nth| nth * 5 + nth / 4 % 5)
}

#[test]
fn questions_about_100_of_an_unseen_set_find_the_right_decision() {
    ask_about(100);
}

/// Asks about a fifth of the first `count` discussions.
fn ask_about(count: usize) {
    let project = Project::new();
    for nth in 0..count {
        project.write(&format!("discussions/{nth:04}.md"), &discussion(nth));
    }
    let workspace = project.workspace();
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        words.filter(|word| word.len() > 3).collect()
    };
    let (mut first, mut third, mut shared) = (0, 0, 0.0);
    let mut missed = Vec::new();
    let asked_about: Vec<usize> = discussions_asked_about().filter(|nth| *nth < count).collect();
    let questions = asked_about.len();
    for nth in asked_about {
        let (question, file) = (question(nth), format!("discussions/{nth:04}.md"));
        let (asked, there) = (words(&question), words(&discussion(nth)));
        shared += asked.intersection(&there).count() as f64 / asked.len() as f64;
        let recalled = workspace.decisions().recall(&question, 3, None).unwrap();
        let place = recalled.iter().position(|one| one.file == file);
        first += usize::from(place == Some(0));
        third += usize::from(place.is_some());
        if place.is_none() {
            missed.push(format!("{nth}: {question}"));
        }
    }
    let shared = shared / questions as f64;
    println!(
        "{questions} other questions, which share {:.0} % of their longer words with the right file: the right decision first \
         {first} times, among the first three {third} times; missed: {missed:#?}",
        shared * 100.0
    );
    assert!(shared < 0.6, "the questions are paraphrases, not copies: {shared}");
    assert!(third * 100 >= questions * 95, "{third} of {questions}; missed: {missed:#?}");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: ranks 1,000 discussions for 200 questions"]
    fn questions_about_1_000_of_an_unseen_set_find_the_right_decision() {
        ask_about(1_000);
    }
}
