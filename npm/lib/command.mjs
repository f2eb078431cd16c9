// Runs commands that end soon, for example because they call no model.

import { failure, isRefusal } from "./errors.mjs";
import { Process } from "./process.mjs";

/** Runs a command and returns its document. */
export async function runCommand(words) {
  const command = new Process(words);
  const [text, code] = await Promise.all([command.read(), command.ended]);
  command.interrupt();
  return outcome(parse(text), code, command.messages.trim());
}

/** Returns the document, or throws the error that the program reports. Exit code 1 is a negative result and no error. */
export function outcome(document, code, messages) {
  if ((code === 0 || code === 1) && document !== null && !isRefusal(document)) {
    if (messages) process.emitWarning(messages, "DiscussionsWarning");
    return document;
  }
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
