// The JSON documents of the program. UPDATE_BINDINGS=1 cargo test --test it bindings writes this file.

/** The run was stopped. */
export interface AbortedEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "aborted";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
}

/** A suggested action. */
export interface Action {
  /** The action. */
  text: string;
  /** The perspectives that suggest it, separated by commas. */
  perspective: string;
  /** The priority, if stated. */
  priority?: string | null;
  /** The file that it is about: its text says `path:line`, or words that it quotes are in a diff of the material. */
  file?: string | null;
  /** The line in the new version of this file, from 1. */
  atLine?: number | null;
}

/** The short mention name of a persona: 1-64 of `a-z`, `0-9`, `_`, `-`, beginning with a letter or digit. */
export type Alias = string;

/** A piece of an answer, as it arrives. Only the complete answer counts. */
export interface AnswerChunkEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "answer.chunk";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** The text. */
  text: string;
}

/** An answer, pass or failure is recorded. */
export interface AnswerEndEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "answer.end";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** The provider. */
  provider: string;
  /** Duration in milliseconds. */
  ms: number;
  /** Why it ended, in a stable word. */
  finish?: string | null;
  /** Tokens of its prompts, if known. */
  promptTokens?: number | null;
  /** Tokens of its answers, if known. */
  answerTokens?: number | null;
  /** Tokens of its prompts that came from the service's cache. */
  cached?: number | null;
  /** US dollars of all calls, if reported or if a price is known. */
  usd?: number | null;
  /** The comment, without its vote. */
  text: string;
  /** Warnings about the calls, for people. */
  notes: Array<string>;
  outcome: "answered" | "passed" | "failed";
  /** The reason. */
  error?: CallFailure;
}

/** A participant is asked. */
export interface AnswerStartEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "answer.start";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** The name. */
  name: string;
  /** The provider. */
  provider: string;
}

/** The arguments of a step. */
export interface Arguments {
  /** The participants to ask or to answer, by alias or name. */
  participants?: Array<string>;
  /** The phase. */
  phase?: string | null;
  /** The options. */
  vote?: string | null;
  /** The number of waiting questions, or of open ones at the end. */
  questions?: number | null;
  /** The number of open tasks at the end. */
  tasks?: number | null;
  /** The number of the first of them, for `answer`. */
  question?: number | null;
}

/** One vote. */
export interface Ballot {
  /** The participant. */
  provider: string;
  /** The option. */
  vote: string;
  /** The confidence, 0 to 1; if not stated, 1 for a person and 0.5 for a model. */
  confidence: number;
  /** The reason. */
  reason: string;
  /** The solution that was proposed with the vote. */
  solution?: string | null;
  /** True if the answer states no readable vote, and the phase counts that as this option. */
  unreadable?: boolean;
}

/** A persona with a broken definition. */
export interface BrokenPersona {
  /** The alias that would mention the persona. */
  alias: string;
  /** The error, with its place. */
  error: string;
}

/** One participant that was asked. */
export interface Call {
  /** The participant's alias. */
  participant: string;
  /** The provider that was used last. */
  provider: string;
  /** The turn's number. */
  turn: number;
  /** Duration from the start of the first call, in milliseconds. */
  ms: number;
  /** Tokens of prompt and answer together. */
  tokens: number | null;
  /** Bytes of the prompt. */
  promptBytes: number;
  /** Bytes at its beginning that the same provider has read and answered before in this run, from about 1,024 tokens on. */
  cachedPrefix: number;
  /** Tokens of prompts that came from a cache, if the provider reports it. */
  cachedTokens?: number | null;
  /** Why the last answer ended, in a stable word, if the provider reports it. */
  finish?: string | null;
  /** `answered`, `passed` or `failed`. */
  outcome: string;
  /** Why it failed, in a stable word. */
  failure?: string | null;
}

/** Why there is no answer. */
export interface CallFailure {
  /** A stable word. */
  code: string;
  /** The error. */
  message: string;
  /** True if a retry may help. */
  retryable: boolean;
}

/** The problems of one discussion. */
export interface Checked {
  /** The file, as it is shown. */
  file: string;
  /** The problems, by place. */
  problems: Array<Problem>;
}

/** A comment that was not asked for. */
export interface CommentEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "comment";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** The name. */
  name: string;
  /** The comment, without its vote. */
  text: string;
}

/** What a vote asks for, or why it is against the outcome. */
export interface Condition {
  /** The participant's name. */
  participant: string;
  /** The vote. */
  vote: string;
  /** The text given with the vote; of dissent, its first sentence. */
  text: string;
  /** Line of the vote in the file, from 1. */
  line: number;
  /** True if it came after the decision and is not counted. */
  afterwards?: boolean;
}

/** The outcome of the votes. */
export interface Consensus {
  /** True if there is consensus. */
  reached: boolean;
  /** The option that won or leads. */
  outcome: string | null;
  /** The names of participants with a blocking vote. */
  blockedBy: Array<string>;
  /** Participants without a vote, pass or failure, by name. */
  missing: Array<string>;
  /** True if the votes suffice but a person's vote is still needed. */
  humanRequired: boolean;
  /** True if calls failed, so that the result is incomplete. */
  degraded: boolean;
}

/** The votes were judged. */
export interface ConsensusEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "consensus";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** True if consensus is reached by the method. */
  reached: boolean;
  /** The leading option. */
  outcome: string | null;
  /** The names of participants with a blocking vote. */
  blockedBy: Array<string>;
}

/** The details of the consensus. */
export interface ConsensusPart {
  /** The method. */
  method: string;
  /** The author of the final text. */
  synthesizer?: string | null;
  /** Share of weighted votes for the outcome, 0 to 1; absent without votes. */
  agreementScore?: number | null;
  /** True if consensus was reached. */
  reached: boolean;
  /** The voters whose REJECT blocks it. */
  blockedBy?: Array<string>;
  /** True if some calls failed. */
  degraded: boolean;
  /** Minority positions with their authors. */
  dissent: Array<Dissent>;
}

/** A turn with deciding votes begins. */
export interface ConsensusStartEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "consensus.start";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
}

/** A trust decision of the user. */
export interface Consent {
  /** The fingerprint of the trusted definition. */
  fingerprint: string;
  /** The provider's name. */
  provider: string;
  /** The project's folder. */
  project: string;
  /** The command or service that runs there. */
  runs: string;
  /** When it was given, in RFC 3339. */
  at: string;
}

/** The cost of the answers. */
export interface Cost {
  /** Model calls, with retries. */
  totalCalls: number;
  /** Tokens of prompts and answers. */
  totalTokens: number;
  /** US dollars, to the millionth, for calls with a known price; null if calls were made and no price is known. */
  estimatedCostUsd: number | null;
  /** By the provider's name. */
  byProvider: Record<string, ProviderCost>;
  /** Some of the tokens or costs were not reported. */
  estimated: boolean;
}

/** An overview: the requests to people, the open discussions, and the recent decisions. */
export interface Dashboard {
  /** The folder, as it is shown. */
  folder: string;
  /** Discussions with a decision that people want to look at again by now, the earliest day first. */
  due: Array<Listed>;
  /** The requests to people; those in the discussions that were changed last come first. */
  waiting: Array<Waiting>;
  /** Open discussions, those that were changed last first. */
  open: Array<Listed>;
  /** The recent decisions, newest first; at most three. */
  decided: Array<Decided>;
  /** The total number of discussions. */
  discussions: number;
  /** Discussions that could not be read. */
  unreadable: Array<Unreadable>;
}

/** The day until which people should decide an open discussion. It changes no tally. */
export interface Deadline {
  /** The day, like `2027-06-01`, UTC; it ends with the day. */
  date: string;
  /** The days that are left; 0 on the day, negative after it. */
  days: number;
  /** True if the day is over. */
  overdue: boolean;
}

