//! What holds for every prompt of every template.
