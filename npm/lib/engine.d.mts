/** The seat of a model in a dialogue. */
export type ParticipantRole = "model-a" | "model-b";

/** The name of a discussion's file, without its ending. */
export type DiscussionId = string;

export type DiscussionPhase =
  | "idle"
  | "initializing"
  | "model-a-turn"
  | "model-b-turn"
  | "consensus-check-a"
  | "consensus-check-b"
  | "completed"
  | "error"
  | "aborted";

/** Why a dialogue ended. Other words say which limit it reached. */
export type StoppingReason =
  | "consensus_reached"
  | "max_iterations"
  | "user_abort"
  | "error"
  | "model_unavailable"
  | "timeout"
  | (string & {});

export type DiscussionErrorCode =
  | "INITIALIZATION_FAILED"
  | "TURN_FAILED"
  | "TURN_TIMEOUT"
  | "CONSENSUS_PARSE_FAILED"
  | "PROVIDER_ERROR"
  | "STATE_INVALID"
  | "DISCUSSION_TIMEOUT"
  | "UNKNOWN";

export interface Participant {
  role?: ParticipantRole;
  /** The name of the model at its provider. */
  modelId: string;
  /** A provider that `discussions providers list` shows. */
  providerId: string;
  /** The name in prompts, in the file and in events. */
  displayName?: string;
}

export interface DiscussionOptions {
  /** Maximum number of rounds, 1 to 10. */
  maxIterations: number;
  /** Sampling temperature, 0 to 2. */
  temperature: number;
  /** Maximum tokens of one answer. */
  maxTokensPerTurn: number;
  /** Maximum time of one call, 5,000 to 3,600,000. */
  turnTimeoutMs: number;
  /** Maximum time of the whole dialogue. */
  totalTimeoutMs: number;
  /** Only `true` is supported. */
  requireBothConsensus: boolean;
  /** Check for consensus only after this round. */
  minRoundsBeforeConsensus: number;
}

export interface DiscussionConfig {
  prompt: string;
  participants: { modelA: Participant; modelB: Participant };
  options?: Partial<DiscussionOptions>;
}

export interface Turn {
  id: string;
  role: ParticipantRole;
  roundNumber: number;
  content: string;
  timestamp: number;
  durationMs: number;
  tokenUsage: { promptTokens: number; completionTokens: number };
  finishReason: string;
}

export interface ConsensusVote {
  role: ParticipantRole;
  hasConsensus: boolean;
  /** 0 to 100. */
  confidence: number;
  reasoning: string;
  proposedSolution?: string;
  timestamp: number;
}

export interface ConsensusResult {
  isUnanimous: boolean;
  modelAVote: ConsensusVote;
  modelBVote: ConsensusVote;
  /** Only if unanimous. */
  finalSolution?: string;
  roundNumber: number;
}

export interface Round {
  number: number;
  /** Null if the model did not answer. */
  modelATurn: Turn | null;
  /** Null if the model did not answer. */
  modelBTurn: Turn | null;
  consensusCheck?: ConsensusResult;
}

export interface FinalConsensus {
  solution: string;
  achievedAtRound: number;
  modelAContribution: string;
  modelBContribution: string;
}

export interface DiscussionError {
  code: DiscussionErrorCode;
  message: string;
  recoverable: boolean;
}

interface Dated {
  discussionId: DiscussionId;
  /** Milliseconds since 1970. */
  timestamp: number;
}

export type DiscussionEvent = Dated &
  (
    | { type: "discussion_started"; prompt: string; participants: { modelA: Participant; modelB: Participant } }
    | { type: "round_started"; roundNumber: number }
    | { type: "turn_started"; role: ParticipantRole; modelId: string; roundNumber: number }
    | { type: "turn_chunk"; role: ParticipantRole; chunk: string }
    | { type: "turn_completed"; turn: Turn }
    | { type: "consensus_check_started"; roundNumber: number }
    | { type: "consensus_vote"; vote: ConsensusVote }
    | { type: "consensus_result"; result: ConsensusResult }
    | { type: "round_completed"; round: Round }
    | { type: "discussion_completed"; stoppingReason: StoppingReason; synthesis: string; finalConsensus?: FinalConsensus }
    | { type: "discussion_error"; error: DiscussionError; stoppingReason?: StoppingReason }
    | { type: "discussion_aborted"; stoppingReason: StoppingReason }
  );

export type DiscussionEventType = DiscussionEvent["type"];

export type EventHandler = (event: DiscussionEvent) => void;

export interface DiscussionState {
  id?: DiscussionId;
  phase: DiscussionPhase;
  config?: DiscussionConfig;
  rounds: Round[];
  currentRound: number;
  finalConsensus?: FinalConsensus;
  stoppingReason?: StoppingReason;
  error?: DiscussionError;
  startedAt?: number;
  completedAt?: number;
}

export const DEFAULT_DISCUSSION_OPTIONS: Readonly<DiscussionOptions>;

/** A failure of a dialogue. */
export class DiscussionEngineError extends Error implements DiscussionError {
  constructor(error: DiscussionError);
  readonly code: DiscussionErrorCode;
  readonly recoverable: boolean;
  toJSON(): DiscussionError;
}

export interface EngineOptions {
  /** The folder to work in; by default the working folder of this process. */
  folder?: string;
  /** The provider for both models, for example `mock`. */
  provider?: string;
  /** Maximum cost in US dollars. */
  maxUsd?: number;
}

/** A dialogue of two models until both agree. It writes a discussion file like any other pattern. */
export class DiscussionEngine {
  constructor(options?: EngineOptions);
  /** Calls a function for each event. Returns a function that ends this. */
  onEvent(handler: EventHandler): () => void;
  /** Returns a copy of the state, which the events so far tell. */
  getState(): DiscussionState;
  /** Stops the dialogue. Its answers so far are in the file. */
  abort(): void;
  /** Runs the dialogue to its end. Rejects with a `DiscussionEngineError` if it cannot begin or fails. */
  start(config: DiscussionConfig): Promise<void>;
}

export interface SSEEvent {
  event: string;
  /** JSON. */
  data: string;
}

/** Returns an event as it is sent to a browser: `turn_started` as `turn-started`. */
export function toSSEEvent(event: DiscussionEvent): SSEEvent;
/** Returns the text of an event for a stream. */
export function formatSSE(event: SSEEvent): string;

/** Sends events to a browser. */
export class SSEEmitter {
  private constructor();
  /** Returns a stream for a `Response`, and what writes into it. */
  static create(): { stream: ReadableStream<Uint8Array>; emitter: SSEEmitter };
  emit(event: DiscussionEvent): void;
  emitComment(comment: string): void;
  emitKeepAlive(): void;
  close(): void;
  isClosed(): boolean;
}