/** A discussion with a decision. */
export interface Decided {
  /** The file, as it is shown. */
  file: string;
  /** The first heading. */
  title: string;
  /** The time of its last block with a time, in RFC 3339; empty if there is none. Comments with only notes about the decision are not counted. */
  at: string;
  /** Its status. */
  status: DecisionStatus;
  /** The first decision in force, or else the answer, in a sentence; null if there is none. */
  decision: string | null;
  /** How the outcome stands. */
  standing: Standing;
  /** True if a decision is in force. */
  inForce: boolean;
  /** Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force. */
  decidedBy: string | null;
  /** The verdict in a sentence, if the template computed one. */
  verdict?: string | null;
  /** The proposals, and an option or a text that was adopted or answered, in file order; each with its state. */
  decisions: Array<StatedDecision>;
  /** The final text. */
  text: string;
  /** Votes by option, in the phase's order. */
  votes: Record<string, number>;
  /** The decisions of other discussions that it replaces. */
  replaces: Array<DecisionLink>;
  /** The decisions of other discussions that replace it, or a part of it. */
  replacedBy: Array<DecisionLink>;
  /** Its parent; null if it has none. */
  parent: Parent | null;
  /** True if its parent in this list has an identical decision. */
  repeatsParent: boolean;
  /** The changes that the dissenting participants ask for. */
  conditions: Array<Condition>;
  /** Votes against the outcome. */
  dissent: Array<Condition>;
  /** The first day on which people look at a decision again, like `2027-06-01`, UTC. */
  reviewBy?: string | null;
  /** The files that the decisions are about: gitignore patterns from the project's root, each once. */
  affects?: Array<string>;
  /** The results of the decisions in hindsight, oldest first. */
  hindsight?: Array<HindsightNote>;
  /** The days by which people want to look at its decisions in force again, the earliest first. */
  reviews: Array<DueReview>;
  /** Facts of a decision record that another tool made; null for a discussion. */
  record: RecordFacts | null;
  /** The name that finds it. */
  name: string;
}

/** A link between two discussions' decisions. */
export interface DecisionLink {
  /** The other discussion's file, as it is shown. */
  file: string;
  /** The other discussion's decision, like `D2`; null: all its decisions. */
  decision: string | null;
  /** This discussion's decision, like `D1`; null: all its decisions. */
  own: string | null;
  /** The name that finds the other discussion. */
  name: string;
}

/** The status of a discussion, computed from the file; only `Closed` is written by a person. */
export type DecisionStatus = "OPEN" | "CONSENSUS" | "ANSWERED" | "BLOCKED" | "CLOSED";

/** The definition of a persona. */
export interface Definition {
  /** The alias that mentions the persona. */
  alias: string;
  /** The name above their comments. */
  name: string;
  /** The place of its definition: `bundled`, or a path as it is shown. */
  origin: string;
  /** The definition as YAML. */
  text: string;
  /** Why this persona cannot be asked, in sentences. */
  warnings?: Array<string>;
}

/** The number of parents that a discussion has, or may have: 0 to 4. */
export type Depth = number;

/** A thing that discussions need or use, and its state on this machine. No text contains a key, a command line or the whole address of a service. */
export interface Diagnosis {
  /** The kind of thing: `git`, `program`, `service`, `provider`, `configuration`, `participant`, `template`, `trust` or `mergeDriver`. */
  topic: string;
  /** Its name: a program, a provider, or a path as it is shown. */
  name: string;
  /** `ok`; `unknown` if only a call could tell; `answers` or `fails` after a call; `missing` if it is not here and may not be needed; `ignored`; `untrusted`; or `problem`. */
  state: string;
  /** The reason for the state, or the answer of a model, in a line. */
  details: string;
  /** The fix, if something is wrong or missing. The library leaves out fixes by a command of the front end. */
  fix: string | null;
  /** True if a model may answer through it. */
  answers: boolean;
}

/** The values for later steps of a workflow. */
export interface DiscussStepOutput {
  /** The final text. */
  synthesis: string;
  /** The answers, round by round. */
  rounds: Array<Round>;
  /** The details of the consensus. */
  consensus: ConsensusPart;
  /** The participants, by alias. */
  participatingProviders: Array<string>;
}

/** The result of a workflow's step. */
export interface DiscussStepResult {
  /** True if the method's rule was met. */
  success: boolean;
  /** The values for later steps. */
  output: DiscussStepOutput;
  /** Why it did not succeed. */
  error?: ResultError | null;
  /** Duration of its rounds in milliseconds. */
  durationMs: number;
}

/** A run or turn ends. */
export interface DiscussionEndEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "discussion.end";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** Why, in a stable word. */
  stopped: string;
  /** The discussion's status, such as `CONSENSUS`; absent if its file was never read. */
  status?: string | null;
  /** The decision in one sentence, once it is reached. */
  decision?: string | null;
  /** Votes of people that arrived during the run, by name; absent if there are none. */
  personVotes?: Record<string, string>;
}

/** A person chose a phase. */
export interface DiscussionPhaseEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "discussion.phase";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** The phase's id. */
  phase: string;
  /** The person's name. */
  by: string;
}

/** The result of a discussion. */
export interface DiscussionResult {
  /** True if it ended in the way that its rules require. */
  success: boolean;
  /** The template's id. */
  pattern: string;
  /** The question. */
  topic: string;
  /** Aliases of participants with at least one answer. */
  participatingProviders: Array<string>;
  /** Aliases of participants with a failed last call. */
  failedProviders: Array<string>;
  /** The rounds, from 1. */
  rounds: Array<Round>;
  /** The final text. */
  synthesis: string;
  /** The outcome to act on. */
  outcome: FinalOutcome;
  /** Findings of reviewers about the text, in file order. */
  findings?: Array<TextFinding>;
  /** The difference between the reviewed text and the final text; absent if there is none. */
  revision?: TextRevision | null;
  /** False if the discussion is finished and ends in a text, and only one participant took part; otherwise absent. */
  secondOpinion?: boolean | null;
  /** The details of the consensus. */
  consensus: ConsensusPart;
  /** The tally, if there were deciding votes. */
  votingResults?: VotingResults | null;
  /** How each ballot went, oldest first; absent if there was at most one. */
  consensusHistory?: Array<EarlierBallot>;
  /** Answering time in milliseconds, rounds one after the other. */
  totalDurationMs: number;
  /** Times and cost. */
  metadata: Metadata;
  /** Why it ended, or for what kind of act of a person it waits. */
  stoppingReason: "completed" | "consensus_reached" | "error" | "max_calls" | "max_iterations" | "max_usd" | "mentions_pending" | "model_unavailable" | "person_advances" | "person_votes" | "questions_to_people" | "timeout" | "user_abort" | "waiting_for_person";
  /** The agreed solution, if there is one. */
  finalConsensus?: FinalConsensus | null;
  /** Why it did not succeed. */
  error?: ResultError | null;
  /** The people it waits for: aliases, names, or `human` for any person. */
  waitingFor?: Array<string>;
  /** The discussion's file. */
  file: string;
}

/** Older text of the file changed: read the whole file again. */
export interface DiscussionRewrittenEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "discussion.rewritten";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
}

/** The round is over: the next one begins, or the run ends. */
export interface DiscussionRoundEndEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "discussion.round.end";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** Duration of its turns in milliseconds, as far as known. */
  ms: number;
}

/** A round begins, with all its turns, as results count it. */
export interface DiscussionRoundStartEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "discussion.round.start";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
}

/** A run or turn begins. */
export interface DiscussionStartEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "discussion.start";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** The discussion's title; empty if its file cannot be read. */
  topic: string;
}

/** A person closed the discussion or reopened it. */
export interface DiscussionStatusEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "discussion.status";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** `CLOSED` or `OPEN`. */
  status: string;
  /** The person's name. */
  by: string | null;
}

/** A minority position. */
export interface Dissent {
  /** The participant. */
  provider: string;
  /** The vote and the first sentence of the reason; the ballot has the whole reason. For a declined finding: the quoted words and the first sentence of the proof. */
  position: string;
  /** Line of the vote or the finding in the file, from 1. */
  line: number;
}

/** Statistics of a participant's votes against outcomes. */
export interface DissentStats {
  /** Decisions that the participant voted against. */
  dissented: number;
  /** The number of these that a later discussion replaced with an outcome that the participant did not vote against. */
  adopted: number;
}

/** A difference between perspectives, or between a perspective and the expectation. */
export interface Divergence {
  /** HIGH, MEDIUM or LOW. */
  severity: string;
  /** The rule that found it. */
  rule: string;
  /** The difference. */
  detail: string;
  /** The perspectives with the findings behind it. */
  by: Array<string>;
}

/** A decision, and the day by which people want to look at it again. */
export interface DueReview {
  /** The decision, like `D1`; null: the outcome of the discussion as a whole. */
  decision: string | null;
  /** The decision in a sentence; empty if the outcome has none. */
  text: string;
  /** The day, like `2027-06-01`, UTC. */
  reviewBy: string;
  /** The days from today to that day; negative after it. */
  days: number;
  /** True if the day is over. */
  overdue: boolean;
}

