//! Suggests names for a name that the user is typing.

use super::super::Workspace;
use super::super::folder::each;
use super::{DiscussionNames, NameCandidate, alike};

/// The maximum number of matches for which titles are read. With more, only the names are read.
const FEW: usize = 64;

impl Workspace {
    /// Returns the names of discussions that begin with `beginning`, in the folder of discussions and the working
    /// folder. If there are few, also returns their titles and leaves out pages that are not discussions.
    pub fn names(&self, beginning: &str) -> Vec<(String, Option<String>)> {
        let wanted = alike(beginning);
        let all = self.candidates().unwrap_or_default();
        let mut fit: Vec<&NameCandidate> =
            all.iter().filter(|one| one.names[0].starts_with(&wanted)).collect();
        let kept: Vec<&NameCandidate> = fit.iter().copied().filter(|one| one.is_kept).collect();
        let few = fit.len() <= FEW;
        // A working folder may contain any number of other pages.
        fit = if few { self.discussions(&fit) } else { kept };
        let titles = if few { each(&fit, |one| self.whole_title(one)) } else { Vec::new() };
        let names = DiscussionNames::of(self);
        let mut titles = titles.into_iter().chain(std::iter::repeat(None));
        fit.iter().map(|one| (names.of_file(&one.path), titles.next().flatten())).collect()
    }
}
