// Runs commands that end soon, for example because they call no model.

import { failure, isRefusal } from "./errors.mjs";
import { Process } from "./process.mjs";

/** Runs a command and returns its document. */
export async function runCommand(words) {
  const process = new Process(words);
  const [text, code] = await Promise.all([process.read(), process.ended]);
  process.interrupt();
  return outcome(parse(text), code, process.messages.trim());
}

/** Returns the document, or throws the error that the program reports. Exit code 1 is a negative result and no error. */
export function outcome(document, code, messages) {
  if (code <= 1 && code >= 0 && document !== null && !isRefusal(document)) return document;
  throw failure(document, code, messages);
}

/** Reads JSON; null if the program wrote none. */
export function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