/** The votes that one turn of a ballot asked for. A ballot that is repeated has one for each time. */
export interface EarlierBallot {
  /** The number of the turn in the file. */
  turn: number;
  /** The round it belongs to. */
  round: number;
  /** The phase. */
  phase: string;
  /** The option of each participant that answered, by alias. */
  votes: Record<string, string>;
  /** The participants without a readable vote, if the phase counts that as a vote. */
  unreadable?: Array<string>;
}

/** Calls that were skipped because they could not change the outcome. */
export interface EarlyExit {
  /** True if calls were skipped. */
  triggered: boolean;
  /** The participants that were skipped. */
  skipped: Array<string>;
}

/** One block. */
export type Entry =
  | EntryComment
  | EntryTurn
  | EntryPass
  | EntryFailed
  | EntryPhase
  | EntryVoteReset
  | EntryStatus
  | EntryAccepted
  | EntryChild
  | EntryChildEnd
  | EntryEnded
  | EntryStray;

/** A person accepted a change of older text. */
export interface EntryAccepted {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "accepted";
  /** The person's name. */
  author: string | null;
  /** When, in RFC 3339. */
  at: string | null;
  /** True if the text was removed; otherwise it was changed or moved. */
  removed: boolean;
}

/** A sub-discussion begins. */
export interface EntryChild {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "child";
  /** The turn that asked for it. */
  turn: number | null;
  /** The alias of the participant that asked for it; null if a phase opened it. */
  author: string | null;
  /** Its file, as a path from this one's folder. */
  file: string;
  /** When, in RFC 3339. */
  at: string | null;
}

/** A sub-discussion is over. */
export interface EntryChildEnd {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "childEnd";
  /** Its file, as a path from this one's folder. */
  file: string;
  /** Model calls of it and of its sub-discussions. */
  calls: number;
  /** US dollars, if any. */
  usd: number | null;
  /** Its status. */
  status: string;
}

/** A comment. */
export interface EntryComment {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "comment";
  /** The name in its head. */
  author: string;
  /** The text, decoded, without the closing vote line. */
  body: string;
  /** The vote, if it is clear. */
  vote: string | null;
  /** Markers that count, votes too. */
  markers: Array<Mark>;
  /** When it was written, in RFC 3339; null if unknown. */
  at: string | null;
  /** The receipt of a model's answer. */
  reply: Receipt | null;
  /** True if the comment counts. */
  acknowledged: boolean;
  /** True if the comment was lost and restored. */
  restored: boolean;
}

/** An act ended the discussion. It is a record for readers of the file; `result` computes the outcome anew. */
export interface EntryEnded {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "ended";
  /** When, in RFC 3339. */
  at: string | null;
  /** The person whose act it was; null if a run ended the discussion. */
  author: string | null;
  /** The heading: `Ended on 2026-11-29: decided by vote`. */
  heading: string | null;
  /** What was decided or answered, in one line of Markdown. */
  decision: string | null;
}

/** A participant could not answer. */
export interface EntryFailed {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "failed";
  /** The participant's alias. */
  author: string;
  /** A stable word. */
  code: string;
  /** The error. */
  message: string;
  /** True if a retry may help. */
  retryable: boolean;
  /** The turn. */
  turn: number | null;
  /** When, in RFC 3339. */
  at: string | null;
  /** The provider. */
  provider: string | null;
  /** The model, as its provider names it. */
  model: string | null;
  /** Why the answer ended, in a stable word. */
  finish?: string | null;
  /** Tokens of prompts that came from the service's cache. */
  cached?: number | null;
  /** True if the model was allowed to read the project's files. */
  look?: boolean;
  /** True if the model was allowed to search the web. */
  web?: boolean;
  /** Duration in milliseconds. */
  ms: number | null;
  /** Tokens of prompts and answers. */
  tokens: Tokens | null;
  /** US dollars. */
  usd: number | null;
  /** Model calls. */
  calls: number | null;
}

/** A participant had nothing to say. */
export interface EntryPass {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "pass";
  /** The participant's alias. */
  author: string;
  /** The turn. */
  turn: number | null;
  /** When, in RFC 3339. */
  at: string | null;
  /** The provider. */
  provider: string | null;
  /** The model, as its provider names it. */
  model: string | null;
  /** Why the answer ended, in a stable word. */
  finish?: string | null;
  /** Tokens of prompts that came from the service's cache. */
  cached?: number | null;
  /** True if the model was allowed to read the project's files. */
  look?: boolean;
  /** True if the model was allowed to search the web. */
  web?: boolean;
  /** Duration in milliseconds. */
  ms: number | null;
  /** Tokens of prompts and answers. */
  tokens: Tokens | null;
  /** US dollars. */
  usd: number | null;
  /** Model calls. */
  calls: number | null;
}

/** A phase begins. */
export interface EntryPhase {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "phase";
  /** Its id. */
  phase: string;
  /** The person who chose it. */
  author: string | null;
}

/** The discussion was closed or reopened. */
export interface EntryStatus {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "status";
  /** `OPEN` or `CLOSED`. */
  status: string;
  /** The person's name. */
  author: string | null;
}

/** Text between comments: shown, never counted. */
export interface EntryStray {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "stray";
  /** The text. */
  body: string;
}

/** A turn begins. */
export interface EntryTurn {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "turn";
  /** Its number. */
  turn: number;
  /** The participants it asks, by alias. */
  asks: Array<string>;
  /** When, in RFC 3339. */
  at: string | null;
  /** The question. */
  ask: string | null;
  /** True if it asks mentioned participants. */
  mentions: boolean;
  /** True if it asks participants without an answer again. */
  again: boolean;
}

/** Votes above this line no longer count. */
export interface EntryVoteReset {
  /** Its first line in the file, from 1. */
  line: number;
  kind: "voteReset";
}

export type ErrorCode = "DISCUSSION_INSUFFICIENT_PROVIDERS" | "DISCUSSION_PROVIDER_TIMEOUT" | "DISCUSSION_ALL_PROVIDERS_FAILED" | "DISCUSSION_CONSENSUS_FAILED" | "DISCUSSION_INVALID_PATTERN" | "DISCUSSION_INVALID_ROLES" | "DISCUSSION_SYNTHESIS_FAILED" | "DISCUSSION_TIMEOUT" | "DISCUSSION_PARSE_FAILED" | "DISCUSSION_INVALID_STATE" | "DISCUSSION_COST_BUDGET_EXCEEDED" | "DISCUSSION_INVALID_INPUT" | "DISCUSSION_CIRCULAR_DISCUSSION" | "DISCUSSION_NOT_TRUSTED" | "DISCUSSION_NOT_SHOWN";

/** The run cannot go on. */
export interface ErrorEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "error";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** The standard code. */
  code: ErrorCode;
  /** The message of the error. */
  message: string;
  /** True if a retry may help. */
  retryable: boolean;
}

/** An event of a discussion. */
export type Event =
  | DiscussionStartEvent
  | DiscussionEndEvent
  | DiscussionRoundStartEvent
  | DiscussionRoundEndEvent
  | TurnStartEvent
  | TurnEndEvent
  | AnswerStartEvent
  | AnswerChunkEvent
  | AnswerEndEvent
  | CommentEvent
  | ConsensusStartEvent
  | VoteEvent
  | ConsensusEvent
  | DiscussionPhaseEvent
  | DiscussionStatusEvent
  | DiscussionRewrittenEvent
  | NoteEvent
  | ErrorEvent
  | AbortedEvent;

/** A fact about a provider that trust covers. */
export interface Fact {
  /** The kind, in a word. */
  what: string;
  /** The value as it is written; untrusted text. */
  text: string;
}

/** A call that gave no answer. */
export interface Failure {
  /** The participant's name. */
  participant: string;
  /** A stable word. */
  code: string;
  /** The error. */
  message: string;
  /** True if a retry may help. */
  retryable: boolean;
}

/** A file that was changed or removed. */
export interface FileChange {
  /** The file, as it is shown. */
  file: string;
  /** True if the file was changed. */
  changed: boolean;
}

/** The agreed solution, and what each participant contributed. */
export interface FinalConsensus {
  /** The solution. */
  solution: string;
  /** The round in which it was agreed. */
  achievedAtRound: number;
  /** The first participant's last word before the vote. */
  modelAContribution: string;
  /** The second participant's last word before the vote. */
  modelBContribution: string;
}

