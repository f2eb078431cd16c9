//! The author of a text that other models review.

use super::snapshot::Snapshot;
use crate::template::VendorRule;
use crate::transcript::Alias;

impl Snapshot {
    /// Returns the author, if the template keeps the other participants away from the author's
    /// vendor (`vendors: apart`). Returns `None` otherwise, or if the author is no model.
    pub(crate) fn author_apart(&self) -> Option<&Alias> {
        let template = self.template();
        let (role, _) = template.roles.first().filter(|_| template.vendors == VendorRule::Apart)?;
        self.config.roles.get(role)?.first().filter(|author| self.config.is_model(author))
    }
}
