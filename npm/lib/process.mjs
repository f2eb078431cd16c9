// Starts the program. All words go through its standard input as JSON, so that they can be long and hold anything.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import program from "./program.cjs";

// The end of what the program writes to standard error that an error repeats, in characters.
const MAX_MESSAGE_CHARS = 16 * 1024;

/** A running command of the program. It ends with this process, as with Ctrl-C. */
export class Process {
  /** Starts the command. */
  constructor(words) {
    const broken = words.find((word) => !word.isWellFormed());
    if (broken !== undefined) throw new TypeError("the text is not valid Unicode: half of a character is missing");
    this.child = spawn(program.findProgram(), ["pipe"], {
      stdio: ["pipe", "pipe", "pipe"],
      // Ctrl-C reaches only this process, which then ends or aborts.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.messages = "";
    this.child.stderr.setEncoding("utf8").on("data", (text) => {
      this.messages = (this.messages + text).slice(-MAX_MESSAGE_CHARS);
    });
    /** Resolves to the exit code. */
    this.ended = new Promise((resolve, reject) => {
      this.child.on("error", reject);
      this.child.on("close", (code) => resolve(code ?? -1));
    });
    // Whoever waits for the end gets the error, too.
    this.ended.catch(() => {});
    // The program may end before it has read its words; then it says why.
    this.child.stdin.on("error", () => {});
    // Without hints about commands, only warnings are left beside the result.
    this.child.stdin.write(`${JSON.stringify(["-q", ...words])}\n`);
  }

  /** Returns the lines of the result. */
  lines() {
    return createInterface({ input: this.child.stdout, crlfDelay: Infinity });
  }

  /** Returns the whole result. */
  async read() {
    const parts = [];
    for await (const part of this.child.stdout) parts.push(part);
    return Buffer.concat(parts).toString("utf8");
  }

  /** Makes the command end as with Ctrl-C, by closing its standard input. */
  interrupt() {
    this.child.stdin.end();
  }
}
