//! Checks that versions, addresses, workflows and installed packages agree in all files that state them.

mod address;
mod files;
mod installs;
mod oldest_example;
mod versions;
mod workflows;
