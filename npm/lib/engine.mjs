// A dialogue of two models with the twelve events of the two-model interface. `discussions serve` makes these events; this
// file only carries them.

import { request } from "node:http";

import { Process } from "./process.mjs";
import { flags, text } from "./words.mjs";

export const DEFAULT_DISCUSSION_OPTIONS = Object.freeze({
  maxIterations: 10,
  temperature: 0.7,
  maxTokensPerTurn: 2048,
  turnTimeoutMs: 120000,
  totalTimeoutMs: 1800000,
  requireBothConsensus: true,
  minRoundsBeforeConsensus: 1,
});

/** A failure of a dialogue. */
export class DiscussionEngineError extends Error {
  constructor({ code, message, recoverable }) {
    super(message);
    this.name = "DiscussionEngineError";
    this.code = code;
    this.recoverable = recoverable;
  }

  toJSON() {
    const { code, message, recoverable } = this;
    return { code, message, recoverable };
  }
}

/** Runs one dialogue. */
export class DiscussionEngine {
  #options;
  #handlers = new Set();
  #state = { phase: "idle", rounds: [], currentRound: 0 };
  #stop = null;

  constructor({ folder, ...options } = {}) {
    this.#options = { folder, ...options };
  }

  /** Calls a function for each event. Returns a function that ends this. */
  onEvent(handler) {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Returns a copy of the state, which the events so far tell. */
  getState() {
    return structuredClone(this.#state);
  }

  /** Stops the dialogue. Its answers so far are in the file. */
  abort() {
    this.#stop?.();
  }

  /** Runs the dialogue to its end. Rejects if it cannot begin or fails. */
  async start(config) {
    if (this.#stop !== null) {
      throw new DiscussionEngineError({ code: "STATE_INVALID", message: "it has already started", recoverable: false });
    }
    this.#state = { phase: "initializing", config, rounds: [], currentRound: 0, startedAt: Date.now() };
    const { folder, ...options } = this.#options;
    const place = folder === undefined ? [] : ["-C", text(folder)];
    const server = new Process([...place, "serve", "--port=0", ...flags("serve", options)]);
    let isAborted = false;
    let answer = null;
    this.#stop = () => {
      isAborted = true;
      answer?.destroy();
      // The server stops its runs, and ends when they have.
      server.interrupt();
    };
    let error = null;
    try {
      const address = await firstLine(server);
      answer = await post(address, body(config));
      if (answer.statusCode !== 200) throw await refusal(answer);
      for await (const event of events(answer)) {
        this.#tell(event);
        if (event.type === "discussion_error") error = event.error;
      }
    } catch (failure) {
      error = failure;
    }
    server.interrupt();
    await server.ended;
    if (isAborted && this.#state.phase !== "aborted") {
      this.#tell({ type: "discussion_aborted", ...this.#head(), stoppingReason: "user_abort" });
    }
    if (isAborted) return;
    if (error !== null) {
      const told = this.#failure(error, server.messages.trim());
      if (this.#state.phase !== "error") this.#tell({ type: "discussion_error", ...this.#head(), error: told.toJSON() });
      throw told;
    }
  }

  #head() {
    return { discussionId: this.#state.id ?? "", timestamp: Date.now() };
  }

  #failure(error, messages) {
    if (typeof error.code === "string" && "recoverable" in error) return new DiscussionEngineError(error);
    return new DiscussionEngineError({
      code: "INITIALIZATION_FAILED",
      message: messages || error.message,
      recoverable: false,
    });
  }

  #tell(event) {
    this.#fold(event);
    for (const handler of this.#handlers) handler(event);
  }

  /** Adds an event to the state. */
  #fold(event) {
    const state = this.#state;
    state.id ??= event.discussionId;
    switch (event.type) {
      case "round_started":
        state.currentRound = event.roundNumber;
        break;
      case "turn_started":
        state.phase = `${event.role}-turn`;
        break;
      case "consensus_check_started":
        state.phase = "consensus-check-a";
        break;
      case "consensus_vote":
        state.phase = "consensus-check-b";
        break;
      case "round_completed":
        state.rounds.push(event.round);
        break;
      case "discussion_completed":
        Object.assign(state, { phase: "completed", stoppingReason: event.stoppingReason, completedAt: event.timestamp });
        if (event.finalConsensus) state.finalConsensus = event.finalConsensus;
        break;
      case "discussion_error":
        Object.assign(state, { phase: "error", stoppingReason: "error", error: event.error, completedAt: event.timestamp });
        break;
      case "discussion_aborted":
        Object.assign(state, { phase: "aborted", stoppingReason: "user_abort", completedAt: event.timestamp });
        break;
      default:
    }
  }
}

/** Returns the request for a configuration. */
function body({ prompt, participants: { modelA, modelB }, options = {} }) {
  const seat = ({ modelId, providerId, displayName }) => ({ modelId, providerId, displayName });
  return JSON.stringify({ prompt, modelA: seat(modelA), modelB: seat(modelB), options });
}

/** Returns the address with the key that the server prints. */
async function firstLine(server) {
  for await (const line of server.lines()) return new URL(line);
  await server.ended;
  throw new Error(server.messages.trim() || "the server did not start");
}

/** Sends the request. Resolves to the answer as soon as it begins. */
function post(address, content) {
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(content),
    Authorization: `Bearer ${address.searchParams.get("token")}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL("/api/discussion", address.origin), { method: "POST", headers }, resolve);
    sent.on("error", reject);
    sent.end(content);
  });
}

async function refusal(answer) {
  const parts = [];
  for await (const part of answer) parts.push(part);
  const document = JSON.parse(Buffer.concat(parts).toString("utf8"));
  const message = document.error?.message ?? [document.error, document.reason].filter(Boolean).join(": ");
  return new DiscussionEngineError({ code: "INITIALIZATION_FAILED", message, recoverable: false });
}

/** Yields the events of a stream. */
async function* events(answer) {
  let name = "";
  let rest = "";
  for await (const part of answer.setEncoding("utf8")) {
    const lines = (rest + part).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line.startsWith("event:")) name = line.slice("event:".length).trim();
      else if (line.startsWith("data:")) yield { type: name.replaceAll("-", "_"), ...JSON.parse(line.slice("data:".length)) };
    }
  }
}

/** Returns an event as it is sent to a browser: `turn_started` as `turn-started`. */
export function toSSEEvent({ type, ...data }) {
  return { event: type.replaceAll("_", "-"), data: JSON.stringify(data) };
}

/** Returns the text of an event for a stream. */
export function formatSSE({ event, data }) {
  return `event: ${event}\ndata: ${data}\n\n`;
}

/** Sends events to a browser. */
export class SSEEmitter {
  #controller;
  #encoder = new TextEncoder();
  #isClosed = false;

  constructor(controller) {
    this.#controller = controller;
  }

  /** Returns a stream for a `Response`, and what writes into it. */
  static create() {
    let emitter;
    const stream = new ReadableStream({
      start: (controller) => {
        emitter = new SSEEmitter(controller);
      },
      cancel: () => {
        emitter.#isClosed = true;
      },
    });
    return { stream, emitter };
  }

  emit(event) {
    this.#write(formatSSE(toSSEEvent(event)));
  }

  emitComment(comment) {
    this.#write(`: ${comment.replace(/[\r\n]+/g, " ")}\n\n`);
  }

  emitKeepAlive() {
    this.emitComment("keep-alive");
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#controller.close();
  }

  isClosed() {
    return this.#isClosed;
  }

  #write(content) {
    if (!this.#isClosed) this.#controller.enqueue(this.#encoder.encode(content));
  }
}
