// Turns what a run tells into the `agent` and `chat` events of the protocol.
import { defined } from "@chela/sdk/base";
import {
  mediaOf,
  noUsage,
  type Clock,
  type Ledger,
  type MediaRef,
  type OutboxItem,
  type ToolResultMessage,
} from "@chela/sdk";
import type { ConfigStore } from "../../rooms/config/room.ts";
import type { TurnEvent } from "../../flow/turn/events.ts";
import type { BroadcastOptions, Hub } from "./hub.ts";
import type { Client } from "@chela/sdk/protocol";
import { beginStep, beginTool, type LiveRun, type LiveRuns } from "./live-runs.ts";
import { WRITTEN_HERE } from "../methods/chat-history.ts";
import type { SessionSubscribers } from "./session-subscribers.ts";
import { toolMeta } from "../tool-meta.ts";
import type { Watchers } from "./watchers.ts";
import { mediaBlocks } from "../media-blocks.ts";

/** Tokens that arrive close together travel in one event: its text is the whole message so far, so few events are kind. */
const ASSISTANT_EVERY_MS = 40;
const CHAT_DELTA_EVERY_MS = 150;
/** A long text is told less often, so that what is sent does not grow with its square: about two million characters a second. */
const CHARACTERS_PER_MS = 2_000;

type RunNotice = { readonly runId: string; readonly [field: string]: unknown };

export class RunEvents {
  readonly #hub: Hub;
  readonly #clock: Clock;
  /** Tool output is shown only in sessions whose level is "full". */
  readonly #verboseOf: (sessionKey: string) => Promise<string | undefined>;
  readonly #live: LiveRuns;
  readonly #watchers: Watchers;
  readonly #subscribers: SessionSubscribers;

  constructor(parts: {
    readonly hub: Hub;
    readonly clock: Clock;
    readonly liveRuns: LiveRuns;
    readonly watchers: Watchers;
    readonly subscribers: SessionSubscribers;
    readonly ledger: Pick<Ledger, "session">;
    readonly config: Pick<ConfigStore, "current">;
  }) {
    this.#hub = parts.hub;
    this.#clock = parts.clock;
    this.#live = parts.liveRuns;
    this.#watchers = parts.watchers;
    this.#subscribers = parts.subscribers;
    this.#verboseOf = async (key) =>
      (await parts.ledger.session(key))?.verboseLevel ?? parts.config.current().agents?.defaults?.verboseDefault;
  }

  /** From now on the client sees the tools of this run, if it can show them. */
  watch(runId: string, sessionKey: string, client: Client): void {
    if (client.caps.has("tool-events")) this.#live.take(runId, sessionKey).callers.add(client);
  }

  /** From now on the client is told of the conversation under the name it used. */
  spell(runId: string, sessionKey: string, calledBy: NonNullable<LiveRun["calledBy"]>): void {
    this.#live.take(runId, sessionKey).calledBy = calledBy;
  }

