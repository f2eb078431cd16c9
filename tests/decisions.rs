//! What was decided: every output of the library says the same about every case in `cases/decisions/`, and about
//! generated discussions.

mod case;
mod generated;
mod outputs;

use case::{Case, CaseProject};
use outputs::Outputs;

/// All cases are in one project, because they replace decisions of each other.
#[test]
fn every_output_tells_the_expected_state_of_each_case() {
    let cases = Case::all();
    assert!(cases.len() >= 99, "{}", cases.len());
    let project = CaseProject::of(&cases);
    let outputs = Outputs::of(&project);
    let mut wrong = Vec::new();
    for case in &cases {
        wrong.extend(
            outputs.contradictions(case).into_iter().map(|it| format!("{}: {it}", case.name)),
        );
    }
    assert!(wrong.is_empty(), "{} contradictions\n{}", wrong.len(), wrong.join("\n"));
}
