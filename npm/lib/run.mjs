// A run of models: its events as they happen, and its result.

import { outcome, parse } from "./command.mjs";
import { Process } from "./process.mjs";

/** A run in progress. `for await` gives its events, `await` its result. */
export class Run {
  #process;
  #handlers = new Set();
  // Events that `for await` has not taken yet, and the function that wakes it.
  #waiting = [];
  #wake = null;
  #hasEnded = false;
  #result;

  /** Starts the run. `words` ask for events and JSON; `ended` gets the document before anyone else. */
  constructor(words, { signal, onEvent } = {}, ended = () => {}) {
    signal?.throwIfAborted();
    if (onEvent) this.#handlers.add(onEvent);
    this.#process = new Process(words);
    const abort = () => this.abort();
    signal?.addEventListener("abort", abort, { once: true });
    this.#result = this.#read(ended).finally(() => signal?.removeEventListener("abort", abort));
    // A caller that wants only the events need not handle the failure.
    this.#result.catch(() => {});
  }

  async #read(ended) {
    let document = null;
    try {
      for await (const line of this.#process.lines()) {
        const value = parse(line);
        if (value?.event === undefined) document = value;
        else this.#tell(value);
      }
      const code = await this.#process.ended;
      const result = outcome(document, code, this.#process.messages.trim());
      ended(result);
      return result;
    } finally {
      this.#process.interrupt();
      this.#hasEnded = true;
      this.#wake?.();
    }
  }

  #tell(event) {
    for (const handler of this.#handlers) {
      try {
        handler(event);
      } catch (error) {
        // A mistake in a handler must not stop a run that costs money.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** Calls a function for each later event. Returns a function that ends this. */
  onEvent(handler) {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Ends the run as Ctrl-C does: it records the answers that it has, and leaves the file ready to continue. */
  abort() {
    this.#process.interrupt();
  }

  /** Resolves to the result at the end of the run. */
  result() {
    return this.#result;
  }

  then(fulfilled, rejected) {
    return this.#result.then(fulfilled, rejected);
  }

  catch(rejected) {
    return this.#result.catch(rejected);
  }

  finally(settled) {
    return this.#result.finally(settled);
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift();
      if (this.#hasEnded) return;
      await new Promise((resolve) => (this.#wake = resolve));
      this.#wake = null;
    }
  }
}
