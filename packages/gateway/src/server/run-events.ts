// Turns what a run tells into the `agent` and `chat` events of the protocol.
import type { Clock, OutboxItem } from "@chela/sdk";
import type { TurnEvent } from "../flow/turn-events.ts";
import type { Client, Hub } from "./hub.ts";

/** Tokens that arrive close together travel in one event: its text is the whole message so far, so few events are kind. */
const ASSISTANT_EVERY_MS = 40;
const CHAT_DELTA_EVERY_MS = 150;

interface RunState {
  readonly sessionKey: string;
  isTurn: boolean;
  seq: number;
  /** Text of the assistant message that is being written. */
  text: string;
  thinking: string;
  sentText: number;
  sentThinking: number;
  lastChatDelta: number;
  cancelFlush?: () => void;
  readonly watchers: Set<Client>;
}

export class RunEvents {
  readonly #hub: Hub;
  readonly #clock: Clock;
  readonly #verboseOf: (sessionKey: string) => Promise<string | undefined>;
  readonly #runs = new Map<string, RunState>();

  constructor(parts: {
    readonly hub: Hub;
    readonly clock: Clock;
    /** The session's verbose level: tool output is shown only when it is "full". */
    readonly verboseOf: (sessionKey: string) => Promise<string | undefined>;
  }) {
    this.#hub = parts.hub;
    this.#clock = parts.clock;
    this.#verboseOf = parts.verboseOf;
  }

  /** From now on the client sees the tools of this run, if it can show them. */
  watch(runId: string, sessionKey: string, client: Client): void {
    if (client.caps.has("tool-events")) this.#state(runId, sessionKey).watchers.add(client);
  }

  handle(event: TurnEvent): void {
    const run = this.#state(event.runId, event.sessionKey);
    switch (event.kind) {
      case "command-started":
        return;
      case "compaction-started":
        return this.#agent(event.runId, run, "compaction", { phase: "start" });
      case "compaction-ended":
        this.#agent(event.runId, run, "compaction", { phase: "end", compacted: event.wasCompacted });
        // Between two turns nothing else is told of it, so nothing has to be remembered.
        if (!run.isTurn) this.#runs.delete(event.runId);
        return;
      case "turn-started":
        run.isTurn = true;
        return this.#agent(event.runId, run, "lifecycle", { phase: "start", startedAt: event.startedAt });
      case "step-started":
        this.#flush(event.runId, run);
        Object.assign(run, { text: "", thinking: "", sentText: 0, sentThinking: 0 });
        return;
      case "text":
        run.text += event.delta;
        return this.#soon(event.runId, run);
      case "thinking":
        run.thinking += event.delta;
        return this.#soon(event.runId, run);
      case "tool-started":
        this.#flush(event.runId, run);
        return this.#tool(event.runId, run, { phase: "start", ...named(event.call), args: event.call.arguments });
      case "tool-updated":
        return void this.#toolOutput(
          event.runId,
          run,
          { phase: "update", ...named(event.call) },
          { partialResult: event.partial, ...(event.details === undefined ? {} : { details: event.details }) },
        );
      case "tool-ended": {
        const data = { phase: "result", ...named(event.call), isError: event.result.isError };
        return void this.#toolOutput(event.runId, run, data, { result: event.result.content });
      }
      case "turn-ended":
        return this.#ended(event, run);
    }
  }

  /** A committed reply, on its way to every operator. */
  announceReply(item: OutboxItem): void {
    const texts = item.payload["texts"];
    const text = Array.isArray(texts) ? String(texts.at(-1) ?? "") : "";
    const message = text ? { message: this.#message(text) } : {};
    this.#tellReaders("chat", {
      runId: item.runId,
      sessionKey: item.to,
      seq: this.#runs.get(item.runId)?.seq ?? 0,
      state: "final",
      ...message,
    });
    this.#runs.delete(item.runId);
  }

  /** A text that was put into a conversation from outside. */
  announceInjected(sessionKey: string, messageId: string, text: string): void {
    const message = this.#message(text);
    this.#tellReaders("chat", { runId: `inject-${messageId}`, sessionKey, seq: 0, state: "final", message });
  }

  #ended(event: Extract<TurnEvent, { kind: "turn-ended" }>, run: RunState): void {
    this.#flush(event.runId, run);
    const { outcome, endedAt, startedAt } = event;
    const times = { ...(startedAt === undefined ? {} : { startedAt }), endedAt };
    if (outcome.status === "ok") {
      this.#agent(event.runId, run, "lifecycle", { phase: "end", ...times });
      if (event.hasReply) return;
      // The answer goes elsewhere, such as to a channel; whoever watches the session sees it, too.
      const text = outcome.texts.at(-1);
      const { runId, sessionKey } = event;
      if (text)
        this.#tellReaders("chat", { runId, sessionKey, seq: run.seq, state: "final", message: this.#message(text) });
      this.#runs.delete(event.runId);
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
      this.#tellReaders("chat", { ...chat, seq: run.seq, state: "error", errorMessage: outcome.error });
    }
    this.#runs.delete(event.runId);
  }

  #state(runId: string, sessionKey: string): RunState {
    let run = this.#runs.get(runId);
    if (!run) {
      run = {
        sessionKey,
        isTurn: false,
        seq: 0,
        text: "",
        thinking: "",
        sentText: 0,
        sentThinking: 0,
        lastChatDelta: 0,
        watchers: new Set(),
      };
      this.#runs.set(runId, run);
    }
    return run;
  }

  /** The first words go out at once, what follows them together. */
  #soon(runId: string, run: RunState): void {
    if (run.cancelFlush || this.#hub.clients.size === 0) return;
    if (run.sentText + run.sentThinking === 0) this.#flush(runId, run);
    run.cancelFlush = this.#clock.after(ASSISTANT_EVERY_MS, () => {
      delete run.cancelFlush;
      this.#flush(runId, run);
    });
  }

  #flush(runId: string, run: RunState): void {
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
    const now = this.#clock.now();
    if (now - run.lastChatDelta < CHAT_DELTA_EVERY_MS) return;
    run.lastChatDelta = now;
    this.#tellReaders(
      "chat",
      { runId, sessionKey: run.sessionKey, seq: run.seq, state: "delta", message: this.#message(run.text) },
      { dropIfSlow: true },
    );
  }

  #agent(runId: string, run: RunState, stream: string, data: unknown): void {
    const ts = this.#clock.now();
    const droppable = stream !== "lifecycle";
    this.#tellReaders(
      "agent",
      { runId, stream, data, sessionKey: run.sessionKey, seq: ++run.seq, ts },
      { dropIfSlow: droppable },
    );
  }

  #tool(runId: string, run: RunState, data: object): void {
    const payload = { runId, stream: "tool", data, sessionKey: run.sessionKey, seq: ++run.seq, ts: this.#clock.now() };
    for (const client of run.watchers) this.#hub.tell(client, "agent", payload);
  }

  async #toolOutput(runId: string, run: RunState, data: object, output: object): Promise<void> {
    if (run.watchers.size === 0) return;
    const full = (await this.#verboseOf(run.sessionKey)) === "full";
    this.#tool(runId, run, full ? { ...data, ...output } : data);
  }

  #tellReaders(event: "agent" | "chat", payload: object, options: { dropIfSlow?: boolean } = {}): void {
    this.#hub.broadcast(event, payload, { ...options, scope: "operator.read" });
  }

  #message(text: string): object {
    return { role: "assistant", content: [{ type: "text", text }], timestamp: this.#clock.now() };
  }
}

function named(call: { name: string; id: string }): object {
  return { name: call.name, toolCallId: call.id };
}
