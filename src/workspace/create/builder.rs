//! A new discussion, written in one expression.

use super::NewDiscussion;

impl NewDiscussion {
    /// Returns a discussion with a title, one line, and the configured template and participants.
    pub fn titled(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Chooses the template, by its id.
    #[must_use]
    pub fn template(self, id: impl Into<String>) -> Self {
        Self { template: Some(id.into()), ..self }
    }

    /// Sets the context below the title, as Markdown.
    #[must_use]
    pub fn context(self, text: impl Into<String>) -> Self {
        Self { context: Some(text.into()), ..self }
    }

    /// Chooses the participants: personas, providers, or `persona=provider`.
    #[must_use]
    pub fn participants<W: Into<String>>(self, who: impl IntoIterator<Item = W>) -> Self {
        Self { participants: who.into_iter().map(Into::into).collect(), ..self }
    }
}
