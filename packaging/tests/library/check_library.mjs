// Checks the package `discussions` as npm installs it: its calls, texts, errors, aborted and killed runs.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeEach, test } from "node:test";

import * as discussions from "discussions";
import * as engine from "discussions/engine";

const { DEFAULT_DISCUSSION_OPTIONS, DiscussionEngine } = engine;
const { AbortedError, DiscussionsError, ask, create, discuss, open } = discussions;

// A model that notes each call; a second call hangs as long as `hold` exists.
const MODEL = `
const fs = require("node:fs");
process.stdin.resume().on("end", () => {
  fs.appendFileSync("CALLS", "x");
  const number = fs.readFileSync("CALLS").length;
  if (number > 1 && fs.existsSync("HOLD")) setInterval(() => {}, 1000);
  else console.log("Answer " + number + ".");
});
`;

let folder;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "library-")));
  process.chdir(folder);
  mkdirSync("config");
  process.env.DISCUSSIONS_CONFIG_DIR = join(folder, "config");
  const model = join(folder, "model.cjs");
  writeFileSync(model, MODEL.replaceAll("CALLS", join(folder, "calls")).replaceAll("HOLD", join(folder, "hold")));
  const command = JSON.stringify(`${process.execPath} ${model}`);
  writeFileSync("config/providers.yaml", `providers: [{name: held, command: ${command}}]\n`);
  writeFileSync("config/config.yaml", "author: Rob\n");
  writeFileSync("hold", "");
});

test("a program takes part in a discussion", async () => {
  await create("Feature X", { template: "feature", context: "We need it." });
  const discussion = await open("feature-x");
  assert.equal(discussion.title, "Feature X");
  assert.equal(discussion.status, "OPEN");
  assert.deepEqual(discussion.participants, ["architect", "security", "pragmatist"]);
  const ran = await discussion.runTurn({ participants: ["architect"], callout: "Please review it.", provider: "mock" });
  assert.deepEqual(ran.calls.map((call) => call.participant), ["architect"]);
  await discussion.addComment({ author: "Rob", text: "Q: Who pays?", vote: "CHANGES" });
  assert.deepEqual(discussion.votes, { Rob: "CHANGES" });
  assert.equal(discussion.questions[0].text, "Who pays?");
  await discussion.run({ provider: "mock" });
  await discussion.addComment({ author: "Rob", vote: "READY" });
  assert.equal(discussion.hasConsensus(), true);
  assert.equal(discussion.consensusResult, "READY");
});

test("functions of a project", async () => {
  const run = ask("How do we begin?", { provider: "mock" });
  const told = [];
  run.onEvent((event) => told.push(event.event));
  const seen = [];
  for await (const event of run) seen.push(event.event);
  assert.deepEqual(told, seen);
  assert.equal(seen.at(-1), "discussion.end");
  assert.ok((await run).outcome.text);
  const voted = await discuss({ topic: "Which?", pattern: "voting", options: ["A", "B"], provider: "mock" });
  assert.equal(voted.pattern, "voting");
  writeFileSync("plan.md", "# Plan\n\nWe do it.\n");
  const review = await discussions.review("plan.md", { provider: "mock", perspectives: ["product", "risk"] });
  assert.ok(existsSync(review.record));
  assert.ok((await discussions.list()).some((one) => one.title === "Which?"));
  assert.ok((await discussions.decisions()).length > 0);
  assert.ok((await discussions.recall("how do we begin")).length > 0);
  assert.deepEqual(await discussions.search("nowhere-to-be-found"), []);
  assert.equal((await discussions.stats()).all.discussions, 3);
  assert.ok((await discussions.check()).every((one) => Array.isArray(one.problems)));
});

test("texts arrive as they are", async () => {
  const discussion = await create("Texts", { context: "-c $(touch pwned)\r\n\"x\"" });
  assert.ok(readFileSync(discussion.path, "utf8").includes("-c $(touch pwned)"));
  const texts = [
    "one\r\ntwo\nthree",
    "-",
    "--json",
    "- item",
    "$(touch pwned) `touch pwned`; touch pwned & 'x' \"y\" %PATH% | > pwned",
    "Zażółć, 漢字, العربية, 👩‍👩‍👧, e\u0301",
    "é".repeat(250_000),
  ];
  for (const text of texts) {
    await discussion.addComment({ author: "Rob", text });
    const { entries } = await discussion.entries();
    assert.deepEqual(entries.at(-1).body.split(/\s+/).filter(Boolean), text.split(/\s+/));
  }
  assert.ok(!existsSync("pwned"));
  await discussion.addComment({ author: "Rob", text: "before\0after" });
  assert.ok(!readFileSync(discussion.path, "utf8").includes("\0"));
  await assert.rejects(discussion.addComment({ author: "Rob", text: "x".repeat(5_000_000) }), /5000000 bytes/);
  assert.throws(() => ask("half \ud83d"), /not valid Unicode/);
});