  handle(event: TurnEvent): void {
    const run = this.#live.take(event.runId, event.sessionKey);
    switch (event.kind) {
      case "command-started":
        run.isCommand = true;
        return;
      case "compaction-started":
        return this.#agent(event.runId, run, "compaction", { phase: "start" });
      case "compaction-ended":
        this.#agent(event.runId, run, "compaction", { phase: "end", compacted: event.wasCompacted });
        // Between two turns nothing else is told of it, so nothing has to be remembered.
        if (!run.isTurn) this.#live.forget(event.runId);
        return;
      case "turn-started":
        run.isTurn = true;
        run.startedAt = event.startedAt;
        return this.#agent(event.runId, run, "lifecycle", { phase: "start", startedAt: event.startedAt });
      case "step-started":
        this.#flush(event.runId, run);
        return beginStep(run);
      case "text":
        run.text += event.delta;
        return this.#soon(event.runId, run);
      case "thinking":
        run.thinking += event.delta;
        return this.#soon(event.runId, run);
      case "tool-started":
        this.#flush(event.runId, run);
        beginTool(run, event.call, this.#clock.now());
        return this.#tool(run, { phase: "start", ...named(event.call), args: event.call.arguments });
      case "tool-updated": {
        const details = event.details === undefined ? {} : { details: event.details };
        const tool = run.tools.get(event.call.id);
        if (tool) Object.assign(tool, { partial: event.partial, ...details });
        const data = { phase: "update", ...named(event.call) };
        const partialResult = { content: [{ type: "text", text: event.partial }], ...details };
        return this.#tool(run, data, { partialResult }, { partialResult: event.partial, ...details });
      }
      case "tool-ended": {
        run.tools.delete(event.call.id);
        const { content, details, isError } = event.result;
        const meta = toolMeta(event.call);
        const data = { phase: "result", ...named(event.call), ...defined({ meta }), isError };
        const result = { content, ...defined({ details }) };
        return this.#tool(run, data, { result }, { result: withoutPictures(content) });
      }
      case "turn-ended":
        return this.#ended(event, run);
    }
  }

  /** A committed reply, on its way to every operator. */
  announceReply(item: OutboxItem): void {
    const texts = item.payload["texts"];
    const text = Array.isArray(texts) ? String(texts.at(-1) ?? "") : "";
    const files = mediaOf(item.payload);
    const run = this.#live.find(item.runId);
    const own = run?.isCommand ? writtenHere() : {};
    const message = text || files.length > 0 ? { message: { ...this.#message(text, files), ...own } } : {};
    this.#tellReaders("chat", {
      runId: item.runId,
      sessionKey: item.to,
      seq: run?.seq ?? 0,
      state: "final",
      ...message,
    });
    this.#live.forget(item.runId);
  }

  /** A text that was put into a conversation from outside. */
  announceInjected(sessionKey: string, messageId: string, text: string): void {
    const message = { ...this.#message(text), ...writtenHere() };
    this.#tellReaders("chat", { runId: `inject-${messageId}`, sessionKey, seq: 0, state: "final", message });
  }

  /**
   * For chat windows that show no questions: what is being said there is followed by what it waits for. Who watches the
   * session is asked elsewhere.
   */
  announceWaiting(sessionKey: string, text: string): void {
    for (const run of this.#live.answering(sessionKey)) {
      const message = this.#message([run.text, text].filter(Boolean).join("\n\n"));
      const payload = { runId: run.runId, sessionKey, seq: run.seq, state: "delta", message };
      this.#tellReaders("chat", payload, { except: this.#watchers.of(sessionKey) });
    }
  }

  #ended(event: Extract<TurnEvent, { kind: "turn-ended" }>, run: LiveRun): void {
    this.#flush(event.runId, run);
    run.isOver = true;
    const { outcome, endedAt, startedAt } = event;
    const times = { ...defined({ startedAt }), endedAt };
    if (outcome.status === "ok") {
      // A command is answered at once: nothing began that could end.
      if (!run.isCommand) this.#agent(event.runId, run, "lifecycle", { phase: "end", ...times });
      if (event.hasReply) return;
      // The answer goes elsewhere, such as to a channel; whoever watches the session sees it, too.
      const text = outcome.texts.at(-1);
      const { runId, sessionKey } = event;
      if (text || outcome.media) {
        const message = this.#message(text ?? "", outcome.media);
        this.#tellReaders("chat", { runId, sessionKey, seq: run.seq, state: "final", message });
      }
      this.#live.forget(event.runId);
      return;
    }
    const chat = { runId: event.runId, sessionKey: event.sessionKey };
    if (outcome.status === "aborted" || outcome.stopReason === "timeout") {
      this.#agent(event.runId, run, "lifecycle", { phase: "end", ...times, aborted: true });
      const text = outcome.texts.at(-1);
      const message = text ? { message: this.#message(text) } : {};
      this.#tellReaders("chat", {
        ...chat,
        seq: run.seq,
        state: "aborted",
        stopReason: outcome.stopReason,
        ...message,
      });
    } else {
      this.#agent(event.runId, run, "lifecycle", { phase: "error", error: outcome.error, endedAt });
      const why = { errorMessage: outcome.error, ...(outcome.failure ? { failure: outcome.failure } : {}) };
      this.#tellReaders("chat", { ...chat, seq: run.seq, state: "error", ...why });
    }
    this.#live.forget(event.runId);
  }

