// What can go wrong, as errors.

/** A failure that the program reports. */
export class DiscussionsError extends Error {
  constructor(message, { code = null, help = null, retryable = false, exitCode, result = null }) {
    super(help === null ? message : `${message}\n${help}`);
    this.name = "DiscussionsError";
    this.code = code;
    this.help = help;
    this.retryable = retryable;
    this.exitCode = exitCode;
    this.result = result;
  }

  /** Whether a retry may succeed. */
  get recoverable() {
    return this.retryable;
  }

  toJSON() {
    const { message, code, help, retryable, recoverable, exitCode } = this;
    return { message, code, help, retryable, recoverable, exitCode };
  }
}

/** The run was aborted. All answers so far are in the file. */
export class AbortedError extends DiscussionsError {
  constructor(message, details) {
    super(message, details);
    this.name = "AbortError";
  }
}

// The exit code of an interrupted command.
const INTERRUPTED = 130;

/** Returns the error for a document, or for what the program wrote if it printed no document. */
export function failure(document, exitCode, messages) {
  const Kind = exitCode === INTERRUPTED ? AbortedError : DiscussionsError;
  const told = document?.error;
  const result = isRefusal(document) ? null : document;
  if (told) {
    const { message, code, hint: help = null, retryable } = told;
    return new Kind(message, { code, help, retryable, exitCode, result });
  }
  const silent =
    exitCode === INTERRUPTED
      ? "the run was aborted; run the discussion again to continue"
      : `the program ended with ${exitCode} and said nothing`;
  return new Kind(messages || silent, { exitCode, result });
}

/** Returns whether a document says only why there is no result. */
export function isRefusal(document) {
  return document !== null && typeof document === "object" && Object.keys(document).join() === "error";
}
