// One turn: load the session, ask the model, commit every step, and commit the answer together with its delivery.
import {
  GatewayError,
  noUsage,
  textOf,
  toGatewayError,
  type AgentMessage,
  type AssistantMessage,
  type Change,
  type Clock,
  type Ledger,
  type Logger,
  type ModelEvent,
  type ModelInfo,
  type ModelRequest,
  type OutboxItem,
  type RunOutcome,
  type RunRecord,
  type SessionEntry,
  type ThinkingLevel,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@chela/sdk";
import { fitContext, runLoop, systemPrompt, type LoopEvent, type LoopOutcome } from "../agent/room.ts";
import { withTimePrefix } from "../base/time-prefix.ts";
import type { EntryBody, OpenedSession, SessionStore, Transcripts } from "../sessions/room.ts";
import type { Toolbox } from "../tools/room.ts";
import { MessageBody } from "./message-body.ts";
import type { Commit } from "./patient-commit.ts";
import { entryAfterTurn } from "./session-after-turn.ts";
import { outcomeOf, type StopCause } from "./turn-outcome.ts";
import { Spending } from "./turn-spending.ts";
import type { TurnEvent } from "./turn-events.ts";

export interface TurnSettings {
  readonly timeoutMs: number;
  readonly reserveTokens: number;
  readonly maxSteps: number;
  readonly timeZone?: string;
  readonly thinking?: string;
}

export interface TurnParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sessions: SessionStore;
  readonly transcripts: Transcripts;
  readonly tools: Toolbox;
  readonly commit: Commit;
  settings(): TurnSettings;
  agent(agentId: string): { readonly name: string; readonly workspace: string };
  /** The model for a session: its override, its agent's choice, or the default. */
  modelFor(agentId: string, entry: SessionEntry): Promise<ModelInfo>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  emit(event: TurnEvent): void;
  deliver(item: OutboxItem): Promise<void>;
}

/** Stands in where no model could be chosen. */
const NO_MODEL: ModelInfo = {
  provider: "chela",
  id: "none",
  name: "No model",
  api: "demo",
  reasoning: false,
  input: ["text"],
  contextWindow: 0,
  maxTokens: 0,
};
const OPENING_WAIT_MS = 100;
const INTERRUPTED = "The gateway was restarted while this tool ran. Whether it took effect is not known.";

/** Runs, or after a restart finishes, the turn of an admitted message. Returns the committed outcome. */
export async function runTurn(record: RunRecord, parts: TurnParts, stop: AbortSignal): Promise<RunOutcome> {
  const turn = new Turn(record, parts);
  return turn.run(stop);
}

interface Opening {
  readonly bodies: readonly EntryBody[];
  readonly before: readonly Change[];
  readonly after: readonly Change[];
}

interface Beginning {
  readonly entry: SessionEntry;
  readonly noModel?: GatewayError;
}

/** State of one turn while it runs; everything that matters of it is in the ledger. */
class Turn {
  readonly #record: RunRecord;
  readonly #parts: TurnParts;
  readonly #body: MessageBody;
  #sessionId = "";
  #model: ModelInfo = NO_MODEL;
  #startedAt = 0;
  readonly #texts: string[] = [];
  readonly #spending = new Spending();
  /** The beginning of the turn, as long as it is not written. */
  #opening: Opening | undefined;
  #cancelOpening: () => void = () => {};
  /** Settles when an opening that is being written on its own is safe. */
  #begun: Promise<void> = Promise.resolve();
  #history: readonly AgentMessage[] = [];

  constructor(record: RunRecord, parts: TurnParts) {
    this.#record = record;
    this.#parts = parts;
    this.#body = MessageBody().parse(record.message.body);
  }

