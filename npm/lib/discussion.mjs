// A discussion with its file.

import { resolve } from "node:path";

import { runCommand } from "./command.mjs";
import { Run } from "./run.mjs";
import { flags, text, textWord } from "./words.mjs";

/** A discussion with its file. Each call that changes it has written to the file when it is done. */
export class Discussion {
  #folder;

  constructor(folder, status) {
    this.#folder = resolve(folder);
    /** The whole state, as the last call read it. */
    this.details = status;
    /** The path of the file. */
    this.path = resolve(this.#folder, status.file);
  }

  get title() {
    return this.details.title;
  }

  get template() {
    return this.details.template;
  }

  get phase() {
    return this.details.phase;
  }

  get turn() {
    return this.details.turn;
  }

  get status() {
    return this.details.status;
  }

  get participants() {
    return this.details.participants.map((one) => one.alias ?? one.name);
  }

  get votes() {
    return this.details.votes;
  }

  get questions() {
    return this.details.questions;
  }

  get tasks() {
    return this.details.tasks;
  }

  get decisions() {
    return this.details.decisions;
  }

  get concerns() {
    return this.details.concerns;
  }

  get consensusResult() {
    return this.hasConsensus() ? this.details.consensus.outcome : null;
  }

  hasConsensus() {
    return this.details.consensus.reached;
  }

  #words(command, given = [], ...rest) {
    return ["-C", this.#folder, command, "--json", ...given, "--", this.path, ...rest];
  }

  async #change(words) {
    const written = await runCommand(words);
    await this.refresh();
    return written;
  }

  #start(words, { signal, onEvent }) {
    return new Run(words, { signal, onEvent }, (ran) => {
      this.details = ran.status;
    });
  }

  async refresh() {
    this.details = await runCommand(this.#words("status"));
  }

  addComment({ author, text: said = "", vote, reviewBy }) {
    return this.#change(this.#words("comment", flags("comment", { as: author, vote, reviewBy }), textWord(said)));
  }

  answer(question, said, { author } = {}) {
    return this.#change(this.#words("answer", flags("answer", { as: author }), `Q${question}`, textWord(said)));
  }

  advance(phase) {
    return this.#change(this.#words("advance", [], ...(phase === undefined ? [] : [phase])));
  }

  close() {
    return this.#change(this.#words("close"));
  }

  reopen() {
    return this.#change(this.#words("reopen"));
  }

  runTurn({ participants = [], callout, author, signal, onEvent, ...options } = {}) {
    const names = typeof participants === "string" ? [participants] : participants;
    const given = flags("turn", { ask: callout, as: author, ...options });
    const mentions = names.map((name) => (name.startsWith("@") ? name : `@${name}`));
    return this.#start(this.#words("turn", ["--events", ...given], ...mentions), { signal, onEvent });
  }

  run({ signal, onEvent, ...options } = {}) {
    return this.#start(this.#words("run", ["--events", ...flags("run", options)]), { signal, onEvent });
  }

  result() {
    return runCommand(this.#words("result"));
  }

  entries() {
    return runCommand(this.#words("show"));
  }

  check() {
    return runCommand(this.#words("check"));
  }
}

/** Opens a discussion by its path, title, name or the beginning of its name. */
export async function open(file, { folder = process.cwd() } = {}) {
  const status = await runCommand(["-C", resolve(text(folder)), "status", "--json", "--", text(file)]);
  return new Discussion(folder, status);
}

/** Creates a discussion and its file. */
export async function create(title, { folder = process.cwd(), ...options } = {}) {
  const words = ["-C", resolve(text(folder)), "new", "--json", ...flags("new", options), "--", title];
  const made = await runCommand(words);
  return open(made.file, { folder });
}
