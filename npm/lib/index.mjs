// Structured discussions between AI personas and people. The functions start the program of this package.

import { runCommand } from "./command.mjs";
import { Run } from "./run.mjs";
import { flags, text, textWord } from "./words.mjs";

export { AbortedError, DiscussionsError } from "./errors.mjs";
export { Discussion, create, open } from "./discussion.mjs";
export { Run } from "./run.mjs";

function start(command, { folder, ...options }) {
  return [...(folder === undefined ? [] : ["-C", text(folder)]), command, "--json", ...flags(command, options)];
}

function named(value) {
  return value === undefined ? [] : ["--", text(value)];
}

/** Asks a question: one model answers, another one checks the answer. */
export function ask(topic, { signal, onEvent, ...options } = {}) {
  return new Run([...start("ask", options), "--events", "--", textWord(topic)], { signal, onEvent });
}

/** Asks a question: models debate it and give one answer. Takes the question and options, or one object with both. */
export function discuss(config, more = {}) {
  const { topic, signal, onEvent, ...options } = typeof config === "string" ? { ...more, topic: config } : config;
  return new Run([...start("discuss", options), "--events", "--", textWord(topic)], { signal, onEvent });
}

/** Has a file or a change reviewed from several perspectives. */
export function review(artifact, { signal, onEvent, ...options } = {}) {
  return new Run([...start("review", options), "--events", ...named(artifact ?? undefined)], { signal, onEvent });
}

/** Finds lines that do not count, lost comments and changed text. */
export async function check(paths = [], options = {}) {
  return runCommand([...start("check", options), "--", ...[paths].flat().map(text)]);
}

/** Lists discussions, the most recently changed first. */
export async function list(options = {}) {
  const { directory, ...others } = options;
  return runCommand([...start("list", others), ...named(directory)]);
}

/** Lists decisions, the newest first; with `about`, only those in force about these files. */
export async function decisions(options = {}) {
  const { directory, about, ...others } = options;
  return runCommand([...start("decisions", { ...others, for: about }), ...named(directory)]);
}

/** Finds past decisions that are similar to a question. */
export async function recall(question, options = {}) {
  return runCommand([...start("recall", options), "--", question]);
}

/** Finds words in all discussions. */
export async function search(words, options = {}) {
  return runCommand([...start("search", options), "--", words]);
}

/** Sums up the outcomes and the cost of all discussions. */
export async function stats(options = {}) {
  const { directory, ...others } = options;
  return runCommand([...start("stats", others), ...named(directory)]);
}
