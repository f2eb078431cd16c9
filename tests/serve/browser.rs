//! A real browser: what only one can show. Ignored where nobody says that there is one.
