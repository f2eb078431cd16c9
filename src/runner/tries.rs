//! One reason is told once, however often it came back.

use crate::provider::CallError;

/// What is noted of failures that were tried again, and the failure that it came to, if it did: the same reason counts
/// its tries.
pub(super) fn told(
    provider: &str,
    failures: &[CallError],
    last: Option<&mut CallError>,
) -> Vec<String> {
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for failure in failures {
        match reasons.iter_mut().find(|(known, _)| *known == failure.message) {
            Some((_, tries)) => *tries += 1,
            None => reasons.push((&failure.message, 1)),
        }
    }
    if let Some(last) = last
        && let Some(at) = reasons.iter().position(|(known, _)| *known == last.message)
    {
        let (_, tries) = reasons.remove(at);
        last.message = times(tries + 1, &last.message);
    }
    let note = |(message, tries): (&str, usize)| {
        format!("{}, tried again", by(provider, &times(tries, message)))
    };
    reasons.into_iter().map(note).collect()
}

/// Whose failure it is, where the words do not say so.
pub(super) fn by(provider: &str, message: &str) -> String {
    if message.contains(provider) { message.to_owned() } else { format!("{provider}: {message}") }
}

fn times(tries: usize, message: &str) -> String {
    match tries {
        1 => message.to_owned(),
        tries => format!("{tries} tries: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::FailureCode;

    fn failure(message: &str) -> CallError {
        CallError::new(FailureCode::Server, message)
    }

    #[test]
    fn repeated_reason_is_counted_and_another_one_noted() {
        let busy = || failure("gpt returned status 500: busy");
        let mut last = Some(busy());
        assert_eq!(told("gpt", &[busy(), busy()], last.as_mut()), [""; 0]);
        assert_eq!(last.unwrap().message, "3 tries: gpt returned status 500: busy");
        let mut last = Some(failure("reset"));
        let notes = told("gpt", &[busy(), busy()], last.as_mut());
        assert_eq!(notes, ["2 tries: gpt returned status 500: busy, tried again"]);
        assert_eq!(last.unwrap().message, "reset");
        assert_eq!(told("gpt", &[failure("reset")], None), ["gpt: reset, tried again"]);
    }
}
