// Uses the types of the package; it is compiled and never run.

import { ask, discuss, open, type AskOptions, DiscussionsError, type DiscussionResult, type Event, type Run } from "discussions";
import { DiscussionEngine, SSEEmitter, type DiscussionConfig, type DiscussionEvent } from "discussions/engine";

const options: AskOptions = { provider: "mock", maxUsd: 1, timeout: "10m", participants: ["architect"] };
const run: Run<DiscussionResult> = ask("Which?", options);
for await (const event of run) {
  if (event.event === "answer.end") console.log(event.outcome, event.error?.message, event.text);
  else if (event.event === "turn.start") console.log(event.asks.join());
  // @ts-expect-error: this kind of event has no text
  else if (event.event === "turn.end") console.log(event.text);
}
const result = await run;
const text: string = result.outcome.text;
const discussion = await open("which");
const votes: Record<string, string> = discussion.votes;
const question: "open" | "assigned" | "done" | "answered" | "settled" | undefined = discussion.questions[0]?.status;
// @ts-expect-error: there is no such option
ask("Which?", { provder: "mock" });
const tell = (event: Event): void => console.log(event.at, event.round);
try {
  await discuss({ topic: text, onEvent: tell, signal: AbortSignal.timeout(1000) });
} catch (error) {
  if (error instanceof DiscussionsError) console.log(error.code === "DISCUSSION_TIMEOUT", error.exitCode, votes, question);
}

const { emitter } = SSEEmitter.create();
const engine = new DiscussionEngine({ folder: "." });
const stop: () => void = engine.onEvent((event: DiscussionEvent) => {
  emitter.emit(event);
  if (event.type === "consensus_result") console.log(event.result.modelAVote.confidence);
});
const config: DiscussionConfig = {
  prompt: "Which?",
  participants: { modelA: { modelId: "a", providerId: "b" }, modelB: { modelId: "a", providerId: "b" } },
};
await engine.start(config).finally(stop);
