import type {
  Checked,
  Decided,
  DecisionStatus,
  DiscussionResult,
  ErrorCode,
  Event,
  Found,
  Item,
  Listed,
  Ran,
  Recalled,
  ResultDocument,
  ReviewResult,
  Shown,
  StatedDecision,
  Stats,
  Status,
  Written,
} from "./documents.mjs";

export type * from "./documents.mjs";

/** One item or several. */
export type Names = string | readonly string[];

/** Milliseconds, or a text such as "90s", "10m" or "1h". */
export type Duration = number | string;

export interface FolderOptions {
  /** The folder to work in; by default the working folder of this process. */
  folder?: string;
}

export interface RunControl {
  /** Ends the run as Ctrl-C does: it records the answers that it has, and leaves the file ready to continue. */
  signal?: AbortSignal;
  /** Gets each event as it happens. */
  onEvent?: (event: Event) => void;
}

export interface SightOptions {
  /** Agent programs may read the files of this project. */
  look?: boolean;
  /** Agent programs may search the web. */
  web?: boolean;
}

export interface LimitOptions {
  /** Maximum time. */
  timeout?: Duration;
  /** Maximum cost in US dollars. */
  maxUsd?: number;
  /** With a money limit, also ask providers whose price is unknown. */
  unpriced?: boolean;
  /** Maximum number of model calls. */
  maxCalls?: number;
}

export interface CallOptions extends LimitOptions {
  /** Maximum tokens per answer. */
  maxTokens?: number;
  /** Maximum time per call, from 5 seconds to an hour. */
  providerTimeout?: Duration;
}

export interface MaterialOptions {
  /** Files, folders or globs that go into the discussion. */
  files?: Names;
  /** The changes of these commits, for example `main...HEAD`. */
  diff?: string;
  /** Also send credential files and text that looks like a key. */
  allowSecrets?: boolean;
}

/** A value of a parameter of a pattern. */
export type Parameter = string | number | boolean | readonly string[];

export interface AskOptions extends FolderOptions, RunControl, MaterialOptions, CallOptions, SightOptions {
  /** The participants: personas, providers, or `persona=provider`. */
  participants?: Names;
  /** Parameters of the pattern. */
  parameters?: Record<string, Parameter>;
  /** Background information, as Markdown. */
  context?: string;
  /** Include this number of earlier decisions. */
  recall?: number;
  /** The provider for all participants. */
  provider?: string;
  /** Sampling temperature, 0 to 2, for providers that support it. */
  temperature?: number;
  /** Continue even if people have not answered their questions. */
  noWait?: boolean;
  /** The file to write; by default named after the question. */
  out?: string;
}

export interface DiscussOptions extends AskOptions {
  /** The pattern; by default `synthesis`. */
  pattern?: string;
  /** Number of rounds. */
  rounds?: number;
  /** How to find the outcome. */
  consensus?: "synthesis" | "voting" | "moderator" | "unanimous" | "majority";
  /** The options to vote on. */
  options?: Names;
  /** The roles by alias. */
  roles?: Record<string, string>;
  /** The share of votes needed to win, 0 to 1. */
  threshold?: number;
  /** The participant that writes the final text. */
  synthesizer?: string;
  /** Minimum number of answers per turn. */
  minProviders?: number;
  /** Ask all participants, even if the outcome is already decided. */
  noEarlyExit?: boolean;
}

export interface DiscussConfig extends DiscussOptions {
  /** The question. */
  topic: string;
}

export interface ReviewOptions extends FolderOptions, RunControl, MaterialOptions, CallOptions, SightOptions {
  /** The pattern; by default `artifact-review`. */
  pattern?: string;
  /** The reviewers. */
  perspectives?: Names;
  /** A named round, such as `DISCUSS-001`. */
  round?: string;
  /** The requirements that the file must meet. */
  contextFile?: string;
  /** The provider for all participants. */
  provider?: string;
  /** The file of the record. */
  out?: string;
  /** The folder of the record. */
  dir?: string;
  /** Minimum number of perspectives for a verdict. */
  minProviders?: number;
}