test("errors have code, help and exit code", async () => {
  await assert.rejects(async () => ask("How?", { provider: "nobody" }), (error) => {
    assert.ok(error instanceof DiscussionsError && !(error instanceof AbortedError));
    assert.equal(error.code, "DISCUSSION_INVALID_INPUT");
    assert.equal(error.exitCode, 3);
    assert.ok(error.message.includes(error.help));
    return true;
  });
  assert.throws(() => ask("How?", { maxUds: 1 }), /there is no option `maxUds`/);
});

test("every option is a flag of the program, and every declared name exists", async () => {
  const home = new URL(".", import.meta.resolve("discussions/package.json"));
  const { OPTIONS } = await import(new URL("lib/words.mjs", home));
  const { default: program } = await import(new URL("lib/program.cjs", home));
  const spelt = { files: "file", parameters: "set" };
  for (const [command, known] of Object.entries(OPTIONS)) {
    const page = execFileSync(program.findProgram(), [command, "--help"], { encoding: "utf8" });
    for (const name of known) {
      const flag = (spelt[name] ?? name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      assert.match(page, new RegExp(`--${flag}\\b`), command);
    }
  }
  for (const [name, exported] of Object.entries({ index: discussions, engine })) {
    const declared = readFileSync(new URL(`lib/${name}.d.mts`, home), "utf8");
    const names = [...declared.matchAll(/^export (?:function|class|const) (\w+)/gm)].map((found) => found[1]);
    assert.deepEqual([...new Set(names)].sort(), Object.keys(exported).sort());
  }
});

/** Runs a discussion that a run left; its first answer must still be there, and must not be paid for again. */
async function resume(discussion) {
  rmSync("hold");
  const before = readFileSync("calls").length;
  const run = async () => {
    for (;;) {
      try {
        return await discussion.run({ provider: "held" });
      } catch (error) {
        // The run of a killed program ends a moment later.
        if (!error.retryable) throw error;
      }
    }
  };
  const ran = await run();
  assert.equal(ran.stopped, "finished");
  assert.equal(readFileSync("calls").length - before, ran.calls.length);
  assert.equal(readFileSync(discussion.path, "utf8").split("Answer 1.").length, 2);
}

const twoModels = { template: "round-robin", participants: ["architect", "security"] };

test("an aborted run keeps its answers and resumes", async () => {
  const discussion = await create("Abort", twoModels);
  const controller = new AbortController();
  const onEvent = (event) => event.event === "answer.end" && controller.abort();
  await assert.rejects(async () => discussion.run({ provider: "held", signal: controller.signal, onEvent }), (error) => {
    assert.equal(error.name, "AbortError");
    assert.equal(error.result.stopped, "aborted");
    return true;
  });
  assert.throws(() => discussion.run({ signal: controller.signal }), { name: "AbortError" });
  await resume(discussion);
});

test("the run of a killed program resumes", async () => {
  const program = `
    import { create } from "discussions";
    const discussion = await create("Kill", ${JSON.stringify(twoModels)});
    for await (const event of discussion.run({ provider: "held" })) if (event.event === "answer.end") console.log("answered");
  `;
  const path = new URL("killed.mjs", import.meta.url).pathname;
  writeFileSync(path, program);
  const child = spawn(process.execPath, [path], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    assert.equal(line, "answered");
    child.kill("SIGKILL");
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  await resume(await open("kill"));
});

function dialogue(prompt, providerId = "mock") {
  const model = (role, displayName) => ({ role, modelId: "mock", providerId, displayName });
  const participants = { modelA: model("model-a", "First"), modelB: model("model-b", "Second") };
  return { prompt, participants, options: { ...DEFAULT_DISCUSSION_OPTIONS } };
}

test("two models discuss until they agree", async () => {
  const dialogues = new DiscussionEngine();
  const types = new Set();
  const unsubscribe = dialogues.onEvent((event) => types.add(event.type));
  await dialogues.start(dialogue("Which language?"));
  unsubscribe();
  const state = dialogues.getState();
  assert.equal(state.phase, "completed");
  assert.equal(state.stoppingReason, "consensus_reached");
  assert.ok(state.finalConsensus.solution);
  assert.equal(state.rounds.length, state.currentRound);
  assert.equal(types.size, 10);
  await assert.rejects(dialogues.start(dialogue("Again?")), { code: "STATE_INVALID" });
});

test("a dialogue can be aborted, and says why it cannot begin", async () => {
  const dialogues = new DiscussionEngine();
  const types = [];
  dialogues.onEvent((event) => {
    types.push(event.type);
    if (event.type === "turn_started") dialogues.abort();
  });
  await dialogues.start(dialogue("Which?", "held"));
  assert.equal(types.at(-1), "discussion_aborted");
  assert.equal(dialogues.getState().phase, "aborted");
  const refused = new DiscussionEngine();
  await assert.rejects(refused.start(dialogue("Which?", "nobody")), { code: "INITIALIZATION_FAILED" });
  assert.equal(refused.getState().phase, "error");
});
