//! Names that somebody may be about to type.

use super::super::Workspace;
use super::super::folder::each;
use super::{Candidate, Names, alike};

/// Of so many names the titles are read too; of more, nothing but the names is looked at.
const FEW: usize = 64;

impl Workspace {
    /// The names of discussions that begin so, where they are kept and in the working folder, each with its title where
    /// they are few. Of few, pages that are no discussions are left out.
    pub fn names(&self, beginning: &str) -> Vec<(String, Option<String>)> {
        let wanted = alike(beginning);
        let all = self.candidates().unwrap_or_default();
        let mut fit: Vec<&Candidate> =
            all.iter().filter(|one| one.names[0].starts_with(&wanted)).collect();
        let kept: Vec<&Candidate> = fit.iter().copied().filter(|one| one.is_kept).collect();
        let few = fit.len() <= FEW;
        // A folder that somebody works in may hold any number of other pages.
        fit = if few { self.discussions(&fit) } else { kept };
        let titles = if few { each(&fit, |one| self.whole_title(one)) } else { Vec::new() };
        let names = Names::of(self);
        let mut titles = titles.into_iter().chain(std::iter::repeat(None));
        fit.iter().map(|one| (names.of_file(&one.path), titles.next().flatten())).collect()
    }
}
