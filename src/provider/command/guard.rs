//! Ends a group whose starter was killed and can end nothing any more.

#[cfg(unix)]
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;

#[cfg(unix)]
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessGroup};

/// Waits until nobody holds the other end of its input, which is so once its starter is gone, and kills the group. The text
/// is this one whatever is run, and the group is a number.
#[cfg(unix)]
const WAIT: &str = "read -r _; kill -s KILL -- \"-$1\"";
#[cfg(unix)]
const SHELL: &str = "/bin/sh";

/// A process beside a group, for as long as this lives; what is dropped in order leaves the group alone.
#[derive(Debug)]
pub(super) struct Guard {
    #[cfg(unix)]
    _waiting: Option<Box<dyn ChildWrapper>>,
}

impl Guard {
    /// Of the group that this process leads. Where none can be had, a killed starter leaves its group running.
    #[cfg(unix)]
    pub(super) fn of(leader: Option<u32>) -> Self {
        let start = |leader: u32| {
            let mut command = CommandWrap::with_new(SHELL, |command| {
                command
                    .args(["-c", WAIT, "guard", &leader.to_string()])
                    .env_clear()
                    .current_dir(Path::new("/"))
                    .stdin(Stdio::piped())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null());
            });
            // Ctrl-C is for whoever runs it, which ends its groups itself.
            command.wrap(KillOnDrop).wrap(ProcessGroup::leader());
            command.spawn().ok()
        };
        Self { _waiting: leader.and_then(start) }
    }

    #[cfg(not(unix))]
    pub(super) fn of(_leader: Option<u32>) -> Self {
        Self {}
    }
}
