//! The author of a text that other models review.

use super::snapshot::Snapshot;
use crate::template::VendorRule;
use crate::transcript::Alias;

impl Snapshot {
    /// Returns the author, if the other participants avoid the author's vendor; `None` if the template does not keep
    /// vendors apart, or if no model is the author.
    pub(crate) fn author_apart(&self) -> Option<&Alias> {
        let template = self.template();
        let (role, _) = template.roles.first().filter(|_| template.vendors == VendorRule::Apart)?;
        self.config.roles.get(role)?.first().filter(|author| self.config.is_model(author))
    }
}
