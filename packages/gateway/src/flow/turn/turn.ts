// One turn: load the session, ask the model, commit every step, and commit the answer together with its delivery.
import {
  GatewayError,
  toGatewayError,
  type AgentMessage,
  type Aside,
  type AssistantMessage,
  type Change,
  type MediaRef,
  type ModelInfo,
  type RunFailure,
  type RunOutcome,
  type RunRecord,
  type SessionEntry,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@chela/sdk";
import { workerFor, type WorkerChoice } from "../../rooms/acp/room.ts";
import { contextWindow, runLoop, type LoopEvent, type LoopOutcome } from "../../rooms/agent/room.ts";
import { defined, orAborted } from "@chela/sdk/base";
import type { EntryBody, OpenedSession } from "../../rooms/sessions/room.ts";
import type { ToolRun } from "../../rooms/tools/room.ts";
import { isOwnWork, MessageBody } from "../message-body.ts";
import { openCalls } from "./open-calls.ts";
import { promptReport } from "./prompt-report.ts";
import { collected, endedInto } from "../queue-places.ts";
import type { NewDelivery } from "../reply/delivery.ts";
import { answerCommand } from "../commands/run-command.ts";
import { entryAfterTurn, type FinishedTurn } from "./session-after.ts";
import { asidesTold, happened, heard } from "./asides.ts";
import { TurnAudit } from "./audit.ts";
import {
  abortMark,
  cacheRecords,
  interruptedResult,
  modelRecords,
  NOTHING_TAKEN,
  refusal,
  saidMeanwhile,
  typedIn,
  writtenBy,
  toolStarts,
  userMessage,
} from "./messages.ts";
import { NO_MODEL_ID, outcomeOf, type StopCause } from "./outcome.ts";
import { heardLimit, isLeftAlone, turnSettings, type RanCommands, type TakenIn, type TurnKit } from "./kit.ts";
import { lookAfter } from "../upkeep.ts";
import { writeReply } from "../reply/write-reply.ts";
import { TurnRelief } from "./relief.ts";
import { Spending } from "./spending.ts";
import { callFor, isPriced, setStage, type Stage } from "./stage.ts";
import { TurnSteps } from "./steps.ts";
import { TurnTrace } from "./trace.ts";
import { TurnVoice, type OwnEvent } from "./voice.ts";

/** Stands in where no model could be chosen. */
const NO_MODEL: ModelInfo = {
  provider: "chela",
  id: NO_MODEL_ID,
  name: "No model",
  api: "demo",
  reasoning: false,
  input: ["text"],
  contextWindow: 0,
  maxTokens: 0,
};
const GRACE_MS = 500;
/** Runs, or after a restart finishes, the turn of an admitted message. Returns the committed outcome. */
export async function runTurn(
  record: RunRecord,
  kit: TurnKit,
  stop: AbortSignal,
  others: readonly RunRecord[] = [],
): Promise<RunOutcome> {
  const bodies = others.map(({ message }) => MessageBody().parse(message.body));
  const body = collected(bodies, MessageBody().parse(record.message.body));
  const startedAt = kit.house.clock.now();
  // What of the message is meant for the gateway is carried out first; what is left is for the model.
  const ran = body.recognised ? await kit.runCommands(record, body) : undefined;
  if (ran && ran.outcome.kind !== "none") return answerCommand(record, ran, kit, startedAt);
  return new Turn(record, kit, body, ran, others).run(stop);
}

/** State of one turn while it runs; everything that matters of it is in the ledger. */
class Turn {
  readonly #record: RunRecord;
  readonly #kit: TurnKit;
  readonly #body: MessageBody;
  readonly #trace = new TurnTrace();
  readonly #spending = new Spending();
  readonly #audit: TurnAudit;
  readonly #voice: TurnVoice;
  readonly #commands: RanCommands | undefined;
  #stage: Stage | undefined;
  /** Who answers in place of a model. */
  #worker: WorkerChoice | undefined;
  #steps: TurnSteps | undefined;
  readonly #text: string;
  #startedAt = 0;
  /** By the steady clock: setting the other one ends no turn. */
  #deadlineAt = 0;
  #lastTouch = 0;
  #hasSummary = false;
  #history: readonly AgentMessage[] = [];
  readonly #harmlessCalls = new Set<string>();
  #usedIds: readonly string[] = [];
  /** Came before the message, and are answered with it. */
  readonly #others: readonly RunRecord[];

  constructor(
    record: RunRecord,
    kit: TurnKit,
    body: MessageBody,
    commands: RanCommands | undefined,
    others: readonly RunRecord[],
  ) {
    this.#record = record;
    this.#others = others;
    this.#kit = kit;
    this.#body = body;
    this.#audit = new TurnAudit(record.message, body);
    this.#commands = commands;
    const { outcome } = commands ?? {};
    this.#text = body.instruction ?? (outcome?.kind === "none" ? outcome.text : body.text);
    this.#voice = new TurnVoice((event) => this.#tell(event), outcome?.kind === "none" ? outcome.replies : []);
  }

  async run(stop: AbortSignal): Promise<RunOutcome> {
    const { clock } = this.#kit.house;
    const timeoutMs = this.#body.timeoutMs || turnSettings(this.#kit, this.#record.message.agentId).timeoutMs;
    const end = new AbortController();
    const { signal } = end;
    const endAsAsked = (): void => end.abort(stop.reason);
    this.#deadlineAt = clock.steady() + timeoutMs;
    const cancelDeadline = clock.after(timeoutMs, () => end.abort("timeout"));
    stop.addEventListener("abort", endAsAsked, { once: true });
    if (stop.aborted) endAsAsked();
    try {
      const cannot = await this.#begin(signal);
      const outcome = cannot ? refusal(cannot, this.#model, clock.now()) : await this.#think(signal);
      return await this.#end(outcome, signal);
    } catch (error) {
      // Whatever went wrong, what the person said belongs into the transcript, unless the next start begins anew.
      const hasPending = this.#steps?.hasPending || this.#audit.hasPending;
      if (hasPending && stop.reason !== "shutdown") await this.#steps?.write([], this.#audit.take());
      throw error;
    } finally {
      cancelDeadline();
      stop.removeEventListener("abort", endAsAsked);
      this.#steps?.cancel();
    }
  }

  /** Returns why no model can be asked, if so; the message itself is safe either way. */
  async #begin(signal: AbortSignal): Promise<GatewayError | undefined> {
    const { message } = this.#record;
    const takenIn = this.#record.state === "running" ? NOTHING_TAKEN : await this.#takeIn(signal);
    const { sessions, clock } = this.#kit.house;
    const commands = this.#commands?.hasPatch ? this.#commands : undefined;
    return sessions.alone(message.sessionKey, async () => {
      // What was begun before a restart goes on where it was, and the gateway's own work ends nothing unless it is told to.
      const isBeginning = this.#record.state === "queued";
      const mayEnd = isBeginning && !isOwnWork(message.channel);
      const isOver = mayEnd ? (entry: SessionEntry) => isLeftAlone(this.#kit.house, message, entry) : undefined;
      const isFresh = isBeginning && this.#body.errand?.isFresh ? () => true : undefined;
      const wanted = { isOver: isFresh ?? isOver, sessionId: this.#body.sessionId };
      const session = await sessions.open(message.sessionKey, message.agentId, wanted);
      const opened = patched(session, message.sessionKey, commands);
      this.#worker = workerFor(this.#kit.house.config.current(), message.agentId, opened.entry);
      const cannot = await this.#setStage(opened.entry);
      this.#startedAt = this.#record.startedAt ?? clock.now();
      this.#lastTouch = opened.entry.updatedAt;
      if (this.#record.state === "running" && this.#record.sessionId) await this.#resume(this.#record.sessionId);
      else await this.#open(opened, takenIn);
      const alsoAnswers = this.#others.map((other) => other.message.runId);
      this.#tell({ kind: "turn-started", startedAt: this.#startedAt, model: this.#model, message, alsoAnswers });
      return cannot;
    });
  }

  async #setStage(entry: SessionEntry): Promise<GatewayError | undefined> {
    try {
      this.#stage = await setStage(this.#record.message, this.#body, entry, this.#kit);
      const { described, removed } = this.#stage.tools;
      this.#trace.toolsOffered({ offered: described.map(({ name }) => name), removed });
      return undefined;
    } catch (error) {
      return toGatewayError(error, "MODEL_UNKNOWN");
    }
  }

  get #model(): ModelInfo {
    return this.#stage?.model ?? NO_MODEL;
  }

  /** The turn began before a restart: the user's message is in the transcript. */
  async #resume(sessionId: string): Promise<void> {
    this.#steps = new TurnSteps(sessionId, this.#kit);
    await this.#closeInterruptedCalls(this.#steps);
    const calls = await this.#kit.house.ledger.toolCalls(this.#record.message.runId);
    this.#usedIds = calls.map(({ toolCallId }) => toolCallId);
    await this.#readHistory(sessionId);
    const asked = this.#indexOfQuestion();
    for (const message of this.#history.slice(asked + 1)) if (message.role === "assistant") this.#voice.said(message);
  }

  /** The message this turn answers; what was said to the turn meanwhile stands behind it. */
  #indexOfQuestion(): number {
    const { admittedAt } = this.#record.message;
    const own = this.#history.findLastIndex(({ role, timestamp }) => role === "user" && timestamp === admittedAt);
    return own >= 0 ? own : this.#history.findLastIndex(({ role }) => role === "user");
  }

  async #takeIn(signal: AbortSignal): Promise<TakenIn> {
    if (!this.#body.media?.length) return NOTHING_TAKEN;
    try {
      return await orAborted(this.#fetchFiles(signal), signal);
    } catch (error) {
      // Who stops the turn needs no files; at a shutdown the next start fetches them.
      if (!signal.aborted || signal.reason === ("shutdown" satisfies StopCause)) throw error;
      return NOTHING_TAKEN;
    }
  }

  /** Most messages bring none: what fetches them is loaded for those that do. */
  async #fetchFiles(signal: AbortSignal): Promise<TakenIn> {
    const { takeIn } = await import("./take-in.ts");
    return takeIn(this.#record, this.#body, signal, this.#kit.house);
  }

  /** The files behind handles in an answer; what was not minted for this very session is none. */
  async #filesBehind(handles: readonly string[]): Promise<readonly MediaRef[]> {
    const { filesBehind } = await import("./take-in.ts");
    return filesBehind(await this.#kit.house.media(), this.#record.message.sessionKey, handles);
  }

  async #open({ entry, changes }: OpenedSession, takenIn: TakenIn): Promise<void> {
    const { sessionId } = entry;
    const { runId, sessionKey } = this.#record.message;
    this.#steps = new TurnSteps(sessionId, this.#kit);
    const asides = this.#body.chore ? [] : await this.#kit.house.ledger.asides(sessionKey);
    const user = this.#userMessage(asides, takenIn);
    const level = this.#stage?.thinking(this.#model) ?? "off";
    await this.#readHistory(sessionId, user);
    await this.#steps.open({
      bodies: [...modelRecords(entry, this.#model, level, this.#startedAt), this.#entryOfQuestion(user)],
      before: changes,
      after: [
        { kind: "turn-begin", runId, sessionId, at: this.#startedAt },
        // Their words are in the user's message: from now on they are answered by this turn or not at all.
        ...endedInto(runId, "collected", this.#others, this.#startedAt).changes,
        ...asidesTold(asides),
      ],
    });
  }

  async #readHistory(sessionId: string, ...more: AgentMessage[]): Promise<void> {
    const { messages, summary } = await this.#kit.house.transcripts.read(sessionId);
    const isAlone = this.#body.errand?.forgetsEarlier === true;
    this.#history = [...(isAlone ? this.#ownPart(messages) : messages), ...more];
    this.#hasSummary = !isAlone && summary !== undefined;
  }

  /** What this very turn has said and done already. */
  #ownPart(messages: readonly AgentMessage[]): readonly AgentMessage[] {
    const { admittedAt } = this.#record.message;
    const asked = messages.findLastIndex(({ role, timestamp }) => role === "user" && timestamp === admittedAt);
    return asked < 0 ? [] : messages.slice(asked);
  }

  #userMessage(asides: readonly Aside[], takenIn: TakenIn): AgentMessage {
    const { admittedAt, agentId } = this.#record.message;
    const { note } = this.#stage?.prompt ?? {};
    return userMessage(this.#text, this.#body, admittedAt, {
      news: [...(note ? [note] : []), ...happened(asides)],
      heard: asides.length > 0 ? heard(asides, heardLimit(this.#kit.house, this.#record.message)) : [],
      takenIn,
      timeZone: turnSettings(this.#kit, agentId).timeZone,
    });
  }

  /** Between two steps: what the sender said meanwhile becomes part of this turn. */
  async #interject(): Promise<readonly AgentMessage[]> {
    const { runId: into, agentId } = this.#record.message;
    const said = this.#body.chore ? [] : this.#kit.house.inbound.takeSteering(this.#record);
    if (said.length === 0) return [];
    const { timeZone } = turnSettings(this.#kit, agentId);
    const heard = said.map(({ record }) => ({ record, message: saidMeanwhile(record, timeZone) }));
    const done = said.filter(({ isDone }) => isDone).map(({ record }) => record);
    const { changes, outcome } = endedInto(into, "steered", done, this.#kit.house.clock.now());
    await this.#steps?.write(
      heard.map(({ record, message }) => ({ ...this.#entryOf(message), ...writtenBy([record]) })),
      changes,
    );
    for (const record of done) this.#kit.house.inbound.settle(record, outcome);
    return heard.map(({ message }) => message);
  }

  /** What the gateway says to its agent is part of the conversation, but nothing a chat window should show. */
  #entryOf(message: AgentMessage): EntryBody {
    return { type: "message", message, ...(this.#body.chore ? { internal: true } : {}) };
  }

  /** What the gateway asks in a person's place is nothing the person said. */
  #entryOfQuestion(user: AgentMessage): EntryBody {
    if (this.#body.instruction !== undefined) return { ...this.#entryOf(user), internal: true };
    const by = writtenBy([this.#record, ...this.#others]);
    return { ...this.#entryOf(user), ...by, ...typedIn(this.#record, this.#body) };
  }

  async #closeInterruptedCalls(steps: TurnSteps): Promise<void> {
    const { messages } = await this.#kit.house.transcripts.read(steps.sessionId);
    for (const call of openCalls(messages)) {
      this.#audit.interrupted(call);
      await this.#recordStep(interruptedResult(call, this.#kit.house.clock.now()));
    }
  }

  async #think(signal: AbortSignal): Promise<LoopOutcome> {
    const stage = this.#stage;
    if (!stage) throw new TypeError("a turn without a stage cannot think");
    if (this.#worker && !this.#body.chore) return this.#askWorker(this.#worker, stage, signal);
    const { agentId, runId } = this.#record.message;
    const workspace = this.#kit.house.agentOf(agentId).workspace;
    const relief = new TurnRelief(this.#kit, {
      message: this.#record.message,
      stage,
      signal,
      deadlineAt: this.#deadlineAt,
      trace: this.#trace,
      settle: async () => {
        if (this.#steps?.hasPending) await this.#steps.write([], []);
      },
      readHistory: async () => {
        await this.#readHistory(stage.sessionId);
        return this.#history;
      },
    });
    return runLoop(
      this.#history,
      {
        model: stage.model,
        maxSteps: stage.settings.maxSteps,
        usedIds: this.#usedIds,
        now: () => this.#kit.house.clock.now(),
        ask: (messages, abort) => this.#kit.house.models.converse(this.#callFor(stage, messages), abort),
        relieve: () => relief.relieve(),
        isHarmless: (call) => stage.tools.isHarmless(call),
        verdict: () => stage.tools.verdict(),
        runTool: async (call, model, signal, update) => {
          const noted = this.#trace.called(call.id, () => this.#kit.house.clock.now());
          const tell = (partial: string, details?: unknown): void => {
            noted.progressed(details);
            update(partial, details);
          };
          const onRun = ({ decidedBy }: ToolRun): void => {
            if (decidedBy !== undefined) this.#audit.decided(call.id, decidedBy);
          };
          const result = await stage.tools.run(call, { runId, workspace, model, signal, update: tell, onRun });
          noted.ended();
          return result;
        },
        record: (one) => this.#recordStep(one),
        interject: () => this.#interject(),
        emit: (event) => this.#voice.hear(event),
      },
      signal,
    );
  }

  /** Loaded for those who have one. */
  async #askWorker(choice: WorkerChoice, stage: Stage, signal: AbortSignal): Promise<LoopOutcome> {
    const { askWorker } = await import("./worker-turn.ts");
    // That it is asked is on the disk before it is: after a crash it is not asked again.
    await this.#steps?.write([], []);
    const parts = {
      house: this.#kit.house,
      choice,
      message: this.#record.message,
      requester: stage.requester,
      sessionId: stage.sessionId,
      history: this.#history,
      wasAsked: this.#record.state === "running",
      emit: (event: LoopEvent) => this.#voice.hear(event),
      notice: (sentence: string) => this.#voice.notice(sentence),
    };
    return askWorker(parts, signal);
  }

  #callFor(stage: Stage, messages: readonly AgentMessage[]) {
    return callFor(stage, messages, this.#kit, {
      agentId: this.#record.message.agentId,
      // The turn itself says when its time is over; the call must not be a moment before it.
      deadlineAt: this.#deadlineAt + GRACE_MS,
      lastTouch: this.#lastTouch,
      hasSummary: this.#hasSummary,
      trace: this.#trace,
      audit: this.#audit,
      onWarning: (sentence) => this.#voice.notice(sentence),
    });
  }

  /** Commits one step: an assistant message that calls tools, or the result of one. */
  async #recordStep(message: AssistantMessage | ToolResultMessage): Promise<void> {
    const after =
      message.role === "assistant"
        ? this.#afterAssistant(message as AssistantMessage)
        : this.#afterResult(message as ToolResultMessage);
    const step = [this.#entryOf(message)] as const;
    if (this.#isHarmless(message)) await this.#steps?.defer(step, after);
    else await this.#steps?.write(step, after);
  }

  /** Whether nothing would be lost or done twice if this step were taken again after a crash. */
  #isHarmless(message: AssistantMessage | ToolResultMessage): boolean {
    const { tools } = this.#stage ?? {};
    if (!tools) return false;
    if (message.role === "toolResult") return this.#harmlessCalls.has((message as ToolResultMessage).toolCallId);
    const calls = message.content.filter((block): block is ToolCallBlock => block.type === "toolCall");
    const harmless = calls.filter((call) => tools.isHarmless(call));
    for (const { id } of harmless) this.#harmlessCalls.add(id);
    return harmless.length === calls.length;
  }

  #afterAssistant(message: AssistantMessage): Change[] {
    this.#voice.said(message);
    this.#audit.called(message);
    return [...toolStarts(message, this.#record.message.runId, this.#kit.house.clock.now()), ...this.#spend(message)];
  }

  #afterResult(result: ToolResultMessage): Change[] {
    const { runId } = this.#record.message;
    const { toolCallId, isError } = result;
    const at = this.#kit.house.clock.now();
    return [{ kind: "tool-end", runId, toolCallId, isError, at }, this.#audit.ended(result, at)];
  }

  #spend(message: AssistantMessage): Change[] {
    const hasPrice = this.#stage !== undefined && isPriced(this.#stage, message);
    const of = { message: this.#record.message, person: this.#stage?.spender.person ?? "", isPriced: hasPrice };
    return [...this.#spending.add(message, { ...of, at: this.#kit.house.clock.now() }), ...this.#audit.take()];
  }

  /** The last commit: answer, session, outcome and delivery become true together. */
  async #end(loop: LoopOutcome, signal: AbortSignal): Promise<RunOutcome> {
    const { sessions, clock, ledger } = this.#kit.house;
    const { message } = this.#record;
    const stopped = loop.kind === "aborted" ? (signal.reason as StopCause) : undefined;
    // A shutdown is no end: the message stays unfinished in the ledger, and the next start answers it.
    if (stopped === "shutdown") throw new GatewayError("TURN_FAILED", "the gateway is shutting down");
    const usage = this.#spend(loop.message);
    const endedAt = clock.now();
    const written = await sessions.alone(message.sessionKey, async () => {
      const entry = await ledger.session(message.sessionKey);
      const outcome = await this.#withFiles(this.#outcome(loop, stopped, endedAt, entry));
      const items = await this.#reply(outcome, endedAt);
      // A session that was reset meanwhile has another id: its entry is no longer ours.
      const isOurs = entry && entry.sessionId === this.#steps?.sessionId;
      const next = isOurs ? this.#entryAfter(entry, loop.message, endedAt, stopped) : undefined;
      await this.#steps?.write(
        [
          this.#entryOf({
            ...loop.message,
            ...namingFiles(outcome),
            ...whyNoAnswer(outcome),
            ...abortMark(stopped, message.runId),
          }),
          ...cacheRecords(loop.message, this.#stage?.settings.context.pruning.mode, endedAt),
        ],
        [
          ...(next ? [{ kind: "session-put" as const, key: message.sessionKey, entry: next }] : []),
          ...usage,
          { kind: "turn-end", runId: message.runId, at: endedAt, outcome },
          ...this.#kit.house.outbox.rows(items, endedAt),
        ],
      );
      return { outcome, items, next };
    });
    const { outcome, items, next } = written;
    this.#voice.tellRest();
    const hasReply = items.length > 0 && !this.#body.origin;
    this.#tell({ kind: "turn-ended", startedAt: this.#startedAt, endedAt, outcome, hasReply });
    await this.#kit.house.outbox.sendRows(items);
    if (next && this.#stage) await this.#lookAfter(next, outcome, this.#stage);
    return outcome;
  }

  /** Only a whole answer sends files along. */
  async #withFiles(outcome: RunOutcome): Promise<RunOutcome> {
    const { media: handles } = this.#voice.wishes;
    if (handles.length === 0 || outcome.status !== "ok") return outcome;
    const media = await this.#filesBehind(handles);
    if (media.length > 0) return { ...outcome, media };
    // An answer that was nothing but such a line would be no answer at all.
    return outcome.texts.length > 0 ? outcome : { ...outcome, texts: [FILE_NOT_ATTACHED] };
  }

  /** Nobody waits for this: the answer is out. */
  async #lookAfter(entry: SessionEntry, outcome: RunOutcome, stage: Stage): Promise<void> {
    try {
      if (outcome.status === "ok") await stage.prompt.wasUsed?.();
      await lookAfter(this.#record.message, entry, stage.model, this.#kit);
    } catch (error) {
      this.#kit.house.log.warn("what follows a turn could not be done", { run: this.#record.message.runId, error });
    }
  }

  #outcome(
    loop: LoopOutcome,
    stopped: StopCause | undefined,
    endedAt: number,
    entry: SessionEntry | undefined,
  ): RunOutcome {
    const { agentId, sessionKey } = this.#record.message;
    const { provider, model } = loop.message;
    const durationMs = endedAt - this.#startedAt;
    const agentMeta = { sessionId: this.#steps?.sessionId, provider, model, ...this.#spending.report() };
    const meta = { durationMs, agentMeta, aborted: loop.kind === "aborted" };
    const texts = this.#voice.finalTexts(loop, entry, this.#spending.total);
    const outcome = outcomeOf(loop, stopped, { texts, meta, durationMs, endedAt });
    const trace = this.#trace.toRecord({ agentId, sessionKey, matchedBy: this.#body.matchedBy ?? "default" });
    return { ...outcome, trace };
  }

  #entryAfter(
    entry: SessionEntry,
    answer: AssistantMessage,
    endedAt: number,
    stopped: StopCause | undefined,
  ): SessionEntry {
    return entryAfterTurn(entry, {
      message: this.#record.message,
      body: this.#body,
      spending: this.#spending,
      model: this.#stage?.model,
      contextTokens: this.#stage && contextWindow(this.#stage.settings.context, this.#stage.model),
      answeredBy: answer,
      thinking: this.#stage?.thinking(this.#model),
      promptReport: this.#stage && promptReport(this.#stage, this.#record.message.sessionKey, this.#startedAt),
      startedAt: this.#startedAt,
      endedAt,
      status: statusOf(stopped, answer),
      wasStopped: stopped !== undefined,
    });
  }

  async #reply(outcome: RunOutcome, at: number): Promise<readonly NewDelivery[]> {
    if (isOwnWork(this.#record.message.channel)) return [];
    const { provider, id } = this.#model;
    const thinking = this.#stage?.thinking(this.#model);
    return writeReply(this.#kit.house, this.#record, this.#body, {
      ...this.#voice.wishes,
      outcome,
      at,
      model: { provider, id },
      ...defined({ thinking }),
    });
  }

  /** Of the gateway's own work nobody is told anything, whatever the model says in it. */
  #tell(event: OwnEvent): void {
    if (this.#body.chore) return;
    const { runId, sessionKey } = this.#record.message;
    this.#kit.house.bus.emit({ ...event, runId, sessionKey });
  }
}

function statusOf(stopped: StopCause | undefined, { stopReason }: AssistantMessage): FinishedTurn["status"] {
  if (stopped === "timeout") return "timeout";
  if (stopped) return "killed";
  return stopReason === "error" ? "failed" : "done";
}

/** Those who show the conversation find them at the message that sent them. */
const FILE_NOT_ATTACHED =
  "⚠️ The answer was a file that was named but not attached, so it cannot be sent. Ask for it to be attached.";

function namingFiles({ media }: RunOutcome): { readonly media?: readonly MediaRef[] } {
  return media ? { media } : {};
}

/** The transcript says the same as whoever watched was told. */
function whyNoAnswer({ status, error, failure }: RunOutcome): { errorMessage?: string; failure?: RunFailure } {
  if (status !== "error" || error === undefined) return {};
  return { errorMessage: error, ...(failure ? { failure } : {}) };
}

/** What commands changed of the session becomes part of the turn's first commit. */
function patched(
  { entry, changes }: OpenedSession,
  key: string,
  commands: { patch(entry: SessionEntry): SessionEntry } | undefined,
): OpenedSession {
  if (!commands) return { entry, changes };
  const next = commands.patch(entry);
  return { entry: next, changes: [...changes, { kind: "session-put", key, entry: next }] };
}