/** The outcome of a discussion: the text first, then the details. */
export interface FinalOutcome {
  /** The final text, or the proposal that was voted on; empty while there is none. */
  text: string;
  /** The first decision in force, or else the answer, in a sentence; null if there is none. */
  decision: string | null;
  /** How the outcome stands. */
  standing: Standing;
  /** True if a decision is in force. */
  inForce: boolean;
  /** Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force. */
  decidedBy: string | null;
  /** The verdict in a sentence, if the template computed one. */
  verdict?: string | null;
  /** The proposals, and an option or a text that was adopted or answered, in file order; each with its state. */
  decisions: Array<StatedDecision>;
  /** The reason for a ballot's outcome, in a sentence; absent if no ballot among answers decided. */
  reason?: string | null;
  /** The line in the file where the text's comment begins, from 1. */
  line: number | null;
  /** The requests of participants that did not accept the text. */
  conditions: Array<Condition>;
  /** Tasks in file order. */
  tasks: Array<Item>;
  /** Open questions. */
  openQuestions: Array<Item>;
  /** Votes against the outcome, a line each. */
  dissent: Array<Condition>;
  /** The first day on which people look at a decision again, like `2027-06-01`, UTC. */
  reviewBy?: string | null;
  /** The files that the decisions are about: gitignore patterns from the project's root, each once. */
  affects?: Array<string>;
  /** The results of the decisions in hindsight, oldest first. */
  hindsight?: Array<HindsightNote>;
}

/** A strength or weakness from one perspective. */
export interface Finding {
  /** The strength or weakness. */
  text: string;
  /** The perspective. */
  perspective: string;
  /** The severity, if stated. */
  severity?: string | null;
  /** The file that it is about: its text says `path:line`, or words that it quotes are in a diff of the material. */
  file?: string | null;
  /** The line in the new version of this file, from 1. */
  atLine?: number | null;
}

export type FindingState = "open" | "unfounded" | "taken" | "changed" | "declined";

/** The fix for a problem or an error, if it is a separate step. */
export type Fix = "restore" | "accept" | "accept_published" | "explain_in_message" | "mend" | "untrack" | "list_templates" | "list_participants" | "list_providers" | "add_participant" | "own_folder";

/** A provider that the project defines, with everything that trust in it covers. */
export interface Foreign {
  /** The provider's name. */
  provider: string;
  /** Its other names. */
  aliases: Array<string>;
  /** The file that defines it, as it is shown. */
  file: string;
  /** The line there. */
  line: number;
  /** The definitions that it replaces, each in words. */
  replaces: Array<string>;
  /** The command or service that would run, in few words. */
  runs: string;
  /** All facts that decide it. */
  facts: Array<Fact>;
  /** Files of the project that it names. */
  files: Array<NamedFile>;
  /** True if a participant needs it first; otherwise it is only called if others fail. */
  first: boolean;
  /** The fingerprint under which trust in exactly this is stored. */
  fingerprint: string;
  /** True if the user trusts it; absent if nobody asked. */
  trusted?: boolean | null;
}

/** A place with the words. */
export interface Found {
  /** The file, as it is shown. */
  file: string;
  /** The line, from 1. */
  line: number;
  /** The kind. */
  kind: FoundKind;
  /** The author's name; none for titles and contexts. */
  author: string | null;
  /** The line; of a long one the part around the first word. */
  text: string;
  /** The discussion's title. */
  title: string;
  /** The status of the discussion. */
  status: DecisionStatus;
  /** How its outcome stands. */
  standing: Standing;
  /** The state of the decision in this place; absent if the place states none. */
  state?: ItemState | null;
  /** When it was written, in RFC 3339, if the file says so. */
  at: string | null;
  /** The score; comparable only within one search. */
  score: number;
  /** The name that finds the discussion. */
  name: string;
}

export type FoundKind = "title" | "decision" | "outcome" | "question" | "task" | "concern" | "comment" | "context";

/** The settings in the head, in the order in which they are written. JSON output has these fields too. All are optional: the configuration supplies missing ones. */
export interface Head {
  /** The version of the file's format, if it is not the first. Older programs would count this file wrongly, so they do not write to it. */
  format?: number | null;
  /** Id of the template. */
  template: string | null;
  /** When the discussion was created, RFC 3339. */
  created: string | null;
  /** Voting personas, in order. */
  participants: Array<Alias> | null;
  /** Personas that speak but do not vote. */
  background: Array<Alias>;
  /** Participants that are coding agents. They write their own answers, and no run calls a model for them. */
  agents?: Array<Alias>;
  /** Participants that are people; the discussion waits for them even if a persona has this alias. */
  people?: Array<Alias>;
  /** Display names of personas that do not come with the program, by alias. They are in the head so that every machine knows them. */
  names: Record<string, Name>;
  /** Role to aliases. */
  roles: Record<string, Array<Alias>>;
  /** Values of the template's parameters. */
  parameters: HeadParameters;
  /** The consensus rules that were set. */
  consensus: HeadConsensus;
  /** Vote weights of personas; absent is 1. */
  weights: Record<string, number>;
  /** Provider by persona, for calls only; results do not depend on it. */
  providers: Record<string, string>;
  /** The limits of the whole discussion, for calls only. */
  limits: HeadLimits;
  /** The day until which people should decide, such as `2027-06-01`. Results do not depend on it. */
  decide_by?: string | null;
  /** A label of the program that asked, such as the id of its session. Results do not depend on it. */
  label?: string | null;
  /** The files of a reviewed change that the reviewers did not see. A review of such a change has no positive verdict. */
  not_shown?: Array<UnshownFile>;
  /** The rules for sub-discussions. */
  nesting: Nesting | null;
  /** The parent's file, as a path relative to this file's folder. */
  parent: string | null;
  /** The parent's turn that asked for this sub-discussion. */
  turn: number | null;
  /** The participant that asked for this sub-discussion. */
  by: Alias | null;
  /** The number of discussions above this sub-discussion; absent means none. */
  depth: Depth | null;
  /** The deadline of this sub-discussion, RFC 3339. */
  until: string | null;
}

/** The consensus rules that were set. */
export interface HeadConsensus {
}

/** The limits that were set for a whole discussion. */
export interface HeadLimits {
  /** US dollars, 0 or more. */
  maxUsd?: number | null;
  /** Model calls. */
  maxCalls?: number | null;
  /** The time of all turns together, such as `10m`. */
  timeout?: string | null;
}

/** Values of the template's parameters. */
export interface HeadParameters {
}

/** One statement of what became of a decision. */
export interface HindsightNote {
  /** The result. */
  result: HindsightResult;
  /** The text behind the result; may be empty. */
  text: string;
  /** The name of its author, a person. */
  by: string;
  /** When it was written, in RFC 3339; null if unknown. */
  at: string | null;
  /** The decision, like `D2`; null: the discussion as a whole. */
  decision: string | null;
}

export type HindsightResult = "held" | "failed" | "mixed";

/** The result of preparing a folder for discussions. */
export interface Initialized {
  /** True if the configuration was created; otherwise it existed. */
  made: boolean;
  /** True if the folder is in a git work tree. */
  inRepository: boolean;
  /** The changes of the repository, and the steps that are left to a person. */
  done: Array<SetUp>;
}

/** A numbered item. */
export interface Item {
  /** Counted in file order from 1, for each kind. */
  number: number;
  /** The text, in one line. */
  text: string;
  /** The author's name. */
  author: string;
  /** The participant or person that does a task, as written; null if it is not assigned. Other items have no assignee. */
  assignee?: string | null;
  /** The status. */
  status: ItemStatus;
  /** Line in the file, from 1. */
  line: number;
  /** The number of times it was written in the same words while open; all have the first one's number. */
  raised?: number;
}

export type ItemState = "proposed" | "answered" | "in-force" | "not-adopted" | "replaced" | "withdrawn";

export type ItemStatus = "open" | "answered" | "assigned" | "done" | "settled";