export interface NewOptions extends FolderOptions, MaterialOptions {
  /** The pattern. */
  template?: string;
  /** The context, as Markdown. */
  context?: string;
  /** The participants. */
  participants?: Names;
  /** Parameters of the pattern. */
  parameters?: Record<string, Parameter>;
  /** The folder of the new file. */
  dir?: string;
  /** Include this number of earlier decisions. */
  recall?: number;
  /** The day until which people should decide. */
  decideBy?: string;
}

export interface TurnOptions extends RunControl, LimitOptions, SightOptions {
  /** The participants to ask; by default all. */
  participants?: Names;
  /** A question to them. */
  callout?: string;
  /** The name of the person who asks it. */
  author?: string;
  /** The provider for all participants. */
  provider?: string;
  /** Also send text that looks like a key. */
  allowSecrets?: boolean;
}

export interface RunOptions extends RunControl, LimitOptions, SightOptions {
  /** The provider for all participants. */
  provider?: string;
  /** Maximum number of turns; by default 20. */
  maxTurns?: number;
  /** Continue even if people have not answered their questions. */
  noWait?: boolean;
  /** Add answers that an earlier run kept because it could not record them. */
  takeIn?: boolean;
}

export interface Comment {
  /** The author's name; by default the configured one or git's user. */
  author?: string;
  /** The comment, as Markdown. */
  text?: string;
  /** The vote. */
  vote?: string;
  /** The day to look at the decision again. */
  reviewBy?: string;
}

export interface CheckOptions extends FolderOptions {
  /** Treat warnings as errors. */
  strict?: boolean;
  /** Also compare every committed version with the one before. */
  git?: boolean;
  /** With `git`: check only what this branch adds to a revision. */
  since?: string;
  /** With `git`: accept a shallow clone. */
  allowShallow?: boolean;
  /** With `git`: also report decisions whose day for a review is over. */
  due?: boolean;
  /** Check what is staged for commit, instead of the files. */
  staged?: boolean;
}

export interface ListOptions extends FolderOptions {
  /** The folder of discussions. */
  directory?: string;
  /** Only discussions with this status. */
  status?: "open" | "consensus" | "answered" | "blocked" | "closed";
  /** Only discussions that wait for a person. */
  waiting?: boolean;
  /** The order. */
  sort?: "updated" | "created" | "name" | "status";
}

export interface DecisionsOptions extends FolderOptions {
  /** The folder of discussions. */
  directory?: string;
  /** Only decisions in force about these files. */
  about?: Names;
  /** Only decisions whose day for a review has come. */
  due?: boolean;
  /** With `due`: also the days of the next period, for example `30d`. */
  within?: string;
  /** Only decisions in force about files that these commits change. */
  diff?: string;
  /** Only decisions that were in force at a commit. */
  at?: string;
}

export interface RecallOptions extends FolderOptions {
  /** Only decisions since a day or within a period, for example `30d`. */
  since?: string;
  /** Maximum number of decisions; 0 is no limit. */
  limit?: number;
}

export interface SearchOptions extends RecallOptions {
  /** Only this kind of text, for example `decision`. */
  kind?: string;
  /** Only text by this participant. */
  by?: string;
  /** Only in discussions with this status. */
  status?: string;
}

export interface StatsOptions extends FolderOptions {
  /** The folder of discussions. */
  directory?: string;
}

/** A failure that the program reports. */
export class DiscussionsError extends Error {
  constructor(
    message: string,
    details: {
      code?: ErrorCode | null;
      help?: string | null;
      retryable?: boolean;
      exitCode: number;
      result?: unknown;
    },
  );
  /** The kind of failure; null if the program did not name it. */
  readonly code: ErrorCode | null;
  /** The fix, if it is a separate step. */
  readonly help: string | null;
  /** Whether a retry may succeed. */
  readonly retryable: boolean;
  /** Whether a retry may succeed. */
  readonly recoverable: boolean;
  /** The exit code of the program. */
  readonly exitCode: number;
  /** What a run reached nevertheless: its document, or null. */
  readonly result: unknown;
  toJSON(): object;
}

/** The run was aborted; its name is `AbortError`. All answers so far are in the file: run the discussion again to continue. */
export class AbortedError extends DiscussionsError {}

