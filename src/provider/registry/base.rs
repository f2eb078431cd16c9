//! Addresses of services from the user's environment: `OPENAI_BASE_URL` and similar variables.

use super::Registry;
use crate::provider::presets::Preset;
use crate::provider::{Environment, ProviderKind, Url};

impl Registry {
    /// Sets the address of each service to the value of the variable that its vendor's own programs read, if it is set.
    ///
    /// A definition with a `url` of its own keeps it. The price at another address is unknown. A project's definition
    /// still needs the user's trust, now for this address.
    pub(crate) fn heed_base_urls(&mut self, env: &Environment) {
        for entry in &mut self.entries {
            let ProviderKind::Http(http) = &mut entry.definition.kind else { continue };
            let Some(base) = http.base.clone() else { continue };
            let said = env.var(&base.variable).and_then(|said| said.to_str()).map(str::trim);
            let Some(said) = said.filter(|said| !said.is_empty()) else { continue };
            match Url::parse(&base.whole(said)) {
                Ok(url) if url == http.url => {}
                Ok(url) => {
                    (http.url, http.url_from) = (url, Some(base.variable));
                    let listed = Preset::find(&http.api);
                    let listed = listed.and_then(|preset| preset.price(http.model.as_deref()));
                    let price = &mut entry.definition.common.price;
                    *price = price.filter(|price| Some(*price) != listed);
                }
                Err(why) => http.unusable_url = Some(format!("{}: {why}", base.variable)),
            }
        }
    }
}