/** One discussion in a list. */
export interface Listed {
  /** The file, as it is shown. */
  file: string;
  /** The first heading. */
  title: string;
  /** The template's id. */
  template: string;
  /** The current phase's id. */
  phase: string;
  /** The last turn's number; 0 before the first. */
  turn: number;
  /** Its status. */
  status: DecisionStatus;
  /** Votes by option, in the phase's order. */
  tally: Record<string, number>;
  /** The first decision in force, or else the answer, in a sentence; null if there is none. */
  decision: string | null;
  /** How the outcome stands. */
  standing: Standing;
  /** True if a decision is in force. */
  inForce: boolean;
  /** Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force. */
  decidedBy: string | null;
  /** The verdict in a sentence, if the template computed one. */
  verdict?: string | null;
  /** The proposals, and an option or a text that was adopted or answered, in file order; each with its state. */
  decisions: Array<StatedDecision>;
  /** When it was changed last, in RFC 3339: the newest date in it; if it has none, the time of git's last commit of the file, or else the file's modification time. */
  updated: string | null;
  /** The day until which people should decide; absent if there is none, or if the discussion is not open. */
  decideBy?: Deadline | null;
  /** Participants that an open discussion waits for, people first: aliases, names, or `human` for any person. */
  waitingFor: Array<string>;
  /** Its decisions that people want to look at again by now, the earliest day first. */
  due: Array<DueReview>;
  /** Its cost. */
  cost: Cost;
  /** The name that finds it. */
  name: string;
  /** When it was created, as its head says. */
  created: string | null;
  /** True if a run is in progress. */
  running: boolean;
  /** Its parent; null if it has none. */
  parent: Parent | null;
}

/** A discussion that was created. */
export interface Made {
  /** Its file, as it is shown. */
  file: string;
  /** Its title. */
  title: string;
  /** The template's id. */
  template: string;
  /** The participants, by alias. */
  participants: Array<string>;
  /** Participants that are no personas and may be misspelt, in sentences. */
  doubted?: Array<string>;
  /** The first line, from 1, that still holds a placeholder of the template instead of a text; null if none does. */
  placeholderLine: number | null;
  /** Earlier decisions that seem to answer its question, the nearest first, at most three; empty if its own text lists earlier decisions. */
  decidedBefore: Array<Recalled>;
  /** The possible next steps. */
  next: Array<NextStep>;
}

/** One marker. */
export interface Mark {
  /** Its word, such as `TODO`. */
  marker: string;
  /** Its text, in one line. */
  text: string;
  /** Line in the file, from 1. */
  line: number;
  /** Column in characters, from 1. */
  column: number;
}

/** The result of merging two versions. */
export interface Merged {
  /** The file, as it is shown. */
  file: string;
  /** True if the file is a summary: our version was kept until the discussion's next change rebuilds it. */
  isSummary: boolean;
  /** Numbers that name something else after the merge, each once. */
  renumbered: Array<Renumbered>;
  /** Why a person must finish the merge, if so. */
  conflict: string | null;
}

/** Times and cost. */
export interface Metadata {
  /** When the discussion was created. */
  startedAt: string;
  /** When the last block with a time was written; comments with only notes about the decision are not counted. */
  completedAt: string;
  /** Tokens of prompts and answers. */
  totalTokens: number;
  /** US dollars, to the millionth, for calls with a known price; null if calls were made and no price is known. */
  estimatedCost: number | null;
  /** Some of the tokens or costs were not reported. */
  estimated: boolean;
  /** Sums over all calls, and by provider. */
  costSummary: Cost;
  /** True if votes were skipped because they could not change the outcome. */
  earlyExit: EarlyExit;
}

/** A requirement that is not met. */
export interface Missing {
  /** The requirement. */
  text: string;
  /** The perspectives that miss it, separated by commas. */
  perspective: string;
}

/** A display name: 1-64 letters and marks of any script, digits, space, `.`, `_`, `-`, `'`, `’`. Kept in NFC without blanks at its ends; two names are equal when they differ in the case of ASCII letters only. */
export type Name = string;

/** A file of the project that a definition names. */
export interface NamedFile {
  /** Its path in the project. */
  path: string;
  /** Its target, if it is outside the project. */
  target: string | null;
}

/** A named text. */
export interface NamedText {
  /** The name of a template, or of the file format. */
  name: string;
  /** The file that holds it, as it is shown; none: it is bundled. */
  file: string | null;
  /** The text. */
  text: string;
  /** The number of a decision record. */
  number?: number | null;
  /** The file of a decision record, as it is shown: written, or suggested. */
  recordFile?: string | null;
}

/** The allowed depth of sub-discussions, and the rules for sharing their time. */
export interface Nesting {
  /** The longest chain of parents that a discussion may have. */
  depth: Depth;
  /** The rule by which the levels share time. */
  strategy: TimeStrategy;
  /** The time of the whole tree, like `10m`; none: the time limit, if there is one. */
  time?: string | null;
  /** The openers that are allowed; none: in a head all, in a template only phases. */
  openers?: Openers | null;
  /** The template of sub-discussions that a participant asks for; none: the default. */
  pattern?: string | null;
  /** The participants of such sub-discussions; empty: the participants of this discussion. */
  participants?: Array<Alias>;
}

/** A possible next step. */
export interface NextStep {
  /** The action. */
  verb: Verb;
  /** The file of the discussion, as it is shown. */
  file: string;
  /** The arguments. */
  arguments: Arguments;
  /** The reason. */
  why: Why;
}

/** A note about the run, once for each run. */
export interface NoteEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "note";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** The note, for people. */
  message: string;
}

/** The openers of sub-discussions that are allowed. */
export type Openers = "participants" | "phases";

/** A statement that another perspective contradicts. */
export interface Opposed {
  /** The statement of the first perspective. */
  one: string;
  /** The statement of the second perspective. */
  other: string;
  /** The two perspectives. */
  by: Array<string>;
}

/** The result of a discussion. */
export interface Outcome {
  /** The text that was adopted, answered or judged; while nothing is decided, the text to decide about. If only votes decide, the winning option. */
  text: string;
  /** The decision in it; null if nothing is in force or answered. */
  decision: string | null;
  /** Line in the file, from 1; none if it is in no single comment. */
  line: number | null;
}

/** The parent of a sub-discussion, as its head says. */
export interface Parent {
  /** Its file, as it is shown. */
  file: string;
  /** The name that finds it. */
  name: string;
}

/** A participant, or the author of a comment who is not a participant. */
export interface Participant {
  /** The name, as it is shown. */
  name: string;
  /** None for a person without a persona. */
  alias: string | null;
  /** The kind: a model or a person, with or without a vote. */
  type: ParticipantKind;
  /** The latest vote that counts. */
  vote: string | null;
  /** True if they spoke in the last turn. */
  responded: boolean;
}

export type ParticipantKind = "voting" | "background" | "human" | "agent";

/** Statistics of some discussions. */
export interface PatternStats {
  /** Their number. */
  discussions: number;
  /** The number with each status: `OPEN`, `CONSENSUS`, `BLOCKED` or `CLOSED`. */
  outcomes: Record<string, number>;
  /** The number that are over: their pattern is finished, or a person closed them. */
  ended: number;
  /** The number of these that succeeded: enough participants answered, and there is a result. */
  succeeded: number;
  /** Their share, 0 to 1; null if none is over. */
  successRate: number | null;
  /** Model calls. */
  calls: number;
  /** Milliseconds that answers took, round after round; those of one round are given at once. */
  ms: number;
  /** Their decisions in hindsight: the number of decisions that `held`, `failed` or are `mixed`. The newest `HINDSIGHT:` of a decision counts. */
  hindsight: Record<string, number>;
  /** US dollars for calls with a known price; null if a price is unknown and no other call cost anything. */
  costUsd: number | null;
  /** US dollars by the provider's name. */
  costUsdByProvider: Record<string, number>;
}

/** A persona that can take part. */
export interface Persona {
  /** The alias that mentions the persona. */
  alias: string;
  /** The name above their comments. */
  name: string;
  /** The kind: a model or a person, with or without a vote. */
  kind: ParticipantKind;
  /** The role, in a few words. */
  role: string;
  /** The place of its definition: `bundled`, or a path as it is shown. */
  origin: string;
}

/** All known personas. */
export interface Personas {
  /** The personas that can take part. */
  personas: Array<Persona>;
  /** The personas with a broken definition. */
  broken: Array<BrokenPersona>;
}

/** The plan of a turn. */
export interface Planned {
  /** The file, as it is shown. */
  file: string;
  /** The number of the turn that they would be asked in. */
  turn: number;
  /** The participants that it would ask. */
  asks: Array<PlannedAsk>;
  /** The text that it would append before the first call. */
  appends: string;
}

/** One participant who would be asked. */
export interface PlannedAsk {
  /** The participant's alias. */
  participant: string;
  /** The provider that would be asked first. */
  provider: string | null;
  /** The exact prompt. */
  prompt: string;
}