/** A run in progress. `for await` gives its events, `await` its result. It ends with this process, as with Ctrl-C. */
export class Run<T> implements PromiseLike<T>, AsyncIterable<Event> {
  private constructor();
  /** Calls a function for each later event. Returns a function that ends this. */
  onEvent(handler: (event: Event) => void): () => void;
  /** Ends the run as Ctrl-C does: it records the answers that it has, and leaves the file ready to continue. */
  abort(): void;
  /** Resolves to the result at the end of the run. Rejects with an `AbortedError` if the run was aborted. */
  result(): Promise<T>;
  then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B>;
  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B>;
  finally(settled?: (() => void) | null): Promise<T>;
  [Symbol.asyncIterator](): AsyncIterableIterator<Event>;
}

/** A discussion with its file. Its values are those of the last call, or of `refresh()`. */
export class Discussion {
  private constructor();
  /** The whole state: cost, failed calls, problems, and more. */
  readonly details: Status;
  /** The path of the file. */
  readonly path: string;
  readonly title: string;
  /** The pattern. */
  readonly template: string;
  /** The current phase. */
  readonly phase: string;
  /** The number of the last turn; 0 before the first. */
  readonly turn: number;
  /** The status, such as `OPEN`. */
  readonly status: DecisionStatus;
  /** The aliases of the participants, and the names of people without one; `details.participants` says more. */
  readonly participants: string[];
  /** The latest votes, by name. */
  readonly votes: Record<string, string>;
  readonly questions: Item[];
  readonly tasks: Item[];
  /** The stated decisions. */
  readonly decisions: StatedDecision[];
  readonly concerns: Item[];
  /** The option that won; null without consensus. */
  readonly consensusResult: string | null;
  /** Returns whether there is consensus. */
  hasConsensus(): boolean;
  /** Reads what others appended. */
  refresh(): Promise<void>;
  /** Adds a person's comment, a vote, or both. */
  addComment(comment: Comment): Promise<Written>;
  /** Answers a question by its number. */
  answer(question: number, text: string, options?: { author?: string }): Promise<Written>;
  /** Enters a phase; by default the next one. */
  advance(phase?: string): Promise<Written>;
  close(): Promise<Written>;
  reopen(): Promise<Written>;
  /** Asks each participant once, or those that are named. */
  runTurn(options?: TurnOptions): Run<Ran>;
  /** Asks the participants until there is consensus, or until a person is needed. A killed run continues where it stopped. */
  run(options?: RunOptions): Run<Ran>;
  /** Computes the result; for a review, its verdict. */
  result(): Promise<ResultDocument>;
  /** Reads the comments and all other entries. */
  entries(): Promise<Shown>;
  /** Finds lines that do not count, lost comments and changed text. */
  check(): Promise<Checked[]>;
}

/** Opens a discussion by its path, title, name or the beginning of its name. */
export function open(file: string, options?: FolderOptions): Promise<Discussion>;
/** Creates a discussion and its file. */
export function create(title: string, options?: NewOptions): Promise<Discussion>;
/** Asks a question: one model answers, another one checks the answer. */
export function ask(topic: string, options?: AskOptions): Run<DiscussionResult>;
/** Asks a question: models debate it and give one answer. */
export function discuss(config: DiscussConfig): Run<DiscussionResult>;
export function discuss(topic: string, options?: DiscussOptions): Run<DiscussionResult>;
/** Has a file or a change reviewed from several perspectives. */
export function review(artifact?: string | null, options?: ReviewOptions): Run<ReviewResult>;
/** Finds lines that do not count, lost comments and changed text in discussions or folders of them. */
export function check(paths?: Names, options?: CheckOptions): Promise<Checked[]>;
/** Lists discussions, the most recently changed first. */
export function list(options?: ListOptions): Promise<Listed[]>;
/** Lists decisions, the newest first. */
export function decisions(options?: DecisionsOptions): Promise<Decided[]>;
/** Finds past decisions that are similar to a question. */
export function recall(question: string, options?: RecallOptions): Promise<Recalled[]>;
/** Finds words in all discussions. */
export function search(words: string, options?: SearchOptions): Promise<Found[]>;
/** Sums up the outcomes and the cost of all discussions. */
export function stats(options?: StatsOptions): Promise<Stats>;
