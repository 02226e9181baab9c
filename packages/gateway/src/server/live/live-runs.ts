// Words and tools of each run right now, for those who come in the middle of it.
import type { ToolCallBlock } from "@chela/sdk";
import type { Client } from "@chela/sdk/protocol";

interface LiveTool {
  readonly toolCallId: string;
  readonly name: string;
  readonly args: unknown;
  readonly startedAt: number;
  partial?: string;
  details?: unknown;
}

export interface LiveRun {
  readonly runId: string;
  readonly sessionKey: string;
  /** Whether a model answers in it; a compaction between two turns has no more than a beginning and an end. */
  isTurn: boolean;
  /** A command of a chat: there is no model in it. */
  isCommand: boolean;
  /** Its end is committed; only the delivery of its answer is still to be told. */
  isOver: boolean;
  startedAt?: number;
  seq: number;
  /** Of the message that is being written. */
  text: string;
  thinking: string;
  /** The message is complete and in the transcript, or about to be. */
  isSaid: boolean;
  /** How many messages were begun, and in which of them each tool was called. */
  step: number;
  readonly calledIn: Map<string, number>;
  readonly tools: Map<string, LiveTool>;
  /** What of the text and the thinking was told already. */
  sentText: number;
  sentThinking: number;
  lastChatDelta: number;
  cancelFlush?: () => void;
  /** Who started it and knows the session by another name, under which they wait for the answer. */
  calledBy?: { readonly client: Client; readonly sessionKey: string };
  /** Those who started it and can show tools. */
  readonly callers: Set<Client>;
}

export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();

  /** The run, which is remembered from now on. */
  take(runId: string, sessionKey: string): LiveRun {
    const known = this.#runs.get(runId);
    if (known) return known;
    const run: LiveRun = {
      runId,
      sessionKey,
      isTurn: false,
      isCommand: false,
      isOver: false,
      seq: 0,
      text: "",
      thinking: "",
      isSaid: false,
      step: 0,
      calledIn: new Map(),
      tools: new Map(),
      sentText: 0,
      sentThinking: 0,
      lastChatDelta: -Infinity,
      callers: new Set(),
    };
    this.#runs.set(runId, run);
    return run;
  }

  find(runId: string): LiveRun | undefined {
    return this.#runs.get(runId);
  }

  /** Turns of a session that are being answered. */
  answering(sessionKey: string): LiveRun[] {
    return [...this.#runs.values()].filter((run) => run.sessionKey === sessionKey && run.isTurn && !run.isOver);
  }

  /** All that a model answers in. */
  turns(): string[] {
    return [...this.#runs.values()].filter(({ isTurn, isOver }) => isTurn && !isOver).map(({ runId }) => runId);
  }

  forget(runId: string): void {
    this.#runs.delete(runId);
  }

  /** What the run says behind its message that was committed just now; `calls` are those of that message. */
  saidBehind(runId: string, calls: readonly string[]): { text: string; thinking: string } {
    const run = this.#runs.get(runId);
    if (!run) return { text: "", thinking: "" };
    const step = Math.max(-1, ...calls.map((id) => run.calledIn.get(id) ?? -1));
    // Commits may be a moment late: the next message may have begun before this one was written.
    if (step < 0 || step === run.step) run.isSaid = true;
    return saidNow(run);
  }
}

/** What is being said and not in the transcript yet. */
export function saidNow({ isSaid, text, thinking }: LiveRun): { text: string; thinking: string } {
  return isSaid ? { text: "", thinking: "" } : { text, thinking };
}

export function beginStep(run: LiveRun): void {
  Object.assign(run, { text: "", thinking: "", sentText: 0, sentThinking: 0, isSaid: false, step: run.step + 1 });
}

export function beginTool(run: LiveRun, { id, name, arguments: args }: ToolCallBlock, startedAt: number): void {
  run.isSaid = true;
  run.calledIn.set(id, run.step);
  run.tools.set(id, { toolCallId: id, name, args, startedAt });
}