/** A problem and its place; line and column are zero if it has none. */
export interface Problem {
  /** Line in the file, from 1. */
  line: number;
  /** Column in characters, from 1. */
  column: number;
  /** Line of its end, from 1; only from a check. */
  endLine?: number | null;
  /** Column behind its last character, from 1; only from a check. */
  endColumn?: number | null;
  /** The severity. */
  severity: Severity;
  /** A stable word, like `vote-unknown`. */
  code: ProblemCode;
  /** The problem in a sentence. */
  message: string;
  /** The fix, if it is a separate step. */
  fix?: Fix | null;
}

export type ProblemCode = "name-invalid" | "name-without-rule" | "head-in-body" | "vote-in-body" | "record-line" | "name-reserved" | "name-lookalike" | "last-line-cut" | "stray" | "torn" | "conflict" | "comment-empty" | "control-malformed" | "control-unknown" | "time-in-future" | "head-unclosed" | "head-unknown-key" | "head-invalid" | "format-newer" | "head-wrong" | "template-unknown" | "participant-unknown" | "phase-unknown" | "vote-above-rule" | "vote-in-block" | "vote-lookalike" | "vote-not-counted" | "vote-unknown" | "vote-twice" | "confidence-out-of-bounds" | "value-unreadable" | "marker-miswritten" | "mention-unknown" | "decision-unknown" | "decision-unseen" | "not-withdrawn" | "link-broken" | "link-contradicted" | "link-not-counted" | "act-not-counted" | "decides-nothing" | "number-taken" | "pattern-invalid" | "pattern-unmatched" | "review-overdue" | "number-unknown" | "target-unclear" | "marker-not-counted" | "marker-twice" | "date-unreadable" | "hindsight-early" | "pattern-bare" | "pattern-limit" | "file-not-utf8" | "file-nul" | "unreadable" | "unchecked" | "block-dropped" | "block-elsewhere" | "block-edited" | "change-accepted" | "answer-moved" | "journal-damaged" | "journal-foreign" | "journal-tracked" | "discussion-gone" | "line-ends-mixed" | "history-rewritten" | "history-inserted" | "history-shallow" | "own-edit" | "author-differs" | "receipt-missing" | "receipt-unknown" | "votes-reset" | "rules-changed" | "markup-open" | "comment-disguised" | "path-ambiguous" | "decision-ended" | "not-checked-out";

/** A provider. */
export interface Provider {
  /** Its name. */
  name: string;
  /** Its command or model as the definition says; untrusted text. */
  runs: string;
  /** A description in a sentence. */
  description: string;
  /** The strengths that decide which personas it answers for. */
  strengths: Array<string>;
  /** The place of its definition. */
  origin: string;
  /** True if it may be called; a project's own provider must be trusted first. */
  trusted: boolean;
}

/** The cost of one provider's answers. */
export interface ProviderCost {
  /** Model calls. */
  calls: number;
  /** Tokens of prompts and answers. */
  tokens: number;
  /** US dollars, to the millionth; null if no cost was reported and no price is known. */
  costUsd: number | null;
  /** Some of the tokens or costs were not reported. */
  estimated: boolean;
}

/** Statistics of a provider. */
export interface ProviderStats {
  /** Model calls, with retries. */
  calls: number;
  /** The number of answers it was asked for; retries for one answer count once. */
  asked: number;
  /** The number of these that it did not give. */
  failed: number;
  /** Their share, 0 to 1; null if it was never asked. */
  failureRate: number | null;
  /** Milliseconds of the answers that only it gave. */
  ms: number;
  /** Tokens of prompts and answers. */
  tokens: number;
  /** US dollars; null if no cost was reported and no price is known. */
  costUsd: number | null;
}

/** The result of a turn or a run, and the discussion's status. */
export interface Ran {
  /** The file, as it is shown. */
  file: string;
  /** The number of turns that it started or continued. */
  turns: number;
  /** Each participant that was asked, in the order of their answers. */
  calls: Array<Call>;
  /** The sums of all calls. */
  cost: RunCost;
  /** Why it stopped. */
  stopped: StopCode;
  /** The sub-discussion that stopped it, as it is shown; absent if none did. */
  within?: string | null;
  /** The error, if it stopped with one. */
  error?: ResultError | null;
  /** Votes of people that arrived during the run, by name; absent if there are none. */
  personVotes?: Record<string, string>;
  /** The discussion's status. */
  status: Status;
}

/** An earlier decision similar to a question. */
export interface Recalled {
  /** The file, as it is shown. */
  file: string;
  /** The title of the discussion. */
  title: string;
  /** The first decision in force, or else the answer, in a sentence; null if there is none. */
  decision: string | null;
  /** How the outcome stands. */
  standing: Standing;
  /** True if a decision is in force. */
  inForce: boolean;
  /** Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force. */
  decidedBy: string | null;
  /** The verdict in a sentence, if the template computed one. */
  verdict?: string | null;
  /** The proposals, and an option or a text that was adopted or answered, in file order; each with its state. */
  decisions: Array<StatedDecision>;
  /** The time, in RFC 3339; empty if unknown. */
  at: string;
  /** The status of the discussion. */
  status: DecisionStatus;
  /** The similarity; comparable only within one question. */
  score: number;
  /** The share of the question's words that it holds, each counted by how rare it is, 0 to 1. */
  share: number;
  /** True if it is so similar that the question looks decided. */
  isNear: boolean;
  /** The name that finds the discussion. */
  name: string;
}

/** The receipt of a participant's calls. */
export interface Receipt {
  /** The turn. */
  turn: number | null;
  /** When, in RFC 3339. */
  at: string | null;
  /** The provider. */
  provider: string | null;
  /** The model, as its provider names it. */
  model: string | null;
  /** Why the answer ended, in a stable word. */
  finish?: string | null;
  /** Tokens of prompts that came from the service's cache. */
  cached?: number | null;
  /** True if the model was allowed to read the project's files. */
  look?: boolean;
  /** True if the model was allowed to search the web. */
  web?: boolean;
  /** Duration in milliseconds. */
  ms: number | null;
  /** Tokens of prompts and answers. */
  tokens: Tokens | null;
  /** US dollars. */
  usd: number | null;
  /** Model calls. */
  calls: number | null;
}

/** The facts of a decision record that another tool made. */
export interface RecordFacts {
  /** Its number in its folder. */
  number: number | null;
  /** Its status in its own words; null: it names none. */
  status: string | null;
  /** The people who decided, in its own words. */
  deciders: Array<string>;
}

/** Why a command was refused. */
export interface Refusal {
  /** Which kind of failure it is. */
  code: ErrorCode;
  /** The message, in a sentence; its wording may change. */
  message: string;
  /** The fix, if it is a separate step. */
  hint: string | null;
  /** True if a retry may succeed. */
  retryable: boolean;
}

/** The answer to a program instead of a result. */
export interface Refused {
  /** Why there is no result. */
  error: Refusal;
}

/** A number that names something else after the merge. */
export interface Renumbered {
  /** Line of the merged file, from 1. */
  line: number;
  /** The number with its letter, such as `Q3`. */
  name: string;
  /** The text that it named before the merge; untrusted text. */
  before: string;
  /** The text that it names now. */
  after: string | null;
}

/** An answer, or the reason why there is none. */
export interface Response {
  /** The participant's alias, or a person's name. */
  provider: string;
  /** The text, without the vote. */
  content: string;
  /** The round it belongs to. */
  round: number;
  /** The phase of the answer. */
  phase: string;
  /** The participant's role. */
  role?: string | null;
  /** The confidence, 0 to 1. */
  confidence?: number | null;
  /** The vote. */
  vote?: string | null;
  /** When it was recorded; absent if a person wrote it into the file. */
  timestamp?: string | null;
  /** Duration in milliseconds. */
  durationMs: number;
  /** Tokens of prompts and answer, for an answer of a model. */
  tokens?: number | null;
  /** The error, if there is no answer. */
  error?: string | null;
}

/** The result of a discussion; for a template with a verdict, the result of a review. */
export type ResultDocument =
  | DiscussionResult
  | ReviewResult;

/** An error with its code. */
export interface ResultError {
  /** Which kind of failure it is. */
  code: ErrorCode;
  /** The message. */
  message: string;
  /** The fix, if it is a separate step. */
  hint?: string | null;
  /** True if a retry may succeed. */
  retryable: boolean;
}