  /** The first words go out at once, what follows them together. */
  #soon(runId: string, run: LiveRun): void {
    if (run.cancelFlush || this.#hub.clients.size === 0) return;
    if (run.sentText + run.sentThinking === 0) this.#flush(runId, run);
    const pauseMs = Math.max(ASSISTANT_EVERY_MS, (run.text.length + run.thinking.length) / CHARACTERS_PER_MS);
    run.cancelFlush = this.#clock.after(pauseMs, () => {
      delete run.cancelFlush;
      this.#flush(runId, run);
    });
  }

  #flush(runId: string, run: LiveRun): void {
    run.cancelFlush?.();
    delete run.cancelFlush;
    if (run.thinking.length > run.sentThinking) {
      const delta = run.thinking.slice(run.sentThinking);
      run.sentThinking = run.thinking.length;
      this.#agent(runId, run, "thinking", { text: run.thinking, delta });
    }
    if (run.text.length <= run.sentText) return;
    const delta = run.text.slice(run.sentText);
    run.sentText = run.text.length;
    this.#agent(runId, run, "assistant", { text: run.text, delta });
    const now = this.#clock.steady();
    if (now - run.lastChatDelta < Math.max(CHAT_DELTA_EVERY_MS, run.text.length / CHARACTERS_PER_MS)) return;
    run.lastChatDelta = now;
    this.#tellReaders(
      "chat",
      { runId, sessionKey: run.sessionKey, seq: run.seq, state: "delta", message: this.#message(run.text) },
      { dropIfSlow: true, ...this.#notSaid(run) },
    );
  }

  #agent(runId: string, run: LiveRun, stream: string, data: unknown): void {
    const ts = this.#clock.now();
    const isText = stream === "assistant" || stream === "thinking";
    this.#tellReaders(
      "agent",
      { runId, stream, data, sessionKey: run.sessionKey, seq: ++run.seq, ts },
      { dropIfSlow: stream !== "lifecycle", ...(isText ? this.#notSaid(run) : {}) },
    );
  }

  /** Who watches the session was told the whole message when it was committed, and would show the rest of it twice. */
  #notSaid(run: LiveRun): Pick<BroadcastOptions, "except"> {
    return run.isSaid ? { except: this.#watchers.of(run.sessionKey) } : {};
  }

  /** Who watches the session sees all of it; who only started the run sees output where the session wants that. */
  #tool(run: LiveRun, data: object, output?: object, forWatchers = output): void {
    const { runId, sessionKey } = run;
    const frame = { runId, stream: "tool", sessionKey, seq: ++run.seq, ts: this.#clock.now() };
    const watchers = this.#watchers.of(sessionKey);
    if (watchers.size > 0) this.#hub.tell(watchers, "agent", { ...frame, data: { ...data, ...forWatchers } });
    const others = [...run.callers].filter((client) => !watchers.has(client));
    const { ofAll } = this.#subscribers;
    if (others.length + ofAll.size === 0) return;
    const tell = (shown: object): void => {
      this.#hub.tell(others, "agent", { ...frame, data: shown });
      this.#hub.tell(ofAll, "session.tool", { ...frame, data: shown });
    };
    if (!output) return tell(data);
    void this.#verboseOf(sessionKey).then((level) => tell(level === "full" ? { ...data, ...output } : data));
  }

  #tellReaders(event: "agent" | "chat", payload: RunNotice, options: BroadcastOptions = {}): void {
    const { calledBy } = (event === "chat" && this.#live.find(payload.runId)) || {};
    if (calledBy && !options.except?.has(calledBy.client)) {
      const { client, sessionKey } = calledBy;
      this.#hub.tell([client], event, { ...payload, sessionKey });
      const except = new Set([...(options.except ?? []), client]);
      return this.#hub.broadcast(event, payload, { ...options, except, scope: "operator.read" });
    }
    this.#hub.broadcast(event, payload, { ...options, scope: "operator.read" });
  }

  #message(text: string, files: readonly MediaRef[] = []): object {
    const words = text || files.length === 0 ? [{ type: "text", text }] : [];
    return { role: "assistant", content: [...words, ...mediaBlocks(files)], timestamp: this.#clock.now() };
  }
}

function writtenHere(): object {
  return { ...WRITTEN_HERE, usage: noUsage() };
}

function named(call: { name: string; id: string }): object {
  return { name: call.name, toolCallId: call.id };
}

/** Who wants to see them asks for the entry. */
function withoutPictures(content: ToolResultMessage["content"]): object[] {
  return content.map((block) => (block.type === "image" ? { type: "image", omitted: true } : block));
}
