//! The doors of a workspace: what front ends do with it, by subject. Each door borrows the workspace and adds the
//! functions of its subject, which stand beside their code; what all of them need, such as finding and reading a file,
//! is a function of [`Workspace`] itself.

use std::ops::Deref;
use std::sync::Arc;

use super::Workspace;

/// Declares doors that borrow a workspace, and read like it.
macro_rules! doors {
    ($($(#[doc = $text:literal])+ $name:ident by $held:ty;)+) => {$(
        $(#[doc = $text])+
        #[derive(Clone, Copy)]
        pub struct $name<'w> {
            /// The workspace behind the door.
            pub(crate) workspace: &'w $held,
        }

        impl Deref for $name<'_> {
            type Target = Workspace;

            fn deref(&self) -> &Workspace {
                self.workspace
            }
        }
    )+};
}

doors! {
    /// Finds problems: in discussions, in what git knows of them, and in texts of an editor. Repairs what it safely can.
    Checks by Workspace;
    /// What was decided: in discussions, and in records of other tools.
    Decisions by Workspace;
    /// Creates, lists, shows and changes discussions, without calling a model.
    Discussions by Workspace;
    /// Personas.
    Participants by Workspace;
    /// The definitions of providers, and what the user permits them.
    ProviderSettings by Workspace;
    /// Prepares runs and follows discussions. Keeps the workspace for as long as a run lasts.
    Runs by Arc<Workspace>;
}

impl Workspace {
    /// What checks discussions and texts.
    pub fn check(&self) -> Checks<'_> {
        Checks { workspace: self }
    }

    /// What knows the decisions of this project.
    pub fn decisions(&self) -> Decisions<'_> {
        Decisions { workspace: self }
    }

    /// What creates, shows and changes discussions.
    pub fn discussions(&self) -> Discussions<'_> {
        Discussions { workspace: self }
    }

    /// What knows and changes personas.
    pub fn participants(&self) -> Participants<'_> {
        Participants { workspace: self }
    }

    /// What knows and changes providers.
    pub fn providers(&self) -> ProviderSettings<'_> {
        ProviderSettings { workspace: self }
    }

    /// What prepares runs.
    pub fn runs(self: &Arc<Self>) -> Runs<'_> {
        Runs { workspace: self }
    }
}
