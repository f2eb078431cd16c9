//! What every bundled template promises.

use minijinja::Value;
use minijinja::value::Serde;
use minijinja::context;

use super::bundled;
use crate::template::{Expressions, Template};

fn all() -> Vec<Template> {
    bundled()
        .into_iter()
        .map(|(stem, text)| Template::read(text, &format!("{stem}.md"), &stem).unwrap_or_else(|error| panic!("{error}")))
        .collect()
}

fn one(id: &str) -> Template {
    all().into_iter().find(|template| template.id == id).unwrap_or_else(|| panic!("no template {id}"))
}

fn new_body(id: &str, context: &str) -> String {
    let names = context! { title => "A title", context => context, params => Value::from(Serde(serde_json::Map::new())) };
    Expressions::default().render(&one(id).body, names).unwrap()
}

#[test]
fn show_bodies() {
    for id in ["feature", "code-review", "architecture-decision"] {
        println!("{}\n=====", new_body(id, ""));
        println!("{}\n=====", new_body(id, "Only a text."));
        println!("{}\n=====", new_body(id, "Some.\n\n## Own\n\nsections"));
    }
}