  async run(stop: AbortSignal): Promise<RunOutcome> {
    const { settings, clock } = this.#parts;
    const { timeoutMs } = settings();
    const deadline = new AbortController();
    const cancelDeadline = clock.after(this.#body.timeoutMs || timeoutMs, () => deadline.abort("timeout"));
    const signal = AbortSignal.any([stop, deadline.signal]);
    try {
      const { entry, noModel } = await this.#begin();
      const outcome = noModel ? this.#refused(noModel) : await this.#think(entry, signal);
      return await this.#end(outcome, signal);
    } catch (error) {
      // Whatever went wrong, what the person said belongs into the transcript, unless the next start begins anew.
      if (this.#opening && stop.reason !== "shutdown") await this.#write([], []);
      throw error;
    } finally {
      cancelDeadline();
      this.#cancelOpening();
    }
  }

  async #begin(): Promise<Beginning> {
    const { message } = this.#record;
    const { sessions, clock } = this.#parts;
    return sessions.alone(message.sessionKey, async () => {
      const opened = await sessions.open(message.sessionKey, message.agentId);
      const noModel = await this.#chooseModel(opened.entry);
      this.#startedAt = this.#record.startedAt ?? clock.now();
      if (this.#record.state === "running" && this.#record.sessionId) await this.#resume(this.#record.sessionId);
      else await this.#open(opened);
      this.#emit({ kind: "turn-started", startedAt: this.#startedAt, model: this.#model });
      return { entry: opened.entry, ...(noModel ? { noModel } : {}) };
    });
  }

  /** The turn began before a restart: the user's message is in the transcript. */
  async #resume(sessionId: string): Promise<void> {
    this.#sessionId = sessionId;
    await this.#closeInterruptedCalls();
    this.#history = [...(await this.#parts.transcripts.read(sessionId)).messages];
  }

  /**
   * Prepares the user's message and the start of the turn. Nobody is told of that commit, so it may wait a moment for
   * the next one; a quick answer then needs one flush of the disk less. A new session is written at once.
   */
  async #open({ entry, changes }: OpenedSession): Promise<void> {
    const { transcripts, clock } = this.#parts;
    this.#sessionId = entry.sessionId;
    const user = this.#userMessage();
    this.#history = [...(await transcripts.read(this.#sessionId)).messages, user];
    this.#opening = {
      bodies: [...this.#modelChange(entry), { type: "message", message: user }],
      before: changes,
      after: [
        { kind: "turn-begin", runId: this.#record.message.runId, sessionId: this.#sessionId, at: this.#startedAt },
      ],
    };
    if (changes.length > 0) return this.#write([], []);
    this.#cancelOpening = clock.after(OPENING_WAIT_MS, () => {
      this.#begun = this.#write([], []);
      // Whoever writes next waits for it, and meets the failure.
      this.#begun.catch(() => {});
    });
  }

  /** Appends to the transcript in one commit with `after`; what is left of the opening goes first. */
  async #write(bodies: readonly EntryBody[], after: readonly Change[]): Promise<void> {
    const { transcripts, commit } = this.#parts;
    const opening = this.#opening ?? { bodies: [], before: [], after: [] };
    this.#opening = undefined;
    this.#cancelOpening();
    await transcripts.append(this.#sessionId, [...opening.bodies, ...bodies], {
      before: opening.before,
      after: [...opening.after, ...after],
      commit,
    });
  }

  /** A model that cannot be used is told to the sender, in the transcript too; the message itself is safe. */
  async #chooseModel(entry: SessionEntry): Promise<GatewayError | undefined> {
    try {
      this.#model = await this.#parts.modelFor(this.#record.message.agentId, entry);
      return undefined;
    } catch (error) {
      return toGatewayError(error, "MODEL_UNKNOWN");
    }
  }

  #refused(error: GatewayError): LoopOutcome {
    const { api, provider, id } = this.#model;
    const message: AssistantMessage = {
      role: "assistant",
      content: [],
      api,
      provider,
      model: id,
      usage: noUsage(),
      stopReason: "error",
      errorMessage: error.message,
      timestamp: this.#parts.clock.now(),
    };
    return { kind: "failed", message, failure: { reason: "not-found", message: error.detail, retry: "never" } };
  }

  #userMessage(): AgentMessage {
    const { admittedAt } = this.#record.message;
    const text = withTimePrefix(this.#body.text, admittedAt, this.#parts.settings().timeZone);
    const content = [{ type: "text" as const, text }, ...(this.#body.images ?? [])];
    return { role: "user", content, timestamp: admittedAt, ...this.#provenance() };
  }

  #modelChange(entry: SessionEntry): EntryBody[] {
    const { provider, id } = this.#model;
    if (entry.model === id && entry.modelProvider === provider) return [];
    return [{ type: "model_change", provider, modelId: id }];
  }

  #provenance(): object {
    return this.#body.provenance ? { provenance: this.#body.provenance } : {};
  }

  /** A tool that was running when the process died must not stay without a result. */
  async #closeInterruptedCalls(): Promise<void> {
    const { messages } = await this.#parts.transcripts.read(this.#sessionId);
    const answered = new Set(messages.flatMap((one) => (one.role === "toolResult" ? [String(one.toolCallId)] : [])));
    const last = messages.findLast((one): one is AssistantMessage => one.role === "assistant");
    for (const block of last?.content ?? []) {
      if (block.type !== "toolCall" || answered.has(String(block.id))) continue;
      await this.#recordStep(this.#interruptedResult(block as ToolCallBlock));
    }
  }

  #interruptedResult(call: ToolCallBlock): ToolResultMessage {
    return {
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: "text", text: INTERRUPTED }],
      isError: true,
      timestamp: this.#parts.clock.now(),
    };
  }

  async #think(entry: SessionEntry, signal: AbortSignal): Promise<LoopOutcome> {
    const { message } = this.#record;
    const { settings, tools, clock, stream } = this.#parts;
    const model = this.#model;
    const { reserveTokens, maxSteps } = settings();
    const agent = this.#parts.agent(message.agentId);
    return runLoop(
      this.#history,
      {
        model,
        system: systemPrompt({
          agentName: agent.name,
          workspace: agent.workspace,
          tools: tools.described(),
          ...(this.#body.extraSystemPrompt ? { extra: this.#body.extraSystemPrompt } : {}),
        }),
        fit: (all: readonly AgentMessage[]) =>
          fitContext(all, {
            contextTokens: model.contextWindow,
            reserveTokens: Math.min(reserveTokens, model.contextWindow / 4),
          }),
        tools: tools.described(),
        thinking: this.#thinkingLevel(entry),
        sessionId: this.#sessionId,
        maxSteps,
        now: () => clock.now(),
        stream: (request, abort) => stream(request, abort),
        runTool: (call, abort, update) => this.#runTool(call, abort, update),
        record: (one) => this.#recordStep(one),
        emit: (event) => this.#emitLoop(event),
      },
      signal,
    );
  }

  #thinkingLevel(entry: SessionEntry): ThinkingLevel {
    const model = this.#model;
    const level = this.#body.thinking ?? entry.thinkingLevel ?? this.#parts.settings().thinking;
    return (level ?? (model.reasoning ? "low" : "off")) as ThinkingLevel;
  }

  async #runTool(
    call: ToolCallBlock,
    signal: AbortSignal,
    update: (partial: string) => void,
  ): Promise<ToolResultMessage> {
    const { agentId, sessionKey, runId } = this.#record.message;
    const { channel, account } = this.#record.message;
    const requester = { channel, account, id: this.#body.client?.id ?? "", isOwner: false };
    const { workspace } = this.#parts.agent(agentId);
    const context = { agentId, sessionKey, runId, signal, update, requester, workspace, model: this.#model };
    return this.#parts.tools.run(call, context);
  }

  /** Commits one step: an assistant message that calls tools, or the result of one. */
  async #recordStep(message: AssistantMessage | ToolResultMessage): Promise<void> {
    await this.#begun;
    const after =
      message.role === "assistant"
        ? this.#afterAssistant(message as AssistantMessage)
        : this.#afterResult(message as ToolResultMessage);
    await this.#write([{ type: "message", message }], after);
  }

  #afterAssistant(message: AssistantMessage): Change[] {
    const { runId } = this.#record.message;
    const at = this.#parts.clock.now();
    const text = textOf(message).trim();
    if (text) this.#texts.push(text);
    const starts = message.content.flatMap((block): Change[] =>
      block.type === "toolCall"
        ? [
            {
              kind: "tool-start",
              runId,
              toolCallId: String(block.id),
              name: String(block.name),
              args: block.arguments,
              at,
            },
          ]
        : [],
    );
    return [...starts, ...this.#spend(message)];
  }

  #afterResult(message: ToolResultMessage): Change[] {
    const { runId } = this.#record.message;
    return [
      {
        kind: "tool-end",
        runId,
        toolCallId: message.toolCallId,
        isError: message.isError,
        at: this.#parts.clock.now(),
      },
    ];
  }

  #spend(message: AssistantMessage): Change[] {
    const isPriced = this.#model.price !== undefined;
    const of = { message: this.#record.message, person: this.#body.client?.id ?? "", isPriced };
    return this.#spending.add(message, { ...of, at: this.#parts.clock.now() });
  }

  /** The last commit: answer, session, outcome and delivery become true together. */
  async #end(loop: LoopOutcome, signal: AbortSignal): Promise<RunOutcome> {
    const { sessions, clock, ledger } = this.#parts;
    const { message } = this.#record;
    const stopped = loop.kind === "aborted" ? (signal.reason as StopCause) : undefined;
    // A shutdown is no end: the message stays unfinished in the ledger, and the next start answers it.
    if (stopped === "shutdown") throw new GatewayError("TURN_FAILED", "the gateway is shutting down");
    await this.#begun;
    const usage = this.#spend(loop.message);
    const endedAt = clock.now();
    const outcome = this.#outcome(loop, stopped, endedAt);
    const item = this.#reply(outcome, endedAt);
    await sessions.alone(message.sessionKey, async () => {
      const entry = await ledger.session(message.sessionKey);
      const body: EntryBody = { type: "message", message: { ...loop.message, ...this.#abortMark(stopped) } };
      await this.#write(
        [body],
        [
          // A session that was reset meanwhile has another id: its entry is no longer ours.
          ...(entry?.sessionId === this.#sessionId
            ? [
                {
                  kind: "session-put" as const,
                  key: message.sessionKey,
                  entry: this.#entryAfter(entry, endedAt, stopped),
                },
              ]
            : []),
          ...usage,
          { kind: "turn-end", runId: message.runId, at: endedAt, outcome },
          ...(item ? [{ kind: "outbox-add" as const, item }] : []),
        ],
      );
    });
    this.#emit({ kind: "turn-ended", startedAt: this.#startedAt, endedAt, outcome });
    if (item) await this.#parts.deliver({ ...item, attempts: 0, state: "pending" });
    return outcome;
  }

  #abortMark(stopped: StopCause | undefined): object {
    if (!stopped) return {};
    const origin = stopped === "stop" ? "stop-command" : stopped;
    return { openclawAbort: { aborted: true, origin, runId: this.#record.message.runId } };
  }

  #outcome(loop: LoopOutcome, stopped: StopCause | undefined, endedAt: number): RunOutcome {
    const { provider, model } = loop.message;
    const durationMs = endedAt - this.#startedAt;
    const agentMeta = { sessionId: this.#sessionId, provider, model, ...this.#spending.report() };
    const meta = { durationMs, agentMeta, aborted: loop.kind === "aborted" };
    return outcomeOf(loop, stopped, { texts: this.#texts, meta, durationMs });
  }

  #entryAfter(entry: SessionEntry, endedAt: number, stopped: StopCause | undefined): SessionEntry {
    const model = this.#model === NO_MODEL ? undefined : this.#model;
    const turn = { message: this.#record.message, body: this.#body, spending: this.#spending };
    return entryAfterTurn(entry, { ...turn, model, endedAt, wasStopped: stopped !== undefined });
  }

  #reply(outcome: RunOutcome, createdAt: number): Omit<OutboxItem, "attempts" | "state"> | undefined {
    if (outcome.status !== "ok") return undefined;
    const { runId, channel, account, sessionKey } = this.#record.message;
    return {
      id: `${runId}:reply`,
      runId,
      channel,
      account,
      to: sessionKey,
      payload: { texts: outcome.texts },
      createdAt,
    };
  }

  #emitLoop(event: LoopEvent): void {
    switch (event.kind) {
      case "step":
        return this.#emit({ kind: "step-started" });
      case "tool-start":
        return this.#emit({ kind: "tool-started", call: event.call });
      case "tool-update":
        return this.#emit({ kind: "tool-updated", call: event.call, partial: event.partial });
      case "tool-result":
        return this.#emit({ kind: "tool-ended", call: event.call, result: event.result });
      default:
        return this.#emit(event);
    }
  }

  #emit(event: DistributiveOmit<TurnEvent, "runId" | "sessionKey">): void {
    const { runId, sessionKey } = this.#record.message;
    this.#parts.emit({ ...event, runId, sessionKey });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