/** The result of a review. */
export interface ReviewResult {
  /** The reviewed artifact. */
  artifact: string;
  /** The named round; empty if perspectives were named. */
  round: string;
  /** `consensus_reached` or `consensus_blocked`; null if too few perspectives can be read, or if nothing blocks a change of which a part was not shown. */
  verdict: string | null;
  /** HIGH, MEDIUM or LOW; null without a verdict. */
  severity: string | null;
  /** Mean of the ratings, 1 to 5; null without any. */
  averageRating: number | null;
  /** Rating by perspective. */
  ratings: Record<string, number>;
  /** Risk by perspective, if stated. */
  risks: Record<string, string>;
  /** Strengths, which a revision should keep. */
  strengths: Array<Finding>;
  /** Weaknesses, the most severe first. */
  weaknesses: Array<Finding>;
  /** Themes of at least two perspectives. */
  themes: Array<Theme>;
  /** Divergences, the most severe first. */
  divergences: Array<Divergence>;
  /** Findings of two perspectives that contradict each other. */
  opposed: Array<Opposed>;
  /** Requirements that are not met. */
  missingRequirements: Array<Missing>;
  /** Suggested actions, the most urgent first. */
  actions: Array<Action>;
  /** Findings that quote the artifact, in the order of the record; absent if the template asks for none. */
  findings?: Array<TextFinding> | null;
  /** `revise`, `proceed-with-caution` or, without a finding, `proceed`; null without a verdict. */
  recommendation: string | null;
  /** Files of the change that the reviewers did not see; without a finding there is then no verdict. */
  notShown?: Array<UnshownFile>;
  /** True if a perspective is missing. */
  partial: boolean;
  /** Perspectives without a readable rating. */
  failed: Array<string>;
  /** The outcome to act on, besides the findings. */
  outcome: FinalOutcome;
  /** Its cost. */
  costSummary: Cost;
  /** Why there is no verdict. */
  error?: ResultError | null;
  /** The record's file. */
  record: string;
  /** The verdict in a few lines that begin with `[discuss]`, for the report of the program that asked for the review. */
  callerBlock: string;
}

/** One round. */
export interface Round {
  /** Counted from 1. */
  roundNumber: number;
  /** Its answers, in file order. */
  responses: Array<Response>;
  /** What the moderator summed up, if a phase of the round has `summary: true`. */
  summary?: string | null;
  /** Milliseconds: turns one after the other, the calls of a parallel turn at once. */
  durationMs: number;
}

/** The sums of a run. */
export interface RunCost {
  /** Model calls, with retries. */
  calls: number;
  /** Duration in milliseconds. */
  ms: number;
  /** US dollars for calls with a known price; null if calls were made and no price is known. */
  usd: number | null;
  /** True if some costs were not reported. */
  estimated: boolean;
  /** Tokens of prompts. */
  promptTokens: number;
  /** Tokens of answers. */
  answerTokens: number;
  /** The share of prompts that came from services' caches, 0 to 1, for calls with a provider that reports it; null if none does. */
  cachedShare: number | null;
  /** The share of the bytes of these prompts that could have come from there, 0 to 1, because the same provider had read them before. */
  cacheableShare: number | null;
}

/** A step that was done, or that is left to a person. Paths are as they are shown. */
export type SetUp =
  | SetUpAdded
  | SetUpConfigured
  | SetUpHooked
  | SetUpDiffers
  | SetUpForeign
  | SetUpShared
  | SetUpOverridden;

/** A line was added to a file. */
export interface SetUpAdded {
  done: "added";
  /** The file. */
  file: string;
  /** The line. */
  line: string;
}

/** A setting of the repository was written. */
export interface SetUpConfigured {
  done: "configured";
  /** Its key. */
  key: string;
}

/** A file has something else in the place of this program's own entry or text, and was left unchanged. */
export interface SetUpDiffers {
  done: "differs";
  /** The file. */
  file: string;
  /** The text in its place. */
  found: string;
  /** The entry of this program, or what its text says. */
  line: string;
}

/** Another hook exists and was left unchanged. */
export interface SetUpForeign {
  done: "foreign";
  /** The hook. */
  file: string;
  /** The line to add to it by hand. */
  line: string;
}

/** The hook was written. */
export interface SetUpHooked {
  done: "hooked";
  /** The hook. */
  file: string;
}

/** Another setting still overrides how git merges discussions. */
export interface SetUpOverridden {
  done: "overridden";
  /** The file with the line that something overrides. */
  file: string;
  /** The line. */
  line: string;
  /** A path that git was asked about, from the top of the tree. */
  probe: string;
  /** The merge driver that git reports for it. */
  merge: string;
}

/** Git's settings name a folder of hooks outside the repository, so no hook was written. */
export interface SetUpShared {
  done: "shared";
  /** That folder. */
  hooks: string;
  /** The folder in which the repository's own hooks would be. */
  own: string;
}

export type Severity = "note" | "warning" | "error";

/** A discussion, entry by entry. */
export interface Shown {
  /** The file, as it is shown. */
  file: string;
  /** The first heading. */
  title: string;
  /** The head, written when the discussion was created; null if there is none. */
  head: Head | null;
  /** Title and context, as written. */
  preamble: string;
  /** Everything after the preamble, in file order. */
  entries: Array<Entry>;
}

/** The files of a site. */
export interface SiteReport {
  /** The folder, as it is shown. */
  folder: string;
  /** The number of files. */
  files: number;
  /** The number of files that were new or changed. */
  written: number;
  /** The number of files of the last export that were removed. */
  removed: number;
}

export type Standing = "open" | "answered" | "in-force" | "not-adopted" | "replaced" | "withdrawn" | "verdict";

/** A proposal, a decision or an answer. */
export interface StatedDecision {
  /** The number of its `DECISION:` line, counted in file order from 1; null for an option or a text. */
  number: number | null;
  /** The decision, in one line. */
  text: string;
  /** If an option won, the sentence that explains it. */
  reason?: string | null;
  /** The author's name; empty for an option. */
  author: string;
  /** The names of its supporters. */
  supporters: Array<string>;
  /** Line in the file, from 1. */
  line: number;
  /** The state. */
  state: ItemState;
  /** The decision that replaced it, like `D4` or `other.md#D1`, or the name of the person who withdrew it. */
  by: string | null;
  /** The day on which people look at it again, like `2027-06-01`, UTC. */
  reviewBy?: string | null;
  /** The files that it is about: gitignore patterns from the project's root. */
  affects?: Array<string>;
}

/** Statistics of a folder's discussions. */
export interface Stats {
  /** The folder, as it is shown. */
  folder: string;
  /** All of them. */
  all: PatternStats;
  /** By the template's id. */
  byPattern: Record<string, PatternStats>;
  /** By the provider's name. */
  byProvider: Record<string, ProviderStats>;
  /** By the name of participants that voted against an outcome. */
  dissent: Record<string, DissentStats>;
  /** Discussions that could not be read. */
  unreadable: Array<Unreadable>;
}

/** The status of a discussion. */
export interface Status {
  /** The file, as it is shown. */
  file: string;
  /** The first heading. */
  title: string;
  /** The template's id. */
  template: string;
  /** The current phase's id. */
  phase: string;
  /** The last turn's number; 0 before the first. */
  turn: number;
  /** Its status. */
  status: DecisionStatus;
  /** The latest votes, by name. */
  votes: Record<string, string>;
  /** Votes by option, in the phase's order. */
  tally: Record<string, number>;
  /** The outcome of the votes. */
  consensus: Consensus;
  /** All participants, then other authors of comments. */
  participants: Array<Participant>;
  /** The questions, in file order. */
  questions: Array<Item>;
  /** The tasks, in file order. */
  tasks: Array<Item>;
  /** The concerns, in file order. */
  concerns: Array<Item>;
  /** The first decision in force, or else the answer, in a sentence; null if there is none. */
  decision: string | null;
  /** How the outcome stands. */
  standing: Standing;
  /** True if a decision is in force. */
  inForce: boolean;
  /** Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force. */
  decidedBy: string | null;
  /** The verdict in a sentence, if the template computed one. */
  verdict?: string | null;
  /** The proposals, and an option or a text that was adopted or answered, in file order; each with its state. */
  decisions: Array<StatedDecision>;
  /** The requests of votes for CHANGES, and the reasons of votes for REJECT. */
  conditions: Array<Condition>;
  /** Participants that abstained, by name. */
  abstained: Array<string>;
  /** The outcome; null if there is none yet. */
  outcome: Outcome | null;
  /** Mentioned participants that have not answered yet, each once. */
  pendingMentions: Array<string>;
  /** Calls that gave no answer. */
  failures: Array<Failure>;
  /** The first day on which people look at a decision again, like `2027-06-01`, UTC. */
  reviewBy?: string | null;
  /** The files that the decisions are about: gitignore patterns from the project's root, each once. */
  affects?: Array<string>;
  /** The results of the decisions in hindsight, oldest first. */
  hindsight?: Array<HindsightNote>;
  /** The day until which people should decide; absent if there is none, or if the discussion is not open. */
  decideBy?: Deadline | null;
  /** Its cost. */
  cost: Cost;
  /** Problems of the file. */
  problems: Array<Problem>;
}

