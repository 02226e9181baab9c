// One conversation, live: its entries, the runs that are under way, and what was said here and is not yet there.
import type {
  AgentEvent,
  ChatEvent,
  SessionEntriesEvent,
  SessionMovedEvent,
  WatchedRun,
  WatchSnapshot,
} from "@chela/sdk/protocol";
import { Live } from "../../state/live.ts";
import type { Wire } from "../../wire/wire.ts";
import { Entries } from "./entries.ts";
import { UnsentMessages } from "./composer/unsent-messages.ts";

export type Settings = WatchSnapshot["settings"];

/** A run as it is shown; `tools` are those without a result in the transcript. */
export type ShownRun = WatchedRun;

/** Why the last turn gave no answer. */
export interface Problem {
  readonly runId: string;
  readonly text: string;
  readonly failure: ChatEvent["failure"];
}

export interface ConversationState {
  /** False until the gateway has told of it for the first time. */
  readonly isKnown: boolean;
  readonly sessionId: string | undefined;
  readonly leafId: string | null;
  readonly settings: Settings;
  readonly runs: readonly ShownRun[];
  readonly problem: Problem | undefined;
  readonly isCompacting: boolean;
}

interface Heard {
  readonly seq: number;
  apply(): void;
  /** What holds also if the snapshot has it already. */
  applyOld(): void;
}

const UNKNOWN: ConversationState = {
  isKnown: false,
  sessionId: undefined,
  leafId: null,
  settings: {},
  runs: [],
  problem: undefined,
  isCompacting: false,
};

export class Conversation {
  readonly key: string;
  readonly entries: Entries;
  readonly unsent: UnsentMessages;
  readonly state = new Live<ConversationState>(UNKNOWN);
  readonly #wire: Wire;
  #stops: Array<() => void> = [];
  /** While a snapshot is awaited, what is told meanwhile waits: the snapshot says which of it is news. */
  #meanwhile: Heard[] | undefined;
  #isAskedAgain = false;

  constructor(wire: Wire, key: string) {
    this.key = key;
    this.#wire = wire;
    this.entries = new Entries(wire, key);
    this.unsent = new UnsentMessages(wire, key);
  }

