#!/usr/bin/env node
// Runs the program of this machine's platform package as if the shell had run it: its arguments, streams, signals and exit
// status pass through.
"use strict";

const { spawn } = require("node:child_process");
const { accessSync, constants } = require("node:fs");
const os = require("node:os");
const tty = require("node:tty");
const { findProgram } = require("../lib/program.cjs");

// What a shell gives for a command that it does not find, and for one that it cannot run. The program uses neither.
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/** Prints a message and ends the process. */
function fail(status, message) {
  console.error(`discussions: ${message}`);
  process.exit(status);
}

/** Returns the path of the program; ends the process if there is none. */
function findProgramOrFail() {
  try {
    return findProgram();
  } catch (error) {
    return fail(NOT_FOUND, error.message);
  }
}

/** Replaces this process by the program, if Node can: 22.15 and newer, not on Windows. */
function replaceProcess(program, args) {
  try {
    accessSync(program, constants.X_OK);
  } catch (error) {
    fail(NOT_RUNNABLE, `${program} cannot be run: ${error.code}`);
  }
  process.execve(program, ["discussions", ...args], process.env);
}

/** Runs the program as a child, passes signals on to it, and ends as it ends. */
function runChild(program, args) {
  const child = spawn(program, args, { argv0: "discussions", stdio: "inherit" });
  const signals = ["SIGINT", "SIGQUIT", "SIGHUP", "SIGTERM"];
  // A terminal sends these to both processes already, and the program treats a second one as a stronger request.
  const fromTerminal = new Set([0, 1, 2].some((fd) => tty.isatty(fd)) ? ["SIGINT", "SIGQUIT"] : []);
  for (const signal of signals) {
    process.on(signal, () => {
      if (!fromTerminal.has(signal)) child.kill(signal);
    });
  }
  child.on("error", (error) => fail(NOT_RUNNABLE, `${program} cannot be run: ${error.code}`));
  child.on("exit", (status, signal) => {
    if (signal === null) process.exit(status);
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
    // Node ignores some signals, such as SIGPIPE.
    process.exit(128 + os.constants.signals[signal]);
  });
}

const program = findProgramOrFail();
const args = process.argv.slice(2);
if (process.execve !== undefined && process.platform !== "win32") {
  replaceProcess(program, args);
} else {
  runChild(program, args);
}