export type StopCode = "closed" | "finished" | "waiting_for_person" | "person_advances" | "condition_not_met" | "mentions_pending" | "questions_to_people" | "person_votes" | "too_few_answers" | "nobody_to_ask" | "turn_over" | "max_turns" | "max_calls" | "max_usd" | "unpriced" | "timeout" | "aborted";

/** A pattern. */
export interface Template {
  /** Its id. */
  id: string;
  /** Its purpose, in a sentence. */
  summary: string;
  /** Its phases, in order. */
  phases: Array<string>;
  /** Its file, as it is shown; none: it is bundled. */
  file: string | null;
  /** Why it cannot be used, with the place; its other values are then unknown. */
  broken: string | null;
}

/** A finding of a reviewer about a text or a change. */
export interface TextFinding {
  /** Number in the discussion, from 1. */
  number: number;
  /** The reviewer's alias. */
  by: string;
  /** The reviewer's name. */
  name: string;
  /** Line of the finding in the discussion's file, from 1. */
  line: number;
  /** The quoted words that are wrong. */
  quote: string;
  /** Why they are wrong. */
  proof: string;
  /** The new wording; empty: remove the quoted words. */
  instead: string;
  /** Its state: `unfounded` if its quote is not in the text, `open` if no text was written after it. */
  state: FindingState;
  /** The file that it is about: it names a file and a line, or its quote is in a diff of the material. */
  file?: string | null;
  /** The line in the new version of this file, from 1. */
  atLine?: number | null;
}

/** The difference between the reviewed text and the final text. */
export interface TextRevision {
  /** A unified diff from the reviewed text to the final text. */
  diff: string;
}

/** A theme that several perspectives share. */
export interface Theme {
  /** The theme, in the words of the first perspective. */
  text: string;
  /** The perspectives. */
  by: Array<string>;
}

/** The rule by which the levels of a tree share its time. */
export type TimeStrategy = "fixed" | "cascade" | "budget";

/** Tokens of prompts and answers. */
export interface Tokens {
  /** Of prompts. */
  input: number;
  /** Of answers. */
  output: number;
  /** True if they are an estimate; written as `~`. */
  estimated: boolean;
}

/** The turn is over. */
export interface TurnEndEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "turn.end";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** Its number. */
  turn: number;
  /** Milliseconds that its calls took: one after the other, or all at once in a parallel phase. */
  ms: number;
}

/** A turn begins. */
export interface TurnStartEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "turn.start";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** Its number. */
  turn: number;
  /** The phase's id. */
  phase: string;
  /** The participants that are asked, by alias. */
  asks: Array<string>;
  /** Participants that are skipped, by alias: they failed in this run, and a retry would not help. */
  leftOut?: Array<string>;
}

/** A discussion that cannot be read. */
export interface Unreadable {
  /** Which and why, in a sentence. */
  message: string;
  /** The fix. */
  fix: Fix | null;
}

/** A file of a change that is missing in the material of a discussion. */
export interface UnshownFile {
  /** Its path, as git writes it. */
  file: string;
  /** The reason. */
  reason: UnshownReason;
}

/** The reason why reviewers did not see the change of a file. */
export type UnshownReason = "not_text" | "too_large" | "submodule" | "lfs";

/** An action on a discussion. */
export type Verb = "turn" | "run" | "advance" | "comment" | "close" | "reopen";

/** A vote that counts. */
export interface VoteEvent {
  /** The stable name of the kind, like `answer.end`. */
  event: "vote";
  /** The discussion's file, as it is shown. */
  file: string;
  /** When, in RFC 3339, UTC. */
  at: string;
  /** The round, from 1, if one has begun. */
  round?: number | null;
  /** The participant's alias, or the name of a person without one. */
  participant?: string | null;
  /** The option. */
  vote: string;
  /** The confidence, 0 to 1. */
  confidence: number | null;
}

/** The tally. */
export interface VotingResults {
  /** The option that won; empty on a tie. */
  winner: string;
  /** True if several options are tied for first. */
  tied: boolean;
  /** The participant that decided the tie. */
  tieBrokenBy?: string | null;
  /** Votes by option. */
  votes: Record<string, number>;
  /** Votes times confidence and weight, by option. */
  weightedVotes: Record<string, number>;
  /** Each vote. */
  ballots: Array<Ballot>;
}

/** A request to people in one discussion. */
export interface Waiting {
  /** The file, as it is shown. */
  file: string;
  /** The name that finds it. */
  name: string;
  /** The first heading. */
  title: string;
  /** The action that it waits for. */
  wanted: Wanted;
  /** The names of the people; `human` for any person. */
  who: Array<string>;
  /** The number of the question, if it is one. */
  question: number | null;
  /** The question, or the options. */
  text: string | null;
  /** The day until which people should decide. */
  decideBy?: Deadline | null;
}

/** The action that a discussion waits for. */
export type Wanted = "answer" | "conflict" | "comment" | "vote" | "nextPhase" | "change" | "blocked" | "closing";

/** Why a step is the next one. */
export type Why = "stillToBeAsked" | "phaseBegins" | "turnBegins" | "commandRuns" | "discussionWithin" | "closed" | "finished" | "peopleAreAsked" | "personEndsPhase" | "conditionNotMet" | "mentionsPending" | "personVotes" | "tooFewAnswered" | "nobodyToAsk" | "questionsToPerson" | "answersAwaited" | "callsWait" | "endedWithoutConsensus" | "voteAgain" | "nobodyVoted";

/** A change that was written to the file. */
export interface Written {
  /** The file, as it is shown. */
  file: string;
  /** True if the file was changed. */
  changed: boolean;
  /** The author's name in the file. */
  author?: string | null;
  /** True if the author is a person. */
  isPerson?: boolean;
  /** The vote that counts, if there is one. */
  vote?: string | null;
  /** The phase that was entered. */
  phase?: string | null;
  /** Why the summary file could not be written. */
  summary?: string | null;
  /** Notes in sentences: why a vote in the text does not count, or what has no effect. */
  notes: Array<string>;
  /** True if only the beginning and the end of a long file were read; the rest is not considered. */
  endOnly?: boolean;
  /** True if the discussion is closed, so that the comment asks no participant. */
  closed?: boolean;
  /** Text that looks as if it counts but does not, in sentences. */
  uncounted?: Array<string>;
  /** The effects of lines of the text, and effects that they lack, in sentences. */
  hints?: Array<string>;
  /** Possible secrets in the text, in sentences. The text is in the file. */
  warnings?: Array<string>;
  /** The outcome of the votes, if consensus is reached. */
  consensus?: string | null;
  /** The possible next steps; empty if the whole file would have to be read for them. */
  next: Array<NextStep>;
}

/** The documents by the name that `discussions schema` lists. */
export interface Documents {
  advance: Written;
  answer: Written;
  ask: DiscussionResult;
  check: Array<Checked>;
  close: Written;
  comment: Written;
  dashboard: Dashboard;
  decisions: Array<Decided>;
  "decisions-write-readme": FileChange;
  discuss: DiscussionResult;
  "discuss-step": DiscussStepResult;
  doctor: Array<Diagnosis>;
  error: Refused;
  event: Event;
  export: NamedText;
  "export-site": SiteReport;
  init: Initialized;
  list: Array<Listed>;
  merge: Merged;
  new: Made;
  "participants-add": Definition;
  "participants-edit": FileChange;
  "participants-list": Personas;
  "participants-remove": FileChange;
  "participants-show": Definition;
  plan: Planned;
  "providers-add": FileChange;
  "providers-check": Array<Diagnosis>;
  "providers-list": Array<Provider>;
  "providers-remove": FileChange;
  recall: Array<Recalled>;
  reopen: Written;
  result: ResultDocument;
  review: ReviewResult;
  revisit: Made;
  run: Ran;
  search: Array<Found>;
  show: Shown;
  stats: Stats;
  status: Status;
  "templates-list": Array<Template>;
  "templates-show": NamedText;
  trust: Array<Foreign>;
  "trust-list": Array<Consent>;
  turn: Ran;
  vote: Written;
}