  open(): void {
    const hear =
      <E extends { readonly sessionKey: string }>(
        apply: (event: E) => void,
        applyOld: (event: E) => void = () => undefined,
      ) =>
      (event: E): void => {
        if (event.sessionKey !== this.key) return;
        const { seq } = this.#wire;
        if (this.#meanwhile) this.#meanwhile.push({ seq, apply: () => apply(event), applyOld: () => applyOld(event) });
        else if (this.state.value.isKnown) apply(event);
      };
    const ended = (event: ChatEvent): void => this.#ended(event);
    this.#stops = [
      this.#wire.onResync(() => void this.#watch("anew")),
      this.#wire.on(
        "session.entries",
        hear(
          (event) => this.#grown(event),
          ({ messages }) => this.#begun(messages.flatMap(({ runId }) => runId ?? [])),
        ),
      ),
      this.#wire.on(
        "session.moved",
        hear((event) => this.#moved(event)),
      ),
      this.#wire.on(
        "agent",
        hear((event) => this.#told(event)),
      ),
      this.#wire.on("chat", hear(ended, ended)),
      this.#wire.on("changed", ({ topics }) => {
        if (topics.includes("sessions") || topics.includes("runs")) void this.#watch("again");
      }),
    ];
    void this.#watch("anew");
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#wire.call("chat.unwatch", { sessionKey: this.key }).catch(() => undefined);
  }

  /** Asks where the conversation is. "anew": something may have been missed, so the entries are doubted as well. */
  async #watch(why: "anew" | "again"): Promise<void> {
    if (why === "again" && (this.#meanwhile || !this.state.value.isKnown)) return void (this.#isAskedAgain = true);
    const meanwhile: Heard[] = [];
    const heardBefore = this.unsent.heardIds();
    this.#meanwhile = meanwhile;
    const snapshot = await this.#wire.call("chat.watch", { sessionKey: this.key }).catch(() => undefined);
    // A later question has taken over, or nobody looks any more.
    if (this.#meanwhile !== meanwhile || this.#stops.length === 0) return;
    this.#meanwhile = undefined;
    // Without an answer the connection is gone; the next one asks anew.
    if (!snapshot) return;
    this.#learn(snapshot, why);
    // Heard, and no run any more: it was answered while the snapshot was awaited.
    this.unsent.arrived(heardBefore.filter((id) => !snapshot.runs.some(({ runId }) => runId === id)));
    for (const { seq, apply, applyOld } of meanwhile) {
      if (seq > snapshot.seq) apply();
      else applyOld();
    }
    if (!this.#isAskedAgain) return;
    this.#isAskedAgain = false;
    await this.#watch("again");
  }

  #learn(snapshot: WatchSnapshot, why: "anew" | "again"): void {
    const { sessionId, leafId, settings, runs, total } = snapshot;
    const { isKnown, sessionId: known } = this.state.value;
    if (!isKnown || known !== sessionId) this.entries.restart(total);
    // Entries told of while the snapshot was awaited may be in it, and are then not told again.
    else if (why === "anew" || leafId !== this.state.value.leafId) this.entries.doubt(total);
    this.#change({ isKnown: true, sessionId, leafId, settings, runs });
    this.unsent.heard(runs.map(({ runId }) => runId));
    // What is being answered stands in the transcript.
    this.unsent.arrived(runs.filter((run) => run.state === "running").map(({ runId }) => runId));
    if (why === "anew") this.unsent.sendAll();
  }

  #grown(event: SessionEntriesEvent): void {
    this.entries.append(event.from, event.total, event.messages);
    const finished = new Set(event.messages.flatMap(({ toolCallId }) => toolCallId ?? []));
    this.#begun(event.messages.flatMap(({ runId }) => runId ?? []));
    const runs = this.state.value.runs.map((run) => {
      const now = event.runs.find(({ runId }) => runId === run.runId);
      const tools = run.tools.filter(({ toolCallId }) => !finished.has(toolCallId));
      return { ...run, tools, ...(now ? { text: now.text, thinking: now.thinking } : {}) };
    });
    this.#change({ sessionId: event.sessionId, leafId: event.leafId, runs });
  }

  /** What was said stands in the transcript now, and waits no longer: neither what was said here, nor by others. */
  #begun(runIds: readonly string[]): void {
    this.unsent.arrived(runIds);
    const runs = this.state.value.runs.map((run) =>
      runIds.includes(run.runId) ? { ...run, state: "running" as const } : run,
    );
    this.#change({ runs });
  }

  #moved({ sessionId, leafId, total }: SessionMovedEvent): void {
    this.entries.restart(total);
    this.#change({ sessionId, leafId, problem: undefined });
  }

  #told(event: AgentEvent): void {
    const { phase, text = "" } = event.data;
    switch (event.stream) {
      case "lifecycle":
        if (phase === "start") this.#changeRun(event, { state: "running", startedAt: event.ts });
        return;
      case "assistant":
        return this.#changeRun(event, { text });
      case "thinking":
        return this.#changeRun(event, { thinking: text });
      case "compaction":
        return this.#change({ isCompacting: phase === "start" });
      case "tool":
        return this.#tool(event);
    }
  }

  #tool(event: AgentEvent): void {
    const { phase, toolCallId = "", name = "", args, partialResult, details } = event.data;
    const tools = this.state.value.runs.find(({ runId }) => runId === event.runId)?.tools ?? [];
    // The result comes with the transcript, where it is shown from then on.
    if (phase === "result") return;
    if (phase === "start") {
      const others = tools.filter((tool) => tool.toolCallId !== toolCallId);
      return this.#changeRun(event, { tools: [...others, { toolCallId, name, args, startedAt: event.ts }] });
    }
    const news = {
      ...(partialResult === undefined ? {} : { partial: partialResult }),
      ...(details === undefined ? {} : { details }),
    };
    const change = (tool: (typeof tools)[number]) => (tool.toolCallId === toolCallId ? { ...tool, ...news } : tool);
    this.#changeRun(event, { tools: tools.map(change) });
  }

  #ended({ runId, state, errorMessage, failure }: ChatEvent): void {
    if (state === "delta") return;
    this.unsent.arrived([runId]);
    const problem = state === "error" ? { runId, text: errorMessage ?? "", failure } : undefined;
    const runs = this.state.value.runs.filter((run) => run.runId !== runId);
    this.#change({ runs, ...(state === "aborted" ? {} : { problem }), isCompacting: false });
  }

  #changeRun({ runId, ts }: { readonly runId: string; readonly ts: number }, part: Partial<ShownRun>): void {
    const { runs } = this.state.value;
    const fresh: ShownRun = { runId, state: "running", startedAt: ts, text: "", thinking: "", tools: [] };
    const known = runs.find((run) => run.runId === runId);
    const changed = { ...(known ?? fresh), state: "running" as const, ...part };
    this.unsent.heard([runId]);
    this.#change({
      problem: undefined,
      runs: known ? runs.map((run) => (run === known ? changed : run)) : [...runs, changed],
    });
  }

  #change(part: Partial<ConversationState>): void {
    this.state.set({ ...this.state.value, ...part });
  }
}
