// What a turn needs of the rooms. The composition root fills it.
import type {
  Change,
  Clock,
  ImageBlock,
  InboxMessage,
  Ledger,
  Logger,
  MediaRef,
  ModelInfo,
  Requester,
  RunOutcome,
  RunRecord,
  SessionEntry,
  ThinkingLevel,
} from "@chela/sdk";
import type { ContextSettings, PromptFile } from "../../rooms/agent/room.ts";
import type { Budgets } from "../../rooms/budgets/room.ts";
import type { CommandOutcome } from "../../rooms/commands/room.ts";
import type { CallEvent, ModelCall } from "../../rooms/models/room.ts";
import type { SessionStore, Transcripts } from "../../rooms/sessions/room.ts";
import type { Toolbox, ToolSubject } from "../../rooms/tools/room.ts";
import type { ContextFitter } from "./context-fitter.ts";
import type { ErrandTerms, MessageBody } from "../message-body.ts";
import type { NewDelivery, WriteReply } from "../reply/delivery.ts";
import type { Commit } from "./patient-commit.ts";
import type { TurnEvent } from "./events.ts";

export interface TurnSettings {
  readonly timeoutMs: number;
  /** How often a model may be asked in one turn. */
  readonly maxSteps: number;
  readonly context: ContextSettings;
  readonly timeZone?: string;
  readonly thinking: string;
}

export interface PromptQuestion {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly model: ModelInfo;
  readonly thinking: ThinkingLevel;
  /** Only the owner is told what was learned of them, and what is noted about people. */
  readonly requester: Requester;
  /** The gateway's own work in the conversation: it is told what the conversation was, so that the prompt is cached. */
  readonly isOwnWork?: boolean;
  /** Of that: work on the conversation itself, whoever takes part in it. */
  readonly isChore?: boolean;
  /** Given by the caller of this turn. */
  readonly extra?: string;
  /** How much of the workspace is told of, when it is not what the conversation usually has. */
  readonly context?: "full" | "minimal" | "light";
}

interface PromptSources {
  readonly workspaceDir: string;
  readonly bootstrapMaxChars: number;
  readonly bootstrapTotalMaxChars: number;
  readonly sandbox: { readonly sandboxed: boolean };
  readonly files: readonly PromptFile[];
  /** How much the part about the files takes, headings and all. */
  readonly projectChars: number;
}

export interface PreparedPrompt {
  readonly system: string;
  /** How much of it comes from files of the workspace. */
  readonly fileChars?: number;
  /** What it was made of, for the report in the index of sessions. */
  readonly sources?: PromptSources;
  /** What the model has to know of changes behind the frozen prompt; goes before the person's text. */
  readonly note?: string;
  /** To be called when the turn went well: the first meeting has happened. */
  readonly wasUsed?: () => Promise<void>;
}

/** What running the commands of a message came to; the patch is written with the message's next commit. */
export interface RanCommands {
  readonly outcome: CommandOutcome;
  patch(entry: SessionEntry): SessionEntry;
  readonly hasPatch: boolean;
}

/** What came with a message: pictures a model can see, and words about the rest. */
export interface TakenIn {
  readonly images: readonly ImageBlock[];
  /** Lines to stand before the text. */
  readonly notes: readonly string[];
  /** What is kept of it, for those who show the conversation. */
  readonly files: readonly MediaRef[];
}

export interface Steered {
  readonly record: RunRecord;
  /** It is answered by this turn, and not by one of its own as well. */
  readonly isDone: boolean;
}

export interface TurnParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sessions: SessionStore;
  readonly transcripts: Transcripts;
  readonly tools: Toolbox;
  readonly budgets: Budgets;
  readonly keeper: ContextFitter;
  readonly commit: Commit;
  settings(agentId: string): TurnSettings;
  /** Whether a conversation was left alone so long that the next message begins a new one. */
  isOver(message: InboxMessage, entry: SessionEntry): boolean;
  workspace(agentId: string): string;
  /** How much of what was heard in a group is told. */
  historyLimit(message: InboxMessage): number;
  /** Who is behind a turn, in the end. */
  requester(message: InboxMessage, body: MessageBody): Promise<Requester>;
  /** What policies know of a turn besides its model and requester. */
  subject(
    message: InboxMessage,
    entry: SessionEntry,
    requester: Requester,
  ): Promise<Omit<ToolSubject, "model" | "requester">>;
  /** First choice first. Throws MODEL_UNKNOWN. */
  candidates(agentId: string, entry: SessionEntry, terms?: ErrandTerms): Promise<readonly ModelInfo[]>;
  prompt(question: PromptQuestion): Promise<PreparedPrompt>;
  /** The rules of the workspace that a summary must not wash away. */
  refresh(agentId: string, sessionId: string): Promise<string | undefined>;
  runCommands(record: RunRecord, body: MessageBody): Promise<RanCommands>;
  converse(call: ModelCall, signal: AbortSignal): AsyncIterable<CallEvent>;
  emit(event: TurnEvent): void;
  /** The rows of what goes out, for the commit of the answer. */
  outboxRows(items: readonly NewDelivery[], at: number): Change[];
  /** Sends them, once they are committed. */
  deliver(items: readonly NewDelivery[]): Promise<void>;
  /** The rows that carry the answer to its channel. */
  readonly writeReply: WriteReply;
  /** Fetches what came with a message, for the model to see. */
  takeIn(record: RunRecord, body: MessageBody, signal: AbortSignal): Promise<TakenIn>;
  /** The files behind handles in an answer; what was not minted for this very session is none. */
  filesBehind(sessionKey: string, handles: readonly string[]): Promise<readonly MediaRef[]>;
  /** What was said to this turn since it was asked last. */
  steering(record: RunRecord): readonly Steered[];
  /** A run is over because another turn answered it. */
  settle(record: RunRecord, outcome: RunOutcome): void;
  /** The turn is over and its session is as given: time for chores. */
  afterTurn(message: InboxMessage, entry: SessionEntry, model: ModelInfo): Promise<void>;
}
