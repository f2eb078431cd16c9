//! The records that replace each other, and what is wrong with the references and numbers of records.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::{FoundRecord, Records};
use crate::adr::{LinkTarget, cycles};
use crate::boundary;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::workspace::Checks;
use crate::workspace::environment::plain;

/// The maximum number of records that a message names.
const NAMED: usize = 6;

/// The relations between all records, by their indexes.
#[derive(Default)]
pub(super) struct Relations {
    /// The records that each record replaces.
    replaces: Vec<Vec<usize>>,
    /// The records that replaced each record.
    replaced_by: Vec<Vec<usize>>,
    /// All references, whether they count or not.
    references: Vec<Vec<usize>>,
    /// References that lead to no record: the record, the place in its list of links, and the reason.
    broken: Vec<(usize, usize, Broken)>,
    /// Records with a number that an earlier record of their folder has: the record and that one.
    taken: Vec<(usize, usize)>,
}

/// The reason why a reference leads to no record.
enum Broken {
    /// It names a file that is no record.
    File(PathBuf),
    /// No record has the number.
    Missing(u32),
    /// Several records have the number.
    Several(u32),
    /// It names its own record.
    Own,
}

/// Finds records by path and by number.
struct RecordIndex<'r> {
    by_path: HashMap<&'r Path, usize>,
    by_number: HashMap<(&'r Path, u32), Vec<usize>>,
    anywhere: HashMap<u32, Vec<usize>>,
}

impl<'r> RecordIndex<'r> {
    fn of(found: &'r [FoundRecord]) -> Self {
        let mut index =
            Self { by_path: HashMap::new(), by_number: HashMap::new(), anywhere: HashMap::new() };
        for (at, one) in found.iter().enumerate() {
            index.by_path.insert(&one.path, at);
            if let Some(number) = one.number {
                index.by_number.entry((folder_of(&one.path), number)).or_default().push(at);
                index.anywhere.entry(number).or_default().push(at);
            }
        }
        index
    }

    fn find(&self, from: &Path, target: &LinkTarget) -> Result<usize, Broken> {
        match target {
            LinkTarget::File(file) => {
                let path = plain(&folder_of(from).join(file));
                self.by_path.get(path.as_path()).copied().ok_or(Broken::File(path))
            }
            LinkTarget::Number(number) => {
                // Subfolders may number their records on their own.
                let near = self.by_number.get(&(folder_of(from), *number));
                match near.or_else(|| self.anywhere.get(number)).map(Vec::as_slice) {
                    Some([one]) => Ok(*one),
                    Some([_, ..]) => Err(Broken::Several(*number)),
                    _ => Err(Broken::Missing(*number)),
                }
            }
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

impl Relations {
    /// Follows the references of all records; each one is looked up once.
    pub(super) fn of(found: &[FoundRecord]) -> Self {
        let empty = || vec![Vec::new(); found.len()];
        let mut all = Self {
            replaces: empty(),
            replaced_by: empty(),
            references: empty(),
            ..Self::default()
        };
        let index = RecordIndex::of(found);
        for (at, one) in found.iter().enumerate() {
            for (nth, link) in one.record.links.iter().enumerate() {
                let other = match index.find(&one.path, &link.target) {
                    Ok(other) if other == at => Err(Broken::Own),
                    other => other,
                };
                let other = match other {
                    Ok(other) => other,
                    Err(broken) => {
                        all.broken.push((at, nth, broken));
                        continue;
                    }
                };
                let (new, old) = if link.replaces { (at, other) } else { (other, at) };
                all.references[new].push(old);
                // A proposal replaces no other record yet. A record may name its successor, whatever that says.
                if !link.replaces || one.record.was_accepted() {
                    all.replaces[new].push(old);
                    all.replaced_by[old].push(new);
                }
            }
        }
        for list in all.replaces.iter_mut().chain(&mut all.replaced_by).chain(&mut all.references) {
            list.sort_unstable();
            list.dedup();
        }
        for same in index.by_number.values().filter(|same| same.len() > 1) {
            all.taken.extend(same[1..].iter().map(|at| (*at, same[0])));
        }
        all
    }

    /// Returns the records that a record replaces.
    pub(super) fn replaces(&self, index: usize) -> &[usize] {
        &self.replaces[index]
    }

    /// Returns the records that replaced a record.
    pub(super) fn replaced_by(&self, index: usize) -> &[usize] {
        &self.replaced_by[index]
    }
}

impl Checks<'_> {
    /// Returns the problems of each record: parts that cannot be read, colliding numbers, dead links, and circles,
    /// which the first record of a circle reports.
    pub(super) fn record_problems(
        &self,
        records: &Records,
        folders: &[PathBuf],
    ) -> Vec<Vec<Problem>> {
        let found = &records.found;
        let mut problems: Vec<Vec<Problem>> =
            found.iter().map(|one| one.record.problems.clone()).collect();
        let warning =
            |code, place, message: String| Problem::new(Severity::Warning, code, place, message);
        for (at, first) in &records.relations.taken {
            let number = found[*at].number.unwrap_or_default();
            let message = format!(
                "the number {number} is taken by {}; give one of the two files another number",
                self.shown_path(&found[*first].path)
            );
            let place = (found[*at].record.title_line, 1);
            problems[*at].push(warning(ProblemCode::NumberTaken, place, message));
        }
        let mut reported = HashSet::new();
        for (at, nth, broken) in &records.relations.broken {
            let link = &found[*at].record.links[*nth];
            let message = match broken {
                // A discussion may replace a record, and a page may explain why it was replaced.
                Broken::File(path) if self.is_project_file(path) => continue,
                Broken::File(path) => {
                    reported.insert((*at, path.clone()));
                    format!("there is no decision record {}", self.shown_path(path))
                }
                Broken::Missing(number) => format!("there is no decision record {number}"),
                Broken::Several(number) => {
                    format!("several decision records have the number {number}; name the file")
                }
                Broken::Own => "this record names itself, which is ignored".to_owned(),
            };
            problems[*at].push(warning(ProblemCode::LinkBroken, (link.line, 1), message));
        }
        for (at, one) in found.iter().enumerate() {
            for link in &one.record.files {
                let path = plain(&folder_of(&one.path).join(&link.file));
                let is_near = folders.iter().any(|folder| path.starts_with(folder));
                if !is_near || records.files.contains(&path) {
                    continue;
                }
                if reported.insert((at, path.clone())) {
                    let message = format!("there is no file {}", self.shown_path(&path));
                    let place = (link.line, link.column);
                    problems[at].push(warning(ProblemCode::LinkBroken, place, message));
                }
            }
        }
        for group in cycles(&records.relations.references, || {}) {
            let names = group.iter().take(NAMED).map(|at| self.shown_path(&found[*at].path));
            let names = names.collect::<Vec<_>>().join(", ");
            let more = group.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let message = format!(
                "these records replace each other in a circle; correct one of the references: {names}{more}"
            );
            let first = &found[group[0]].record;
            let line = first.links.first().map_or(first.title_line, |link| link.line);
            problems[group[0]].push(warning(ProblemCode::LinkContradicted, (line, 1), message));
        }
        problems.iter_mut().for_each(|all| all.sort_by_key(|one| (one.line, one.column)));
        problems
    }

    /// Returns true if a file exists and is in the project.
    fn is_project_file(&self, path: &Path) -> bool {
        let place = boundary::ensure_within(path, self.setup.base());
        place.is_ok_and(|place| place.real().is_file())
    }
}
